/* nanoseconds a site and step, from text: chains, rings, lattices, bodies that all act on each other.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

#include "noether.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { REPEATS = 7 };

/* What two threads save is seen on the wall's clock alone. */
static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void row(const char *what, const char *who, double *x, int count, const char *unit, double bar, bool least)
{
    const double middle = median(x, count);
    printf("| %-42s | %-9s | %8.4g %s | %.4g .. %.4g |", what, who, middle, unit, x[0], x[count - 1]);
    if (bar > 0) printf(" %s%g %s | %s |\n", least ? "at least " : "", bar, unit, (least ? middle >= bar : middle <= bar) ? "met" : "not met");
    else printf(" | |\n");
    fflush(stdout);
}

static noe_integrator *made(noe_system *s, const char *method, double step, int threads)
{
    noe_method     *m = noe_method_parse(method);
    noe_integrator *g = noe_integrator_new(s, m, step);
    noe_set(g, "threads", threads);
    for (int i = 0; i < 2; i++) noe_step(g);
    if (noe_error()) fprintf(stderr, "%s\n", noe_error()), exit(1);
    noe_method_free(m);
    return g;
}

static double spent(noe_integrator *g, int steps, double (*clock)(void))
{
    const double t = clock();
    for (int i = 0; i < steps; i++)
        if (noe_step(g)) fprintf(stderr, "%s\n", noe_error()), exit(1);
    return (clock() - t) / steps;
}

/* FPUT in many modes at once: the iteration of a step has work to do. */
static noe_system *fput(double N)
{
    noe_system *s = noe_system_load("systems/fput_alpha.lag"), *a = noe_system_with(s, "N", N),
               *b = noe_system_let(a, "x[i] = 0.5*sin(0.3*i) + 0.3*sin(1.1*i) + 0.2*sin(2.3*i)");
    noe_system_free(s), noe_system_free(a);
    return b;
}

static void growth(void)
{
    double at[4], x[REPEATS];
    for (int k = 0; k < 4; k++) {
        const double    N = pow(10, 4 + k);
        noe_system     *s = fput(N);
        noe_integrator *g = made(s, "simpson", 0.1, 1);
        char            what[60];
        for (int i = 0; i < REPEATS; i++) x[i] = 1e9 / N * spent(g, k < 3 ? 3000000 / (int)N + 3 : 2, seconds);
        snprintf(what, sizeof what, "FPUT, 10^%d sites: a site and step", 4 + k);
        row(what, "simpson", x, REPEATS, "ns", k == 2 ? 15 : 0, false);
        at[k] = median(x, REPEATS);
        if (k == 2) printf("| FPUT: iterations of such a step | simpson | %.3g | | | |\n", noe_get(g, "iterations") / noe_get(g, "steps"));
        noe_integrator_free(g);
        noe_system_free(s);
    }
    double most = at[0], least = at[0];
    for (int k = 1; k < 4; k++) most = fmax(most, at[k]), least = fmin(least, at[k]);
    most /= least;
    row("FPUT: dearest site over cheapest, 10^4 .. 10^7", "simpson", &most, 1, "", 1.5, false);
}

static double resident(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return 1024. * (double)u.ru_maxrss;
}

static void text_to_step(void)
{
    static const struct {
        const char *file, *size, *what;
        double      N;
    } run[] = { { "systems/toda.lag", "N", "Toda, 200 sites: text to first step", 200 },
                { "systems/fput_alpha.lag", "N", "FPUT, 10^6 sites: text to first step", 1e6 } };
    for (int k = 0; k < 2; k++) {
        double x[REPEATS], before = resident();
        for (int i = 0; i < REPEATS; i++) {
            const double    t = seconds();
            noe_system     *s = noe_system_load(run[k].file), *a = noe_system_with(s, run[k].size, run[k].N);
            noe_integrator *g = made(a, "simpson", 0.1, 1);
            x[i] = 1e3 * (seconds() - t);
            noe_integrator_free(g);
            noe_system_free(s), noe_system_free(a);
        }
        row(run[k].what, "simpson", x, REPEATS, "ms", 100, false);
        double each = (resident() - before) / run[k].N;
        if (k == 1) row("FPUT, 10^6 sites: memory a site", "simpson", &each, 1, "bytes", 200, false);
    }
}

