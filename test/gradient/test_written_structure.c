/* Derivatives of motions given by matrices: against differences of the same motion as expressions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Differences as in test_sensitivity.c, of a model whose text has the numbers of the matrices. */
#include "random_model.h"
#include "scratch.h"

enum { N = 4, STEPS = 10, FOLLOWED = 5, BY = 6 };

static const char        list[] = "P, w, G, x0, q[2]', q[3]";
static const char *const by[BY] = { "P", "w", "G", "x0", "q[2]'", "q[3]" };
static const char *const columns[FOLLOWED] = { "q[1]", "q[4]", "q[2]'", "p(q[3])", "energy" };

/* A random symmetric matrix, positive definite where `heavy` is larger than 3. */
static void random_matrix(double heavy, double A[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) A[i][j] = A[j][i] = sixty_fourths(-1, 1) + (i == j) * heavy;
}

static void write_matrix(const char *name, double A[N][N])
{
    FILE *f = fopen(in_scratch(name), "w");
    assert_non_null(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", N, N, N * N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) fprintf(f, "%d %d %.17g\n", i + 1, j + 1, A[i][j]);
    fclose(f);
}

/* sum x A_ij a_i b_j as text. */
static int form(char *to, size_t size, double x, double A[N][N], const char *rate)
{
    int used = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            used += snprintf(to + used, size - (size_t)used, " + (%.17g)*q[%d]%s*q[%d]%s",
                             x * A[i][j], i + 1, rate, j + 1, rate);
    return used;
}

static const char *const head = "parameter P = %.17g, w = %.17g, G = %.17g, x0 = %.17g\n";
static const char *const tail =
    "force q[1] = P*sin(w*t)\nforce q[3] = G*w\nforce q[4] = G^2*cos(t)\n"
    "start q[1] = x0, q[3] = 0.25, q[2]' = 0.5, q[4]' = x0^2\n";

/* The same motion by files and by expressions. */
static void make(noe_system **files, noe_system **text)
{
    double       M[N][N], K[N][N], C[N][N];
    const double P = sixty_fourths(1, 2), w = sixty_fourths(1, 3), G = sixty_fourths(0, 1),
                 x0 = sixty_fourths(-1, 1);
    char model[8000], begin[400];
    random_matrix(5, M), random_matrix(40, K), random_matrix(4, C);
    C[1][2] += 0.5; /* a gyroscopic part */
    write_matrix("M.mtx", M), write_matrix("K.mtx", K), write_matrix("C.mtx", C);
    snprintf(begin, sizeof begin, head, P, w, G, x0);
    FILE *f = fopen(in_scratch("s.lag"), "w");
    assert_non_null(f);
    fprintf(
        f,
        "%scoordinate q[1..%d]\nmass \"M.mtx\"\nstiffness \"K.mtx\"\ndamping \"C.mtx\", alpha = "
        "0.125, beta = 0.0625\n%s",
        begin, N, tail);
    fclose(f);
    int used = snprintf(model, sizeof model, "%scoordinate q[1..%d]\nlagrangian 0", begin, N);
    used += form(model + used, sizeof model - (size_t)used, 0.5, M, "'");
    used += form(model + used, sizeof model - (size_t)used, -0.5, K, "");
    used += snprintf(model + used, sizeof model - (size_t)used, "\ndissipation 0");
    used += form(model + used, sizeof model - (size_t)used, 0.0625, M, "'");
    used += form(model + used, sizeof model - (size_t)used, 0.03125, K, "'");
    used += snprintf(model + used, sizeof model - (size_t)used, "\n");
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            used += snprintf(model + used, sizeof model - (size_t)used,
                             "force q[%d] = (%.17g)*q[%d]'\n", i + 1, -C[i][j], j + 1);
    snprintf(model + used, sizeof model - (size_t)used, "%s", tail);
    *files = noe_system_load(in_scratch("s.lag"));
    if (!*files) fail_msg("%s", noe_error());
    *text = parse(model);
}

static noe_integrator *after(const noe_system *s, int digits)
{
    noe_integrator *g = integrator(s, "gauss 2", (quad)1 / 16, digits);
    steps(g, STEPS);
    return g;
}

static void changed(const noe_system *s, const char *name, quad value_of, quad *to)
{
    noe_system *other = noe_system_with(s, name, (double)value_of);
    if (!other) fail_msg("%s", noe_error());
    noe_integrator *g = after(other, 33);
    for (int i = 0; i < FOLLOWED; i++) to[i] = value(g, columns[i]);
    noe_integrator_free(g);
    noe_system_free(other);
}

static void differences(const noe_system *s, const char *name, quad from, quad *to)
{
    quad up[FOLLOWED], down[FOLLOWED], D[3][FOLLOWED];
    for (int k = 0; k < 3; k++) {
        const quad by_much = (quad)0x1p-13 / (1 << k);
        changed(s, name, from + by_much, up), changed(s, name, from - by_much, down);
        for (int i = 0; i < FOLLOWED; i++) D[k][i] = (up[i] - down[i]) / (2 * by_much);
    }
    for (int i = 0; i < FOLLOWED; i++) {
        const quad a = D[1][i] + (D[1][i] - D[0][i]) / 3, b = D[2][i] + (D[2][i] - D[1][i]) / 3;
        to[i] = b + (b - a) / 15;
    }
}

static void matrices(void **state)
{
    (void)state;
    tightest = 0;
    for (int k = 0; k < 4; k++) {
        noe_system *files, *text;
        make(&files, &text);
        noe_system *s = noe_system_differentiated(files, list);
        if (!s) fail_msg("%s", noe_error());
        noe_integrator *g = after(s, 33), *fast = after(s, 15),
                       *start = integrator(text, "gauss 2", (quad)1 / 16, 33),
                       *plain = after(files, 15);
        for (int c = 0; c < BY; c++) {
            quad by_difference[FOLLOWED];
            differences(text, by[c], value(start, by[c]), by_difference);
            for (int i = 0; i < FOLLOWED; i++) {
                const quad exact = slope(g, columns[i], by[c]), size = 1 + fabsq(exact);
                char       what[99];
                snprintf(what, sizeof what, "%s by %s", columns[i], by[c]);
                small(exact - by_difference[i], size, 1e-21, what);
                small(slope(fast, columns[i], by[c]) - exact, size, 1e-13, what);
            }
        }
        for (int i = 0; i < FOLLOWED; i++) /* and the motion is that of the matrices */
            small(value(plain, columns[i]) - value(fast, columns[i]), 10, 1e-14, columns[i]);
        noe_integrator_free(g), noe_integrator_free(fast), noe_integrator_free(start);
        noe_integrator_free(plain);
        noe_system_free(s), noe_system_free(files), noe_system_free(text);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* A parameter that scales a matrix, and too many coordinates. */
static void refusals(void **state)
{
    (void)state;
    double A[N][N];
    random_matrix(9, A), write_matrix("M.mtx", A);
    FILE *f = fopen(in_scratch("k.lag"), "w");
    assert_non_null(f);
    fprintf(f,
            "parameter a = 0.5, P = 1\ncoordinate q[1..%d]\nmass \"M.mtx\"\nstiffness \"M.mtx\"\n"
            "damping alpha = a\nforce q[1] = P*sin(t)\n",
            N);
    fclose(f);
    noe_system *s = noe_system_load(in_scratch("k.lag"));
    if (!s) fail_msg("%s", noe_error());
    assert_null(noe_system_differentiated(s, "P"));
    assert_non_null(strstr(noe_error(), "'a' scales a matrix"));
    noe_error_clear();
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(matrices), cmocka_unit_test(refusals) };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
