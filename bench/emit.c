/* Measures the step that `noether emit --step` writes beside a step written by hand, in ns.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both are compiled with the same flags. */
#include "hand.h"
#include "job/verbs.h"
#include "noether.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REPEATS = 9, STEPS = 200000 };
static const char driver[] =
    "\nint emitted_go(const double *q, const double *v, double h, int steps, double *to);\n"
    "int emitted_go(const double *q, const double *v, double h, int steps, double *to)\n{\n"
    "    static emitted_state x;\n"
    "    emitted_start(&x, 0, q, v, emitted_param);\n"
    "    for (int i = 0; i < steps; i++) if (emitted_step(&x, h, emitted_param)) return 1;\n"
    "    memcpy(to, x.q, sizeof x.q);\n"
    "    return 0;\n}\n";

static int compare(const char *model, const char *const *start, int starts, double h,
                   const char *flags)
{
    char        path[100], name[40], hand_source[100];
    noe_system *s = noe_system_load(model);
    noe_method *m = noe_method_parse("simpson");
    for (int i = 0; i < starts; i++) {
        noe_system *next = noe_system_let(s, start[i]);
        noe_system_free(s);
        s = next;
    }
    char           *text = noe_emit_step(s, m, "emitted");
    noe_integrator *g = noe_integrator_new(s, m, h);
    if (!text || !g) return fprintf(stderr, "%s\n", noe_error()), 1;
    snprintf(path, sizeof path, "%s/emitted.c", hand_place());
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fputs(driver, file) < 0 || fclose(file)) return 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(model + 8, "."), model + 8);
    snprintf(hand_source, sizeof hand_source, "bench/hand/%s.c", name);
    char with[40];
    snprintf(with, sizeof with, "-std=c99 %s", flags);
    go *f[2];
    if (!hand_compiled(path, "emitted_go", with, NULL, &f[0])
        || !hand_compiled(hand_source, "hand_go", with, NULL, &f[1]))
        return 1;
    double t[2][REPEATS], ratio[REPEATS], to[2][8] = { { 0 } }, apart = 0;
    for (int r = -1; r < REPEATS; r++) /* in turn */
        for (int k = 0; k < 2; k++) {
            const double from = seconds();
            if (f[k](noe_q(g), noe_v(g), h, STEPS, to[k]))
                return fprintf(stderr, "%s: a step failed\n", name), 1;
            if (r >= 0) t[k][r] = 1e9 * (seconds() - from) / STEPS;
        }
    for (int r = 0; r < REPEATS; r++) ratio[r] = t[0][r] / t[1][r];
    if (f[0](noe_q(g), noe_v(g), h, 1000, to[0]) || f[1](noe_q(g), noe_v(g), h, 1000, to[1]))
        return 1;
    for (int i = 0; i < noe_system_dim(s); i++) apart = fmax(apart, fabs(to[0][i] - to[1][i]));
    const double e = median(t[0], REPEATS), by_hand = median(t[1], REPEATS);
    char         what[100], us[30], they[40];
    snprintf(what, sizeof what, "emitted simpson step, %s, %s", name, flags);
    snprintf(us, sizeof us, "%.0f ns", e), snprintf(they, sizeof they, "by hand %.0f ns", by_hand);
    compared(what, us, they, ratio, REPEATS, 1.2);
    if (!(apart < 1e-10))
        return fprintf(stderr, "%s: after 1000 steps the two are %g apart\n", name, apart), 1;
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
    free(text);
    return 0;
}

int main(void)
{
    printf(
        "## The emitted step\n\n`noether emit MODEL --step simpson` beside bench/hand/MODEL.c, the "
        "same compiler and flags; after 1000 steps they agree to 1e-10. Spread of %d.\n\n" COMPARED,
        REPEATS);
    static const char *const start[] = { "q=1", "q1=0.4", "q2=0.4" }, *const flags[] = { "-O2",
                                                                                         "-O3" };
    int bad = 0;
    for (int k = 0; k < 2; k++) bad |= compare("systems/pendulum.lag", start, 1, 0.01, flags[k]);
    for (int k = 0; k < 2; k++)
        bad |= compare("systems/double_pendulum.lag", start + 1, 2, 0.01, flags[k]);
    hand_done();
    return bad;
}
