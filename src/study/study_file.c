/* Reads the options of a study from the lines "KEY [SUBJECT] = VALUE  # comment" of a file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study.h"

#include "base/whole_file.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 20 };

static char *whole_file(noe_arena *a, const char *path)
{
    size_t length;
    char  *text = noe_whole_file_read(path, FILE_MOST, &length), *copy = NULL;
    if (!text) noe_whole_file_fail("", path, "the study");
    else if (length > FILE_MOST)
        noe_status_fail(NOE_INVALID, "%s: larger than 1 MB: not a study", path);
    else if (memchr(text, 0, length)) noe_status_fail(NOE_INVALID, "%s: not a text", path);
    else copy = noe_arena_copy(a, text, length);
    free(text);
    return copy;
}

static char *trim(char *from, char *end)
{
    while (from < end && strchr(" \t\r", *from)) from++;
    while (end > from && strchr(" \t\r", end[-1])) end--;
    *end = 0;
    return from;
}

/* Appends the option of one line. */
static bool add(noe_study *s, const char *path, char *line, int number, int *capacity)
{
    noe_study_option *option = (noe_study_option *)s->option;
    char             *equal = strchr(line, '='), *key = line;
    if (!equal)
        return noe_status_fail(NOE_INVALID, "%s:%d: expected KEY = VALUE, found '%.60s'", path,
                               number, line),
               false;
    char *value = trim(equal + 1, equal + strlen(equal)), *subject;
    key = trim(line, equal);
    subject = key + strcspn(key, " \t");
    if (*subject) *subject++ = 0;
    subject = trim(subject, subject + strlen(subject));
    if (!*key || !*value)
        return noe_status_fail(NOE_INVALID, "%s:%d: expected KEY = VALUE, one of them is missing",
                               path, number),
               false;
    if (s->options == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 32;
        noe_study_option *wider = noe_arena_take(s->arena, (size_t)*capacity * sizeof *wider);
        if (!wider) return false;
        if (s->options) memcpy(wider, option, (size_t)s->options * sizeof *wider);
        s->option = option = wider;
    }
    option[s->options++] = (noe_study_option){ key, subject, value, number };
    return true;
}

/* Removes comments, and appends lines that begin with a blank to the line before; each option
 * has the number of its first line. */
bool noe_study_file_read(noe_study *s, const char *path)
{
    char *text = whole_file(s->arena, path), *next, *open = NULL;
    int   number = 0, begun = 0, capacity = 0;
    for (char *line = text; line; line = next) {
        number++;
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        line[strcspn(line, "#")] = 0;
        const bool more = *line == ' ' || *line == '\t';
        char      *said = trim(line, line + strlen(line));
        if (!*said) continue;
        if (more && open) { /* appended to the line before */
            char *end = open + strlen(open);
            *end++ = ' ';
            memmove(end, said, strlen(said) + 1);
            continue;
        }
        if (open && !add(s, path, open, begun, &capacity)) return false;
        open = said;
        begun = number;
    }
    return text && (!open || add(s, path, open, begun, &capacity));
}
