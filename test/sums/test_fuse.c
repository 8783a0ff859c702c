/* Forces, kick and drift in one loop = forces read where terms put them = forces in an array.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit for bit, in all builds.
 * Needs: x86_64. */
#include "random.h"

#define NOE_REAL NOE_DOUBLE
#pragma GCC diagnostic ignored "-Wunused-function"
#include "sums/tile_explicit.h"

#include "noether.h"
#include "integrate/integrator.h"

extern const noe_sums_kernel noe_sums_kernel_sse2, noe_sums_kernel_avx2, noe_sums_kernel_avx512;

enum { MODELS = 120, STEPS = 6, TEXT = 4000, FUSING = 2 /* builds from that on fuse */ };
typedef enum { AS_IT_IS, NOT_FUSED, ADDED_UP, ONE_TERM_LESS, ANOTHER_NUMBER } way;

static int fused, gathered; /* how many were */

static double some(void) { return 0.55 + 0.45 * random_number(); }
static int    below(int n) { return (int)(bits() % (uint64_t)n); }

/* A sum whose terms reach at most `reach` sites, over all sites that it can or a part of them. */
static int sum_of(char *to, size_t room, int n, int families, int reach)
{
    const char *x = "x", *y = families > 1 && below(2) ? "y" : "x";
    const int   r = 1 + below(reach), less = below(4) ? 0 : below(3),
              first = below(5) ? 0 : 1 + below(3), last = (n - 1 - r - less) / (below(8) ? 1 : 2);
#define OVER "sum(i in %d..%d) "
#define ENDS first, last
    switch (below(9)) {
    case 0: return snprintf(to, room, OVER "%.3f*%s[i]^2/2", ENDS, some(), x);
    case 1: return snprintf(to, room, OVER "(%s[i]^2/3 + %.3f*%s[i]^4)", ENDS, x, some(), y);
    case 2: return snprintf(to, room, OVER "(%s[i+%d] - %s[i])^2*%.3f", ENDS, y, r, x, some());
    case 3: return snprintf(to, room, OVER "(%s[i] - %s[i+%d])^4*%.3f", ENDS, x, y, r, some());
    case 4: return snprintf(to, room, OVER "k[i]*(%s[i+%d] - %s[i])^2/2", ENDS, x, r, x);
    case 5: return snprintf(to, room, OVER "(1 + i/N)*(x[i+%d] - x[i])^2/3", ENDS, r);
    case 6: return snprintf(to, room, OVER "sqrt(1 + (%s[i+%d] - %s[i])^2)", ENDS, x, r, y);
    case 7:
        return snprintf(to, room, "sum(i in %d..N-2) (%s[i+1] - 2*%s[i] + %s[i-1])^2/(3 + %s[i]^2)",
                        1 + first, x, x, x, x);
    default:
        return snprintf(to, room, OVER "%s(%s[i] - %s[i+%d])", ENDS, below(2) ? "cos" : "0.3*exp",
                        x, y, r);
    }
}

/* The same around a ring. */
static int sum_around(char *to, size_t room, int reach)
{
    const int r = 1 + below(reach);
    switch (below(5)) {
    case 0: return snprintf(to, room, "sum(i in 0..N-1) (x[i]^2/2 + %.3f*x[i]^4)", some());
    case 1:
        return snprintf(to, room, "sum(i in 0..N-1) (x[(i+%d) mod N] - x[i])^2*%.3f", r, some());
    case 2:
        return snprintf(to, room, "sum(i in 0..N-1) (x[(i+N-%d) mod N] - x[i])^4*%.3f", r, some());
    case 3: return snprintf(to, room, "sum(i in 0..N-1) k[i]*(x[(i+%d) mod N] - x[i])^2", r);
    default:
        return snprintf(
            to, room, "sum(i in 0..N-1) (x[(i+1) mod N] - 2*x[i] + x[(i-1) mod N])^2/(3 + x[i]^2)");
    }
}

static char *model_of(int n)
{
    static char text[TEXT];
    const int   families = 1 + !below(4), sums = 1 + below(3), reach = 1 + below(3),
              ring = families == 1 && !below(3);
    int at = snprintf(
        text, TEXT,
        "parameter N = %d\nparameter m[i in 0..N-1] = %s, k[i in 0..N-1] = 1 + i^2/N^2\n", n,
        below(2) ? "1" : "1.5 + sin(i)");
    at += snprintf(text + at, TEXT - (size_t)at, "coordinate x[0..N-1]%s\n",
                   families > 1 ? ", y[0..N-1]" : "");
    if (!ring && below(2)) at += snprintf(text + at, TEXT - (size_t)at, "fix x[0] = 0\n");
    if (!ring && below(3) == 0) at += snprintf(text + at, TEXT - (size_t)at, "fix x[N-1] = 0.1\n");
    at += snprintf(text + at, TEXT - (size_t)at, "kinetic sum(i in 0..N-1) m[i]*x[i]'^2/2%s\n",
                   families > 1 ? "\nkinetic sum(i in 0..N-1) y[i]'^2" : "");
    for (int k = 0; k < sums; k++) {
        at += snprintf(text + at, TEXT - (size_t)at, "potential ");
        at += ring ? sum_around(text + at, TEXT - (size_t)at, reach)
                   : sum_of(text + at, TEXT - (size_t)at, n, families, reach);
        at += snprintf(text + at, TEXT - (size_t)at, "\n");
    }
    snprintf(text + at, TEXT - (size_t)at, "start x[i] = sin(i^2)/2, x[i]' = cos(3*i)%s\n",
             families > 1 ? ", y[i] = cos(i^3)/3" : "");
    return text;
}

