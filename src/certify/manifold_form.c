/* The law "symplectic" with constraints: dq ^ dp of tangent vectors of T*C, before and after steps.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * T*C = { g(t, q) = 0, G v + g_t = 0, L_v(v) = p }.  A start is projected onto T*C; so the states
 * P(x + u w) are a curve in T*C, and after the steps its image is one.  Tangents of both, A and B,
 * are central differences of order 6 in binary128; for two curves a and b the law is
 * B_a' Omega B_b = A_a' Omega A_b. */
#include "certify/manifold_form.h"

#include "base/status.h"
#include "certify/few_steps.h"
#include "inspect/random_state.h"
#include "number/random.h"
#include "constraint/constraint_point.h"
#include "tape/left_out_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANIFOLD_STEPS = 3, DIRECTIONS_MOST = 8, SIDES = 3 };
/* Distance of two states of a difference, of what the motion moves in a step: the errors are of
 * truncation, u^6, and of rounding, 2^-113 |q|/(u h |v|). */
static const double APART = 0x1p-16;
/* The law's bound: truncation makes u^6 = 1e-29 of the sizes, rounding 1e-29 |q|/(h |v|); the rest
 * is for these factors and derivatives.  No other values were tried. */
static const double MANIFOLD_MOST = 1e-22;
/* The denominator of the law grows by this many times the noise, so that the rounding of the
 * differences alone does not reach the bound: it makes a hundredth of it. */
static const double NOISE_COUNTS = 1e24;

typedef struct {
    noe_integrator *g;
    int             n, count; /* coordinates; curves */
    quad            t, *x,    /* the start, [2n] = (q, p) */
        *scale,               /* [2n] q and p that a step changes */
        *A, *B,               /* [count][2n] tangents before and after the steps */
        *noise,               /* [2n] rounding of a difference, of q and p */
        *scratch;             /* [8n] */
} form;

/* Scales of q and p: speeds of a trial run, times the step and times the masses. */
static bool scales(form *x, const noe_system *s, quad h, noe_constraint_point *at)
{
    const int         n = x->n;
    quad             *v = x->scratch;
    noe_state_sampler sampler;
    const bool        ok = noe_random_state_open(&sampler, s);
    noe_integrator_state_get(x->g, NOE_AT_T, &x->t);
    noe_integrator_state_get(x->g, NOE_AT_V, v);
    noe_constraint_point_at(at, x->t, x->x, v, NOE_DEPENDENT_AT_START);
    for (int i = 0; i < n && ok; i++) {
        x->scale[i] = fabsq(h) * sampler.v_scale[i], x->scale[n + i] = 0;
        for (int j = 0; j < n; j++) x->scale[n + i] += fabsq(at->M[i * n + j]) * sampler.v_scale[j];
        x->noise[i] = (fabsq(x->x[i]) + x->scale[i]) * (quad)0x1p-113 / APART;
        x->noise[n + i] = (fabsq(x->x[n + i]) + x->scale[n + i]) * (quad)0x1p-113 / APART;
    }
    noe_random_state_close(&sampler);
    return ok && at->regular;
}

/* A random direction of unit size in the scales, its positions tangent to the constraints. */
static void direction(const form *x, const noe_constraint_point *at, uint64_t *seed, quad *w)
{
    const int n = x->n, m = at->m;
    quad      rate[m + 1], mu[m + 1];
    for (int i = 0; i < 2 * n; i++) w[i] = x->scale[i] * noe_random_normal(seed);
    for (int a = 0; a < m; a++) {
        rate[a] = 0;
        for (int j = 0; j < n; j++) rate[a] += at->G[a * n + j] * w[j];
    }
    noe_constraint_point_solve(at, rate, mu);
    for (int a = 0; a < m; a++)
        for (int j = 0; j < n; j++) w[j] -= at->NG[a * n + j] * mu[a];
}

