/* Energy error: e = max_B |H_B(t) - H_B(0)| / Y_B,  Y_B = sum_{j,k in B} |L_vj vk| sd_j sd_k / 2.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * B runs over the blocks, the sets of coordinates that L or forces couple.  H_B is H with the
 * coordinates of B as they are and all others as at the start; sd_j is the standard deviation of
 * velocity j since the start.  Y is about the mean kinetic energy in the frame of the mean
 * velocity, also on an orbit that passes its pericentre in a moment.  Constants in V, boosts, units
 * and other blocks do not change e.  The blocks that t or forces act on count as one, whose error
 * is the energy balance less H_B - H_B(0) of all others, and Y includes the work and dissipation.
 * In free flight, where velocities vary by rounding alone, Y is the kinetic energy itself, the only
 * scale that there is.  As long as
 * the velocities still vary more and more, Y is at least what the kinetic energy has gained since
 * the start: not what it has lost, which for an orbit that starts at its pericentre is nearly all
 * of the largest kinetic energy ever after. */
#include "integrate/energy_error.h"

#include "base/status.h"
#include "number/velocity_rounding.h"
#include "tape/constraint_functions.h"
#include "tape/coupled_blocks.h"
#include "tape/driven_blocks.h"
#include "system/event_tapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCKS_MOST = 16, /* with more blocks all coordinates are one block */
    STEPS_LEAST = 4   /* steps before which it is 0 */
};
static const double
    /* Part of Y above which the error is large. */
    LARGE_ENERGY_ERROR = 0.05,
    /* The same of the change of kinetic energy, while that is more: the velocities still vary more
     * and more. */
    GROWING = 0.1,
    /* The same within few steps. */
    LARGE_AT_START = 0.5,
    /* Rounding, below which an error is not counted: part of the kinetic energy and of the sum of
     * |F_j q_j| for one step; it grows as the root of the number of steps. */
    ROUNDING = 0x1p-44,
    /* The same of a position over the step: velocities by rounding of constraints do not add up. */
    VELOCITY_ROUNDING = 0x1p-50,
    /* Part of the largest M_jj sd_j^2 of a block from which on velocity j matters. */
    IMPORTANT = 0.1;

struct noe_energy_monitor {
    int  n, blocks, *block_of; /* coordinates; blocks; [n] block of a coordinate */
    int  driven;       /* the last block, if its error is that of the energy balance; -1: none is */
    quad t0, *q0, *v0, /* time and [n] positions and velocities at the start */
        *q, *v, *now,  /* [n] a state to evaluate; [n] present positions */
        *in, *slot, *out; /* inputs, slots and outputs of the Legendre tape */
    double *M,            /* [n][n] |L_vv| */
        *T0,              /* [blocks] kinetic energies at the start */
        *z;               /* [2n + 2n + 4n^2 + params] scratch for an L in C */
    double *most, *when;  /* [blocks] largest |H_B - H_B(0)| and its time */
    double  exchanged;    /* largest |work| + |dissipation| so far, where t or forces are present */
    bool    begun;        /* H0 and T0 are known */
    quad    H0;           /* energy at the start */
};

void noe_energy_error_free(noe_energy_monitor *x)
{
    if (!x) return;
    free(x->block_of), free(x->q0), free(x->M), free(x);
}

/* Finds the blocks.  Where there are many, or energies are exchanged nobody knows where, all are
 * one; those that t or forces act on are the last one together. */
static void find_blocks(noe_energy_monitor *x, const noe_integrator *g)
{
    const noe_dynamics *d = &g->system->dyn;
    const bool anywhere = g->work_unknown || (g->system->events && g->system->events->shocks);
    const int  blocks = noe_coupled_blocks_find(d, x->block_of);
    bool       driven[NOE_ENERGY_COORDINATES];
    int        number[NOE_ENERGY_COORDINATES], quiet = 0, acted_on = 0;
    noe_driven_blocks_find(d, x->block_of, blocks, driven);
    for (int b = 0; b < blocks; b++) driven[b] |= anywhere, acted_on += driven[b];
    const bool one = anywhere || blocks > BLOCKS_MOST;
    for (int b = 0; b < blocks; b++) number[b] = one || driven[b] ? -1 : quiet++;
    x->driven = acted_on ? quiet : -1;
    x->blocks = one ? 1 : quiet + (acted_on > 0);
    for (int j = 0; j < x->n; j++) {
        const int b = number[x->block_of[j]];
        x->block_of[j] = b < 0 ? quiet : b;
    }
}

