/* Impacts in wedges, slabs, chains of balls and on surfaces at the start: counts, times, momenta.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event/event_step.h"
#include "laws.h"

enum { MOST = 4000 };

typedef struct {
    int    count, event[MOST];
    double t[MOST];
} record;

static int remember(void *ctx, noe_integrator *at, int event)
{
    record *r = ctx;
    if (r->count == MOST) return 1;
    r->event[r->count] = event, r->t[r->count++] = noe_time(at);
    return 0;
}

static noe_integrator *make(const noe_system *s, const char *name, double h, record *r)
{
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    noe_method_free(m);
    assert_non_null(g);
    r->count = 0;
    g->events->watcher = remember, g->events->ctx = r;
    return g;
}

/* A wedge of angle a: unfolded, the path is a straight line, which crosses the rays at the angles k
 * a. So the number of impacts and their times are known; most of them are in one step, and their
 * intervals shrink before they grow. */
static void test_wedge(void **unused)
{
    (void)unused;
    static record r;
    const double  eps = 0x1p-53;
    for (int i = 0; i < 20; i++) {
        char         text[500];
        const double a = 0.02 * exp(1.5 * (1 + random_number())), /* 0.02 to 0.4 */
            side = a * (0.5 + 0.3 * random_number()), far = 3 + random_number(),
                     near = 0.05 * (1.5 + random_number()); /* distance of the line from the apex */
        /* From (far, side) in polar coordinates so that the line passes at the distance `near`. */
        const double foot = side + acos(near / far), /* the angle of its nearest point */
            vx = -sin(foot), vy = cos(foot), before = far * sin(foot - side);
        snprintf(text, sizeof text,
                 "parameter a = %.17g\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                 "start x = %.17g, y = %.17g, x' = %.17g, y' = %.17g\n"
                 "event low: y = 0 falling then bounce 1\n"
                 "event high: y*cos(a) = x*sin(a) rising then bounce 1\n",
                 a, far * cos(side), far * sin(side), vx, vy);
        noe_system     *s = parse(text);
        noe_integrator *g = make(s, i % 2 ? "gauss 3" : "simpson", 0.5, &r);
        const double    end = before + near * tan(1.2); /* the line is then 1.2 beyond its foot */
        if (noe_run(g, end + 0.5, NULL, NULL)) fail_msg("angle %.3g: %s", a, noe_error());
        int k = 0;
        for (double ray = ceil(side / a) * a; ray < foot + 1.2;
             ray = a * ++k + ceil(side / a) * a) {
            const double bend = 1 / pow(cos(ray - foot), 2);
            if (k >= r.count) fail_msg("angle %.3g: %d impacts", a, r.count);
            assert_int_equal(r.event[k], (k + 1) % 2);
            /* A reflection turns the line by roundings; measured: 0.05 */
            small(r.t[k] - (before + near * tan(ray - foot)), 1,
                  8 * eps * ((k + 4) * far * bend + far), "time of an impact in a wedge");
        }
        small(noe_get(g, "energy") - 0.5, 1, 4 * eps * sqrt(k + 4), "energy in a wedge");
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* A wall with two sides that are nearer than a step: met at the first, once. */
static void test_slab(void **unused)
{
    (void)unused;
    static record   r;
    noe_system     *s = parse("coordinate x\nkinetic x'^2/2\nstart x' = 1\n"
                                  "event slab: (x - 1.01)*(x - 1.02) = 0 then bounce 1\n");
    noe_integrator *g = make(s, "simpson", 0.25, &r);
    assert_int_equal(noe_run(g, 2.5, NULL, NULL), NOE_OK);
    assert_int_equal(r.count, 1);
    small(r.t[0] - 1.01, 1, 1e-14, "time at the slab"); /* (x - a)(x - b): rounding over b - a */
    small(noe_q(g)[0] + 0.48, 1, 1e-14, "position behind it");
    noe_integrator_free(g);
    noe_system_free(s);
}

/* Newton's cradle: balls that touch, or meet at once, hand the momentum on to the last. */
static void test_cradle(void **unused)
{
    (void)unused;
    static record            r;
    static const char *const start[] = { "a = 0, b = 1, c = 1, d = 1, a' = 1",
                                         "a = 0, b = 1, c = 2, d = 3, a' = 1, c' = -1, d' = -2" };
    for (int i = 0; i < 2; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "coordinate a, b, c, d\nkinetic (a'^2 + b'^2 + c'^2 + d'^2)/2\nstart %s\n"
                 "event ab: a = b rising then bounce 1\nevent bc: b = c rising then bounce 1\n"
                 "event cd: c = d rising then bounce 1\n",
                 start[i]);
        noe_system     *s = parse(text);
        noe_integrator *g = make(s, "simpson", 0.3, &r);
        assert_int_equal(noe_run(g, 6, NULL, NULL), NOE_OK);
        const double touching[] = { 0, 0, 0, 1 }, meeting[] = { -2, -1, 0, 1 };
        for (int j = 0; j < 4; j++)
            small(noe_v(g)[j] - (i ? meeting : touching)[j], 1, 8 * 0x1p-53, "velocity of a ball");
        for (int j = 0; j < 3; j++) assert_true(noe_q(g)[j] <= noe_q(g)[j + 1] + 1e-14);
        for (int j = 0; j < 3; j++) assert_true(g->events->tally[j].count >= 1);
        assert_true(i || r.count == 3);
        for (int j = 0; j < 3; j++) { /* each told once, in order */
            assert_true(i || r.event[j] == j);
            small(r.t[j] - 1, 1, 4 * 0x1p-53, "time in the cradle");
        }
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* A start on the surface of an impact: refused where the motion goes through it. */
static void test_start_on_a_surface(void **unused)
{
    (void)unused;
    static const struct {
        const char *start, *event;
        bool        refused;
    } row[] = { { "y = 0, x' = 1", "y = 0 falling", true }, /* it rests, and would sink */
                { "y = 0, y' = -1", "y = 0 falling", true },
                { "y = 0, y' = 1", "y = 0 falling", false },
                { "y = 0, y' = 1", "y = 0 rising", true },
                { "y = 0, y' = -1", "y = 0", false },
                { "y = 1, y' = -1", "y = 0 falling", false } };
    static record r;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential y\nstart %s\n"
                 "event floor: %s then bounce 1\n",
                 row[i].start, row[i].event);
        noe_system     *s = parse(text);
        noe_integrator *g = make(s, "gauss 2", 0.1, &r);
        assert_int_equal(noe_step(g), row[i].refused ? NOE_INVALID : NOE_OK);
        if (row[i].refused)
            assert_non_null(strstr(noe_error(), "is on the surface of the event 'floor'"));
        noe_error_clear();
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* A relativistic particle, |v| < 1, that meets a wall which may move, n.x = w t.  Its momentum
 * along the wall stays, n.v = u becomes u' = w - e (u - w), and so n.p' = u' sqrt((1 + p_t^2)/
 * (1 - u'^2)).  Near |v| = 1 the mass before the impact tells nothing of that after it. */
static void test_fast_particle(void **unused)
{
    (void)unused;
    static record r;
    int           possible = 0, impossible = 0;
    for (int i = 0; i < 200; i++) {
        char         text[500];
        const double a = random_number(), e = i % 3 ? 0.1 + 0.45 * (1 + random_number()) : 1,
                     w = i % 2 ? 0.5 * random_number() : 0,
                     /* |p|, 0.2 to 57, or 100 to 1e4 */
            size = i % 5 == 3 ? exp(6.9 + 2.3 * random_number()) : 3.5 * exp(2.8 * random_number()),
                     across = 0.8 * random_number();
        snprintf(text, sizeof text,
                 "parameter a = %.17g, w = %.17g\ncoordinate x, y\n"
                 "lagrangian -sqrt(1 - x'^2 - y'^2)\n"
                 "start x = cos(a), y = sin(a), p(x) = %.17g, p(y) = %.17g\n"
                 "event wall: x*cos(a) + y*sin(a) = w*t falling then bounce %.17g\n",
                 a, w, -size * cos(a + across), -size * sin(a + across), e);
        noe_system     *s = parse(text);
        noe_integrator *g = make(s, "gauss 2", 0.25, &r);
        const quad      n[2] = { cosq(a), sinq(a) }, px = noe_p(g)[0], py = noe_p(g)[1],
                   along = n[0] * py - n[1] * px, mass = sqrtq(1 + px * px + py * py),
                   u = (n[0] * px + n[1] * py) / mass, after = w - e * (u - w);
        if (u - w > -0.1 || (after > 0.98 && after < 1)) { /* it meets the wall late, if at all */
            noe_integrator_free(g), noe_system_free(s);
            continue;
        }
        const noe_status status = noe_run(g, 12, NULL, NULL);
        if (after >= 1) { /* no momentum has this velocity */
            assert_int_equal(status, NOE_SINGULAR);
            assert_non_null(strstr(noe_error(), "no impulse was found for the event 'wall'"));
            noe_error_clear();
            noe_integrator_free(g), noe_system_free(s);
            impossible++;
            continue;
        }
        if (status) fail_msg("%s\n%s", noe_error(), text);
        possible++;
        assert_int_equal(r.count, 1);
        const quad p = after * sqrtq((1 + along * along) / (1 - after * after)),
                   right[2] = { n[0] * p - n[1] * along, n[1] * p + n[0] * along },
                   full = sqrtq(p * p + along * along) + sqrtq(px * px + py * py);
        for (int j = 0; j < 2; j++)
            small((double)fabsq(noe_p(g)[j] - right[j]), (double)full, 4 * 0x1p-53, text);
        noe_integrator_free(g);
        noe_system_free(s);
    }
    assert_true(possible > 50 && impossible > 0);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wedge),         cmocka_unit_test(test_slab),
        cmocka_unit_test(test_cradle),        cmocka_unit_test(test_start_on_a_surface),
        cmocka_unit_test(test_fast_particle),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
