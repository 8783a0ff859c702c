/* The values of the members of an ensemble, from a file, a sweep or random distributions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     "a = 0..1 in 5; b = 1..2 in 3"  ->  15 members;   "q ~ normal(0, 1e-3)"  ->  --members
 *
 * Computed values are written as decimals of 15 digits; the same text on a command line gives the
 * same bits.  The cells of a file are expressions, in which blanks and semicolons do not separate:
 * files of numbers alone are read by model/csv_table.c. */
#include "ensemble/member_values.h"

#include "job/program.h"
#include "number/decimal.h"
#include "number/random.h"
#include "base/csv_cells.h"
#include "base/status.h"
#include "base/whole_file.h"
#include "token/lexer.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 64 };
static const size_t BYTES_MOST = UINT32_MAX - 1; /* of a file; a device may have no end */

typedef struct {   /* one item of --sweep or --scatter */
    double a, b;   /* range a .. b; of a normal distribution mean a and standard deviation b */
    long   count;  /* of a sweep: number of values */
    bool   normal; /* of a scatter: normal distribution; else uniform in a .. b */
    bool   seeds;  /* of entries of a matrix: each member gets a random seed for them */
} item;

static const char *keep(noe_member_values *x, const char *text, size_t n)
{
    char *copy = noe_arena_take(x->arena, n + 1);
    if (!copy)
        return noe_status_fail(NOE_NO_MEMORY, "out of memory: the values of the members"), NULL;
    memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

static const char *trimmed(noe_member_values *x, const char *text, size_t n)
{
    while (n && strchr(" \t\r", *text)) text++, n--;
    while (n && strchr(" \t\r", text[n - 1])) n--;
    /* quotation marks, as spreadsheets write them */
    if (n > 1 && text[0] == '"' && text[n - 1] == '"') {
        text++;
        n -= 2;
    }
    return keep(x, text, n);
}

/* "stiffness[i,j]" and "normal(1, 1e-3)" -> "stiffness[i,j] normal(1, 1e-3)": the name under which
 * a member gets the seed of random matrix entries. */
static const char *joined(noe_member_values *x, const char *name, const char *text, size_t n)
{
    const size_t length = strlen(name);
    char        *both = noe_arena_take(x->arena, length + n + 2);
    if (!both)
        return noe_status_fail(NOE_NO_MEMORY, "out of memory: the values of the members"), NULL;
    memcpy(both, name, length);
    both[length] = ' ';
    memcpy(both + length + 1, text, n);
    return both;
}

static bool reserve(noe_member_values *x)
{
    x->value = noe_arena_take(x->arena, (size_t)x->count * (size_t)x->names * sizeof *x->value);
    if (!x->value) noe_status_fail(NOE_NO_MEMORY, "out of memory: %ld members", x->count);
    return x->value != NULL;
}

static bool put(noe_member_values *x, long member, int name, double value)
{
    char text[32];
    if (!isfinite(value)) {
        noe_status_fail(
            NOE_INVALID,
            "member %ld: the value of '%.60s' is not finite: expected a range that double holds",
            member + 1, x->name[name]);
        return false;
    }
    snprintf(text, sizeof text, "%.15g", value);
    return (x->value[member * x->names + name] = keep(x, text, strlen(text))) != NULL;
}

/* *value: the expression of parameters in from .. to, evaluated. */
static bool number(noe_member_values *x, const noe_model *m, const char *option, const char *from,
                   const char *to, double *value)
{
    quad        exact;
    const char *text = trimmed(x, from, (size_t)(to - from));
    if (!text || !noe_parse_model_value(m, option, text, &exact)) return false;
    *value = (double)exact;
    if (isfinite(*value)) return true;
    noe_status_fail(NOE_INVALID, "%s: %.60s is larger than what double holds", option, text);
    return false;
}

static bool bad(const char *option, const char *text, const char *expected)
{
    noe_status_fail(NOE_INVALID, "%s '%.*s': expected %s", option, (int)strcspn(text, ";"), text,
                    expected);
    return false;
}

static bool range(noe_member_values *x, const noe_model *m, const char *text, const char *end,
                  item *to)
{
    char expected[128];
    snprintf(expected, sizeof expected,
             "NAME = FIRST..LAST in COUNT, several with ';' between them, COUNT from 2 to %d",
             NOE_MEMBERS_MOST);
    const char *is = memchr(text, '=', (size_t)(end - text)), *dots = is ? strstr(is, "..") : NULL;
    const char *in = dots ? strstr(dots, " in ") : NULL;
    char       *tail;
    if (!in || in >= end || dots[2] == '.')
        return bad("--sweep", text, expected); /* 1...2 does not mean 1 .. 0.2 */
    to->count = strtol(in + 4, &tail, 10);
    tail += strspn(tail, " ");
    if (tail != end || to->count < 2 || to->count > NOE_MEMBERS_MOST)
        return bad("--sweep", text, expected);
    if (!(x->name[x->names] = trimmed(x, text, (size_t)(is - text)))) return false;
    return number(x, m, "--sweep", is + 1, dots, &to->a)
        && number(x, m, "--sweep", dots + 2, in, &to->b);
}

static bool distribution(noe_member_values *x, const noe_model *m, const char *text,
                         const char *end, item *to)
{
    static const char expected[] = "NAME ~ normal(MEAN, DEVIATION) or NAME ~ uniform(LEAST, MOST), "
                                   "several with ';' between them";
    const char       *is = memchr(text, '~', (size_t)(end - text)),
               *c = is ? is + 1 + strspn(is + 1, " ") : end, *last = end;
    while (last > text && last[-1] == ' ') last--;
    const bool  normal = !strncmp(c, "normal(", 7), uniform = !strncmp(c, "uniform(", 8);
    const char *open = c + (normal ? 7 : 8),
               *comma = normal || uniform ? memchr(open, ',', (size_t)(last - open)) : NULL;
    if (!comma || last[-1] != ')') return bad("--scatter", text, expected);
    if (!(x->name[x->names] = trimmed(x, text, (size_t)(is - text)))) return false;
    to->normal = normal;
    const char *index = strchr(x->name[x->names], '[');
    to->seeds = index && strchr(index, ',') && strspn(index + 1, "0123456789 ") == 0;
    if (to->seeds) x->name[x->names] = joined(x, x->name[x->names], c, (size_t)(last - c));
    if (!x->name[x->names]) return false;
    if (!number(x, m, "--scatter", open, comma, &to->a)
        || !number(x, m, "--scatter", comma + 1, last - 1, &to->b))
        return false;
    return to->b >= (normal ? 0 : to->a) || bad("--scatter", text, expected);
}

/* Reads the items of a text, separated by `;`, with the function `one`. */
static bool items(noe_member_values *x, const noe_model *m, const char *text, item *to,
                  bool (*one)(noe_member_values *, const noe_model *, const char *, const char *,
                              item *))
{
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, ";");
        if (x->names == NAMES_MOST)
            return noe_status_fail(NOE_INVALID, "expected at most %d names of members", NAMES_MOST),
                   false;
        if (!one(x, m, text, end, &to[x->names])) return false;
        x->names++;
    }
    return true;
}

