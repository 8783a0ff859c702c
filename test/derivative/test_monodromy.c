/* M = d(q, p)_new / d(q, p),   M^T Omega M = Omega,   det M = 1.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "step_derivative.h"

/* Rows and columns in units of the sizes of q and p. */
static void in_units(matrix *M, const quad *size)
{
    for (int i = 0; i < M->z; i++)
        for (int k = 0; k < M->z; k++) M->at[i][k] *= size[2 * k >= M->z] / size[2 * i >= M->z];
}

/* Of two states of a run, since momenta are 0 at a turning point. */
static void sizes(const noe_system *s, const point *x, const point *before, quad *size)
{
    const quad h = suggested_step(s);
    size[0] = (quad)1 / 10;
    for (int j = 0; j < s->dyn.n; j++) size[0] = fmaxq(size[0], fabsq(h * x->v[j]));
    size[1] = fmaxq(momentum_scale(&s->dyn, x), momentum_scale(&s->dyn, before));
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
            for (int j = 0; j < n; j++)
                form -= M->at[j][a] * M->at[n + j][b] - M->at[n + j][a] * M->at[j][b];
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

/* By central differences of sixth order of steps that start at small parts of the sizes away. */
static matrix by_differences(run r, const point *x, const quad *size)
{
    static const int weight[] = { -1, 9, -45, 45, -9, 1 }, at[] = { -3, -2, -1, 1, 2, 3 };
    matrix           M = { .z = 2 * r.n };
    for (int c = 0; c < M.z; c++)
        for (int k = 0; k < 6; k++) {
            const quad by = (quad)1e-7 * size[c >= r.n];
            point      y = *x;
            *(c < r.n ? &y.q[c] : &y.p[c - r.n]) += at[k] * by;
            start_run(r, &y, true);
            step_run(r);
            y = get_point(r, 0);
            const quad part = weight[k] / (60 * by);
            for (int i = 0; i < M.z; i++) M.at[i][c] += part * (i < r.n ? y.q[i] : y.p[i - r.n]);
        }
    return M;
}

static void derivative_law(const noe_system *s, const char *path)
{
    for (int i = 0; i < SOME; i++) {
        noe_method *m = method(some_method[i]);
        run         r = make_run(noe_engine_quad(), s, m, suggested_step(s));
        const point start = random_point(s);
        point       x = start, rounded = start;
        quad        size[2];
        matrix      M = third_step(noe_engine_quad(), s, m, &x);
        matrix      N = third_step(noe_engine_double(), s, m, &rounded);
        sizes(s, &x, &start, size);
        matrix D = by_differences(r, &x, size);
        in_units(&M, size);
        in_units(&N, size);
        in_units(&D, size);
        const matrix wrong = difference(&M, &D), lost = difference(&N, &M);
        const quad   scale = largest(&M);
        small(largest(&wrong), scale, 1e-24, path); /* measured: 6.4e-26, the differences' error */
        small(largest(&lost), scale, 200 * 0x1p-53, path); /* measured: 12 eps */
        if (!s->dyn.forced) {
            /* measured: 8 eps, here and in double */
            small(violated_form(&M), 1, 200 * QUAD_EPS, path);
            small(violated_form(&N), 1, 200 * 0x1p-53, path);
            small(determinant(M) - 1, scale, 800 * QUAD_EPS, path); /* measured: 32 eps, Pleiades */
            small(determinant(N) - 1, scale, 800 * 0x1p-53, path);
        }
        r.engine->drop(r.work);
        noe_method_free(m);
    }
}

static void test_derivative(void **unused)
{
    (void)unused;
    every_system(derivative_law);
}

/* One entry of D is forgotten after the step: differences see each.  The form sees all but the
 * diagonals of L_vv and L_qq: without one of these D is still symmetric, and M the derivative of
 * another step. */
static void test_a_lost_term_is_seen(void **unused)
{
    (void)unused;
    noe_system  *s = load("systems/double_pendulum.lag");
    noe_method  *m = method("gauss 3");
    const point  x = random_point(s);
    noe_dynamics d = s->dyn;
    noe_system   other = { .dyn = d };
    noe_entry    entry[64];
    int          at[64];
    quad         size[2];
    sizes(s, &x, &x, size);
    other.dyn.entry = entry, other.dyn.at = at;
    assert_true(d.entries <= 64 && d.n * d.n * NOE_D_KINDS <= 64);
    for (int lost = 0; lost < d.entries; lost++) {
        memcpy(entry, d.entry, (size_t)d.entries * sizeof *entry);
        memcpy(at, d.at, (size_t)(d.n * d.n) * NOE_D_KINDS * sizeof *at);
        other.dyn.entries = d.entries;
        run    r = make_run(noe_engine_quad(), &other, m, (quad)1 / 100);
        matrix D = by_differences(r, &x, size);
        start_run(r, &x, true);
        step_run(r);
        memmove(entry + lost, entry + lost + 1, (size_t)(d.entries - lost - 1) * sizeof *entry);
        other.dyn.entries--;
        at[(d.entry[lost].row * d.n + d.entry[lost].col) * NOE_D_KINDS + (int)d.entry[lost].kind] =
            -1;
        matrix M = derivative(r, 0);
        in_units(&M, size);
        in_units(&D, size);
        const noe_entry *e = &d.entry[lost];
        const matrix     wrong = difference(&M, &D);
        const bool diagonal = e->row == e->col && (e->kind == NOE_D_PV || e->kind == NOE_D_FQ);
        assert_true(largest(&wrong) > (quad)1e-10 * largest(&M));
        assert_true((violated_form(&M) < 200 * QUAD_EPS) == diagonal);
        r.engine->drop(r.work);
    }
    noe_method_free(m);
    noe_system_free(s);
}

/* ---- a period of Kepler's problem ---- */

/* All orbits close, those of energy H after T = 2 pi (-2 H)^(-3/2): after this one's period its
 * neighbours lag by dT = T'(H) dH, so M = 1 - T' X grad H^T with X = (H_p, -H_q).  As X.grad
 * H = 0, (M - 1)^2 = 0: four multipliers 1, in one Jordan block of size 2 and two of size 1. */
static void test_kepler_has_unit_multipliers(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/kepler.lag");
    noe_method *m = method("gauss 8");
    const point x = model_start(s);
    const int   steps = 200;
    const quad  pi = 4 * atanq(1);
    run         r = make_run(noe_engine_quad(), s, m, 2 * pi / steps);
    const quad  d = x.q[0], gradient[] = { 1 / (d * d), 0, 0, x.p[1] },
               X[] = { 0, x.p[1], -1 / (d * d), 0 };
    matrix M = { .z = 4, .at = { { 1 }, { 0, 1 }, { 0, 0, 1 }, { 0, 0, 0, 1 } } }, exact = M;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) exact.at[i][k] -= 6 * pi * X[i] * gradient[k];
    start_run(r, &x, true);
    for (int k = 0; k < steps; k++) {
        step_run(r);
        const matrix step = derivative(r, 0), before = M;
        memset(M.at, 0, sizeof M.at);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                for (int c = 0; c < 4; c++) M.at[i][c] += step.at[i][j] * before.at[j][c];
    }
    const matrix wrong = difference(&M, &exact);
    quad         trace = 0;
    for (int i = 0; i < 4; i++) trace += M.at[i][i];
    small(largest(&wrong), largest(&exact), 3e-26, "M"); /* measured: 8e-28, the method's */
    small(trace - 4, largest(&exact), 3e-26, "the sum of the multipliers");
    r.engine->drop(r.work);
    noe_method_free(m);
    noe_system_free(s);
}

