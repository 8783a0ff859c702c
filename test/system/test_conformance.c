/* Every engine makes D2 L_d(q_k-1, q_k) + D1 L_d(q_k, q_k+1) = 0, and all make the same states.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The engines: double, lanes, binary128, 50 digits, sums, a transition matrix, structures, and the
 * emitted C; each on random Lagrangians of the kinds that it takes, by the Galerkin methods that it
 * has.  The law is computed from positions alone, in binary128, by test/discrete_action.h. */
#include "discrete_action.h"
#include "base/optional_library.h"
#include "emitted.h"
#include "job/verbs.h"
#include "linear/dense_engine.h"
#include "linear/structure_engine.h"
#include "matrix/structure.h"
#include "system/recognise_structure.h"
#ifdef NOE_ARB
#include "arb/arb_engine.h"
enum { DIGITS_MADE = 1 };
#else
enum { DIGITS_MADE = 0 }; /* this build has no engine for many digits */
#endif

enum { STEPS = 5, LANE = 5 };

static const char *const methods[] = { "simpson",    "lobatto 3",       "gauss 1",
                                       "gauss 2",    "gauss 3",         "gauss 8",
                                       "P2 gauss 4", "P3 radau-left 4", "P4 clenshaw 5" };
enum { ALL = sizeof methods / sizeof *methods };

/* ---- engines ---- */

typedef enum { DOUBLE, LANES, QUAD, DIGITS, SUMS, MATRIX, STRUCTURE, EMITTED, ENGINES } engine;

static const struct {
    const char *name;
    unsigned    kinds;     /* bit k: takes Lagrangians of kind k */
    bool        in_double; /* what a rounding is: 2^-53, else 2^-113 */
    double      roundings; /* bound of the residual */
    double      factor;    /* bound of the states' difference, in roundings and their growth */
} engines[ENGINES] = {
    { "double", 7, true, 16, 16 },
    { "lanes", 7, true, 16, 16 },
    { "binary128", 7, false, 32, 16 },
    { "50 digits", 7, false, 32, 16 }, /* what is rounded is the law itself */
    { "sums", 1 << CHAIN, true, 32, 64 },
    { "matrix", 1 << QUADRATIC, true, 16, 16 },
    /* polynomials and factors of M + lambda h^2 K, with the roundings of their recurrences */
    { "structure", 1 << QUADRATIC, true, 64, 256 },
    { "emitted C", 7, true, 16, 16 },
};

static int made[ENGINES][ALL]; /* runs of each engine by each method */
static struct {
    double residual, error; /* the largest seen */
} most[ENGINES];

/* A problem: the system in the forms that the engines take, a method, a start. */
typedef struct {
    lagrangian     L;
    noe_system    *whole, *sums;
    noe_structure *matrices;
    noe_method    *method;
    const char    *name;
    quad           h;
    point          start;
} problem;

typedef struct {
    point x[STEPS + 1];
} motion;

static problem make_problem(kind kind, int which, bool wrong)
{
    problem    x = { .L = random_lagrangian(kind, kind == ANY ? 2 + below(2) : 5 + below(2)),
                     .method = method(methods[which]),
                     .name = methods[which],
                     .h = (quad)(8 + below(17)) / 128 };
    lagrangian other = x.L;
    if (wrong) other.g[0] += (quad)1 / 64;
    char *text = lagrangian_text(&other);
    x.whole = parse(text);
    noe_arena *arena = noe_arena_new();
    x.sums = noe_arena_take(arena, sizeof *x.sums);
    *x.sums = (noe_system){ .arena = arena, .source = "model" };
    if (!noe_system_fill(x.sums, NOE_MODEL_GROUPED, text, strlen(text)))
        fail_msg("%s\n%s", noe_error(), text);
    if (kind == QUADRATIC) x.matrices = noe_recognise_structure(&x.whole->dyn);
    free(text);
    x.start.t = (quad)below(64) / 64;
    for (int j = 0; j < x.L.n; j++) x.start.q[j] = random_number(), x.start.v[j] = random_number();
    quad F[SITES];
    slopes_of(&other, x.start.t, x.start.q, x.start.v, x.start.p, F);
    for (int j = 0; j < x.L.n; j++) x.start.p[j] = (double)x.start.p[j];
    return x;
}

