/* The step as the literature has it, in the positions of nodes (doc/theory.md (4)).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * p + R_0 = 0,  R_1 .. R_{s-1} = 0,  R_s = p_new,   R_k = sum_i b_i ( h phi_k(c_i) F_i +
 * phi_k'(c_i) P_i ):  written down again from scratch; and the step in another basis. */
#define NOE_REAL NOE_QUAD
#include "engine/engine_instance.h"

#include "lagrange.h"
#include "laws.h"

enum { MODES = NOE_MAX_DEGREE };

static const noe_engine engine = INSTANCE;

/* The velocity modes of the last step, a[j * s + m]: all that this test knows of the core's
 * inside. */
static const quad *core_modes(work *w) { return w->history.last; }

/* ---- the step in nodes: theory.md (4) ---- */

/* phi_k(c) and phi_k'(c) of the nodes d_0 .. d_s. */
static void lagrange(int s, const quad *d, quad c, quad *phi, quad *slope)
{
    for (int k = 0; k <= s; k++) {
        phi[k] = 1, slope[k] = 0;
        for (int i = 0; i <= s; i++) {
            if (i == k) continue;
            slope[k] = (slope[k] * (c - d[i]) + phi[k]) / (d[k] - d[i]);
            phi[k] *= (c - d[i]) / (d[k] - d[i]);
        }
    }
}

/* p + R_0, R_1 .. R_{s-1}, R_s - p_new: the largest, relative to the terms that cancel in it. */
static double violated_nodes(const noe_system *s, const noe_method *m, quad h, const point *old,
                             const point *new, const quad *a)
{
    const noe_dynamics *dyn = &s->dyn;
    const int           n = dyn->n;
    quad                d[MODES + 1], x[MODES + 1][DOFS], R[MODES + 1][DOFS] = { { 0 } };
    quad                sum[DOFS] = { 0 }, size = momentum_scale(dyn, old), length = 0, worst = 0;
    for (int k = 0; k <= m->s; k++) {
        quad I[MODES], X[MODES];
        d[k] = k == 0 ? 0 : k == m->s ? 1 : (k + (quad)0.3 * random_number()) / m->s;
        noe_legendre_polynomials_integrals(m->s, d[k], I, X);
        for (int j = 0; j < n; j++) { /* x_k - q: differences of large angles would cost digits */
            x[k][j] = 0;
            for (int i = 0; i < m->s; i++) x[k][j] += h * I[i] * a[j * m->s + i];
        }
    }
    for (int i = 0; i < m->r; i++) {
        quad phi[MODES + 1], slope[MODES + 1], Q[DOFS], V[DOFS] = { 0 },
                                                        out[dyn->gradient->outputs];
        lagrange(m->s, d, m->c[i], phi, slope);
        for (int j = 0; j < n; j++) {
            Q[j] = old->q[j];
            for (int k = 0; k <= m->s; k++)
                Q[j] += phi[k] * x[k][j], V[j] += slope[k] * x[k][j] / h;
        }
        jet_of(dyn->gradient, n, old->t + m->c[i] * h, Q, V, out);
        for (int j = 0; j < n; j++)
            for (int k = 0; k <= m->s; k++) {
                const quad F = m->b[i] * h * phi[k] * out[j], P = m->b[i] * slope[k] * out[n + j];
                R[k][j] += F + P;
                sum[j] += fabsq(F) + fabsq(P);
            }
    }
    for (int j = 0; j < n; j++) {
        size = fmaxq(size, sum[j]);
        R[0][j] += old->p[j];
        R[m->s][j] -= new->p[j];
        length = fmaxq(length, fabsq(old->q[j]) + fabsq(x[m->s][j]));
    }
    for (int j = 0; j < n; j++) {
        for (int k = 0; k <= m->s; k++) worst = fmaxq(worst, fabsq(R[k][j]) / size);
        worst = fmaxq(worst, fabsq(new->q[j] - old->q[j] - x[m->s][j]) / length);
    }
    return (double)worst;
}

/* One step by what the core believes, judged by m. */
static double violated_step(run r, const noe_system *s, const noe_method *m, quad h)
{
    point old = get_point(r, 0);
    r.engine->get(r.work, NOE_AT_V, 0, old.v);
    step_run(r);
    const point new = get_point(r, 0);
    return violated_nodes(s, m, h, &old, &new, core_modes(r.work));
}

static void node_law(const noe_system *s, const char *path)
{
    const quad h = suggested_step(s);
    for (int i = 0; i < METHODS; i++) {
        noe_method *m = method(every_method[i]);
        run         r = make_run(&engine, s, m, h);
        const point x = random_point(s);
        start_run(r, &x, true);
        for (int k = 0; k < 10;
             k++) /* measured: 30 eps; 320 where the momenta cancel, moving_pivot */
            small(violated_step(r, s, m, h), 1, 2000 * QUAD_EPS, path);
        engine.drop(r.work);
        noe_method_free(m);
    }
}

static void test_the_step_solves_the_equations_in_nodes(void **unused)
{
    (void)unused;
    every_system(node_law);
}

static void test_a_wrong_coefficient_is_seen(void **unused)
{
    (void)unused;
    wrong_coefficients_are_seen(&engine, violated_step);
}

/* ---- the basis ---- */

/* The core predicts the first step by a_0 = v, so that the first polynomial has to be 1: their
 * sum. */
static void constant_first(noe_method *m)
{
    for (int k = 1; k < m->s; k++) {
        for (int i = 0; i < m->r; i++)
            m->l[i][0] += m->l[i][k], m->I[i][0] += m->I[i][k], m->X[i][0] += m->X[i][k];
        m->w[0] += m->w[k];
    }
}

static void basis_law(const noe_system *s, const char *path)
{
    const quad h = suggested_step(s);
    for (int i = 0; i < METHODS; i++) {
        noe_method *m = method(every_method[i]), other = *m;
        quad        d[MODES];
        for (int k = 0; k < m->s; k++) d[k] = (k + (quad)0.5 + (quad)0.3 * random_number()) / m->s;
        lagrange_basis(&other, d);
        constant_first(&other);
        run  r = make_run(&engine, s, m, h), u = make_run(&engine, s, &other, h);
        quad worst = 0;
        for (int k = 0; k < 5; k++) {
            const point x = random_point(s);
            start_run(r, &x, true);
            start_run(u, &x, true);
            step_run(r);
            step_run(u);
            const point y = get_point(r, 0), z = get_point(u, 0);
            quad        q = 0, p = momentum_scale(&s->dyn, &x);
            for (int j = 0; j < r.n; j++) q = fmaxq(q, fabsq(x.q[j]) + fabsq(h * x.v[j]));
            for (int j = 0; j < r.n; j++)
                worst = fmaxq(worst, fmaxq(fabsq(y.q[j] - z.q[j]) / q, fabsq(y.p[j] - z.p[j]) / p));
        }
        /* measured: 10 eps; five links 370, M is ill-conditioned */
        small(worst, 1, 2000 * QUAD_EPS, path);
        engine.drop(r.work);
        engine.drop(u.work);
        noe_method_free(m);
    }
}

static void test_the_basis_leaves_the_step(void **unused)
{
    (void)unused;
    every_system(basis_law);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_step_solves_the_equations_in_nodes),
        cmocka_unit_test(test_a_wrong_coefficient_is_seen),
        cmocka_unit_test(test_the_basis_leaves_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
