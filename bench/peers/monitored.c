/* Kepler's problem of high eccentricity: steps that follow a monitor beside adaptive libraries.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: monitored [PYTHON]    with heyoka and REBOUND, for eccentric.py
 *        monitored --curves    errors over time, for monitored.gp
 * Errors of the position at t = 100.3 revolutions, a generic phase, against Kepler's equation in
 * long double; GM = a = 1. */
#include "bench.h"
#include "noether.h"
#include "peers.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { REPEATS = 9, SETTINGS = 40 };
static const double TURNS = 100.3, TWO_PI = 6.283185307179586477;

typedef struct {
    double e, T, start[4], end[2];
    int    index; /* of the problem */
} orbit;

static noe_system *system_of(double e, const char *monitor)
{
    char text[500];
    snprintf(text, sizeof text,
             "parameter e = %.17g\ncoordinate x, y\nr = sqrt(x^2 + y^2)\n"
             "kinetic (x'^2 + y'^2)/2\npotential -1/r\n%s\n"
             "start x = 1 - e, y' = sqrt((1 + e)/(1 - e))\n",
             e, monitor);
    return noe_system_parse(text);
}

static orbit orbit_of(double e)
{
    orbit y = { .e = e, .T = TURNS * TWO_PI };
    for (; strcmp(problems[y.index].name, "kepler"); y.index++)
        ;
    noe_system     *s = system_of(e, "monitor r^1.5");
    noe_method     *m = noe_method_parse("simpson");
    noe_integrator *g = noe_integrator_new(s, m, 0.1);
    for (int i = 0; i < 2; i++) y.start[i] = noe_q(g)[i], y.start[2 + i] = noe_p(g)[i];
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    /* The orbit of the rounded start: a, e and its period are not quite those asked for. */
    const long double x = y.start[0], v = y.start[3], a = 1 / (2 / x - v * v), ecc = 1 - x / a;
    const long double M = remainderl((long double)y.T / (a * sqrtl(a)), 2 * acosl(-1));
    long double       u = M;
    for (int k = 0; k < 100; k++) u -= (u - ecc * sinl(u) - M) / (1 - ecc * cosl(u));
    y.end[0] = (double)(a * (cosl(u) - ecc)),
    y.end[1] = (double)(a * sqrtl(1 - ecc * ecc) * sinl(u));
    return y;
}

static double error_of(const orbit *y, const double *q)
{
    const double e = hypot(q[0] - y->end[0], q[1] - y->end[1]);
    return isfinite(e) ? e : INFINITY;
}

/* Seconds to the end; *error is that of the position. */
static double by_peer(const orbit *y, const peer *p, double setting, double *error)
{
    double z[4];
    memcpy(z, y->start, sizeof z);
    const double t = seconds();
    const int    bad = p->solve(y->index, y->T, setting, z);
    *error = bad ? INFINITY : error_of(y, z);
    return seconds() - t;
}

/* The integral of dt/r^1.5 over a revolution, times r^1.5 of the start: one step of so many points
 * a revolution. */
static double step_of(double e, double points)
{
    double sum = 0;
    for (int k = 0; k < 4096; k++) sum += 1 / sqrt(1 - e * cos(TWO_PI * (k + 0.5) / 4096));
    return TWO_PI * sum / 4096 / points * pow(1 - e, 1.5);
}

static double by_noether(const orbit *y, const noe_system *s, const char *method, double step,
                         double *error)
{
    noe_method     *m = noe_method_parse(method);
    noe_integrator *g = noe_integrator_new(s, m, step);
    double          q[2], p[2];
    noe_method_free(m);
    if (g) noe_run(g, 0, NULL, NULL); /* makes what an integrator makes once */
    const double t = seconds();
    *error = INFINITY;
    if (g && !noe_run(g, y->T, NULL, NULL) && !noe_at(g, y->T, q, p)) *error = error_of(y, q);
    const double took = seconds() - t;
    if (isinf(*error)) fprintf(stderr, "%s\n", noe_error() ? noe_error() : "no error");
    noe_error_clear();
    noe_integrator_free(g);
    return took;
}

