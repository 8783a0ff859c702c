/* The explicit Runge-Kutta step in any number of digits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     k_i = f(t + c_i h, y + h sum_l a_il k_l),   y <- y + h sum_i b_i k_i;   y = (q, p) or (q, v)
 *
 * In (q, p): q' = v of L_v(q, v) = p, p' = F.  In (q, v): L_vv v' = F - L_vq v - L_vt, and
 * p = L_v at the end. The numbers are read from the method's text and not from binary128, so that
 * 1/6 is exact to all digits. */
#include "arb/arb_engine.h"
#include "method/method_name.h"

#include "base/status.h"

#include <string.h>

#if __has_include(<flint/fmpq.h>)
#include <flint/fmpq.h>
#endif

/* The longest quotient of the known methods, 2179/4307, has 9 characters; longer texts are decimal
 * fractions, which are no quotients. */
enum { QUOTIENT_SIZE = 64 };

/* x = the quotient of whole numbers in the text; false: it is none, or has QUOTIENT_SIZE or more
 * characters. */
static bool quotient(arb_t x, const char *text, size_t length, slong prec)
{
    char   word[QUOTIENT_SIZE];
    fmpq_t q;
    if (length >= sizeof word) return false;
    memcpy(word, text, length), word[length] = 0;
    fmpq_init(q);
    const bool ok = !fmpq_set_str(q, word, 10);
    arb_set_fmpq(x, q, prec), noe_wide_middle(x);
    fmpq_clear(q);
    return ok;
}

bool noe_arb_explicit_prepare(noe_arb_engine *w)
{
    noe_named_method named;
    if (noe_method_name_read(w->method.name, &named) || !named.table) return false;
    const char *t = named.table;
    for (int i = 1; i <= w->r; i++)
        for (int l = 0; l < i; l++) { /* row i of A; the last row is b */
            arb_ptr      x = i < w->r ? w->coef.A + i * w->r + l : w->coef.b + l;
            const size_t length = strcspn(t += strspn(t, " ;"), " ;");
            if (!quotient(x, t, length, w->prec))
                return noe_status_fail(NOE_INVALID,
                                       "method '%s': its numbers are no quotients of whole "
                                       "numbers, and known to 33 "
                                       "digits only",
                                       w->method.name),
                       false;
            t += length;
            if (i < w->r)
                arb_add(w->coef.c + i, w->coef.c + i, x, w->prec), noe_wide_middle(w->coef.c + i);
        }
    return true;
}

/* to = from + h sum_l a_l k_l, l = 0 .. i-1; k_l begins at k + 2 n l. */
static void combine(const noe_arb_engine *w, arb_ptr to, arb_srcptr from, arb_srcptr a,
                    arb_srcptr k, int i)
{
    for (int j = 0; j < w->n; j++) {
        arb_t sum;
        arb_init(sum);
        for (int l = 0; l < i; l++) arb_addmul(sum, a + l, k + l * 2 * w->n + j, w->prec);
        arb_mul(sum, sum, w->state.h, w->prec), arb_add(to + j, from + j, sum, w->prec),
            noe_wide_middle(to + j);
        arb_clear(sum);
    }
}

/* Is something at scratch.node not finite that a stage needs: F, P, their derivatives, L_vt? */
static bool is_lost(noe_arb_engine *w)
{
    const int n = w->n;
    noe_arb_program_run(w->jet->hessian, w->scratch.node, w->scratch.D, w->prec, true);
    noe_arb_program_run(w->jet->rate, w->scratch.node, w->scratch.sum, w->prec, true);
    return noe_arb_jet_exponent(w->scratch.node, 1 + 2 * n) == WORD_MAX
        || noe_arb_jet_exponent(w->scratch.D, 4 * n * n + 2 * n) == WORD_MAX
        || noe_arb_jet_exponent(w->scratch.sum, n) == WORD_MAX;
}

/* k [n] = L_vv^-1 (F - L_vq v - L_vt) at scratch.node; false: L_vv is singular, or something of
 * this is not finite. */
