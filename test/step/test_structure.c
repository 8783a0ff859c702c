/* M^T J M = J,   Phi_{-h} Phi_h = 1.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"

/* ---- symplecticity ---- */

/* One step from x, in the 2n numbers (q, p). */
static void flow(run r, const point *x, quad *z)
{
    start_run(r, x, true);
    step_run(r);
    const point y = get_point(r, 0);
    memcpy(z, y.q, (size_t)r.n * sizeof *z);
    memcpy(z + r.n, y.p, (size_t)r.n * sizeof *z);
}

/* M = d flow / d (q, p) by central differences of fourth order; their steps are
 * small parts of the sizes of q and p. */
static void derivative(run r, const point *x, const quad *size, quad M[2 * DOFS][2 * DOFS])
{
    static const int weight[] = { 1, -8, 8, -1 }, at[] = { -2, -1, 1, 2 };
    for (int c = 0; c < 2 * r.n; c++) {
        const quad by = (quad)1e-7 * size[c >= r.n];
        for (int i = 0; i < 2 * r.n; i++) M[i][c] = 0;
        for (int k = 0; k < 4; k++) {
            point y = *x;
            quad  z[2 * DOFS];
            *(c < r.n ? &y.q[c] : &y.p[c - r.n]) += at[k] * by;
            flow(r, &y, z);
            for (int i = 0; i < 2 * r.n; i++) M[i][c] += weight[k] * z[i] / (12 * by);
        }
    }
}

/* max |M^T J M - J|, with q and p in units of their sizes and |M| as the unit of M. */
static double violated_form(const noe_system *s, const noe_method *m)
{
    const point x = random_point(s);
    const quad  h = suggested_step(s);
    run         r = make_run(noe_engine_quad(), s, m, h);
    const int   n = r.n;
    quad M[2 * DOFS][2 * DOFS], size[2] = { (quad)1 / 10, 0 }, z[2 * DOFS], worst = 0, most = 1;
    for (int j = 0; j < n; j++) size[0] = fmaxq(size[0], fabsq(h * x.v[j]));
    size[1] = momentum_scale(&s->dyn, &x);
    flow(r, &x, z); /* at a turning point momenta are 0, and what a step makes of them is not */
    for (int j = 0; j < n; j++) size[1] = fmaxq(size[1], fabsq(z[n + j]));
    derivative(r, &x, size, M);
    for (int i = 0; i < 2 * n; i++)
        for (int k = 0; k < 2 * n; k++) {
            M[i][k] *= size[k >= n] / size[i >= n];
            most = fmaxq(most, fabsq(M[i][k]));
        }
    for (int a = 0; a < 2 * n; a++)
        for (int b = 0; b < 2 * n; b++) {
            quad form = (b == a + n) - (a == b + n);
            for (int j = 0; j < n; j++) form -= M[j][a] * M[n + j][b] - M[n + j][a] * M[j][b];
            worst = fmaxq(worst, fabsq(form));
        }
    r.engine->drop(r.work);
    return (double)(worst / (most * most));
}

static void form_law(const noe_system *s, const char *path)
{
    const int few = s->dyn.n > 6 ? 4 : 1; /* Pleiades: every fourth method */
    if (s->dyn.forced) return;
    for (int i = 0; i < METHODS; i += few) {
        noe_method *m = method(every_method[i]);
        small(violated_form(s, m), 1, 3e-24, path); /* measured: 1.4e-25, the differences' error */
        noe_method_free(m);
    }
}

static void test_symplectic(void **unused)
{
    (void)unused;
    every_system(form_law);
}

/* When R and p_new go by different weights, the step is still near the motion but no longer
 * symplectic. */
static void test_other_weights_are_seen(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/double_pendulum.lag");
    for (int i = 0; i < METHODS; i++) {
        noe_method      *m = method(every_method[i]);
        const noe_method wrong = spoiled(m, 2);
        assert_true(violated_form(s, &wrong) > 1e-10);
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* ---- reversibility ---- */

/* |Phi_{-h} Phi_h x - x| after three steps there and three back, relative; `moved` of the sizes of
 * q and p is added to the state between. */
static double not_undone(const noe_engine *engine, const noe_system *s, const noe_method *m, quad h,
                         point x, quad moved)
{
    run  r = make_run(engine, s, m, h), back = make_run(engine, s, m, -h);
    quad worst = 0, q = 0, p = momentum_scale(&s->dyn, &x);
    for (int j = 0; j < r.n; j++) q = fmaxq(q, fabsq(x.q[j]) + fabsq(h * x.v[j]));
    start_run(r, &x, true);
    for (int k = 0; k < 3; k++) step_run(r);
    point y = get_point(r, 0);
    r.engine->get(r.work, NOE_AT_V, 0, y.v);
    p = fmaxq(p, momentum_scale(&s->dyn, &y));
    for (int j = 0; j < r.n && moved != 0; j++)
        y.q[j] += moved * q * random_number(), y.p[j] += moved * p * random_number();
    start_run(back, &y, true);
    for (int k = 0; k < 3; k++) step_run(back);
    y = get_point(back, 0);
    for (int j = 0; j < r.n; j++)
        worst = fmaxq(worst, fmaxq(fabsq(y.q[j] - x.q[j]) / q, fabsq(y.p[j] - x.p[j]) / p));
    engine->drop(r.work);
    engine->drop(back.work);
    return (double)worst;
}

/* How much rounding errors of a double grow on the way back, in binary128; at least one. */
static double rounding_grown(const noe_system *s, const noe_method *m, quad h, point x)
{
    double most = 0x1p-53;
    for (int k = 0; k < 4; k++)
        most = fmax(most, not_undone(noe_engine_quad(), s, m, h, x, 0x1p-53));
    return most;
}

/* One-sided nodes fail, unless they integrate L exactly, as they do for a uniform magnetic field,
 * and between impacts, in free fall or without forces. */
static void reverse_law(const noe_system *s, const char *path)
{
    const bool exact = strstr(path, "magnetic") || strstr(path, "block_move")
                    || strstr(path, "soft_bounce") || (s->events && s->events->shocks);
    for (int i = 0; i < METHODS; i++) {
        noe_method  *m = method(every_method[i]);
        const quad   h = suggested_step(s);
        const point  x = random_point(s);
        const double back = not_undone(noe_engine_quad(), s, m, h, x, 0);
        if (m->symmetric || exact) {
            const double grown = rounding_grown(s, m, h, x) / 0x1p-53;
            const double fast = not_undone(noe_engine_double(), s, m, h, x, 0);
            /* measured in 2500 cases, in units of what one rounding becomes: 9.8 and 2.2 */
            small(back, 1, 50 * grown * (double)QUAD_EPS, path);
            small(fast, 1, 20 * grown * 0x1p-53, path);
        } else { /* a slow motion, as of arm_reach: with longer steps, until it is seen */
            enum { LONGEST = 16 };
            double seen = back;
            for (int times = 4; seen < 1e3 * QUAD_EPS && times <= LONGEST; times *= 4)
                seen = not_undone(noe_engine_quad(), s, m, times * h, x, 0);
            if (seen < 1e3 * QUAD_EPS)
                fail_msg("%s, %s: undone to %g, and with longer steps to %g, although its nodes "
                         "are one-sided",
                         path, m->name, back, seen);
        }
        noe_method_free(m);
    }
}

static void test_minus_h_undoes_h(void **unused)
{
    (void)unused;
    every_system(reverse_law);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symplectic),
        cmocka_unit_test(test_other_weights_are_seen),
        cmocka_unit_test(test_minus_h_undoes_h),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
