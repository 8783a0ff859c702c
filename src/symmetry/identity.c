/* Noether's identity at random states, for L and for each part of an L of uncoupled blocks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "symmetry/identity.h"

#include "symmetry/symmetry_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* States in the active region of a local term: of few terms many, since each of them may be all
 * that breaks a symmetry. */
enum { STATES_LEAST = 8, STATES_MOST = 24, STATES_OF_ALL = 192 };
const double noe_identity_width[6] = { 0.3, 1, 3, 10, 30, 100 };

bool noe_identity_open(noe_identity *x, const noe_system *system)
{
    const int n = system->dyn.n;
    if (!noe_random_state_open(&x->sampler, system)) return false;
    x->state = noe_state_values_new(n);
    x->other = noe_state_values_new(n);
    x->mixed = noe_state_values_new(n);
    if (!x->state || !x->other || !x->mixed) return false;
    return !system->dyn.constraints || noe_random_state_constrain(&x->sampler, x->state);
}

void noe_identity_close(noe_identity *x)
{
    noe_random_state_close(&x->sampler);
    free(x->state), free(x->other), free(x->mixed);
}

/* Draws the other state, which an L of one part does not need. */
static bool beside(noe_identity *x, double rho)
{
    return x->sampler.blocks < 2 || noe_random_state_beside(&x->sampler, rho, x->state, x->other);
}

bool noe_identity_draw(noe_identity *x, double rho)
{
    return noe_random_state_draw(&x->sampler, rho, x->state) && beside(x, rho);
}

static int states_each(const noe_identity *x)
{
    const int count = x->sampler.active.count,
              share = count ? STATES_OF_ALL / count / 4 * 4 : STATES_MOST;
    return share < STATES_LEAST ? STATES_LEAST : share > STATES_MOST ? STATES_MOST : share;
}

int noe_identity_specials(const noe_identity *x)
{
    return x->sampler.ways + states_each(x) * x->sampler.active.count;
}

bool noe_identity_special(noe_identity *x, int k)
{
    const int    ways = x->sampler.ways, each = states_each(x), state = (k - ways) % each;
    const double rho = noe_identity_width[k < ways ? 1 : state % 3];
    return (k < ways
                ? noe_random_state_way(&x->sampler, k, x->state)
                : noe_random_state_active(&x->sampler, (k - ways) / each, state, rho, x->state))
        && beside(x, rho);
}

int noe_identity_rows(const noe_identity *x)
{
    return x->sampler.several ? 1 + x->sampler.blocks : 1;
}

/* Puts L_b and the block's L_v v in the place of those of the whole. */
static void only(const noe_state_sampler *s, int b, noe_random_state *x)
{
    x->L = x->part[2 * b], x->L_t = x->part[2 * b + 1];
    x->rough_L = x->rough_part[2 * b], x->rough_L_t = x->rough_part[2 * b + 1];
    x->H = 0, x->rough_H = 0;
    for (int i = 0; i < x->n; i++)
        if (s->block[i] == b) {
            x->H += x->P[i] * x->v[i];
            x->rough_H += x->rough_P[i] * (double)x->v[i];
        }
}

const noe_random_state *noe_identity_row(noe_identity *x, int r, noe_random_state *here)
{
    const noe_state_sampler *s = &x->sampler;
    noe_random_state        *y = x->mixed;
    *here = *x->state;
    if (r == 0) return NULL;
    const int b = r - 1;
    y->t = here->t;
    memcpy(y->part, x->other->part, 2 * (size_t)s->blocks * sizeof *y->part);
    memcpy(y->rough_part, x->other->rough_part, 2 * (size_t)s->blocks * sizeof *y->rough_part);
    for (int i = 0; i < s->n; i++) {
        const noe_random_state *from = s->block[i] == b ? x->other : x->state;
        y->q[i] = from->q[i], y->v[i] = from->v[i];
        y->F[i] = from->F[i], y->P[i] = from->P[i];
        y->rough_F[i] = from->rough_F[i], y->rough_P[i] = from->rough_P[i];
    }
    only(s, b, here), only(s, b, y);
    return y;
}

/* The sizes of the terms of L that row r has, at a state. */
static quad energy(const noe_state_sampler *s, int r, const noe_random_state *x)
{
    quad sum = fabsq(x->L) + fabsq(x->H);
    for (int i = 0; i < s->n; i++)
        if (r == 0 || s->block[i] == r - 1)
            sum += fabsq(x->P[i]) * s->v_scale[i] + fabsq(x->F[i]) * s->q_scale[i];
    return sum;
}

