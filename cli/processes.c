/* The command noether is one process.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

const struct noe_processes *processes(void) { return NULL; }

int run_study(const noe_study_job *job, FILE *to) { return noe_study_run(job, to); }
