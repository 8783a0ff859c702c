/* Reads a file as a whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_WHOLE_FILE_H
#define NOE_BASE_WHOLE_FILE_H

#include <stddef.h>

/* The bytes of a file and a closing 0, for free(); no more than most + 1 of them are read, so that
 * *length > most where the file is longer.  NULL: it cannot be read, errno says why. */
char *noe_whole_file_read(const char *path, size_t most, size_t *length);

#endif
