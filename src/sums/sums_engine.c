/* The sums engine: initial state, access to the state, summary.  Compiled once per instruction set.
 * SPDX-License-Identifier: BSD-3-Clause */
#define NOE_REAL NOE_DOUBLE
#include "sums/sums_memory.h"
#include "sums/sums_pieces.h"

/* The energy of the present state, evaluated once. */
static double energy(work *w)
{
    if (!w->state.energy_known) w->state.energy = energy_of(w, w->state.now, &w->state.kinetic);
    w->state.energy_known = w->state.energy
                         == w->state.energy; /* else perhaps for want of memory */
    return w->state.energy;
}

/* noe_engine_large.kinetic */
static double kinetic(void *self)
{
    work *w = self;
    energy(w);
    return w->state.kinetic;
}

/* The places *first .. *end - 1 of family f that a start needs: those that this process steps, all
 * where steps are made by every process for itself. */
static void start_places(const work *w, int f, int64_t *first, int64_t *end)
{
    *first = w->g->family[f].first, *end = *first + w->g->family[f].count;
    if (!w->g->coupled) own_places(w, f, first, end);
}

/* Fetches the halos of a state that has just been made. */
static void fetch_first_halos(work *w)
{
    w->state.partial = shares_tiles(w) && !w->g->coupled;
    if (w->state.partial) fetch(w, w->state.now, NOE_FETCH_HALOS);
}

/* Is anything of the present state not finite, in any process? */
static bool is_not_finite(const work *w)
{
    const double *q = array(w, w->state.now, A_Q), *p = array(w, w->state.now, A_P),
                 *F = array(w, w->state.now, A_F);
    double rest = w->state.now[H0] - w->state.now[H0];
    for (int f = 0; f < w->g->families; f++) {
        int64_t first, end;
        start_places(w, f, &first, &end);
        for (int64_t i = first; i < end; i++) rest += (q[i] - q[i]) + (p[i] - p[i]) + (F[i] - F[i]);
    }
    rest = rest != 0;
    if (w->state.partial) w->g->share->largest(w->g->share->ctx, 1, &rest);
    return rest != 0;
}

/* Starts a run from q and p of the present state: clears the compensation terms and the counts,
 * evaluates forces and energy.  1: something is not finite. */
static unsigned started(work *w)
{
    for (int f = 0; f < w->g->families; f++) {
        int64_t first, end;
        start_places(w, f, &first, &end);
        memset(array(w, w->state.now, A_DQ) + first, 0, (size_t)(end - first) * sizeof(double));
        memset(array(w, w->state.now, A_DP) + first, 0, (size_t)(end - first) * sizeof(double));
    }
    static const int zero[] = { COUNT, ITERATIONS, RESIDUAL, FROZEN, REFRESHES, CONTRACTED,
                                STIFF, WAIT,       SPENT,    BLOCK,  COST };
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) w->state.now[zero[i]] = 0;
    w->state.now[PATIENCE] = FIRST_WAIT;
    state_changed(w);
    fetch_first_halos(w);
    forces_in_tiles(w, w->state.partial, w->state.now[T0], array(w, w->state.now, A_Q),
                    array(w, w->state.now, A_F));
    w->state.now[H0] = energy(w);
    fetch_first_halos(w);
    const bool failed = is_not_finite(w);
    w->why = failed ? NOE_NOT_FINITE : NOE_OK;
    return failed;
}

/* Starts from the initial conditions of the model. */
static unsigned begin(void *self)
{
    work           *w = self;
    const noe_sums *g = w->g;
    double         *q = array(w, w->state.now, A_Q), *p = array(w, w->state.now, A_P);
    for (int f = 0; f < g->families; f++) {
        int64_t first, end;
        start_places(w, f, &first, &end);
        for (int64_t i = first; i < end; i++) {
            q[i] = g->q[i];
            p[i] = g->inverse[i] != 0 ? g->v[i] / g->inverse[i] : 0;
        }
    }
    if (g->coupled) coupled_momenta(w, g->v, p);
    w->state.now[T0] = g->t0;
    return started(w);
}

/* Starts from q and, for each coordinate that is not fixed, from p (momentum[k]) or v.  Velocities
 * set before the start are stored in array A_F, which `started` overwrites with the forces. */
static unsigned start(void *self, const bool *momentum)
{
    work           *w = self;
    const noe_sums *g = w->g;
    double         *p = array(w, w->state.now, A_P), *v = array(w, w->state.now, A_F);
    int             given = 0;
    for (int i = 0, k = 0; i < g->places; i++) {
        if (g->inverse[i] == 0) continue;
        if (!momentum[k]) p[i] = v[i] / g->inverse[i];
        given += momentum[k++];
    }
    if (g->coupled && given && given < g->n) {
        w->why = noe_status_fail(NOE_INVALID, "the kinetic energy couples velocities: "
                                              "give the momenta of all coordinates or of none");
        return 1;
    }
    if (g->coupled && !given) coupled_momenta(w, v, p);
    return started(w);
}

