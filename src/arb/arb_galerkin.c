/* The Galerkin step in any number of digits, in the node form of the discrete action.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     R_k = sum_i b_i ( h phi_k(c_i) F_i + phi_k'(c_i) P_i ),
 *     p + R_0 = 0,   R_1 = .. = R_s-1 = 0,   p <- p + h sum_i b_i F_i.
 *
 * q(t + c h) = sum_k Q_k phi_k(c) with the Lagrange polynomials phi_k of the nodes k/s; the
 * unknowns are Q_1 .. Q_s. In src/step the unknowns are the modes of the velocity: the same method
 * by a different computation. Newton's matrix, row k < s, column l >= 1:
 *   sum_i b_i ( h phi_k phi_l F_q + phi_k phi_l' F_v + phi_k' phi_l P_q + phi_k' phi_l' P_v/h ). */
#include "arb/arb_constants.h"
#include "arb/arb_engine.h"
#include "arb/arb_quadrature.h"
#include "method/method_name.h"

#include "base/status.h"

#include <math.h>

bool noe_arb_galerkin_prepare(noe_arb_engine *w)
{
    const int        s = w->s, r = w->r;
    const slong      prec = w->prec;
    noe_named_method named;
    arb_t            x, none;
    if (noe_method_name_read(w->method.name, &named)
        || !noe_arb_quadrature_make(named.rule->name, r, w->coef.c, w->coef.b, prec))
        return false;
    arb_init(x), arb_init(none);
    arb_ptr d = _arb_vec_init(s + 1);
    for (int k = 0; k <= s; k++)
        arb_set_si(d + k, k), arb_div_si(d + k, d + k, s, prec), noe_wide_middle(d + k);
    for (int i = 0; i < r; i++)
        for (int k = 0; k <= s; k++)
            noe_arb_quadrature_lagrange(s + 1, d, k, w->coef.c + i, w->coef.phi + i * (s + 1) + k,
                                        w->coef.slope + i * (s + 1) + k, prec);
    for (int l = 0; l <= s; l++) { /* the polynomial continued beyond its step */
        arb_add_ui(x, d + l, 1, prec);
        for (int k = 0; k <= s; k++)
            noe_arb_quadrature_lagrange(s + 1, d, k, x, w->coef.ahead + l * (s + 1) + k, none,
                                        prec);
        /* phi_k(1) = delta_ks */
        arb_sub_ui(w->coef.ahead + l * (s + 1) + s, w->coef.ahead + l * (s + 1) + s, 1, prec);
    }
    for (int i = 0; i < r * (s + 1); i++)
        noe_wide_middle(w->coef.phi + i), noe_wide_middle(w->coef.slope + i);
    for (int i = 0; i < (s + 1) * (s + 1); i++) noe_wide_middle(w->coef.ahead + i);
    arb_clear(x), arb_clear(none), _arb_vec_clear(d, s + 1);
    return true;
}

/* F, P and, if `derivatives`, D at node i, for the increments X_k = Q_k - Q_0 of a step of length
 * h. */
static void node(noe_arb_engine *w, const arb_t h, int i, bool derivatives)
{
    const int   n = w->n, s = w->s;
    const slong prec = w->prec;
    arb_srcptr  phi = w->coef.phi + i * (s + 1) + 1,
               slope = w->coef.slope + i * (s + 1) + 1; /* X_0 = 0 */
    arb_ptr t = w->scratch.node, q = t + 1, v = q + n;
    arb_mul(t, w->state.count, w->state.h, prec), arb_addmul(t, w->coef.c + i, h, prec),
        arb_add(t, t, w->state.t0, prec);
    for (int j = 0; j < n; j++) {
        arb_dot(q + j, w->state.q + j, 0, phi, 1, w->scratch.X + j, n, s, prec);
        arb_dot(v + j, NULL, 0, slope, 1, w->scratch.X + j, n, s, prec);
        arb_div(v + j, v + j, h, prec);
    }
    for (int j = 0; j <= 2 * n; j++) noe_wide_middle(t + j);
    if (!derivatives) {
        noe_arb_program_run(w->jet->gradient, w->scratch.node, w->scratch.F + i * 2 * n, prec,
                            true);
        return;
    }
    arb_ptr D = w->scratch.D + i * (4 * n * n + 2 * n);
    noe_arb_program_run(w->jet->hessian, w->scratch.node, D, prec, true);
    _arb_vec_set(w->scratch.F + i * 2 * n, D + 4 * n * n, 2 * n);
}

