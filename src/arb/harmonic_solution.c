/* The harmonic oscillator in closed form.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     M q'' = f - K q, K > 0:  q = e + (q0 - e) cos w s + v0/w sin w s,  w^2 = K/M, e = f/K */
#include "arb/closed_form.h"

#include "base/status.h"

#include <stdlib.h>

typedef struct {
    arb_t w, e; /* frequency; equilibrium position */
} own;

static void drop(noe_exact_solution *x)
{
    own *y = x->own;
    arb_clear(y->w), arb_clear(y->e);
    free(y);
}

static bool derive(noe_exact_solution *x)
{
    if (x->n != 1)
        return noe_solution_refusal(x, "it has one coordinate, the model %d; see 'exact linear'",
                                    x->n),
               false;
    own *y = x->own = noe_status_alloc(1, sizeof *y);
    if (!y) return false;
    arb_init(y->w), arb_init(y->e);
    noe_arb_program_run(x->jet->gradient, x->parameter_input, x->out, x->prec, false);
    arb_set(y->e, x->out);
    noe_arb_program_run(x->jet->hessian, x->parameter_input, x->out, x->prec,
                        false); /* F_q F_v P_q P_v */
    arb_div(y->e, y->e, x->out, x->prec), arb_neg(y->e, y->e);
    arb_div(y->w, x->out, x->out + 3, x->prec), arb_neg(y->w, y->w);
    if (!arb_is_positive(y->w))
        return noe_solution_refusal(x, "the stiffness is not positive; see 'exact linear'"), false;
    arb_sqrt(y->w, y->w, x->prec);
    x->rate = arf_get_d(arb_midref(y->w), ARF_RND_NEAR);
    return true;
}

static void at(noe_exact_solution *x, const arb_t s, arb_ptr q, arb_ptr v)
{
    const own  *y = x->own;
    const slong prec = x->prec;
    arb_srcptr  q0 = x->start + 1, v0 = q0 + 1;
    arb_t       sine, cosine, a;
    arb_init(sine), arb_init(cosine), arb_init(a);
    arb_mul(a, y->w, s, prec);
    arb_sin_cos(sine, cosine, a, prec);
    arb_sub(a, q0, y->e, prec);
    arb_mul(q, a, cosine, prec), arb_add(q, q, y->e, prec);
    arb_mul(v, v0, cosine, prec);
    arb_mul(a, a, sine, prec), arb_mul(a, a, y->w, prec), arb_sub(v, v, a, prec);
    arb_mul(a, v0, sine, prec), arb_div(a, a, y->w, prec), arb_add(q, q, a, prec);
    arb_clear(sine), arb_clear(cosine), arb_clear(a);
}

const noe_closed_form noe_harmonic_solution = { "harmonic", derive, at, drop };
