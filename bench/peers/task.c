/* problem PROBLEM: a line of reference.txt.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "task.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PERIODS = 100 };

static int take(char *line, task *k)
{
    char   file[80], start[80];
    double period;
    int    at;
    if (sscanf(line, "%*s %79s %79s %lf%n", file, start, &period, &at) < 3) return 1;
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
    if (!g || noe_system_dim(k->system) != k->n) return 1;
    memcpy(k->start, noe_q(g), (size_t)k->n * sizeof(double));
    memcpy(k->start + k->n, noe_v(g), (size_t)k->n * sizeof(double));
    noe_integrator_free(g);
    k->energy = problems[k->index].energy(k->start, k->start + k->n);
    return 0;
}

int load(const char *reference, const char *problem, task *k)
{
    char  line[4000], name[40];
    int   bad = 1;
    FILE *f = fopen(reference, "r");
    *k = (task){ 0 };
    for (; strcmp(problems[k->index].name, problem); k->index++)
        if (!problems[k->index + 1].name) return 1;
    while (f && bad && fgets(line, sizeof line, f))
        if (sscanf(line, "%39s", name) == 1 && !strcmp(name, problem)) bad = take(line, k);
    if (f) fclose(f);
    return bad;
}

double state_error(const task *k, const double *y)
{
    double e = 0;
    for (int i = 0; i < k->n; i++) e = isfinite(y[i]) ? fmax(e, fabs(y[i] - k->end[i])) : INFINITY;
    return e;
}

double energy_error(const task *k, const double *y)
{
    const double e = fabs((problems[k->index].energy(y, y + k->n) - k->energy) / k->energy);
    return isfinite(e) ? e : INFINITY;
}

void say_start(const task *k)
{
    printf("%d %.17g", k->n, k->T);
    for (int i = 0; i < 2 * k->n; i++) printf(" %.17g", k->start[i]);
    for (int i = 0; i < k->n; i++) printf(" %.17g", k->end[i]);
    printf("\n");
}
