/* M = d(q, p)_new / d(q, p),   M^T Omega M = Omega,   det M = 1.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"

static const char *const some_method[] = { "simpson", "gauss 3", "lobatto 3", "P3 radau-left 3" };
enum { SOME = sizeof some_method / sizeof *some_method, Z = 2 * DOFS };

typedef struct {
    int  z; /* 2n */
    quad at[Z][Z];
} matrix;

static matrix derivative(run r, int member)
{
    quad   M[Z * Z];
    matrix A = { .z = 2 * r.n };
    if (!r.core->derivative(r.work, member, M)) fail_msg("the derivative is not finite");
    for (int i = 0; i < A.z; i++) memcpy(A.at[i], M + i * A.z, (size_t)A.z * sizeof *M);
    return A;
}

/* Rows and columns in units of the sizes of q and p. */
static void in_units(matrix *M, const quad *size)
{
    for (int i = 0; i < M->z; i++)
        for (int k = 0; k < M->z; k++) M->at[i][k] *= size[2 * k >= M->z] / size[2 * i >= M->z];
}

static void sizes(const noe_system *s, const point *x, quad *size)
{
    const quad h = suggested_step(s);
    size[0] = (quad)1 / 10;
    for (int j = 0; j < s->dyn.n; j++) size[0] = fmaxq(size[0], fabsq(h * x->v[j]));
    size[1] = momentum_scale(&s->dyn, x);
}

static quad largest(const matrix *M)
{
    quad most = 0;
    for (int i = 0; i < M->z; i++)
        for (int k = 0; k < M->z; k++) most = fmaxq(most, fabsq(M->at[i][k]));
    return most;
}

static matrix difference(const matrix *A, const matrix *B)
{
    matrix D = *A;
    for (int i = 0; i < A->z; i++)
        for (int k = 0; k < A->z; k++) D.at[i][k] -= B->at[i][k];
    return D;
}

/* max |M^T Omega M - Omega| / |M|^2 */
static quad violated_form(const matrix *M)
{
    const int  n = M->z / 2;
    const quad most = largest(M);
    quad       worst = 0;
    for (int a = 0; a < M->z; a++)
        for (int b = 0; b < M->z; b++) {
            quad form = (b == a + n) - (a == b + n);
            for (int j = 0; j < n; j++) form -= M->at[j][a] * M->at[n + j][b] - M->at[n + j][a] * M->at[j][b];
            worst = fmaxq(worst, fabsq(form));
        }
    return worst / (most * most);
}

/* By elimination with partial pivoting; M is a copy. */
static quad determinant(matrix M)
{
    quad det = 1;
    for (int c = 0; c < M.z; c++) {
        int top = c;
        for (int i = c + 1; i < M.z; i++) top = fabsq(M.at[i][c]) > fabsq(M.at[top][c]) ? i : top;
        for (int k = 0; k < M.z && top != c; k++) {
            const quad x = M.at[c][k];
            M.at[c][k] = M.at[top][k], M.at[top][k] = x;
        }
        det *= top == c ? M.at[c][c] : -M.at[c][c];
        for (int i = c + 1; i < M.z; i++)
            for (int k = M.z; k-- > c;) M.at[i][k] -= M.at[i][c] / M.at[c][c] * M.at[c][k];
    }
    return det;
}

/* ---- the law ---- */

/* By central differences of fourth order of steps that start at small parts of the sizes away. */
static matrix by_differences(run r, const point *x, const quad *size)
{
    static const int weight[] = { 1, -8, 8, -1 }, at[] = { -2, -1, 1, 2 };
    matrix           M = { .z = 2 * r.n };
    for (int c = 0; c < M.z; c++)
        for (int k = 0; k < 4; k++) {
            const quad by = (quad)1e-7 * size[c >= r.n];
            point      y = *x;
            *(c < r.n ? &y.q[c] : &y.p[c - r.n]) += at[k] * by;
            start_run(r, &y, true);
            step_run(r);
            y = get_point(r, 0);
            for (int i = 0; i < M.z; i++) M.at[i][c] += weight[k] * (i < r.n ? y.q[i] : y.p[i - r.n]) / (12 * by);
        }
    return M;
}

/* After three steps, so that the matrix of the iteration may be of an earlier one. */
static matrix third_step(const noe_core *core, const noe_system *s, const noe_method *m, point *x)
{
    run r = make_run(core, s, m, suggested_step(s));
    start_run(r, x, true);
    step_run(r);
    step_run(r);
    *x = get_point(r, 0);
    r.core->get(r.work, NOE_AT_V, 0, x->v);
    step_run(r);
    const matrix M = derivative(r, 0);
    core->drop(r.work);
    return M;
}