static bool sweep(noe_member_values *x, const noe_model *m, const char *text)
{
    item axis[NAMES_MOST];
    char most[40];
    if (!*text) return bad("--sweep", text, "NAME = FIRST..LAST in COUNT");
    if (!items(x, m, text, axis, range)) return false;
    x->count = 1;
    snprintf(most, sizeof most, "at most %d members", NOE_MEMBERS_MOST);
    for (int i = 0; i < x->names; i++)
        if ((x->count *= axis[i].count) > NOE_MEMBERS_MOST) return bad("--sweep", text, most);
    if (!reserve(x)) return false;
    for (long k = 0; k < x->count; k++) {
        long left = k; /* the last name varies fastest */
        for (int i = x->names - 1; i >= 0; i--) {
            const long n = axis[i].count, at = left % n;
            const quad last = n - 1;
            if (!put(x, k, i, (double)((axis[i].a * (last - at) + axis[i].b * (quad)at) / last)))
                return false;
            left /= n;
        }
    }
    return true;
}

/* Random values are drawn member after member, so that the values of member k do not depend on the
 * number of members. */
static bool scatter(noe_member_values *x, const noe_model *m, const noe_job *j)
{
    item     of[NAMES_MOST];
    uint64_t seed = (uint64_t)j->seed;
    if (!*j->scatter) return bad("--scatter", "", "NAME ~ normal(MEAN, DEVIATION)");
    if (!items(x, m, j->scatter, of, distribution)) return false;
    x->count = j->members;
    if (!reserve(x)) return false;
    for (long k = 0; k < x->count; k++)
        for (int i = 0; i < x->names; i++) {
            const item *d = &of[i];
            if (!put(x, k, i,
                     d->seeds    ? floor(1e15 * noe_random_uniform(&seed))
                     : d->normal ? d->a + d->b * noe_random_normal(&seed)
                                 : d->a + (d->b - d->a) * noe_random_uniform(&seed)))
                return false;
        }
    return true;
}

/* to: the cells of a line, which end with a 0 from then on; returns their number. */
static int cells(noe_member_values *x, const noe_csv_lines *line, const char **to)
{
    int n = 0;
    for (const char *c = line->from; c && n <= NAMES_MOST; n++) {
        size_t      length;
        const char *word = noe_csv_cells_next(&c, line->end, ",", &length);
        if (n < NAMES_MOST) to[n] = word;
        x->file[word - x->file + (ptrdiff_t)length] = 0;
    }
    return n;
}