/* H at a state; stores |L_vv| of that state in x->M. */
static quad energy(noe_energy_monitor *x, const noe_integrator *g, quad t, const quad *q,
                   const quad *v)
{
    const noe_dynamics *d = &g->system->dyn;
    const int           n = x->n;
    memset(x->M, 0, (size_t)(n * n) * sizeof *x->M);
    if (d->L) {
        double *z = x->z, *grad = z + 2 * n, *hess = grad + 2 * n, *param = hess + 4 * n * n;
        for (int i = 0; i < d->params; i++) param[i] = (double)g->param[i];
        for (int i = 0; i < n; i++) z[i] = (double)q[i], z[n + i] = (double)v[i];
        quad H = -d->L((double)t, z, param, grad, hess, d->ctx);
        for (int i = 0; i < n; i++) H += (quad)grad[n + i] * z[n + i];
        for (int i = 0; i < n * n; i++) x->M[i] = fabs(hess[(n + i / n) * 2 * n + n + i % n]);
        return H;
    }
    memset(x->in, 0, (size_t)d->legendre->inputs * sizeof *x->in);
    x->in[0] = t;
    memcpy(x->in + noe_tape_input(NOE_Q, 0, n), q, (size_t)n * sizeof *q);
    memcpy(x->in + noe_tape_input(NOE_V, 0, n), v, (size_t)n * sizeof *v);
    noe_tape_quad_run(d->legendre, x->in, x->slot, x->out);
    quad H = -x->out[n];
    for (int i = 0; i < n; i++) H += v[i] * x->out[i];
    for (int k = 0; k < d->masses; k++)
        x->M[d->mass[k].row * n + d->mass[k].col] = fabs((double)x->out[d->mass[k].output]);
    return H;
}

/* reach [n] = |q_j|, or what the numbers of a constraint make of it, |G_aj| numbers_a/|G_a|^2: a
 * position at the origin that a rod holds has the rounding of the rod. */
static void find_reach(noe_energy_monitor *x, const noe_dynamics *d, double *reach)
{
    const noe_constraint_entry *y = d->G_entry, *end = y + d->G_entries;
    for (int j = 0; j < x->n; j++) reach[j] = fabs((double)x->q[j]);
    if (!d->constraint) return;
    noe_tape_quad_run(d->constraint, x->in, x->slot, x->out);
    while (y < end) { /* the entries of one constraint */
        const noe_constraint_entry *from = y;
        quad                        square = 0;
        for (; y < end && y->constraint == from->constraint; y++)
            square += x->out[y->output] * x->out[y->output];
        const quad part = x->out[noe_constraint_functions_constants(d) + from->constraint] / square;
        for (; from < y; from++)
            reach[from->row] = fmax(reach[from->row], (double)(fabsq(x->out[from->output]) * part));
    }
}

/* sum_{j in B} |F_j| reach_j at the state that energy() was called for last: what a rounding of the
 * positions makes of the energy, in units of that rounding.  Constraints make velocities of it,
 * reach_j/h, which are all that a body at rest has. */
static double forces_by_positions(noe_energy_monitor *x, const noe_integrator *g, int block)
{
    const noe_dynamics *d = &g->system->dyn;
    double              sum = 0, reach[NOE_ENERGY_COORDINATES];
    quad                h = 1;
    find_reach(x, d, reach);
    if (d->constraints) g->engine->get(g->work, NOE_AT_STEP, g->member, &h);
    for (int j = 0; j < x->n && d->constraints; j++)
        if (x->block_of[j] == block) {
            const double speed = reach[j] / fabs((double)h);
            sum += VELOCITY_ROUNDING / ROUNDING * x->M[j * x->n + j] * speed
                 * (fabs((double)x->v[j]) + VELOCITY_ROUNDING * speed);
        }
    if (!d->L) noe_tape_quad_run(d->gradient, x->in, x->slot, x->out);
    for (int j = 0; j < x->n; j++)
        if (x->block_of[j] == block)
            sum += fabs(d->L ? x->z[2 * x->n + j] : (double)x->out[j]) * reach[j];
    return sum;
}

