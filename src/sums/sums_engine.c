/* The sums engine: initial state, access to the state, summary.  Compiled once per instruction set.
 * SPDX-License-Identifier: BSD-3-Clause */
#define NOE_REAL NOE_DOUBLE
#include "sums/sums_memory.h"

/* Fills array A_F of the present state with the forces at its positions. */
static void present_forces(work *w)
{
    forces_everywhere(w, w->state.now[T0] + w->state.now[COUNT] * w->state.now[STEP],
                      array(w, w->state.now, A_Q), array(w, w->state.now, A_F));
}

static double energy(work *w)
{
    double kinetic;
    make_whole(w);
    return energy_of(w, w->state.now, &kinetic);
}

/* Starts a run from q and p of the present state: clears the compensation terms and the counts,
 * evaluates forces and energy.  1: something is not finite. */
static unsigned started(work *w)
{
    const size_t n = (size_t)w->g->places;
    w->state.partial = false;
    memset(array(w, w->state.now, A_DQ), 0, n * sizeof(double));
    memset(array(w, w->state.now, A_DP), 0, n * sizeof(double));
    static const int zero[] = { COUNT, ITERATIONS, RESIDUAL, FROZEN, REFRESHES, CONTRACTED,
                                STIFF, WAIT,       SPENT,    BLOCK,  COST };
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) w->state.now[zero[i]] = 0;
    w->state.now[PATIENCE] = FIRST_WAIT;
    present_forces(w);
    double kinetic;
    w->state.now[H0] = energy_of(w, w->state.now, &kinetic);
    const double *q = array(w, w->state.now, A_Q), *p = array(w, w->state.now, A_P),
                 *F = array(w, w->state.now, A_F);
    double not_finite = w->state.now[H0] - w->state.now[H0];
    for (size_t i = 0; i < n; i++) not_finite += (q[i] - q[i]) + (p[i] - p[i]) + (F[i] - F[i]);
    w->why = not_finite == 0 ? NOE_OK : NOE_NOT_FINITE;
    if (w->newton) w->newton->velocity_known = false;
    return not_finite != 0;
}

