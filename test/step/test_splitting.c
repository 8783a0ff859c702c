/* exp(s_1 B) exp(r_1 A) .
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * = exp(A + B) + O(order + 1):  computed from words, measured on nonlinear systems. */
#include "laws.h"

#include "method/splitting.h"
#include "method/stability.h"
#include "method/order_conditions.h"

static const struct set {
    const char *name;
    int         order, damped; /* with forces that depend on velocities */
    double      h;             /* where the order shows on the system below, 4 steps of it */
} sets[] = {
    { "euler", 1, 1, 1. / 1024 },
    { "verlet", 2, 2, 1. / 128 },
    { "verlet-drift", 2, 2, 1. / 128 },
    { "ruth3", 3, 3, 1. / 128 },
    { "yoshida4", 4, 4, 1. / 128 },
    { "suzuki4", 4, 4, 1. / 64 },
    { "mclachlan4", 4, 4, 1. / 64 },
    { "blanes-moan4", 4, 4, 1. / 64 },
    { "blanes-moan6", 6, 6, 1. / 64 },
    { "sb3a-4", 4, 4, 1. / 64 },
    { "srkn6-4", 4, 4, 1. / 64 },
    { "srkn11-6", 6, 4, 1. / 64 },
    { "srkn14-6", 6, 4, 1. / 64 },
    { "yoshida6", 6, 6, 1. / 128 },
    { "kahan-li6", 6, 6, 1. / 128 },
    { "kahan-li8", 8, 8, 1. / 64 },
    { "suzuki-umeno8", 8, 8, 1. / 128 },
    { "sofroniou-spaletta8", 8, 8, 1. / 64 },
    { "sofroniou-spaletta10", 10, 10, 1. / 16 },
};
enum { SETS = sizeof sets / sizeof *sets };

/* ---- the numbers ---- */

static void test_orders_from_words(void **unused)
{
    (void)unused;
    for (int k = 0; k < SETS; k++) {
        noe_method *m = method(sets[k].name);
        quad        sum[2] = { 0 };
        if (m->order != sets[k].order || m->damped_order != sets[k].damped)
            fail_msg("%s: orders %d, %d", m->name, m->order, m->damped_order);
        assert_int_equal(m->symmetric, m->order % 2 == 0);
        assert_true(m->symplectic);
        for (int i = 0; i < m->flows; i++) sum[(i + m->drift_first) % 2] += m->flow[i];
        for (int i = 0; i < 2; i++) small(sum[i] - 1, 1, 1e-32, m->name); /* measured: 6e-34 */
        /* One coefficient wrong by a thousandth, and its mirror image: seen, every one. */
        for (int i = 0; i < (m->flows + 1) / 2; i += 1 + m->flows / 24) {
            noe_method w = *m;
            w.flow[i] += (quad)1e-3;
            if (m->symmetric && i != w.flows - 1 - i) w.flow[w.flows - 1 - i] += (quad)1e-3;
            noe_splitting_traits(&w);
            if (w.order >= m->order) fail_msg("%s: flow %d does not count", m->name, i);
        }
        noe_method_free(m);
    }
}

/* The coefficients of Neri and of Forest and Ruth by their formulas, and the conditions for
 * order 4 written out; with the middle one as a paper prints it, -(2 + z)/3, the drifts do not
 * add up. */
