/* Evaluates the expressions of an exact model in Arb.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ARB_ARB_PROGRAM_H
#define NOE_ARB_ARB_PROGRAM_H

#include "arb/wide.h"
#include "model/model.h"

typedef struct {
    /* operation; indices of its operands in `value`; of a variable, a is its index in the input */
    int  op, a, b, c;
    bool moves; /* depends on the input; otherwise on parameters and numbers only */
} noe_arb_operation;

typedef struct {
    const noe_model *model; /* the model, which holds the numbers */
    /* operations; outputs; out[outputs]: index in `value` of each output */
    int                count, outputs, *out;
    noe_arb_operation *op;    /* [count] operations, operands before the operations that use them */
    arb_ptr            value; /* [count] value of each operation */
    slong              known; /* precision in bits of the values that do not depend on the input */
} noe_arb_program;

/* Binary exponent of max |x_i|, i < count: WORD_MIN if all are 0, WORD_MAX if one is not finite. */
slong noe_arb_jet_exponent(arb_srcptr x, int count);

/* Program for the expressions root[roots]; the model must be from noe_parse_model_exact. NULL
 * with a message. */
noe_arb_program *noe_arb_program_new(noe_model *, const noe_ex *root, int roots);
void             noe_arb_program_free(noe_arb_program *);
/* out[outputs] = the values at `in`: t, q, v, p, energy as in noe_tape_input; inputs that do not
 * occur may be left undefined. midpoints: the radii of the balls are dropped, as in floating-point
 * arithmetic. */
void noe_arb_program_run(noe_arb_program *, arb_srcptr in, arb_ptr out, slong prec, bool midpoints);

/* Programs for L, its derivatives and the forces. gradient: F = L_q + f, P = L_v. hessian: d(F,
 * P)/d(q, v) row by row, then F, P. legendre: P, L, L_vv. observe: the observables. rate: L_vt.
 * power: of the forces, and of the dissipation. */
typedef struct {
    noe_model       *model; /* a copy of the model, owned by this struct */
    int              n;     /* number of coordinates */
    noe_arb_program *gradient, *hessian, *legendre, *observe, *rate, *power; /* see above */
} noe_arb_jet;

noe_arb_jet *noe_arb_jet_new(const noe_model *); /* NULL with a message */
void         noe_arb_jet_free(noe_arb_jet *);
/* Solves L_v(t, q, v) = p for the velocities v_i with momentum[i] (NULL: for all); in: t, q and
 * v, of which the v_i to be found are first approximations. False: no solution was found. */
bool noe_arb_jet_velocities(noe_arb_jet *, arb_ptr in, arb_srcptr p, const bool *momentum,
                            slong prec);
/* arb_start.c: the initial state t0, q0, v0, p0, H0 of the model, or of a given point, in the
 * order of noe_tape_input; has_momentum[n]: coordinates whose momentum is given. False: the
 * velocities cannot be computed from the momenta. */
struct noe_start_point;
bool noe_arb_start_at(noe_arb_jet *, const struct noe_start_point *, slong prec, arb_ptr start,
                      bool *has_momentum);
/* Is L_vv nonsingular, with a margin of 24 bits? */
bool noe_arb_jet_regular(noe_arb_jet *, arb_srcptr in, slong prec);
void noe_arb_jet_energy(noe_arb_jet *, arb_srcptr in, arb_t H, slong prec); /* v . L_v - L */

#endif