/* ---- the instances ---- */

/* Eight double pendulums, with steps so long that some are followed from free flight, and some
 * fail. */
static void test_lanes_are_the_double_bit_for_bit(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/double_pendulum.lag");
    noe_method *m = method("simpson");
    const point start = model_start(s);
    const quad  h = (quad)1 / 8;
    const bool  momentum[DOFS] = { true, true };
    run lanes = make_run(noe_engine_lanes(), s, m, h), one = make_run(noe_engine_double(), s, m, h);
    start_run(lanes, &start, true);
    for (int round = 0; round < 100; round++) {
        point x[8];
        for (int i = 0; i < 8; i++) {
            x[i] = start;
            for (int j = 0; j < 2; j++)
                x[i].q[j] = 3 * random_number(), x[i].p[j] = random_number();
            put_point(lanes, i, &x[i]);
        }
        assert_int_equal(lanes.engine->start(lanes.work, momentum), 0);
        const unsigned failed = lanes.engine->step(lanes.work);
        for (int i = 0; i < 8; i++) {
            start_run(one, &x[i], true);
            assert_int_equal(one.engine->step(one.work), failed >> i & 1);
            if (failed >> i & 1) continue;
            const matrix M = derivative(one, 0), N = derivative(lanes, i),
                         wrong = difference(&M, &N);
            const point a = get_point(one, 0), b = get_point(lanes, i);
            assert_true(largest(&wrong) == 0);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    lanes.engine->drop(lanes.work);
    one.engine->drop(one.work);
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivative),
        cmocka_unit_test(test_a_lost_term_is_seen),
        cmocka_unit_test(test_kepler_has_unit_multipliers),
        cmocka_unit_test(test_lanes_are_the_double_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