static void test_forest_ruth(void **unused)
{
    (void)unused;
    noe_method *m = method("yoshida4");
    const quad  root = cbrtq(2), z = root + 1 / root;
    const quad  want[] = { (2 + z) / 6, (2 + z) / 3, (1 - z) / 6, -(1 + 2 * z) / 3,
                           (1 - z) / 6, (2 + z) / 3, (2 + z) / 6 };
    assert_int_equal(m->flows, 7);
    assert_false(m->drift_first);
    for (int i = 0; i < 7; i++) small(m->flow[i] - want[i], 1, 1e-33, "Forest-Ruth");
    quad S = 0, R = 0, rS = 0, sR2 = 0, rS2 = 0, sR3 = 0;
    for (int i = 0; i < 7; i++)
        if (i % 2) R += m->flow[i], rS += m->flow[i] * S, rS2 += m->flow[i] * S * S;
        else S += m->flow[i], sR2 += m->flow[i] * R * R, sR3 += m->flow[i] * R * R * R;
    small(rS - (quad)1 / 2, 1, 1e-32, "sum r S");
    small(sR2 - (quad)1 / 3, 1, 1e-32, "sum s R^2");
    small(rS2 - (quad)1 / 3, 1, 1e-32, "sum r S^2");
    small(sR3 - (quad)1 / 4, 1, 1e-32, "sum s R^3");
    noe_method w = *m;
    w.flow[3] = -(2 + z) / 3;
    noe_splitting_traits(&w);
    assert_int_equal(w.order, 0);
    noe_method_free(m);
}

static void test_names(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *canonical;
    } rows[] = {
        { "Verlet", "verlet" },
        { " kahan-li 8 ", "kahan-li8" },
        { "SRKN11-6", "srkn11-6" },
        { "yoshida 4", "yoshida4" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        noe_method *m = method(rows[k].name);
        assert_string_equal(m->name, rows[k].canonical);
        noe_method_free(m);
    }
    noe_error_clear();
    assert_null(noe_method_parse("verlet 2"));
    assert_non_null(strstr(noe_error(), "left over"));
    noe_error_clear();
    assert_null(noe_method_parse("verlett"));
    assert_non_null(strstr(noe_error(), "did you mean 'verlet'"));
    noe_error_clear();
}

/* ---- measured ---- */

/* Three coordinates, a full constant mass matrix, a potential with t in it. */
static const char driven[] =
    "coordinate x, y, z\n"
    "kinetic x'^2/2 + y'^2 + 3/4*z'^2 + x'*y'/2 - y'*z'/3\n"
    "potential x^2/2 + y^2 + z^2/3 + x^2*y - y^3/3 + x*z^2/2 + cos(x - z) + sin(t)*x*y + "
    "cos(2*t)*z\n";
/* The same with forces that depend on velocities, through a full matrix that depends on q and t. */
static const char rubbed[] = "force x = -(1/2 + x^2)*x' + y*y'/3 + sin(t)\n"
                             "force y = -x'/5 - (1/3 + z^2 + sin(t)/4)*y'\n"
                             "force z = x*y'/4 - z'/2\n";
static const char begin[] = "start x = 0.3, y = 0.2, z = -0.4, x' = 0.5, y' = -0.3, z' = 0.2\n";

static noe_system *system_of(const char *a, const char *b)
{
    char text[2000];
    snprintf(text, sizeof text, "%s%s%s", a, b, begin);
    return parse(text);
}

static void test_orders_measured(void **unused)
{
    (void)unused;
    noe_system *s = system_of(driven, ""), *d = system_of(driven, rubbed);
    for (int k = 0; k < SETS; k++) {
        noe_method  *m = method(sets[k].name);
        const double free = measured_order(s, m, sets[k].h, 4),
                     damped = measured_order(d, m, sets[k].h, 4);
        printf("%-22s %7.3f %7.3f\n", m->name, free, damped);
        if (!(fabs(free - sets[k].order) < 0.1)) fail_msg("%s: order %.3f", m->name, free);
        if (!(fabs(damped - sets[k].damped) < 0.1))
            fail_msg("%s, damped: order %.3f", m->name, damped);
        noe_method_free(m);
    }
    noe_system_free(s);
    noe_system_free(d);
}

/* One coefficient off by 1e-3: the measured order tells, too. */
static void test_a_wrong_coefficient_is_measured(void **unused)
{
    (void)unused;
    noe_system *s = system_of(driven, "");
    noe_method *m = method("kahan-li6");
    for (int i = 0; i < m->flows; i += 5) {
        noe_method w = *m;
        w.flow[i] += (quad)1e-3;
        assert_true(measured_order(s, &w, (quad)1 / 64, 4) < 2);
    }
    noe_method_free(m);
    noe_system_free(s);
}

