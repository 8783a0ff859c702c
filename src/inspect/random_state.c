/* Draws random states (t, q, v) and evaluates L, L_t, L_q, L_v there, in double and in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/random_state.h"

#include "base/status.h"
#include "inspect/separate_lagrangian.h"
#include "integrate/integrator.h"
#include "system/constraint_point.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Estimate of L_vv_ii at the start: the momentum of velocity dv of coordinate i minus that at rest,
 * divided by dv. */
static double inertia(noe_state_sampler *s, noe_random_state *x, int i, double dv)
{
    x->t = s->t0;
    memcpy(x->q, s->q0, (size_t)s->n * sizeof *x->q);
    memset(x->v, 0, (size_t)s->n * sizeof *x->v);
    noe_random_state_evaluate(s, x);
    const quad p0 = x->P[i];
    x->v[i] = dv;
    noe_random_state_evaluate(s, x);
    return (double)((x->P[i] - p0) / dv);
}

/* Time scale of the start of a block: the shortest of |q|/|v|, (|q|/|q''|)^1/2 and |v|/|q''|, with
 * norms weighted by the masses; 0.4 without any of these. */
static double pace(noe_state_sampler *s, int block)
{
    noe_random_state *x = noe_random_state_new(s->n);
    double            far = 0, fast = 0, push = 0, power = 0, time = INFINITY;
    for (int i = 0; i < s->n && x; i++) {
        if (s->block[i] != block) continue;
        const double M = fabs(inertia(s, x, i, s->v0[i] != 0 ? (double)s->v0[i] : 1e-6)),
                     q = (double)s->q0[i], v = (double)s->v0[i];
        memcpy(x->v, s->v0, (size_t)s->n * sizeof *x->v);
        noe_random_state_evaluate(s, x);
        far += M * q * q, fast += M * v * v;
        push += fabs(q * (double)x->F[i]), power += fabs(v * (double)x->F[i]);
    }
    free(x);
    if (far > 0 && fast > 0) time = sqrt(far / fast);
    if (far > 0 && push > 0) time = fmin(time, sqrt(far / push));
    if (fast > 0 && power > 0) time = fmin(time, fast / power);
    return isfinite(time) ? time : 0.4;
}

enum { TRIAL = 100, WAY_LOOK = TRIAL / (NOE_TRIAL_STATES - 1) + 1 };

/* The kinetic energy of what the impulses of a step of length h would make in a block, 0 without
 * constraints: where these hold a system at rest its own is rounding. */
static double impulse_energy(const noe_state_sampler *s, quad h, int block)
{
    const noe_dynamics   *d = &s->system->dyn;
    noe_constraint_point *at = d->constraints ? noe_constraint_point_new(d) : NULL;
    quad                  push[s->n], T = 0;
    if (!at) return 0;
    noe_constraint_point_at(at, s->t0, s->q0, s->v0, 1e-12);
    if (at->regular) {
        noe_constraint_point_pushes(at, h, push);
        for (int i = 0; i < s->n; i++)
            if (s->block[i] == block) T += fabsq(at->M[i * (s->n + 1)]) * push[i] * push[i] / 2;
    }
    noe_constraint_point_free(at);
    return (double)T;
}

/* Steps of h from the start: the largest displacements and speeds of the blocks b with H[b] >= h,
 * their largest kinetic energies T [blocks], and their states in `way`. */
