/* noether fit MODEL.lag --data FILE --vary LIST: parameters and starts from measurements.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>
#include <string.h>

static int help(const option *options, size_t count)
{
    printf("noether fit MODEL.lag --data FILE --vary LIST [NAME=VALUE ...] [options]\n\n"
           "Parameters and starts for which the motion is nearest to the data, with standard "
           "errors and correlations: least\n"
           "squares with exact derivatives.  doc/fitting.md says more.\n\n");
    print_options(options, count);
    return printed(NOE_EXIT_DONE);
}

int verb_fit(int argc, char **argv)
{
    noe_fit_job job = { .interrupted = &interrupted, .starts = 1, .seed = 1 };
    const char *first = NULL, *starts = NULL, *seed = NULL, *segments = NULL, *json = NULL,
               *quiet = NULL, *help_wanted = NULL;
    const option options[] = {
        { "data", "FILE",
          "measurements as .csv, t and columns named as in the model; again for more", &first },
        { "vary", "LIST", "what is estimated: \"l in 0.1..2, c, q(0), each q'\"", &job.vary },
        { "columns", "LIST", "what is compared: \"q1, x = pos_x, t = time\"; default: all",
          &job.columns },
        { "weights", "LIST", "standard deviations of the data: \"q1 = 0.01\"; default: estimated",
          &job.weights },
        { "starts", "N", "the best of N fits, from random starts within the bounds", &starts },
        { "seed", "N", "of the random starts; default 1", &seed },
        { "segments", "N", "find the way by N pieces of the motion: for chaos and long data",
          &segments },
        { "method", "NAME", "as for run; default: the model's", &job.method },
        { "step", "EXPR", "as for run; default: the model's", &job.step },
        { "output", "FILE", "the model with the estimates, .lag", &job.output },
        { "plot", "FILE", "data, model and differences, .svg, .png or .pdf", &job.plot },
        { "json", NULL, "the estimates as JSON", &json },
        { "quiet", NULL, "no notes", &quiet },
        { "help", NULL, "this", &help_wanted },
    };
    const size_t count = sizeof options / sizeof *options;
    const char  *data[VALUES_MOST];
    job.datas = take_values(&argc, argv, "data", data);
    const int words = job.datas < 0 ? -1 : take_options(argc, argv, options, count, "fit");
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (help_wanted) return help(options, count);
    if (starts && !whole("starts", starts, 1, 100000, &job.starts)) return NOE_EXIT_BAD_USE;
    if (seed && !whole("seed", seed, 0, 1000000000, &job.seed)) return NOE_EXIT_BAD_USE;
    if (segments && !whole("segments", segments, 1, 1000, &job.segments)) return NOE_EXIT_BAD_USE;
    if (!words) return complain("which model?  noether fit MODEL.lag --data FILE --vary LIST");
    if (!job.datas) return complain("fit to what?  --data FILE names the measurements");
    if (!job.vary) return complain("what is to be estimated?  --vary \"l, q(0)\"");
    const char *ending = job.output ? strrchr(job.output, '.') : NULL;
    if (job.output && (!ending || strcmp(ending, ".lag")))
        return complain("--output %s: a fit writes a model: its name must end in .lag; --json "
                        "prints numbers",
                        job.output);
    job.model = model_path(argv[0]);
    job.let = (const char *const *)(argv + 1);
    job.lets = words - 1;
    if (!are_assignments(job.let, job.lets)) return NOE_EXIT_BAD_USE;
    job.data = data;
    job.json = json != NULL, job.quiet = quiet != NULL;
    catch_interrupts();
    return printed(report(noe_fit_run(&job, stdout)));
}
