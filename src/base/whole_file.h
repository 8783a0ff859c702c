/* Reads a file as a whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_WHOLE_FILE_H
#define NOE_BASE_WHOLE_FILE_H

#include "base/status.h"

#include <stddef.h>

/* Bytes of a file of numbers, 256 MB: what is read as a whole is in memory twice, as text and as
 * numbers. */
enum { NOE_DATA_FILE_MOST = 1 << 28 };

/* The bytes of a file and a closing 0, for free().  At most most + 1 bytes are read; *length > most
 * means that the file is longer than `most`.  NULL: the file cannot be read, see errno. */
char *noe_whole_file_read(const char *path, size_t most, size_t *length);
/* The message of that NULL: "--times a.csv: cannot read the times: why", or "--times a.csv: out of
 * memory"; option: "--times ", or "".  NOE_IO or NOE_NO_MEMORY. */
noe_status noe_whole_file_fail(const char *option, const char *path, const char *what);

#endif