static void trial(noe_state_sampler *s, quad h, const quad *H, double *T)
{
    const int       n = s->n;
    noe_method     *m = noe_method_parse("gauss 2");
    noe_integrator *g = noe_integrator_make(s->system, m, h, NOE_DIGITS_DOUBLE);
    double          now[s->blocks];
    for (int k = 0; g && k <= TRIAL && (k == 0 || !noe_step(g)); k++) {
        const double *q = noe_q(g), *v = noe_v(g), *p = noe_p(g);
        memset(now, 0, sizeof now);
        for (int i = 0; i < n; i++) {
            if (!isfinite(q[i]) || !isfinite(v[i])) break;
            if (fabsq(H[s->block[i]]) < fabsq(h)) continue;
            now[s->block[i]] += fabs(v[i] * p[i]) / 2;
            s->v_scale[i] = fmax(s->v_scale[i], fabs(v[i]));
            s->q_scale[i] = fmax(s->q_scale[i],
                                 fmax(fabs((double)s->q0[i]), fabs(q[i] - (double)s->q0[i])));
        }
        for (int b = 0; b < s->blocks; b++) T[b] = fmax(T[b], now[b]);
        if (k % WAY_LOOK) continue;
        quad *z = s->way + (size_t)(k / WAY_LOOK) * (2 * (size_t)n + 1);
        if (k / WAY_LOOK == s->ways) s->ways++;
        z[0] = noe_time(g);
        for (int i = 0; i < n; i++)
            if (fabsq(H[s->block[i]]) >= fabsq(h)) {
                z[1 + i] = q[i];
                z[1 + n + i] = v[i];
            }
    }
    noe_integrator_free(g);
    noe_method_free(m);
}

/* The trial runs: with the shortest step for all blocks, and with longer ones for those whose own
 * is. */
static void trials(noe_state_sampler *s, const quad *H, double *T)
{
    enum { ALIKE = 2 }; /* steps up to this ratio are one */
    quad h = H[0];
    for (int b = 0; b < s->blocks; b++)
        if (fabsq(H[b]) < fabsq(h)) h = H[b];
    for (;;) {
        trial(s, h, H, T);
        quad longer = 0;
        for (int b = 0; b < s->blocks; b++)
            if (fabsq(H[b]) > ALIKE * fabsq(h) && (longer == 0 || fabsq(H[b]) < fabsq(longer)))
                longer = H[b];
        if (longer == 0) return;
        h = longer;
    }
}

/* Scales of q and v: the largest displacement and speed of a short trial run.  Where nothing moves,
 * the speeds of equal kinetic energies in a block; where there is no kinetic energy, 1. */
static void scales(noe_state_sampler *s)
{
    const int   n = s->n;
    const char *text = noe_system_suggest(s->system, "step");
    double      T[s->blocks];
    quad        h[s->blocks];
    int         size[s->blocks]; /* coordinates of a block */
    memset(size, 0, sizeof size), memset(T, 0, sizeof T);
    for (int b = 0; b < s->blocks; b++) {
        h[b] = pace(s, b) / 40;
        if (text) noe_parse_model_value(s->system->model, "step", text, &h[b]);
        s->block_time[b] = TRIAL * (double)fabsq(h[b]);
        s->time = fmax(s->time, s->block_time[b]);
    }
    trials(s, h, T);
    for (int b = 0; b < s->blocks; b++) T[b] = fmax(T[b], impulse_energy(s, h[b], b));
    for (int i = 0; i < n; i++) size[s->block[i]]++;
    noe_random_state *x = noe_random_state_new(n);
    for (int i = 0; i < n && x; i++) {
        const int    b = s->block[i];
        const double M = inertia(s, x, i, fmax(s->v_scale[i], 1e-6));
        if (T[b] > 0 && M > 0) s->v_scale[i] = fmax(s->v_scale[i], sqrt(2 * T[b] / (size[b] * M)));
        if (!(s->v_scale[i] > 0) || !isfinite(s->v_scale[i])) s->v_scale[i] = 1;
        s->q_scale[i] = fmax(s->q_scale[i], T[b] > 0 ? s->v_scale[i] * s->block_time[b] : 0);
        if (!(s->q_scale[i] > 0) || !isfinite(s->q_scale[i])) s->q_scale[i] = 1;
    }
    free(x);
}