/* ---- paper 004's examples with the exact damped kick: errors that another program has ---- */

static double sup_error(const char *text, const char *name, quad h, int steps, int n)
{
    noe_system *s = parse(text);
    noe_method *m = method(name), *fine = method("gauss 6");
    run         r = make_run(noe_engine_double(), s, m, h),
        exact = make_run(noe_engine_quad(), s, fine, h / 2);
    const point x = model_start(s);
    quad        worst = 0;
    start_run(r, &x, false);
    start_run(exact, &x, false);
    for (int k = 0; k < steps; k++) {
        step_run(r), step_run(exact), step_run(exact);
        const point y = get_point(r, 0), z = get_point(exact, 0);
        for (int j = 0; j < n; j++) worst = fmaxq(worst, fabsq(y.q[j] - z.q[j]));
    }
    r.core->drop(r.work), exact.core->drop(exact.work);
    noe_method_free(m), noe_method_free(fine), noe_system_free(s);
    return (double)worst;
}

static const char van_der_pol[] =
    "coordinate x\nkinetic x'^2/2\npotential x^2/2\nforce x = 10*(1 - x^2)*x'\nstart x = 1\n";
static const char two_duffing[] =
    "coordinate a, b\nkinetic a'^2 + 3/2*b'^2\n"
    "potential a^2 + a^4/40 + b^2 + b^4/20 + a*b\ndissipation a'^2/20 + b'^2/10\nstart b' = 1\n";

static void test_known_damped_errors(void **unused)
{
    (void)unused;
    digits(sup_error(van_der_pol, "yoshida4", (quad)1 / 100, 2000, 1), 0.0004839, 5e-3,
           "Van der Pol, T = 20");
    digits(sup_error(van_der_pol, "rk4", (quad)1 / 100, 2000, 1), 0.001018, 5e-3,
           "Van der Pol, T = 20, rk4");
    digits(sup_error(two_duffing, "yoshida4", (quad)1 / 100, 10000, 2), 9.843e-09, 1e-3,
           "two Duffing, T = 100");
    digits(sup_error(two_duffing, "rk4", (quad)1 / 100, 10000, 2), 1.194e-09, 1e-3,
           "two Duffing, T = 100, rk4");
}

/* ---- the derivative of a step ---- */

static void differences(run r, const point *x, quad *M)
{
    static const int weight[] = { 1, -8, 8, -1 }, at[] = { -2, -1, 1, 2 };
    const quad       d = (quad)1e-7;
    const int        n = r.n, N = 2 * n;
    memset(M, 0, (size_t)(N * N) * sizeof *M);
    for (int c = 0; c < N; c++)
        for (int k = 0; k < 4; k++) {
            point y = *x;
            *(c < n ? &y.q[c] : &y.p[c - n]) += at[k] * d;
            start_run(r, &y, true);
            step_run(r);
            y = get_point(r, 0);
            for (int i = 0; i < N; i++)
                M[i * N + c] += weight[k] * (i < n ? y.q[i] : y.p[i - n]) / (12 * d);
        }
}

static quad determinant(int N, quad *M)
{
    quad det = 1;
    for (int c = 0; c < N; c++) {
        int top = c;
        for (int i = c + 1; i < N; i++) top = fabsq(M[i * N + c]) > fabsq(M[top * N + c]) ? i : top;
        for (int k = 0; k < N && top != c; k++) {
            const quad x = M[c * N + k];
            M[c * N + k] = M[top * N + k], M[top * N + k] = x;
        }
        det *= top == c ? M[c * N + c] : -M[c * N + c];
        for (int i = c + 1; i < N; i++)
            for (int k = N; k-- > c;) M[i * N + k] -= M[i * N + c] / M[c * N + c] * M[c * N + k];
    }
    return det;
}

/* det = prod exp(-s_i h tr C(t_i, q_i)), C = -f_v M^-1, with the q_i from methods that end
 * before kick i. */