/* Where a scalar of the state is stored; NULL: not in the state. */
static double *number_at(work *w, noe_engine_value what)
{
    switch (what) {
    case NOE_AT_T0: return &w->state.now[T0];
    case NOE_AT_STEP: return &w->state.now[STEP];
    case NOE_AT_COUNT: return &w->state.now[COUNT];
    default: return NULL;
    }
}

static void set(void *self, noe_engine_value what, int member, const quad *x)
{
    work         *w = self;
    double *const one = number_at(w, what);
    (void)member;
    state_changed(w);
    if (one) *one = (double)*x;
    if (what != NOE_AT_Q && what != NOE_AT_P && what != NOE_AT_V) return;
    double *to = array(w, w->state.now, what == NOE_AT_Q ? A_Q : what == NOE_AT_P ? A_P : A_F);
    for (int i = 0, k = 0; i < w->g->places; i++) {
        if (w->g->inverse[i] != 0) to[i] = (double)x[k++];
        else if (what == NOE_AT_Q) to[i] = w->g->q[i];
        else to[i] = 0;
    }
}

/* Position, momentum or velocity of one place, from the process that has it. */
static double at(work *w, noe_engine_value what, int place)
{
    if (w->g->coupled && what == NOE_AT_V) return make_whole(w), coupled_velocities(w)[place];
    const double p = array(w, w->state.now, A_P)[place];
    double       x = what == NOE_AT_Q ? array(w, w->state.now, A_Q)[place]
                   : what == NOE_AT_P ? p
                                      : p * w->g->inverse[place];
    if (w->state.partial) w->g->share->broadcast(w->g->share->ctx, owner_of(w, place), &x);
    return x;
}

static void get(void *self, noe_engine_value what, int member, quad *x)
{
    work         *w = self;
    double *const one = number_at(w, what);
    (void)member;
    if (one) *x = *one;
    else if (what == NOE_AT_T) *x = w->state.now[T0] + w->state.now[COUNT] * w->state.now[STEP];
    else if (what == NOE_AT_ENERGY) *x = energy(w);
    else if (what == NOE_AT_BALANCE) *x = energy(w) - w->state.now[H0];
    else if (what == NOE_AT_Q || what == NOE_AT_P || what == NOE_AT_V) {
        make_whole(w);
        for (int i = 0, k = 0; i < w->g->places; i++)
            if (w->g->inverse[i] != 0) x[k++] = at(w, what, i);
    } else *x = 0;
}

static void in_double(void *self, noe_engine_value what, int member, double *x)
{
    work           *w = self;
    const noe_sums *g = w->g;
    (void)member;
    if (what == NOE_AT_T) {
        *x = w->state.now[T0] + w->state.now[COUNT] * w->state.now[STEP];
        return;
    }
    make_whole(w);
    const double *from = what == NOE_AT_V && g->coupled
                           ? coupled_velocities(w)
                           : array(w, w->state.now, what == NOE_AT_Q ? A_Q : A_P);
    const bool    by_mass = what == NOE_AT_V && !g->coupled;
    for (int i = 0, k = 0; i < g->places; i++)
        if (g->inverse[i] != 0) x[k++] = by_mass ? from[i] * g->inverse[i] : from[i];
}

/* noe_engine.solver */
static quad solver_count(void *self, noe_solver_at what, int member)
{
    const work *w = self;
    (void)member;
    switch (what) {
    case NOE_SOLVER_CHOICE: return w->state.now[SOLVER];
    case NOE_SOLVER_ITERATIONS: return w->state.now[ITERATIONS];
    case NOE_SOLVER_REFRESHES: return w->state.now[REFRESHES];
    case NOE_SOLVER_RESIDUAL: return w->state.now[RESIDUAL];
    case NOE_SOLVER_CONTRACTED: return w->state.now[CONTRACTED];
    default: return 0;
    }
}

static void choose_solver(void *self, int member, quad choice)
{
    work *w = self;
    (void)member;
    state_changed(w);
    w->state.now[SOLVER] = (double)choice;
}

static void set_threads(void *self, int threads)
{
    work *w = self;
    state_changed(w);
    w->tiles.threads = threads;
}

static int threads(void *self) { return ((work *)self)->tiles.threads; }

static double get_one(void *self, noe_engine_value what, int place)
{
    return at(self, what, place);
}