/* sum_{j,k in B} |M_jk| |v_j| |v_k| / 2. */
static double kinetic(const noe_energy_monitor *x, int block, const quad *v)
{
    double sum = 0, speed[NOE_ENERGY_COORDINATES];
    for (int j = 0; j < x->n; j++) speed[j] = x->block_of[j] == block ? fabs((double)v[j]) : 0;
    for (int j = 0; j < x->n; j++)
        for (int k = 0; k < x->n && x->block_of[j] == block; k++)
            if (x->block_of[k] == block) sum += x->M[j * x->n + k] * (speed[j] * speed[k]) / 2;
    return sum;
}

/* The kinetic energy of velocities that vary by the rounding of positions. */
static double rounding_of_motion(noe_energy_monitor *x, const noe_integrator *g, int block)
{
    quad       h, noise[NOE_ENERGY_COORDINATES];
    const bool wide = g->digits > NOE_DIGITS_DOUBLE;
    g->engine->get(g->work, NOE_AT_STEP, g->member, &h);
    for (int j = 0; j < x->n; j++)
        noise[j] = noe_velocity_rounding((double)x->now[j], (double)h, wide);
    return kinetic(x, block, noise);
}

static noe_energy_monitor *make(const noe_integrator *g)
{
    const noe_dynamics *d = &g->system->dyn;
    const size_t        n = (size_t)d->n, inputs = (size_t)noe_tape_inputs(d->n);
    size_t              outputs = 0, slots = 0;
    for (int k = 0; k < (d->constraint ? 3 : 2) && !d->L; k++) {
        const noe_tape *tape = k == 0 ? d->legendre : k == 1 ? d->gradient : d->constraint;
        if ((size_t)tape->outputs > outputs) outputs = (size_t)tape->outputs;
        if ((size_t)tape->slots > slots) slots = (size_t)tape->slots;
    }
    noe_energy_monitor *x = noe_status_alloc(1, sizeof *x);
    if (!x) return NULL;
    x->n = d->n;
    x->block_of = noe_status_alloc(n, sizeof *x->block_of);
    x->q0 = noe_status_alloc(5 * n + inputs + outputs + slots, sizeof *x->q0);
    x->M = noe_status_alloc(n * n + 3 * n + 4 * n + 4 * n * n + (size_t)d->params, sizeof *x->M);
    if (!x->block_of || !x->q0 || !x->M) return noe_energy_error_free(x), NULL;
    x->v0 = x->q0 + n, x->q = x->v0 + n, x->v = x->q + n, x->now = x->v + n, x->in = x->now + n,
    x->out = x->in + inputs;
    x->slot = x->out + outputs;
    x->T0 = x->M + n * n, x->most = x->T0 + n, x->when = x->most + n, x->z = x->when + n;
    find_blocks(x, g);
    return x;
}

/* For the one-step engines, not for those of sums and matrices. */
bool noe_energy_error_known(const noe_integrator *g)
{
    return g->engine->guard && g->system->dyn.n <= NOE_ENERGY_COORDINATES;
}

/* The energies at the start, when they are needed first: a start takes as long as several steps
 * otherwise. */
static void measure_start(noe_energy_monitor *x, const noe_integrator *g)
{
    x->H0 = energy(x, g, x->t0, x->q0, x->v0);
    for (int b = 0; b < x->blocks; b++) x->T0[b] = kinetic(x, b, x->v0);
    x->begun = true;
}

noe_status noe_energy_error_begin(noe_integrator *g)
{
    if (!noe_energy_error_known(g)) return NOE_OK;
    if (!g->energy && !(g->energy = make(g))) return NOE_NO_MEMORY;
    noe_energy_monitor *x = g->energy;
    for (int b = 0; b < x->blocks; b++) x->most[b] = 0;
    x->exchanged = 0;
    g->engine->get(g->work, NOE_AT_T, g->member, &x->t0);
    g->engine->get(g->work, NOE_AT_Q, g->member, x->q0);
    g->engine->get(g->work, NOE_AT_V, g->member, x->v0);
    x->begun = false;
    if (g->system->dyn.L) measure_start(x, g); /* a function in C may become another one */
    return NOE_OK;
}

