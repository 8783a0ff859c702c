/* work against precision: the error after 100 periods and the time it took, of noether and of its peers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "noether.h"
#include "peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5, SETTINGS = 32, SERIES = 20, PERIODS = 100 };
static const double LONGEST = 0.03; /* s of the processor: finer settings of a series that is slower are not tried */

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int ascending(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }

typedef struct {
    int    index, n;
    double T, start[MOST], end[MOST];
    noe_system *system;
} task;

typedef struct { double setting, error, t[REPEATS]; } point;
typedef struct {
    const char *name;
    const peer *peer; /* NULL: noether's method of that name */
    double      first, factor;
    int         steps, points;
    point       point[SETTINGS];
} series;

static int solve(const series *s, const task *k, double setting, double *y)
{
    memcpy(y, k->start, sizeof k->start);
    if (s->peer) return s->peer->solve(k->index, k->T, setting, y);
    noe_method     *m = noe_method_parse(s->name);
    noe_integrator *g = noe_integrator_new(k->system, m, k->T / setting);
    const int       bad = noe_run(g, k->T, NULL, NULL) != NOE_OK;
    if (!bad) memcpy(y, noe_q(g), (size_t)k->n * sizeof *y);
    noe_integrator_free(g);
    noe_method_free(m);
    noe_error_clear();
    return bad;
}

static int once(const series *s, const task *k, point *p, int repeat)
{
    double       y[MOST], e = 0;
    const double t = now(CLOCK_MONOTONIC);
    if (solve(s, k, p->setting, y)) return 1;
    p->t[repeat] = now(CLOCK_MONOTONIC) - t;
    for (int i = 0; i < k->n; i++) e = fmax(e, fabs(y[i] - k->end[i]));
    p->error = isfinite(e) ? e : INFINITY;
    return 0;
}

/* From coarse to fine, until the rounding errors are reached or it takes too long. */
static void sweep(series *s, const task *k)
{
    double x = s->first * (s->steps ? PERIODS : 1), best = INFINITY;
    int    worse = 0;
    for (s->points = 0; s->points < SETTINGS && worse < 3; x *= s->factor) {
        point *p = &s->point[s->points];
        if (s->steps) x = nearbyint(x);
        else if (x < 5e-15) break;
        p->setting = x;
        const double t = now(CLOCK_PROCESS_CPUTIME_ID);
        if (!once(s, k, p, 0)) {
            s->points++;
            worse = p->error < best ? 0 : worse + (best < 1e-9);
            best = fmin(best, p->error);
        }
        if (now(CLOCK_PROCESS_CPUTIME_ID) - t > LONGEST) break;
    }
}

/* The cheapest point of a series that is at least so precise; its times in order. */
static const point *cheapest(const series *s, double error)
{
    const point *best = NULL;
    for (int i = 0; i < s->points; i++)
        if (s->point[i].error <= error && (!best || s->point[i].t[REPEATS / 2] < best->t[REPEATS / 2])) best = &s->point[i];
    return best;
}

static void table(const series *all, int count, const task *k)
{
    printf("\n**%s**: error below\n\n| | 1e-6 | 1e-8 | 1e-11 | spread of %d | its setting | smallest error |\n|---|---|---|---|---|---|---|\n", problems[k->index].name, REPEATS);
    const series *us = NULL, *they = NULL;
    for (int i = 0; i < count; i++) {
        const series *s = &all[i];
        if (!s->points) continue;
        printf("| %s%s |", s->peer ? "" : "noether ", s->name);
        for (int d = 0; d < 3; d++) {
            const point *p = cheapest(s, (const double[]){ 1e-6, 1e-8, 1e-11 }[d]);
            if (p) printf(" %.3g ms |", 1e3 * p->t[REPEATS / 2]);
            else printf(" |");
        }
        const point *p = cheapest(s, 1e-11);
        if (p) printf(" %.3g .. %.3g |", 1e3 * p->t[0], 1e3 * p->t[REPEATS - 1]);
        else printf(" |");
        if (p && s->steps) printf(" %.3g steps a period |", p->setting / PERIODS);
        else if (p) printf(" tolerance %.1g |", p->setting);
        else printf(" |");
        double best = INFINITY;
        for (int j = 0; j < s->points; j++) best = fmin(best, s->point[j].error);
        printf(" %.1e |\n", best);
        const series **side = s->peer ? &they : &us;
        if (p && (!*side || p->t[REPEATS / 2] < cheapest(*side, 1e-11)->t[REPEATS / 2])) *side = s;
    }
    printf("\nBar at 1e-11, twice as fast as the best peer: ");
    if (!us) printf("**not met**: noether does not reach 1e-11.\n");
    else if (!they) printf("no peer reaches 1e-11.\n");
    else {
        const double ratio = cheapest(they, 1e-11)->t[REPEATS / 2] / cheapest(us, 1e-11)->t[REPEATS / 2];
        printf("**%s**, noether %s is %.2f times as fast as %s.\n", ratio >= 2 ? "met" : "not met", us->name, ratio, they->name);
    }
}

