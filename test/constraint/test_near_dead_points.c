/* Steps close to dead points: those that do not resolve one are told, and no others.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrator.h"
#include "laws.h"
#include "constraint/dead_point_watch.h"

static const char *const BY[] = { "lobatto 1", "simpson", "gauss 3" };

/* A slider-crank with rods of L and L (1 + e), in units of L for lengths and times; from the angle
 * `first` towards the dead point. */
static noe_system *slider_crank(double L, double e, double first, double spin)
{
    char text[900];
    snprintf(text, sizeof text,
             "parameter L = %.17g, e = %.17g, c = %.17g, w = %.17g\ncoordinate x, y, s\n"
             "kinetic (x'^2 + y'^2 + s'^2)/2\nconstraint crank: sqrt(x^2 + y^2) = L\n"
             "constraint rod: sqrt((x - s)^2 + y^2) = L*(1 + e)\n"
             "start x = L*cos(c), y = L*sin(c), s = L*cos(c) + L*sqrt((1 + e)^2 - sin(c)^2)\n"
             "start x' = -w*sin(c), y' = w*cos(c)\n",
             L, e, first, spin);
    return parse(text);
}

static bool told(const noe_integrator *g) { return g->dead_points && !isnan(g->dead_points->t); }

/* Whether the slider is where the crank's pin and its own side of it say, after the dead point. */
static void test_assemblies(void **unused)
{
    (void)unused;
    int other = 0;
    for (int k = 0; k < 60; k++) {
        const double L = pow(10, 3 * random_number()), e = pow(10, -5.5 + 1.5 * random_number()),
                     first = 0.9 + 0.3 * random_number(), spin = 1 + 0.5 * random_number();
        noe_system     *s = slider_crank(L, e, first, spin);
        noe_integrator *g = integrator(s, BY[k % 2], 0.01 * L, 15);
        bool            failed = false;
        for (int i = 0; i < 1000 && !failed && !(noe_q(g)[0] < -0.3 * L); i++)
            failed = noe_step(g) != NOE_OK;
        const double *q = noe_q(g), side = sqrt((1 + e) * (1 + e) - q[1] / L * (q[1] / L));
        if (!failed && fabs(q[2] - q[0] - L * side) > 1e-6 * L) {
            other++;
            if (!told(g)) fail_msg("e = %g, from %g by %g: nothing is told", e, first, spin);
        }
        noe_integrator_free(g), noe_system_free(s);
        noe_error_clear();
    }
    if (other < 1) fail_msg("%d of 60 in the other assembly", other);
}

/* What is told does not depend on the units of coordinates, masses and constraints, nor on parts
 * that stand beside uncoupled. */
static noe_system *in_units(double e, double first, double spin, const double u[6], bool beside)
{
    /* a fast heavy mass, and constraints that always nearly depend on each other */
    static const char others[] = "coordinate z, a1, a2\nkinetic 1e6*z'^2 + a1'^2 + a2'^2\n"
                                 "constraint one: a1 + 1e-4*a2 = 0.3\n"
                                 "constraint two: a1 - 1e-4*a2 = 0.3\n"
                                 "start a1 = 0.3, z' = 1e6\n";
    char              text[1800];
    snprintf(text, sizeof text,
             "parameter e = %.17g, c = %.17g, w = %.17g\n"
             "parameter a = %.17g, b = %.17g, d = %.17g, m = %.17g, f = %.17g, g = %.17g\n"
             "coordinate X, Y, S\nkinetic m*((a*X')^2 + (b*Y')^2 + (d*S')^2)/2\n"
             "constraint crank: f*sqrt((a*X)^2 + (b*Y)^2) = f\n"
             "constraint rod: g*sqrt((a*X - d*S)^2 + (b*Y)^2) = g*(1 + e)\n"
             "start X = cos(c)/a, Y = sin(c)/b, S = (cos(c) + sqrt((1 + e)^2 - sin(c)^2))/d\n"
             "start X' = -w*sin(c)/a, Y' = w*cos(c)/b\n%s",
             e, first, spin, u[0], u[1], u[2], u[3], u[4], u[5], beside ? others : "");
    return parse(text);
}

