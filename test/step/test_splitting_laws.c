/* What splittings preserve: determinant, symplecticity, stability, energy, bits of lanes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "splitting_system.h"
#include "method/stability.h"

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
            p.engine->drop(p.work);
        }
        small(determinant(6, M) - expq(sum), 1, 1e-22, m->name); /* the differences' error */
        r.engine->drop(r.work);
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
        assert_true(r.engine->derivative(r.work, 0, M));
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
        r.engine->drop(r.work);
        run back = make_run(noe_engine_quad(), s, m, -(quad)1 / 16);
        start_run(back, &y, true);
        step_run(back);
        y = get_point(back, 0);
        quad apart = 0;
        for (int j = 0; j < 3; j++) apart += fabsq(y.q[j] - x.q[j]) + fabsq(y.p[j] - x.p[j]);
        assert_int_equal(apart < (quad)1e-31, m->symmetric);
        back.engine->drop(back.work);
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
            r.engine->drop(r.work);
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
                r.engine->set(r.work, NOE_AT_STEP, i, &h);
            }
            assert_int_equal(r.engine->start(r.work, momentum), 0);
            for (int i = 0; i < 20; i++) r.engine->step(r.work);
            for (int i = 0; i < 8; i++) {
                run a = make_run(noe_engine_double(), s, m, i == 5 ? 1 : (quad)1 / 16);
                start_run(a, &x[i], false);
                unsigned failed = 0;
                for (int j = 0; j < 12; j++) failed |= a.engine->step(a.work);
                size_t bytes;
                void  *memory = a.engine->memory(a.work, &bytes);
                run    again = make_run(noe_engine_double(), s, m, (quad)1 / 16);
                memcpy(again.engine->memory(again.work, &bytes), memory, bytes);
                a.engine->drop(a.work);
                for (int j = 12; j < 20; j++) failed |= again.engine->step(again.work);
                const point lane = get_point(r, i), alone = get_point(again, 0);
                if (!failed && memcmp(&lane, &alone, sizeof lane))
                    fail_msg("%s: lane %d differs", names[k], i);
                again.engine->drop(again.work);
            }
            r.engine->drop(r.work);
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
        r.engine->drop(r.work);
        noe_method_free(m);
    }
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_determinant_of_a_damped_step),
        cmocka_unit_test(test_symplectic_and_reversible),
        cmocka_unit_test(test_lanes_and_restart),
        cmocka_unit_test(test_energy_bounded),
        cmocka_unit_test(test_stability),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
