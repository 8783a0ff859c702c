/* membrane and cantilever: exact frequencies, rigid motions, one stretch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dsygv.h"
#include "laws.h"

#include "app/fem_mesh.h"
#include "matrix/structure.h"
#include "matrix/eigen_min.h"
#include "matrix/eigen_max.h"

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void membrane(bool consistent)
{
    const noe_fem_mesh g = { NOE_MEMBRANE, 2, 9, consistent };
    noe_sparse        *m, *k;
    assert_int_equal(noe_fem_mesh_make(&g, &m, &k), NOE_OK);
    const int n = k->n, room = 64 * n, one = 1;
    double    K[64 * 64], M[64 * 64], w[64], exact[64], work[64 * 64];
    int       info, count = 0;
    assert_int_equal(n, 64);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            K[i + n * j] = noe_sparse_at(k, i, j), M[i + n * j] = noe_sparse_at(m, i, j);
    dsygv_(&one, "N", "L", &n, K, &n, M, &n, w, work, &room, &info, 1, 1);
    for (int i = 1; i < 9; i++)
        for (int j = 1; j < 9; j++) exact[count] = noe_fem_mesh_membrane_omega(&g, i, j), count++;
    qsort(exact, 64, sizeof *exact, ascending);
    for (int i = 0; i < n; i++) small(sqrt(w[i]) - exact[i], exact[i], 1e-13, "membrane");
    noe_structure *s = noe_structure_new(m, NULL, k);
    assert_true((s->mass != NULL) == !consistent);
    assert_true(noe_eigen_max_bound(s) >= w[n - 1] * (1 - 1e-12));
    noe_mode low[10];
    assert_int_equal(noe_eigen_min_find(s, w[n - 1], 10, NOE_LOWEST_ITERATIONS_MOST, low), 10);
    for (int i = 0; i < 10; i++)
        small(sqrt(low[i].omega2) - exact[i], exact[i], 1e-11,
              "the slowest, twice each but on the diagonal");
    noe_structure_free(s);
}

static void test_membrane(void **unused)
{
    (void)unused;
    membrane(false);
    membrane(true);
    assert_true(
        fabs(noe_fem_mesh_membrane_omega(&(noe_fem_mesh){ NOE_MEMBRANE, 2, 400, true }, 1, 1)
             - sqrt(2) * acos(-1))
        < 1e-4);
}

/* K moved with the clamped side too must not feel motions of the whole; here: far from the
 * clamp, rows of K times a linear field of constant stress are 0 inside, and the end carries the
 * stress. */
static void stretch(int dim)
{
    const noe_fem_mesh g = { NOE_CANTILEVER, dim, 5, dim == 3 };
    const int          wide = 6, n = dim == 2 ? 60 : 540; /* dim 5 6^(dim - 1) */
    noe_sparse        *m, *k;
    double             x[750], f[750], push = 0, weight = 0;
    assert_int_equal(noe_fem_mesh_make(&g, &m, &k), NOE_OK);
    assert_int_equal(k->n, n);
    for (int i = 0; i < n; i++) { /* u = (x, -nu y, -nu z): pulled along x */
        const int node = i / dim, at[3] = { node % 5 + 1, node / 5 % wide, node / 5 / wide };
        x[i] = (i % dim ? -0.3 : 1) * at[i % dim] / 5.0;
    }
    noe_sparse_times(k, x, f);
    for (int i = 0; i < n; i++) {
        const int ahead = i / dim % 5;
        if (ahead == 4 && i % dim == 0) push += f[i];
        else if (ahead > 0) small(f[i], 210e9, 1e-14, "inside");
    }
    small(push - 210e9, 210e9, 1e-13, "the end");
    for (int i = 0; i < n; i++) x[i] = i % dim == 0;
    noe_sparse_times(m, x, f);
    for (int i = 0; i < n; i++) weight += x[i] * f[i];
    /* the clamped side keeps half of its elements when lumped */
    if (!g.consistent) small(weight - 7850 * 0.9, 7850, 1e-13, "weight");
    int row, col;
    assert_true(noe_sparse_symmetric(k, 1e-15, &row, &col)
                && noe_sparse_symmetric(m, 1e-15, &row, &col));
    noe_sparse_free(m);
    noe_sparse_free(k);
}

static void test_cantilever(void **unused)
{
    (void)unused;
    stretch(2);
    stretch(3);
    noe_sparse *m, *k;
    assert_int_equal(noe_fem_mesh_make(&(noe_fem_mesh){ NOE_CANTILEVER, 4, 5, false }, &m, &k),
                     NOE_INVALID);
    assert_int_equal(noe_fem_mesh_make(&(noe_fem_mesh){ NOE_MEMBRANE, 2, 1, false }, &m, &k),
                     NOE_INVALID);
    assert_int_equal(noe_fem_mesh_make(&(noe_fem_mesh){ NOE_CANTILEVER, 3, 2000, false }, &m, &k),
                     NOE_INVALID);
    noe_error_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_membrane),
                                        cmocka_unit_test(test_cantilever) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
