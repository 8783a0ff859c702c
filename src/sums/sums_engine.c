/* The sums engine: memory, initial state, access to the state.  Compiled once per instruction set.
 * SPDX-License-Identifier: BSD-3-Clause */
#define NOE_REAL NOE_DOUBLE
#include "sums/sums_solver.h"
#include "method/stability.h"

/* alpha_i = I_i . G^-1 w,  share_ij = beta_ij/b_j = I_i . G^-1 X_j  and  rest_j = w . G^-1 X_j of a
 * Galerkin method, in binary128, from the modes of the velocity a = G^-1 ( w p + h sum_i b_i X_i
 * F_i )/m.  False: G is singular. */
static bool coefficients(work *w, const noe_method *f)
{
    const int s = f->s, r = w->r = f->r;
    quad      G[NOE_MAX_DEGREE][NOE_MAX_DEGREE + 1 + NOE_MAX_POINTS] = { { 0 } };
    for (int m = 0; m < s; m++) {
        for (int k = 0; k < s; k++)
            for (int i = 0; i < r; i++) G[m][k] += f->b[i] * f->l[i][m] * f->l[i][k];
        G[m][s] = f->w[m];
        for (int i = 0; i < r; i++) G[m][s + 1 + i] = f->X[i][m];
    }
    /* Gauss-Jordan elimination without pivoting: G is positive definite. */
    for (int c = 0; c < s; c++) {
        if (!(G[c][c] > 0)) return false;
        for (int k = s + r; k >= c; k--) G[c][k] /= G[c][c];
        for (int m = 0; m < s; m++)
            for (int k = s + r; m != c && k >= c; k--) G[m][k] -= G[m][c] * G[c][k];
    }
    for (int j = 0; j < r; j++) {
        w->c[j] = (double)f->c[j], w->b[j] = (double)f->b[j];
        w->alpha[j] = w->rest[j] = 0;
        for (int m = 0; m < s; m++) {
            w->alpha[j] += f->I[j][m] * G[m][s];
            w->rest[j] += f->w[m] * G[m][s + 1 + j];
        }
        for (int i = 0; i < r; i++) {
            w->share[i][j] = 0;
            for (int m = 0; m < s; m++) w->share[i][j] += f->I[i][m] * G[m][s + 1 + j];
        }
    }
    w->first = f->c[0] == 0 && f->c[r - 1] == 1;
    w->last = w->first;
    w->lo = w->first, w->hi = r - w->last;
    return true;
}

/* n elements of the arena; NULL, and *ok = false, if there is no memory or *ok was false before. */
static void *piece(noe_arena *a, size_t n, size_t size, bool *ok)
{
    void *p = *ok ? noe_arena_take(a, (n ? n : 1) * size) : NULL;
    *ok = p != NULL;
    return p;
}

/* Scratch arrays of one thread, of the length of a tile with its halos.  False: out of memory. */
static bool scratch(const work *w, tile_memory *d)
{
    const size_t doubles = (size_t)tile_doubles(w->g, &w->t, w->t.halo);
    bool         ok = true;
    /* With a single tile all threads use the arrays of the first. */
    if (w->t.tiles == 1 && d != w->tile_memory) return true;
    for (int i = w->lo; i < w->hi; i++) {
        d->C[i] = piece(w->arena, doubles, sizeof(double), &ok);
        d->Q[i] = piece(w->arena, doubles, sizeof(double), &ok);
        d->F[i] = piece(w->arena, doubles, sizeof(double), &ok);
    }
    for (int i = 0; i < TILE_ARRAYS; i++)
        d->one[i] = (double *)piece(w->arena, doubles + NOE_MARGIN, sizeof(double), &ok)
                  + NOE_MARGIN;
    for (int i = 0; w->t.ring && i < READ; i++)
        d->wrapped[i] = piece(w->arena, doubles, sizeof(double), &ok);
    return ok;
}

/* Makes the halos of the tiles wide enough for `rounds` evaluations of the forces.  False: out of
 * memory. */
static bool widen(work *w, int rounds)
{
    bool ok = true;
    w->rounds = w->explicit || rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS;
    w->t.halo = w->t.tiles > 1 ? rim(&w->t, w->rounds) : 0;
    for (int k = 0; ok && k < (w->tile_memories ? w->tile_memories : 1); k++)
        ok = scratch(w, &w->tile_memory[k]);
    return ok;
}

/* Pointers, cells and masks of the fused loop for one thread.  The loop itself is compiled with the
 * memory of the first thread and serves all.  False: out of memory. */
