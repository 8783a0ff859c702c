/* noether check MODEL.lag: what it is, what must stay constant, what was shown to.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>

int verb_check(int argc, char **argv)
{
    noe_job      job = { .until = "1e300", .processes = processes() };
    const char  *json = NULL, *help = NULL, *within = NULL;
    long         seconds = 45;
    const option options[] = {
        { "method", "NAME", "the method whose laws are shown; default: as the model suggests",
          &job.method },
        { "step", "EXPR",
          "its step; default: as the model suggests; of a structure one from its frequencies",
          &job.step },
        { "within", "S",
          "limit of the computing time in s; laws beyond it are left out and named; default 45; 0: "
          "no limit",
          &within },
        { "json", NULL, "the certificate as JSON (doc/certificate.md)", &json },
        { "help", NULL, "this", &help },
    };
    const size_t count = sizeof options / sizeof *options;
    const int    words = take_options(argc, argv, options, count, "check");
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (help) {
        printf("noether check MODEL.lag [NAME=VALUE ...] [options]\n\n"
               "Finds the structure and the symmetries of a Lagrangian, and shows that a method "
               "preserves what it must.\n"
               "Exit status 0 only if all that is promised holds, 1 if something fails, 3 if "
               "something was left out.\n\n");
        print_options(options, count);
        return printed(NOE_EXIT_DONE);
    }
    if (words < 1)
        return complain("which model?  noether check MODEL.lag [NAME=VALUE ...] [options]");
    job.model = model_path(argv[0]);
    job.let = (const char *const *)(argv + 1);
    job.lets = words - 1;
    if (!are_assignments(job.let, job.lets)) return NOE_EXIT_BAD_USE;
    if (within && !whole("within", within, 0, 1000000, &seconds)) return NOE_EXIT_BAD_USE;
    job.within = (double)seconds;
    return printed(report(noe_certificate_run(&job, json != NULL, stdout)));
}
