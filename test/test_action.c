/* R_m = 1/h dS/da_m - w_m ( p + dS/dq ),   S = h sum_i b_i L(t_i, Q_i, V_i):  the step from the action alone.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The discrete action S and all its derivatives are found here by differences of L in binary128, or in the
 * positions of nodes of doc/theory.md (4), written down again from scratch. */
#define NOE_REAL NOE_QUAD
#include "core/instance.h"

#include "laws.h"
#include "method/basis.h"
#include "method/legendre.h"

enum { MODES = NOE_MAX_DEGREE, MOST = DOFS * MODES };

static const noe_core core = INSTANCE;

/* ---- the core's R and J: all that this test knows of its inside ---- */

static void core_residual(work *w, quad h, const quad *a, int which)
{
    memcpy(w->a, a, (size_t)w->N * sizeof *a);
    nodes(w, h);
    jet(w, which, w->r, w->B, w->t, w->Q, w->V, w->out);
    residual(w, h);
}

static const quad *core_R(work *w, quad h, const quad *a) { return core_residual(w, h, a, GRADIENT), w->e; }

static const quad *core_J(work *w, quad h, const quad *a)
{
    core_residual(w, h, a, HESSIAN);
    jacobian(w, h);
    return w->J;
}

/* The velocity modes of the last step, a[j * s + m]. */
static const quad *core_modes(work *w) { return w->past; }

/* ---- L and its gradient, by another interpreter of the tapes ---- */

static void tape(const noe_tape *tape, int n, quad t, const quad *q, const quad *v, quad *out)
{
    quad input[2 + 3 * DOFS] = { t }, slot[tape->slots];
    memcpy(input + 1, q, (size_t)n * sizeof *q);
    memcpy(input + 1 + n, v, (size_t)n * sizeof *v);
    noe_tape_run(tape, input, slot, out);
}

/* max_j ( |p_j| + |L_v(q, 0)_j| + sum_k |L_vv,jk v_k| ): what cancels in a momentum. */
static quad momentum_scale(const noe_dynamics *d, const point *x)
{
    const quad zero[DOFS] = { 0 };
    quad       out[d->legendre->outputs], size[DOFS], most = 0;
    tape(d->legendre, d->n, x->t, x->q, zero, out);
    for (int j = 0; j < d->n; j++) size[j] = fabsq(x->p[j]) + fabsq(out[j]);
    tape(d->legendre, d->n, x->t, x->q, x->v, out);
    for (const noe_entry *e = d->mass; e < d->mass + d->masses; e++) size[e->row] += fabsq(out[e->output] * x->v[e->col]);
    for (int j = 0; j < d->n; j++) most = fmaxq(most, size[j]);
    return most;
}

static quad lagrangian(const noe_dynamics *d, quad t, const quad *q, const quad *v)
{
    quad out[d->legendre->outputs];
    tape(d->legendre, d->n, t, q, v, out);
    return out[d->n];
}

/* S, where a[j * s + m]. */
static quad action(const noe_dynamics *d, const noe_method *m, quad h, quad t, const quad *q, const quad *a)
{
    quad S = 0;
    for (int i = 0; i < m->r; i++) {
        quad Q[DOFS], V[DOFS];
        for (int j = 0; j < d->n; j++) {
            Q[j] = q[j], V[j] = 0;
            for (int k = 0; k < m->s; k++) V[j] += m->l[i][k] * a[j * m->s + k], Q[j] += h * m->I[i][k] * a[j * m->s + k];
        }
        S += h * m->b[i] * lagrangian(d, t + m->c[i] * h, Q, V);
    }
    return S;
}

/* dS / d x, x one of the numbers of q or a: central differences of fourth order. */
static quad slope(const noe_dynamics *d, const noe_method *m, quad h, quad t, quad *q, quad *a, quad *x, double dx)
{
    const quad at = *x, by = dx * (1 + fabsq(at));
    quad       S[5];
    for (int k = 0; k < 5; k++) *x = at + (k - 2) * by, S[k] = action(d, m, h, t, q, a);
    *x = at;
    return (8 * (S[3] - S[1]) - (S[4] - S[0])) / (12 * by);
}

