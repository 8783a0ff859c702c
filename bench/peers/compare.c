/* Measures work against precision on one problem.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The error after 100 periods, the energy error over 10^4 periods, and the time. */
#include "bench.h"
#include "task.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SETTINGS = 40, SERIES = 20 };

typedef struct {
    double setting, error, t[9];
} point;
typedef struct {
    const char *name;
    const peer *peer; /* NULL: noether's method of that name */
    double      first, factor;
    int         steps, points;
    point       point[SETTINGS];
} series;

static const struct plan {
    const char *name;
    int         chunks, repeats; /* of 100 periods */
    /* s: finer settings of a series that takes longer are not tried; 3 times that of many bodies */
    double longest;
    double skip, sparse; /* settings begin so many factors later, lie so many apart */
    /* no finer settings below this error; one measurement alone above that */
    double enough, coarse;
} plans[] = { { "state", 1, 5, 0.05, 0, 1, 1e-15, 1e-2 },
              { "energy", 100, 3, 0.4, 3, 2, 1e-12, 1e-7 } };
/* 10^4 periods; 10^3 of what swings often in one. */
static int chunks(const struct plan *plan, const task *k)
{
    return problems[k->index].swings > 10 && plan->chunks > 1 ? plan->chunks / 10 : plan->chunks;
}
static double longest(const struct plan *plan, const task *k)
{
    return plan->longest * (k->n > 4 ? 3 : 1) * (chunks(plan, k) < plan->chunks ? 0.3 : 1);
}

/* noether's integrator is made before: its text is read once, as the peers' equations are
 * compiled once. */
static int once(const series *s, const task *k, const struct plan *plan, point *p, int repeat)
{
    double          y[2 * MOST], e = 0;
    noe_integrator *g = NULL;
    int             bad = 0;
    memcpy(y, k->start, sizeof y);
    if (!s->peer) {
        noe_method *m = noe_method_parse(s->name);
        g = noe_integrator_new(k->system, m, k->T / (100 * p->setting));
        noe_method_free(m);
        bad = !g;
    }
    const double t = seconds();
    for (int c = 1; c <= chunks(plan, k) && !bad; c++) {
        if (s->peer)
            bad = s->peer->solve(k->index, k->T, s->steps ? 100 * p->setting : p->setting, y);
        else if (!(bad = noe_run(g, c * k->T, NULL, NULL) != NOE_OK)) {
            memcpy(y, noe_q(g), (size_t)k->n * sizeof *y);
            memcpy(y + k->n, noe_v(g), (size_t)k->n * sizeof *y);
        }
        e = chunks(plan, k) == 1 ? state_error(k, y) : fmax(e, energy_error(k, y));
        if (!isfinite(e) || seconds() - t > 2 * longest(plan, k)) bad = 1;
    }
    p->t[repeat] = seconds() - t;
    p->error = e;
    noe_integrator_free(g);
    noe_error_clear();
    return bad;
}

/* From coarse to fine, until rounding is all there is or it takes too long.  The coarsest may
 * take longer than finer ones. */
static void sweep(series *s, const task *k, const struct plan *plan)
{
    const double factor = pow(s->factor, plan->sparse);
    double       best = INFINITY, last = INFINITY,
           x = s->first * pow(s->factor, plan->skip)
             * (s->steps ? sqrt(problems[k->index].swings) : 1);
    int worse = 0, slow = 0;
    s->points = 0;
    for (int tried = 0; tried < SETTINGS && worse < 3 && slow < 2 && best > plan->enough;
         tried++, x *= factor) {
        point *p = &s->point[s->points];
        if (!s->steps && x < 1e-16) break;
        p->setting = s->steps ? nearbyint(100 * x) / 100 : x;
        const int bad = once(s, k, plan, p, 0);
        if (p->t[0] > longest(plan, k)) slow = p->t[0] < last ? 1 : 2;
        last = p->t[0];
        if (bad) continue;
        s->points++;
        worse = p->error < best ? 0 : worse + (best < 1e-9);
        best = fmin(best, p->error);
    }
}

int main(int argc, char **argv)
{
    static series       all[SERIES];
    static const series ours[] = {
        { .name = "gauss 8", .first = 5, .factor = 1.12, .steps = 1 },
        { .name = "gauss 6", .first = 6, .factor = 1.12, .steps = 1 },
        { .name = "gauss 4", .first = 8, .factor = 1.2, .steps = 1 },
        { .name = "simpson", .first = 20, .factor = 1.5, .steps = 1 },
        { .name = "blanes-moan6", .first = 10, .factor = 1.3, .steps = 1 },
        { .name = "kahan-li8", .first = 5, .factor = 1.3, .steps = 1 }
    };
    static const peer *const libraries[] = { gsl, odeint, sundials };
    const struct plan       *plan = argc == 4 && !strcmp(argv[3], "energy") ? &plans[1] : &plans[0];
    int                      count = sizeof ours / sizeof *ours;
    task                     k;
    if (argc != 4)
        return fprintf(stderr, "usage: compare REFERENCE.txt PROBLEM state|energy|start\n"), 2;
    if (load(argv[1], argv[2], &k))
        return fprintf(stderr, "cannot load %s: %s\n", argv[2], noe_error() ? noe_error() : ""), 1;
    if (!strcmp(argv[3], "start")) return say_start(&k), 0;
    memcpy(all, ours, sizeof ours);
    for (size_t l = 0; l < sizeof libraries / sizeof *libraries; l++)
        for (const peer *p = libraries[l]; p->name; p++)
            all[count++] = (series){ .name = p->name,
                                     .peer = p,
                                     .first = p->first,
                                     .factor = p->factor,
                                     .steps = p->steps };
    for (int i = 0; i < count; i++) sweep(&all[i], &k, plan);
    for (int r = 1; r < plan->repeats; r++) /* all in turn: what slows the machine slows all */
        for (int i = 0; i < count; i++)
            for (int j = 0; j < all[i].points; j++) {
                point *p = &all[i].point[j];
                if (p->error < plan->coarse) once(&all[i], &k, plan, p, r);
                else p->t[r] = p->t[0];
            }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < all[i].points; j++) {
            point       *p = &all[i].point[j];
            const double t = median(p->t, plan->repeats);
            printf("%s,%s,%s%s,%g,%s,%.3e,%.4e,%.4e,%.4e\n", problems[k.index].name, plan->name,
                   all[i].peer ? "" : "noether ", all[i].name, p->setting,
                   all[i].steps ? "steps a period" : "tolerance", p->error, t, p->t[0],
                   p->t[plan->repeats - 1]);
        }
    noe_system_free(k.system);
    return 0;
}