/* ---- to 1e-11, beside the libraries to 1e-8 ---- */

/* heyoka or IAS15, by eccentric.py: a row of the table. */
static void beside_python(const char *python, const orbit *y, const char *name, const noe_system *s,
                          double step)
{
    char command[700], line[1000], what[100], us[60], they[60];
    snprintf(command, sizeof command,
             "'%s' bench/peers/eccentric.py %s %d %.17g %.17g %.17g %.17g %.17g %.17g %.17g",
             python, name, REPEATS, y->T, y->start[0], y->start[1], y->start[2], y->start[3],
             y->end[0], y->end[1]);
    FILE *const f = popen(command, "r");
    const bool  got = f && fgets(line, sizeof line, f);
    if (f) pclose(f);
    double numbers[2 + REPEATS], ours[REPEATS], ratio[REPEATS], error;
    int    count = 0;
    for (char *at = line, *end; got && count < 2 + REPEATS; at = end, count++) {
        numbers[count] = strtod(at, &end);
        if (end == at) break;
    }
    if (count == 1) printf("| %s | | ends at %.1e at best | | | | |\n", name, numbers[0]);
    if (count < 2 + REPEATS) return;
    for (int r = 0; r < REPEATS; r++) {
        ours[r] = by_noether(y, s, "gauss 8", step, &error);
        ratio[r] = ours[r] / numbers[2 + r];
    }
    snprintf(what, sizeof what, "Kepler e = %g, gauss 8 with monitor to 1e-11 beside %s to 1e-8",
             y->e, name);
    snprintf(us, sizeof us, "%.1f us a revolution", 1e6 * median(ours, REPEATS) / TURNS);
    snprintf(they, sizeof they, "%s %.1f us", name, 1e6 * median(numbers + 2, REPEATS) / TURNS);
    compared(what, us, they, ratio, REPEATS, 1);
}

static void beside_libraries(double e, const char *python)
{
    const orbit              y = orbit_of(e);
    static const char *const names[] = { "GSL rk8pd", "odeint fehlberg78", "odeint bulirsch_stoer",
                                         "CVODE Adams" };
    static const peer *const libraries[] = { gsl, odeint, sundials };
    noe_system *const        s = system_of(e, "monitor r^1.5");
    double error = INFINITY, points = 0, quickest = INFINITY, ours[REPEATS], theirs[REPEATS],
           ratio[REPEATS];
    const peer *best = NULL;
    double      setting = 0, least = INFINITY;
    for (double tried = 8; tried <= 40; tried++) { /* the fastest that reaches it */
        double took = INFINITY, found;
        for (int r = 0; r < 3; r++)
            took = fmin(took, by_noether(&y, s, "gauss 8", step_of(e, tried), &found));
        if (found <= 1e-11 && took < quickest) quickest = took, points = tried, error = found;
    }
    printf("e = %g: gauss 8 with `monitor r^1.5`, %.0f points a revolution: %.1e after %.1f "
           "revolutions.\n",
           e, points, error, TURNS);
    if (!points) {
        printf("It does not reach 1e-11.\n");
        noe_system_free(s);
        return;
    }
    for (size_t l = 0; l < sizeof libraries / sizeof *libraries; l++)
        for (const peer *p = libraries[l]; p->name; p++) {
            bool wanted = false;
            for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                wanted |= !strcmp(p->name, names[i]);
            double x = p->first, best_error = INFINITY;
            for (int k = 0; wanted && k < SETTINGS && x > 1e-16; k++, x *= p->factor) {
                const double took = by_peer(&y, p, x, &error);
                best_error = fmin(best_error, error);
                if (error > 1e-8) continue;
                if (took < least) least = took, best = p, setting = x;
                break;
            }
            if (wanted && best_error > 1e-8)
                printf("%s ends at %.1e at best.\n", p->name, best_error);
        }
    if (!best) {
        printf("No library reaches 1e-8.\n");
        noe_system_free(s);
        return;
    }
    for (int r = 0; r < REPEATS; r++) {
        double other;
        ours[r] = by_noether(&y, s, "gauss 8", step_of(e, points), &error);
        theirs[r] = by_peer(&y, best, setting, &other);
        ratio[r] = ours[r] / theirs[r];
    }
    char what[100], us[100], they[100];
    snprintf(what, sizeof what, "Kepler e = %g, gauss 8 with monitor to 1e-11 beside 1e-8", e);
    snprintf(us, sizeof us, "%.1f us a revolution", 1e6 * median(ours, REPEATS) / TURNS);
    snprintf(they, sizeof they, "%s %.1f us", best->name, 1e6 * median(theirs, REPEATS) / TURNS);
    printf("\n" COMPARED);
    compared(what, us, they, ratio, REPEATS, 1. / 3);
    for (int k = 0; python && k < 2; k++)
        beside_python(python, &y, k ? "IAS15" : "heyoka", s, step_of(e, points));
    printf("\n");
    noe_system_free(s);
}

