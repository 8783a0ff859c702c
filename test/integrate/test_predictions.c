/* A prediction costs or saves iterations, and changes nothing else; a start without a scale.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"

/* ---- predictions ---- */

enum { WILD_TIMES_THREE, WILD_BACKWARDS, WILD_NAN, WILDS };
enum { PAST = 16, LANES = 8 }; /* of step/engine_state.h and number/real.h */

/* Spoils what the predictor knows of a member: everything from the past polynomials up to the
 * state. */
static void spoil_prediction(const noe_engine *engine, void *work, const noe_method *m,
                             const noe_system *s, int member, int how)
{
    const int n = s->dyn.n;
    /* its forces are continued, step/nystrom_iteration.h */
    const bool natural = s->dyn.natural && n <= 3 && m->r == m->s;
    size_t     bytes;
    double    *memory = engine->memory(work, &bytes);
    const int  wide = engine->members > 1 ? 1 : LANES, row = (n * m->s + wide - 1) / wide * wide,
              nodes = (m->r + wide - 1) / wide * wide;
    const bool   rings = m->s < 4;
    const size_t from = rings ? (size_t)row : 0,
                 to = rings ? (size_t)row * (1 + PAST + (m->s == 2 ? 2 : 0))
                            : (size_t)row + (natural ? (size_t)(n * nodes) : 0);
    assert_true(to * (size_t)engine->members * sizeof *memory < bytes);
    for (size_t k = from; k < to; k++) {
        double *x = &memory[k * (size_t)engine->members + (size_t)member];
        *x = how == WILD_NAN ? NAN : how == WILD_BACKWARDS ? -*x : 3 * *x;
    }
}

/* Steps after which one prediction is spoiled: the state, and that of every other member, stays
 * what it would have been. */
static void test_wild_predictions(void **unused)
{
    (void)unused;
    static const char *const name[] = { "simpson",   "midpoint", "gauss 2", "gauss 3",
                                        "lobatto 3", "gauss 6",  "gauss 8" };
    static const char *const path[] = { "systems/double_pendulum.lag", "systems/henon_heiles.lag",
                                        "systems/pendulum.lag", "systems/kepler.lag",
                                        "systems/lagrange_top.lag" };
    int                      more = 0;
    for (size_t p = 0; p < sizeof path / sizeof *path; p++)
        for (size_t i = 0; i < sizeof name / sizeof *name; i++)
            for (int how = 0; how < WILDS; how++)
                for (int lanes = 0; lanes < 2; lanes++) {
                    const noe_engine *engine = lanes ? noe_engine_lanes() : noe_engine_double();
                    noe_system       *s = load(path[p]);
                    noe_method       *m = method(name[i]);
                    const point       x = random_point(s);
                    const quad        h = suggested_step(s) / 2;
                    run               r = make_run(engine, s, m, h), w = make_run(engine, s, m, h);
                    const int         member = lanes ? 3 : 0;
                    start_run(r, &x, true), start_run(w, &x, true);
                    for (int k = 0; k < 20; k++) step_run(r), step_run(w);
                    spoil_prediction(engine, w.work, m, s, member, how);
                    const quad before = get_solver(w, member, NOE_SOLVER_ITERATIONS),
                               plain = get_solver(r, member, NOE_SOLVER_ITERATIONS);
                    step_run(r), step_run(w);
                    more += get_solver(w, member, NOE_SOLVER_ITERATIONS) - before
                          > get_solver(r, member, NOE_SOLVER_ITERATIONS) - plain;
                    const quad scale = momentum_scale(&s->dyn, &x);
                    char       what[100];
                    snprintf(what, sizeof what, "%s, %s, %s", path[p], name[i],
                             how == WILD_NAN         ? "nan"
                             : how == WILD_BACKWARDS ? "-1"
                                                     : "3");
                    for (int k = 0; k < engine->members; k++) {
                        const point a = get_point(r, k), b = get_point(w, k);
                        for (int j = 0; j < s->dyn.n; j++) {
                            const quad size = fabsq(a.q[j]) + fabsq(h * x.v[j]) + 1e-3;
                            if (k != member) assert_true(a.q[j] == b.q[j] && a.p[j] == b.p[j]);
                            small(a.q[j] - b.q[j], size, 2e-14, what);
                            small(a.p[j] - b.p[j], scale, 2e-14, what);
                        }
                        small(w.engine->guard->jump(w.work, k).size
                                  - r.engine->guard->jump(r.work, k).size,
                              1, 1e-9, "local error");
                    }
                    engine->drop(r.work), engine->drop(w.work);
                    noe_method_free(m), noe_system_free(s);
                }
    printf("%d of the spoiled predictions cost iterations; tightest bound %.2g\n", more, tightest);
    assert_true(more > 60);
}

/* ---- starts without a scale ---- */

/* At rest, at equilibria, at turning points, without a force in some coordinate: every method
 * begins. */
static void test_starts_without_a_scale(void **unused)
{
    (void)unused;
    static const char *const        couple[] = { "cos(a)", "cos(a - b)", "sin(b)", "a*b/10", "0" },
                             *const field[] = { "a",       "b",         "a^2",
                                                "b^4",     "cos(a)",    "0 - cos(b)",
                                                "a^2*b^2", "(a - b)^2", "0" },
                             *const place[] = { "0", "pi/2", "pi", "0 - pi/2", "1" };
    static const char *const name[] = { "simpson",           "midpoint",  "gauss 2", "gauss 3",
                                        "lobatto 1",         "lobatto 3", "gauss 6", "gauss 8",
                                        "compose 6 simpson", "rk4" };
#define ANY(list) \
    list[(size_t)(fabs((double)random_number()) * 0.999 * (sizeof list / sizeof *list))]
    for (int k = 0; k < 1000; k++) {
        char text[700];
        snprintf(text, sizeof text,
                 "coordinate a, b, c\nkinetic (a'^2 + b'^2 + c'^2)/2 + %s*a'*b'/2 + %s*b'*c'/3\n"
                 "potential %s + %s\nstart a = %s, b = %s, %s = %s\n",
                 ANY(couple), ANY(couple), ANY(field), ANY(field), ANY(place), ANY(place),
                 random_number() > 0 ? "c" : "c'", ANY(place));
        noe_system     *s = parse(text);
        const char     *which = name[k % 10];
        noe_method     *m = method(which);
        noe_integrator *g = noe_integrator_new(s, m, 0.01);
        for (int i = 0; i < 4; i++)
            if (noe_step(g)) fail_msg("%s of\n%s%s", which, text, noe_error());
        noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wild_predictions),
        cmocka_unit_test(test_starts_without_a_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
