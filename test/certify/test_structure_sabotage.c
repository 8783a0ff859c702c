/* Random structures with an error of a known size.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A certificate must say FAILS where the error exceeds its bound. An entry of K on one side of
 * the diagonal alone, a damping that nobody owns up to, a coefficient of the method.  The error
 * is computed apart from the laws: of a step from the images of a basis, of an energy by a run
 * from another state.  NOE_LONG=1: two hundred, NOE_SOUND=n: n of each kind. */
#include "linear.h"

#include "app/certificate.h"

enum { SAMPLE = 5, LONG = 200, SIZE = 12, TWO = 2 * SIZE, SYMPLECTIC_STEPS = 3, REVERSED = 10 };

static int wanted(void)
{
    const char *count = getenv("NOE_SOUND");
    return count ? atoi(count) : getenv("NOE_LONG") ? LONG : SAMPLE;
}

/* What is spoiled. */
typedef enum { STIFFNESS, DAMPING, MODES, SHORT_KICK, UNEVEN, KICKS } part;
static const char *const part_name[] = { "an entry of K",       "a damping",
                                         "positions in forces", "a kick of verlet",
                                         "Newmark's gamma",     "kicks under a load" };

static const struct {
    part        what;
    const char *method, *law;
} sabotage[] = {
    { STIFFNESS, "gauss 3", "symplectic" },
    { STIFFNESS, "verlet", "symplectic" },
    { STIFFNESS, "lobatto 3", "symplectic" },
    { DAMPING, "gauss 2", "symplectic" },
    { DAMPING, "simpson", "symplectic" },
    { MODES, "gauss 3", "symplectic" },
    { UNEVEN, "newmark 1/4 1/2", "reversible" },
    { SHORT_KICK, "verlet", "reversible" },
    { DAMPING, "gauss 3", "energy bounded" },
    { DAMPING, "midpoint", "energy bounded" },
    { STIFFNESS, "simpson", "simpson_energy" },
    { KICKS, "gauss 2", "balance" },
    { KICKS, "midpoint", "balance" },
};
enum { KINDS = sizeof sabotage / sizeof *sabotage };

static void spoil_method(noe_method *m, part what, quad by)
{
    for (int i = 0; i < m->r && (what == MODES || what == KICKS); i++) m->X[i][0] *= 1 + by;
    if (what == UNEVEN) m->gamma *= 1 + by;
    if (what == SHORT_KICK) m->flow[0] *= 1 + by, m->flow[2] *= 1 - by;
}

static void spoil_system(noe_system *s, part what, double by)
{
    noe_structure *y = s->dyn.structure;
    noe_sparse    *K = y->K;
    const int      row = below(y->n);
    for (int64_t k = K->start[row]; k < K->start[row + 1] && what == STIFFNESS; k++)
        if (K->col[k] != row) K->value[k] *= 1 + by;
    if (what == DAMPING) s->dyn.forced = false, s->dyn.autonomous = true;
}

/* ---- the error of steps, from the images S e_j L_j of a basis: L_j are the sizes of q and of
 * p = M v ---- */

static double S[TWO][TWO], L[TWO][TWO]; /* by columns: S[j], L[j] are states (q, p) */

static bool walk(const noe_system *s, const noe_method *m, double h, int steps, double (*from)[TWO],
                 double (*to)[TWO])
{
    const int       n = s->dyn.n;
    noe_integrator *g = noe_integrator_new(s, m, h);
    bool            ok = g;
    for (int j = 0; j < 2 * n && ok; j++) {
        ok = !noe_start_momentum(g, 0, from[j], from[j] + n);
        for (int k = 0; k < steps && ok; k++) ok = !noe_step(g);
        for (int i = 0; i < n && ok; i++) to[j][i] = noe_q(g)[i], to[j][n + i] = noe_p(g)[i];
    }
    noe_integrator_free(g);
    return ok;
}

/* The root of the sum of all squares of q, or of p. */
static double size(int n, double (*A)[TWO], bool momenta)
{
    double sum = 0;
    for (int j = 0; j < 2 * n; j++)
        for (int i = 0; i < n; i++) sum += A[j][momenta * n + i] * A[j][momenta * n + i];
    return sqrt(sum);
}

