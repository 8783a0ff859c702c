/* text + offset -> file:line:column, the line, a caret.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lang/source.h"

#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MOST = 65536, SHOWN = 100 };

static size_t line_start(const noe_source *s, size_t offset)
{
    while (offset > 0 && s->text[offset - 1] != '\n') offset--;
    return offset;
}

int noe_source_line(const noe_source *s, size_t offset)
{
    int line = 1;
    for (size_t i = 0; i < offset && i < s->length; i++) line += s->text[i] == '\n';
    return line;
}

static int follows(char c) { return ((unsigned char)c & 0xC0) == 0x80; } /* inside a UTF-8 character */

void noe_source_fail(const noe_source *s, size_t offset, const char *format, ...)
{
    if (offset > s->length) offset = s->length;
    char    message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);

    const size_t start = line_start(s, offset);
    int          column = 1;
    for (size_t i = start; i < offset; i++) column += !follows(s->text[i]);
    /* A window of the line around the column, on whole characters, control characters as blanks. */
    size_t from = offset - start > SHOWN / 2 ? offset - SHOWN / 2 : start, to = from;
    while (from > start && follows(s->text[from])) from--;
    while (to < s->length && to - from < SHOWN && s->text[to] != '\n' && s->text[to]) to++;
    while (to > from && to < s->length && follows(s->text[to])) to--;
    char shown[SHOWN + 1];
    int  caret = 0;
    for (size_t i = from; i < to; i++) {
        shown[i - from] = (unsigned char)s->text[i] < 32 ? ' ' : s->text[i];
        caret += i < offset && !follows(s->text[i]);
    }
    shown[to - from] = 0;
    noe_fail(NOE_SYNTAX, "%s:%d:%d: %s\n    %s\n    %*s^", s->name, noe_source_line(s, offset), column, message,
             shown, caret, "");
    longjmp(*s->stop, 1);
}

/* Length of the well-formed UTF-8 character at p (RFC 3629), 0 when there is none. */
static size_t utf8(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80) return 1;
    const size_t n = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4 || n > left) return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xC0) != 0x80) return 0;
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F)) return 0;
    return (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F) ? 0 : n;
}

void noe_source_check(const noe_source *s)
{
    size_t start = 0;
    for (size_t i = 0; i < s->length;) {
        const unsigned char c = (unsigned char)s->text[i];
        const size_t        n = utf8((const unsigned char *)s->text + i, s->length - i);
        if (c == 0) noe_source_fail(s, i, "a NUL byte: a model is a text file");
        if (n == 0) noe_source_fail(s, i, "byte 0x%02X is not UTF-8: a model is a text file", c);
        if ((c < 32 && c != '\n' && c != '\t' && c != '\r') || c == 127)
            noe_source_fail(s, i, "control character 0x%02X: a model is a text file", c);
        if (i - start > LINE_MOST) noe_source_fail(s, i, "the line is longer than %d bytes", LINE_MOST);
        if (c == '\n') start = i + 1;
        i += n;
    }
}

noe_nearest noe_nearest_to(const char *word, size_t length)
{
    return (noe_nearest){ .word = word, .length = length, .distance = (int)(length + 2) / 3 + 1 };
}

void noe_nearest_try(noe_nearest *n, const char *candidate)
{
    enum { MOST = 40 };
    const size_t m = strlen(candidate);
    if (n->length > MOST || m > MOST || m == 0) return;
    int row[MOST + 1]; /* Levenshtein distance, one row */
    for (size_t j = 0; j <= m; j++) row[j] = (int)j;
    for (size_t i = 1; i <= n->length; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            const int above = row[j], change = diagonal + (n->word[i - 1] != candidate[j - 1]);
            row[j] = change;
            if (above + 1 < row[j]) row[j] = above + 1;
            if (row[j - 1] + 1 < row[j]) row[j] = row[j - 1] + 1;
            diagonal = above;
        }
    }
    if (row[m] < n->distance) n->distance = row[m], n->best = candidate;
}