static void random_modes(const noe_method *m, int n, const quad *v, quad *a)
{
    quad fastest = (quad)1 / 10;
    for (int j = 0; j < n; j++) fastest = fmaxq(fastest, fabsq(v[j]));
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m->s; k++) a[j * m->s + k] = (k ? 0 : v[j]) + fastest * (quad)0.05 * random_number();
}

/* The largest violation of R = slopes of S, relative to the terms of R.  told: what the core believes. */
static double violated_R(run r, const noe_system *s, const noe_method *m, const point *x, quad h, quad *a)
{
    quad        worst = 0, q[DOFS];
    const quad *R = core_R(r.work, h, a);
    memcpy(q, x->q, sizeof q);
    for (int j = 0; j < r.n; j++) {
        const quad kick = slope(&s->dyn, m, h, x->t, q, a, &q[j], 1e-9);
        for (int k = 0; k < m->s; k++) {
            const quad S = slope(&s->dyn, m, h, x->t, q, a, &a[j * m->s + k], 1e-7) / h;
            const quad scale = fabsq(x->p[j]) + fabsq(kick) + fabsq(S);
            worst = fmaxq(worst, fabsq(R[j * m->s + k] - (S - m->w[k] * (x->p[j] + kick))) / scale);
        }
    }
    return (double)worst;
}

/* The same for J = slopes of R, relative to the column; of long matrices some columns. */
static double violated_J(run r, const noe_method *m, quad h, quad *a)
{
    const int N = r.n * m->s;
    quad      J[N * N], worst = 0;
    memcpy(J, core_J(r.work, h, a), sizeof J);
    for (int c = 0; c < N; c += N > 20 ? 1 + (int)(5 + 5 * random_number()) : 1) {
        const quad at = a[c], by = (quad)1e-7 * (1 + fabsq(at));
        quad       slopes[MOST] = { 0 }, most = 0;
        for (int k = -2; k <= 2; k++) {
            const int weight[] = { 1, -8, 0, 8, -1 };
            a[c] = at + k * by;
            const quad *R = core_R(r.work, h, a);
            for (int i = 0; i < N; i++) slopes[i] += weight[k + 2] * R[i] / (12 * by);
        }
        a[c] = at;
        for (int i = 0; i < N; i++) most = fmaxq(most, fabsq(J[i * N + c]));
        for (int i = 0; i < N; i++) worst = fmaxq(worst, fabsq(J[i * N + c] - slopes[i]) / most);
    }
    return (double)worst;
}

enum { NOT_WRONG, WRONG_l, WRONG_I, WRONG_X };

/* R and J against the action; `wrong` spoils one number of what the core believes. */
static void violated(const noe_system *s, const char *name, int wrong, double *R, double *J)
{
    noe_method *m = method(name), told = *m;
    const int   i = told.r / 2, k = told.s - 1;
    quad *const spoiled[] = { NULL, &told.l[i][k], &told.I[i][k], &told.X[i][k] };
    if (wrong) *spoiled[wrong] += (quad)1e-3;
    const point x = random_point(s);
    const quad  h = suggested_step(s);
    run         r = make_run(&core, s, &told, h);
    quad        a[MOST];
    start_run(r, &x, true);
    random_modes(m, r.n, x.v, a);
    *R = violated_R(r, s, m, &x, h, a);
    *J = violated_J(r, m, h, a);
    core.drop(r.work);
    noe_method_free(m);
}

static void action_law(const noe_system *s, const char *path)
{
    for (int i = 0; i < METHODS; i++) {
        double R, J;
        violated(s, every_method[i], NOT_WRONG, &R, &J);
        small(R, 1, 1e-22, path); /* measured: 6e-24 for Pleiades, else below 1e-24; differences of S */
        small(J, 1, 2e-24, path); /* measured: 1e-25 */
    }
}

