/* Impacts at grid points, from round starts by round steps: the motion by reflections, exactly.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event_record.h"

static const char *const methods[] = { "simpson", "gauss 3", "verlet", "lobatto 4", "rk4" };
enum { METHODS_HERE = sizeof methods / sizeof *methods };
static const double steps[] = { 0.1, 0.05, 0.25, 0.2 };

/* A way of length 2 from -1 to 1 and back, which is 4 long: where one is after w of it. */
static double fold(double w)
{
    const double in = w - 4 * floor(w / 4);
    return in < 2 ? in - 1 : 3 - in;
}

/* Walls that a straight way of length t |v| meets from x0 on; `of`: -1 or 1 only one of them. */
static int walls(double x0, double v, double t)
{
    return (int)floor(((v > 0 ? x0 : -x0) + 1 + t * fabs(v)) / 2);
}

/* Is a wall met at this time to rounding? */
static bool is_at_wall(double x0, double v, double t)
{
    return 1 - fabs(fold((v > 0 ? x0 : -x0) + 1 + t * fabs(v))) < 1e-9;
}

static double straight(double x0, double v, double t)
{
    return (v > 0 ? 1 : -1) * fold((v > 0 ? x0 : -x0) + 1 + t * fabs(v));
}

typedef struct {
    double x, y, vx, vy;
} start;

static void check_place(const start *a, double t, const double *q, const double *p, bool sides)
{
    small(q[0] - straight(a->x, a->vx, t), 1, 500 * 0x1p-53, "x in the box");
    small(q[1] - straight(a->y, a->vy, t), 1, 500 * 0x1p-53, "y in the box");
    small(fabs(p[0]) - fabs(a->vx), 1, 8 * 0x1p-53, "speed along x");
    small(fabs(p[1]) - fabs(a->vy), 1, 8 * 0x1p-53, "speed along y");
    if (sides && !is_at_wall(a->x, a->vx, t))
        assert_true((p[0] * a->vx > 0) == (walls(a->x, a->vx, t) % 2 == 0));
    if (sides && !is_at_wall(a->y, a->vy, t))
        assert_true((p[1] * a->vy > 0) == (walls(a->y, a->vy, t) % 2 == 0));
}

/* The impacts of one side: their times, each once. */
static int check_impacts(const record *r, int first, double x0, double v)
{
    int    count = 0;
    double before = -1;
    for (int k = 0; k < r->count; k++) {
        if (r->event[k] / 2 != first / 2) continue;
        const double t = (2 * ++count - 1 - (v > 0 ? x0 : -x0)) / fabs(v);
        small(r->t[k] - t, t, 200 * 0x1p-53, "time of an impact");
        assert_true(r->t[k] > before);
        assert_int_equal(r->event[k] - first, (count % 2 == 1) == (v > 0));
        before = r->t[k];
    }
    return count;
}

static int round_trip(const noe_system *s, const start *a, const char *name, double h, int count)
{
    static record   r, half, rest;
    noe_integrator *g = make(s, name, h, 15, &r), *f = make(s, name, h, 15, &half),
                   *l = make(s, name, h, 15, &rest);
    const int middle = count / 2;
    size_t    bytes;
    double    q[2], p[2];
    for (int k = 1; k <= count; k++) {
        const double mid = (k - 0.5) * h;
        if (noe_at(g, mid, q, p)) fail_msg("%s, %g: %s", name, h, noe_error());
        check_place(a, mid, q, p, true);
        if (noe_step(g)) fail_msg("%s, %g, %g %g: %s", name, h, a->x, a->vx, noe_error());
        assert_true(fabs(noe_time(g) - k * h) < 1e-13);
        check_place(a, k * h, noe_q(g), noe_p(g), true);
    }
    const double end = count * h;
    const int    nx = check_impacts(&r, 0, a->x, a->vx), ny = check_impacts(&r, 2, a->y, a->vy);
    assert_true(nx == walls(a->x, a->vx, end) || is_at_wall(a->x, a->vx, end));
    assert_true(ny == walls(a->y, a->vy, end) || is_at_wall(a->y, a->vy, end));
    assert_int_equal(nx + ny, r.count);
    /* In two parts, by a copy of the state. */
    for (int k = 0; k < middle; k++) assert_int_equal(noe_step(f), NOE_OK);
    const void *memory = f->engine->memory(f->work, &bytes);
    assert_true(noe_integrator_start_restore(l, memory, bytes));
    for (int k = middle; k < count; k++) assert_int_equal(noe_step(l), NOE_OK);
    assert_memory_equal(noe_q(g), noe_q(l), sizeof q);
    assert_memory_equal(noe_p(g), noe_p(l), sizeof p);
    assert_int_equal(half.count + rest.count, r.count);
    for (int k = 0; k < rest.count; k++) assert_true(rest.t[k] == r.t[half.count + k]);
    /* And back. */
    const int there = r.count;
    assert_int_equal(noe_set(g, "step", -h), NOE_OK);
    for (int k = 0; k < count; k++)
        if (noe_step(g)) fail_msg("back, %s, %g, %g %g: %s", name, h, a->x, a->vx, noe_error());
    check_place(a, 0, noe_q(g), noe_p(g), true);
    assert_int_equal(r.count, 2 * there);
    noe_integrator_free(g), noe_integrator_free(f), noe_integrator_free(l);
    return there;
}