static bool fused_tile(work *w, tile_memory *d)
{
    const noe_sums           *g = w->g;
    noe_fused_loop           *f = &w->fused;
    bool                      ok = true;
    const noe_block_program **program = piece(w->arena, (size_t)g->groups, sizeof *program, &ok);
    for (int k = 0; ok && k < g->groups; k++) {
        strip *s = &d->strip[k];
        program[k] = g->group[k].force ? s->term_memory.program : NULL;
        s->mask = (double *)piece(w->arena, NOE_TERM_PITCH, sizeof(double), &ok) + NOE_MARGIN;
        if (ok) memset(s->mask - NOE_MARGIN, 0, NOE_TERM_PITCH * sizeof(double));
    }
    if (!ok || (d == w->tile_memory && !noe_fused_loop_make(f, g, program, w->arena))) return false;
    d->line = piece(w->arena, (size_t)f->slots, sizeof *d->line, &ok);
    d->cell = piece(w->arena, (size_t)f->slots * LANES, sizeof *d->cell, &ok);
    if (ok) memset(d->cell, 0, (size_t)f->slots * LANES * sizeof *d->cell);
    for (int k = 0; ok && f->run && k < g->groups; k++)
        for (int i = 0; program[k] && i < program[k]->constants; i++)
            fill(d->cell + (f->group[k].first + program[k]->inputs + i) * LANES,
                 program[k]->constant[i], 0, LANES);
    return ok;
}

/* The memory of one thread; the loops of machine code are made with that of the first.  False: out
 * of memory. */
static bool tile_memory_make(work *w, tile_memory *d)
{
    const noe_sums *g = w->g;
    const size_t    r = (size_t)w->r + 1;
    bool            ok = true;
    d->segment = piece(w->arena, (size_t)g->families, sizeof *d->segment, &ok);
    d->origin = piece(w->arena, (size_t)w->slots, sizeof *d->origin, &ok);
    d->landing = piece(w->arena, (size_t)w->slots, sizeof *d->landing, &ok);
    d->term_memory = piece(w->arena, (size_t)g->groups, sizeof *d->term_memory, &ok);
    d->strip = piece(w->arena, (size_t)g->groups, sizeof *d->strip, &ok);
    d->sum = piece(w->arena, (size_t)g->families, sizeof *d->sum, &ok);
    d->C = piece(w->arena, r, sizeof *d->C, &ok);
    d->Q = piece(w->arena, r, sizeof *d->Q, &ok);
    d->F = piece(w->arena, r, sizeof *d->F, &ok);
    for (int i = 0; ok && i < g->groups; i++)
        if (g->group[i].force) {
            ok = make_term_memory(&d->term_memory[i], w->arena, g->group[i].force);
            if (NOE_BUILD_LEVEL > 0 && ok && d == w->tile_memory)
                ok = noe_block_loop_make(&w->loops[i], NOE_BUILD_LEVEL, d->term_memory[i].program,
                                         w->arena);
            d->term_memory[i].loops = &w->loops[i];
            if (!ok || !w->explicit) continue;
            ok = make_term_memory(&d->strip[i].term_memory, w->arena, g->group[i].force);
            d->strip[i].term_memory.loops = &w->loops[i];
            d->strip[i].at = piece(w->arena, (size_t)w->slots, sizeof *d->strip[i].at, &ok);
        }
    /* A single tile never changes. */
    if (ok && w->t.tiles == 1) cut(g, &w->t, 0, d);
    return ok && (!w->flows || NOE_BUILD_LEVEL < 2 || fused_tile(w, d));
}

/* State, tiles, memory of the first thread, and the largest number of threads with work.  False:
 * out of memory. */
