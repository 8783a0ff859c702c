/* Duffing's oscillator in closed form.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x'' = -alpha x - beta x^3:  x = X cn, X dn or X sn (Omega s + u0 | m), X sech or X tanh
 * between them.
 *
 * With 2e = v^2 + alpha x^2 + beta x^4/2 and D = alpha^2 + 4 beta e, by the signs of beta and e
 * (I. Kovacic, M. J. Brennan, The Duffing Equation, section 4.2, and its other cases by the same
 * differentiation):
 *     cn, beta e > 0 or beta > 0:  Omega^2 = sqrt D,              m = beta X^2/(2 Omega^2)
 *     dn, beta > 0 > e:            Omega^2 = beta X^2/2,          m = 2 sqrt D/(sqrt D - alpha)
 *     sn, beta < 0, D > 0:         Omega^2 = (alpha + sqrt D)/2,  m = (alpha - sqrt D)/(2 Omega^2)
 * cn: a hardening spring, or a motion over the barrier between two wells; dn: within one of two
 * wells; sn: a softening spring, between its two barriers. */
#include "arb/closed_form.h"

#include "base/status.h"
#include "arb/elliptic_functions.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    /* form of the solution; REST: x = 0 or an equilibrium */
    enum { REST, CN, DN, SN, SECH, TANH } kind;
    arb_t                  X, w;  /* amplitude, with the sign of x or (TANH) of v; Omega */
    noe_elliptic_modulus   m;     /* the elliptic modulus m */
    noe_elliptic_functions first; /* sn, cn, dn at s = 0; SECH, TANH: tanh in sn, sech in cn */
} own;

typedef struct {
    arb_t alpha, beta, e2, root, y, t; /* 2e, sqrt D, scratch */
} numbers;

static void drop(noe_exact_solution *x)
{
    own *y = x->own;
    arb_clear(y->X), arb_clear(y->w);
    noe_elliptic_functions_modulus_clear(&y->m), noe_elliptic_functions_clear(&y->first);
    free(y);
}

/* M, alpha and beta of F = -M (alpha x + beta x^3), from F' at 0 and at 1. */
static void parameters(noe_exact_solution *x, numbers *k)
{
    const slong prec = x->prec;
    arb_t       M;
    arb_init(M);
    noe_arb_program_run(x->jet->hessian, x->parameter_input, x->out, prec,
                        false); /* F_q F_v P_q P_v */
    arb_set(M, x->out + 3);
    arb_neg(k->alpha, x->out), arb_div(k->alpha, k->alpha, M, prec);
    arb_one(x->parameter_input + 1);
    noe_arb_program_run(x->jet->hessian, x->parameter_input, x->out, prec, false);
    arb_zero(x->parameter_input + 1);
    arb_neg(k->beta, x->out), arb_div(k->beta, k->beta, M, prec);
    arb_sub(k->beta, k->beta, k->alpha, prec), arb_div_ui(k->beta, k->beta, 3, prec);
    arb_clear(M);
}

/* Computes e and D and selects the form of the solution; false: the motion goes to infinity. */
static bool classify(own *o, numbers *k, arb_srcptr x0, arb_srcptr v0, slong prec)
{
    arb_mul(k->y, x0, x0, prec);
    arb_mul(k->e2, k->beta, k->y, prec), arb_mul_2exp_si(k->e2, k->e2, -1);
    arb_add(k->e2, k->e2, k->alpha, prec), arb_mul(k->e2, k->e2, k->y, prec);
    arb_addmul(k->e2, v0, v0, prec);
    arb_mul(k->root, k->beta, k->e2, prec), arb_mul_2exp_si(k->root, k->root, 1);
    arb_addmul(k->root, k->alpha, k->alpha, prec);                           /* D */
    arb_mul(k->t, k->beta, k->y, prec), arb_add(k->t, k->t, k->alpha, prec); /* -x''/x */
    if (arb_is_zero(v0) && (arb_is_zero(x0) || arb_contains_zero(k->t)))
        return o->kind = REST, true;
    if (arb_is_negative(k->beta)) {
        o->kind = arb_contains_zero(k->root) ? TANH : SN;
        if (o->kind == SN
            && !(arb_is_positive(k->alpha) && arb_is_positive(k->root) && arb_is_positive(k->t)))
            return false;
    } else if (arb_is_positive(k->e2)) {
        if (!arb_is_positive(k->beta) && !arb_is_positive(k->alpha)) return false;
        o->kind = CN;
    } else o->kind = arb_is_negative(k->e2) ? DN : SECH;
    arb_sqrtpos(k->root, k->root, prec);
    return true;
}

