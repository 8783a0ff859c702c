/* Random states (t, q, v) on the scales of a trial run, with the values of state_values.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/random_state.h"

#include "base/status.h"
#include "inspect/separate_lagrangian.h"
#include "integrate/integrator.h"
#include "inspect/impulse_energy.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Measured of `noether check` of the 12 systems of systems/ with constraints or bodies: 34995
 * states are moved to the constraints. */
enum {
    /* Coordinates up to which states are moved to the constraints. */
    SURFACE_MOST = 60,
    /* Halvings of the way from the start to a state, at most; then it is the start.  33314 states
     * need none, 571 one, 386 two, 716 three to seven, and 8 none but the last.  2, 4 and 16: the
     * same symmetries of all. */
    HALVED_MOST = 8
};
/* Part of the states that satisfy the constraints: these show L, too, and the others only exclude
 * the few generators that leave L as it is where the constraints hold.  0.5 and 0.9: the same
 * number of symmetries of all, of two and of one of them in another basis. */
static const double SURFACE_PART = 0.8;
/* L differs on the two sides of a jump by this part of its terms, or it is none. */
static const quad JUMP_LEAST = (quad)1e-15;
/* A velocity by which the inertia of a coordinate at rest is found.  It is in the units of the
 * model: where L is quadratic in the velocities any one gives the same. */
static const double VELOCITY_TRIED = 1e-6;

/* Estimate of L_vv_ii at the start: the momentum of velocity dv of coordinate i minus that at rest,
 * divided by dv. */
static double inertia(noe_state_sampler *s, noe_random_state *x, int i, double dv)
{
    x->t = s->t0;
    memcpy(x->q, s->q0, (size_t)s->n * sizeof *x->q);
    memset(x->v, 0, (size_t)s->n * sizeof *x->v);
    noe_state_values_find(s, x);
    const quad p0 = x->P[i];
    x->v[i] = dv;
    noe_state_values_find(s, x);
    return (double)((x->P[i] - p0) / dv);
}

/* Time scale of the start of a block: the shortest of |q|/|v|, (|q|/|q''|)^1/2 and |v|/|q''|, with
 * norms weighted by the masses; 0.4 without any of these. */