static bool lay_out(work *w)
{
    const noe_sums *g = w->g;
    bool            ok = true;
    w->stride = ((size_t)g->places + 2 * NOE_TERM_BLOCK) / LANES * LANES;
    w->wide = ((size_t)g->places + LANES - 1) / LANES * LANES;
    w->now = piece(w->arena, HEAD + STATE * w->stride, sizeof(double), &ok);
    w->next = piece(w->arena, HEAD + STATE * w->stride, sizeof(double), &ok);
    w->streaming = 2 * ARRAYS * w->stride * sizeof(double) > CACHE;
    w->per_round = 0;
    for (int k = 0; k < g->groups; k++)
        if (g->group[k].force)
            w->per_round += (double)g->group[k].terms.terms * g->group[k].force->length
                          * (w->hi - w->lo);
    if (!ok || !tile(g, w->arena, w->explicit ? evaluations(w) : 0, &w->t)) return false;
    for (int i = 0; i < g->groups; i++)
        w->slots = g->group[i].terms.slots > w->slots ? g->group[i].terms.slots : w->slots;
    w->length = 1;
    if (w->parts) w->before = piece(w->arena, HEAD + STATE * w->stride, sizeof(double), &ok);
    w->rounds = w->explicit ? evaluations(w) : w->t.tiles > 1 ? FIRST_ROUNDS : MOST_ROUNDS;
    w->tile_memory = piece(w->arena, NOE_THREADS_MOST, sizeof *w->tile_memory, &ok);
    w->loops = piece(w->arena, (size_t)g->groups, sizeof *w->loops, &ok);
    if (!ok || !tile_memory_make(w, w->tile_memory) || !widen(w, w->rounds)) return false;
    w->tile_memories = 1;
    if (w->t.tiles == 1 && !partition_terms(g, w->arena, w->tile_memory, &w->shares)) return false;
    if (w->explicit && w->t.tiles == 1)
        gather_forces(g, &w->t, &w->fused, w->tile_memory, !w->shares.count,
                      w->tile_memory->one[E_Q], w->tile_memory->one[E_F]);
    const int64_t most = w->t.tiles > 1  ? w->t.sites < 2 * TILE ? 1 : w->t.tiles
                       : w->shares.count ? w->shares.count
                                         : 1;
    w->most = most < NOE_THREADS_MOST ? (int)most : NOE_THREADS_MOST;
    return true;
}

/* Starts the threads, with memory for each, at the first step or when their number has changed.
 * False: out of memory. */
static bool hire(work *w)
{
    if (w->most == 1) return true;
    const int asked = w->threads ? w->threads : noe_thread_team_processors(),
              size = asked < w->most ? asked : w->most;
    if (size == noe_thread_team_size(w->team)) return true;
    noe_thread_team_free(w->team);
    w->team = NULL;
    for (; w->tile_memories < size; w->tile_memories++)
        if (!tile_memory_make(w, &w->tile_memory[w->tile_memories])
            || !scratch(w, &w->tile_memory[w->tile_memories]))
            return false;
    return size == 1 || (w->team = noe_thread_team_new(size)) != NULL;
}

static void drop(void *self)
{
    work *w = self;
    newton_free(w->newton);
    noe_thread_team_free(w->team);
    for (int k = 0; w->loops && k < w->g->groups; k++) noe_block_loop_free(&w->loops[k]);
    noe_fused_loop_free(&w->fused);
    noe_arena_free(w->arena);
}

/* The coefficients of the method.  False: it has too few nodes, or out of memory. */
static bool numbers(work *w, const noe_method *f)
{
    if (f->kind != NOE_GALERKIN) return explicit_numbers(w, f);
    w->parts = f->parts;
    w->part = noe_arena_take(w->arena, ((size_t)f->parts + 1) * sizeof *w->part);
    for (int i = 0; w->part && i < f->parts; i++) w->part[i] = (double)f->part[i];
    if (!noe_stability_windows(f, INFINITY, &w->edge, 1)) w->edge = INFINITY;
    return w->part && coefficients(w, f) && noe_stage_modes_make(f, &w->modes);
}

static void *make(const noe_dynamics *dyn, const noe_method *f)
{
    noe_arena *arena = noe_arena_new();
    work      *w = noe_arena_take(arena, sizeof *w);
    if (w) {
        w->arena = arena, w->g = dyn->groups;
        if (!numbers(w, f))
            noe_status_fail(NOE_INVALID, "'%s' has too few points for so many coordinates",
                            noe_method_name(f));
        else if (lay_out(w) && (!w->g->coupled || newton_ready(w))) return w;
        drop(w);
    } else noe_arena_free(arena);
    return NULL;
}

/* Fills array A_F of the present state with the forces at its positions. */
static void present_forces(work *w)
{
    forces_everywhere(w, w->now[T0] + w->now[COUNT] * w->now[STEP], array(w, w->now, A_Q),
                      array(w, w->now, A_F));
}

/* p.M^-1 p/2 + U of a state by compensated sums, in an order that does not depend on tiles or
 * threads; the first term alone in *kinetic.  NaN: out of memory. */
