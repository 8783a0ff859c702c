/* file -> A: PETSc's binary format has the bits of Matrix Market; files that are wrong.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The files are written from the format; test/mpi_matrices has those of PETSc's own writer. */
#include "laws.h"

#include "failing.h"
#include "petsc_file.h"
#include "scratch.h"

#include "base/optional_library.h"
#include "matrixfile/matrix_file.h"
#include "matrix/structure.h"

/* ---- matrices ---- */

typedef struct {
    int     n, entries, *count, *col;
    double *value;
} rows;

/* At random, with entries on both sides of the diagonal, the columns of a row in any order. */
static rows at_random(int n, double density, bool symmetric)
{
    rows    A = { .n = n,
                  .count = calloc((size_t)n, sizeof(int)),
                  .col = calloc((size_t)n * (size_t)n, sizeof(int)),
                  .value = calloc((size_t)n * (size_t)n, 8) };
    double *full = calloc((size_t)n * (size_t)n, 8);
    bool   *is = calloc((size_t)n * (size_t)n, 1);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            const double x = any_double(), y = symmetric ? x : any_double();
            is[i * n + j] = is[j * n + i] = i == j || (random_number() + 1) / 2 < density;
            full[i * n + j] = x, full[j * n + i] = i == j ? x : y;
        }
    for (int i = 0; i < n; i++)
        for (int at = (int)(bits() % (uint64_t)n), k = 0; k < n; k++, at++) {
            const int j = density < 1 ? at % n : k;
            if (!is[i * n + j]) continue;
            A.col[A.entries] = j, A.value[A.entries++] = full[i * n + j];
            A.count[i]++;
        }
    free(full), free(is);
    return A;
}

static void drop(rows *A) { free(A->count), free(A->col), free(A->value); }

static petsc_file bytes_of(const rows *A, int wide, bool dense)
{
    return petsc_file_of(A->n, A->count, A->col, A->value, wide, dense);
}

static void write_market(const rows *A, const char *name)
{
    FILE *f = fopen(in_scratch(name), "w");
    assert_non_null(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", A->n, A->n,
            A->entries);
    for (int i = 0, k = 0; i < A->n; i++)
        for (int e = 0; e < A->count[i]; e++, k++)
            fprintf(f, "%d %d %.17g\n", i + 1, A->col[k] + 1, A->value[k]);
    fclose(f);
}

static noe_sparse *get(const char *name, int n)
{
    noe_error_clear();
    noe_sparse *A = noe_matrix_file_read(in_scratch(name), n);
    if (!A) fail_msg("%s", noe_error());
    return A;
}

static void equal(const noe_sparse *A, const noe_sparse *B)
{
    const size_t entries = (size_t)B->start[B->n];
    assert_int_equal(A->n, B->n);
    assert_memory_equal(A->start, B->start, ((size_t)B->n + 1) * sizeof *B->start);
    assert_memory_equal(A->col, B->col, entries * sizeof *B->col);
    assert_memory_equal(A->value, B->value, entries * sizeof *B->value);
}

/* ---- the same matrix in both formats ---- */

static void test_round_trip(void **unused)
{
    (void)unused;
    for (int round = 0; round < 80; round++) {
        const bool dense = round % 4 == 3;
        /* some have more numbers than are read at once */
        const int  n = round % 20 == 0 ? 120 : 1 + (int)(bits() % 40);
        rows       A = at_random(n, dense || n > 100 ? 1 : 0.2, round % 2);
        petsc_file f = bytes_of(&A, round & 2 ? 8 : 4, dense);
        petsc_file_write(&f, in_scratch("a.petsc"));
        write_market(&A, "a.mtx");
        noe_sparse *B = get("a.petsc", n), *C = get("a.mtx", n);
        equal(B, C);
        noe_sparse_free(B);
        if (round % 8 < 4 && noe_optional_library_has(NOE_OF_ZLIB)) {
            shell("gzip -f a.petsc && mv a.petsc.gz a.petsc");
            equal(B = get("a.petsc", n), C);
            noe_sparse_free(B);
        }
        noe_sparse_free(C);
        free(f.byte), drop(&A);
    }
    remove(in_scratch("a.petsc")), remove(in_scratch("a.mtx"));
}