static void test_R_is_the_slope_of_the_action(void **unused)
{
    (void)unused;
    every_system(action_law);
}

static void test_a_wrong_coefficient_is_seen(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/double_pendulum.lag");
    for (int i = 0; i < METHODS; i++)
        for (int wrong = WRONG_l; wrong <= WRONG_X; wrong++) {
            double R, J;
            violated(s, every_method[i], wrong, &R, &J);
            if (getenv("SHOW")) printf("%s wrong %d: %.2g\n", every_method[i], wrong, R);
            assert_true(R > 1e-16);
        }
    noe_system_free(s);
}

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
static double violated_nodes(const noe_system *s, const noe_method *m, quad h, const point *old, const point *new,
                             const quad *a)
{
    const noe_dynamics *dyn = &s->dyn;
    const int           n = dyn->n;
    quad                d[MODES + 1], x[MODES + 1][DOFS], R[MODES + 1][DOFS] = { { 0 } };
    quad                sum[DOFS] = { 0 }, size = momentum_scale(dyn, old), length = 0, worst = 0;
    for (int k = 0; k <= m->s; k++) {
        quad I[MODES], X[MODES];
        d[k] = k == 0 ? 0 : k == m->s ? 1 : (k + (quad)0.3 * random_number()) / m->s;
        noe_legendre_integrals(m->s, d[k], I, X);
        for (int j = 0; j < n; j++) { /* x_k - q: differences of large angles would cost digits */
            x[k][j] = 0;
            for (int i = 0; i < m->s; i++) x[k][j] += h * I[i] * a[j * m->s + i];
        }
    }
    for (int i = 0; i < m->r; i++) {
        quad phi[MODES + 1], slope[MODES + 1], Q[DOFS], V[DOFS] = { 0 }, out[dyn->gradient->outputs];
        lagrange(m->s, d, m->c[i], phi, slope);
        for (int j = 0; j < n; j++) {
            Q[j] = old->q[j];
            for (int k = 0; k <= m->s; k++) Q[j] += phi[k] * x[k][j], V[j] += slope[k] * x[k][j] / h;
        }
        tape(dyn->gradient, n, old->t + m->c[i] * h, Q, V, out);
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

static void node_law(const noe_system *s, const char *path)
{
    const quad h = suggested_step(s);
    for (int i = 0; i < METHODS; i++) {
        noe_method *m = method(every_method[i]);
        run         r = make_run(&core, s, m, h);
        const point x = random_point(s);
        start_run(r, &x, true);
        for (int k = 0; k < 10; k++) {
            point old = get_point(r, 0);
            r.core->get(r.work, NOE_AT_V, 0, old.v);
            step_run(r);
            const point new = get_point(r, 0);
            const double worst = violated_nodes(s, m, h, &old, &new, core_modes(r.work));
            if (getenv("SHOW")) printf("%-36s %-16s nodes %.2g\n", path, every_method[i], worst / QUAD_EPS);
        }
        core.drop(r.work);
        noe_method_free(m);
    }
}

static void test_the_step_solves_the_equations_in_nodes(void **unused)
{
    (void)unused;
    every_system(node_law);
}

/* ---- the basis ---- */

/* The core predicts the first step by a_0 = v, so that the first polynomial has to be 1: their sum. */
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
        noe_basis_lagrange(&other, d);
        constant_first(&other);
        run  r = make_run(&core, s, m, h), u = make_run(&core, s, &other, h);
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
        if (getenv("SHOW")) printf("%-36s %-16s basis %.2g\n", path, every_method[i], (double)worst / QUAD_EPS);
        core.drop(r.work);
        core.drop(u.work);
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
        cmocka_unit_test(test_R_is_the_slope_of_the_action),
        cmocka_unit_test(test_a_wrong_coefficient_is_seen),
        cmocka_unit_test(test_the_step_solves_the_equations_in_nodes),
        cmocka_unit_test(test_the_basis_leaves_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