/* ---- a step with and without ---- */

static double a_step(const noe_system *s, double h, int steps)
{
    noe_method     *m = noe_method_parse("gauss 8");
    noe_integrator *g = noe_integrator_new(s, m, h);
    noe_method_free(m);
    const double t = seconds();
    for (int k = 0; g && k < steps; k++)
        if (noe_step(g)) fprintf(stderr, "%s\n", noe_error());
    const double took = seconds() - t;
    noe_integrator_free(g);
    return took / steps;
}

/* Equal shares of a revolution of a circle without, of an eccentric orbit with the monitor. */
static void beside_a_plain_step(double e, int points)
{
    enum { STEPS = 20000 };
    noe_system *const with = system_of(e, "monitor r^1.5"), *const without = system_of(0, "");
    double ours[REPEATS], theirs[REPEATS], ratio[REPEATS];
    char   what[120], us[60], they[60];
    for (int r = 0; r < REPEATS; r++) {
        ours[r] = a_step(with, step_of(e, points), STEPS);
        theirs[r] = a_step(without, TWO_PI / points, STEPS);
        ratio[r] = ours[r] / theirs[r];
    }
    snprintf(what, sizeof what,
             "a step of gauss 8, %d a revolution, e = %g with monitor beside e = 0 without", points,
             e);
    snprintf(us, sizeof us, "%.0f ns", 1e9 * median(ours, REPEATS));
    snprintf(they, sizeof they, "%.0f ns", 1e9 * median(theirs, REPEATS));
    compared(what, us, they, ratio, REPEATS, 2.5);
    noe_system_free(with), noe_system_free(without);
}

/* ---- Simpson's method, and the energy for long ---- */

/* Steps of equal length that take as long as `points` steps with the monitor. */
static void simpson_beside_fixed(double e, int points)
{
    const orbit       y = orbit_of(e);
    noe_system *const with = system_of(e, "monitor r^1.5"), *const without = system_of(e, "");
    double ours, theirs, steps = points;
    double took = by_noether(&y, with, "simpson", step_of(e, points), &ours), other = 0;
    for (int k = 0; k < 6; k++) { /* as many as take the same time */
        other = by_noether(&y, without, "simpson", TWO_PI / steps, &theirs);
        steps = fmax(points, steps * took / other);
        took = fmin(took, by_noether(&y, with, "simpson", step_of(e, points), &ours));
    }
    printf("Simpson's method at equal cost, e = %g: %d points a revolution with the monitor end at "
           "%.1e, %.0f equal steps at %.1e (%.2f of the time).\n",
           e, points, ours, steps, theirs, other / took);
    noe_system_free(with), noe_system_free(without);
}

/* With a whole number of points a revolution every revolution has the same phases, and roundings of
 * one sign add up. */