/* Starts from the initial conditions of the model. */
static unsigned begin(void *self)
{
    work           *w = self;
    const noe_sums *g = w->g;
    double         *q = array(w, w->state.now, A_Q), *p = array(w, w->state.now, A_P);
    for (int i = 0; i < g->places; i++) {
        q[i] = g->q[i];
        p[i] = g->inverse[i] != 0 ? g->v[i] / g->inverse[i] : 0;
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
    if (w->newton) w->newton->velocity_known = false;
    if (one) *one = (double)*x;
    if (what != NOE_AT_Q && what != NOE_AT_P && what != NOE_AT_V) return;
    double *to = array(w, w->state.now, what == NOE_AT_Q ? A_Q : what == NOE_AT_P ? A_P : A_F);
    for (int i = 0, k = 0; i < w->g->places; i++) {
        if (w->g->inverse[i] != 0) to[i] = (double)x[k++];
        else if (what == NOE_AT_Q) to[i] = w->g->q[i];
        else to[i] = 0;
    }
}

/* Position, momentum or velocity of one place. */
static double at(work *w, noe_engine_value what, int place)
{
    make_whole(w);
    if (w->g->coupled && what == NOE_AT_V) return coupled_velocities(w)[place];
    const double p = array(w, w->state.now, A_P)[place];
    return what == NOE_AT_Q ? array(w, w->state.now, A_Q)[place]
         : what == NOE_AT_P ? p
                            : p * w->g->inverse[place];
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
    else if (what == NOE_AT_Q || what == NOE_AT_P || what == NOE_AT_V)
        for (int i = 0, k = 0; i < w->g->places; i++) {
            if (w->g->inverse[i] != 0) x[k++] = at(w, what, i);
        }
    else *x = 0;
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

/* What the threads hand out: the places of each, some at a time. */
typedef struct {
    work             *w;
    const double     *v;    /* of coupled masses; else NULL: p by the mass */
    noe_engine_piece *take; /* who takes them */
    void             *ctx;  /* its first argument */
    int               threads;
    int               begin, end; /* the places begin .. end - 1 */
} pieces_at_hand;

static void pieces_of_thread(void *ctx, int me)
{
    enum { PIECE = 512 };
    const pieces_at_hand *x = ctx;
    const noe_sums       *g = x->w->g;
    const double *q = array(x->w, x->w->state.now, A_Q), *p = array(x->w, x->w->state.now, A_P);
    const int64_t places = x->end - x->begin;
    const int     from = x->begin + (int)(places * me / x->threads),
              end = x->begin + (int)(places * (me + 1) / x->threads);
    double q_of[PIECE], v_of[PIECE], p_of[PIECE];
    int    first = from, count = 0;
    for (int i = 0; i < from && g->n < g->places; i++) first -= g->inverse[i] == 0;
    for (int i = from; i < end; i++) {
        if (g->inverse[i] != 0) {
            q_of[count] = q[i], p_of[count] = p[i];
            v_of[count++] = x->v ? x->v[i] : p[i] * g->inverse[i];
        }
        if (!count || (count < PIECE && i + 1 < end)) continue;
        x->take(x->ctx, first, count, q_of, v_of, p_of);
        first += count, count = 0;
    }
}

/* Does each process hand out its own coordinates alone?  Their numbers are those of places. */
static bool divides_pieces(const work *w) { return shares_tiles(w) && w->g->n == w->g->places; }

/* noe_engine_large.range */
static bool range(void *self, int k, int *first, int *end)
{
    const work     *w = self;
    const noe_sums *g = w->g;
    const bool      divides = divides_pieces(w);
    int64_t         lo = 0, hi = 0;
    *first = 0, *end = g->n;
    if (k >= (divides ? g->families : 1)) return false;
    if (!divides) return true;
    const noe_tile_plan plan = division(w);
    const int64_t       n = g->family[k].count, at = g->family[k].first;
    noe_sums_share_sites(&plan, g->share->rank, g->share->count, &lo, &hi);
    *first = (int)(at + (lo < n ? lo : n)), *end = (int)(at + (hi < n ? hi : n));
    return true;
}

/* noe_engine_large.largest */
static void largest_of_all(void *self, int count, double *x)
{
    const work *w = self;
    if (divides_pieces(w)) w->g->share->largest(w->g->share->ctx, count, x);
}

/* noe_engine_large.pieces */
static void pieces(void *self, noe_engine_piece *take, void *ctx)
{
    work           *w = self;
    const noe_sums *g = w->g;
    const bool      alone = g->places < ONE_THREAD_PLACES, divides = divides_pieces(w);
    const int       threads = alone ? 1 : noe_thread_team_size(w->tiles.team);
    pieces_at_hand  x = { w, NULL, take, ctx, threads, 0, g->places };
    if (!divides) make_whole(w);
    if (g->coupled) x.v = coupled_velocities(w);
    for (int k = 0; !divides ? k < 1 : range(w, k, &x.begin, &x.end); k++)
        if (alone) pieces_of_thread(&x, 0);
        else noe_thread_team_do(w->tiles.team, pieces_of_thread, &x);
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
    if (w->newton) w->newton->velocity_known = false;
    w->state.now[SOLVER] = (double)choice;
}

static void set_threads(void *self, int threads)
{
    work *w = self;
    if (w->newton) w->newton->velocity_known = false;
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

/* The state for a restart.  The caller may write to it, so the factorizations are checked before
 * their next use. */
static void *memory(void *self, size_t *bytes)
{
    work *w = self;
    if (w->newton) w->newton->accessible = true, w->newton->velocity_known = false;
    make_whole(w);
    *bytes = (HEAD + STATE * w->state.stride) * sizeof(double);
    return w->state.now;
}

/* Terms, tiles, threads and iterations, for the summary of a run. */
static void summarize(void *self, char *text, size_t size)
{
    const work   *w = self;
    const newton *x = w->newton;
    const double *head = w->state.now;
    int64_t       terms = 0;
    int           operations = 0, at;
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
                                         .set_threads = set_threads,
                                         .threads = threads,
                                         .observe = observe };
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
