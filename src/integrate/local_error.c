/* Local error measure of a run: e = max_j (jump_j / range_j)^(p/k).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * range_j is the range of velocity j, and jump_j its jump between two steps
 * (step/velocity_jump.h).  Engines that measure no jumps have, for two steps together, the defect
 *     d_j = |v0 + 4 v1 + v2 - 3 (q2 - q0)/h|
 * instead, Simpson's rule on the velocity: h^4 |q_j^(5)|/30 of the motion itself, c h^2 |v_j''| of
 * a method of order 2, c about 1; k = min(4, p).  It needs positions and velocities alone.  Looked
 * at are the first two steps, two after half as many more each time, and at least one pair in APART
 * steps; counts of steps alone decide.  jump falls as h^k, so with this power e falls as h^p, p the
 * order of the method: e is about the error of velocity j in one step relative to its range. */
#include "base/status.h"
#include "integrate/energy_error.h"
#include "number/velocity_rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    APART = 128,   /* steps from one pair to the next, at most */
    SCANNED = 64,  /* first steps of an engine that makes many at once */
    ROUNDINGS = 64 /* units of rounding of the terms of d_j up to which it is none */
};
static const double
    /* sqrt(range v_j range p_j) by the largest one of all coordinates, below which velocity j is
     * rounding of others; velocities that a mass matrix is solved for have more. */
    ROUNDING_SHARE = 0x1p-37,
    ROUNDING_SHARE_SOLVED = 0x1p-27,
    /* The same, below which a velocity whose range has doubled of late may be the front of a
     * wave: as FRONT_SHARE of step/solver_constants.h. */
    FRONT_SHARE = 0.03;

struct noe_step_defect {
    int     n, looks;         /* coordinates; states of this pair of steps so far, 0..2 */
    double  count, wait;      /* steps before the last look; steps until the next pair */
    double  pairs;            /* pairs of steps that were begun */
    double *q[2], *v[3];      /* [n] positions at its ends; velocities */
    double *least, *most;     /* [n] velocities so far */
    double *p_least, *p_most; /* [n] momenta so far */
    double *defect, *at;      /* [n] the largest d_j; the time of the end of its steps */
    double *half, *doubled;   /* [n] range of velocity j when it had last doubled; pairs then */
    void   *memory;           /* [bytes] state of an engine that makes many steps at once */
    size_t  bytes;
    bool    scanned; /* noe_local_error_probe() has looked once */
};

static bool defect_known(const noe_integrator *g)
{
    return !g->engine->guard && !g->engine->digits;
}

void noe_local_error_free(noe_step_defect *x) { free(x); }

noe_status noe_local_error_begin(noe_integrator *g)
{
    enum { ARRAYS = 13 };
    const size_t n = (size_t)g->system->dyn.n;
    size_t       bytes = 0;
    noe_local_error_free(g->local_error), g->local_error = NULL;
    if (!defect_known(g)) return NOE_OK;
    if (g->engine->linear && g->engine->linear->run) g->engine->memory(g->work, &bytes);
    noe_step_defect *x = noe_status_alloc(1, sizeof *x + ARRAYS * n * sizeof(double) + bytes);
    if (!x) return NOE_NO_MEMORY;
    *x = (noe_step_defect){ .n = (int)n, .bytes = bytes };
    double **const array[ARRAYS] = { &x->q[0],  &x->q[1], &x->v[0],    &x->v[1],   &x->v[2],
                                     &x->least, &x->most, &x->p_least, &x->p_most, &x->defect,
                                     &x->at,    &x->half, &x->doubled };
    double        *room = (double *)(x + 1);
    for (int i = 0; i < ARRAYS; i++, room += n) *array[i] = room;
    x->memory = room;
    for (size_t j = 0; j < n; j++) {
        x->least[j] = x->p_least[j] = INFINITY, x->most[j] = x->p_most[j] = -INFINITY;
        x->defect[j] = x->at[j] = x->half[j] = x->doubled[j] = 0;
    }
    return g->local_error = x, NOE_OK;
}

void noe_local_error_forget(noe_integrator *g)
{
    if (g->local_error) g->local_error->looks = 0, g->local_error->wait = 0;
}