bool noe_random_state_open(noe_state_sampler *s, const noe_system *system)
{
    const int n = system->dyn.n;
    *s = (noe_state_sampler){ .system = system, .n = n, .seed = 20261121 };
    if (!system->model) {
        noe_status_fail(NOE_INVALID,
                        "symmetries are searched in a model text, not in functions in C");
        return false;
    }
    s->block = noe_status_alloc((size_t)n, sizeof *s->block);
    s->tape = s->block
                ? noe_separate_lagrangian_tape(system, &s->model, s->block, &s->blocks, &s->several)
                : NULL;
    s->slot = s->tape ? noe_status_alloc((size_t)s->tape->slots, sizeof *s->slot) : NULL;
    s->rough = s->tape ? noe_status_alloc((size_t)s->tape->slots, sizeof *s->rough) : NULL;
    s->q0 = noe_status_alloc(2 * (size_t)n, sizeof *s->q0);
    s->q_scale = noe_status_alloc(3 * (size_t)n, sizeof *s->q_scale);
    s->lambda = noe_status_alloc(2 * (size_t)n, sizeof *s->lambda);
    s->way = noe_status_alloc(NOE_TRIAL_STATES * (2 * (size_t)n + 1), sizeof *s->way);
    if (!s->slot || !s->rough || !s->q0 || !s->q_scale || !s->way || !s->lambda
        || !noe_active_region_open(&s->active, s->model))
        return false;
    s->v0 = s->q0 + n;
    s->v_scale = s->q_scale + n;
    s->block_time = s->v_scale + n;
    s->lambda_scale = s->lambda + n;
    s->t0 = system->model->t0;
    noe_method     *m = noe_method_parse("midpoint");
    noe_integrator *g = noe_integrator_make(system, m, 1, NOE_DIGITS_QUAD);
    const bool      started = g && !noe_integrator_start_ready(g);
    if (started) {
        noe_integrator_state_get(g, NOE_AT_Q, s->q0);
        noe_integrator_state_get(g, NOE_AT_V, s->v0);
        scales(s);
    }
    noe_integrator_free(g);
    noe_method_free(m);
    return started;
}

void noe_random_state_close(noe_state_sampler *s)
{
    noe_active_region_close(&s->active);
    free(s->way);
    free(s->block);
    free(s->lambda);
    free(s->tape);
    noe_model_free(s->model);
    free(s->slot);
    free(s->rough);
    free(s->q0), free(s->q_scale);
}

noe_random_state *noe_random_state_new(int n)
{
    const size_t      k = (size_t)n;
    noe_random_state *x = noe_status_alloc(1, sizeof *x + 16
                                                  + k * (7 * sizeof(quad) + 4 * sizeof(double)));
    if (!x) return NULL;
    quad *at = (quad *)((char *)x + (sizeof *x + 15) / 16 * 16);
    x->n = n;
    x->q = at, x->v = at + n, x->F = at + 2 * n, x->P = at + 3 * n, x->f = at + 4 * n;
    x->part = at + 5 * n;
    x->rough_F = (double *)(at + 7 * n), x->rough_P = x->rough_F + n;
    x->rough_part = x->rough_P + n;
    return x;
}

void noe_random_state_evaluate(noe_state_sampler *s, noe_random_state *x)
{
    const int n = s->n;
    quad      input[1 + 2 * n + n + 1], out[5 * n + 2];
    memset(input, 0, sizeof input);
    input[0] = x->t;
    memcpy(input + noe_tape_input(NOE_Q, 0, n), x->q, (size_t)n * sizeof *input);
    memcpy(input + noe_tape_input(NOE_V, 0, n), x->v, (size_t)n * sizeof *input);
    memcpy(input + noe_tape_input(NOE_P, 0, n), s->lambda, (size_t)n * sizeof *input);
    noe_tape_quad_run(s->tape, input, s->slot, out);
    x->L = out[0], x->L_t = out[1];
    memcpy(x->F, out + 2, (size_t)n * sizeof *out);
    memcpy(x->P, out + 2 + n, (size_t)n * sizeof *out);
    memcpy(x->f, out + 2 + 2 * n, (size_t)n * sizeof *out);
    for (int i = 0; i < s->tape->inputs; i++) s->rough[i] = (double)input[i];
    noe_tape_double_run(s->tape, s->rough);
    x->rough_L = s->rough[s->tape->out[0]], x->rough_L_t = s->rough[s->tape->out[1]];
    x->H = 0, x->rough_H = 0;
    for (int i = 0; i < n; i++) {
        x->rough_F[i] = s->rough[s->tape->out[2 + i]];
        x->rough_P[i] = s->rough[s->tape->out[2 + n + i]];
        x->H += x->P[i] * x->v[i], x->rough_H += x->rough_P[i] * (double)x->v[i];
    }
    for (int k = 0; k < 2 * s->blocks && s->several; k++) {
        x->part[k] = out[3 * n + 2 + k];
        x->rough_part[k] = s->rough[s->tape->out[3 * n + 2 + k]];
    }
}