/* ---- files that are wrong ---- */

static void write_bytes(const unsigned char *byte, size_t length, bool compressed)
{
    petsc_file f = { (unsigned char *)byte, length };
    petsc_file_write(&f, in_scratch("wrong"));
    if (compressed) shell("gzip -f wrong && mv wrong.gz wrong");
}

static void refused(const unsigned char *byte, size_t length, int n, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The message is "PATH: .." and has the words, for a compressed file, too. */
static void refused(const unsigned char *byte, size_t length, int n, const char *format, ...)
{
    char    words[200];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    /* gzip takes time */
    const bool twice = noe_optional_library_has(NOE_OF_ZLIB) && bits() % 4 == 0;
    for (int compressed = 0; compressed <= twice; compressed++) {
        write_bytes(byte, length, compressed);
        const char  *path = in_scratch("wrong");
        const size_t own = strlen(path);
        noe_error_clear();
        if (noe_matrix_file_read(path, n)) fail_msg("not refused: %s", words);
        if (strncmp(noe_error(), path, own) || strncmp(noe_error() + own, ": ", 2)
            || !strstr(noe_error(), words))
            fail_msg("'%s' instead of '%s'", noe_error(), words);
        assert_int_not_equal(noe_status_last(), NOE_OK);
    }
    noe_error_clear();
    remove(in_scratch("wrong"));
}

/* Number `at` of a file is x. */
static void changed(const petsc_file *f, size_t at, uint64_t x, int bytes, const char *words)
{
    petsc_file g = { NULL, 0 };
    petsc_put(&g, x, bytes);
    unsigned char *copy = malloc(f->length);
    memcpy(copy, f->byte, f->length);
    memcpy(copy + at, g.byte, (size_t)bytes);
    refused(copy, f->length, 3, "%s", words);
    free(copy), free(g.byte);
}

/* 2 -1 0, -1 2 -1, 0 -1 2. */
static petsc_file chain(int wide)
{
    static const int    count[] = { 2, 3, 2 }, col[] = { 0, 1, 0, 1, 2, 1, 2 };
    static const double value[] = { 2, -1, -1, 2, -1, -1, 2 };
    return petsc_file_of(3, count, col, value, wide, false);
}

static void test_numbers(void **unused)
{
    (void)unused;
    for (int wide = 4; wide <= 8; wide += 4) {
        const petsc_file f = chain(wide);
        const size_t     w = (size_t)wide, counts = 4 * w, columns = 7 * w, values = 14 * w;
        const uint64_t   high = wide == 8 ? (uint64_t)1 << 32 : 0; /* what 32 bits do not have */
        changed(&f, 0, 1211214, wide, "a vector of PETSc, class id 1211214: expected a matrix");
        changed(&f, 0, 1211218, wide, "an object of PETSc, class id 1211218: expected a matrix");
        changed(&f, w, 4, wide, "not square: 4 rows and 3 columns");
        changed(&f, 2 * w, high + 2, wide, "the matrix is not square: 3 rows and");
        changed(&f, 3 * w, 10, wide, "its header says 10 entries: expected at most 9 in 3 rows");
        changed(&f, 3 * w, 0x7fffffff + high, wide, "entries: expected at most 9");
        changed(&f, 3 * w, (uint64_t)-2, wide, "its header says -2 entries");
        changed(&f, 3 * w, INT64_MAX / 2 - 0x7fffffff, wide, "entries");
        changed(&f, counts + w, (uint64_t)-1, wide, "row 1 has -1 entries: expected 0 to 3");
        changed(&f, counts + 2 * w, 4 + high, wide, "row 2 has 4");
        changed(&f, counts, 1, wide, "its rows have 6 entries: expected 7, as its header says");
        changed(&f, counts, 3, wide, "its rows have 8 entries");
        changed(&f, columns + 2 * w, 3, wide, "row 1 has the column 3: expected 0 to 2");
        changed(&f, columns + 5 * w, (uint64_t)-1, wide, "row 2 has the column -1: expected 0");
        changed(&f, columns, high + 0x7fffffff, wide, "an entry of row 0 has the column");
        changed(&f, values + 16, 0x7ff8000000000000, 8, "in row 1 and column 0 is nan");
        changed(&f, values + 48, 0xfff0000000000000, 8, "in row 2 and column 2 is -inf");
        free(f.byte);
    }
}

static void test_sizes(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t    rows;
        const char *words;
    } x[] = { { 4,
                "4 rows, but 3 coordinates are declared: one for every row, 'coordinate u[1..4" },
              { 0, "its header says 0 rows: expected 1 to" },
              { (uint64_t)-3, "its header says -3 rows" },
              { 0x7fffffff, "its header says 2147483647 rows" },
              { 0x100000003, "its header says 4294967299 rows" } };
    for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
        petsc_file f = { NULL, 0 };
        petsc_put(&f, 1211216, 8), petsc_put(&f, x[k].rows, 8), petsc_put(&f, x[k].rows, 8);
        for (int i = 0; i < 20; i++) petsc_put(&f, 0, 8);
        refused(f.byte, f.length, 3, "%s", x[k].words);
        free(f.byte);
    }
}