static void derivative_law(const noe_system *s, const char *path)
{
    for (int i = 0; i < SOME; i++) {
        noe_method *m = method(some_method[i]);
        run         r = make_run(noe_core_quad(), s, m, suggested_step(s));
        const point start = random_point(s);
        point       x = start, rounded = start;
        quad        size[2];
        matrix      M = third_step(noe_core_quad(), s, m, &x);
        matrix      N = third_step(noe_core_double(), s, m, &rounded);
        sizes(s, &x, size);
        matrix D = by_differences(r, &x, size);
        in_units(&M, size);
        in_units(&N, size);
        in_units(&D, size);
        const matrix wrong = difference(&M, &D), lost = difference(&N, &M);
        const quad   scale = largest(&M);
        small(largest(&wrong), scale, 1e-24, path); /* measured: 6.4e-26, the differences' error */
        small(largest(&lost), scale, 200 * 0x1p-53, path); /* measured: 12 eps */
        small(violated_form(&M), 1, 200 * QUAD_EPS, path); /* measured: 8 eps, here and in double */
        small(violated_form(&N), 1, 200 * 0x1p-53, path);
        small(determinant(M) - 1, scale, 800 * QUAD_EPS, path); /* measured: 32 eps, Pleiades */
        small(determinant(N) - 1, scale, 800 * 0x1p-53, path);
        r.core->drop(r.work);
        noe_method_free(m);
    }
}

static void test_derivative(void **unused)
{
    (void)unused;
    every_system(derivative_law);
}

/* Without one entry of D: off the diagonal of L_vv or L_qq, and all of L_vq, the matrix is no longer symplectic;
 * differences see every entry. */
static void test_a_lost_term_is_seen(void **unused)
{
    (void)unused;
    noe_system  *s = load("systems/double_pendulum.lag");
    noe_method  *m = method("gauss 3");
    const point  x = random_point(s);
    noe_dynamics d = s->dyn;
    noe_system   other = { .dyn = d };
    noe_entry    entry[64];
    quad         size[2];
    sizes(s, &x, size);
    other.dyn.entry = entry;
    assert_int_equal(d.entries, 14);
    for (int lost = 0; lost < d.entries; lost++) {
        memcpy(entry, d.entry, (size_t)d.entries * sizeof *entry);
        other.dyn.entries = d.entries;
        run r = make_run(noe_core_quad(), &other, m, (quad)1 / 100);
        matrix D = by_differences(r, &x, size);
        start_run(r, &x, true);
        step_run(r);
        memmove(entry + lost, entry + lost + 1, (size_t)(d.entries - lost - 1) * sizeof *entry);
        other.dyn.entries--;
        matrix M = derivative(r, 0);
        in_units(&M, size);
        in_units(&D, size);
        const noe_entry *x_lost = &d.entry[lost];
        const matrix     wrong = difference(&M, &D);
        const bool       one_sided = x_lost->row != x_lost->col || x_lost->kind == NOE_D_PQ || x_lost->kind == NOE_D_FV;
        printf("%d kind %d (%d,%d) %g %g\n", lost, x_lost->kind, x_lost->row, x_lost->col, (double)(largest(&wrong)/largest(&M)), (double)violated_form(&M));
        assert_true(largest(&wrong) > (quad)1e-10 * largest(&M));
        assert_true(violated_form(&M) > (quad)1e-10 || !one_sided);
        r.core->drop(r.work);
    }
    noe_method_free(m);
    noe_system_free(s);
}

/* ---- the instances ---- */

/* Eight double pendulums, with steps so long that some of them are followed from free flight. */
static void test_lanes_are_the_double_bit_for_bit(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/double_pendulum.lag");
    noe_method *m = method("simpson");
    const point start = model_start(s);
    const quad  h = (quad)1 / 8;
    run         lanes = make_run(noe_core_lanes(), s, m, h), one = make_run(noe_core_double(), s, m, h);
    int         alone = 0, together = 0;
    start_run(lanes, &start, true);
    for (int round = 0; round < 100; round++) {
        point x[8];
        bool  momentum[DOFS] = { true, true };
        for (int i = 0; i < 8; i++) {
            x[i] = start;
            for (int j = 0; j < 2; j++) x[i].q[j] = 3 * random_number(), x[i].p[j] = (quad)random_number();
            put_point(lanes, i, &x[i]);
        }
        assert_int_equal(lanes.core->start(lanes.work, momentum), 0);
        const unsigned failed = lanes.core->step(lanes.work);
        for (int i = 0; i < 8; i++) {
            start_run(one, &x[i], true);
            const unsigned bad = one.core->step(one.work);
            assert_int_equal(bad, failed >> i & 1);
            if (bad) { alone++; continue;}
            together++;
            const matrix M = derivative(one, 0), N = derivative(lanes, i), lost = difference(&M, &N);
            assert_true(largest(&lost) == 0);
            const point a = get_point(one, 0), b = get_point(lanes, i);
            assert_memory_equal(a.q, b.q, sizeof a.q);
        }
    }
    printf("failed %d of %d\n", alone, together);
    lanes.core->drop(lanes.work);
    one.core->drop(one.work);
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivative),
        cmocka_unit_test(test_a_lost_term_is_seen),
        cmocka_unit_test(test_lanes_are_the_double_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