static int load(const char *line, task *k)
{
    char   name[40], file[80], start[80];
    double period;
    int    at;
    if (sscanf(line, "%39s %79s %79s %lf%n", name, file, start, &period, &at) < 4) return 1;
    for (k->index = 0; strcmp(problems[k->index].name, name); k->index++)
        if (!problems[k->index].name) return 1;
    k->n = problems[k->index].n;
    k->T = PERIODS * period;
    for (int i = 0, more; i < k->n; i++, at += more)
        if (sscanf(line + at, "%lf%n", &k->end[i], &more) < 1) return 1;
    k->system = noe_system_load(file);
    for (char *a = strcmp(start, "-") ? strtok(start, ";") : NULL; a; a = strtok(NULL, ";")) {
        noe_system *next = noe_system_let(k->system, a);
        noe_system_free(k->system);
        k->system = next;
    }
    noe_method     *m = noe_method_parse("simpson");
    noe_integrator *g = noe_integrator_new(k->system, m, 1e-3);
    noe_method_free(m);
    if (!g) return 1;
    memcpy(k->start, noe_q(g), (size_t)k->n * sizeof(double));
    memcpy(k->start + k->n, noe_v(g), (size_t)k->n * sizeof(double));
    noe_integrator_free(g);
    return 0;
}

int main(int argc, char **argv)
{
    static series all[SERIES];
    static const series ours[] = { { .name = "gauss 8", .first = 3, .factor = 1.12, .steps = 1 },
                                   { .name = "gauss 6", .first = 4, .factor = 1.12, .steps = 1 },
                                   { .name = "gauss 4", .first = 6, .factor = 1.2, .steps = 1 },
                                   { .name = "simpson", .first = 20, .factor = 1.5, .steps = 1 } };
    const struct { const char *name; const peer *peers; } libraries[] = { { "GSL", gsl }, { "Boost.odeint", odeint }, { "SUNDIALS", sundials } };
    int    count = sizeof ours / sizeof *ours;
    FILE  *reference = argc == 3 ? fopen(argv[1], "r") : NULL, *csv = argc == 3 ? fopen(argv[2], "w") : NULL;
    char   line[2000];
    if (!reference || !csv) return fprintf(stderr, "usage: compare REFERENCE.txt OUT.csv\n"), 2;
    memcpy(all, ours, sizeof ours);
    for (size_t l = 0; l < sizeof libraries / sizeof *libraries; l++) {
        if (!libraries[l].peers->name) printf("\n%s is missing: not measured.\n", libraries[l].name);
        for (const peer *p = libraries[l].peers; p->name; p++)
            all[count++] = (series){ .name = p->name, .peer = p, .first = p->first, .factor = p->factor, .steps = p->steps };
    }
    fprintf(csv, "problem,solver,setting,error,seconds,least,most\n");
    while (fgets(line, sizeof line, reference)) {
        task k = { 0 };
        if (load(line, &k)) return fprintf(stderr, "cannot read: %s%s\n", line, noe_error() ? noe_error() : ""), 1;
        for (int i = 0; i < count; i++) sweep(&all[i], &k);
        for (int r = 0; r < REPEATS; r++) /* all in turn: what slows the machine slows all */
            for (int i = 0; i < count; i++)
                for (int j = 0; j < all[i].points; j++) once(&all[i], &k, &all[i].point[j], r);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < all[i].points; j++) {
                point *p = &all[i].point[j];
                qsort(p->t, REPEATS, sizeof *p->t, ascending);
                fprintf(csv, "%s,%s%s,%g,%.3e,%.4e,%.4e,%.4e\n", problems[k.index].name, all[i].peer ? "" : "noether ", all[i].name,
                        p->setting, p->error, p->t[REPEATS / 2], p->t[0], p->t[REPEATS - 1]);
            }
        table(all, count, &k);
        noe_system_free(k.system);
        fflush(stdout);
        fflush(csv);
    }
    fclose(csv);
    fclose(reference);
    return 0;
}