/* Signs of coordinate i in pattern k; any two coordinates have opposite ones in some patterns. */
static bool upwards(int k, int i)
{
    uint32_t x = (uint32_t)(k * 40503 + i) * 2654435761u;
    return (x ^ x >> 15) >> 7 & 1;
}

void noe_random_state_rounding(noe_state_sampler *s, const noe_random_state *x, double *dF,
                               double *dP)
{
    enum { NEIGHBOURS = 4 };
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        dF[i] = fabs((double)(x->rough_F[i] - x->F[i]));
        dP[i] = fabs((double)(x->rough_P[i] - x->P[i]));
    }
    for (int k = 0; k < NEIGHBOURS; k++) {
        memset(s->rough, 0, (size_t)s->tape->inputs * sizeof *s->rough);
        s->rough[0] = (double)x->t;
        for (int i = 0; i < n; i++) {
            s->rough[noe_tape_input(NOE_Q, i, n)] = nextafter((double)x->q[i],
                                                              upwards(k, i) ? INFINITY : -INFINITY);
            s->rough[noe_tape_input(NOE_V, i, n)] = (double)x->v[i];
            s->rough[noe_tape_input(NOE_P, i, n)] = (double)s->lambda[i];
        }
        noe_tape_double_run(s->tape, s->rough);
        for (int i = 0; i < n; i++) {
            dF[i] = fmax(dF[i], fabs((double)(s->rough[s->tape->out[2 + i]] - x->F[i])));
            dP[i] = fmax(dP[i], fabs((double)(s->rough[s->tape->out[2 + n + i]] - x->P[i])));
        }
    }
}

/* Rounds the state to double, so that the two evaluations differ by their arithmetic alone, and
 * evaluates; false where a value is not finite. */
static bool evaluated(noe_state_sampler *s, noe_random_state *x)
{
    x->t = (double)x->t;
    for (int i = 0; i < s->n; i++) x->q[i] = (double)x->q[i], x->v[i] = (double)x->v[i];
    noe_random_state_evaluate(s, x);
    quad sum = x->L + x->L_t;
    for (int i = 0; i < s->n; i++) sum += x->F[i] + x->P[i];
    double rough = x->rough_L + x->rough_L_t;
    for (int i = 0; i < s->n; i++) rough += x->rough_F[i] + x->rough_P[i];
    return finiteq(sum) && isfinite(rough);
}

/* A multiplier's scale makes lambda g as large as the terms of L in its block, at the start. */
void noe_random_state_constrain(noe_state_sampler *s, noe_random_state *x)
{
    const int n = s->n, m = s->system->dyn.constraints < n ? s->system->dyn.constraints : n;
    quad      F[n], energy[s->blocks];
    memset(energy, 0, sizeof energy), x->t = s->t0;
    for (int i = 0; i < n; i++) x->q[i] = s->q0[i], x->v[i] = s->v_scale[i];
    noe_random_state_evaluate(s, x);
    memcpy(F, x->F, sizeof F);
    for (int i = 0; i < n; i++)
        energy[s->block[i]] += fabsq(x->P[i] * s->v_scale[i]) + fabsq(F[i] * s->q_scale[i]);
    for (int a = 0; a < m; a++) {
        quad size = 0, own = 0; /* all that a constraint moves is in one block */
        s->lambda[a] = 1;
        noe_random_state_evaluate(s, x);
        s->lambda[a] = 0;
        for (int i = 0; i < n; i++) {
            if (x->F[i] != F[i]) own = energy[s->block[i]];
            size += fabsq((x->F[i] - F[i]) * s->q_scale[i]);
        }
        s->lambda_scale[a] = size > 0 && own > 0 ? (double)(own / size) : 1;
    }
}