static bool add_line(noe_member_values *x, const char *path, const noe_csv_lines *line, long *wide)
{
    const char *cell[NAMES_MOST];
    const int   at = line->line, n = cells(x, line, cell);
    for (int i = 0; i < n && i < NAMES_MOST; i++)
        if (!*cell[i] || n > NAMES_MOST)
            return noe_status_fail(NOE_SYNTAX, "%s:%d: expected %s, none empty, at most %d", path,
                                   at, x->names ? "values" : "names of parameters and starts",
                                   NAMES_MOST),
                   false;
    if (!x->names) return memcpy(x->name, cell, (size_t)n * sizeof *cell), x->names = n, true;
    if (n != x->names)
        return noe_status_fail(NOE_SYNTAX,
                               "%s:%d: expected %d values, as the first line has names; found %d",
                               path, at, x->names, n),
               false;
    if (x->count == *wide) {
        const char **more = noe_arena_take(x->arena, (size_t)(*wide = 2 * *wide + 64) * (size_t)n
                                                         * sizeof *more);
        long        *line_of = noe_arena_take(x->arena, (size_t)*wide * sizeof *line_of);
        if (!more || !line_of)
            return noe_status_fail(NOE_NO_MEMORY, "out of memory: the members of %s", path), false;
        if (x->count) memcpy(more, x->value, (size_t)x->count * (size_t)n * sizeof *more);
        if (x->count) memcpy(line_of, x->line, (size_t)x->count * sizeof *line_of);
        x->value = more;
        x->line = line_of;
    }
    x->line[x->count] = at;
    memcpy(x->value + x->count++ * n, cell, (size_t)n * sizeof *cell);
    return true;
}

static bool file(noe_member_values *x, const char *path)
{
    size_t length;
    long   wide = 0;
    x->file = noe_whole_file_read(path, BYTES_MOST, &length);
    if (!x->file) return noe_whole_file_fail("--ensemble ", path, "it"), false;
    if (length > BYTES_MOST)
        return noe_status_fail(NOE_INVALID, "--ensemble %s: more than 4 GB of data", path), false;
    noe_csv_lines line = noe_csv_cells_begin(x->file, length);
    while (noe_csv_cells_row(&line) && !line.zero)
        if (!add_line(x, path, &line, &wide)) return false;
    if (line.zero)
        return noe_status_fail(NOE_SYNTAX, "%s:%d: a NUL byte: expected a text file", path,
                               line.zero),
               false;
    if (!x->count)
        noe_status_fail(NOE_SYNTAX,
                        "--ensemble %s: expected a line of names, \"theta0,l1\", and a line of "
                        "values for each member",
                        path);
    return x->count > 0;
}

/* The numbers that a program gives. */
static bool numbers(noe_member_values *x, const noe_program *p)
{
    char text[NOE_NUMBER_SIZE];
    if (p->names > NAMES_MOST || p->members > NOE_MEMBERS_MOST)
        return noe_status_fail(NOE_INVALID, "expected at most %d names and %d members", NAMES_MOST,
                               NOE_MEMBERS_MOST),
               false;
    for (int i = 0; i < p->names; i++)
        if (!(x->name[x->names++] = trimmed(x, p->name[i], strlen(p->name[i])))) return false;
    x->count = p->members;
    if (!reserve(x)) return false;
    for (long i = 0; i < x->count * x->names; i++) {
        const int length = noe_decimal_write_double(text, p->value[i]);
        if (!(x->value[i] = keep(x, text, (size_t)length))) return false;
    }
    return true;
}

bool noe_member_values_make(noe_member_values *x, const noe_job *j, const noe_model *m)
{
    *x = (noe_member_values){ .arena = noe_arena_new() };
    x->name = x->arena ? noe_arena_take(x->arena, NAMES_MOST * sizeof *x->name) : NULL;
    if (!x->name) return noe_status_fail(NOE_NO_MEMORY, "out of memory: the members"), false;
    if (!(j->program    ? numbers(x, j->program)
          : j->ensemble ? file(x, j->ensemble)
          : j->sweep    ? sweep(x, m, j->sweep)
                        : scatter(x, m, j)))
        return false;
    for (int i = 0; i < x->names; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(x->name[i], x->name[k]))
                return noe_status_fail(NOE_INVALID, "the members get '%.60s' twice", x->name[i]),
                       false;
    return true;
}

bool noe_member_values_number(const noe_member_values *x, long member, int name, quad *to)
{
    const char *text = noe_member_values_text(x, member, name);
    return *text != '+' && noe_lexer_number(text, strlen(text), to);
}

void noe_member_values_drop(noe_member_values *x)
{
    free(x->file);
    noe_arena_free(x->arena);
}