static void end_problem(problem *x)
{
    noe_structure_free(x->matrices);
    noe_system_free(x->sums);
    noe_system_free(x->whole);
    noe_method_free(x->method);
}

/* Lane i starts elsewhere than lane 0. */
static point start_of(const problem *x, int lane)
{
    point y = x->start;
    for (int j = 0; j < x->L.n; j++) y.q[j] *= 1 - lane / (quad)16, y.p[j] *= 1 - lane / (quad)16;
    return y;
}

static int runs, handed_over; /* of engines; those that an engine alone did not finish */

/* False: the engine did not solve a step near its prediction and left it to the integrator, which
 * follows the solution from h = 0.  With these steps no engine does. */
static bool run_engine(const noe_engine *e, const noe_dynamics *dyn, const problem *x, int lane,
                       motion *to)
{
    bool finished = true;
    bool momentum[DOFS];
    run  r = { e, e->make(dyn, x->method), x->L.n };
    if (!r.work) fail_msg("%s", noe_error());
#ifdef NOE_ARB
    if (e->digits) e->digits->set(r.work, 50);
#endif
    for (int j = 0; j < DOFS; j++) momentum[j] = true;
    for (int i = 0; i < e->members; i++) {
        const point y = start_of(x, i);
        e->set(r.work, NOE_AT_STEP, i, &x->h);
        put_point(r, i, &y);
    }
    if (e->start(r.work, momentum)) fail_msg("%s: a start failed", x->name);
    for (int k = 0; k <= STEPS && finished; k++) {
        if (k && e->step(r.work)) {
            for (int i = 0; i < e->members; i++)
                if (e->why(r.work, i) != NOE_OK && e->why(r.work, i) != NOE_NOT_CONVERGED)
                    fail_msg("%s: a step failed: %d", x->name, e->why(r.work, i));
            finished = false;
        }
        to->x[k] = get_point(r, lane);
    }
    e->drop(r.work);
    runs++, handed_over += !finished;
    return finished;
}

static motion run_emitted(const problem *x)
{
    static int count;
    char       name[16];
    void      *library;
    motion     to = { 0 };
    double     q[SITES], v[SITES], h[STEPS], end[3 * SITES + 1];
    snprintf(name, sizeof name, "c%d", count++);
    char *text = noe_emit_step(x->whole, x->method, name);
    if (!text) fail_msg("%s", noe_error());
    go *C = compile(name, text, &library);
    for (int j = 0; j < x->L.n; j++) q[j] = (double)x->start.q[j], v[j] = (double)x->start.v[j];
    for (int k = 0; k < STEPS; k++) h[k] = (double)x->h;
    for (int k = 0; k <= STEPS; k++) {
        if (C((double)x->start.t, q, v, NULL, h, k, end)) fail_msg("%s: emitted", x->name);
        for (int j = 0; j < x->L.n; j++) to.x[k].q[j] = end[j], to.x[k].p[j] = end[x->L.n + j];
        to.x[k].t = end[3 * x->L.n];
    }
    dlclose(library);
    free(text);
    return to;
}

