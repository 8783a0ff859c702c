/* Memory runs out at the k-th call, of CHOLMOD's too: factors, modes and masses say this alone.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Needs: suitesparse arpack. */
#include "failing.h"
#include "laws.h"

#include "base/status.h"
#include "matrix/eigen_min.h"
#include "matrix/mass_nullspace.h"
#include "matrix/axis_condensation.h"

#include <suitesparse/SuiteSparse_config.h>

enum { N = 40, LOWEST = 6 };

/* A random chain, positive definite; every row without a multiple of `full` as its number is
 * empty. */
static noe_sparse *chain(int full)
{
    noe_sparse *A = noe_sparse_new(N, 3 * N);
    double      link[N + 1];
    int64_t     at = 0;
    assert_non_null(A);
    for (int i = 0; i <= N; i++) link[i] = i % N ? 1 + random_number() / 2 : 0;
    for (int i = 0; i < N; i++) {
        for (int j = i - 1; j <= i + 1 && i % full == 0; j++) {
            if (j < 0 || j >= N || (full > 1 && j != i)) continue;
            A->col[at] = j;
            A->value[at++] = j < i ? -link[i] : j > i ? -link[j] : 0.1 + link[i] + link[i + 1];
        }
        A->start[i + 1] = at;
    }
    return A;
}

static noe_sparse *M, *K;

static noe_status factorise(void)
{
    const noe_structure s = { .n = N, .M = M, .K = K };
    noe_factorization  *x = noe_factorization_new(&s, 1, 1, NOE_BITS_FAST);
    if (!x) return noe_status_last();
    double g[N], y[N], back[N], most = 0;
    for (int i = 0; i < N; i++) g[i] = random_number();
    const long left = calls_left;
    calls_left = -1; /* CHOLMOD's scratch */
    noe_factorization_solve(x, g, y);
    calls_left = left;
    noe_factorization_free(x);
    for (int i = 0; i < N; i++) {
        back[i] = -g[i];
        for (int64_t k = M->start[i]; k < M->start[i + 1]; k++)
            back[i] += M->value[k] * y[M->col[k]];
        for (int64_t k = K->start[i]; k < K->start[i + 1]; k++)
            back[i] += K->value[k] * y[K->col[k]];
        most = fmax(most, fabs(back[i]));
    }
    small(most, 1, 1e-13, "(M + K) y = g");
    return NOE_OK;
}

static noe_status lowest(void)
{
    const noe_structure s = { .n = N, .M = M, .K = K };
    noe_mode            low[LOWEST];
    const int           found = noe_eigen_min_find(&s, 100, LOWEST, 300, low);
    assert_true(found == LOWEST || found == -1);
    return found < 0 ? noe_status_last() : NOE_OK;
}

static noe_status is_regular(void)
{
    bool             regular;
    const noe_status s = noe_mass_nullspace_check(M, &regular);
    assert_true(s || regular);
    return s;
}

/* Without masses of two neighbours in three, by a Cholesky factorization. */
static noe_status condense(void)
{
    const long       left = calls_left;
    noe_condensation x;
    calls_left = -1;
    noe_sparse *m = chain(3), *c = NULL, *k = chain(1);
    calls_left = left;
    const noe_status s = noe_axis_condensation_make(&m, &c, &k, &x);
    assert_true(s || (x.eliminated == N - (N + 2) / 3 && m->n == (N + 2) / 3));
    noe_static_condensation_free(&x);
    noe_sparse_free(m), noe_sparse_free(k);
    return s;
}

static void only_memory(noe_status (*one)(void), int least)
{
    bool through = false;
    int  failures = 0;
    for (long k = 0; !through; k++) {
        noe_error_clear();
        calls_left = k;
        const noe_status s = one();
        through = calls_left >= 0;
        calls_left = -1;
        failures += s != NOE_OK;
        if (!s) assert_null(noe_error());
        else if (s != NOE_NO_MEMORY || !noe_error() || !strstr(noe_error(), "memory"))
            fail_msg("call %ld: status %d, %s", k, s, noe_error() ? noe_error() : "no message");
        assert_true(!through || !s);
    }
    assert_true(failures >= least);
}

static void test_matrices(void **state)
{
    (void)state;
    M = chain(1), K = chain(1);
    only_memory(lowest, 10);
    only_memory(condense, 10);
    SuiteSparse_config.malloc_func = malloc, SuiteSparse_config.calloc_func = calloc;
    SuiteSparse_config.realloc_func = realloc;
    only_memory(factorise, 20);
    only_memory(is_regular, 20);
    noe_sparse_free(M), noe_sparse_free(K);
}

/* What is singular is told as such still, also behind an earlier message. */
static void test_singular(void **state)
{
    (void)state;
    noe_sparse *m = chain(3), *c = NULL, *k = chain(1);
    for (int64_t e = k->start[1]; e < k->start[2]; e++) k->value[e] = 0;
    for (int64_t e = k->start[0]; e < k->start[3]; e++)
        if (k->col[e] == 1) k->value[e] = 0;
    for (int earlier = 0; earlier < 2; earlier++) {
        noe_condensation x;
        noe_error_clear();
        if (earlier) noe_status_fail(NOE_IO, "an earlier one");
        assert_int_equal(noe_axis_condensation_make(&m, &c, &k, &x), NOE_SINGULAR);
        assert_non_null(strstr(noe_error(), earlier ? "earlier" : "neither mass nor stiffness"));
        noe_static_condensation_free(&x);
        if (!earlier) noe_error_clear();
        bool regular = true;
        M = chain(1);
        for (int i = 0; i < 2; i++) /* rows 0 and 1 of rank one */
            for (int64_t e = M->start[i]; e < M->start[i + 1]; e++)
                M->value[e] = M->col[e] < 2 ? 1 : 0;
        for (int64_t e = M->start[2]; e < M->start[3]; e++)
            if (M->col[e] == 1) M->value[e] = 0;
        assert_int_equal(noe_mass_nullspace_check(M, &regular), NOE_OK);
        assert_false(regular);
        assert_int_equal(noe_error() != NULL, earlier);
        noe_sparse_free(M);
    }
    noe_error_clear();
    noe_sparse_free(m), noe_sparse_free(k);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_matrices),
                                        cmocka_unit_test(test_singular) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