/* R = -(p + R_0, R_1, ..) */
static void equations(noe_arb_engine *w, const arb_t h)
{
    const int   n = w->n, s = w->s;
    const slong prec = w->prec;
    arb_t       a, b;
    arb_init(a), arb_init(b);
    for (int k = 0; k < s; k++)
        for (int j = 0; j < n; j++) {
            arb_ptr R = arb_mat_entry(w->scratch.R, k * n + j, 0);
            if (k) arb_zero(R);
            else arb_neg(R, w->state.p + j);
            for (int i = 0; i < w->r; i++) {
                arb_srcptr F = w->scratch.F + i * 2 * n + j;
                arb_mul(a, h, w->coef.phi + i * (s + 1) + k, prec), arb_mul(a, a, F, prec);
                arb_mul(b, w->coef.slope + i * (s + 1) + k, F + n, prec), arb_add(a, a, b, prec);
                arb_submul(R, a, w->coef.b + i, prec);
            }
            noe_wide_middle(R);
        }
    arb_clear(a), arb_clear(b);
}

/* J <- Newton's matrix. */
static void matrix(noe_arb_engine *w, const arb_t h)
{
    const int   n = w->n, s = w->s, z = 2 * n;
    const slong prec = w->prec;
    arb_t       qq, qv, vq, vv;
    arb_init(qq), arb_init(qv), arb_init(vq), arb_init(vv);
    arb_mat_zero(w->scratch.J);
    for (int i = 0; i < w->r; i++)
        for (int k = 0; k < s; k++)
            for (int l = 1; l <= s; l++) {
                arb_srcptr phi = w->coef.phi + i * (s + 1), slope = w->coef.slope + i * (s + 1),
                           D = w->scratch.D + i * (z * z + z);
                arb_mul(qq, phi + k, phi + l, prec), arb_mul(qq, qq, h, prec),
                    arb_mul(qq, qq, w->coef.b + i, prec);
                arb_mul(qv, phi + k, slope + l, prec), arb_mul(qv, qv, w->coef.b + i, prec);
                arb_mul(vq, slope + k, phi + l, prec), arb_mul(vq, vq, w->coef.b + i, prec);
                arb_mul(vv, slope + k, slope + l, prec), arb_mul(vv, vv, w->coef.b + i, prec),
                    arb_div(vv, vv, h, prec);
                for (int a = 0; a < n; a++)
                    for (int b = 0; b < n; b++) {
                        arb_ptr J = arb_mat_entry(w->scratch.J, k * n + a, (l - 1) * n + b);
                        arb_addmul(J, qq, D + a * z + b, prec);
                        arb_addmul(J, qv, D + a * z + n + b, prec);
                        arb_addmul(J, vq, D + (n + a) * z + b, prec);
                        arb_addmul(J, vv, D + (n + a) * z + n + b, prec);
                        noe_wide_middle(J);
                    }
            }
    arb_clear(qq), arb_clear(qv), arb_clear(vq), arb_clear(vv);
}

/* Newton's iteration from X.  False if its corrections do not shrink or, with `near`, if the
 * first correction is not below half of X or 2^reach. */
