/* A study as words, and what it prints.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_WORDS_H
#define STUDY_WORDS_H

#include "scratch.h"
#include "study/study_verdict.h"

static UNUSED noe_study_job words(const char *model, const char *const *let, int lets,
                                  noe_study_option *word, int count)
{
    return (noe_study_job){ .kind = "convergence",
                            .model = model,
                            .option = word,
                            .options = count,
                            .let = let,
                            .lets = lets,
                            .quiet = 1 };
}

static UNUSED char *printed(noe_study_job *job, int *status)
{
    char  *text = NULL;
    size_t length;
    FILE  *to = open_memstream(&text, &length);
    *status = noe_study_run(job, to);
    fclose(to);
    return text;
}

#endif
