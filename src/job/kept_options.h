/* The options of a run, beside method, step and digits, with which --from goes on.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As text, in a file: "solver=newton window=2 factorise=1 bits=1". */
#ifndef NOE_JOB_KEPT_OPTIONS_H
#define NOE_JOB_KEPT_OPTIONS_H

#include "job/verbs.h"

enum { NOE_KEPT_OPTIONS_ROOM = 80 }; /* characters of the text */

/* Where the job continues no run: its own options.  The name of a solver is not checked here. */
void noe_kept_options_write(const noe_job *, char text[NOE_KEPT_OPTIONS_ROOM]);
/* *to = the job with the options of the text; solver: memory for its name.  false with a message:
 * the text is none of these. */
bool noe_kept_options_read(const noe_job *, const char *text, char solver[NOE_KEPT_OPTIONS_ROOM],
                           noe_job *to);
/* One of these options that the job gives, as "--solver"; NULL: none. */
const char *noe_kept_options_given(const noe_job *);

#endif
