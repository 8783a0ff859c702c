/* (parameters from L, start) -> q(t), v(t) in closed form: what the families share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Everything is a function of a precision: a result that comes out too wide is worked out again with more bits,
 * from the model's text on. */
#ifndef NOE_ARB_CLOSED_FORM_H
#define NOE_ARB_CLOSED_FORM_H

#include "arb/exact_solution.h"
#include "arb/arb_program.h"

typedef struct {
    const char *name;
    /* What the form needs, from L and the start, at x->prec; sets x->rate.  False with a message. */
    bool (*derive)(noe_exact *);
    /* q and v at s = t - t0. */
    void (*at)(noe_exact *, const arb_t s, arb_ptr q, arb_ptr v);
    void (*drop)(noe_exact *); /* frees x->own */
} noe_family;

#define EXACT(name) extern const noe_family noe_exact_##name;
#include "model/exact_families.def"
#undef EXACT

struct noe_exact {
    const noe_family *family;
    const char       *source; /* for messages */
    noe_jet          *jet;
    int               n, digits;
    noe_point         point;  /* where it starts when that is not the model's start */
    bool             *momentum;
    quad             *given;
    slong             prec;   /* of what follows */
    arb_ptr           start;  /* t0, q0, v0, p0, H0 as in noe_tape_input */
    arb_ptr           zero;   /* t0, then zeros */
    arb_ptr           out;    /* scratch: [4 n n + 2 n + 1] */
    double            rate;   /* 1 / a time in which the motion changes */
    void             *own;    /* of the family, for this precision */
    arb_ptr           now, seen; /* the state at now[0], where `fresh`; its observables, where `looked` */
    bool              fresh, looked;
    bool             *slow;   /* [n] coordinates that cost more than the others: only where all is asked for */
    bool              all;
};

/* arb_start.c: x->start at a precision; false with a message. */
bool noe_exact_begin(noe_exact *, slong prec);
/* solution_state.c: the start and what the family needs at a precision; false with a message. */
bool noe_exact_derive(noe_exact *, slong prec);
void noe_exact_forget(noe_exact *);
/* q, v, p at time t to so many digits; false with a message. */
bool noe_exact_state(noe_exact *, arb_srcptr t, int digits, arb_ptr in);
/* solution_check.c: false with a message when the family does not solve the equations of L. */
bool noe_exact_verify(noe_exact *);

noe_status noe_exact_refuse(const noe_exact *, const char *why, ...) __attribute__((format(printf, 2, 3)));

#endif