static bool newton(noe_arb_engine *w, const arb_t h, bool near, slong reach)
{
    slong before = WORD_MAX;
    for (int k = 0, rises = 0; k < ARB_ITERATIONS; k++) {
        for (int i = 0; i < w->r; i++) node(w, h, i, true);
        equations(w, h);
        matrix(w, h);
        w->stats.iterations++, w->stats.refreshes++;
        if (!arb_mat_approx_solve(w->scratch.R, w->scratch.J, w->scratch.R, w->prec)) return false;
        const slong size = noe_arb_jet_exponent(w->scratch.X, w->N),
                    e = noe_arb_jet_exponent(arb_mat_entry(w->scratch.R, 0, 0), w->N);
        for (int i = 0; i < w->N; i++)
            arb_add(w->scratch.X + i, w->scratch.X + i, arb_mat_entry(w->scratch.R, i, 0), w->prec),
                noe_wide_middle(w->scratch.X + i);
        const slong now = noe_arb_jet_exponent(w->scratch.X, w->N);
        if (e == WORD_MAX || now == WORD_MAX) return false;
        if (near && k == 0 && e != WORD_MIN && e >= size && e >= reach) return false;
        if (e == WORD_MIN) return true;
        /* Convergence is quadratic: the next correction, e_k (e_k/e_k-1)^2, would be below
         * rounding.  A solution 0 has no rounding. */
        const slong rounding = (now == WORD_MIN ? e : now) - w->prec;
        if (k && e < before && 3 * e - 2 * before < rounding - UNSOLVED_BITS) return true;
        if (k && e >= before && ++rises > RISES_MOST) return e < rounding + STALL_BITS;
        if (near && k > ARB_NEAR_ITERATIONS) return false;
        before = e;
    }
    return false;
}

/* Predicts Q_k by free flight, or by the polynomial of the step before. */
static void predict(noe_arb_engine *w, bool flight)
{
    const int n = w->n, s = w->s;
    for (int l = 1; l <= s; l++)
        for (int j = 0; j < n; j++) {
            arb_ptr X = w->scratch.X + (l - 1) * n + j;
            if (!flight)
                arb_dot(X, NULL, 0, w->coef.ahead + l * (s + 1) + 1, 1, w->history.modes + j, n, s,
                        w->prec);
            else
                arb_mul(X, w->now.point + 1 + n + j, w->state.h, w->prec),
                    arb_mul_si(X, X, l, w->prec), arb_div_si(X, X, s, w->prec);
            noe_wide_middle(X);
        }
}

/* Continuation: solves the equations for a short step, where free flight is a good prediction,
 * then for larger ones up to the whole step, each near its prediction, so that no spurious root
 * is found. */
static bool continuation(noe_arb_engine *w)
{
    const int n = w->n;
    double    at = 0, stride = FIRST_STRIDE;
    arb_t     h, ratio;
    arb_init(h), arb_init(ratio);
    w->stats.subdivided++;
    predict(w, true);
    /* Where the motion turns back X passes 0 and half of X is too small a bound; `reach` is
     * another one.  A motion from rest has no bound. */
    const slong flight = noe_arb_jet_exponent(w->scratch.X, w->N),
                reach = flight == WORD_MIN ? WORD_MAX : flight - FLIGHT_BITS;
    for (int round = 0; round < ARB_STRIDES_MOST && at < 1 && stride > LEAST_STRIDE; round++) {
        const double to = at + stride < 1 ? at + stride : 1;
        arb_set_d(h, to), arb_mul(h, h, w->state.h, w->prec), noe_wide_middle(h);
        if (at > 0) { /* the polynomial of the smaller step, continued */
            arb_set_d(ratio, to / at);
            for (int i = 0; i < w->N; i++)
                arb_mul(w->scratch.X + i, w->scratch.Y + i, ratio, w->prec),
                    noe_wide_middle(w->scratch.X + i);
        } else {
            arb_set_d(ratio, to);
            predict(w, true);
            for (int i = 0; i < w->N; i++)
                arb_mul(w->scratch.X + i, w->scratch.X + i, ratio, w->prec),
                    noe_wide_middle(w->scratch.X + i);
        }
        /* from rest free flight predicts nothing */
        const bool rest = at == 0 && noe_arb_jet_exponent(w->now.point + 1 + n, n) == WORD_MIN;
        if (newton(w, h, !rest, reach)) {
            _arb_vec_set(w->scratch.Y, w->scratch.X, w->N);
            at = to, stride *= 2;
        } else stride /= 2;
    }
    arb_clear(h), arb_clear(ratio);
    return at >= 1;
}

