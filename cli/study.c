/* noether study convergence | drift | work MODEL.lag: how good is a method on a system?
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>
#include <string.h>

static int help(const option *options, size_t count)
{
    printf("noether study convergence|drift|work MODEL.lag [NAME=VALUE ...] [options]\n"
           "noether study FILE.study [options]\n\n"
           "convergence: errors and orders of methods, step by step.  drift: errors of what should "
           "stay constant, in a\n"
           "long run.  work: error against time and evaluations.  FILE.study: a study as a text, "
           "with values to compare.\n"
           "Options that are not given are as the model suggests.  doc/studies.md says more.\n\n");
    print_options(options, count);
    return printed(NOE_EXIT_DONE);
}

int verb_study(int argc, char **argv)
{
    enum { WORDS = 15 };
    noe_study_job job = { .interrupted = &interrupted };
    const char   *value[WORDS] = { NULL }, *threads = NULL, *help_wanted = NULL, *quiet = NULL;
    const option  options[] = {
         /* the first WORDS are words of a study */
        { "methods", "LIST", "\"simpson, gauss 3, rk4\"", &value[0] },
        { "step", "EXPR", "the coarsest step h", &value[1] },
        { "halvings", "K", "h, h/2, .. h/2^K; default 3", &value[2] },
        { "steps", "LIST", "or the steps one by one, expressions: \"T/50, T/100\"", &value[3] },
        { "until", "LIST", "the end of time; several are several windows", &value[4] },
        { "period", "EXPR", "count steps in this time", &value[5] },
        { "error", "LIST", "q, p, energy, any column; \"theta relative, energy relative\"",
           &value[6] },
        { "norm", "sup|l2", "over the nodes", &value[7] },
        { "component", "max|euclid", "over the coordinates", &value[8] },
        { "relative", NULL, "errors relative to the reference", &value[9] },
        { "reference", "NAME",
           "exact, self, 33 or 64 digits; default: exact if there is a solution, else 33",
           &value[10] },
        { "digits", "15|33|64", "of the runs", &value[11] },
        { "orders", "NAME", "which order a study file compares: ends, last or fit", &value[12] },
        { "windows", "SPEC", "drift: \"log 30\" or \"linear 20\"", &value[13] },
        { "repeats", "N", "work: runs of which the fastest counts; default 5", &value[14] },
        { "output", "FILE", ".csv or .json by its ending", &job.output },
        { "plot", "FILE", ".svg, .png or .pdf", &job.plot },
        { "html", "FILE", "a <table> for a page, with the published values if there are any",
           &job.html },
        { "threads", "N", "default: one a core; the results do not depend on it", &threads },
        { "quiet", NULL, "no progress", &quiet },
        { "help", NULL, "this", &help_wanted },
    };
    const size_t     count = sizeof options / sizeof *options;
    const int        words = take_options(argc, argv, options, count, "study");
    noe_study_option word[WORDS];
    long             cores = 0;
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (help_wanted) return help(options, count);
    if (threads && !whole("threads", threads, 1, NOE_THREADS_MOST, &cores)) return NOE_EXIT_BAD_USE;
    for (int i = 0; i < WORDS; i++)
        if (value[i]) word[job.options++] = (noe_study_option){ options[i].name, "", value[i], 0 };
    const char *ending = words ? strrchr(argv[0], '.') : NULL;
    int         used = 2;
    if (ending && !strcmp(ending, ".study")) {
        job.file = argv[0];
        used = 1;
        if (job.options)
            return complain("--%s: %s says how the study is made: change it there", word[0].key,
                            job.file);
    } else if (words < 2) {
        return complain("which study of which model?  noether study convergence|drift|work "
                        "MODEL.lag, or noether study FILE.study");
    } else {
        job.kind = argv[0];
        job.model = model_path(argv[1]);
    }
    job.option = word;
    job.let = (const char *const *)(argv + used);
    job.lets = words - used;
    if (!are_assignments(job.let, job.lets)) return NOE_EXIT_BAD_USE;
    if (job.file && job.lets)
        return complain("%s: %s says how the study is made: change it there", job.let[0], job.file);
    job.threads = (int)cores;
    job.quiet = quiet != NULL;
    catch_interrupts();
    return printed(report(run_study(&job, stdout)));
}