static void test_determinant_of_a_damped_step(void **unused)
{
    (void)unused;
    noe_system *s = system_of(driven, rubbed);
    const char *names[] = { "verlet-drift", "yoshida4", "blanes-moan6" };
    const quad  h = (quad)1 / 8, Mass[3][3] = { { 1, (quad)0.5, 0 },
                                                { (quad)0.5, 2, -(quad)1 / 3 },
                                                { 0, -(quad)1 / 3, (quad)1.5 } };
    const quad  minor[3] = { Mass[1][1] * Mass[2][2] - Mass[1][2] * Mass[2][1],
                             Mass[0][0] * Mass[2][2],
                             Mass[0][0] * Mass[1][1] - Mass[0][1] * Mass[1][0] };
    const quad  D = minor[0] - Mass[0][1] * Mass[0][1] * Mass[2][2];
    const quad  inv01 = -Mass[0][1] * Mass[2][2] / D, inv12 = -Mass[0][0] * Mass[1][2] / D;
    for (int k = 0; k < 3; k++) {
        noe_method *m = method(names[k]);
        run         r = make_run(noe_engine_quad(), s, m, h);
        point       x = model_start(s);
        quad        M[36], sum = 0, moved = 0;
        differences(r, &x, M);
        for (int i = 0; i < m->flows; i++) {
            if ((i + m->drift_first) % 2) {
                moved += m->flow[i];
                continue;
            }
            noe_method part = *m;
            part.flows = i;
            run   p = make_run(noe_engine_quad(), s, &part, h);
            point y;
            start_run(p, &x, true);
            step_run(p);
            y = get_point(p, 0);
            const quad *q = y.q, t = x.t + moved * h;
            const quad  Gxx = -((quad)1 / 2 + q[0] * q[0]), Gxy = q[1] / 3, Gyx = -(quad)1 / 5;
            const quad  Gyy = -((quad)1 / 3 + q[2] * q[2] + sinq(t) / 4), Gzy = q[0] / 4,
                       Gzz = -(quad)1 / 2;
            sum += m->flow[i] * h
                 * ((Gxx * minor[0] + Gyy * minor[1] + Gzz * minor[2]) / D + (Gxy + Gyx) * inv01
                    + Gzy * inv12);
            p.core->drop(p.work);
        }
        small(determinant(6, M) - expq(sum), 1, 1e-22, m->name); /* the differences' error */
        r.core->drop(r.work);
        noe_method_free(m);
    }
    noe_system_free(s);
}