static void test_lengths(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 3; kind++) {
        const int    wide = kind == 1 ? 8 : 4;
        rows         A = at_random(3, 1, true);
        petsc_file   f = kind == 2 ? bytes_of(&A, 4, true) : chain(wide);
        const size_t numbers = kind == 2 ? 9 : 7, single = f.length - 4 * numbers, all = f.length;
        /* a part of the class id does not tell the format */
        for (size_t length = (size_t)wide; length < all; length++)
            if (length < 4 * (size_t)wide)
                refused(f.byte, length, 3, "the file ends in its header");
            else if (length == single) refused(f.byte, length, 3, "length is that of single");
            else refused(f.byte, length, 3, "ends after %zu bytes: expected %zu", length, all);
        for (size_t more = 1; more <= 8 * numbers; more += more < 3 ? 1 : 8 * numbers - 3) {
            while (f.length < all + more) petsc_put(&f, 0x40, 1);
            if (more < 8 * numbers)
                refused(f.byte, f.length, 3, "%zu bytes follow behind the matrix: expected %zu",
                        more, all);
            else refused(f.byte, f.length, 3, "length is that of complex numbers");
        }
        petsc_put(&f, 0, 1);
        refused(f.byte, f.length, 3, "%zu bytes follow", 8 * numbers + 1);
        free(f.byte), drop(&A);
    }
}

static void test_little_endian(void **unused)
{
    (void)unused;
    for (int wide = 4; wide <= 8; wide += 4) {
        petsc_file f = chain(wide), g = { NULL, 0 };
        for (size_t at = 0; at < f.length;) {
            const int bytes = at < 14 * (size_t)wide ? wide : 8;
            for (int k = bytes - 1; k >= 0; k--) petsc_put(&g, f.byte[at + (size_t)k], 1);
            at += (size_t)bytes;
        }
        refused(g.byte, g.length, 3, "in little-endian order: expected big-endian");
        free(f.byte), free(g.byte);
    }
}

/* A short file that promises much is refused before memory is taken for what it promises. */
static void test_memory(void **unused)
{
    (void)unused;
    enum { N = 100000, ENOUGH = 1 << 21 };
    for (int kind = 0; kind < 4; kind++) {
        petsc_file f = { NULL, 0 };
        const int  wide = kind & 1 ? 8 : 4;
        petsc_put(&f, 1211216, wide), petsc_put(&f, N, wide), petsc_put(&f, N, wide);
        petsc_put(&f, kind & 2 ? UINT64_MAX : 0x7fffffff, wide);
        petsc_put(&f, 0, wide);
        largest_request = 0;
        refused(f.byte, f.length, N, "the file ends after %zu bytes", f.length);
        if (largest_request > ENOUGH) fail_msg("asked for %zu bytes", largest_request);
        free(f.byte);
    }
    rows A = at_random(3, 1, true);
    largest_request = 0;
    petsc_file f = bytes_of(&A, 4, false);
    changed(&f, 4, 0x7ffffff0, 4, "not square");
    assert_true(largest_request > 0 && largest_request <= ENOUGH);
    free(f.byte), drop(&A);
}

