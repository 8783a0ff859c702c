/* Tiles that make several steps while they are in the cache: the bits of single steps.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Random chains and rings of one or two families, terms that reach over one to four sites, random
 * masses and splittings of any kind; random numbers of steps at once, with one to three threads. */
#include "kept_sums.h"
#include "random.h"
#include "integrate/integrator.h"

enum { CASES = 40 };

static int below(int n) { return (int)(bits() % (uint64_t)n); }

/* One term of a random kind between site `here` and `there`, with a factor c. */
static int term(char *to, size_t size, double c, const char *here, const char *there)
{
    static const char *const kind[] = { "%s %.3f*(%s - %s)^2", "%s %.3f*(%s - %s)^4",
                                        "%s %.3f*cos(%s - %s)", "%s %.3f*sin(%s)*sin(%s)" };
    return snprintf(to, size, kind[below(4)], "+", c, here, there);
}

/* A chain or a ring: sum over all sites of terms between x[i], y[i] and their neighbours. */
static noe_system *random_lattice(char *text, size_t size)
{
    const bool ring = below(2), two = below(2);
    const int  N = 600 + below(3000), reach = 1 + below(4);
    int        at = snprintf(text, size, "parameter N = %d\ncoordinate x[0..N-1]%s\n", N,
                      two ? ", y[0..N-1]" : "");
    at += snprintf(text + at, size - (size_t)at,
                   "kinetic sum(i in 0..N-1) (2 + %.3f*sin(i))*x[i]'^2/2\n", random_number());
    if (two)
        at += snprintf(text + at, size - (size_t)at, "kinetic sum(i in 0..N-1) %.3f*y[i]'^2\n",
                       1 + fabs(random_number()));
    for (int k = 0, terms = 1 + below(3); k < terms; k++) {
        const int  far = k ? 1 + below(reach) : reach;
        const bool from_y = two && below(2), to_y = two && below(2);
        char       there[40];
        snprintf(there, sizeof there, ring ? "%c[(i+%d) mod N]" : "%c[i+%d]", to_y ? 'y' : 'x',
                 far);
        at += snprintf(text + at, size - (size_t)at, "potential sum(i in 0..N-1-%d) (0",
                       ring ? 0 : far);
        at += term(text + at, size - (size_t)at, 0.1 + fabs(random_number()) / 4,
                   from_y ? "y[i]" : "x[i]", there);
        at += snprintf(text + at, size - (size_t)at, " + x[i]^2/%d)\n", 2 + below(9));
    }
    if (two) at += snprintf(text + at, size - (size_t)at, "potential sum(i in 0..N-1) y[i]^2/2\n");
    snprintf(text + at, size - (size_t)at, "start x[i] = sin(i^2)%s",
             two ? ", y[i] = cos(i^3)" : "");
    noe_system *s = noe_system_parse(text);
    if (!s || !s->dyn.groups) fail_msg("%s\n%s", text, noe_error() ? noe_error() : "not sums");
    return s;
}

static const char *random_splitting(void)
{
    static const char *const name[] = { "verlet",       "verlet-drift", "ruth3",    "yoshida4",
                                        "mclachlan4",   "blanes-moan6", "srkn11-6", "suzuki4",
                                        "blanes-moan4", "kahan-li6",    "srkn6-4",  "kahan-li8" };
    return name[below(2) ? below(2) : below(12)];
}

static noe_integrator *begun(const noe_system *s, const noe_method *m, double h, int threads)
{
    noe_integrator *g = noe_integrator_new(s, m, h);
    if (!g || noe_set(g, "threads", threads) || noe_integrator_start_ready(g))
        fail_msg("%s", noe_error());
    return g;
}

/* Scalars, q, p and what their sums leave: four of the six arrays of a state, sums/sums_state.h.
 * The last two, forces and positions of a matrix, are there only for methods that use them. */
