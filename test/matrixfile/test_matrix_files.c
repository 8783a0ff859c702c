/* file -> A: the formats of matrices, written here or by SuiteSparse's RBio.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * And files that are wrong. */
#include "laws.h"

#include "scratch.h"

#include "matrix/eigen_min.h"
#include "matrixfile/matrix_file.h"

#define NLARGEFILE /* leaves the macros of zlib.h alone */
#include <suitesparse/RBio.h>
#include <zlib.h>

static FILE *begin(const char *name)
{
    FILE *f = fopen(in_scratch(name), "w");
    assert_non_null(f);
    return f;
}

static noe_sparse *get(const char *name, int rows)
{
    noe_error_clear();
    noe_sparse *A = noe_matrix_file_read(in_scratch(name), rows);
    if (!A) fail_msg("%s", noe_error());
    return A;
}

/* A symmetric matrix at random, by columns; the lower triangle or all of it. */
typedef struct {
    int     n, *start, *row, n_entries;
    double *value, *full;
} columns;

static columns at_random(int n, double density, bool whole, bool integers)
{
    columns A = { .n = n,
                  .start = calloc((size_t)n + 1, sizeof(int)),
                  .row = calloc((size_t)n * (size_t)n, sizeof(int)),
                  .value = calloc((size_t)n * (size_t)n, 8),
                  .full = calloc((size_t)n * (size_t)n, 8) };
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            if (i == j || (random_number() + 1) / 2 < density)
                A.full[i * n + j] = A.full[j * n + i] = integers
                                                          ? 1 + floor(50 * fabs(random_number()))
                                                          : random_number()
                                                                * pow(10, 20 * random_number());
    for (int j = 0; j < n; j++) {
        for (int i = whole ? 0 : j; i < n; i++)
            if (A.full[i * n + j] != 0)
                A.row[A.n_entries] = i, A.value[A.n_entries++] = A.full[i * n + j];
        A.start[j + 1] = A.n_entries;
    }
    return A;
}

static void drop(columns *A) { free(A->start), free(A->row), free(A->value), free(A->full); }

static void equal(const noe_sparse *A, const columns *B, double bound, const char *what)
{
    assert_int_equal(A->n, B->n);
    for (int i = 0; i < B->n; i++)
        for (int j = 0; j < B->n; j++)
            small(noe_sparse_at(A, i, j) - B->full[i * B->n + j],
                  fmax(fabs(B->full[i * B->n + j]), 1e-300), bound, what);
}

/* Written by RBio, which takes as many digits as give the same bits, and sees that what it is
 * given is symmetric. */
static void test_rutherford_boeing(void **unused)
{
    (void)unused;
    for (int round = 0; round < 24; round++) {
        columns A = at_random(1 + (int)(20 * (random_number() + 1)), 0.3, true, round % 2);
        char    type[4] = "";
        assert_int_equal(RBwrite_i((char *)in_scratch("a.rb"), "a title", "key", A.n, A.n, A.start,
                                   A.row, A.value, NULL, NULL, NULL, 0, type),
                         0);
        assert_int_equal(type[0], round % 2 ? 'i' : 'r');
        assert_int_equal(type[1], 's');
        noe_sparse *B = get("a.rb", A.n);
        equal(B, &A, 1e-15, "Rutherford-Boeing");
        noe_sparse_free(B);
        drop(&A);
    }
    remove(in_scratch("a.rb"));
}

/* Harwell-Boeing as Fortran wrote it: fields that touch, D exponents, right sides behind, upper
 * or general. */
static void boeing(FILE *f, const columns *A, const char *type, const char *each, int per,
                   int width)
{
    const int p = (A->n + per) / per, i = (A->n_entries + per - 1) / per,
              v = (A->n_entries + 2) / 3;
    fprintf(f, "%-72s%-8s\n%14d%14d%14d%14d%14d\n", "of the tests", "NOETHER", p + i + v + 1, p, i,
            v, 1);
    fprintf(f, "%s           %14d%14d%14d%14d\n%-16s%-16s%-20s%-20s\n", type, A->n, A->n,
            A->n_entries, 0, each, each, "(1P,3D25.16)", "(3D25.16)");
    fprintf(f, "F             %14d%14d\n", 1, 0);
    for (int k = 0; k <= A->n; k++)
        fprintf(f, "%*d%s", width, A->start[k] + 1, k % per == per - 1 || k == A->n ? "\r\n" : "");
    for (int k = 0; k < A->n_entries; k++)
        fprintf(f, "%*d%s", width, A->row[k] + 1,
                k % per == per - 1 || k == A->n_entries - 1 ? "\r\n" : "");
    for (int k = 0; k < A->n_entries; k++) {
        char text[40];
        snprintf(text, sizeof text, "%25.16E", A->value[k]);
        *strchr(text, 'E') = 'D';
        fprintf(f, "%s%s", text, k % 3 == 2 || k == A->n_entries - 1 ? "\r\n" : "");
    }
    fprintf(f, "%25.16E\r\n", 1.5);
    fclose(f);
}

