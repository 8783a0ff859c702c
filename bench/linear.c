/* Measures steps of small linear systems beside a matrix written by hand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps of plane elasticity are measured beside STREAM's triad. */
#include "hand.h"
#include "noether.h"
#include "integrate/integrator.h"

#include <math.h>

enum { REPEATS = 7 };
typedef int product_go(int n, const double *A, double *x, double *y, int steps);

static double now(void) { return wall(); }

/* Best of many short runs, seconds a step. */
static double best(noe_integrator *g, int steps, int runs, bool inside)
{
    double least = INFINITY;
    for (int r = 0; r < runs; r++) {
        const double t = now();
        if (inside) g->engine->run(g->work, steps);
        else
            for (int k = 0; k < steps; k++)
                if (noe_step(g)) fprintf(stderr, "%s\n", noe_error()), exit(1);
        least = fmin(least, (now() - t) / steps);
    }
    return least;
}

static double triad(size_t n)
{
    double *a = malloc(3 * n * sizeof *a), *b = a + n, *c = b + n, least = INFINITY;
    for (size_t i = 0; i < 3 * n; i++) a[i] = (double)i;
    for (int r = 0; r < 5; r++) {
        const double t = now();
        for (size_t i = 0; i < n; i++) a[i] = b[i] + 3 * c[i];
        least = fmin(least, now() - t);
        b[r] = a[n - 1];
    }
    free(a);
    return 24.0 * (double)n / least / 1e9;
}

