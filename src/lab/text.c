/* text <- text + piece: a text that grows, and a file that holds it whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lab/text.h"

#include "lab/lab.h"
#include "run/temp.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1024 };

noe_text noe_text_new(void) { return (noe_text){ .data = noe_alloc(1, 4 * PIECE), .room = 4 * PIECE }; }

void noe_say(noe_text *t, const char *format, ...)
{
    va_list args;
    if (!t->data) return;
    if (t->room - t->length < PIECE) {
        char *wider = realloc(t->data, t->room *= 2);
        if (!wider) free(t->data);
        t->data = wider;
        if (!wider) return;
    }
    va_start(args, format);
    const int n = vsnprintf(t->data + t->length, PIECE, format, args);
    va_end(args);
    t->length += (size_t)(n < PIECE ? n : PIECE - 1);
}

/* /dev/stdout, redirected to a file: replacing that file would lose what else is written to it. */
static bool standard_output(const char *path)
{
    struct stat a, b;
    return !stat(path, &a) && !fstat(STDOUT_FILENO, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

noe_status noe_text_write(const char *path, const char *text)
{
    noe_temp to;
    if (!text) return NOE_INVALID;
    noe_status s = noe_temp_open(&to, path && !standard_output(path) ? path : NULL);
    if (s) return s;
    if (fputs(text, to.file) >= 0) return noe_temp_keep(&to);
    s = noe_temp_fail(&to);
    noe_temp_drop(&to);
    return s;
}