static void test_harwell_boeing(void **unused)
{
    (void)unused;
    columns A = at_random(150, 0.9, false, false), B = at_random(40, 0.3, true, false);
    assert_true(A.n_entries > 10000); /* so that five digits touch */
    boeing(begin("a.rsa"), &A, "RSA", "(16I5)", 16, 5);
    noe_sparse *C = get("a.rsa", 150);
    equal(C, &A, 1e-15, "Harwell-Boeing");
    noe_sparse_free(C);
    boeing(begin("a.rsa"), &B, "rua", "(10(I8))", 10, 8);
    C = get("a.rsa", 40);
    equal(C, &B, 1e-15, "Harwell-Boeing, general");
    noe_sparse_free(C);
    remove(in_scratch("a.rsa"));
    drop(&A), drop(&B);
}

static void expect(const char *name, const char *text, int n, const double *full)
{
    put(name, text);
    noe_sparse *A = get(name, n);
    assert_int_equal(A->n, n);
    for (int k = 0; k < n * n; k++)
        if (noe_sparse_at(A, k / n, k % n) != full[k])
            fail_msg("%s: row %d, column %d: %g", text, k / n + 1, k % n + 1,
                     noe_sparse_at(A, k / n, k % n));
    noe_sparse_free(A);
    remove(in_scratch(name));
}

#define MARKET "%%MatrixMarket matrix coordinate "
static void test_as_people_write_them(void **unused)
{
    (void)unused;
    static const double K[9] = { 2, -1, 0, -1, 2, -1, 0, -1, 1 }, one[1] = { 3 },
                        bare[9] = { 2, -1, 0, -1, 2, 0, 0, 0, 0 };
    expect("k.mtx",
           MARKET
           "real symmetric\r\n% dos\r\n3 3 5\r\n1 1 2\r\n2 2 2\r\n3 3 1\r\n2 1 -1\r\n3 2 -1\r\n",
           3, K);
    expect("k.mtx", MARKET "real symmetric\n3 3 5\n1 1 2\n1 2 -1\n2 2 2\n2 3 -1\n3 3 1\n", 3,
           K); /* the upper triangle */
    expect("k.mtx",
           MARKET "integer symmetric\n\n3 3 5\n\n1 1 2\n2 2 2\n% between\n3 3 1\n2 1 -1\n3 2 -1\n"
                  "% behind\n\n",
           3, K);
    expect("k.mtx",
           MARKET "real symmetric\n3 3 5\n1 1 0.2D1\n2 2 2.d+00\n3 3 1D0\n2 1 -10.D-1\n3 2 -1", 3,
           K);
    expect(
        "k.mtx",
        MARKET
        "real general\n3 3 10\n1 1 1\n1 1 1\n2 2 2\n3 3 1\n2 1 -1\n1 2 -1\n3 2 -1\n2 3 -1\n1 3 0\n"
        "3 1 0\n",
        3, K); /* twice, and zeros */
    expect("k.mtx", "%%matrixmarket MATRIX Array Real Symmetric\n3 3\n2\n-1\n0\n2\n-1\n1\n", 3, K);
    expect("k.mtx", MARKET "real general\n1 1 1\n1 1 3.\n", 1, one);
    expect("job.sti", "1 1 2.0\n1 2 -1.\n2 2 2\n2 3 -1\n3 3 1e0\n", 3, K); /* CalculiX */
    expect("K.mtx", "** STIFFNESS MATRIX\n1,1,2.0\n2, 1, -1.\n2,2, 2\n3,2,-1\n3,3, 1e0\n", 3,
           K); /* Abaqus, COORDINATE */
    expect("job.mas", "  1   1    2.0\n  2 1  -1.\n 1 2 -1\n2 2 2\n", 3,
           bare); /* the last has no mass */
    expect("job.mas", "1 1 3", 1, one);
}