static void test_units(void **unused)
{
    (void)unused;
    static const double same[6] = { 1, 1, 1, 1, 1, 1 };
    int                 tells = 0;
    for (int k = 0; k < 60; k++) {
        const double e = pow(10, -4 + 0.5 * random_number()), first = 0.9 + 0.3 * random_number(),
                     spin = 1 + 0.5 * random_number();
        double u[6], t[3];
        for (int i = 0; i < 6; i++) u[i] = i == k % 7 ? 1e6 : pow(10, 6 * random_number());
        bool failed[3] = { false };
        for (int other = 0; other < 3; other++) {
            noe_system     *s = in_units(e, first, spin, other == 1 ? u : same, other == 2);
            noe_integrator *g = integrator(s, BY[k % 2], 0.04, 15);
            for (int i = 0; i < 60 && !told(g) && !failed[other]; i++)
                failed[other] = noe_step(g) != NOE_OK;
            t[other] = told(g) ? g->dead_points->t : 0;
            noe_integrator_free(g), noe_system_free(s);
            noe_error_clear();
        }
        tells += t[0] > 0;
        /* A step that fails by its energy does not beside that of a heavy mass. */
        if (t[0] != t[1] || (!failed[0] && t[0] != t[2]))
            fail_msg("e = %g, %g by %g: told at %g, in other units at %g, beside others at %g "
                     "(0: not)",
                     e, first, spin, t[0], t[1], t[2]);
    }
    if (tells < 3) fail_msg("%d of 60 are told", tells);
}

/* Resolved, and through true dead points. */
static void test_no_alarm(void **unused)
{
    (void)unused;
    for (int k = 0; k < 24; k++) {
        const bool   flat = k % 2;
        const double L = pow(10, 3 * random_number()), spin = 1 + 0.5 * random_number(),
                     e = flat ? 0 : pow(10, -4 + random_number()),
                     h = flat ? 0.02 * (1.5 + random_number()) : 0.1 * sqrt(2 * e) / spin;
        noe_system     *s = slider_crank(L, e, flat ? 0.9 : 1.4, spin);
        noe_integrator *g = integrator(s, BY[k % 3], h * L, 15);
        for (int i = 0; i < 4000 && !(noe_q(g)[0] < -0.2 * L); i++)
            if (noe_step(g)) fail_msg("%s", noe_error());
        if (told(g)) fail_msg("e = %g, step %g: told at %g", e, h, g->dead_points->t / L);
        noe_integrator_free(g), noe_system_free(s);
    }
}

/* A parallelogram through its flat poses, with any masses. */
static void test_parallelograms(void **unused)
{
    (void)unused;
    for (int k = 0; k < 20; k++) {
        const double m = pow(10, 3 * random_number()), M = m * pow(10, random_number()),
                     c = 1.5 + random_number(), spin = 1 + 0.5 * random_number(),
                     h = 0.02 * (1.5 + random_number());
        char text[900];
        snprintf(text, sizeof text,
                 "parameter c = %.17g, w = %.17g\ncoordinate x, y, X, Y\n"
                 "kinetic (%.17g*(x'^2 + y'^2) + %.17g*(X'^2 + Y'^2))/2\n"
                 "constraint crank: sqrt(x^2 + y^2) = 1\n"
                 "constraint rocker: sqrt((X - 2)^2 + Y^2) = 1\n"
                 "constraint coupler: sqrt((X - x)^2 + (Y - y)^2) = 2\n"
                 "start x = cos(c), y = sin(c), X = 2 + cos(c), Y = sin(c)\n"
                 "start x' = -w*sin(c), y' = w*cos(c), X' = -w*sin(c), Y' = w*cos(c)\n",
                 c, spin, m, M);
        noe_system     *s = parse(text);
        noe_integrator *g = integrator(s, BY[k % 3], h, 15);
        for (int i = 0; i * h * spin < 20; i++)
            if (noe_step(g)) fail_msg("%s", noe_error());
        if (told(g)) fail_msg("masses %g and %g, step %g: told at %g", m, M, h, g->dead_points->t);
        noe_integrator_free(g), noe_system_free(s);
    }
}