static bool acceleration(noe_arb_engine *w, arb_ptr k)
{
    const int n = w->n, columns = 2 * n;
    arb_mat_t M, a;
    arb_mat_init(M, n, n), arb_mat_init(a, n, 1);
    noe_arb_program_run(w->jet->hessian, w->scratch.node, w->scratch.D, w->prec, true);
    noe_arb_program_run(w->jet->gradient, w->scratch.node, w->scratch.F, w->prec, true);
    noe_arb_program_run(w->jet->rate, w->scratch.node, w->scratch.sum, w->prec, true);
    for (int i = 0; i < n; i++) {
        arb_ptr e = arb_mat_entry(a, i, 0);
        arb_sub(e, w->scratch.F + i, w->scratch.sum + i, w->prec);
        for (int j = 0; j < n; j++) {
            arb_submul(e, w->scratch.D + (n + i) * columns + j, w->scratch.node + 1 + n + j,
                       w->prec);
            arb_set(arb_mat_entry(M, i, j), w->scratch.D + (n + i) * columns + n + j);
        }
        noe_wide_middle(e);
    }
    const bool ok = arb_mat_approx_solve(a, M, a, w->prec);
    for (int i = 0; i < n; i++) arb_set(k + i, arb_mat_entry(a, i, 0));
    arb_mat_clear(M), arb_mat_clear(a);
    return ok;
}

/* Why a stage has no acceleration, or (searched) no velocities of its momenta p. */
static noe_status failure(noe_arb_engine *w, arb_srcptr p, bool searched)
{
    if ((searched && noe_arb_jet_exponent(p, w->n) == WORD_MAX) || is_lost(w))
        return NOE_NOT_FINITE;
    if (!searched || !noe_arb_jet_regular(w->jet, w->scratch.node, w->prec)) return NOE_SINGULAR;
    return NOE_NOT_CONVERGED;
}

bool noe_arb_explicit_step(noe_arb_engine *w)
{
    const int   n = w->n, r = w->r;
    const slong prec = w->prec;
    const bool  in_v = w->method.in_v;
    arb_ptr stages = _arb_vec_init(2 * n * r), p = _arb_vec_init(n), t = w->scratch.node, q = t + 1,
            v = q + n;
    arb_srcptr second = in_v ? w->now.point + 1 + n : w->state.p; /* what is stepped beside q */
    bool       ok = true;
    w->why = NOE_OK;
    for (int i = 0; i <= r && ok; i++) {
        arb_srcptr a = i < r ? w->coef.A + i * r : w->coef.b;
        arb_ptr    k = stages + i * 2 * n;
        if (i < r) arb_add(t, w->state.count, w->coef.c + i, prec);
        else arb_add_ui(t, w->state.count, 1, prec);
        arb_mul(t, t, w->state.h, prec), arb_add(t, t, w->state.t0, prec), noe_wide_middle(t);
        combine(w, q, w->state.q, a, stages, i);
        combine(w, in_v ? v : p, second, a, stages + n, i);
        if (i == 0) _arb_vec_set(v, w->now.point + 1 + n, n);
        else if (!in_v && i < r)
            ok = noe_arb_jet_velocities(w->jet, w->scratch.node, p, NULL, prec);
        if (!ok) w->why = failure(w, p, true);
        if (i == r || !ok) break;
        _arb_vec_set(k, v, n);
        if (in_v && !(ok = acceleration(w, k + n))) {
            w->why = failure(w, p, false);
            break;
        }
        if (!in_v) {
            noe_arb_program_run(w->jet->gradient, w->scratch.node, w->scratch.F, prec, true);
            _arb_vec_set(k + n, w->scratch.F, n);
        }
        noe_arb_balance_add(w, w->coef.b + i);
    }
    if (ok && in_v) {
        noe_arb_program_run(w->jet->gradient, w->scratch.node, w->scratch.F, prec, true);
        _arb_vec_set(p, w->scratch.F + n, n);
    }
    ok = ok && noe_arb_jet_exponent(q, n) != WORD_MAX && noe_arb_jet_exponent(p, n) != WORD_MAX;
    if (ok) _arb_vec_set(w->state.q, q, n), _arb_vec_set(w->state.p, p, n);
    else if (!w->why) w->why = NOE_NOT_FINITE;
    w->stats.iterations += r;
    _arb_vec_clear(stages, 2 * n * r), _arb_vec_clear(p, n);
    return ok;
}