static quad form(int n, const double *a, const double *b)
{
    quad sum = 0;
    for (int i = 0; i < n; i++) sum += (quad)a[i] * b[n + i] - (quad)a[n + i] * b[i];
    return sum;
}

/* Root mean square, over random pairs of states, of the change of the symplectic form, by its
 * terms. */
static double symplectic_error(const noe_system *s, const noe_method *m, double h)
{
    const int n = s->dyn.n;
    double    sum = 0;
    if (!walk(s, m, h, SYMPLECTIC_STEPS, L, S)) return NAN;
    for (int i = 0; i < 2 * n; i++)
        for (int j = 0; j < 2 * n; j++) {
            const double d = (double)(form(n, S[i], S[j]) - form(n, L[i], L[j]));
            sum += d * d;
        }
    return sqrt(sum)
         / (2 * (size(n, S, false) * size(n, S, true) + size(n, L, false) * size(n, L, true)));
}

/* The same of the distance of a state from its image after steps forth and back. */
static double reversal_error(const noe_system *s, const noe_method *m, double h)
{
    static double back[TWO][TWO];
    const int     n = s->dyn.n;
    if (!walk(s, m, h, REVERSED, L, S) || !walk(s, m, -h, REVERSED, S, back)) return NAN;
    const double q = fmax(size(n, L, false), size(n, S, false)),
                 p = fmax(size(n, L, true), size(n, S, true));
    for (int j = 0; j < 2 * n; j++)
        for (int i = 0; i < 2 * n; i++) back[j][i] -= L[j][i];
    return fmax(size(n, back, false) / q, size(n, back, true) / p);
}

/* Positions of size 1, momenta M v with velocities of half the fastest frequency. */
static void basis(int n, double fastest)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            L[j][i] = i == j, L[j][n + i] = L[n + j][i] = 0;
            L[n + j][n + i] = x.M[i][j] * fastest / 2;
        }
}

/* sum |a_i| |A_ij| |b_j|, or of a_i A_ij b_j */
static double terms(int n, double (*A)[MOST], const double *a, bool moduli)
{
    quad sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const quad y = (quad)a[i] * A[i][j] * a[j];
            sum += moduli ? fabsq(y) : y;
        }
    return (double)sum;
}

/* Largest change of H - work, or of Simpson's form, in a run as long as that of the law, in
 * units of what rounding may make of it. */
static double energy_error(const noe_system *s, const noe_method *m, double h, const char *law)
{
    enum { STEPS = 10000, ROW = 10 };
    const int       n = s->dyn.n;
    const bool      form = !strcmp(law, "simpson_energy"), loaded = !strcmp(law, "balance");
    double          z[TWO] = { 0 }, first = 0, most = 0, T = 0, unit = 0, work = 0;
    noe_integrator *g = noe_integrator_new(s, m, h);
    for (int j = 0; j < 2 * n && !loaded; j++) {
        const double by = random_number();
        for (int i = 0; i < 2 * n; i++) z[i] += by * L[j][i];
    }
    if (!g || noe_start_momentum(g, 0, z, z + n)) fail_msg("%s", noe_error());
    for (int k = 0; k <= STEPS; k++) {
        if (k && noe_step(g)) fail_msg("%s", noe_error());
        if (k % ROW) continue;
        const double *q = noe_q(g), *v = noe_v(g), now = terms(n, x.M, v, false) / 2;
        work = loaded ? noe_get(g, "work") : 0;
        const double H = form ? noe_get(g, "simpson_energy")
                              : now + terms(n, x.K, q, false) / 2 - work;
        if (!k) first = H;
        T = fmax(T, now), most = fmax(most, fabs(H - first));
        unit = fmax(unit, terms(n, x.K, q, true) + terms(n, x.M, v, true));
    }
    noe_integrator_free(g);
    return most / (64 * 0x1p-53 * sqrt(STEPS) * (unit + fabs(work))) / (T > 0);
}

/* ---- */