/* As re-posted: the banner is lost, and the first line is the sizes. */
static void test_without_banner(void **unused)
{
    (void)unused;
    static const double K[9] = { 2, -1, 0, -1, 2, -1, 0, -1, 1 },
                        bare[9] = { 2, -1, 0, -1, 2, 0, 0, 0, 0 }, down[4] = { 3, 0, 0, 5 };
    expect("k.mtx", "3 3 5\n1 1 2\n2 1 -1\n2 2 2\n3 2 -1\n3 3 1\n", 3, K);
    expect("k.mtx",
           "% the comments stay\n%\n 3 3 5 \r\n1 1 2.0\r\n2 2 2e0\r\n\r\n3 3 1D0\r\n2 1 -1\r\n"
           "3 2 -1\r\n% end\r\n",
           3, K);
    expect("k.mtx", "3 3 7\n1 1 2\n2 1 -1\n1 2 -1\n2 2 2\n3 2 -1\n2 3 -1\n3 3 1\n", 3,
           K); /* both triangles */
    expect("k.mtx",
           "\xEF\xBB\xBF" MARKET "real symmetric\n3 3 5\n1 1 2\n2 2 2\n3 3 1\n2 1 -1\n3 2 -1\n", 3,
           K); /* by an editor */
    expect("k.mtx",
           "%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 2 2\n3 3 1\n2 1 -1\n"
           "3 2 -1\n",
           3, K);
    expect("m.mtx", "3 3 3\n1 1 2\n2 2 2\n2 1 -1\n", 3, bare); /* nothing in the last row */
    /* And lists whose first entry looks like sizes, or nearly. */
    expect("m.mas", "2 2 5\n1 1 3\n", 2, down);
    expect("m.mas", "2 2 5.0\n1 1 3.0\n", 2, down);
    expect("k.sti", "2 2 2\n3 3 1\n1 1 2\n2 1 -1\n3 2 -1\n", 3, K);
    for (int round = 0; round < 20; round++) { /* any matrix, by its size and in any order */
        columns A = at_random(2 + (int)(bits() % 30), 0.3, false, round % 2);
        FILE   *f = begin("bare.mtx");
        int    *order = calloc((size_t)A.n_entries, sizeof *order),
            *col = calloc((size_t)A.n_entries, sizeof *col);
        for (int j = 0; j < A.n; j++)
            for (int k = A.start[j]; k < A.start[j + 1]; k++) col[k] = j;
        for (int k = 0; k < A.n_entries; k++) order[k] = k;
        for (int k = A.n_entries - 1; k > 0; k--) {
            const int other = (int)(bits() % (uint64_t)(k + 1)), at = order[k];
            order[k] = order[other], order[other] = at;
        }
        fprintf(f, "%d %d %d\n", A.n, A.n, A.n_entries);
        for (int k = 0; k < A.n_entries; k++)
            fprintf(f, "%d %d %.17g\n", A.row[order[k]] + 1, col[order[k]] + 1, A.value[order[k]]);
        fclose(f);
        noe_sparse *B = get("bare.mtx", A.n);
        equal(B, &A, 1e-300, "without a banner");
        noe_sparse_free(B);
        free(order), free(col), drop(&A);
    }
    remove(in_scratch("bare.mtx"));
}

static void test_gzip(void **unused)
{
    (void)unused;
    static const char text[] = "1 1 2.0\n1 2 -1.\n2 2 2\n2 3 -1\n3 3 1e0\n";
    gzFile            f = gzopen(in_scratch("k.gz"), "wb");
    gzputs(f, text);
    gzclose(f);
    noe_sparse *A = get("k.gz", 3);
    assert_true(noe_sparse_at(A, 1, 2) == -1 && noe_sparse_at(A, 2, 1) == -1);
    noe_sparse_free(A);
    remove(in_scratch("k.gz"));
}

/* 20000 springs in a row, both ends held: omega = 2 sin(k pi/(2 (n + 1))). */
static void test_twenty_thousand(void **unused)
{
    (void)unused;
    enum { N = 20000 };
    columns A = { .n = N,
                  .start = calloc(N + 1, sizeof(int)),
                  .row = calloc(2 * N, sizeof(int)),
                  .value = calloc(2 * N, 8) };
    for (int j = 0; j < N; j++) {
        A.row[A.n_entries] = j, A.value[A.n_entries++] = 2;
        if (j < N - 1) A.row[A.n_entries] = j + 1, A.value[A.n_entries++] = -1;
        A.start[j + 1] = A.n_entries;
    }
    boeing(begin("chain.rsa"), &A, "RSA", "(16I5)", 16, 5);
    FILE *f = begin("unit.mas");
    for (int i = 1; i <= N; i++) fprintf(f, "%d %d 1\n", i, i);
    fclose(f);
    f = begin("chain.lag");
    fprintf(f,
            "coordinate u[1..%d]\nforce u[5] = sin(t)\nmass \"unit.mas\"\nstiffness \"chain.rsa\"\n"
            "start u[i] = sin(pi*i/%d)\n",
            N, N + 1);
    fclose(f);
    noe_system *s = load(in_scratch("chain.lag"));
    noe_mode    low[3];
    assert_int_equal(noe_eigen_min_find(s->dyn.structure, 4, 3, NOE_LOWEST_ITERATIONS_MOST, low),
                     3);
    for (int k = 0; k < 3; k++)
        digits(low[k].omega2, pow(2 * sin((k + 1) * M_PI / (2 * (N + 1))), 2), 1e-6, "chain");
    noe_system_free(s);
    drop(&A);
    remove(in_scratch("chain.rsa")), remove(in_scratch("unit.mas")),
        remove(in_scratch("chain.lag"));
}