/* Have the velocities that matter stopped varying more and more?  doubled[j]: number of steps after
 * which the range of velocity j last doubled. */
static bool ranges_are_steady(const noe_energy_monitor *x, int block, const quad *sd,
                              const quad *doubled, quad count)
{
    double most = 0;
    for (int j = 0; j < x->n; j++)
        if (x->block_of[j] == block)
            most = fmax(most, x->M[j * x->n + j] * (double)(sd[j] * sd[j]));
    for (int j = 0; j < x->n; j++)
        if (x->block_of[j] == block
            && x->M[j * x->n + j] * (double)(sd[j] * sd[j]) >= IMPORTANT * most
            && 2 * doubled[j] > count)
            return false;
    return true;
}

const double *noe_energy_error_masses(const noe_integrator *g)
{
    if (g->energy && !g->energy->begun) measure_start(g->energy, g);
    return g->energy ? g->energy->M : NULL;
}

noe_energy_error noe_energy_error_look(noe_integrator *g)
{
    noe_energy_monitor *x = g->energy;
    if (!x || !g->ready || g->status) return (noe_energy_error){ .size = NAN };
    quad t, count, balance = 0, sd[NOE_ENERGY_COORDINATES], doubled[NOE_ENERGY_COORDINATES];
    g->engine->get(g->work, NOE_AT_COUNT, g->member, &count);
    noe_energy_error y = { .size = 0 };
    if (count < STEPS_LEAST) return y;
    if (!x->begun) measure_start(x, g);
    g->engine->get(g->work, NOE_AT_T, g->member, &t);
    g->engine->get(g->work, NOE_AT_Q, g->member, x->now);
    g->engine->get(g->work, NOE_AT_V, g->member, x->v);
    g->engine->guard->spread(g->work, g->member, sd, doubled);
    if (x->driven >= 0) {
        quad work, dissipated;
        g->engine->get(g->work, NOE_AT_BALANCE, g->member, &balance);
        g->engine->get(g->work, NOE_AT_WORK, g->member, &work);
        g->engine->get(g->work, NOE_AT_DISSIPATED, g->member, &dissipated);
        x->exchanged = fmax(x->exchanged, fabs((double)work) + fabs((double)dissipated));
    }
    quad v[NOE_ENERGY_COORDINATES];
    memcpy(v, x->v, (size_t)x->n * sizeof *v);
    for (int b = 0; b < x->blocks; b++) {
        for (int j = 0; j < x->n; j++) {
            const bool mine = x->block_of[j] == b;
            x->q[j] = mine ? x->now[j] : x->q0[j], x->v[j] = mine ? v[j] : x->v0[j];
        }
        const bool   driven = b == x->driven; /* balance: then less that of all others */
        const quad   H = energy(x, g, driven || x->blocks == 1 ? t : x->t0, x->q, x->v);
        const double error = fabs((double)(driven ? balance : H - x->H0)), T = kinetic(x, b, x->v),
                     Y = kinetic(x, b, sd) + (driven ? x->exchanged : 0);
        const bool steady = ranges_are_steady(x, b, sd, doubled, count);
        if (!driven) balance -= H - x->H0;
        /* what rounding makes takes as long to evaluate as the energy: only for a new maximum */
        if (error > x->most[b]
            && error > ROUNDING * sqrt((double)count)
                           * (T + forces_by_positions(x, g, b) + (driven ? fabs((double)H) : 0)))
            x->most[b] = error, x->when[b] = (double)t;
        const double gained = steady ? 0 : fmax(T - x->T0[b], 0),
                     still = rounding_of_motion(x, g, b);
        const bool   flies = fmax(Y, gained) <= still;
        const double part = x->most[b] / (flies ? T : fmax(Y, gained));
        if (flies && T <= still) continue; /* it rests */
        const double limit = count < NOE_FEW_STEPS ? LARGE_AT_START
                           : Y >= gained           ? LARGE_ENERGY_ERROR
                                                   : GROWING;
        if (!(part > y.size) || !isfinite(part)) continue;
        y.size = part, y.t = x->when[b], y.large = part > limit, y.driven = driven;
        for (int j = x->n - 1; j >= 0; j--)
            if (x->block_of[j] == b) y.place = j;
    }
    return y;
}