static double energy_of(const work *w, double *state, double *kinetic)
{
    const noe_sums *g = w->g;
    const double *q = array(w, state, A_Q), *p = array(w, state, A_P), *dp = array(w, state, A_DP);
    const double  t = state[T0] + state[COUNT] * state[STEP];
    double        s[LANES] = { 0 }, e[LANES] = { 0 };
    for (int i = 0; i < g->places; i++) {
        const double P = p[i] + dp[i];
        add_exactly(&s[i % LANES], &e[i % LANES], P * P * g->inverse[i] / 2);
    }
    for (int k = 1; k < LANES; k++) add_exactly(&s[0], &e[0], s[k]), e[0] += e[k];
    *kinetic = s[0] + e[0];
    if (g->coupled) s[0] = *kinetic = coupled_energy(w, state), e[0] = 0;
    for (int k = 0; k < g->groups; k++) {
        double U;
        if (!g->group[k].value) continue;
        if (!total(g, &g->group[k], t, q, NULL, NULL, &U)) return __builtin_nan("");
        add_exactly(&s[0], &e[0], U);
    }
    return s[0] + e[0];
}

static double energy(work *w)
{
    double kinetic;
    return energy_of(w, w->now, &kinetic);
}

/* Starts a run from q and p of the present state: clears the compensation terms and the counts,
 * evaluates forces and energy.  1: something is not finite. */
static unsigned started(work *w)
{
    const size_t n = (size_t)w->g->places;
    memset(array(w, w->now, A_DQ), 0, n * sizeof(double));
    memset(array(w, w->now, A_DP), 0, n * sizeof(double));
    static const int zero[] = { COUNT, ITERATIONS, RESIDUAL, FROZEN, REFRESHES, CONTRACTED,
                                STIFF, WAIT,       SPENT,    BLOCK,  COST };
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) w->now[zero[i]] = 0;
    w->now[PATIENCE] = FIRST_WAIT;
    present_forces(w);
    w->now[H0] = energy_of(w, w->now, &w->now[KINETIC]);
    const double *q = array(w, w->now, A_Q), *p = array(w, w->now, A_P), *F = array(w, w->now, A_F);
    double        poison = w->now[H0] - w->now[H0];
    for (size_t i = 0; i < n; i++) poison += (q[i] - q[i]) + (p[i] - p[i]) + (F[i] - F[i]);
    w->why = poison == 0 ? NOE_OK : NOE_NOT_FINITE;
    if (w->newton) w->newton->known = false;
    return poison != 0;
}

/* Starts from the initial conditions of the model. */
static unsigned begin(void *self)
{
    work           *w = self;
    const noe_sums *g = w->g;
    double         *q = array(w, w->now, A_Q), *p = array(w, w->now, A_P);
    for (int i = 0; i < g->places; i++) {
        q[i] = g->q[i];
        p[i] = g->inverse[i] != 0 ? g->v[i] / g->inverse[i] : 0;
    }
    if (g->coupled) coupled_momenta(w, g->v, p);
    w->now[T0] = g->t0;
    return started(w);
}

/* Starts from q and, for each coordinate that is not fixed, from p (momentum[k]) or v.  Velocities
 * set before the start are stored in array A_F, which `started` overwrites with the forces. */
static unsigned start(void *self, const bool *momentum)
{
    work           *w = self;
    const noe_sums *g = w->g;
    double         *p = array(w, w->now, A_P), *v = array(w, w->now, A_F);
    int             given = 0;
    for (int i = 0, k = 0; i < g->places; i++) {
        if (g->inverse[i] == 0) continue;
        if (!momentum[k]) p[i] = v[i] / g->inverse[i];
        given += momentum[k++];
    }
    if (g->coupled && given && given < g->n) {
        w->why = noe_status_fail(
            NOE_INVALID,
            "the kinetic energy couples velocities: give the momenta of all coordinates or of none");
        return 1;
    }
    if (g->coupled && !given) coupled_momenta(w, v, p);
    return started(w);
}

/* Where a scalar of the state is stored; NULL: not in the state. */
static double *number_at(work *w, noe_engine_value what)
{
    switch (what) {
    case NOE_AT_T0: return &w->now[T0];
    case NOE_AT_STEP: return &w->now[STEP];
    case NOE_AT_COUNT: return &w->now[COUNT];
    default: return NULL;
    }
}

static void set(void *self, noe_engine_value what, int member, const quad *x)
{
    work         *w = self;
    double *const one = number_at(w, what);
    (void)member;
    if (w->newton) w->newton->known = false;
    if (one) *one = (double)*x;
    if (what != NOE_AT_Q && what != NOE_AT_P && what != NOE_AT_V) return;
    double *to = array(w, w->now, what == NOE_AT_Q ? A_Q : what == NOE_AT_P ? A_P : A_F);
    for (int i = 0, k = 0; i < w->g->places; i++) {
        if (w->g->inverse[i] != 0) to[i] = (double)x[k++];
        else if (what == NOE_AT_Q) to[i] = w->g->q[i];
        else to[i] = 0;
    }
}

