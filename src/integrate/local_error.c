/* Local error measure of a run: e = max_j (jump_j / range_j)^(p/k).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * range_j is the range of velocity j, and jump_j its jump between two steps
 * (step/velocity_jump.h).  Engines that measure no jumps have, for two steps together, the defect
 *     d_j = |v0 + 4 v1 + v2 - 3 (q2 - q0)/h|
 * instead, Simpson's rule on the velocity: h^4 |q_j^(5)|/30 of the motion itself, c h^2 |v_j''| of
 * a method of order 2, c about 1; k = min(4, p).  It needs positions and velocities alone.  A pair
 * of steps is looked at, then half as many states as steps were made so far are passed over, at
 * most APART, then comes the next pair; counts of steps alone decide.  Engines that measure jumps
 * do so at every step (record_jumps()).  jump falls as h^k, so with this power e falls as h^p, p
 * the order of the method: e is about the error of velocity j in one step relative to its range. */
#include "base/arena.h"
#include "integrate/energy_error.h"
#include "number/velocity_rounding.h"

#include <math.h>
#include <string.h>

enum {
    /* States from one pair of steps to the next that are not looked at, at most; of a linear system
     * that nothing drives more, because all of its steps are one map.  No measurement of other
     * values is recorded of these two, of SCANNED and of ROUNDINGS. */
    APART = 128,
    APART_LINEAR = 4096,
    SCANNED = 64,   /* states at the start of an engine that makes many steps at once */
    ROUNDINGS = 64, /* units of rounding of the terms of d_j up to which it is none */
    /* |v0| + 4 |v1| + |v2| + 3 |q2 - q0|/h by the largest |v_j| so far, at most. */
    TERMS_BY_SPEED = 12
};
static const double
    /* sqrt(range v_j range p_j) by the largest one of all coordinates, below which velocity j is
     * rounding of others; velocities that a mass matrix is solved for have more. */
    ROUNDING_SHARE = 0x1p-37,
    ROUNDING_SHARE_SOLVED = 0x1p-27;

struct noe_step_defect {
    noe_arena *arena;         /* its memory, in large pages */
    int        n, looks;      /* coordinates; states of this pair of steps so far, 0..2 */
    double     count, wait;   /* steps before the last look; steps until the next pair */
    double     pairs;         /* pairs of steps that were begun */
    double     h;             /* length of the steps of this pair */
    double    *sum;           /* [n] d_j of the states of this pair so far, with its sign */
    double    *least, *most;  /* [n] velocities so far */
    double *p_least, *p_most; /* [n] momenta so far; of pieces: at fewer states, see add_state() */
    double *defect, *at;      /* [n] the largest d_j; the time of the end of its steps */
    double *half, *doubled;   /* [n] range of velocity j when it had last doubled; pairs then */
    double *q, *v, *p;        /* [n] the state, of engines that do not hand it out in pieces */
    void   *memory;           /* [bytes] state of an engine that makes many steps at once */
    size_t  bytes;
    bool    begun, /* has a state been seen? */
        scanned;   /* noe_local_error_probe() has looked once */
};

static bool defect_known(const noe_integrator *g)
{
    return !g->engine->guard && !g->engine->digits;
}

void noe_local_error_free(noe_step_defect *x)
{
    if (x) noe_arena_free(x->arena);
}

noe_status noe_local_error_begin(noe_integrator *g)
{
    enum { OF_STATE = 3, ARRAYS = 9 + OF_STATE };
    const size_t n = (size_t)g->system->dyn.n;
    const bool   pieces = g->engine->large && g->engine->large->pieces;
    const int    arrays = pieces ? ARRAYS - OF_STATE : ARRAYS;
    size_t       bytes = 0;
    noe_local_error_free(g->local_error), g->local_error = NULL;
    if (!defect_known(g)) return NOE_OK;
    if (g->engine->linear && g->engine->run) g->engine->memory(g->work, &bytes);
    noe_arena       *arena = noe_arena_new();
    noe_step_defect *x = noe_arena_take(arena, sizeof *x);
    double *room = x ? noe_arena_take(arena, (size_t)arrays * n * sizeof *room + bytes) : NULL;
    if (!room) return noe_arena_free(arena), NOE_NO_MEMORY;
    *x = (noe_step_defect){ .arena = arena, .n = (int)n, .bytes = bytes };
    double **const array[ARRAYS] = { &x->sum,     &x->least,  &x->most, &x->p_least,
                                     &x->p_most,  &x->defect, &x->at,   &x->half,
                                     &x->doubled, &x->q,      &x->v,    &x->p };
    for (int i = 0; i < arrays; i++, room += n) *array[i] = room;
    x->memory = room;
    return g->local_error = x, NOE_OK;
}

