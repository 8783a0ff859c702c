/* goal = old file, until rename(2): then goal = new file, never half of one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_ATOMIC_FILE_H
#define NOE_BASE_ATOMIC_FILE_H

#include "base/status.h"

#include <stdio.h>

typedef struct {
    FILE *file;
    char *goal; /* where it goes, links followed; NULL: standard output */
    char *path; /* where it is being written, in the same folder */
} noe_temp;

noe_status  noe_temp_open(noe_temp *, const char *goal); /* NULL: standard output; on failure drops itself */
noe_status  noe_temp_keep(noe_temp *); /* everything is on the disk and in place, or dropped */
void        noe_temp_drop(noe_temp *);
const char *noe_temp_name(const noe_temp *); /* for messages */
noe_status  noe_temp_fail(const noe_temp *); /* the message for a failed write, from errno */

#endif