/* False: the engine does not have the method, is not there, or left a step to the integrator. */
static bool run_by(engine e, const problem *x, int lane, motion *to)
{
    noe_dynamics        linear = { .n = x->L.n,
                                   .linear = true,
                                   .constant = true,
                                   .quadratic = true,
                                   .autonomous = true,
                                   .structure = x->matrices };
    const noe_engine   *core = NULL;
    const noe_dynamics *dyn = &x->whole->dyn;
    switch (e) {
    case DOUBLE: core = noe_engine_double(); break;
    case LANES: core = noe_engine_lanes(); break;
    case QUAD: core = noe_engine_quad(); break;
#ifdef NOE_ARB
    case DIGITS: core = noe_arb_engine_select(); break;
#endif
    case SUMS:
        dyn = &x->sums->dyn;
        core = noe_sums_engine(dyn->groups, x->method);
        break;
    case MATRIX: core = noe_dense_engine(dyn, x->method); break;
    case STRUCTURE:
        assert_non_null(x->matrices);
        dyn = &linear;
        core = noe_structure_engine_select(dyn, x->method);
        break;
    case EMITTED: *to = run_emitted(x); return true;
    default: break;
    }
    return core && run_engine(core, dyn, x, lane, to);
}

/* ---- laws ---- */

/* The largest |D2 L_d(q_k-1, q_k) + D1 L_d(q_k, q_k+1)|, with p at the ends, and |p_k - D2 L_d|, in
 * units of what one rounding of positions, momenta and forces makes of them. */
static double residual_of(const problem *x, const motion *y, near_step *near, quad unit)
{
    const lagrangian *L = &x->L;
    quad worst = 0, high = 0, far = 0, mass = 0, stiff = 0, zero[SITES] = { 0 }, end[SITES];
    for (int j = 0; j < L->n; j++) {
        const int i = j ? j - 1 : 0;
        mass = fmaxq(mass, L->m[j] * (1 + L->e[j]) + L->y[j] + L->z[j] + L->y[i] + L->z[i]);
        stiff = fmaxq(stiff, L->g[j] + L->c[j] + 2 * (L->k[j] + L->k[i]) + 6 * (L->a[j] + L->a[i]));
        for (int k = 0; k <= STEPS; k++) {
            far = fmaxq(far, fabsq(y->x[k].q[j]));
            high = fmaxq(high, fabsq(y->x[k].p[j]));
        }
    }
    const quad scale = (mass / x->h + x->h * stiff) * far + high;
    for (int k = 0; k <= STEPS; k++) {
        const quad *before = k ? end : y->x[0].p;
        quad        p[SITES], P[SITES];
        if (k < STEPS)
            momenta_of(L, x->method, y->x[0].t + k * x->h, x->h, y->x[k].q, y->x[k + 1].q, &near[k],
                       p, P);
        else memcpy(p, y->x[k].p, sizeof p);
        for (int j = 0; j < L->n; j++) {
            worst = fmaxq(worst, fabsq(before[j] - p[j]));
            worst = fmaxq(worst, fabsq(y->x[k].p[j] - p[j]));
        }
        memcpy(end, k < STEPS ? P : zero, sizeof end);
    }
    return (double)(worst / scale / unit);
}

/* The largest difference of two states, of q by the largest q and of p by the largest p. */
static quad difference(const motion *a, const motion *b, int n, int k)
{
    quad far = 0, high = 0, q = 0, p = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i <= STEPS; i++) {
            far = fmaxq(far, fabsq(a->x[i].q[j]));
            high = fmaxq(high, fabsq(a->x[i].p[j]));
        }
        q = fmaxq(q, fabsq(a->x[k].q[j] - b->x[k].q[j]));
        p = fmaxq(p, fabsq(a->x[k].p[j] - b->x[k].p[j]));
    }
    return fmaxq(q / far, p / high);
}

/* What the steps make of a small change of the start: how much of it is left at the worst. */
static quad growth_of(const problem *x, const motion *y)
{
    quad most = 1;
    for (int i = 0; i < 2; i++) {
        problem z = *x;
        motion  changed;
        for (int j = 0; j < x->L.n; j++) {
            z.start.q[j] *= 1 + (quad)1e-12 * random_number();
            z.start.p[j] *= 1 + (quad)1e-12 * random_number();
        }
        if (!run_by(QUAD, &z, 0, &changed)) continue;
        for (int k = 1; k <= STEPS; k++)
            most = fmaxq(most,
                         difference(y, &changed, x->L.n, k) / difference(y, &changed, x->L.n, 0));
    }
    return most;
}