/* The positions and momenta after some steps. */
static double *moved(const noe_dynamics *dyn, const noe_method *m, const noe_sums_kernel *kernel,
                     way how, const char *text)
{
    if (how == NOT_FUSED) setenv("NOETHER_FUSED", "no", 1);
    work      *w = kernel->engine->make(dyn, m);
    const quad h = 0.05;
    unsetenv("NOETHER_FUSED");
    if (!w) fail_msg("%s\n%s", noe_error(), text);
    noe_fused_loop    *fused_loop = &w->machine.fused;
    tile_memory *const tile = w->tiles.tile_memory;
    assert_true(how != NOT_FUSED || (!fused_loop->run && !tile->fuses));
    if (how == ADDED_UP)
        gather_forces(w->g, &w->tiles.plan, fused_loop, tile, false, tile->one[E_Q],
                      tile->one[E_F]);
    for (int k = 0; k < w->g->groups; k++) {
        const strip *x = &tile->strip[k];
        if (!w->g->group[k].force) continue;
        if (how == ONE_TERM_LESS) x->mask[x->count - 1] = 0;
        for (int i = 0; how == ANOTHER_NUMBER && i < LANES * x->term_memory.program->constants; i++)
            tile->cell[(fused_loop->group[k].first + x->term_memory.program->inputs) * LANES + i] +=
                1;
    }
    kernel->engine->set(w, NOE_AT_STEP, 0, &h), kernel->engine->large->set_threads(w, 1);
    if (kernel->engine->begin(w)) fail_msg("does not begin\n%s", text);
    for (int k = 0; k < STEPS; k++) {
        if (kernel->engine->step(w)) fail_msg("does not step\n%s", text);
    }
    /* the last tile */
    gathered += tile->gathers, fused += how == AS_IT_IS && tile->fuses && w->method.flows;
    const size_t n = (size_t)w->g->places;
    double      *x = calloc(4 * n, sizeof *x);
    for (int i = 0; i < 4; i++) memcpy(x + (size_t)i * n, array(w, w->state.now, i), n * sizeof *x);
    kernel->engine->drop(w);
    return x;
}

static void law(int n)
{
    static const char *const names[] = {
        "sb3a-4", "srkn6-4", "verlet", "kahan-li8", "euler", "rk4"
    };
    const noe_sums_kernel *builds[] = { &noe_sums_kernel_sse2, &noe_sums_kernel_avx2,
                                        &noe_sums_kernel_avx512 };
    const char            *text = model_of(n);
    noe_system            *s = noe_system_parse(text);
    if (!s || !s->dyn.groups) fail_msg("%s\n%s", s ? "not stepped by its sums" : noe_error(), text);
    const noe_dynamics *dyn = &s->dyn;
    const char         *name = names[below(6)];
    noe_method         *m = noe_method_parse(name);
    const size_t        bytes = 4 * (size_t)s->dyn.groups->places * sizeof(double);
    if (!m) fail_msg("%s", noe_error());
    double *first = moved(dyn, m, builds[0], AS_IT_IS, text);
    for (int level = 0; level <= noe_engine_instruction_set(); level++)
        for (way how = AS_IT_IS; how <= ADDED_UP; how++) {
            if (how == ADDED_UP && n > NOE_TERM_BLOCK) continue; /* tiles find out for themselves */
            double *x = moved(dyn, m, builds[level], how, text);
            if (memcmp(first, x, bytes))
                fail_msg("%s: build %d, way %d differs\n%s", name, level, how, text);
            free(x);
        }
    free(first);
    noe_method_free(m);
    noe_system_free(s);
}

static void test_random(void **unused)
{
    (void)unused;
    for (int i = 0; i < MODELS; i++) law(i % 3 ? 130 + below(127) : 257 + below(900));
    printf("%d gathered, %d fused\n", gathered, fused);
    assert_true(gathered > MODELS && (noe_engine_instruction_set() < FUSING || fused > 4));
}

/* The loop is what moves the chain: without its last term, with other numbers it goes elsewhere. */
static void test_saboteur(void **unused)
{
    (void)unused;
    if (noe_engine_instruction_set() < FUSING) skip();
    const char *text =
        "parameter N = 150\ncoordinate x[0..N-1]\nkinetic sum(i in 0..N-1) x[i]'^2/2\n"
        "potential sum(i in 0..N-2) ((x[i+1] - x[i])^2/2 + (x[i+1] - x[i])^3/7)\n"
        "start x[i] = sin(i^2)/2";
    noe_system *s = noe_system_parse(text);
    noe_method *m = noe_method_parse("sb3a-4");
    double     *x[4];
    const way   how[4] = { NOT_FUSED, AS_IT_IS, ONE_TERM_LESS, ANOTHER_NUMBER };
    const int   before = fused;
    for (int i = 0; i < 4; i++) x[i] = moved(&s->dyn, m, &noe_sums_kernel_avx512, how[i], text);
    assert_int_equal(fused, before + 1);
    assert_memory_equal(x[0], x[1], 600 * sizeof **x);
    for (int i = 2; i < 4; i++) assert_memory_not_equal(x[0], x[i], 600 * sizeof **x);
    for (int i = 0; i < 4; i++) free(x[i]);
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random),
                                        cmocka_unit_test(test_saboteur) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