/* A chain of `rods` whose masses depend on the place where `moving`, constraints in units of their
 * own where `scaled`. */
static noe_system *chain(int rods, bool moving, bool scaled)
{
    char text[4000];
    int  at = snprintf(text, sizeof text, "coordinate x[1..%d], y[1..%d]\nkinetic ", rods, rods);
#define ADD(...) at += snprintf(text + at, sizeof text - (size_t)at, __VA_ARGS__)
    for (int i = 1; i <= rods; i++)
        ADD("%s%g*(x[%d]'^2 + y[%d]'^2)%s", i > 1 ? " + " : "", pow(10, random_number()), i, i,
            moving ? "*(1 + 0.1*sin(x[1]))" : "");
    for (int i = 1; i <= rods; i++) {
        const double f = scaled ? pow(10, 4 * random_number()) : 1;
        if (i == 1) ADD("\nconstraint c1: %g*sqrt(x[1]^2 + y[1]^2) = %g", f, f);
        else
            ADD("\nconstraint c%d: %g*sqrt((x[%d] - x[%d])^2 + (y[%d] - y[%d])^2) = %g", i, f, i,
                i - 1, i, i - 1, f);
    }
    double x = 0, y = 0;
    for (int i = 1; i <= rods; i++) {
        const double angle = 2 * random_number();
        x += cos(angle), y += sin(angle);
        ADD("%s x[%d] = %.17g, y[%d] = %.17g, x[%d]' = %g", i > 1 ? "," : "\nstart", i, x, i, y, i,
            random_number());
    }
#undef ADD
    return parse(text);
}

/* det of the cosines between gradients lies between 1/dependence and 1/dependence^m, whatever the
 * order of elimination is. */
static void test_dependence(void **unused)
{
    (void)unused;
    for (int k = 0; k < 80; k++) {
        const int             rods = k % 2 ? 2 : 6 + k % 7;
        const bool            moving = k / 2 % 2, scaled = k / 4 % 2;
        noe_system           *s = chain(rods, moving, scaled);
        noe_integrator       *g = integrator(s, BY[k % 3], 1e-3, k % 5 ? 15 : 33);
        noe_constraint_point *x = noe_constraint_point_new(&s->dyn);
        quad                  t, q[24], v[24], seen = 0, left = 1;
        for (int i = 0; i < 3; i++)
            if (noe_step(g)) fail_msg("%s", noe_error());
        noe_integrator_state_get(g, NOE_AT_T, &t);
        g->engine->get(g->work, NOE_AT_Q, g->member, q);
        g->engine->get(g->work, NOE_AT_V, g->member, v);
        g->engine->get(g->work, NOE_AT_DEPENDENCE, g->member, &seen);
        noe_constraint_point_at(x, t, q, v, 0);
        for (int a = 0; a < rods; a++) left *= x->root[a * rods + a] * x->root[a * rods + a];
        const double most = (double)(1 / left), least = (double)powq(1 / left, (quad)1 / rods),
                     now = (double)seen, rounding = 1e-9;
        /* where rows are exchanged, pivots are no longer parts of the diagonal */
        const double exchanged = scaled ? INFINITY : most;
        if (!(now >= least * (1 - rounding) && now <= exchanged * (1 + rounding))
            || (rods == 2 && !scaled && fabs(now - most) > rounding * most))
            fail_msg("%d rods, %d %d: %g, not %g .. %g", rods, moving, scaled, now, least, most);
        noe_constraint_point_free(x), noe_integrator_free(g), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_assemblies),
                                        cmocka_unit_test(test_units),
                                        cmocka_unit_test(test_no_alarm),
                                        cmocka_unit_test(test_parallelograms),
                                        cmocka_unit_test(test_dependence) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
