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

/* A chain that falls from the horizontal: links of length 1, rigid or of this stiffness. */
static void chain(char *text, int n, const char *links)
{
    snprintf(text, TEXT,
             "parameter n = %d\ncoordinate x[1..n], y[1..n]\n"
             "kinetic sum(i in 1..n) (x[i]'^2 + y[i]'^2)/2\npotential sum(i in 1..n) 9.81*y[i]\n"
             "%s\nstart x[i] = i\n",
             n, links);
}

static noe_integrator *fresh(const noe_system *s, const noe_method *m, double h)
{
    noe_integrator *g = s ? noe_integrator_new(s, m, h) : NULL;
    if (!g || noe_run(g, 20 * h, NULL, NULL)) fprintf(stderr, "%s\n", noe_error()), exit(1);
    return g;
}

/* The two systems in turn: seconds of the first over those of the second. */
static void row(const char *what, const char *beside, const noe_system *a, const noe_system *b,
                double h, int steps, double at_most)
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
        ratio[r] = us[0][r] / us[1][r];
    }
    snprintf(said[0], sizeof *said, "%.3g us", median(us[0], REPEATS));
    snprintf(said[1], sizeof *said, "%s, %.3g us", beside, median(us[1], REPEATS));
    compared(what, said[0], said[1], ratio, REPEATS, at_most);
    noe_method_free(m);
}

int main(void)
{
    static const int links[] = { 10, 30, 100 };
    noe_system      *angles = noe_system_load("systems/double_pendulum.lag"),
               *cartesian = noe_system_parse(rods), *free_body = noe_system_parse(body);
    printf(
        "## What constraints cost\n\nA step of Simpson's method, h = 0.01.  Rods are constraints "
        "between Cartesian coordinates; springs have a stiffness of 10^4.\n\n" COMPARED);
    row("the double pendulum with rods", "in angles", cartesian, angles, 0.01, 20000, 4);
    row("a free body by its quaternion", "the double pendulum in angles", free_body, angles, 0.01,
        20000, 4);
    for (size_t k = 0; k < sizeof links / sizeof *links; k++) {
        char text[TEXT], what[60];
        chain(text, links[k],
              "constraint first: sqrt(x[1]^2 + y[1]^2) = 1\n"
              "constraint rod[i in 2..n]: sqrt((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2) = 1");
        noe_system *rigid = noe_system_parse(text);
        chain(text, links[k],
              "potential 5000*(sqrt(x[1]^2 + y[1]^2) - 1)^2\n"
              "potential sum(i in 2..n) 5000*(sqrt((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2) - 1)^2");
        noe_system *elastic = noe_system_parse(text);
        snprintf(what, sizeof what, "a falling chain of %d rods", links[k]);
        row(what, "of springs", rigid, elastic, 0.01, 20000 / links[k], 3);
        noe_system_free(rigid), noe_system_free(elastic);
    }
    printf("\n");
    noe_system_free(angles), noe_system_free(cartesian), noe_system_free(free_body);
    return 0;
}
