/* Output times: t_0 < t_1 < .. from a list, a file, or evenly spaced; ranges are not written out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rows/output_times.h"

#include "base/csv_cells.h"
#include "base/status.h"
#include "base/whole_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ITEM_MOST = 200 };
static const double COUNT_MOST = 2e9;
static const char   EXPECTED[] =
    "times and ranges with commas between them, as \"0, 0.1, 1..10 in 100\"";

/* What a list is read from, for messages. */
typedef struct {
    noe_output_times *to;
    const noe_model  *model;
    const char       *file; /* NULL: the command line */
    int               line; /* of the file */
    int               room; /* ranges there is room for */
} reader;

static bool refuse(const reader *r, const char *item, const char *expected)
{
    if (r->file)
        noe_status_fail(NOE_SYNTAX, "--times %s:%d: '%.60s': expected %s", r->file, r->line, item,
                        expected);
    else noe_status_fail(NOE_INVALID, "--times '%.60s': expected %s", item, expected);
    return false;
}

/* The number from `from` to `to`. */
static bool number(const reader *r, const char *from, const char *to, quad *x)
{
    char text[ITEM_MOST + 1], what[ITEM_MOST + 80];
    while (from < to && strchr(" \t\r", *from)) from++;
    while (from < to && strchr(" \t\r", to[-1])) to--;
    const size_t n = (size_t)(to - from);
    if (!n || n > ITEM_MOST) return refuse(r, n ? from : "", EXPECTED);
    memcpy(text, from, n);
    text[n] = 0;
    if (r->file) snprintf(what, sizeof what, "--times %.150s:%d", r->file, r->line);
    if (!noe_parse_model_value(r->model, r->file ? what : "--times", text, x)) return false;
    if (r->to->in_double) *x = (double)*x;
    return finiteq(*x) || refuse(r, text, "a finite time");
}

static bool add(reader *r, noe_time_range x, const char *item)
{
    noe_output_times *t = r->to;
    if (t->ranges) { /* a range that begins where the one before ends has that time once */
        const quad before = t->range[t->ranges - 1].last;
        if (x.count > 1 && x.first == before) {
            x.first += (x.last - x.first) / (x.count - 1);
            x.count--;
        } else if (x.first == before) return refuse(r, item, "another time than the one before");
    }
    if (t->ranges == r->room) {
        const int       room = r->room ? 2 * r->room : 8;
        noe_time_range *more = realloc(t->range, (size_t)room * sizeof *more);
        if (!more) return noe_status_fail(NOE_NO_MEMORY, "out of memory: --times"), false;
        t->range = more, r->room = room;
    }
    t->range[t->ranges++] = x;
    t->count += x.count;
    return true;
}

/* "3", "pi/2", "1..10 in 100". */
static bool item(reader *r, const char *from, const char *to)
{
    char text[2 * ITEM_MOST + 1];
    while (from < to && strchr(" \t\r", *from)) from++;
    const size_t n = (size_t)(to - from);
    if (n > sizeof text - 1) return refuse(r, from, EXPECTED);
    memcpy(text, from, n);
    text[n] = 0;
    const char *end = text + n, *dots = strstr(text, ".."),
               *in = dots ? strstr(dots, " in ") : NULL;
    noe_time_range x = { .count = 1 };
    char          *tail;
    if (!dots) {
        if (!number(r, text, end, &x.first)) return false;
        x.last = x.first;
        return add(r, x, text);
    }
    if (!in || dots[2] == '.') return refuse(r, text, "a range FIRST..LAST in COUNT");
    x.count = strtod(in + 4, &tail);
    tail += strspn(tail, " \t\r");
    if (tail != end || !(x.count >= 2 && x.count <= COUNT_MOST) || x.count != floor(x.count))
        return refuse(r, text, "a range FIRST..LAST in COUNT, COUNT from 2 to 2000000000");
    if (!number(r, text, dots, &x.first) || !number(r, dots + 2, in, &x.last)) return false;
    if (x.first == x.last) return refuse(r, text, "a range whose ends differ");
    return add(r, x, text);
}

/* The items of a list, with commas between them that are not in parentheses. */
static bool list(reader *r, const char *text)
{
    int depth = 0;
    for (const char *from = text, *at = text;; at++) {
        depth += *at == '(', depth -= *at == ')';
        if (*at && (*at != ',' || depth > 0)) continue;
        if (!item(r, from, at)) return false;
        from = at + 1;
        if (!*at) return true;
    }
}

static bool lines(reader *r, char *text, size_t length)
{
    noe_csv_lines x = noe_csv_cells_begin(text, length);
    while (noe_csv_cells_row(&x) && !x.zero) {
        r->line = x.line;
        char *line = text + (x.from - text), *end = text + (x.end - text);
        *end = 0;
        end = line + strcspn(line, "#");
        while (end > line && strchr(" \t\r,", end[-1])) end--;
        *end = 0;
        if (*line && !list(r, line)) return false;
    }
    if (x.zero)
        noe_status_fail(NOE_SYNTAX, "--times %s:%d: a NUL byte: expected a text file", r->file,
                        x.zero);
    return !x.zero;
}