static double one_of(const double *x, int n)
{
    return x[(int)(n * (0.5 + 0.499999 * random_number()))];
}

/* Boxes of one and two dimensions; some of the starts are those of the report of this defect. */
static void test_boxes(void **unused)
{
    (void)unused;
    static const double places[] = { 0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.7, -0.4, -0.75, 0.9 };
    static const double speeds[] = { 1, 0.5, 0.6, -0.6, 2, -0.25, 1.5, -1, 0.8, 0.4 };
    static const start  known[] = {
         { 0.1, 0, 0.6, 1 }, { 0.2, 0, 0.6, 0.5 }, { 0, 0.5, 0.5, -1 }, { 0, 0, 1, 1 }
    };
    int impacts = 0;
    for (int i = 0; i < 300; i++) {
        const start  a = i < 80 ? known[i / 20]
                                : (start){ one_of(places, 10), one_of(places, 10),
                                           one_of(speeds, 10), one_of(speeds, 10) };
        const double h = steps[i / METHODS_HERE % 4];
        char         text[500];
        snprintf(
            text, sizeof text,
            "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
            "event left: x = -1 falling then bounce 1\nevent right: x = 1 rising then bounce 1\n"
            "event low: y = -1 falling then bounce 1\nevent high: y = 1 rising then bounce 1\n"
            "start x = %g, x' = %g, y = %g, y' = %g\n",
            a.x, a.vx, a.y, a.vy);
        noe_system *s = parse(text);
        impacts += round_trip(s, &a, methods[i % METHODS_HERE], h, (int)(30 / h + 0.5));
        noe_system_free(s);
    }
    if (getenv("NOE_SHOW")) printf("%d impacts\n", impacts);
    assert_true(impacts > 300 * 20);
}

/* The same walls by assignments, which cannot be undone. */
static void test_assignments(void **unused)
{
    (void)unused;
    static record r;
    noe_system   *s = parse("coordinate x\nkinetic x'^2/2\nstart x = 0, x' = 1\n"
                              "event left: x = -1 falling then x' = -x'\n"
                              "event right: x = 1 rising then x' = -x'\n");
    for (int i = 0; i < 4 * METHODS_HERE; i++) {
        const double    h = steps[i % 4];
        noe_integrator *g = make(s, methods[i / 4], h, 15, &r);
        for (int k = 1; k * h < 30.01; k++) {
            if (noe_step(g)) fail_msg("%s, %g: %s", methods[i / 4], h, noe_error());
            small(noe_q(g)[0] - straight(0, 1, k * h), 1, 200 * 0x1p-53, "x");
        }
        assert_int_equal(check_impacts(&r, 0, 0, 1), 15);
        assert_int_equal(r.count, 15);
        noe_integrator_free(g);
    }
    noe_system_free(s);
}

/* A ball falls from 1 by 2 a unit of time: it is on the floor at all odd times. */
static void test_ball(void **unused)
{
    (void)unused;
    static record r;
    for (int i = 0; i < 4 * METHODS_HERE; i++) {
        for (int way = 0; way < 2; way++) {
            char text[200];
            snprintf(text, sizeof text,
                     "coordinate y\nkinetic y'^2/2\npotential 2*y\nstart y = 1\n"
                     "event floor: y = 0 %s then bounce 1\n",
                     way ? "falling" : "");
            noe_system     *s = parse(text);
            const double    h = steps[i % 4];
            noe_integrator *g = make(s, methods[i / 4], h, 15, &r);
            for (int k = 1; k * h < 30.01; k++) {
                if (noe_step(g)) fail_msg("%s, %g: %s", methods[i / 4], h, noe_error());
                const double u = remainder(k * h, 2); /* since the last time at the top */
                small(noe_q(g)[0] - (1 - u * u), 1, 1000 * 0x1p-53, "height");
            }
            for (int k = 0; k < r.count; k++)
                small(r.t[k] - (2 * k + 1), 1, 500 * 0x1p-53, "time of an impact");
            assert_int_equal(r.count, 15);
            noe_integrator_free(g);
            noe_system_free(s);
        }
    }
}

/* Without restitution it rests from its first impact on, at a grid point or not. */
static void test_rest(void **unused)
{
    (void)unused;
    static record r;
    noe_system   *s = parse("coordinate y\nkinetic y'^2/2\npotential 2*y\nstart y = 1\n"
                              "event floor: y = 0 falling then bounce 0\n");
    for (int i = 0; i < 4 * METHODS_HERE; i++) {
        noe_integrator *g = make(s, methods[i / 4], steps[i % 4], 15, &r);
        assert_int_equal(noe_run(g, 30, NULL, NULL), NOE_NOT_CONVERGED);
        assert_non_null(strstr(noe_error(), "rests on it"));
        assert_int_equal(r.count, 1);
        small(r.t[0] - 1, 1, 8 * 0x1p-53, "time of the impact");
        noe_error_clear();
        noe_integrator_free(g);
    }
    noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_assignments),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_rest),
    };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
