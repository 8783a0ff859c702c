/* (parameters from L, start) -> q(t), v(t) in closed form: what the families share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Everything is a function of a precision: a result that comes out too wide is worked out again
 * with more bits, from the model's text on. */
#ifndef NOE_ARB_CLOSED_FORM_H
#define NOE_ARB_CLOSED_FORM_H

#include "arb/exact_solution.h"
#include "arb/arb_program.h"

typedef struct {
    const char *name;
    /* What the form needs, from L and the start, at x->prec; sets x->rate.  False with a message. */
    bool (*derive)(noe_exact_solution *);
    /* q and v at s = t - t0. */
    void (*at)(noe_exact_solution *, const arb_t s, arb_ptr q, arb_ptr v);
    void (*drop)(noe_exact_solution *); /* frees x->own */
} noe_closed_form;

#define EXACT(name) extern const noe_closed_form noe_##name##_solution;
#include "model/exact_families.def"
#undef EXACT

struct noe_exact_solution {
    const noe_closed_form *family;
    const char            *source; /* for messages */
    noe_arb_jet           *jet;
    int                    n, digits;
    noe_start_point        point; /* where it starts when that is not the model's start */
    bool                  *momentum;
    quad                  *given;
    slong                  prec;  /* of what follows */
    arb_ptr                start; /* t0, q0, v0, p0, H0 as in noe_tape_input */
    arb_ptr                zero;  /* t0, then zeros */
    arb_ptr                out;   /* scratch: [4 n n + 2 n + 1] */
    double                 rate;  /* 1 / a time in which the motion changes */
    void                  *own;   /* of the family, for this precision */
    arb_ptr now, seen; /* the state at now[0], where `fresh`; its observables, where `looked` */
    bool    fresh, looked;
    bool   *slow; /* [n] coordinates that cost more than the others: only where all is asked for */
    bool    all;
};

/* arb_start.c: x->start at a precision; false with a message. */
bool noe_arb_start_of_solution(noe_exact_solution *, slong prec);
/* solution_state.c: the start and what the family needs at a precision; false with a message. */
bool noe_solution_state_derive(noe_exact_solution *, slong prec);
void noe_solution_state_forget(noe_exact_solution *);
/* q, v, p at time t to so many digits; false with a message. */
bool noe_solution_state_at(noe_exact_solution *, arb_srcptr t, int digits, arb_ptr in);
/* solution_check.c: false with a message when the family does not solve the equations of L. */
bool noe_solution_check(noe_exact_solution *);

noe_status noe_solution_refusal(const noe_exact_solution *, const char *why, ...)
    __attribute__((format(printf, 2, 3)));

#endif
