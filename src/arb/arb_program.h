/* the expressions of an exact model, evaluated in Arb.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ARB_ARB_PROGRAM_H
#define NOE_ARB_ARB_PROGRAM_H

#include "arb/wide.h"
#include "model/model.h"

typedef struct {
    int  op, a, b, c; /* operands: places in value; of a leaf, a is its index */
    bool moves;
} noe_arb_operation;

typedef struct {
    const noe_model   *model;
    int                count, outputs, *out;
    noe_arb_operation *op;
    arb_ptr            value;
    slong              known; /* the precision at which what does not move is known */
} noe_arb_program;

/* The exponent of max |x_i|: WORD_MIN of zeros, WORD_MAX where one is not finite. */
slong noe_arb_jet_exponent(arb_srcptr x, int count);

/* The model must be one of noe_parse_model_exact.  NULL with a message. */
noe_arb_program *noe_arb_program_new(noe_model *, const noe_ex *root, int roots);
void             noe_arb_program_free(noe_arb_program *);
/* in: t, q, v, p, energy as in noe_tape_input; what the roots do not contain may be missing.
 * sharp: only middles count, as in floating-point arithmetic. */
void noe_arb_program_run(noe_arb_program *, arb_srcptr in, arb_ptr out, slong prec, bool sharp);

/* L, its derivatives and the forces.  gradient: F = L_q + f, P = L_v; hessian: d(F, P)/d(q, v),
 * row by row, then F, P; legendre: P, L, then L_vv; observe: the observables; rate: L_vt; power:
 * what the forces put in, what the dissipation takes out. */
typedef struct {
    noe_model       *model; /* its own */
    int              n;
    noe_arb_program *gradient, *hessian, *legendre, *observe, *rate, *power;
} noe_arb_jet;

noe_arb_jet *noe_arb_jet_new(const noe_model *); /* NULL with a message */
void         noe_arb_jet_free(noe_arb_jet *);
/* v of L_v(t, q, v) = p where momentum[i]; in: t, q and a first v, the others' final; NULL: all
 * of them. */
bool noe_arb_jet_velocities(noe_arb_jet *, arb_ptr in, arb_srcptr p, const bool *momentum,
                            slong prec);
/* arb_start.c: t0, q0, v0, p0, H0 of the model's own start, or of a point, into start (as in
 * noe_tape_input).  False: the velocities do not follow from the momenta. */
struct noe_start_point;
bool noe_arb_start_at(noe_arb_jet *, const struct noe_start_point *, slong prec, arb_ptr start,
                      bool *momentum);
/* is L_vv? but for the last 24 bits */
bool noe_arb_jet_regular(noe_arb_jet *, arb_srcptr in, slong prec);
void noe_arb_jet_energy(noe_arb_jet *, arb_srcptr in, arb_t H, slong prec); /* v . L_v - L */

#endif
