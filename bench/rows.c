/* what rows of results cost beside the steps: recording every step, as CSV, as HDF5, into an array.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include "noether.h"

#include <unistd.h>

enum { STEPS = 100000, REPEATS = 7 };
static const double STEP = 0.01;

static noe_integrator *fresh(const noe_system *s, const noe_method *m)
{
    noe_integrator *g = noe_integrator_new(s, m, STEP);
    if (!g || noe_step(g)) fprintf(stderr, "%s\n", noe_error()), exit(1);
    return g;
}

int main(void)
{
    noe_system *s = noe_system_load("systems/double_pendulum.lag");
    noe_method *m = noe_method_parse("simpson");
    double      ratio[4][REPEATS], us[4][REPEATS], alone[REPEATS];
    static const struct {
        const char *what;
        double      at_most;
    } row[] = { { "noe_rows, t q p of every step", 0.1 },
                { "noe_record, t,q1,q2,energy of every step", 0.5 },
                { "the same table as .csv", 1.0 },
                { "the same table as .h5", 0.3 } };
    char    path[2][64];
    double *out = malloc(STEPS * 5 * sizeof *out);
    for (int i = 0; i < 2; i++)
        snprintf(path[i], sizeof *path, "/tmp/noether-bench-%d.%s", (int)getpid(),
                 i ? "h5" : "csv");
    for (int r = -1; r < REPEATS; r++) {
        noe_integrator *g = fresh(s, m);
        double          at[6];
        at[0] = seconds();
        if (noe_run(g, STEPS * STEP, NULL, NULL)) return fprintf(stderr, "%s\n", noe_error()), 1;
        at[1] = seconds() - at[0];
        noe_integrator_free(g), g = fresh(s, m);
        at[0] = seconds();
        if (noe_rows(g, STEPS, 1, out)) return fprintf(stderr, "%s\n", noe_error()), 1;
        at[2] = seconds() - at[0] - at[1];
        noe_integrator_free(g), g = fresh(s, m);
        at[0] = seconds();
        noe_table *t = noe_record(g, STEPS * STEP, 1, "t,q1,q2,energy");
        at[3] = seconds() - at[0] - at[1];
        for (int i = 0; i < 2; i++) {
            at[0] = seconds();
            if (noe_table_write(t, path[i])) return fprintf(stderr, "%s\n", noe_error()), 1;
            at[4 + i] = seconds() - at[0];
        }
        noe_table_free(t), noe_integrator_free(g);
        for (int i = 0; i < 4 && r >= 0; i++)
            ratio[i][r] = at[2 + i] / at[1], us[i][r] = 1e9 * at[2 + i] / STEPS;
        if (r >= 0) alone[r] = 1e9 * at[1] / STEPS;
    }
    remove(path[0]), remove(path[1]), free(out);
    printf(
        "## What rows cost\n\n"
        "Simpson's steps of the double pendulum, every one a row: the time of the rows over that "
        "of the steps.\n\n" COMPARED);
    const double step = median(alone, REPEATS);
    for (int i = 0; i < 4; i++) {
        char said[2][40];
        snprintf(said[0], 40, "%.0f ns a row", median(us[i], REPEATS));
        snprintf(said[1], 40, "%.0f ns a step", step);
        compared(row[i].what, said[0], said[1], ratio[i], REPEATS, row[i].at_most);
    }
    printf("\n");
    noe_method_free(m), noe_system_free(s);
    return 0;
}