/* ---- the tests ---- */

static quad unit_of(engine e) { return engines[e].in_double ? (quad)0x1p-53 : (quad)QUAD_EPS; }

/* The steps near which the laws are computed, of lane 0 and of another; not yet known. */
static near_step *new_steps(void)
{
    static near_step near[STEPS];
    for (int k = 0; k < STEPS; k++) near[k].known = false;
    return near;
}

static void conforms(kind kind, int which, bool compiled)
{
    problem x = make_problem(kind, which, false);
    motion  right, y;
    char    what[100];
    while (!run_by(QUAD, &x, 0, &right)) end_problem(&x), x = make_problem(kind, which, false);
    const quad growth = growth_of(&x, &right);
    near_step *near = new_steps();
    for (engine e = 0; e < ENGINES; e++) {
        if (!(engines[e].kinds >> kind & 1) || (e == EMITTED && !compiled)) continue;
        const int  before = runs;
        const bool finished = run_by(e, &x, 0, &y);
        made[e][which] += runs > before || finished;
        if (!finished) continue;
        snprintf(what, sizeof what, "%s by %s, kind %d", engines[e].name, x.name, (int)kind);
        const double residual = residual_of(&x, &y, near, unit_of(e));
        small(residual, 1, engines[e].roundings, what);
        most[e].residual = fmax(most[e].residual, residual);
        for (int k = 1; k <= STEPS; k++) {
            const quad error = difference(&right, &y, x.L.n, k) / unit_of(e) / growth;
            small(error, 1, engines[e].factor, what);
            most[e].error = fmax(most[e].error, (double)error);
        }
    }
    if (run_by(LANES, &x, LANE, &y)) {
        snprintf(what, sizeof what, "lane %d by %s, kind %d", LANE, x.name, (int)kind);
        small(residual_of(&x, &y, new_steps(), unit_of(LANES)), 1, engines[LANES].roundings, what);
    }
    end_problem(&x);
}

static void test_engines(void **state)
{
    (void)state;
    for (int which = 0; which < ALL; which++)
        for (kind kind = 0; kind < KINDS; kind++) conforms(kind, which, false);
    for (kind kind = 0; kind < KINDS; kind++) conforms(kind, below(ALL), true);
    for (engine e = 0; e < ENGINES; e++) {
        int count = 0;
        for (int i = 0; i < ALL; i++) count += made[e][i] > 0;
        printf("%-10s %d methods, residual %.2g roundings, states %.2g\n", engines[e].name, count,
               most[e].residual, most[e].error);
        if (e == EMITTED ? count == 0 : count < ALL && (e != DIGITS || DIGITS_MADE))
            fail_msg("%s: %d of %d methods were tried", engines[e].name, count, ALL);
    }
    printf("%d of %d runs left a step to the integrator\n", handed_over, runs);
    assert_int_equal(handed_over, 0);
}

/* A stiffness that is off by 1/64 is seen in every engine. */
static void test_saboteur(void **state)
{
    (void)state;
    for (kind kind = 0; kind < KINDS; kind++) {
        problem    x = make_problem(kind, below(ALL), true);
        near_step *near = new_steps();
        motion     y;
        for (engine e = 0; e < ENGINES; e++)
            if (engines[e].kinds >> kind & 1 && run_by(e, &x, 0, &y)
                && !(residual_of(&x, &y, near, unit_of(e)) > 1e6))
                fail_msg("%s does not see another stiffness", engines[e].name);
        end_problem(&x);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_engines),
                                        cmocka_unit_test(test_saboteur) };
    const int               failed = cmocka_run_group_tests(tests, make_scratch, remove_scratch);
    printf("largest part of a bound used: %.2g\n", tightest);
    return failed;
}
