/* y_i = q(t_i) + sigma * normal: measurements of a known motion, as files; fits to them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMULATED_H
#define SIMULATED_H

#include "../scratch.h"

#include "base/status.h"
#include "fit/fit.h"

#include <math.h>

/* A normal random number: Box and Muller. */
static inline double normal(void)
{
    const double u = (random_number() + 1) / 2, w = (random_number() + 1) / 2;
    return sqrt(-2 * log(1 - u)) * cos(2 * acos(-1) * w);
}

/* Writes t and the coordinates of the motion of the model with `change` (NULL: none) at `count`
 * random times up to `until`, each with an error of size sigma; a share `missing` of the cells is
 * empty. */
static inline void simulate(const char *file, const char *model, const char *change,
                            const char *scheme, double step, double until, int count, double sigma,
                            double missing)
{
    noe_system *plain = noe_system_load(in_scratch(model)),
               *s = change ? noe_system_let(plain, change) : plain;
    noe_method     *f = noe_method_parse(scheme);
    noe_integrator *g = noe_integrator_new(s, f, step);
    const int       n = noe_system_dim(s);
    double          t = 0, q[n], p[n];
    FILE           *to = fopen(in_scratch(file), "w");
    assert_non_null(to);
    assert_non_null(g);
    fprintf(to, "t");
    for (int i = 0; i < n; i++) fprintf(to, ",%s", noe_system_name(s, i));
    for (int k = 0; k < count; k++) {
        t = until * (k + (random_number() + 1) / 2) / count;
        while (noe_time(g) + step < t) assert_int_equal(noe_step(g), NOE_OK);
        assert_int_equal(noe_at(g, t, q, p), NOE_OK);
        fprintf(to, "\n%.17g", t);
        for (int i = 0; i < n; i++)
            if ((random_number() + 1) / 2 < missing) fprintf(to, k % 2 ? "," : ",NaN");
            else fprintf(to, ",%.17g", q[i] + sigma * normal());
    }
    fprintf(to, "\n");
    fclose(to);
    noe_integrator_free(g);
    noe_method_free(f);
    if (s != plain) noe_system_free(s);
    noe_system_free(plain);
}

/* The job of a fit to one file. */
static inline noe_fit_job job_of(const char *model, const char *file, const char *vary)
{
    static char        paths[2][400];
    static const char *data = paths[1];
    snprintf(paths[0], sizeof paths[0], "%s", in_scratch(model));
    snprintf(paths[1], sizeof paths[1], "%s", in_scratch(file));
    return (noe_fit_job){
        .model = paths[0], .data = &data, .datas = 1, .vary = vary, .starts = 1, .quiet = 1
    };
}

/* The fit of a job; to be dropped. */
static inline void fit(noe_fit *s, const noe_fit_job *j)
{
    if (!noe_fit_setup_make(s, j) || !noe_fit_setup_solve(s)) fail_msg("%s", noe_error());
    assert_null(noe_error());
}

/* The number of an unknown. */
static inline int unknown(const noe_fit *s, const char *name)
{
    for (int i = 0; i < s->unknowns; i++)
        if (!strcmp(s->name[i], name)) return i;
    fail_msg("nothing is called %s", name);
    return 0;
}

/* How many of `sets` quoted intervals of 95 % may miss the truth: more than 4.5 standard deviations
 * of their number happens once in 300000 times. */
static inline bool covers(int inside, int sets)
{
    return fabs(inside - 0.95 * sets) <= 4.5 * sqrt(sets * 0.95 * 0.05) + 1;
}

static const char *const swing = "parameter   g = 9.81, l = 0.8, c = 0.15\n"
                                 "coordinate  theta\n"
                                 "kinetic     l^2/2*theta'^2\n"
                                 "potential   -g*l*cos(theta)\n"
                                 "dissipation c*l^2/2*theta'^2\n"
                                 "start       theta = 1.2\n"
                                 "suggest     method = \"simpson\", step = 0.05, until = 10\n";
static const char *const orbit = "parameter  mu = 1\n"
                                 "coordinate x, y\n"
                                 "kinetic    (x'^2 + y'^2)/2\n"
                                 "potential  -mu/sqrt(x^2 + y^2)\n"
                                 "start      x = 1, y' = 1.2\n"
                                 "suggest    method = \"gauss 3\", step = 0.1, until = 12\n";

#endif
