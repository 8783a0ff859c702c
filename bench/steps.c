/* Measures a step from a text model beside the same step written by hand in C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * And the time to read a text beside the time of a compiler. */
#include "hand.h"
#include "noether.h"

#include <math.h>
#include <string.h>

enum { REPEATS = 7, MOST = 32, CHECKED = 50 };

typedef struct {
    /* start: both angles of the double pendulum, or what the model says */
    const char *file, *start;
    const char *method, *hand;
    double      step, at_most;
    int         steps;
} stepped;

static noe_system *system_of(const stepped *x)
{
    noe_system *s = noe_system_load(x->file);
    for (int k = 1; k <= 2 && x->start; k++) {
        char q[8];
        snprintf(q, sizeof q, "q%d", k);
        noe_system *next = noe_system_with(s, q, atof(x->start));
        noe_system_free(s);
        s = next;
    }
    return s;
}

/* Both begin at the model's start every time, in turn; after some steps they must be where the
 * other is. */
static int beside_hand(const stepped *x)
{
    noe_system     *s = system_of(x);
    noe_method     *m = noe_method_parse(x->method);
    noe_integrator *g = s && m ? noe_integrator_new(s, m, x->step) : NULL;
    if (!g) return fprintf(stderr, "%s\n", noe_error()), 1;
    const int n = noe_system_dim(s);
    go       *by_hand;
    double    q[MOST], v[MOST], to[MOST], us[REPEATS], they[REPEATS], ratio[REPEATS], apart = 0,
                                                                                   size = 0;
    char what[100], said[2][40];
    if (n > MOST || !hand_compiled(x->hand, "hand_go", AS_FAST_AS_IT_GETS, NULL, &by_hand))
        return 1;
    memcpy(q, noe_q(g), (size_t)n * sizeof *q), memcpy(v, noe_v(g), (size_t)n * sizeof *v);
    for (int r = -1; r < REPEATS; r++) {
        noe_start(g, 0, q, v);
        double from = seconds();
        for (int i = 0; i < x->steps; i++)
            if (noe_step(g)) return fprintf(stderr, "%s: %s\n", x->file, noe_error()), 1;
        if (r >= 0) us[r] = 1e9 * (seconds() - from) / x->steps;
        from = seconds();
        if (by_hand(q, v, x->step, x->steps, to))
            return fprintf(stderr, "%s: a step failed\n", x->hand), 1;
        if (r >= 0) they[r] = 1e9 * (seconds() - from) / x->steps, ratio[r] = us[r] / they[r];
    }
    noe_start(g, 0, q, v);
    for (int i = 0; i < CHECKED; i++) noe_step(g);
    if (by_hand(q, v, x->step, CHECKED, to)) return 1;
    for (int i = 0; i < n; i++)
        apart = fmax(apart, fabs(to[i] - noe_q(g)[i])), size = fmax(size, fabs(to[i]));
    if (!(apart <= 1e-9 * size))
        return fprintf(stderr, "%s, %s: after %d steps the two are %g apart\n", x->file, x->method,
                       CHECKED, apart),
               1;
    snprintf(what, sizeof what, "%s, %s%s%s, step %g", x->method, x->file + 8,
             x->start ? " from " : "", x->start ? x->start : "", x->step);
    snprintf(said[0], 40, "%.0f ns", median(us, REPEATS)),
        snprintf(said[1], 40, "by hand %.0f ns", median(they, REPEATS));
    compared(what, said[0], said[1], ratio, REPEATS, x->at_most);
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
    return 0;
}

/* What a user of a language waits for before the first step: noether reads a text, a compiler a
 * page of C. */
static int text_to_step(const char *file, double at_most)
{
    double ratio[REPEATS], us[REPEATS], they[REPEATS];
    char   what[100], said[2][60];
    go    *unused;
    for (int r = 0; r < REPEATS; r++) {
        const double    from = wall();
        noe_system     *s = noe_system_load(file);
        noe_method     *m = noe_method_parse("simpson");
        noe_integrator *g = noe_integrator_new(s, m, 0.001);
        noe_step(g);
        us[r] = 1e3 * (wall() - from);
        noe_integrator_free(g);
        noe_method_free(m);
        noe_system_free(s);
        if (!hand_compiled("bench/hand/double_pendulum.c", "hand_go", "-std=c99 -O2", &they[r],
                           &unused))
            return 1;
        they[r] *= 1e3, ratio[r] = us[r] / they[r];
    }
    snprintf(what, sizeof what, "%s, text to first step", file + 8);
    snprintf(said[0], 60, "%.3g ms", median(us, REPEATS)),
        snprintf(said[1], 60, "a compiler, a page of C, %.0f ms", median(they, REPEATS));
    compared(what, said[0], said[1], ratio, REPEATS, at_most);
    return 0;
}

int main(void)
{
    static const stepped run[] = {
        { "systems/pendulum.lag", NULL, "simpson", "bench/hand/pendulum.c", 0.01, 3, 200000 },
        { "systems/double_pendulum.lag", "0.4", "simpson", "bench/hand/double_pendulum.c", 0.01, 1,
          100000 },
        { "systems/double_pendulum.lag", NULL, "simpson", "bench/hand/double_pendulum.c", 0.01, 1,
          100000 },
        { "systems/double_pendulum.lag", NULL, "simpson", "bench/hand/double_pendulum.c", 0.001, 1,
          100000 },
        { "systems/kepler.lag", NULL, "simpson", "bench/hand/kepler.c", 0.01, 1.5, 100000 },
        { "systems/lagrange_top.lag", NULL, "simpson", "bench/hand/lagrange_top.c", 0.002, 1,
          50000 },
        { "systems/five_link_pendulum.lag", NULL, "simpson", "bench/hand/five_link_pendulum.c",
          0.005, 1.2, 10000 },
        { "systems/pendulum.lag", NULL, "gauss 8", "bench/hand/pendulum_gauss8.c", 0.1, 1, 50000 },
        { "systems/double_pendulum.lag", "0.4", "gauss 8", "bench/hand/double_pendulum_gauss8.c",
          0.12, 1, 50000 },
        { "systems/lagrange_top.lag", NULL, "gauss 8", "bench/hand/lagrange_top_gauss8.c", 0.0099,
          1, 20000 },
        { "systems/kepler.lag", NULL, "gauss 8", "bench/hand/kepler_gauss8.c", 0.2, 1, 50000 },
        { "systems/outer_solar_system.lag", NULL, "gauss 8",
          "bench/hand/outer_solar_system_gauss8.c", 400, 1, 5000 },
        { "systems/pleiades.lag", NULL, "gauss 8", "bench/hand/pleiades_gauss8.c", 0.001, 1, 300 },
    };
    int bad = 0;
    printf("## Steps\n\n`noe_step` of a system from text beside the same method written by hand in "
           "C, bench/hand, compiled with `cc -O3 -march=native`: Simpson by Newton's\n"
           "method with a predicted start and a matrix that is kept; Gauss 8 by the fixed point of "
           "its velocities, eight nodes in one register, with glibc's vector\n"
           "functions. After %d steps both are in the same place to 1e-9. Spread of %d, measured "
           "in turn.\n\n" COMPARED,
           CHECKED, REPEATS);
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) bad |= beside_hand(&run[i]);
    bad |= text_to_step("systems/double_pendulum.lag", 0.05);
    bad |= text_to_step("systems/five_link_pendulum.lag", 0.05);
    bad |= text_to_step("systems/pleiades.lag", 0.05);
    hand_done();
    return bad;
}