void noe_local_error_forget(noe_integrator *g)
{
    if (g->local_error) g->local_error->looks = 0, g->local_error->wait = 0;
}

/* What a look at one state does, piece by piece. */
typedef struct {
    noe_step_defect *x;
    double           t;     /* time of the state */
    bool             first, /* the first state of all: ranges begin there */
        momenta;            /* are momenta, and doubled ranges, looked at? */
} present_look;

/* The range of `count` numbers; without branches. */
static inline void widen(const int count, const double *x, double *least, double *most)
{
    for (int j = 0; j < count; j++) {
        least[j] = x[j] < least[j] ? x[j] : least[j];
        most[j] = x[j] > most[j] ? x[j] : most[j];
    }
}

/* When the range of `count` velocities has last doubled. */
static inline void note_doubling(const noe_step_defect *x, int first, const int count)
{
    double *const half = x->half + first, *const doubled = x->doubled + first;
    for (int j = 0; j < count; j++) {
        const double range = x->most[first + j] - x->least[first + j];
        doubled[j] = range > 2 * half[j] ? x->pairs : doubled[j];
        half[j] = range > 2 * half[j] ? range : half[j];
    }
}

/* Adds to `count` defects what the first or second state contributes; completes them. */
static inline void add_first(double by_h, const int count, const double *q, const double *v,
                             double *sum)
{
    for (int j = 0; j < count; j++) sum[j] = v[j] + by_h * q[j];
}
static inline void add_second(const int count, const double *v, double *sum)
{
    for (int j = 0; j < count; j++) sum[j] += 4 * v[j];
}
static inline void complete(const present_look *y, int first, const int count, const double *q,
                            const double *v)
{
    const noe_step_defect *x = y->x;
    const double           by_h = 3 / x->h;
    double *const defect = x->defect + first, *const at = x->at + first;
    for (int j = 0; j < count; j++) {
        const double d = fabs(x->sum[first + j] + (v[j] - by_h * q[j])),
                     down = fabs(x->least[first + j]), up = fabs(x->most[first + j]),
                     terms = TERMS_BY_SPEED * (up > down ? up : down) + 2 * fabs(by_h * q[j]),
                     rounding = ROUNDINGS * 0x1p-53 * terms,
                     least = rounding > defect[j] ? rounding : defect[j];
        at[j] = d > least ? y->t : at[j];
        defect[j] = d > least ? d : defect[j];
    }
}

static inline void see_some(const present_look *y, int first, const int count, const double *q,
                            const double *v, const double *p)
{
    const noe_step_defect *x = y->x;
    for (int j = first; j < first + count && y->first; j++) {
        x->least[j] = x->p_least[j] = INFINITY;
        x->most[j] = x->p_most[j] = -INFINITY;
    }
    widen(count, v, x->least + first, x->most + first);
    if (y->momenta) widen(count, p, x->p_least + first, x->p_most + first);
    if (y->momenta) note_doubling(x, first, count);
    if (x->looks == 0) add_first(3 / x->h, count, q, v, x->sum + first);
    if (x->looks == 1) add_second(count, v, x->sum + first);
    if (x->looks == 2) complete(y, first, count, q, v);
}

/* noe_engine_piece; in registers, some at a time. */
static void see(void *ctx, int first, int count, const double *q, const double *v, const double *p)
{
    enum { SOME = 64 };
    int j = 0;
    for (; j + SOME <= count; j += SOME) see_some(ctx, first + j, SOME, q + j, v + j, p + j);
    for (; j < count; j++) see_some(ctx, first + j, 1, q + j, v + j, p + j);
}

static void velocities(noe_integrator *g, double *v)
{
    const noe_engine_linear *linear = g->engine->linear;
    if (linear && linear->velocities) linear->velocities(g->work, v);
    else noe_integrator_in_double(g, NOE_AT_V, v);
}

/* The whole state in one piece. */
static void see_whole(noe_integrator *g, present_look *y)
{
    const noe_step_defect *x = g->local_error;
    if (x->looks != 1) noe_integrator_in_double(g, NOE_AT_Q, x->q);
    if (y->momenta) noe_integrator_in_double(g, NOE_AT_P, x->p);
    velocities(g, x->v);
    see(y, 0, x->n, x->q, x->v, x->p);
}