/* Computes X, Omega and m. */
static void shape(own *o, numbers *k, arb_t m, slong prec)
{
    arb_ptr    X = o->X, w = o->w;
    const bool soft = o->kind == SN || (o->kind == CN && !arb_is_negative(k->alpha));
    if (soft) { /* X^2 = 4e/(alpha + sqrt D), without cancellation */
        arb_add(X, k->alpha, k->root, prec), arb_div(X, k->e2, X, prec), arb_mul_2exp_si(X, X, 1);
    } else if (o->kind == TANH || o->kind == SECH) {
        arb_div(X, k->alpha, k->beta, prec), arb_neg(X, X);
        if (o->kind == SECH) arb_mul_2exp_si(X, X, 1);
    } else arb_sub(X, k->root, k->alpha, prec), arb_div(X, X, k->beta, prec);
    arb_zero(m);
    switch (o->kind) {
    case CN:
        arb_set(w, k->root);
        arb_mul(m, k->beta, X, prec), arb_div(m, m, w, prec), arb_mul_2exp_si(m, m, -1);
        break;
    case DN:
        arb_mul(w, k->beta, X, prec), arb_mul_2exp_si(w, w, -1);
        arb_sub(m, k->root, k->alpha, prec), arb_div(m, k->root, m, prec), arb_mul_2exp_si(m, m, 1);
        break;
    case SN:
        arb_add(w, k->alpha, k->root, prec), arb_mul_2exp_si(w, w, -1);
        arb_sub(m, k->alpha, k->root, prec), arb_div(m, m, w, prec), arb_mul_2exp_si(m, m, -1);
        break;
    case SECH: arb_neg(w, k->alpha); break;
    case TANH: arb_mul_2exp_si(w, k->alpha, -1); break;
    case REST: break;
    }
    arb_sqrtpos(X, X, prec), arb_sqrtpos(w, w, prec);
}

/* Computes sn, cn, dn of the phase at the start from x0 and v0. */
static void phase(own *o, numbers *k, const arb_t m, arb_srcptr x0, arb_srcptr v0, slong prec)
{
    arb_ptr sn = acb_realref(o->first.sn), cn = acb_realref(o->first.cn),
            dn = acb_realref(o->first.dn), t = k->t;
    if (arb_is_negative(o->kind == TANH ? v0 : x0)
        && (o->kind == DN || o->kind == SECH || o->kind == TANH))
        arb_neg(o->X, o->X);
    arb_div(k->y, x0, o->X, prec);
    arb_mul(t, o->X, o->w, prec), arb_div(t, v0, t, prec); /* x0/X, v0/(X Omega) */
    switch (o->kind) {
    case CN: /* v = -X Omega sn dn */
        arb_set(cn, k->y);
        arb_mul(dn, cn, cn, prec), arb_sub_ui(dn, dn, 1, prec), arb_mul(dn, dn, m, prec),
            arb_add_ui(dn, dn, 1, prec);
        arb_sqrtpos(dn, dn, prec);
        arb_div(sn, t, dn, prec), arb_neg(sn, sn);
        break;
    case SN: /* v = X Omega cn dn */
        arb_set(sn, k->y);
        arb_mul(dn, sn, sn, prec), arb_mul(dn, dn, m, prec), arb_sub_ui(dn, dn, 1, prec),
            arb_neg(dn, dn);
        arb_sqrtpos(dn, dn, prec);
        arb_div(cn, t, dn, prec);
        break;
    case DN: /* v = -X m Omega sn cn; sn >= 0 */
        arb_set(dn, k->y);
        arb_mul(sn, dn, dn, prec), arb_sub_ui(sn, sn, 1, prec), arb_neg(sn, sn),
            arb_div(sn, sn, m, prec);
        if (arb_is_zero(v0)) arb_set_si(sn, arf_cmp_d(arb_midref(sn), 0.5) > 0);
        arb_sub_ui(cn, sn, 1, prec), arb_neg(cn, cn);
        arb_sqrtpos(sn, sn, prec), arb_sqrtpos(cn, cn, prec);
        if (arb_is_positive(t)) arb_neg(cn, cn);
        break;
    case SECH: /* v = -X Omega sech tanh */
        arb_set(cn, k->y);
        arb_div(sn, t, cn, prec), arb_neg(sn, sn);
        break;
    case TANH: /* v = X Omega sech^2 */
        arb_set(sn, k->y);
        arb_sqrtpos(cn, t, prec);
        break;
    case REST: break;
    }
}

