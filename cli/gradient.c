/* noether gradient MODEL.lag --of EXPR: derivatives by all parameters and starts at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>

static int help(const option *options, size_t count)
{
    printf("noether gradient MODEL.lag --of EXPR [NAME=VALUE ...] [options]\n\n"
           "The gradient of EXPR at the end of the motion, or of its sum over rows, by all "
           "parameters and starts at once:\n"
           "the motion is made and followed back.  doc/gradients.md says more.\n\n");
    print_options(options, count);
    return printed(NOE_EXIT_DONE);
}

int verb_gradient(int argc, char **argv)
{
    noe_gradient_job job = { .interrupted = &interrupted };
    const char      *every = NULL, *json = NULL, *quiet = NULL, *help_wanted = NULL;
    const option     options[] = {
            { "of", "EXPR", "coordinates, velocities, momenta, observables, energy: \"(a - 1)^2\"",
              &job.of },
            { "every", "N", "the sum over every N-th step, the start included", &every },
            { "times", "LIST", "the sum over these times: \"1, 2, 5..10 in 6\", or at one",
              &job.times },
            { "method", "NAME", "as for run; default: the model's", &job.method },
            { "step", "EXPR", "as for run; default: the model's", &job.step },
            { "until", "EXPR", "the end of the motion; default: the model's", &job.until },
            { "json", NULL, "the gradient as JSON", &json },
            { "quiet", NULL, "no notes", &quiet },
            { "help", NULL, "this", &help_wanted },
    };
    const size_t count = sizeof options / sizeof *options;
    const int    words = take_options(argc, argv, options, count, "gradient");
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (help_wanted) return help(options, count);
    if (!words) return complain("which model?  noether gradient MODEL.lag --of EXPR");
    if (!job.of) return complain("the gradient of what?  --of EXPR, as --of \"energy\"");
    if (every && !whole("every", every, 1, 1000000000, &job.every)) return NOE_EXIT_BAD_USE;
    if (every && job.times)
        return complain("--every and --times: the rows are every N-th step or those at times");
    if (job.until && job.times)
        return complain("--until and --times: the motion ends at the last of the times");
    job.model = model_path(argv[0]);
    job.let = (const char *const *)(argv + 1);
    job.lets = words - 1;
    if (!are_assignments(job.let, job.lets)) return NOE_EXIT_BAD_USE;
    job.json = json != NULL, job.quiet = quiet != NULL;
    catch_interrupts();
    return printed(report(noe_gradient_job_run(&job, stdout)));
}