static const noe_law *law_of(const noe_certificate *c, const char *name)
{
    for (int i = 0; i < c->laws.count; i++)
        if (!strcmp(c->laws.law[i].name, name)) return &c->laws.law[i];
    return NULL;
}

/* By what an error must exceed the bound to count: a random pair of states may see less of it
 * than the mean. */
static const double MARGIN = 20;

static struct {
    int above, caught, less;
} seen_of[KINDS];

static void one(int kind)
{
    const part   what = sabotage[kind].what;
    const double by = pow(10, between(-7, -5));
    const int    n = 2 + below(SIZE - 1);
    const double fastest = random_matrices(n), h = between(0.3, 1.5) / fastest;
    random_positive(n, n, 0.5, x.C);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x.C[i][j] *= by * fastest * sqrt(x.M[i][i] * x.M[j][j]);
    basis(n, fastest);
    noe_system *s = structure(&x, what == DAMPING, what == KICKS ? shaker : NULL, &x);
    noe_method *m = method(sabotage[kind].method);
    if (!s) fail_msg("%s", noe_error());
    spoil_method(m, what, (quad)by), spoil_system(s, what, by);
    const bool form = !strcmp(sabotage[kind].law, "symplectic"),
               back = !strcmp(sabotage[kind].law, "reversible");
    const double    error = form ? symplectic_error(s, m, h)
                          : back ? reversal_error(s, m, h)
                                 : energy_error(s, m, h, sabotage[kind].law);
    noe_certificate c;
    noe_error_clear();
    if (!noe_certificate_make(&c, s, m, h, 0)) fail_msg("%s", noe_error());
    const noe_law *found = law_of(&c, sabotage[kind].law);
    if (!found) {
        noe_certificate_print(&c, stdout);
        fail_msg("no law %s", sabotage[kind].law);
    }
    const double part_of_bound = error / (form || back ? found->bound : 1);
    if (!(part_of_bound > MARGIN)) seen_of[kind].less++;
    else {
        seen_of[kind].above++;
        if (found->verdict == NOE_FAILS) seen_of[kind].caught++;
        else
            printf(
                "  not caught: %s by %s, %.2e of the bound, law %.2e, bound %.2e, %d coordinates\n",
                sabotage[kind].law, sabotage[kind].method, part_of_bound, found->value,
                found->bound, n);
    }
    noe_certificate_drop(&c);
    noe_method_free(m);
    noe_system_free(s);
}

static void test_structure_saboteurs(void **unused)
{
    (void)unused;
    int above = 0, caught = 0;
    memset(seen_of, 0, sizeof seen_of);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int k = 0; k < wanted(); k++) one(kind);
        printf("%s, %s, %s: %d of %d errors above the bound caught, %d less\n",
               part_name[sabotage[kind].what], sabotage[kind].method, sabotage[kind].law,
               seen_of[kind].caught, seen_of[kind].above, seen_of[kind].less);
        above += seen_of[kind].above, caught += seen_of[kind].caught;
    }
    printf("%d of %d caught\n", caught, above);
    assert_true(caught >= 0.95 * above);
    assert_true(3 * above > 2 * KINDS * wanted()); /* enough to judge */
}

/* A time limit leaves out laws of structures too, and names them; a long run ends where the time
 * is over, and what it has seen until then is no verdict. */
static void test_time_limit(void **unused)
{
    (void)unused;
    const double    h = 0.5 / random_matrices(SIZE);
    noe_system     *s = structure(&x, false, NULL, &x);
    noe_method     *m = method("simpson");
    noe_certificate all, none;
    noe_error_clear();
    assert_true(noe_certificate_make(&all, s, m, h, 1e6));
    assert_string_equal(all.laws.left, "");
    assert_non_null(law_of(&all, "symplectic"));
    assert_non_null(law_of(&all, "energy bounded"));
    assert_true(noe_certificate_make(&none, s, m, h, 1e-9));
    assert_int_equal(none.laws.count, 0);
    assert_string_equal(none.laws.left, "symplectic, reversible, order, two routes, a long run");
    noe_certificate_drop(&all), noe_certificate_drop(&none);
    noe_method_free(m), noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_structure_saboteurs),
                                        cmocka_unit_test(test_time_limit) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
