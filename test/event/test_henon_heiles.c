/* Sections of Henon and Heiles: points by a Taylor series of its own, the share of regular orbits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * M. Henon, C. Heiles, The applicability of the third integral of motion, Astron. J. 69 (1964) 73,
 * print pictures and no coordinates.  So the points are computed a second time; of the pictures,
 * figures 4 to 6, it is judged what they show: curves alone at E = 1/12, curves and a sea of points
 * at 1/8, hardly a curve at 1/6. */
#include "event_record.h"

enum { TERMS = 34 };

static const char model[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                            "potential (x^2 + y^2)/2 + x^2*y - y^3/3\n"
                            "event plane: x = 0 rising\n";

/* ---- a Taylor series, written by hand ---- */

/* x and y as polynomials in time: x'' = -x - 2 x y, y'' = -y - x^2 + y^2. */
typedef struct {
    quad x[TERMS + 2], y[TERMS + 2];
} series;

static void expand(series *s, const quad z[4])
{
    s->x[0] = z[0], s->y[0] = z[1], s->x[1] = z[2], s->y[1] = z[3];
    for (int k = 0; k < TERMS; k++) {
        quad xy = 0, squares = 0;
        for (int i = 0; i <= k; i++) {
            xy += s->x[i] * s->y[k - i];
            squares += s->y[i] * s->y[k - i] - s->x[i] * s->x[k - i];
        }
        s->x[k + 2] = (-s->x[k] - 2 * xy) / ((k + 1) * (k + 2));
        s->y[k + 2] = (-s->y[k] + squares) / ((k + 1) * (k + 2));
    }
}

static quad value(const quad *c, quad t)
{
    quad sum = 0;
    for (int k = TERMS + 1; k >= 0; k--) sum = sum * t + c[k];
    return sum;
}

static quad slope(const quad *c, quad t)
{
    quad sum = 0;
    for (int k = TERMS + 1; k >= 1; k--) sum = sum * t + k * c[k];
    return sum;
}

typedef struct {
    quad t, y, v;
} crossing;

/* The first `count` upward crossings of x = 0 after the start: steps of 1/16, the zero by Newton's
 * iteration on the series. */
static void cross(const quad start[4], crossing *to, int count)
{
    const quad h = (quad)1 / 16;
    quad       z[4] = { start[0], start[1], start[2], start[3] };
    series     s;
    for (long k = 0; count > 0; k++) {
        expand(&s, z);
        const quad next[] = { value(s.x, h), value(s.y, h), slope(s.x, h), slope(s.y, h) };
        if (z[0] < 0 && next[0] >= 0) {
            quad tau = h * z[0] / (z[0] - next[0]);
            for (int i = 0; i < 8; i++) tau -= value(s.x, tau) / slope(s.x, tau);
            *to++ = (crossing){ k * h + tau, value(s.y, tau), slope(s.y, tau) };
            count--;
        }
        memcpy(z, next, sizeof z);
    }
}

/* On the plane x = 0, with the velocity that the energy leaves; false: none. */
static bool start_at(quad E, quad y, quad v, quad z[4])
{
    const quad square = 2 * E - v * v - y * y + 2 * y * y * y / 3;
    z[0] = 0, z[1] = y, z[2] = sqrtq(square), z[3] = v;
    return square > 0;
}

/* ---- points ---- */

/* The largest difference of times and places of the crossings of a run. */
static void differ(const noe_system *s, const char *name, double h, int digits, const double *z,
                   const crossing *exact, int count, quad *time, double *place)
{
    static record   r;
    noe_integrator *g = make(s, name, h, digits, &r);
    assert_non_null(g);
    assert_int_equal(noe_start_momentum(g, 0, z, z + 2), NOE_OK);
    r.count = 0;
    if (noe_run(g, (double)exact[count - 1].t + 1, NULL, NULL)) fail_msg("%s", noe_error());
    assert_int_equal(r.count, count);
    *time = *place = 0;
    for (int k = 0; k < count; k++) {
        *time = fmaxq(*time, fabsq(r.exact[k] - exact[k].t));
        *place = fmax(*place, fabs(r.q[k][1] - (double)exact[k].y));
        *place = fmax(*place, fabs(r.p[k][1] - (double)exact[k].v));
    }
    noe_integrator_free(g);
}

/* A regular orbit at 1/12, one in an island at 1/8, one that is chaotic there, one at 1/6. */
static const struct {
    double E, y, v;
    int    count;
} orbit[] = { { 1. / 12, 0.1, 0, 60 },
              { 1. / 8, 0.3, 0, 60 },
              { 1. / 8, -0.15, 0.05, 30 },
              { 1. / 6, -0.1, 0.1, 20 } };
enum { ORBITS = sizeof orbit / sizeof *orbit };

/* Its crossings, and how much an error of each number at the start grows until the last. */
static double exact_of(int i, double z[4], crossing *to)
{
    const quad small_error = (quad)1e-18;
    quad       wide[4], growth = 1;
    crossing   near[64];
    assert_true(start_at(orbit[i].E, orbit[i].y, orbit[i].v, wide));
    for (int j = 0; j < 4; j++) wide[j] = z[j] = (double)wide[j];
    cross(wide, to, orbit[i].count);
    for (int j = 1; j < 4; j++) { /* x: the start is on the plane */
        wide[j] += small_error;
        cross(wide, near, orbit[i].count);
        wide[j] = z[j];
        for (int k = 0; k < orbit[i].count; k++) {
            growth = fmaxq(growth, fabsq(near[k].t - to[k].t) / small_error);
            growth = fmaxq(growth, fabsq(near[k].y - to[k].y) / small_error);
            growth = fmaxq(growth, fabsq(near[k].v - to[k].v) / small_error);
        }
    }
    return (double)growth;
}

static void test_points(void **unused)
{
    (void)unused;
    noe_system *s = parse(model);
    for (int i = 0; i < ORBITS; i++) {
        crossing     exact[64];
        double       z[4], place;
        quad         time;
        const double growth = exact_of(i, z, exact);
        differ(s, "gauss 8", 0.1, 15, z, exact, orbit[i].count, &time, &place);
        if (getenv("NOE_SHOW"))
            printf("orbit %d: %.3g, %.3g; %.3g\n", i, (double)time, place, growth);
        small(time, growth, 2 * 0x1p-53 * orbit[i].count, "time of a crossing");
        small(place, growth, 2 * 0x1p-53 * orbit[i].count, "place of a crossing");
        differ(s, "gauss 12", 1 / 16., 33, z, exact, orbit[i].count, &time, &place);
        if (getenv("NOE_SHOW")) printf("33 digits: %.3g, %.3g\n", (double)time, place);
        small(time, growth, 2 * QUAD_EPS * orbit[i].count, "time of a crossing, 33 digits");
        small(place, 1, 0x1p-53, "place of a crossing, 33 digits");
    }
    noe_system_free(s);
}

static void test_orders(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int         order;
        double      h;
    } row[] = { { "verlet", 2, 0.02 }, { "simpson", 4, 0.05 },  { "gauss 2", 4, 0.05 },
                { "gauss 3", 6, 0.2 }, { "yoshida4", 4, 0.02 }, { "rk4", 4, 0.02 } };
    noe_system *s = parse(model);
    crossing    exact[64];
    double      z[4];
    exact_of(0, z, exact);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double place[2];
        quad   time[2];
        for (int half = 0; half < 2; half++)
            differ(s, row[i].name, row[i].h / (1 + half), 15, z, exact, 60, &time[half],
                   &place[half]);
        const double order = log2(place[0] / place[1]), of_time = (double)log2q(time[0] / time[1]);
        if (getenv("NOE_SHOW")) printf("%s: %.2f, %.2f\n", row[i].name, order, of_time);
        /* the drift of the energy by rk4 has order 5 */
        const double least = row[i].order - 0.3, most = row[i].order + (i == 5 ? 1.3 : 0.3);
        if (!(order > least && order < most && of_time > least && of_time < most))
            fail_msg("%s: orders %.2f of places, %.2f of times", row[i].name, order, of_time);
    }
    noe_system_free(s);
}

