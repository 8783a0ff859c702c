/* what constraints cost: a step in Cartesian coordinates beside one in angles, rods beside springs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include "noether.h"

enum { REPEATS = 9, TEXT = 2000 };

static const char rods[] =
    "parameter g = 9.81, l = g/(2*pi)^2\ncoordinate x, y, u, w\n"
    "kinetic (x'^2 + y'^2 + u'^2 + w'^2)/2\npotential g*(y + w)\n"
    "constraint upper: sqrt(x^2 + y^2) = l\nconstraint lower: sqrt((u - x)^2 + (w - y)^2) = l\n"
    "start x = l, u = 2*l\n";
static const char body[] = "body wing: mass = 0.1, inertia = (1e-4, 2e-4, 2.8e-4)\n"
                           "start wing.omega = (0.01, 10, 0.01), wing.r' = (0, 0, 0.5)\n";

/* A chain that swings from 0.5 rad: links of length 1, rigid or of this stiffness. */
static void chain(char *text, int n, const char *links)
{
    snprintf(text, TEXT,
             "parameter n = %d\ncoordinate x[1..n], y[1..n]\n"
             "kinetic sum(i in 1..n) (x[i]'^2 + y[i]'^2)/2\npotential sum(i in 1..n) 9.81*y[i]\n"
             "%s\nstart x[i] = i*sin(0.5), y[i] = -i*cos(0.5)\n",
             n, links);
}

/* Bodies hung on one another by spherical joints, at rest in a horizontal line. */
static noe_system *body_chain(int n)
{
    static char text[40000];
    char       *to = text;
    for (int i = 1; i <= n; i++) {
        to += sprintf(to,
                      "body b%d: mass = 0.1, inertia = (1e-4, 1.5e-4, 2e-4)\n"
                      "point up%d on b%d = (-0.1, 0, 0)\npoint down%d on b%d = (0.1, 0, 0)\n"
                      "potential 0.981*b%d.r.z\nstart b%d.r = (%g, 0, 0)\n",
                      i, i, i, i, i, i, i, (2 * i - 1) * 0.1);
        if (i > 1) to += sprintf(to, "constraint joint%d: up%d = down%d\n", i, i, i - 1);
        else to += sprintf(to, "constraint joint1: up1 = (0, 0, 0)\n");
    }
    return noe_system_parse(text);
}

/* A run with its first 20 steps made. */
static noe_integrator *fresh(const noe_system *s, const noe_method *m, double h)
{
    noe_integrator *g = s ? noe_integrator_new(s, m, h) : NULL;
    if (!g || noe_run(g, 20 * h, NULL, NULL)) fprintf(stderr, "%s\n", noe_error()), exit(1);
    return g;
}

/* The two systems in turn: seconds of the first over so many times those of the second. */
static void row(const char *what, const char *beside, const noe_system *a, const noe_system *b,
                double times, double h, int steps, double at_most)
{
    noe_method *m = noe_method_parse("simpson");
    double      ratio[REPEATS], us[2][REPEATS];
    char        said[2][80];
    for (int r = 0; r < REPEATS; r++) {
        for (int i = 0; i < 2; i++) {
            noe_integrator *g = fresh(i ? b : a, m, h);
            const double    before = seconds();
            for (int k = 0; k < steps; k++)
                if (noe_step(g)) fprintf(stderr, "%s\n", noe_error()), exit(1);
            us[i][r] = 1e6 * (seconds() - before) / steps;
            noe_integrator_free(g);
        }
        ratio[r] = us[0][r] / (times * us[1][r]);
    }
    snprintf(said[0], sizeof *said, "%.3g us", median(us[0], REPEATS));
    snprintf(said[1], sizeof *said, "%s, %.3g us", beside, median(us[1], REPEATS));
    compared(what, said[0], said[1], ratio, REPEATS, at_most);
    noe_method_free(m);
}

enum { CHAIN_STEPS = 200 };
typedef struct {
    double us, iterations, matrices; /* a step */
} cost;