static bool observe(void *self, quad *seen)
{
    work           *w = self;
    const noe_sums *g = w->g;
    double         *v = noe_status_alloc((size_t)g->places + NOE_TERM_BLOCK, sizeof *v);
    quad            t;
    make_whole(w);
    for (int i = 0; v && i < g->places; i++) v[i] = at(w, NOE_AT_V, i);
    get(w, NOE_AT_T, 0, &t);
    const bool ok = v
                 && noe_sums_observables_evaluate(g, total, (double)t, (double)energy(w),
                                                  array(w, w->state.now, A_Q), v,
                                                  array(w, w->state.now, A_P), seen);
    free(v);
    return ok;
}

static noe_status why(void *self, int member) { return (void)member, ((work *)self)->why; }

/* The caller may write to the state, so the factorizations are checked before their next use. */
static void *state_at_hand(work *w, size_t *bytes)
{
    if (w->newton) w->newton->accessible = true;
    state_changed(w);
    *bytes = (HEAD_SCALARS + STATE_ARRAYS * w->state.stride) * sizeof(double);
    return w->state.now;
}

/* The state for a restart; of several processes, what this one steps. */
static void *memory(void *self, size_t *bytes)
{
    work *w = self;
    w->state.partial = w->state.put_back = shares_tiles(w);
    return state_at_hand(w, bytes);
}

/* noe_engine_large.whole */
static const void *whole(void *self, size_t *bytes)
{
    work *w = self;
    make_whole(w);
    return state_at_hand(w, bytes);
}

/* noe_engine_large.place_whole */
static bool place_whole(void *self, const void *from, size_t bytes)
{
    work  *w = self;
    size_t own;
    void  *to = state_at_hand(w, &own);
    if (bytes == own) memcpy(to, from, bytes), w->state.partial = false;
    return bytes == own;
}

/* Terms, tiles, threads and iterations, for the summary of a run. */
static void summarize(void *self, char *text, size_t size)
{
    const work              *w = self;
    const sums_newton_state *x = w->newton;
    const double            *head = w->state.now;
    int64_t                  terms = 0;
    int                      operations = 0, at;
    for (int k = 0; k < w->g->groups; k++)
        if (w->g->group[k].force) {
            terms += w->g->group[k].terms.terms;
            operations += w->g->group[k].force->length;
        }
    at = snprintf(text, size, "%lld terms of %d operations in all, %lld tile%s on %d thread%s; ",
                  (long long)terms, operations, (long long)w->tiles.plan.tiles,
                  w->tiles.plan.tiles > 1 ? "s" : "", noe_thread_team_size(w->tiles.team),
                  noe_thread_team_size(w->tiles.team) > 1 ? "s" : "");
    if (at < 0 || (size_t)at >= size) return;
    if (w->method.explicit) {
        const int count = evaluations(w);
        at += snprintf(text + at, size - (size_t)at, "%d evaluation%s of the forces a step", count,
                       count > 1 ? "s" : "");
        if (w->tiles.plan.together > 1 && (size_t)at < size)
            snprintf(text + at, size - (size_t)at, ", up to %d steps of a tile at once",
                     w->tiles.plan.together);
        return;
    }
    at += snprintf(text + at, size - (size_t)at, "%.3g iterations a step, to %.1e of the positions",
                   head[ITERATIONS] / fmax(head[COUNT], 1), head[RESIDUAL]);
    if (head[REFRESHES] > 0 && x && x->ldl && (size_t)at < size)
        snprintf(text + at, size - (size_t)at,
                 "; %.0f of %.0f steps by Newton's method, %.0f matri%s, %lld entries a factor",
                 head[COUNT] - head[CONTRACTED], head[COUNT], head[REFRESHES],
                 head[REFRESHES] > 1 ? "ces" : "x", (long long)noe_ldl_entries(x->ldl));
}

static const noe_engine_solver solver = { solver_count, choose_solver };
static const noe_engine_large  large = { .one = get_one,
                                         .pieces = pieces,
                                         .range = range,
                                         .largest = largest_of_all,
                                         .copy = copy_state,
                                         .set_threads = set_threads,
                                         .threads = threads,
                                         .kinetic = kinetic,
                                         .observe = observe,
                                         .whole = whole,
                                         .place_whole = place_whole };
static const noe_engine        engine = { .members = 1,
                                          .make = make,
                                          .drop = drop,
                                          .set = set,
                                          .get = get,
                                          .in_double = in_double,
                                          .start = start,
                                          .step = step_once,
                                          .run = run,
                                          .why = why,
                                          .memory = memory,
                                          .summarize = summarize,
                                          .begin = begin,
                                          .solver = &solver,
                                          .large = &large };
const noe_sums_kernel          NOE_BUILD(noe_sums_kernel_) = { scatter, total, &engine };