/* The stiffness of a unit square, plane stress, E = 1, nu = 0.3, by four Gauss points. */
static void element(double (*k)[8])
{
    static const int at[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
    const double     nu = 0.3, D = 1 / (1 - nu * nu), s = 1 / sqrt(3);
    memset(k, 0, 64 * sizeof(double));
    for (int g = 0; g < 4; g++) {
        double B[3][8] = { { 0 } };
        for (int a = 0; a < 4; a++) {
            const double dx = at[a][0] * (1 + at[a][1] * s * at[g][1]) / 2,
                         dy = at[a][1] * (1 + at[a][0] * s * at[g][0]) / 2;
            B[0][2 * a] = B[2][2 * a + 1] = dx, B[1][2 * a + 1] = B[2][2 * a] = dy;
        }
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                k[i][j] += D / 4
                         * (B[0][i] * (B[0][j] + nu * B[1][j]) + B[1][i] * (nu * B[0][j] + B[1][j])
                            + (1 - nu) / 2 * B[2][i] * B[2][j]);
    }
}

/* wide x high squares, the left side on unit springs; lumped mass. */
static noe_system *plate(int wide, int high)
{
    const int W = wide + 1, H = high + 1, n = 2 * W * H;
    size_t *start = calloc((size_t)n + 1, sizeof *start), *one = calloc((size_t)n + 1, sizeof *one),
           at = 0;
    int    *row = malloc(18 * (size_t)n * sizeof *row), *self = malloc((size_t)n * sizeof *self);
    double *value = calloc(18 * (size_t)n, sizeof *value), *mass = calloc((size_t)n, sizeof *mass),
           k[8][8];
    static const int corner[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    element(k);
    for (int x = 0; x < W; x++)
        for (int y = 0; y < H; y++)
            for (int a = 0; a < 2; a++) {
                const int j = 2 * (x * H + y) + a;
                for (int u = x - 1; u <= x + 1; u++)
                    for (int v = y - 1; v <= y + 1; v++) {
                        if (u < 0 || v < 0 || u >= W || v >= H) continue;
                        row[at] = 2 * (u * H + v), row[at + 1] = row[at] + 1;
                        for (int e = 0; e < 4; e++) { /* squares whose corner e is (x, y) */
                            const int ex = x - corner[e][0], ey = y - corner[e][1];
                            if (ex < 0 || ey < 0 || ex >= wide || ey >= high) continue;
                            if (u == x && v == y) mass[j] += 0.25;
                            for (int c = 0; c < 4; c++)
                                if (ex + corner[c][0] == u && ey + corner[c][1] == v)
                                    for (int b = 0; b < 2; b++)
                                        value[at + (size_t)b] += k[2 * c + b][2 * e + a];
                        }
                        if (u == x && v == y && x == 0) value[at + (size_t)a] += 1;
                        at += 2;
                    }
                start[j + 1] = at, one[j + 1] = (size_t)j + 1, self[j] = j;
            }
    const noe_csc K = { start, row, value }, M = { one, self, mass };
    noe_system   *s = noe_system_structure(n, &M, NULL, &K, NULL, NULL);
    free(start), free(one), free(row), free(self), free(value), free(mass);
    if (!s) fprintf(stderr, "%s\n", noe_error()), exit(1);
    return s;
}

static double factors;

static noe_integrator *started(const noe_system *s, const char *method, double step)
{
    noe_method     *f = noe_method_parse(method);
    noe_integrator *g = noe_integrator_new(s, f, step);
    const int       n = noe_system_dim(s);
    double         *z = calloc(2 * (size_t)n, sizeof *z);
    noe_method_free(f);
    noe_set(g, "factorise", factors);
    for (int i = 0; i < n; i++) z[i] = sin(0.01 * i);
    if (noe_start(g, 0, z, z + n)) fprintf(stderr, "%s\n", noe_error()), exit(1);
    free(z);
    return g;
}

static void small(product_go *by_hand, int n)
{
    size_t start[33] = { 0 };
    int    row[1024];
    double K[1024], M[1024];
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            row[j * n + i] = i, K[j * n + i] = i == j ? 2 : -1.0 / n,
                        M[j * n + i] = (i == j) + 0.1 / n;
        start[j + 1] = (size_t)(n * (j + 1));
    }
    const noe_csc   k = { start, row, K }, m = { start, row, M };
    noe_system     *s = noe_system_structure(n, &m, NULL, &k, NULL, NULL);
    noe_integrator *g = started(s, "simpson", 0.01);
    double          A[4096], x[64], y[64], us[REPEATS], they[REPEATS], ratio[REPEATS];
    char            what[80], said[2][80];
    for (int i = 0; i < 4 * n * n; i++)
        A[i] = (i % (2 * n + 1) == 0) * 0.5 + 0.1 / (2 * n); /* what is in it costs nothing */
    for (int i = 0; i < 2 * n; i++) x[i] = 1;
    for (int r = 0; r < REPEATS; r++) {
        us[r] = 1e9 * best(g, 1000, 300, false);
        double least = INFINITY;
        for (int k = 0; k < 300; k++) {
            const double t = now();
            by_hand(2 * n, A, x, y, 1000);
            least = fmin(least, (now() - t) / 1000);
        }
        they[r] = 1e9 * least, ratio[r] = us[r] / they[r];
    }
    snprintf(what, sizeof what, "a linear system of %d numbers, a call of noe_step", 2 * n);
    snprintf(said[0], 80, "%.3g ns, in a run %.3g", median(us, REPEATS),
             1e9 * best(g, 1000, 900, true));
    snprintf(said[1], 80, "a full matrix by hand %.3g ns", median(they, REPEATS));
    compared(what, said[0], said[1], ratio, REPEATS, 1.2);
    noe_integrator_free(g);
    noe_system_free(s);
}

static double large(int wide, int high, const char *method, double step, int steps, int runs,
                    double GBs)
{
    noe_system     *s = plate(wide, high);
    noe_integrator *g = started(s, method, step);
    char            told[400];
    const double    t = best(g, steps, runs, false);
    g->engine->summarize(g->work, told, sizeof told);
    printf("| %d | %s | %.1f | %.2f | %s |\n", noe_system_dim(s), method, 1e3 * t, t * GBs, told);
    fflush(stdout);
    noe_integrator_free(g);
    noe_system_free(s);
    return t;
}

int main(int count, char **word)
{
    const bool   brief = count > 1 && !strcmp(word[1], "brief");
    const double GBs = triad(20000000);
    product_go  *by_hand;
    if (!hand_compiled("bench/hand/product.c", "product_go", AS_FAST_AS_IT_GETS, NULL, &by_hand))
        return 1;
    printf("\n## Linear systems\n\nThe best of many runs, on the wall's clock. Spread of "
           "%d.\n\n" COMPARED,
           REPEATS);
    small(by_hand, 2), small(by_hand, 4), small(by_hand, 8), small(by_hand, 16);
    printf("\nPlane elasticity, bilinear squares, lumped mass; step 1 is %.2g of the limit of "
           "Simpson. STREAM's triad, one thread: %.1f GB/s.\n\n"
           "| dofs | method | ms a step | GB of the triad in that time | route "
           "|\n|---|---|---|---|---|\n",
           2.66461 / sqrt(8), GBs);
    large(223, 223, "simpson", 1, 10, 5, GBs);
    const double million = brief ? 0 : large(706, 706, "simpson", 1, 5, 3, GBs);
    factors = 1;
    const double simpson = large(223, 223, "simpson", 1, 3, 3, GBs),
                 newmark = large(223, 223, "midpoint", 1, 3, 3, GBs);
    factors = 0;
    printf("\n" COMPARED);
    if (million > 0) {
        /* 16 products with K, 18 numbers of 12 bytes a column, as if each read it from memory by
         * itself */
        const double streamed = 16 * 18 * 12 * 999698. / GBs / 1e9;
        double       ratio = million / streamed;
        char         said[2][80];
        snprintf(said[0], 80, "%.3g ms", 1e3 * million),
            snprintf(said[1], 80, "the triad, 16 times the bytes of K, %.3g ms", 1e3 * streamed);
        compared("simpson, plane elasticity, 10^6 dofs, no factors", said[0], said[1], &ratio, 1,
                 1);
    }
    double ratio = simpson / newmark;
    char   said[2][60];
    snprintf(said[0], 60, "%.3g ms", 1e3 * simpson),
        snprintf(said[1], 60, "noether's own midpoint %.3g ms", 1e3 * newmark);
    compared("simpson, plane elasticity, 10^5 dofs, with factors", said[0], said[1], &ratio, 1,
             1.15);
    hand_done();
    return 0;
}