/* One byte is another: refused, always where it stands before the columns, or another matrix. */
static void test_flipped(void **unused)
{
    (void)unused;
    int accepted = 0;
    for (int round = 0; round < 2000; round++) {
        const int    n = 2 + (int)(bits() % 12), wide = round & 1 ? 8 : 4;
        const bool   dense = round % 5 == 0;
        rows         A = at_random(n, dense ? 1 : 0.4, false);
        petsc_file   f = bytes_of(&A, wide, dense);
        const size_t at = (size_t)(bits() % f.length),
                     before = (size_t)(wide * (dense ? 4 : 4 + n));
        f.byte[at] ^= (unsigned char)(1 + bits() % 255);
        for (int more = (int)(bits() % 3) * (round % 2); more > 0; more--)
            f.byte[before + (size_t)(bits() % (f.length - before))] ^= (unsigned char)bits();
        petsc_file_write(&f, in_scratch("flipped"));
        noe_error_clear();
        noe_sparse *B = noe_matrix_file_read(in_scratch("flipped"), n);
        if (B && at < before) fail_msg("byte %zu of %zu: not refused", at, f.length);
        /* what is no longer a class id is taken for text, of a line or two */
        if (!B && !strstr(noe_error(), "/flipped:")) fail_msg("%s", noe_error());
        for (int64_t k = 0; B && k < B->start[n]; k++)
            assert_true(B->col[k] >= 0 && B->col[k] < n && isfinite(B->value[k]));
        accepted += B != NULL;
        noe_sparse_free(B);
        free(f.byte), drop(&A);
    }
    assert_true(accepted > 500);
    noe_error_clear();
    remove(in_scratch("flipped"));
}

/* ---- models ---- */

static void model(const char *stiffness)
{
    FILE *f = fopen(in_scratch("model.lag"), "w");
    fprintf(f, "coordinate u[1..3]\nmass \"m.mtx\"\nstiffness \"%s\"\nstart u[1] = 1\n", stiffness);
    fclose(f);
}

static void refused_model(const char *name, const petsc_file *f, const char *words, char said[300])
{
    if (f) petsc_file_write(f, in_scratch(name));
    model(name);
    noe_error_clear();
    assert_null(noe_system_load(in_scratch("model.lag")));
    if (!strstr(noe_error(), words)) fail_msg("'%s' instead of '%s'", noe_error(), words);
    snprintf(said, 300, "%s", noe_error());
    noe_error_clear();
}

/* Symmetry is asked of M and K as of a general matrix of Matrix Market. */
static void test_symmetry(void **unused)
{
    (void)unused;
    static const int    count[] = { 2, 2, 1 }, col[] = { 0, 1, 1, 2, 2 };
    static const double value[] = { 2, -1, 2, -1, 2 };
    petsc_file          f = chain(4), upper = petsc_file_of(3, count, col, value, 4, false);
    char                said[300];
    put("m.mtx", "1 1 1\n2 2 1\n3 3 1\n");
    petsc_file_write(&f, in_scratch("k"));
    model("k");
    noe_system *s = load(in_scratch("model.lag"));
    assert_true(noe_sparse_at(s->dyn.structure->K, 2, 1) == -1);
    noe_system_free(s);
    refused_model("upper", &upper, "upper: the matrix is not symmetric: PETSc's files have both",
                  said);
    f.byte[f.length - 15] ^= 8; /* a_21 = -1.5 */
    refused_model("twisted", &f, "the stiffness matrix is not symmetric", said);
    put("k.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 7\n1 1 2\n1 2 -1\n2 1 -1\n"
                 "2 2 2\n2 3 -1\n3 2 -1.5\n3 3 2\n");
    refused_model("k.mtx", NULL, said, said);
    free(f.byte), free(upper.byte);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_sizes),         cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_little_endian), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_flipped),       cmocka_unit_test(test_symmetry),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
