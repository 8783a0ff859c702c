/* A growing text, numbers and terms as text, and a text written to a file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include "base/atomic_file.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1024 };

noe_text noe_text_new(noe_arena *arena)
{
    const size_t capacity = 4 * PIECE;
    return (noe_text){ .data = arena ? noe_arena_take(arena, capacity)
                                     : noe_status_alloc(1, capacity),
                       .capacity = capacity,
                       .arena = arena };
}

static char *wider(noe_text *t)
{
    char *more = t->arena ? noe_arena_take(t->arena, 2 * t->capacity)
                          : realloc(t->data, 2 * t->capacity);
    if (more && t->arena) memcpy(more, t->data, t->length + 1);
    if (!more && !t->arena) free(t->data);
    if (!more)
        noe_status_fail(NOE_NO_MEMORY, "out of memory: a text of %zu bytes", 2 * t->capacity);
    t->capacity *= 2;
    return more;
}

void noe_text_add(noe_text *t, const char *format, ...)
{
    va_list args;
    if (!t->data) return;
    if (t->capacity - t->length < PIECE && !(t->data = wider(t))) return;
    va_start(args, format);
    const int n = vsnprintf(t->data + t->length, PIECE, format, args);
    va_end(args);
    t->length += (size_t)(n < PIECE ? n : PIECE - 1);
}

void noe_text_add_long(noe_text *t, const char *from, size_t length)
{
    enum { PART = PIECE / 2 };
    for (size_t i = 0; i < length; i += PART)
        noe_text_add(t, "%.*s", (int)(length - i < PART ? length - i : PART), from + i);
}

void noe_text_number(quad x, char out[64])
{
    for (int q = 1; q <= 1000; q++)
        if (roundq(x * q) / q == x && fabsq(x * q) < 1e15) {
            snprintf(out, 64, q == 1 ? "%.0f" : "%.0f/%d", (double)(x * q), q);
            return;
        }
    quadmath_snprintf(out, 64, "%.34Qg", x);
}

void noe_text_term(noe_text *w, quad c, const char *a, const char *b, const char *d)
{
    char        text[64];
    const char *factor[3] = { a, b, d };
    noe_text_number(fabsq(c), text);
    noe_text_add(w, w->length ? (c < 0 ? " - " : " + ") : (c < 0 ? "-" : ""));
    bool first = fabsq(c) == 1;
    if (!first) noe_text_add(w, strchr(text, '/') ? "(%s)" : "%s", text);
    for (int i = 0; i < 3; i++)
        if (factor[i][0]) {
            noe_text_add(w, first ? "%s" : "*%s", factor[i]);
            first = false;
        }
    if (first) noe_text_add(w, "1");
}

/* Is the path the file of the standard output (/dev/stdout)?  Replacing that file would lose the
 * other output of this process. */
static bool standard_output(const char *path)
{
    struct stat a, b;
    return !stat(path, &a) && !fstat(STDOUT_FILENO, &b) && a.st_dev == b.st_dev
        && a.st_ino == b.st_ino;
}

noe_status noe_text_write(const char *path, const char *text)
{
    noe_atomic_file to;
    if (!text) return NOE_INVALID;
    noe_status s = noe_atomic_file_open(&to, path && !standard_output(path) ? path : NULL);
    if (s) return s;
    if (fputs(text, to.file) >= 0) return noe_atomic_file_keep(&to);
    s = noe_atomic_file_fail(&to);
    noe_atomic_file_drop(&to);
    return s;
}