static void energy_for_long(double e, double points)
{
    enum { TURNS_MOST = 10000, PARTS = 10 };
    noe_system *const s = system_of(e, "monitor r^1.5");
    noe_method       *m = noe_method_parse("gauss 8");
    noe_integrator   *g = noe_integrator_new(s, m, step_of(e, points));
    const double      H = noe_get(g, "energy");
    double            worst = 0, sum[2] = { 0 }, mean[PARTS] = { 0 };
    for (int part = 0; part < PARTS; part++)
        for (int k = 0; k < (int)(TURNS_MOST / PARTS * points) && !noe_step(g); k++) {
            const double error = (noe_get(g, "energy") - H) / fabs(H);
            worst = fmax(worst, fabs(error));
            mean[part] += error / (TURNS_MOST / PARTS * points);
        }
    for (int part = 0; part < PARTS; part++) {
        const double x = part - (PARTS - 1) / 2.;
        sum[0] += x * mean[part], sum[1] += x * x;
    }
    printf(
        "The energy over %d revolutions at e = %g, gauss 8, %g points a revolution: relative "
        "error at most %.1e (asked for: 1e-11), slope of its mean %.1e a thousand revolutions.\n",
        TURNS_MOST, e, points, worst, sum[0] / sum[1]);
    noe_method_free(m), noe_integrator_free(g), noe_system_free(s);
}

/* ---- error over time, for monitored.gp: curve,microseconds a revolution,error ---- */

static void print_point(const char *curve, const double *took, double error)
{
    double sorted[REPEATS];
    memcpy(sorted, took, sizeof sorted);
    if (error < 1) printf("%s,%.6g,%.6g\n", curve, 1e6 * median(sorted, REPEATS) / TURNS, error);
}

/* Steps of from `points` a revolution on, each time sqrt(2) times as many. */
static void curve_of_noether(const orbit *y, const char *curve, const char *monitor,
                             const char *method, double points, int count)
{
    noe_system *const s = system_of(y->e, monitor);
    double            took[REPEATS], error = 0;
    for (int k = 0; k < count; k++, points *= sqrt(2)) {
        const double step = *monitor ? step_of(y->e, points) : TWO_PI / points;
        for (int r = 0; r < REPEATS; r++) took[r] = by_noether(y, s, method, step, &error);
        print_point(curve, took, error);
    }
    noe_system_free(s);
}

static void curve_of_library(const orbit *y, const peer *library, const char *name)
{
    double took[REPEATS], error = 0;
    for (const peer *p = library; p->name; p++) {
        if (strcmp(p->name, name)) continue;
        double x = p->first;
        for (int k = 0; k < SETTINGS && x > 1e-16; k++, x *= p->factor) {
            for (int r = 0; r < REPEATS; r++) took[r] = by_peer(y, p, x, &error);
            print_point(name, took, error);
        }
    }
}

static void curves(double e)
{
    const orbit y = orbit_of(e);
    curve_of_noether(&y, "simpson with monitor", "monitor r^1.5", "simpson", 50, 14);
    curve_of_noether(&y, "simpson equal steps", "", "simpson", 2000, 10);
    curve_of_noether(&y, "gauss 8 with monitor", "monitor r^1.5", "gauss 8", 7, 8);
    curve_of_noether(&y, "gauss 8 reversible", "monitor r^1.5 reversible", "gauss 8", 8, 8);
    curve_of_noether(&y, "gauss 8 equal steps", "", "gauss 8", 60, 10);
    curve_of_library(&y, odeint, "odeint bulirsch_stoer");
    curve_of_library(&y, gsl, "GSL rk8pd");
}

int main(int count, char **argument)
{
    if (count > 1 && !strcmp(argument[1], "--curves")) return curves(0.9), 0;
    printf("## Steps that follow a monitor\n\nKepler's problem, position at t = %g revolutions. Of "
           "the libraries the fastest that reaches 1e-8 stands beside noether, which is asked for "
           "1e-11.\n\n",
           TURNS);
    const char *const python = count > 1 ? argument[1] : NULL;
    beside_libraries(0.9, python), beside_libraries(0.99, python);
    printf(COMPARED);
    beside_a_plain_step(0.9, 20), beside_a_plain_step(0.99, 32);
    printf("\n");
    simpson_beside_fixed(0.9, 100), simpson_beside_fixed(0.9, 400);
    printf("\n");
    energy_for_long(0.9, 20.37), energy_for_long(0.9, 20);
    return 0;
}