static void draw(noe_state_sampler *s, double rho, noe_random_state *x)
{
    for (int a = 0; a < s->system->dyn.constraints && a < s->n; a++)
        if (s->lambda_scale[a] > 0)
            s->lambda[a] = (double)(s->lambda_scale[a] * noe_random_normal(&s->seed));
    if (s->blocks > 1) s->time = s->block_time[(int)(s->blocks * noe_random_uniform(&s->seed))];
    x->t = (double)s->t0 + rho * s->time * noe_random_normal(&s->seed);
    for (int i = 0; i < s->n; i++) {
        x->q[i] = (double)s->q0[i] + rho * s->q_scale[i] * noe_random_normal(&s->seed);
        x->v[i] = (double)s->v0[i] + rho * s->v_scale[i] * noe_random_normal(&s->seed);
    }
}

bool noe_random_state_draw(noe_state_sampler *s, double rho, noe_random_state *x)
{
    draw(s, rho, x);
    return evaluated(s, x);
}

bool noe_random_state_beside(noe_state_sampler *s, double rho, const noe_random_state *y,
                             noe_random_state *x)
{
    draw(s, rho, x);
    x->t = y->t;
    return evaluated(s, x);
}

static void all_scales(const noe_state_sampler *s, quad *scale)
{
    scale[0] = s->time;
    for (int i = 0; i < s->n; i++) {
        scale[1 + i] = s->q_scale[i];
        scale[1 + s->n + i] = s->v_scale[i];
    }
}

bool noe_random_state_active(noe_state_sampler *s, int k, int state, double rho,
                             noe_random_state *x)
{
    quad scale[2 * s->n + 1];
    draw(s, rho, x);
    all_scales(s, scale);
    return noe_active_region_move(&s->active, k, state, &s->seed, scale, &x->t, x->q, x->v)
        && evaluated(s, x);
}

bool noe_random_state_jump(noe_state_sampler *s, int k, int state, double rho, noe_random_state *x,
                           quad *slope)
{
    const int n = s->n;
    quad      scale[2 * n + 1], across[2 * n + 1], L[2], size = 0;
    draw(s, rho, x);
    all_scales(s, scale);
    if (!noe_active_region_meet(&s->active, k, state, &s->seed, scale, &x->t, x->q, x->v, across,
                                slope))
        return false;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < n; i++) {
            x->q[i] += (side ? -2 : 1) * across[1 + i];
            x->v[i] += (side ? -2 : 1) * across[1 + n + i];
        }
        x->t += (side ? -2 : 1) * across[0];
        noe_random_state_evaluate(s, x);
        L[side] = x->L;
        for (int i = 0; i < n; i++)
            size = fmaxq(size, fabsq(x->F[i] * scale[1 + i]) + fabsq(x->P[i] * scale[1 + n + i]));
    }
    return finiteq(L[0]) && finiteq(L[1]) && fabsq(L[0] - L[1]) > (quad)1e-15 * size;
}

bool noe_random_state_way(noe_state_sampler *s, int k, noe_random_state *x)
{
    const quad *z = s->way + (size_t)k * (2 * (size_t)s->n + 1);
    x->t = z[0];
    memcpy(x->q, z + 1, (size_t)s->n * sizeof *z);
    memcpy(x->v, z + 1 + s->n, (size_t)s->n * sizeof *z);
    return evaluated(s, x);
}
