/* Reads a file as a whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *noe_whole_file_read(const char *path, size_t most, size_t *length)
{
    FILE  *f = fopen(path, "rb");
    size_t room = 4096, used = 0;
    char  *text = f ? malloc(room) : NULL;
    if (f && !text) errno = ENOMEM;
    while (text) {
        const size_t left = most + 1 - used, wish = room - 1 - used;
        used += fread(text + used, 1, wish < left ? wish : left, f);
        if (used < room - 1 || used > most) break;
        char *wider = realloc(text, room *= 2);
        if (!wider) free(text), errno = ENOMEM;
        text = wider;
    }
    const int why = errno;
    if (text && ferror(f)) free(text), text = NULL;
    if (text) text[used] = 0;
    if (f) fclose(f);
    errno = why;
    *length = used;
    return text;
}

noe_status noe_whole_file_fail(const char *option, const char *path, const char *what)
{
    if (errno == ENOMEM) return noe_status_fail(NOE_NO_MEMORY, "%s%s: out of memory", option, path);
    return noe_status_fail(NOE_IO, "%s%s: cannot read %s: %s", option, path, what, strerror(errno));
}
