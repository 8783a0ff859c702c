/* Solutions in closed form: what the families share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     (parameters of L, initial state) -> q(t), v(t)
 *
 * All are functions of the precision: if the radius of a result is too large, the result is
 * computed again with more bits, beginning with the text of the model. */
#ifndef NOE_ARB_CLOSED_FORM_H
#define NOE_ARB_CLOSED_FORM_H

#include "arb/exact_solution.h"
#include "arb/arb_program.h"

typedef struct {
    const char *name; /* name of the family in the model language */
    /* Computes what the closed form needs from L and the initial state, with x->prec bits, and
     * sets x->rate. False with a message. */
    bool (*derive)(noe_exact_solution *);
    /* q[n] and v[n] at the time s = t - t0. */
    void (*at)(noe_exact_solution *, const arb_t s, arb_ptr q, arb_ptr v);
    void (*drop)(noe_exact_solution *); /* frees x->own */
} noe_closed_form;

#define EXACT(name) extern const noe_closed_form noe_##name##_solution;
#include "model/exact_families.def"
#undef EXACT

struct noe_exact_solution {
    const noe_closed_form *family;    /* the family that the model names */
    const char            *source;    /* for messages */
    noe_arb_jet           *jet;       /* L and its derivatives */
    int                    n, digits; /* number of coordinates, decimal digits */
    noe_start_point        point;     /* initial conditions, if they are not those of the model */
    bool                  *momentum;  /* [n] coordinates whose momentum is given */
    quad                  *given;     /* memory of the numbers in `point` */
    slong                  prec;      /* precision in bits of the fields below */
    /* initial state t0, q0, v0, p0, H0, in the order of noe_tape_input */
    arb_ptr start;
    /* t0, then zeros: the input at which L and its derivatives give its parameters */
    arb_ptr parameter_input;
    arb_ptr out;  /* [4 n n + 2 n + 1] scratch */
    double  rate; /* inverse of a time scale of the motion */
    void   *own;  /* data of the family for this precision */
    /* now: the last computed state, at the time now[0], if `fresh`; seen: its observables, if
     * `looked` */
    arb_ptr now, seen;
    bool    fresh, looked; /* `now` is a state; `seen` belongs to it */
    bool   *slow; /* [n] coordinates that take longer to compute; they are computed only if `all` */
    bool    all;  /* compute the slow coordinates, too */
};

/* arb_start.c: computes x->start with prec bits; false with a message. */
bool noe_arb_start_of_solution(noe_exact_solution *, slong prec);
/* solution_state.c: computes the initial state and the data of the family with prec bits; false
 * with a message. */
bool noe_solution_state_derive(noe_exact_solution *, slong prec);
void noe_solution_state_forget(noe_exact_solution *);
/* Writes q, v, p at time t with so many digits to `in`; false with a message. */
bool noe_solution_state_at(noe_exact_solution *, arb_srcptr t, int digits, arb_ptr in);
/* solution_check.c: false with a message when the closed form does not satisfy the equations of
 * motion of L. */
bool noe_solution_check(noe_exact_solution *);

noe_status noe_solution_refusal(const noe_exact_solution *, const char *why, ...)
    __attribute__((format(printf, 2, 3)));

#endif