/* Takes the present state into account, where it is a new one. */
static void add_state(noe_integrator *g)
{
    noe_step_defect  *x = g->local_error;
    const noe_engine *engine = g->engine;
    quad              count, t, h;
    engine->get(g->work, NOE_AT_COUNT, 0, &count);
    engine->get(g->work, NOE_AT_STEP, 0, &h), engine->get(g->work, NOE_AT_T, 0, &t);
    if (x->looks && (double)count == x->count) return;
    if (x->looks && ((double)count != x->count + 1 || (double)h != x->h)) x->looks = 0;
    x->count = (double)count, x->h = (double)h;
    if (!x->looks) x->pairs++;
    present_look y = { .x = x, .t = (double)t, .first = !x->begun, .momenta = true };
    x->begun = true;
    if (x->q) see_whole(g, &y);
    else {
        /* at all states of the first pair, then at the last state of each pair alone */
        y.momenta = x->pairs == 1 || x->looks == 2;
        engine->large->pieces(g->work, see, &y);
    }
    if (++x->looks < 3) return;
    x->looks = 0;
    const bool one_map = engine->linear && g->system->dyn.autonomous;
    x->wait = fmin(fmax(floor(x->count / 2), 1), one_map ? APART_LINEAR : APART);
}

void noe_local_error_look(noe_integrator *g)
{
    noe_step_defect *x = g->local_error;
    if (x->wait > 0) x->wait--;
    else add_state(g);
}

double noe_local_error_rest(const noe_integrator *g)
{
    const noe_step_defect *x = g->local_error;
    return !x ? INFINITY : x->looks ? 0 : x->wait;
}

void noe_local_error_skip(noe_integrator *g, double steps)
{
    if (g->local_error) g->local_error->wait -= steps;
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
        mean;     /* of one coordinate; the root mean square of all here, by kinetic energies */
    int    place; /* the coordinate */
    double t;     /* time of the end of the two steps */
} relative_defect;

/* Range k of the coordinates that are looked at in this process; false: there is no such range. */
static bool own_range(const noe_integrator *g, int k, int *first, int *end)
{
    const noe_engine_large *large = g->engine->large;
    if (large && large->range) return large->range(g->work, k, first, end);
    *first = 0, *end = g->local_error->n;
    return k == 0;
}

/* The largest x of all processes. */
static double largest_of(noe_integrator *g, double x)
{
    const noe_engine_large *large = g->engine->large;
    if (large && large->largest) large->largest(g->work, 1, &x);
    return x;
}

/* That of the process that has the largest one, of several the one at the lowest place. */
static relative_defect choose_defect(noe_integrator *g, relative_defect y)
{
    const double size = largest_of(g, y.size),
                 place = -largest_of(g, y.size < size ? -INFINITY : -y.place),
                 t = largest_of(g, y.size < size || y.place > place ? -INFINITY : y.t);
    return (relative_defect){ size, y.mean, (int)place, t };
}

/* The largest defect so far by the range of that velocity. */
static relative_defect largest_defect(noe_integrator *g)
{
    noe_step_defect *x = g->local_error;
    relative_defect  y = { .size = 0 };
    double           largest = 0, all = 0, mean = 0;
    int              first, end;
    if (x->looks) add_state(g);
    for (int k = 0; own_range(g, k, &first, &end); k++)
        for (int j = first; j < end; j++)
            largest = fmax(largest, (x->most[j] - x->least[j]) * (x->p_most[j] - x->p_least[j]));
    largest = largest_of(g, largest);
    for (int k = 0; own_range(g, k, &first, &end); k++)
        for (int j = first; j < end; j++) {
            const double range = x->most[j] - x->least[j],
                         weight = range * (x->p_most[j] - x->p_least[j]),
                         share = sqrt(weight / largest), part = x->defect[j] / range;
            if (!(share > (g->engine->linear ? ROUNDING_SHARE_SOLVED : ROUNDING_SHARE))) continue;
            if (x->doubled[j] >= x->pairs - 1 && share < NOE_FRONT_SHARE) continue;
            all += weight, mean += weight * part * part;
            if (part > y.size) y = (relative_defect){ part, 0, j, x->at[j] };
        }
    y.mean = all > 0 ? sqrt(mean / all) : 0;
    return choose_defect(g, y);
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