quad noe_identity_unit(const noe_identity *x, int r, const noe_random_state *here,
                       const noe_random_state *less)
{
    const quad size = energy(&x->sampler, r, here) + (less ? energy(&x->sampler, r, less) : 0);
    return x->sampler.several && size > 0 && finiteq(size) ? ldexpq(1, ilogbq(size)) : 1;
}

/* |sum of terms| / (sum of |terms| + noise) of row r at the present state; *rounding: the noise of
 * the terms, by which double and binary128 differ, is added to it if it is more. */
static double relative(noe_identity *x, int r, const noe_symmetries *s, const quad *coef,
                       quad noise, quad *rounding)
{
    noe_random_state        here;
    const noe_random_state *less = noe_identity_row(x, r, &here);
    quad                    sum = 0, size = noise, differ = 0;
    for (int a = 0; a < s->terms; a++) {
        const noe_basis_term *z = &s->term[a];
        if (coef[a] == 0 || (less && !noe_generator_basis_touches(z, x->sampler.block, r - 1)))
            continue;
        const quad y = coef[a] * noe_generator_basis_value(z, &here, NULL);
        sum += y, size += fabsq(y);
        differ += fabsq(y - coef[a] * noe_generator_basis_rough(z, &here, NULL));
        if (!less) continue;
        const quad w = coef[a] * noe_generator_basis_value(z, less, NULL);
        sum -= w, size += fabsq(w);
    }
    *rounding = fmaxq(*rounding, differ);
    return size > 0 && finiteq(size) ? (double)(fabsq(sum) / size) : 0;
}

static double worst(noe_identity *x, const noe_symmetries *s, const quad *coef)
{
    double most = 0;
    quad   rounding = 0;
    for (int r = 0; r < noe_identity_rows(x); r++)
        most = fmax(most, relative(x, r, s, coef, 0, &rounding));
    return most;
}

/* The same at the states of a trial run.  Where its motion stays in a plane, the terms of a
 * rotation out of it are themselves the rounding of constants: so NOISE times the largest noise of
 * the row along the run counts as a term. */
static double worst_of_run(noe_identity *x, const noe_symmetries *s, const quad *coef)
{
    static const double NOISE = 0x1p52;
    double              most = 0;
    for (int r = 0; r < noe_identity_rows(x); r++) {
        quad rounding = 0, ignored = 0;
        for (int k = 0; k < x->sampler.ways; k++)
            if (noe_identity_special(x, k)) relative(x, r, s, coef, 0, &rounding);
        for (int k = 0; k < x->sampler.ways; k++)
            if (noe_identity_special(x, k))
                most = fmax(most, relative(x, r, s, coef, NOISE * rounding, &ignored));
    }
    return most;
}

double noe_identity_residual(noe_identity *x, const noe_symmetries *s, const quad *coef)
{
    double most = worst_of_run(x, s, coef);
    int    good = 0;
    for (int k = 0; k < 20 * NOE_IDENTITY_FRESH && good < NOE_IDENTITY_FRESH; k++)
        if (noe_identity_draw(x, noe_identity_width[k % 6])) {
            most = fmax(most, worst(x, s, coef));
            good++;
        }
    for (int k = x->sampler.ways; k < noe_identity_specials(x); k++)
        if (noe_identity_special(x, k)) most = fmax(most, worst(x, s, coef));
    return most;
}

bool noe_identity_over_a_jump(noe_identity *x, const noe_symmetries *s, const quad *coef)
{
    const int         n = s->n, each = states_each(x);
    noe_random_state *at = x->state;
    quad              slope[2 * n + 1];
    for (int k = 0; k < each * x->sampler.active.count; k++) {
        if (!noe_random_state_jump(&x->sampler, k / each, k % each,
                                   noe_identity_width[k % each % 3], at, slope))
            continue;
        quad sum = 0, size = 0;
        at->L = 0, at->L_t = slope[0], at->H = 0;
        memcpy(at->F, slope + 1, (size_t)n * sizeof *slope);
        memcpy(at->P, slope + 1 + n, (size_t)n * sizeof *slope);
        for (int i = 0; i < n; i++) at->H += at->P[i] * at->v[i];
        for (int a = 0; a < s->terms; a++) {
            const noe_basis_term *y = &s->term[a];
            if (coef[a] == 0 || y->kind == NOE_TERM_FQ || y->kind == NOE_TERM_FQQ
                || y->kind == NOE_TERM_FT)
                continue;
            const quad z = coef[a] * noe_generator_basis_value(y, at, NULL);
            sum += z, size += fabsq(z);
        }
        if (fabsq(sum) > JUMP_ZERO * size) return true;
    }
    return false;
}