/* The times of a file, whose lines have lists of them, and comments that begin with #. */
static bool file(reader *r, const char *path)
{
    size_t length;
    char  *text = noe_whole_file_read(path, NOE_DATA_FILE_MOST, &length);
    if (!text) return noe_whole_file_fail("--times ", path, "the times"), false;
    r->file = path;
    bool ok = lines(r, text, length);
    free(text);
    if (ok && length > NOE_DATA_FILE_MOST)
        ok = !noe_status_fail(NOE_INVALID, "--times %s: more than 256 MB of times", path);
    if (ok && !r->to->ranges)
        ok = !noe_status_fail(NOE_INVALID, "--times %s: the file has no times", path);
    return ok;
}

/* Does the text look like the name of a file: "times.txt", "/data/times", "../times"? */
static bool looks_like_a_file(const char *text)
{
    if (*text == '/' || *text == '~' || !strncmp(text, "./", 2) || !strncmp(text, "../", 3))
        return true;
    const char *dot = strrchr(text, '.');
    return dot && !strpbrk(text, ", ()*") && (dot[1] | 32) >= 'a' && (dot[1] | 32) <= 'z';
}

bool noe_output_times_parse(noe_output_times *t, const noe_model *m, const char *text)
{
    reader      r = { .to = t, .model = m };
    struct stat s;
    if (!text[strspn(text, " \t\r\n")])
        return noe_status_fail(NOE_INVALID, "--times is empty: expected %s, or a file", EXPECTED),
               false;
    const int none = stat(text, &s);
    if (!none && !S_ISDIR(s.st_mode)) return file(&r, text);
    const int why = none ? errno : EISDIR;
    if (looks_like_a_file(text))
        return noe_status_fail(NOE_IO, "--times %s: %s", text,
                               why == ENOENT ? "no such file" : strerror(why)),
               false;
    return list(&r, text);
}

bool noe_output_times_even(noe_output_times *t, double count, quad first, quad last)
{
    reader r = { .to = t };
    return add(&r, (noe_time_range){ first, last, count }, "--rows");
}

bool noe_output_times_list(noe_output_times *t, const double *time, long count)
{
    char   text[32];
    reader r = { .to = t };
    for (long i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%.17g", time[i]);
        if (!isfinite(time[i])) return refuse(&r, text, "a finite time");
        if (!add(&r, (noe_time_range){ time[i], time[i], 1 }, text)) return false;
    }
    return true;
}

/* Time k of a range. */
static quad time_of(const noe_output_times *t, const noe_time_range *x, double k)
{
    const quad y = k == x->count - 1 ? x->last
                                     : x->first + (x->last - x->first) * k / (x->count - 1);
    return x->count == 1 ? x->first : t->in_double ? (double)y : y;
}

bool noe_output_times_within(const noe_output_times *t, quad from, quad until)
{
    if (t->in_double) from = (double)from, until = (double)until;
    const int   way = until < from ? -1 : 1;
    const char *expected = way > 0 ? "expected times that ascend"
                                   : "expected times that descend, as the run goes back in time";
    for (int i = 0; i < t->ranges; i++) {
        const noe_time_range *x = &t->range[i];
        if (i && way * (x->first - x[-1].last) < 0)
            return noe_status_fail(NOE_INVALID, "--times: %.12g comes after %.12g: %s",
                                   (double)x->first, (double)x[-1].last, expected),
                   false;
        if (way * (x->last - x->first) < 0)
            return noe_status_fail(NOE_INVALID,
                                   "--times: the range %.12g..%.12g goes the other way: %s",
                                   (double)x->first, (double)x->last, expected),
                   false;
    }
    for (int i = 0; i < t->ranges; i++) {
        const quad first = t->range[i].first, last = t->range[i].last;
        const quad x = t->in_double ? (double)first : first, y = t->in_double ? (double)last : last;
        const bool early = way * (x - from) < 0;
        if (early || way * (until - y) < 0)
            return noe_status_fail(NOE_INVALID,
                                   "--times: %.12g lies outside the run, from %.12g to %.12g",
                                   (double)(early ? x : y), (double)from, (double)until),
                   false;
    }
    return true;
}

quad noe_output_times_last(const noe_output_times *t)
{
    return t->ranges ? t->range[t->ranges - 1].last : 0;
}

bool noe_output_times_next(noe_output_times *t, quad *next)
{
    if (t->at == t->ranges) return false;
    const noe_time_range *x = &t->range[t->at];
    *next = time_of(t, x, t->taken++);
    if (t->taken == x->count) t->at++, t->taken = 0;
    return true;
}

void noe_output_times_free(noe_output_times *t)
{
    free(t->range);
    t->range = NULL;
}