static void assert_same_state(noe_integrator *a, noe_integrator *b, const char *text)
{
    enum { HEAD = 24, ARRAYS = 6, COMPARED = 4 };
    size_t        bytes, others;
    const double *x = a->engine->memory(a->work, &bytes), *y = b->engine->memory(b->work, &others);
    const size_t  stride = (bytes / sizeof *x - HEAD) / ARRAYS;
    assert_true(bytes == others);
    if (memcmp(x, y, (HEAD + COMPARED * stride) * sizeof *x))
        fail_msg("not the bits of single steps:\n%s", text);
    const noe_local_error e = noe_local_error_of(a), f = noe_local_error_of(b);
    if (!equal_bits(e.size, f.size) || e.place != f.place || !equal_bits(e.t, f.t))
        fail_msg("local error %.17g at %g beside %.17g at %g:\n%s", e.size, e.t, f.size, f.t, text);
}

static void test_bits_of_single_steps(void **unused)
{
    (void)unused;
    int together = 0;
    for (int k = 0; k < CASES; k++) {
        char            text[2000], told[400];
        noe_system     *s = random_lattice(text, sizeof text);
        const char     *name = random_splitting();
        noe_method     *m = method(name);
        noe_integrator *one = begun(s, m, 0.02, 1), *many = begun(s, m, 0.02, 1 + below(3));
        many->engine->summarize(many->work, told, sizeof told);
        together += strstr(told, "steps of a tile at once") != NULL;
        for (int piece = 0; piece < 4; piece++) {
            const int steps = 1 + below(90);
            double    done;
            for (int i = 0; i < steps; i++)
                if (noe_step(one)) fail_msg("%s\n%s", text, noe_error());
            if (noe_advance_steps(many, steps, &done) || done != steps)
                fail_msg("%s\n%s", text, noe_error());
            assert_same_state(one, many, text);
        }
        noe_integrator_free(one), noe_integrator_free(many);
        noe_method_free(m), noe_system_free(s);
    }
    if (together < CASES / 8) fail_msg("only %d of %d in tiles of many steps", together, CASES);
}

/* A site that runs away to infinity ends both at the same step, in the same state, with the same
 * words; also where no steps are made together, since a step that fails is not tried twice. */
static void test_failing_step(void **unused)
{
    (void)unused;
    static const char *const name[] = { "verlet", "gauss 2", "yoshida4", "simpson" };
    for (int k = 0; k < 8; k++) {
        char        text[500], words[2][600];
        const int   N = 700 + below(3000), at = below(N);
        noe_status  ended[2] = { NOE_OK, NOE_OK };
        noe_method *m = method(name[k % 4]);
        snprintf(text, sizeof text,
                 "parameter N = %d\ncoordinate x[0..N-1]\nkinetic sum(i in 0..N-1) x[i]'^2/2\n"
                 "potential sum(i in 0..N-2) ((x[i+1] - x[i])^2/20 - x[i]^6)\n"
                 "start x[i] = sin(i^2)/9, x[%d] = %.3f",
                 N, at, 1.2 + random_number() / 9);
        noe_system     *s = parse(text);
        noe_integrator *g[2] = { begun(s, m, 0.05, 1), begun(s, m, 0.05, 2) };
        double          steps[2] = { 0, 0 };
        while (steps[0] < 4000 && !(ended[0] = noe_step(g[0]))) steps[0]++;
        snprintf(words[0], sizeof *words, "%s", noe_error() ? noe_error() : "none");
        noe_error_clear();
        ended[1] = noe_advance_steps(g[1], 4000, &steps[1]);
        snprintf(words[1], sizeof *words, "%s", noe_error() ? noe_error() : "none");
        noe_error_clear();
        assert_true(ended[0] != NOE_OK);
        assert_int_equal(ended[0], ended[1]);
        assert_true(steps[0] == steps[1]);
        assert_string_equal(words[0], words[1]);
        assert_same_state(g[0], g[1], text);
        noe_integrator_free(g[0]), noe_integrator_free(g[1]);
        noe_method_free(m), noe_system_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_of_single_steps),
        cmocka_unit_test(test_failing_step),
    };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