/* Two threads against one, in turn; the states must be the same to the bit. */
static void threads(const char *what, const char *text, const char *method, double step, int steps)
{
    noe_system     *s = text ? noe_system_parse(text) : fput(1e6);
    noe_integrator *one = made(s, method, step, 1), *two = made(s, method, step, 2);
    double          x[REPEATS], each[REPEATS];
    char            name[60];
    for (int i = 0; i < REPEATS; i++) {
        const double a = spent(one, steps, wall), b = spent(two, steps, wall);
        x[i] = a / b, each[i] = 1e9 * a / noe_system_dim(s);
    }
    const size_t n = (size_t)noe_system_dim(s) * sizeof(double);
    const bool   same = !memcmp(noe_q(one), noe_q(two), n) && !memcmp(noe_p(one), noe_p(two), n);
    snprintf(name, sizeof name, "%s: a coordinate and step", what);
    row(name, method, each, REPEATS, "ns", 0, false);
    snprintf(name, sizeof name, "%s: two threads%s", what, same ? ", same bits" : ": OTHER BITS");
    row(name, method, x, REPEATS, "times", 1.7, true);
    noe_integrator_free(one), noe_integrator_free(two);
    noe_system_free(s);
}

int main(void)
{
    printf("\n## Many coordinates\n\nProcessor time of one thread, but where two are compared with one: that is the wall's, and says nothing on a busy machine.\n\n"
           "| what | who | measured | spread of %d | bar | |\n|---|---|---|---|---|---|\n", REPEATS);
    text_to_step();
    growth();
    threads("FPUT, 10^6 sites", NULL, "simpson", 0.1, 3);
    threads("sine-Gordon, ring of 10^6",
            "parameter N = 1000000, k = 4\ncoordinate u[0..N-1]\nkinetic sum(i in 0..N-1) u[i]'^2/2\n"
            "potential sum(i in 0..N-1) (k/2*(u[(i+1) mod N] - u[i])^2 + 1 - cos(u[i]))\nstart u[i] = sin(0.3*i) + sin(2.3*i)", "simpson", 0.1, 2);
    threads("Toda, ring of 10^5",
            "parameter N = 100000\ncoordinate q[0..N-1]\nkinetic sum(i in 0..N-1) q[i]'^2/2\n"
            "potential sum(i in 0..N-1) exp(q[i] - q[(i+1) mod N])\nstart q[i] = sin(0.3*i) + sin(2.3*i)", "simpson", 0.1, 20);
    threads("lattice, 1000 x 1000",
            "parameter N = 1000\ncoordinate u[0..N*N-1]\nkinetic sum(e in 0..N*N-1) u[e]'^2/2\n"
            "potential sum(i in 0..N-1, j in 0..N-2) ((u[i*N+j+1] - u[i*N+j])^2/2 + (u[i*N+j+1] - u[i*N+j])^4/4)\n"
            "potential sum(e in 0..N*N-N-1) ((u[e+N] - u[e])^2/2 + (u[e+N] - u[e])^4/4)\nstart u[i] = sin(0.3*i) + sin(2.3*i)/2", "simpson", 0.1, 2);
    threads("Lennard-Jones, 512 atoms",
            "parameter N = 512\ncoordinate x[0..N-1], y[0..N-1], z[0..N-1]\n"
            "parameter Z[i in 0..N-1] = (2*i + 1)/N - 1, r[i in 0..N-1] = 6*(1 + i/N)\n"
            "kinetic sum(i in 0..N-1) (x[i]'^2 + y[i]'^2 + z[i]'^2)/2\n"
            "potential sum(i in 0..N-1, j in i+1..N-1) 4*(((x[i]-x[j])^2 + (y[i]-y[j])^2 + (z[i]-z[j])^2)^-6"
            " - ((x[i]-x[j])^2 + (y[i]-y[j])^2 + (z[i]-z[j])^2)^-3)\n"
            "start x[i] = r[i]*cos(2.4*i)*sqrt(1 - Z[i]^2), y[i] = r[i]*sin(2.4*i)*sqrt(1 - Z[i]^2), z[i] = r[i]*Z[i]", "simpson", 0.002, 2);
    return 0;
}