/* Adds `share` times the state that starts at x + u w, and times that after the steps. */
static bool add(form *x, const quad *w, quad u, quad share, quad *A, quad *B)
{
    const int n = x->n;
    quad     *y = x->scratch;
    bool      momentum[n];
    memset(momentum, 1, sizeof momentum);
    for (int i = 0; i < 2 * n; i++) y[i] = x->x[i] + u * w[i];
    if (noe_integrator_start_from(x->g, &x->t, y, y + n, y + n, momentum)) return false;
    noe_few_steps_state(x->g, y);
    for (int i = 0; i < 2 * n; i++) A[i] += share * (y[i] - x->x[i]);
    for (int k = 0; k < MANIFOLD_STEPS; k++)
        if (noe_smooth_step(x->g)) return false;
    noe_few_steps_state(x->g, y);
    for (int i = 0; i < 2 * n; i++) B[i] += share * y[i];
    return true;
}

/* sum_i a_i b_n+i - a_n+i b_i; *size: the sum of the moduli, with what noise adds to them. */
static quad omega(const form *x, const quad *a, const quad *b, quad *size)
{
    const int n = x->n;
    quad      sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[n + i] - a[n + i] * b[i];
        *size += fabsq(a[i] * b[n + i]) + fabsq(a[n + i] * b[i])
               + (quad)NOISE_COUNTS
                     * (x->noise[i] * (fabsq(b[n + i]) + fabsq(a[n + i]))
                        + x->noise[n + i] * (fabsq(a[i]) + fabsq(b[i])));
    }
    return sum;
}

static double measure(form *x, const noe_system *s, quad h)
{
    static const double   weight[SIDES] = { 45 / 60., -9 / 60., 1 / 60. };
    const int             N = 2 * x->n;
    noe_constraint_point *at = noe_constraint_point_new(&s->dyn);
    uint64_t              seed = 1687;
    double                worst = 0;
    bool                  ok = at && scales(x, s, h, at);
    const int             tangents = ok ? 2 * (x->n - at->rank)
                                        : 0; /* less the constraints that are independent */
    x->count = tangents < DIRECTIONS_MOST ? tangents : DIRECTIONS_MOST;
    for (int a = 0; a < x->count && ok; a++) {
        quad w[N], *A = x->A + a * N, *B = x->B + a * N;
        direction(x, at, &seed, w);
        for (int k = 1; k <= SIDES && ok; k++)
            for (int side = -1; side <= 1 && ok; side += 2)
                ok = add(x, w, side * k * (quad)APART,
                         side * rintq(60 * (quad)weight[k - 1]) / (60 * (quad)APART), A, B);
    }
    for (int a = 0; a < x->count && ok; a++)
        for (int b = 0; b < a; b++) {
            quad       size = 0;
            const quad before = omega(x, x->A + a * N, x->A + b * N, &size),
                       after = omega(x, x->B + a * N, x->B + b * N, &size);
            if (after != before) worst = fmax(worst, (double)(fabsq(after - before) / size));
            if (isnanq(after)) ok = false;
        }
    noe_constraint_point_free(at);
    return ok ? worst : NAN;
}

void noe_manifold_form_law(const noe_system *s, const noe_method *f, quad h, noe_laws *laws)
{
    const int    n = s->dyn.n;
    const size_t N = 2 * (size_t)n;
    double       value = NAN;
    form         x = { .n = n };
    x.g = noe_integrator_make(s, f, h, NOE_DIGITS_QUAD);
    x.x = noe_status_alloc((2 * (size_t)DIRECTIONS_MOST + 7) * N, sizeof *x.x);
    if (x.x) {
        x.scale = x.x + N, x.noise = x.scale + N, x.scratch = x.noise + N;
        x.A = x.scratch + 4 * N, x.B = x.A + DIRECTIONS_MOST * N;
    }
    if (x.g && x.x && !noe_integrator_start_ready(x.g)) {
        noe_few_steps_state(x.g, x.x);
        value = measure(&x, s, h);
    }
    noe_integrator_free(x.g);
    free(x.x);
    if (isnan(value) && noe_law_traits_find(NOE_LAW_SYMPLECTIC, s, f) == NOE_PROMISED) {
        noe_law_list_add_unmeasurable(laws, "symplectic", "a step fails");
        return;
    }
    noe_law_traits_judge(
        noe_law_list_add(laws, "symplectic", value, MANIFOLD_MOST,
                         "dq ^ dp of %d tangent vectors of T*C over %d steps, by differences in "
                         "binary128%s",
                         x.count, MANIFOLD_STEPS,
                         s->dyn.forced ? ": forces are not symplectic" : ""),
        noe_law_traits_find(NOE_LAW_SYMPLECTIC, s, f));
}
