/* Files replaced atomically: the goal is the old file until rename(2), then the complete new file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_ATOMIC_FILE_H
#define NOE_BASE_ATOMIC_FILE_H

#include "base/status.h"

#include <stdio.h>

typedef struct {
    FILE *file; /* the temporary file, open for writing */
    char *goal; /* final path, links followed; NULL: standard output */
    char *path; /* temporary path in the same folder, being written */
} noe_atomic_file;

/* Opens a temporary file in the folder of goal; NULL: standard output.  On failure with a message,
 * nothing to drop. */
noe_status noe_atomic_file_open(noe_atomic_file *, const char *goal);
/* Writes all data to the disk and renames the file to goal; on failure drops the file, with a
 * message. */
noe_status  noe_atomic_file_keep(noe_atomic_file *);
void        noe_atomic_file_drop(noe_atomic_file *);
const char *noe_atomic_file_name(const noe_atomic_file *); /* for messages */
/* Records the message for a failed write, from errno. */
noe_status noe_atomic_file_fail(const noe_atomic_file *);

#endif