/* A step of gauss 2, in the mean of the first CHAIN_STEPS after 20. */
static cost of_chain(const noe_system *s, const noe_method *m, double solver)
{
    noe_integrator *g = s ? noe_integrator_new(s, m, 0.01) : NULL;
    if (!g || (solver > 0 && noe_set(g, "solver", solver)) || noe_run(g, 0.2, NULL, NULL))
        fprintf(stderr, "%s\n", noe_error()), exit(1);
    const double iterations = noe_get(g, "iterations"), matrices = noe_get(g, "refreshes"),
                 before = seconds();
    for (int k = 0; k < CHAIN_STEPS; k++)
        if (noe_step(g)) fprintf(stderr, "%s\n", noe_error()), exit(1);
    const cost x = { 1e6 * (seconds() - before) / CHAIN_STEPS,
                     (noe_get(g, "iterations") - iterations) / CHAIN_STEPS,
                     (noe_get(g, "refreshes") - matrices) / CHAIN_STEPS };
    noe_integrator_free(g);
    return x;
}

/* A chain of rods beside one of springs: a step of each, and a step of the springs with as many
 * iterations and matrices of Newton's method as the rods take.  What either costs follows from two
 * runs of the springs, with few matrices and with one in every iteration. */
static void chains(int links)
{
    char   text[TEXT], what[100], said[2][100];
    double step[REPEATS], equal[REPEATS];
    cost   rigid = { 0 }, few = { 0 };
    double us = 0;
    chain(text, links,
          "constraint first: sqrt(x[1]^2 + y[1]^2) = 1\n"
          "constraint rod[i in 2..n]: sqrt((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2) = 1");
    noe_system *rods_of = noe_system_parse(text);
    chain(text, links,
          "potential 5e5*(sqrt(x[1]^2 + y[1]^2) - 1)^2\n"
          "potential sum(i in 2..n) 5e5*(sqrt((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2) - 1)^2");
    noe_system *springs = noe_system_parse(text);
    noe_method *m = noe_method_parse("gauss 2");
    for (int r = 0; r < REPEATS; r++) {
        rigid = of_chain(rods_of, m, 0), few = of_chain(springs, m, 2);
        const cost   many = of_chain(springs, m, 3);
        const double determinant = few.iterations * many.matrices - few.matrices * many.iterations,
                     iteration = (few.us * many.matrices - many.us * few.matrices) / determinant,
                     matrix = (many.us * few.iterations - few.us * many.iterations) / determinant;
        us = rigid.iterations * iteration + rigid.matrices * matrix;
        step[r] = rigid.us / few.us, equal[r] = rigid.us / us;
    }
    snprintf(what, sizeof what, "a swinging chain of %d rods", links);
    snprintf(said[0], sizeof *said, "%.3g us, %.3g iterations, %.3g matrices", rigid.us,
             rigid.iterations, rigid.matrices);
    snprintf(said[1], sizeof *said, "of stiff springs, %.3g us, %.3g iterations, %.3g matrices",
             few.us, few.iterations, few.matrices);
    compared(what, said[0], said[1], step, REPEATS, 3);
    snprintf(said[1], sizeof *said, "with as many iterations and matrices, %.3g us", us);
    compared(what, said[0], said[1], equal, REPEATS, 3);
    noe_system_free(rods_of), noe_system_free(springs), noe_method_free(m);
}

int main(void)
{
    noe_system *angles = noe_system_load("systems/double_pendulum.lag"),
               *cartesian = noe_system_parse(rods), *free_body = noe_system_parse(body);
    printf(
        "## What constraints cost\n\nA step with h = 0.01: of Simpson's method, of chains of "
        "rods by gauss 2, both by Newton's method.  Rods are constraints between Cartesian "
        "coordinates; springs have a stiffness of 10^6, and the fastest turns by 20 radians in a "
        "step.  A chain of springs takes more iterations than one of rods: the second row of a "
        "chain is beside springs with as many.\n\n" COMPARED);
    row("the double pendulum with rods", "in angles", cartesian, angles, 1, 0.01, 20000, 4);
    row("a free body by its quaternion", "the double pendulum in angles", free_body, angles, 1,
        0.01, 20000, 4);
    chains(10), chains(30), chains(100), chains(1000);
    noe_system *few = body_chain(10), *many = body_chain(80);
    row("a chain of 80 bodies, a body", "of 10 bodies", many, few, 8, 0.002, 100, 2);
    printf("\n");
    noe_system_free(few), noe_system_free(many), noe_system_free(angles),
        noe_system_free(cartesian), noe_system_free(free_body);
    return 0;
}
