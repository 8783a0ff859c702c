/* The state of a solution in closed form at a time, to a given number of digits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A result with too large a radius is computed again with twice the bits. */
#include "arb/closed_form.h"

#include "arb/arb_constants.h"
#include "tape/tape.h"

void noe_solution_state_forget(noe_exact_solution *x)
{
    if (x->own) x->family->drop(x);
    x->own = NULL;
    x->prec = 0;
}

bool noe_solution_state_derive(noe_exact_solution *x, slong prec)
{
    if (x->prec == prec) return true;
    noe_solution_state_forget(x);
    if (noe_arb_start_of_solution(x, prec) && x->family->derive(x)) return true;
    noe_solution_state_forget(x);
    return false;
}

/* Is the radius of every q below 2^-bits of the size of the motion? */
static bool sharp(const noe_exact_solution *x, arb_srcptr in, slong bits)
{
    const int n = x->n;
    mag_t     size, wide, one;
    mag_init(size), mag_init(wide), mag_init(one);
    bool ok = true;
    for (int i = 0; i < 2 * n; i++) {
        arb_get_mag(one, in + 1 + i);
        if (i >= n) mag_set_d(one, mag_get_d(one) / x->rate);
        mag_max(size, size, one);
        ok = ok && arb_is_finite(in + 1 + i);
    }
    mag_mul_2exp_si(size, size, -bits);
    for (int i = 0; i < n && ok; i++) {
        if (x->slow[i] && !x->all) continue;
        mag_set(wide, arb_radref(in + 1 + i));
        ok = mag_cmp(wide, size) <= 0;
    }
    mag_clear(size), mag_clear(wide), mag_clear(one);
    return ok;
}

bool noe_solution_state_at(noe_exact_solution *x, arb_srcptr t, int digits, arb_ptr in)
{
    const slong bits = noe_wide_bits(digits) + SHARP_BITS;
    slong       prec = x->prec > bits + SOLUTION_BITS ? x->prec : bits + SOLUTION_BITS;
    arb_t       s;
    bool        ok = false, more = true;
    arb_init(s);
    for (int k = 0; k < DOUBLINGS_MOST && more && !ok; k++, prec *= 2) {
        if (!(more = noe_solution_state_derive(x, prec))) break;
        arb_sub(s, t, x->start, prec);
        arb_set(in, t);
        if (arb_is_zero(s)) _arb_vec_set(in + 1, x->start + 1, 2 * x->n);
        else x->family->at(x, s, in + 1, in + 1 + x->n);
        ok = sharp(x, in, bits);
    }
    if (ok) {
        noe_arb_program_run(x->jet->legendre, in, x->out, x->prec, false);
        _arb_vec_set(in + 1 + 2 * x->n, x->out, x->n);
        noe_arb_jet_energy(x->jet, in, in + 1 + 3 * x->n, x->prec);
    } else if (more)
        noe_solution_refusal(x, "%d digits cannot be had at t = %.6g", digits,
                             arf_get_d(arb_midref(t), ARF_RND_NEAR));
    arb_clear(s);
    return ok;
}