/* The range of each of the numbers x [n] so far. */
static void widen(const double *x, int n, double *least, double *most)
{
    for (int j = 0; j < n; j++) {
        if (x[j] < least[j]) least[j] = x[j];
        if (x[j] > most[j]) most[j] = x[j];
    }
}

/* The defects of the two steps that are complete. */
static void compare(noe_step_defect *x, double t, double h)
{
    for (int j = 0; j < x->n; j++) {
        const double v0 = x->v[0][j], v1 = x->v[1][j], v2 = x->v[2][j], q0 = x->q[0][j],
                     q2 = x->q[1][j], d = fabs(v0 + 4 * v1 + v2 - 3 * (q2 - q0) / h),
                     terms = fabs(v0) + 4 * fabs(v1) + fabs(v2)
                           + 3 * (fabs(q0) + fabs(q2)) / fabs(h);
        if (d > ROUNDINGS * 0x1p-53 * terms && d > x->defect[j]) x->defect[j] = d, x->at[j] = t;
    }
}

static void velocities(noe_integrator *g, double *v)
{
    const noe_engine_linear *linear = g->engine->linear;
    if (linear && linear->velocities) linear->velocities(g->work, v);
    else noe_integrator_in_double(g, NOE_AT_V, v);
}

/* Takes the present state into account, where it is a new one. */
static void add_state(noe_integrator *g)
{
    noe_step_defect  *x = g->local_error;
    const noe_engine *engine = g->engine;
    quad              count, t, h;
    engine->get(g->work, NOE_AT_COUNT, 0, &count);
    if (x->looks && (double)count == x->count) return;
    if (x->looks && (double)count != x->count + 1) x->looks = 0;
    x->count = (double)count;
    if (!x->looks) x->pairs++;
    double *const v = x->v[x->looks];
    noe_integrator_in_double(g, NOE_AT_P, v);
    widen(v, x->n, x->p_least, x->p_most);
    velocities(g, v);
    widen(v, x->n, x->least, x->most);
    for (int j = 0; j < x->n; j++) {
        const double range = x->most[j] - x->least[j];
        if (range > 2 * x->half[j]) x->half[j] = range, x->doubled[j] = x->pairs;
    }
    if (x->looks != 1) noe_integrator_in_double(g, NOE_AT_Q, x->q[x->looks / 2]);
    if (++x->looks < 3) return;
    engine->get(g->work, NOE_AT_T, 0, &t), engine->get(g->work, NOE_AT_STEP, 0, &h);
    compare(x, (double)t, (double)h);
    x->looks = 0, x->wait = fmin(fmax(floor(x->count / 2), 1), APART);
}

void noe_local_error_look(noe_integrator *g)
{
    noe_step_defect *x = g->local_error;
    if (x->wait > 0) x->wait--;
    else add_state(g);
}

void noe_local_error_probe(noe_integrator *g, double steps)
{
    noe_step_defect *x = g->local_error;
    size_t           bytes;
    const int        more = x->scanned ? 2 : SCANNED;
    x->looks = 0, x->wait -= steps;
    if (x->wait > 0) return;
    memcpy(x->memory, g->engine->memory(g->work, &bytes), x->bytes);
    add_state(g);
    for (int k = 0; k < more && !g->engine->step(g->work); k++) add_state(g);
    memcpy(g->engine->memory(g->work, &bytes), x->memory, x->bytes);
    x->looks = 0, x->scanned = true;
}

typedef struct {
    double size,
        mean;     /* of one coordinate; the root mean square of all, by their kinetic energies */
    int    place; /* the coordinate */
    double t;     /* time of the end of the two steps */
} relative_defect;