static bool derive(noe_exact_solution *x)
{
    const slong prec = x->prec;
    numbers     k;
    arb_t       m;
    if (x->n != 1)
        return noe_solution_refusal(x, "it has one coordinate, the model %d", x->n), false;
    own *y = x->own = noe_status_alloc(1, sizeof *y);
    if (!y) return false;
    arb_init(y->X), arb_init(y->w), arb_init(m), noe_elliptic_functions_init(&y->first);
    arb_init(k.alpha), arb_init(k.beta), arb_init(k.e2), arb_init(k.root), arb_init(k.y),
        arb_init(k.t);
    parameters(x, &k);
    bool ok = classify(y, &k, x->start + 1, x->start + 2, prec);
    if (ok && y->kind != REST) {
        shape(y, &k, m, prec);
        phase(y, &k, m, x->start + 1, x->start + 2, prec);
        x->rate = arf_get_d(arb_midref(y->w), ARF_RND_NEAR);
    } else x->rate = sqrt(fabs(arf_get_d(arb_midref(k.alpha), ARF_RND_NEAR)));
    noe_elliptic_functions_modulus_init(&y->m, m, prec);
    if (!ok)
        noe_solution_refusal(
            x, "from this start the motion runs away to infinity: it has no form in sn, cn or dn");
    else if (!(x->rate > 0 && isfinite(x->rate)))
        ok = false, noe_solution_refusal(x, "expected M/2 x'^2 - a/2 x^2 - b/4 x^4");
    arb_clear(k.alpha), arb_clear(k.beta), arb_clear(k.e2), arb_clear(k.root), arb_clear(k.y),
        arb_clear(k.t), arb_clear(m);
    return ok;
}

static void at(noe_exact_solution *x, const arb_t s, arb_ptr q, arb_ptr v)
{
    const own             *y = x->own;
    const slong            prec = x->prec;
    noe_elliptic_functions z;
    arb_t                  u;
    if (y->kind == REST) {
        arb_set(q, x->start + 1), arb_zero(v);
        return;
    }
    noe_elliptic_functions_init(&z), arb_init(u);
    arb_mul(u, y->w, s, prec);
    if (y->kind == SECH || y->kind == TANH)
        noe_elliptic_functions_add_hyperbolic(&z, u, &y->first, prec);
    else {
        noe_elliptic_functions_real(&z, u, &y->m);
        noe_elliptic_functions_add(&z, &z, &y->first, &y->m);
    }
    arb_srcptr sn = acb_realref(z.sn), cn = acb_realref(z.cn), dn = acb_realref(z.dn);
    const bool even = y->kind == CN || y->kind == DN || y->kind == SECH;
    /* (cn)' = -sn dn, (sn)' = cn dn, (dn)' = -m sn cn; where m is 1, dn is cn. */
    arb_mul(v, y->kind == SN || y->kind == TANH ? cn : sn, y->kind == DN ? cn : dn, prec);
    if (y->kind == DN) arb_mul(v, v, y->m.m, prec);
    if (even) arb_neg(v, v);
    arb_mul(v, v, y->X, prec), arb_mul(v, v, y->w, prec);
    arb_mul(q, y->X, y->kind == CN || y->kind == SECH ? cn : y->kind == DN ? dn : sn, prec);
    noe_elliptic_functions_clear(&z), arb_clear(u);
}

const noe_closed_form noe_duffing_solution = { "duffing", derive, at, drop };
