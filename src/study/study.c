/* Runs a study, from options to exit status.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_files.h"

static bool go(noe_study *s, FILE *to)
{
    noe_drift d = { 0 };
    if (s->kind == NOE_DRIFT)
        return noe_study_drift_make(s, &d) && noe_study_files_write(s, &d, to);
    return noe_convergence_find(s) && (s->kind != NOE_WORK || noe_study_work_measure(s))
        && noe_study_files_write(s, NULL, to);
}

int noe_study_run(const noe_study_job *job, FILE *to)
{
    noe_study s = { .job = job };
    int       status = NOE_EXIT_BAD_USE;
    if (noe_study_files_fit(job) && noe_study_setup_make(&s) && go(&s, to))
        status = noe_study_files_verdict(&s, s.stopped ? *job->interrupted : 0);
    noe_study_setup_drop(&s);
    return status;
}