static void test_symplectic_and_reversible(void **unused)
{
    (void)unused;
    noe_system *s = system_of(driven, "");
    for (int k = 0; k < SETS; k++) {
        noe_method *m = method(sets[k].name);
        run         r = make_run(noe_engine_quad(), s, m, (quad)1 / 16);
        point       x = model_start(s), y;
        quad        M[36], N[36], worst = 0;
        start_run(r, &x, true);
        step_run(r);
        y = get_point(r, 0);
        assert_true(r.core->derivative(r.work, 0, M));
        const point same = get_point(r, 0);
        assert_memory_equal(&y, &same, sizeof y);
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++) {
                quad form = (b == a + 3) - (a == b + 3);
                for (int j = 0; j < 3; j++)
                    form -= M[j * 6 + a] * M[(3 + j) * 6 + b] - M[(3 + j) * 6 + a] * M[j * 6 + b];
                worst = fmaxq(worst, fabsq(form));
            }
        small(worst, 1, 1e-31, m->name); /* measured: 3e-33 */
        if (k % 4 == 0) {
            differences(r, &x, N);
            for (int i = 0; i < 36; i++) small(M[i] - N[i], 1, 1e-23, m->name);
        }
        r.core->drop(r.work);
        run back = make_run(noe_engine_quad(), s, m, -(quad)1 / 16);
        start_run(back, &y, true);
        step_run(back);
        y = get_point(back, 0);
        quad apart = 0;
        for (int j = 0; j < 3; j++) apart += fabsq(y.q[j] - x.q[j]) + fabsq(y.p[j] - x.p[j]);
        assert_int_equal(apart < (quad)1e-31, m->symmetric);
        back.core->drop(back.work);
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* ---- the edges of stability: bounded a thousandth inside, not outside ---- */

static void test_stability(void **unused)
{
    (void)unused;
    noe_system *s = parse("coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n");
    for (int k = 0; k < SETS; k++) {
        noe_method *m = method(sets[k].name);
        double      edge[4] = { 0 };
        const int   windows = noe_stability_windows(m, 3.5, edge, 4);
        assert_true(windows >= 1);
        for (int side = -1; side <= 1; side += 2) {
            const double wide = windows > 1 ? (edge[1] - edge[0]) / 4 : 1e-3 * edge[0];
            run          r = make_run(noe_engine_double(), s, m, (quad)(edge[0] + side * wide));
            const point  x = model_start(s);
            double       most = 0;
            start_run(r, &x, false);
            for (int i = 0; i < 20000 && most <= 200; i++) {
                step_run(r);
                most = fmax(most, (double)fabsq(get_point(r, 0).q[0]));
            }
            if ((most > 200) != (side > 0))
                fail_msg("%s at %.6g %+d: %.3g", m->name, edge[0], side, most);
            r.core->drop(r.work);
        }
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* ---- lanes, restarts ---- */

static void test_lanes_and_restart(void **unused)
{
    (void)unused;
    const char *texts[] = { "", rubbed };
    const char *names[] = { "euler", "verlet", "kahan-li6", "sofroniou-spaletta10" };
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < 4; k++) {
            noe_system *s = system_of(driven, texts[which]);
            noe_method *m = method(names[k]);
            run         r = make_run(noe_engine_lanes(), s, m, (quad)1 / 16);
            point       x[8];
            bool        momentum[DOFS] = { false };
            for (int i = 0; i < 8; i++) {
                x[i] = model_start(s);
                for (int j = 0; j < 3; j++)
                    x[i].q[j] += (double)i / 10, x[i].q[j] = (double)x[i].q[j],
                                                 x[i].v[j] = (double)x[i].v[j];
                put_point(r, i, &x[i]);
                const quad h = (double)(i == 5 ? 1
                                               : (quad)1 / 16); /* one needs doublings of its own */
                r.core->set(r.work, NOE_AT_STEP, i, &h);
            }
            assert_int_equal(r.core->start(r.work, momentum), 0);
            for (int i = 0; i < 20; i++) r.core->step(r.work);
            for (int i = 0; i < 8; i++) {
                run a = make_run(noe_engine_double(), s, m, i == 5 ? 1 : (quad)1 / 16);
                start_run(a, &x[i], false);
                unsigned failed = 0;
                for (int j = 0; j < 12; j++) failed |= a.core->step(a.work);
                size_t bytes;
                void  *memory = a.core->memory(a.work, &bytes);
                run    again = make_run(noe_engine_double(), s, m, (quad)1 / 16);
                memcpy(again.core->memory(again.work, &bytes), memory, bytes);
                a.core->drop(a.work);
                for (int j = 12; j < 20; j++) failed |= again.core->step(again.work);
                const point lane = get_point(r, i), alone = get_point(again, 0);
                if (!failed && memcmp(&lane, &alone, sizeof lane))
                    fail_msg("%s: lane %d differs", names[k], i);
                again.core->drop(again.work);
            }
            r.core->drop(r.work);
            noe_method_free(m);
            noe_system_free(s);
        }
}

/* ---- long runs ---- */

static void test_energy_bounded(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/kepler.lag");
    const char *names[] = { "verlet", "yoshida6", "rk4" };
    for (int k = 0; k < 3; k++) {
        noe_method *m = method(names[k]);
        run         r = make_run(noe_engine_double(), s, m, k == 1 ? 0.1 : 0.05);
        const point x = model_start(s);
        quad        half[2] = { 0 };
        start_run(r, &x, false);
        const quad H0 = get_one(r, 0, NOE_AT_ENERGY);
        for (int i = 0; i < 100000; i++) {
            step_run(r);
            half[i >= 50000] = fmaxq(half[i >= 50000], fabsq(get_one(r, 0, NOE_AT_ENERGY) - H0));
        }
        if ((half[1] < (quad)1.05 * half[0]) != (k < 2))
            fail_msg("%s: %.3g, %.3g", names[k], (double)half[0], (double)half[1]);
        r.core->drop(r.work);
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* ---- the damped kick by itself: strong damping, no force: p <- e^(-c h) p ---- */

static void test_damping_alone(void **unused)
{
    (void)unused;
    const double c[] = { 1e-12, 0.1, 3, 40, 500, -2 };
    for (int k = 0; k < 6; k++) {
        char text[200];
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic x'^2\nforce x = -2*(%.17g)*x'\nstart x' = 1\n", c[k]);
        char decimal[40];
        snprintf(decimal, sizeof decimal, "%.17g", c[k]);
        noe_system *s = parse(text);
        noe_method *m = method("verlet");
        for (int which = 0; which < 2; which++) {
            run         r = make_run(which ? noe_engine_quad() : noe_engine_double(), s, m, 1);
            const point x = model_start(s);
            start_run(r, &x, false);
            step_run(r);
            const quad want = expq(-number(decimal)), got = get_point(r, 0).p[0] / 2,
                       eps = which ? QUAD_EPS : 0x1p-53;
            small(got - want, fmaxq(want, 1), 8 * eps, text);
            r.core->drop(r.work);
        }
        noe_method_free(m);
        noe_system_free(s);
    }
}

/* Through a full matrix, weak to strong: p_x + p_y and p_x - p_y decay by themselves. */
static void test_damping_by_a_matrix(void **unused)
{
    (void)unused;
    const double c[][2] = { { 1e-9, 1e-10 }, { 0.1, -0.05 }, { 3, 2 },
                            { 40, 30 },      { 300, -100 },  { -2, 1 } };
    for (int k = 0; k < 6; k++) {
        char text[300], a[40], b[40];
        snprintf(a, sizeof a, "%.17g", c[k][0]), snprintf(b, sizeof b, "%.17g", c[k][1]);
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -(%s)*x' - (%s)*y'\n"
                 "force y = -(%s)*x' - (%s)*y'\nstart x' = 1, y' = 0.25\n",
                 a, b, b, a);
        noe_system *s = parse(text);
        noe_method *m = method("verlet");
        for (int which = 0; which < 2; which++) {
            run         r = make_run(which ? noe_engine_quad() : noe_engine_double(), s, m, 1);
            const point x = model_start(s);
            start_run(r, &x, false);
            step_run(r);
            const point y = get_point(r, 0);
            const quad  plus = (quad)1.25 * expq(-number(a) - number(b)),
                       minus = (quad)0.75 * expq(number(b) - number(a));
            const quad scale = fmaxq(1, fmaxq(plus, minus)), eps = which ? QUAD_EPS : 0x1p-53;
            small(y.p[0] + y.p[1] - plus, scale, 32 * eps, text);
            small(y.p[0] - y.p[1] - minus, scale, 32 * eps, text);
            r.core->drop(r.work);
        }
        noe_method_free(m);
        noe_system_free(s);
    }
}

/* ---- energy balance: energy + dissipated - work - H0 has the order of the method, with L_t,
 * forces and dissipation ---- */

static void test_energy_balance(void **unused)
{
    (void)unused;
    noe_system *s = system_of(driven, rubbed);
    const char *names[] = { "verlet-drift", "yoshida4", "kahan-li8" };
    for (int k = 0; k < 3; k++) {
        noe_method *m = method(names[k]);
        quad        left[2];
        for (int i = 0; i < 2; i++) {
            run         r = make_run(noe_engine_quad(), s, m, ldexpq(1, -5 - i));
            const point x = model_start(s);
            start_run(r, &x, false);
            for (int j = 0; j < 16 << i; j++) step_run(r);
            left[i] = fabsq(get_one(r, 0, NOE_AT_BALANCE));
            r.core->drop(r.work);
        }
        const double order = (double)log2q(left[0] / left[1]);
        if (!(fabs(order - m->damped_order) < 0.3))
            fail_msg("%s: the energy balance has the order %.3f", m->name, order);
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* ---- what is refused, and told ---- */

static const struct {
    const char *text, *says;
} refused[] = {
    { "coordinate a, b\nkinetic a'^2 + b^2*b'^2\n", "d2L/d(b')d(b') is not constant" },
    { "coordinate a, b\nkinetic a'^2 + b'^2\nlagrangian a*b' - b*a'\n", "d2L/d(a')d(b) is not 0" },
    { "coordinate a, b\nkinetic a'^2 + (1 + t^2)*b'^2\n", "d2L/d(b')d(b') is not constant" },
    { "coordinate a, b\nkinetic a'^2 + b'^4 + b'^2\n", "d2L/d(b')d(b') is not constant" },
    { "coordinate a, b\nkinetic a'^2 + b'^2\nlagrangian sin(t)*b'\n",
      "b' times something that is not constant" },
    { "coordinate a, b\nkinetic a'^2 + b'^2\nforce a = -b'^3\n",
      "the force on a is not linear in b'" },
    /* What jumps has the derivative 0 and is not constant. */
    { "coordinate a, b\nkinetic a'^2 + b'^2\ndissipation 3*abs(b')\n",
      "the force on b is not linear in the velocities" },
    { "coordinate a, b\nkinetic a'^2 + b'^2\nforce a = if(b' > 2, -1, a)\n",
      "the force on a is not linear in the velocities" },
    { "coordinate a, b\nkinetic a'^2 + b'^2\nlagrangian abs(b')\n",
      "here L depends on b' in another way" },
};

static void test_refusals(void **unused)
{
    (void)unused;
    noe_method *m = method("yoshida4");
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        noe_system *s = parse(refused[k].text);
        assert_null(noe_integrator_new(s, m, 0.1));
        if (!noe_error() || !strstr(noe_error(), refused[k].says)
            || !strstr(noe_error(), "take \"simpson\""))
            fail_msg("%s gives: %s", refused[k].text, noe_error() ? noe_error() : "no message");
        noe_system_free(s);
    }
    /* What cancels is no obstacle: polar coordinates of a plane written in full, a mass that is
     * constant. */
    noe_system *s = parse(
        "coordinate a, b\nu = cos(a)\nw = sin(a)\nkinetic (u'^2 + w'^2)/2 + b'^2/2\n"
        "lagrangian 3*b'\npotential cos(a)*b\n");
    noe_integrator *g = noe_integrator_new(s, m, 0.1);
    assert_non_null(g);
    assert_int_equal(noe_step(g), NOE_OK);
    noe_integrator_free(g);
    noe_system_free(s);
    noe_method_free(m);
}

/* L_v contains a constant: v = M^-1 (p - b). */
static void test_constant_momentum(void **unused)
{
    (void)unused;
    noe_system *a = parse("coordinate x\nkinetic x'^2\npotential x^4\nstart x = 1, x' = 1\n");
    noe_system *b = parse(
        "coordinate x\nkinetic x'^2\nlagrangian 5*x'\npotential x^4\nstart x = 1, x' = 1\n");
    noe_method *m = method("verlet");
    run         r = make_run(noe_engine_quad(), a, m, (quad)1 / 8),
        s = make_run(noe_engine_quad(), b, m, (quad)1 / 8);
    const point x = model_start(a);
    start_run(r, &x, false), start_run(s, &x, false);
    for (int k = 0; k < 10; k++) step_run(r), step_run(s);
    small(get_point(r, 0).q[0] - get_point(s, 0).q[0], 1, 1e-31,
          "a constant momentum changes nothing");
    r.core->drop(r.work), s.core->drop(s.work);
    noe_method_free(m), noe_system_free(a), noe_system_free(b);
}

/* ---- functions in C ---- */

static double oscillator(double t, const double *z, const double *param, double *grad, double *hess,
                         void *ctx)
{
    (void)t, (void)ctx;
    const double k = param[0], q = z[0], v = z[1], wrong = param[1];
    if (grad) grad[0] = -k * q - q * q * q + wrong * q * v * v, grad[1] = v + wrong * q * q * v;
    if (hess)
        hess[0] = -k - 3 * q * q + wrong * v * v, hess[1] = hess[2] = 2 * wrong * q * v,
        hess[3] = 1 + wrong * q * q;
    return v * v / 2 - k * q * q / 2 - q * q * q * q / 4 + wrong * q * q * v * v / 2;
}

static void friction(double t, const double *z, const double *param, double *f, double *dfdz,
                     void *ctx)
{
    (void)t, (void)ctx;
    const double c = 0.2 + z[0] * z[0], cubic = param[2];
    *f = -c * z[1] - cubic * z[1] * z[1] * z[1];
    if (dfdz) dfdz[0] = -2 * z[0] * z[1], dfdz[1] = -c - 3 * cubic * z[1] * z[1];
}

static noe_status run_c(const char *name, double h, double wrong, double cubic, double *end,
                        noe_status *jacobian)
{
    noe_system     *s = noe_system_new(1, 3, oscillator, friction, NULL);
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    const double    q = 1, v = 0.5;
    double          M[4];
    noe_set(g, "c.1", 2), noe_set(g, "c.2", wrong), noe_set(g, "c.3", cubic);
    noe_method_free(m);
    noe_status status = noe_start(g, 0, &q, &v);
    if (!status) status = noe_run(g, 2, NULL, NULL);
    if (!status) *end = noe_q(g)[0], *jacobian = noe_step_jacobian(g, M);
    noe_integrator_free(g);
    noe_system_free(s);
    return status;
}

static void test_functions_in_c(void **unused)
{
    (void)unused;
    double     exact, coarse, fine;
    noe_status jacobian;
    assert_int_equal(run_c("gauss 6", 0.05, 0, 0, &exact, &jacobian), NOE_OK);
    for (int k = 0; k < 3; k++) {
        const char *name[] = { "verlet", "ruth3", "yoshida4" };
        assert_int_equal(run_c(name[k], 0.1, 0, 0, &coarse, &jacobian), NOE_OK);
        assert_int_equal(run_c(name[k], 0.05, 0, 0, &fine, &jacobian), NOE_OK);
        assert_int_equal(jacobian, NOE_INVALID);
        assert_non_null(strstr(noe_error(), "derivative of a damped kick"));
        noe_error_clear();
        const double order = log2(fabs(coarse - exact) / fabs(fine - exact));
        if (!(fabs(order - 2 - k) < 0.3)) fail_msg("%s: order %.3f", name[k], order);
    }
    assert_int_equal(run_c("verlet", 0.1, 0.5, 0, &fine, &jacobian), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "d2L/d(x.1')d("));
    noe_error_clear();
    assert_int_equal(run_c("verlet", 0.1, 0, 0.5, &fine, &jacobian), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "the force on x.1 is not linear in x.1'"));
    noe_error_clear();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders_from_words),
        cmocka_unit_test(test_forest_ruth),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_orders_measured),
        cmocka_unit_test(test_a_wrong_coefficient_is_measured),
        cmocka_unit_test(test_known_damped_errors),
        cmocka_unit_test(test_determinant_of_a_damped_step),
        cmocka_unit_test(test_symplectic_and_reversible),
        cmocka_unit_test(test_lanes_and_restart),
        cmocka_unit_test(test_energy_bounded),
        cmocka_unit_test(test_damping_alone),
        cmocka_unit_test(test_stability),
        cmocka_unit_test(test_energy_balance),
        cmocka_unit_test(test_damping_by_a_matrix),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_constant_momentum),
        cmocka_unit_test(test_functions_in_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