static double pace(noe_state_sampler *s, int block)
{
    noe_random_state *x = noe_state_values_new(s->n);
    double            far = 0, fast = 0, push = 0, power = 0, time = INFINITY;
    for (int i = 0; i < s->n && x; i++) {
        if (s->block[i] != block) continue;
        const double M = fabs(inertia(s, x, i, s->v0[i] != 0 ? (double)s->v0[i] : VELOCITY_TRIED)),
                     q = (double)s->q0[i], v = (double)s->v0[i];
        memcpy(x->v, s->v0, (size_t)s->n * sizeof *x->v);
        noe_state_values_find(s, x);
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
    for (int b = 0; b < s->blocks; b++)
        T[b] = fmax(
            T[b], noe_impulse_energy_find(&s->system->dyn, s->t0, s->q0, s->v0, h[b], s->block, b));
    for (int i = 0; i < n; i++) size[s->block[i]]++;
    noe_random_state *x = noe_state_values_new(n);
    for (int i = 0; i < n && x; i++) {
        const int    b = s->block[i];
        const double M = inertia(s, x, i, fmax(s->v_scale[i], VELOCITY_TRIED));
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
    noe_constraint_surface_free(s->surface);
    free(s->way);
    free(s->block);
    free(s->lambda);
    free(s->tape);
    noe_model_free(s->model);
    free(s->slot);
    free(s->rough);
    free(s->q0), free(s->q_scale);
}

/* Rounds the state to double, so that the two evaluations differ by their arithmetic alone, unless
 * it would leave the surface of the constraints, and evaluates; false where a value is not
 * finite. */
static bool evaluated(noe_state_sampler *s, noe_random_state *x)
{
    x->t = (double)x->t;
    for (int i = 0; i < s->n && !s->on_surface; i++) {
        x->q[i] = (double)x->q[i];
        x->v[i] = (double)x->v[i];
    }
    noe_state_values_find(s, x);
    quad sum = x->L + x->L_t;
    for (int i = 0; i < s->n; i++) sum += x->F[i] + x->P[i];
    double rough = x->rough_L + x->rough_L_t;
    for (int i = 0; i < s->n; i++) rough += x->rough_F[i] + x->rough_P[i];
    return finiteq(sum) && isfinite(rough);
}

/* A multiplier's scale makes lambda g as large as the terms of L in its block, at the start. */
bool noe_random_state_constrain(noe_state_sampler *s, noe_random_state *x)
{
    const int n = s->n, m = s->system->dyn.constraints < n ? s->system->dyn.constraints : n;
    quad      F[n], energy[s->blocks];
    memset(energy, 0, sizeof energy), x->t = s->t0;
    for (int i = 0; i < n; i++) x->q[i] = s->q0[i], x->v[i] = s->v_scale[i];
    noe_state_values_find(s, x);
    memcpy(F, x->F, sizeof F);
    for (int i = 0; i < n; i++)
        energy[s->block[i]] += fabsq(x->P[i] * s->v_scale[i]) + fabsq(F[i] * s->q_scale[i]);
    for (int a = 0; a < m; a++) {
        quad size = 0, own = 0; /* all that a constraint moves is in one block */
        s->lambda[a] = 1;
        noe_state_values_find(s, x);
        s->lambda[a] = 0;
        for (int i = 0; i < n; i++) {
            if (x->F[i] != F[i]) own = energy[s->block[i]];
            size += fabsq((x->F[i] - F[i]) * s->q_scale[i]);
        }
        s->lambda_scale[a] = size > 0 && own > 0 ? (double)(own / size) : 1;
    }
    if (n > SURFACE_MOST) return true;
    s->surface = noe_constraint_surface_new(&s->system->dyn, s->q_scale);
    return s->surface != NULL;
}

/* Multipliers of the next state: at random where it shows the constraints, else 0. */
static void draw_multipliers(noe_state_sampler *s, bool on_surface)
{
    s->on_surface = on_surface;
    for (int a = 0; a < s->system->dyn.constraints && a < s->n; a++)
        if (s->lambda_scale[a] > 0)
            s->lambda[a] = s->surface && !on_surface
                             ? 0
                             : (double)(s->lambda_scale[a] * noe_random_normal(&s->seed));
}

static void draw(noe_state_sampler *s, double rho, noe_random_state *x)
{
    if (s->blocks > 1) s->time = s->block_time[(int)(s->blocks * noe_random_uniform(&s->seed))];
    x->t = (double)s->t0 + rho * s->time * noe_random_normal(&s->seed);
    for (int i = 0; i < s->n; i++) {
        x->q[i] = (double)s->q0[i] + rho * s->q_scale[i] * noe_random_normal(&s->seed);
        x->v[i] = (double)s->v0[i] + rho * s->v_scale[i] * noe_random_normal(&s->seed);
    }
}

/* Moves the state along the straight line to (t, q) on the surface, until Newton's method leads to
 * the surface from there. */
static void move_to_surface(noe_state_sampler *s, quad t, const quad *q, noe_random_state *x)
{
    quad       far[s->n], share = 1;
    const quad late = x->t - t;
    for (int i = 0; i < s->n; i++) far[i] = x->q[i] - q[i];
    for (int halved = 0; halved <= HALVED_MOST; halved++, share /= 2) {
        if (halved == HALVED_MOST) share = 0;
        x->t = (double)(t + share * late);
        for (int i = 0; i < s->n; i++) x->q[i] = q[i] + share * far[i];
        if (noe_constraint_surface_approach(s->surface, x->t, x->q)) return;
    }
}

bool noe_random_state_draw(noe_state_sampler *s, double rho, noe_random_state *x)
{
    draw_multipliers(s, s->surface && noe_random_uniform(&s->seed) < SURFACE_PART);
    draw(s, rho, x);
    if (s->on_surface) move_to_surface(s, s->t0, s->q0, x);
    return evaluated(s, x);
}

bool noe_random_state_beside(noe_state_sampler *s, double rho, const noe_random_state *y,
                             noe_random_state *x)
{
    draw_multipliers(s, s->on_surface);
    draw(s, rho, x);
    x->t = y->t;
    if (s->on_surface) move_to_surface(s, y->t, y->q, x);
    return evaluated(s, x);
}

bool noe_random_state_motion(noe_state_sampler *s, noe_random_state *x)
{
    draw_multipliers(s, false);
    draw(s, 1, x);
    s->on_surface = s->surface != NULL;
    if (s->on_surface) move_to_surface(s, s->t0, s->q0, x);
    return (!s->on_surface
            || noe_constraint_surface_velocities(s->surface, x->t, x->q, s->v_scale, x->v))
        && evaluated(s, x);
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
    draw_multipliers(s, false);
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
    draw_multipliers(s, false);
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
        noe_state_values_find(s, x);
        L[side] = x->L;
        for (int i = 0; i < n; i++)
            size = fmaxq(size, fabsq(x->F[i] * scale[1 + i]) + fabsq(x->P[i] * scale[1 + n + i]));
    }
    return finiteq(L[0]) && finiteq(L[1]) && fabsq(L[0] - L[1]) > JUMP_LEAST * size;
}

bool noe_random_state_way(noe_state_sampler *s, int k, noe_random_state *x)
{
    const quad *z = s->way + (size_t)k * (2 * (size_t)s->n + 1);
    draw_multipliers(s, false);
    x->t = z[0];
    memcpy(x->q, z + 1, (size_t)s->n * sizeof *z);
    memcpy(x->v, z + 1 + s->n, (size_t)s->n * sizeof *z);
    return evaluated(s, x);
}