/* Position, momentum or velocity of one place. */
static double at(work *w, noe_engine_value what, int place)
{
    if (w->g->coupled && what == NOE_AT_V) return coupled_velocities(w)[place];
    const double p = array(w, w->now, A_P)[place];
    return what == NOE_AT_Q ? array(w, w->now, A_Q)[place]
         : what == NOE_AT_P ? p
                            : p * w->g->inverse[place];
}

static void get(void *self, noe_engine_value what, int member, quad *x)
{
    work         *w = self;
    double *const one = number_at(w, what);
    (void)member;
    if (one) *x = *one;
    else if (what == NOE_AT_T) *x = w->now[T0] + w->now[COUNT] * w->now[STEP];
    else if (what == NOE_AT_ENERGY) *x = energy(w);
    else if (what == NOE_AT_BALANCE) *x = energy(w) - w->now[H0];
    else if (what == NOE_AT_Q || what == NOE_AT_P || what == NOE_AT_V)
        for (int i = 0, k = 0; i < w->g->places; i++) {
            if (w->g->inverse[i] != 0) x[k++] = at(w, what, i);
        }
    else *x = 0;
}

/* noe_engine.solver */
static quad solver_count(void *self, noe_solver_at what, int member)
{
    const work *w = self;
    (void)member;
    switch (what) {
    case NOE_SOLVER_CHOICE: return w->now[SOLVER];
    case NOE_SOLVER_ITERATIONS: return w->now[ITERATIONS];
    case NOE_SOLVER_REFRESHES: return w->now[REFRESHES];
    case NOE_SOLVER_RESIDUAL: return w->now[RESIDUAL];
    case NOE_SOLVER_CONTRACTED: return w->now[CONTRACTED];
    default: return 0;
    }
}

static void choose_solver(void *self, int member, quad choice)
{
    work *w = self;
    (void)member;
    if (w->newton) w->newton->known = false;
    w->now[SOLVER] = (double)choice;
}

static void set_threads(void *self, int threads)
{
    work *w = self;
    if (w->newton) w->newton->known = false;
    w->threads = threads;
}

static int threads(void *self) { return ((work *)self)->threads; }

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
    for (int i = 0; v && i < g->places; i++) v[i] = at(w, NOE_AT_V, i);
    get(w, NOE_AT_T, 0, &t);
    const bool ok = v
                 && noe_sums_observables_evaluate(g, total, (double)t, (double)energy(w),
                                                  array(w, w->now, A_Q), v, array(w, w->now, A_P),
                                                  seen);
    free(v);
    return ok;
}

static noe_status why(void *self, int member) { return (void)member, ((work *)self)->why; }

/* The state for a restart.  The caller may write to it, so the factorizations are checked before
 * their next use. */
static void *memory(void *self, size_t *bytes)
{
    work *w = self;
    if (w->newton) w->newton->accessible = true, w->newton->known = false;
    *bytes = (HEAD + STATE * w->stride) * sizeof(double);
    return w->now;
}

/* Terms, tiles, threads and iterations, for the summary of a run. */
static void tell(void *self, char *text, size_t size)
{
    const work   *w = self;
    const newton *x = w->newton;
    const double *head = w->now;
    int64_t       terms = 0;
    int           operations = 0, at;
    for (int k = 0; k < w->g->groups; k++)
        if (w->g->group[k].force)
            terms += w->g->group[k].terms.terms, operations += w->g->group[k].force->length;
    at = snprintf(text, size, "%lld terms of %d operations in all, %lld tile%s on %d thread%s; ",
                  (long long)terms, operations, (long long)w->t.tiles, w->t.tiles > 1 ? "s" : "",
                  noe_thread_team_size(w->team), noe_thread_team_size(w->team) > 1 ? "s" : "");
    if (at < 0 || (size_t)at >= size) return;
    if (w->explicit) {
        const int count = evaluations(w);
        snprintf(text + at, size - (size_t)at, "%d evaluation%s of the forces a step", count,
                 count > 1 ? "s" : "");
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
static const noe_engine_large  large = { get_one, set_threads, threads, observe };
static const noe_engine        core = { .members = 1,
                                        .make = make,
                                        .drop = drop,
                                        .set = set,
                                        .get = get,
                                        .start = start,
                                        .step = step_once,
                                        .why = why,
                                        .memory = memory,
                                        .tell = tell,
                                        .begin = begin,
                                        .solver = &solver,
                                        .large = &large };
const noe_sums_kernel          NOE_BUILD(noe_sums_kernel_) = { scatter, total, &core };