/* ---- what the pictures show ---- */

/* Of two orbits that start 1e-7 apart: are they less than 1e-3 apart at crossing number 60?  On
 * curves the distance grows as the time, 4e2, in the sea exponentially. */
static bool on_a_curve(const noe_system *s, double E, double y, double v)
{
    enum { CROSSINGS = 60 };
    static record r;
    double        at[2][2];
    for (int i = 0; i < 2; i++) {
        quad   wide[4];
        double z[4];
        assert_true(start_at(E, y + i * 1e-7, v, wide));
        for (int j = 0; j < 4; j++) z[j] = (double)wide[j];
        noe_integrator *g = make(s, "gauss 6", 0.2, 15, &r);
        assert_int_equal(noe_start_momentum(g, 0, z, z + 2), NOE_OK);
        r.count = 0;
        while (r.count < CROSSINGS)
            if (noe_step(g)) fail_msg("%s", noe_error());
        at[i][0] = r.q[CROSSINGS - 1][1], at[i][1] = r.p[CROSSINGS - 1][1];
        noe_integrator_free(g);
    }
    return hypot(at[0][0] - at[1][0], at[0][1] - at[1][1]) < 1e-3;
}

/* The share of curves among random starts in the region that the energy leaves. */
static double share_of_curves(const noe_system *s, double E)
{
    enum { STARTS = 60 };
    int curves = 0;
    for (int k = 0; k < STARTS;) {
        const double y = random_number(), v = random_number();
        quad         wide[4];
        if (y < -0.5 || y > 1 || !start_at(E, y, v, wide) || !start_at(E, y + 1e-6, v, wide))
            continue;
        if (y * y / 2 - y * y * y / 3 > E) continue;
        curves += on_a_curve(s, E, y, v), k++;
    }
    return (double)curves / STARTS;
}

static void test_pictures(void **unused)
{
    (void)unused;
    noe_system  *s = parse(model);
    const double twelfth = share_of_curves(s, 1. / 12), eighth = share_of_curves(s, 1. / 8),
                 sixth = share_of_curves(s, 1. / 6);
    printf("share of curves: %.2f at 1/12, %.2f at 1/8, %.2f at 1/6\n", twelfth, eighth, sixth);
    assert_true(twelfth > 0.9);
    assert_true(eighth > 0.2 && eighth < 0.9);
    assert_true(sixth < 0.25);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_pictures),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
