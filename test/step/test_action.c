/* R_m = 1/h dS/da_m - w_m ( p + dS/dq ),   S = h sum_i b_i L(t_i, Q_i, V_i),   J = dR/da.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All derivatives are differences of the discrete action S in binary128; L is read from its
 * tape, never its derivatives. */
#define NOE_REAL NOE_QUAD
#include "engine/engine_instance.h"

#include "laws.h"

enum { MODES = NOE_MAX_DEGREE, MOST = DOFS * MODES };

static const noe_engine engine = INSTANCE;

/* ---- the core's R and J: all that this test knows of its inside ---- */

static void core_residual(work *w, quad h, const quad *a, int which)
{
    memcpy(w->scratch.a, a, (size_t)w->N * sizeof *a);
    nodes(w, of(w), h);
    jet(w, which, w->r);
    residual(w, of(w), h);
}

static const quad *core_R(work *w, quad h, const quad *a)
{
    return core_residual(w, h, a, GRADIENT), w->scratch.e;
}

static const quad *core_J(work *w, quad h, const quad *a)
{
    core_residual(w, h, a, HESSIAN);
    jacobian(w, of(w), h, (jacobian_place){ w->newton.J, NULL, NULL });
    return w->newton.J;
}

/* ---- R = slopes of S, J = slopes of R ---- */

static quad lagrangian(const noe_dynamics *d, quad t, const quad *q, const quad *v)
{
    quad out[d->legendre->outputs];
    jet_of(d->legendre, d->n, t, q, v, out);
    return out[d->n];
}

/* S, where a[j * s + m]. */
static quad action(const noe_dynamics *d, const noe_method *m, quad h, quad t, const quad *q,
                   const quad *a)
{
    quad S = 0;
    for (int i = 0; i < m->r; i++) {
        quad Q[DOFS], V[DOFS];
        for (int j = 0; j < d->n; j++) {
            Q[j] = q[j], V[j] = 0;
            for (int k = 0; k < m->s; k++) {
                V[j] += m->l[i][k] * a[j * m->s + k];
                Q[j] += h * m->I[i][k] * a[j * m->s + k];
            }
        }
        S += h * m->b[i] * lagrangian(d, t + m->c[i] * h, Q, V);
    }
    return S;
}

/* dS / d x, x one of the numbers of q or a: central differences of fourth order; what the
 * rounding of S can make of them. */
static quad slope(const noe_dynamics *d, const noe_method *m, quad h, quad t, quad *q, quad *a,
                  quad *x, double dx, quad *rounding)
{
    const quad at = *x, by = dx * (1 + fabsq(at));
    quad       S[5];
    for (int k = 0; k < 5; k++) *x = at + (k - 2) * by, S[k] = action(d, m, h, t, q, a);
    *x = at;
    *rounding = 16 * (quad)0x1p-113 * fabsq(S[2])
              / by; /* 18 / 12 times the roundings of a sum of L, a few each */
    return (8 * (S[3] - S[1]) - (S[4] - S[0])) / (12 * by);
}

static void random_modes(const noe_method *m, int n, const quad *v, quad *a)
{
    quad fastest = (quad)1 / 10;
    for (int j = 0; j < n; j++) fastest = fmaxq(fastest, fabsq(v[j]));
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m->s; k++)
            a[j * m->s + k] = (k ? 0 : v[j]) + fastest * (quad)0.05 * random_number();
}

/* The largest violation of R = slopes of S beyond what rounding does to the slopes, relative to
 * the terms of R. */
static double violated_R(run r, const noe_system *s, const noe_method *m, const point *x, quad h,
                         quad *a)
{
    quad        worst = 0, q[DOFS];
    const quad *R = core_R(r.work, h, a);
    memcpy(q, x->q, sizeof q);
    for (int j = 0; j < r.n; j++) {
        quad       of_kick, of_S;
        const quad kick = slope(&s->dyn, m, h, x->t, q, a, &q[j], 1e-9, &of_kick);
        for (int k = 0; k < m->s; k++) {
            const quad S = slope(&s->dyn, m, h, x->t, q, a, &a[j * m->s + k], 1e-7, &of_S) / h;
            const quad scale = fabsq(x->p[j]) + fabsq(kick) + fabsq(S),
                       rounding = fabsq(m->w[k]) * of_kick + of_S / h;
            const quad error = fabsq(R[j * m->s + k] - (S - m->w[k] * (x->p[j] + kick)));
            worst = fmaxq(worst, (error - rounding) / scale);
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
    for (int c = 0; c<N; c += N> 20 ? 1 + (int)(5 + 5 * random_number()) : 1) {
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

static void action_law(const noe_system *s, const char *path)
{
    const point x = random_point(s);
    const quad  h = suggested_step(s);
    for (int i = 0; i < METHODS; i++) {
        noe_method *m = method(every_method[i]);
        run         r = make_run(&engine, s, m, h);
        quad        a[MOST];
        start_run(r, &x, true);
        random_modes(m, r.n, x.v, a);
        if (!s->dyn.forced) /* forces are no slope of an action; test_node_form has them */
            /* measured: 4e-25, the moving pivot */
            small(violated_R(r, s, m, &x, h, a), 1, 1e-23, path);
        small(violated_J(r, m, h, a), 1, 2e-24, path); /* measured: 1e-25 */
        engine.drop(r.work);
        noe_method_free(m);
    }
}

static void test_R_is_the_slope_of_the_action(void **unused)
{
    (void)unused;
    every_system(action_law);
}

static double violated_somewhere(run r, const noe_system *s, const noe_method *m, quad h)
{
    point x = get_point(r, 0);
    quad  a[MOST];
    r.engine->get(r.work, NOE_AT_V, 0, x.v);
    random_modes(m, r.n, x.v, a);
    return violated_R(r, s, m, &x, h, a);
}

static void test_a_wrong_coefficient_is_seen(void **unused)
{
    (void)unused;
    wrong_coefficients_are_seen(&engine, violated_somewhere);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_R_is_the_slope_of_the_action),
        cmocka_unit_test(test_a_wrong_coefficient_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