static double rough(const arb_t x) { return fabs(arf_get_d(arb_midref(x), ARF_RND_NEAR)); }

/* An eighth of sum_j ( |p_j| + max_i (|P_ij| + |h F_ij|) + max_i |P_ij| ) max_i |V_ij|: about
 * the kinetic energy of the step.  At both ends of a long step a motion that is fast inside may
 * be at rest; then the forces times h are a measure of it. */
static double energy_of_step(noe_arb_engine *w)
{
    const int    n = w->n;
    const double h = rough(w->state.h);
    double       sum = 0;
    for (int j = 0; j < n; j++) {
        double push = 0, momentum = 0, speed = 0;
        for (int i = 0; i < w->r; i++) {
            const double F = rough(w->scratch.F + i * 2 * n + j),
                         P = rough(w->scratch.F + i * 2 * n + n + j);
            arb_dot(w->scratch.sum, NULL, 0, w->coef.slope + i * (w->s + 1) + 1, 1,
                    w->scratch.X + j, n, w->s, ROUGH_BITS);
            push = fmax(push, P + h * F);
            momentum = fmax(momentum, P);
            speed = fmax(speed, rough(w->scratch.sum) / h);
        }
        sum += (rough(w->state.p + j) + push + momentum) * speed;
    }
    return sum / 8;
}

bool noe_arb_galerkin_step(noe_arb_engine *w)
{
    const int   n = w->n;
    const slong prec = w->prec;
    const bool  last_modes = !arb_is_zero(w->history.known);
    predict(w, !last_modes);
    w->check.doubt = !newton(w, w->state.h, true, WORD_MIN);
    if (w->check.doubt && !continuation(w)) return w->why = NOE_NOT_CONVERGED, false;
    for (int i = 0; i < w->r; i++)
        node(w, w->state.h, i, false), noe_arb_balance_add(w, w->coef.b + i);
    w->check.within = energy_of_step(w);
    equations(w, w->state.h);
    for (int j = 0; j < n; j++) {
        arb_dot(w->scratch.sum + j, NULL, 0, w->coef.b, 1, w->scratch.F + j, 2 * n, w->r, prec);
        arb_mul(w->scratch.sum + j, w->scratch.sum + j, w->state.h, prec);
    }
    const slong left = noe_arb_jet_exponent(arb_mat_entry(w->scratch.R, 0, 0), w->N),
                before = noe_arb_jet_exponent(w->state.p, n),
                kick = noe_arb_jet_exponent(w->scratch.sum, n);
    /* the larger one: a step may begin or end at rest */
    const slong scale = FLINT_MAX(before, kick);
    if (noe_arb_jet_exponent(w->scratch.sum, n) == WORD_MAX || left == WORD_MAX)
        return w->why = NOE_NOT_FINITE, false;
    if (left != WORD_MIN && scale != WORD_MIN && left - scale > RESIDUAL_BITS_LEAST)
        w->stats.residual = fmax(w->stats.residual, ldexp(1, (int)(left - scale)));
    for (int j = 0; j < n; j++) {
        arb_add(w->state.q + j, w->state.q + j, w->scratch.X + (w->s - 1) * n + j, prec),
            noe_wide_middle(w->state.q + j);
        arb_add(w->state.p + j, w->state.p + j, w->scratch.sum + j, prec),
            noe_wide_middle(w->state.p + j);
    }
    _arb_vec_set(w->history.modes, w->scratch.X, w->N);
    arb_one(w->history.known);
    return true;
}
