/* Source texts and places in them, for messages: file:line:column, the line, a caret.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "token/source.h"

#include "base/status.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
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

/* inside a UTF-8 character */
static int follows(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

int noe_source_shown(const char *word, size_t length, int most)
{
    if (length <= (size_t)most) return (int)length;
    while (most > 0 && follows(word[most])) most--;
    return most;
}

/* The end of a path: a message has room for that much. */
static const char *tail(const char *name)
{
    enum { NAME_MOST = 200 };
    const size_t length = strlen(name);
    if (length > NAME_MOST) name += length - NAME_MOST;
    while (follows(*name)) name++;
    return name;
}

/* Bytes of the character at i; what is not UTF-8 counts byte by byte. */
static size_t width(const noe_source *s, size_t i)
{
    const int n = noe_utf8(s->text + i);
    return n ? (size_t)n : 1;
}

/* The character at i as a terminal may see it: n bytes, or a blank, or a question mark. */
static size_t print(const noe_source *s, size_t i, char *out)
{
    const unsigned char *p = (const unsigned char *)s->text + i;
    const size_t         n = (size_t)noe_utf8(s->text + i);
    const bool           strange = n == 0 || *p == 127 || (*p == 0xC2 && p[1] < 0xA0);
    memcpy(out, p, n);
    if (strange || *p < 32) *out = strange ? '?' : ' ';
    return strange ? 1 : n;
}

void noe_source_place(const noe_source *s, size_t offset, const char *message, char *out,
                      size_t size)
{
    int column = 1;
    for (size_t i = line_start(s, offset); i < offset; i += width(s, i)) column++;
    snprintf(out, size, "%s:%d:%d: %s", tail(s->name), noe_source_line(s, offset), column, message);
}

void noe_source_fail(const noe_source *s, size_t offset, const char *format, ...)
{
    if (offset >= s->length) /* the end of the text is after what stands last in it */
        for (offset = s->length; offset > 0 && (unsigned char)s->text[offset - 1] <= ' ';) offset--;
    char    message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);

    const size_t start = line_start(s, offset);
    size_t       from = start, n = 0; /* a window of the line around the column */
    int          column = 1, caret = 0;
    char         shown[SHOWN + 5];
    for (size_t i = start; i < offset; i += width(s, i)) column++;
    while (offset > from + SHOWN / 2) from += width(s, from);
    for (size_t i = from; i < offset; i += width(s, i)) caret++;
    for (size_t i = from; i < s->length && s->text[i] != '\n' && n < SHOWN; i += width(s, i))
        n += print(s, i, shown + n);
    shown[n] = 0;
    noe_status_fail(NOE_SYNTAX, "%s:%d:%d: %s\n    %s\n    %*s^", tail(s->name),
                    noe_source_line(s, offset), column, message, shown, caret, "");
    longjmp(*s->stop, 1);
}

void noe_source_check(const noe_source *s)
{
    size_t start = 0;
    for (size_t i = 0; i < s->length;) {
        const unsigned char c = (unsigned char)s->text[i];
        const size_t        n = (size_t)noe_utf8(s->text + i);
        if (c == 0) noe_source_fail(s, i, "a NUL byte: a model is a text file");
        if (n == 0) noe_source_fail(s, i, "byte 0x%02X is not UTF-8: a model is a text file", c);
        if ((c < 32 && c != '\n' && c != '\t' && c != '\r') || c == 127)
            noe_source_fail(s, i, "control character 0x%02X: a model is a text file", c);
        if (c == 0xC2 && (unsigned char)s->text[i + 1] < 0xA0) /* U+0080 .. U+009F */
            noe_source_fail(s, i, "control character 0x%02X: a model is a text file",
                            (unsigned char)s->text[i + 1]);
        if (i - start > LINE_MOST)
            noe_source_fail(s, i, "the line is longer than %d bytes", LINE_MOST);
        if (c == '\n') start = i + 1;
        i += n;
    }
}