/* The largest defect so far by the range of that velocity. */
static relative_defect largest_defect(noe_integrator *g)
{
    noe_step_defect *x = g->local_error;
    relative_defect  y = { .size = 0 };
    double           largest = 0, all = 0, mean = 0;
    if (x->looks) add_state(g);
    for (int j = 0; j < x->n; j++)
        largest = fmax(largest, (x->most[j] - x->least[j]) * (x->p_most[j] - x->p_least[j]));
    for (int j = 0; j < x->n; j++) {
        const double range = x->most[j] - x->least[j],
                     weight = range * (x->p_most[j] - x->p_least[j]),
                     share = sqrt(weight / largest), part = x->defect[j] / range;
        if (!(share > (g->engine->linear ? ROUNDING_SHARE_SOLVED : ROUNDING_SHARE))) continue;
        if (x->doubled[j] >= x->pairs - 1 && share < FRONT_SHARE) continue;
        all += weight, mean += weight * part * part;
        if (part > y.size) y = (relative_defect){ part, 0, j, x->at[j] };
    }
    y.mean = all > 0 ? sqrt(mean / all) : 0;
    return y;
}

/* jump / range for k = 1, 2, and 3 or more with about ten, seven and four steps a period of an
 * oscillation: with a larger jump the steps are called coarse. */
static const double COARSE_JUMP[] = { 0.3, 0.15, 0.08 };
/* The same of a defect of two steps by a method of order 2, which makes c (omega h)^2, c about 1,
 * and of higher order. */
static const double COARSE_DEFECT_SECOND = 0.25, COARSE_DEFECT = 0.08;
/* The same of the mean over a structure.  Its modes do not change each other, and steps that leave
 * the fastest of them unresolved are common, so that single coordinates raise no alarm. */
static const double COARSE_MEAN = 0.25;

bool noe_local_error_known(const noe_integrator *g) { return g->engine->guard || defect_known(g); }

static noe_local_error of_defect(noe_integrator *g)
{
    const relative_defect x = largest_defect(g);
    const double          most = g->order > 2 ? COARSE_DEFECT : COARSE_DEFECT_SECOND;
    const bool            structure = g->engine->linear && g->engine->large;
    return (noe_local_error){ .size = pow(x.size, (double)g->order / (g->order < 4 ? g->order : 4)),
                              .jump = x.size,
                              .place = x.place,
                              .t = x.t,
                              .coarse = structure ? x.mean > COARSE_MEAN : x.size > most };
}

/* The mean length of the steps of a system with a monitor. */
static quad mean_step(noe_integrator *g, quad t0)
{
    quad t, count;
    g->engine->get(g->work, NOE_AT_T, g->member, &t);
    g->engine->get(g->work, NOE_AT_COUNT, g->member, &count);
    return count > 0 ? (t - t0) / count : 0;
}

/* Does velocity j vary by the rounding of positions alone? */
static bool is_still(const noe_integrator *g, int j)
{
    if (g->system->dyn.n > NOE_ENERGY_COORDINATES) return false;
    quad q[NOE_ENERGY_COORDINATES], sd[NOE_ENERGY_COORDINATES], h;
    g->engine->get(g->work, NOE_AT_Q, g->member, q);
    g->engine->get(g->work, NOE_AT_STEP, g->member, &h);
    g->engine->guard->spread(g->work, g->member, sd, NULL);
    return sd[j] <= noe_velocity_rounding((double)q[j], (double)h, g->digits > NOE_DIGITS_DOUBLE);
}

noe_local_error noe_local_error_of(noe_integrator *g)
{
    noe_local_error e = { .size = NAN, .jump = NAN };
    quad            t0, h;
    if (!noe_local_error_known(g) || !g->ready) return e;
    if (!g->engine->guard) return g->local_error ? of_defect(g) : e;
    const noe_velocity_jump jump = g->engine->guard->jump(g->work, g->member);
    g->engine->get(g->work, NOE_AT_T0, g->member, &t0);
    g->engine->get(g->work, NOE_AT_STEP, g->member, &h);
    if (g->stepped.clock) h = mean_step(g, t0); /* roughly: jumps have a count of steps, no time */
    e.jump = (double)jump.size;
    e.size = pow(e.jump, (double)g->order / g->error_exponent);
    e.place = jump.place;
    e.t = (double)(t0 + (jump.count > 0 ? jump.count - 1 : 0) * h);
    e.coarse = e.jump > COARSE_JUMP[g->error_exponent < 3 ? g->error_exponent - 1 : 2]
            && !is_still(g, jump.place);
    return e;
}