static void refused(const char *text, const char *words)
{
    put("wrong", text);
    noe_error_clear();
    noe_sparse *A = noe_matrix_file_read(in_scratch("wrong"), 3);
    if (A) fail_msg("not refused: %s", words);
    if (!strstr(noe_error(), words)) fail_msg("'%s' instead of '%s'", noe_error(), words);
    noe_error_clear();
    remove(in_scratch("wrong"));
}

#define TITLE "title                                                                   key     \n"
#define CARDS "             3             1             1             1\n"
#define SIZES "RSA                        3             3             3             0\n"
#define FORMATS "(4I3)           (4I3)           (3E10.2)            \n"
static void test_refused(void **unused)
{
    (void)unused;
    refused("", ":1: an empty file");
    refused("nothing\nof\nthe kind\n",
            ":1: expected '%%MatrixMarket matrix ...', the header of a Rutherford-Boeing file");
    refused(
        "3 3 9\n1 1 2.5\n2 1 -1\n2 2 2\n",
        ":1: 3 3 9 may be the sizes of a Matrix Market file whose banner is missing: it promises "
        "another");
    refused("3 3 9\n1 1 2\n2 1 -1\n2 2 2\n", "or 9.0 if it is an entry");
    refused("% kept\n3 3 2\n1 1 2\n2 2 2\n", ":2: 3 3 2 may be the sizes");
    refused("3 2 3\n1 1 2\n2 2 2\n3 1 1\n",
            "the matrix would not be square (3 lines of entries follow)");
    refused("1 1 2\n2 x 1\n", ":2: expected a row, a column and a number");
    refused("1 1 2\n2 4 1\n", ":2: row 2, column 4, but 3 coordinates");
    refused("1 1 2\n0 1 1\n", ":2: the entry lies outside");
    refused("1 1 2\n2 1 1e999\n", ":2: the entry is not a finite number");
    refused(MARKET "real skew-symmetric\n", "general or symmetric");
    refused(MARKET "pattern symmetric\n3 3 1\n1 1\n", "real or integer");
    refused(MARKET "real general\n3 3 1\n1 1 1 7\n",
            ":3: expected a number at the end of the line");
    refused(TITLE CARDS
            "RSE                        3             3             3             0\n" FORMATS,
            ":3: expected a matrix that is assembled");
    refused(TITLE CARDS
            "PSA                        3             3             3             0\n" FORMATS,
            ":3: expected a matrix of numbers");
    refused(TITLE CARDS
            "RZA                        3             3             3             0\n" FORMATS,
            ":3: expected a matrix that is symmetric or general");
    refused(TITLE CARDS
            "RSA                        3             2             3             0\n" FORMATS,
            ":3: the matrix is not square");
    refused(TITLE CARDS SIZES, ":4: the file ends in its header");
    refused(TITLE CARDS SIZES "(4X3)           (4I3)           (3E10.2)            \n",
            ":4: expected Fortran formats");
    refused(TITLE CARDS SIZES FORMATS "  1  2\n", ":5: the line has fewer fields");
    refused(TITLE CARDS SIZES FORMATS "  1  2  3  3\n", ":5: the columns do not hold all entries");
    refused(TITLE CARDS SIZES FORMATS "  1  3  2  4\n",
            ":5: expected where a column begins, from 3 to 4, found '  2'");
    refused(TITLE CARDS SIZES FORMATS "  1  2  3  4\n  1  2  7\n",
            ":6: expected a row from 1 to 3, found '  7'");
    refused(TITLE CARDS SIZES FORMATS "  1  2  3  4\n  1  2  3\n",
            ":7: the file ends here: expected another number");
    refused(TITLE CARDS SIZES FORMATS "  1  2  3  4\n  1  2  3\n  1.00E+00  1.0x\n",
            ":7: expected a number, found '  1.0x'");
    refused(TITLE CARDS SIZES FORMATS "  1  2  3  4\n  1  2  3\n  1.00E+00       inf\n",
            ":7: the entry is not a finite number");
    refused(TITLE CARDS
            "RSA               2000000000    2000000000    4000000000             0\n" FORMATS,
            ":3: 2000000000 rows, but 3 coordinates are declared");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rutherford_boeing),
        cmocka_unit_test(test_harwell_boeing),
        cmocka_unit_test(test_as_people_write_them),
        cmocka_unit_test(test_without_banner),
        cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_twenty_thousand),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
