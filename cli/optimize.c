/* noether optimize MODEL.lag: controls of least cost, by discrete mechanics.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>
#include <string.h>

int verb_optimize(int argc, char **argv)
{
    noe_optimize_job job = { .steps = 40, .iterations = 1000, .interrupted = &interrupted };
    const char      *steps = NULL, *iterations = NULL, *help = NULL;
    const option     options[] = {
            { "steps", "N", "steps of the motion; default 40", &steps },
            { "method", "NAME",
              "a Galerkin method, \"simpson\" or \"lobatto 3\"; default: as the model "
                  "suggests, or simpson",
              &job.method },
            { "until", "EXPR", "the end of time, where the model has no 'final t'", &job.until },
            { "output", "FILE",
              ".csv, .json or .h5: t, coordinates, velocities, momenta, "
                  "controls, "
                  "multipliers",
              &job.output },
            { "plot", "FILE", ".svg, .png or .pdf: coordinates and controls", &job.plot },
            { "iterations", "N", "of the search, at most; default 1000", &iterations },
            { "help", NULL, "this", &help },
    };
    const size_t count = sizeof options / sizeof *options;
    const int    words = take_options(argc, argv, options, count, "optimize");
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (help) {
        printf("noether optimize MODEL.lag [NAME=VALUE ...] [options]\n\n"
               "Finds controls u(t) of least cost: 'control u in a..b', 'cost EXPR', 'final q = "
               "..' in MODEL.lag.\n"
               "Exit status 0 only at a (local) optimum, 3 where none was reached.\n\n");
        print_options(options, count);
        return printed(NOE_EXIT_DONE);
    }
    if (words < 1)
        return complain("which model?  noether optimize MODEL.lag [NAME=VALUE ...] [options]");
    job.model = model_path(argv[0]);
    job.let = (const char *const *)(argv + 1);
    job.lets = words - 1;
    if (!are_assignments(job.let, job.lets)) return NOE_EXIT_BAD_USE;
    if (steps && !whole("steps", steps, 1, 1000000, &job.steps)) return NOE_EXIT_BAD_USE;
    if (iterations && !whole("iterations", iterations, 1, 1000000, &job.iterations))
        return NOE_EXIT_BAD_USE;
    catch_interrupts();
    return printed(report(noe_optimize_job_run(&job, stdout)));
}
