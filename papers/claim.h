/* a claim of a paper -> what it was tested with, what was measured, the bound, the verdict.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One line each. A paper's claims are a small program of their own.  They know noether only as
 * the command: states come from `noether run ... --digits 33`, the formulas of the paper are
 * computed here, in binary128.  NOETHER names the command (build/noether when silent). */
#ifndef CLAIM_H
#define CLAIM_H

#include <quadmath.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

typedef __float128 quad;

#define NUM(x) strtoflt128(#x, NULL)
#define EPS 0x1p-112Q
#define SOME static __attribute__((unused))

static int failures;

/* WHAT the paper says holds: MEASURED <= BOUND. */
SOME void claim(const char *what, const char *test, quad measured, quad bound)
{
    const int holds = measured <= bound;
    failures += !holds;
    printf("claim\t%s\t%s\t%.3g\t%.2g\t%s\n", what, test, (double)measured, (double)bound,
           holds ? "holds" : "FAILS");
}

/* An erratum that is no single number. */
SOME void erratum_shown(const char *name, const char *test, const char *printed, const char *right,
                        int shown)
{
    failures += !shown;
    printf("erratum\t%s\t%s\t%s\t%s\t%s\n", name, test, printed, right,
           shown ? "shown" : "NOT SHOWN");
}

/* An erratum, named as in errata.md: the formula as printed misses by PRINTED, as it is right
 * only by RIGHT. */
SOME void erratum(const char *name, const char *test, quad printed, quad right)
{
    const int shown = printed > 1000 * right && right >= 0;
    failures += !shown;
    printf("erratum\t%s\t%s\t%.3g\t%.3g\t%s\n", name, test, (double)printed, (double)right,
           shown ? "shown" : "NOT SHOWN");
}

/* A remark, named as in remarks.md: what the text says is no error, but SEEN must be so. */
SOME void remark(const char *name, const char *test, const char *seen, int so)
{
    failures += !so;
    printf("remark\t%s\t%s\t%s\t%s\n", name, test, seen, so ? "seen" : "NOT SEEN");
}

SOME void number_of(const char *kind, const char *table, const char *row, const char *printed,
                    quad measured)
{
    char shown[40];
    int  digits = 0, exponent = 0, point = 0;
    for (const char *c = printed; *c; c++) {
        if (*c == 'e') {
            exponent = atoi(c + 1);
            break;
        }
        if (*c == '.') point = 1;
        else if (*c != '-') digits += point;
    }
    const quad unit = powq(10, exponent - digits),
               off = fabsq(strtoflt128(printed, NULL) - measured);
    const int reproduced = off <= unit * 1.000001Q;
    failures += !reproduced;
    quadmath_snprintf(shown, sizeof shown, "%.*Qe", digits + 2, measured);
    printf("%s\t%s\t%s\t%s\t%s\t%.2g\t%s\n", kind, table, row, printed, shown, (double)(off / unit),
           reproduced ? "reproduced" : "DIFFERS");
}

/* A number of a table that no study makes: PRINTED in the paper, as text, its digits count,
 * within one unit of the last. */
SOME void number(const char *table, const char *row, const char *printed, quad measured)
{
    number_of("number", table, row, printed, measured);
}

/* The same for a number that no text prints: another program has it. */
SOME void recomputed(const char *table, const char *row, const char *other, quad measured)
{
    number_of("recomputed", table, row, other, measured);
}

/* A recomputed number that belongs to one of many trajectories, as those of a chaotic system do:
 * of its size only. */
SOME void same_size(const char *table, const char *row, const char *other, quad measured,
                    quad factor)
{
    char       verdict[60];
    const quad ratio = measured / strtoflt128(other, NULL);
    const int  holds = ratio <= factor && ratio >= 1 / factor;
    failures += !holds;
    snprintf(verdict, sizeof verdict,
             holds ? "within a factor of %g" : "DIFFERS by more than a factor of %g",
             (double)factor);
    printf("recomputed\t%s\t%s\t%s\t%.4e\t-\t%s\n", table, row, other, (double)measured, verdict);
}

/* A row of a table without a verdict: its cells as text, ended by NULL.  The first row of a
 * table names its columns. */
SOME void cells(const char *table, ...)
{
    va_list cell;
    printf("row\t%s", table);
    va_start(cell, table);
    for (const char *c; (c = va_arg(cell, const char *));) printf("\t%s", c);
    va_end(cell);
    printf("\n");
}

SOME quad largest(quad a, quad b) { return !(fabsq(b) <= a) ? fabsq(b) : a; } /* a NAN stays */

/* Uniform in (-1, 1), the same sequence in every run: Vigna's splitmix64. */
SOME quad some(void)
{
    static uint64_t seed = 20260704;
    uint64_t        z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (quad)((z ^ (z >> 31)) >> 11) / 4503599627370496 - 1;
}

SOME const char *text(quad x) /* all digits; eight at a time may be in use */
{
    static char room[8][64];
    static int  next;
    char       *s = room[next++ & 7];
    quadmath_snprintf(s, sizeof room[0], "%.36Qg", x);
    return s;
}

/* The rows of `noether run WORDS`, row by row; *rows tells how many.  With may_stop
 * NULL where the run could not go on; without rows the program ends. */
SOME quad *noether_if(bool may_stop, int columns, int *rows, const char *format, va_list words)
{
    char        command[2048], line[4096];
    const char *program = getenv("NOETHER");
    int at = snprintf(command, sizeof command, "%s run ", program ? program : "build/noether");
    at += vsnprintf(command + at, sizeof command - (size_t)at, format, words);
    snprintf(command + at, sizeof command - (size_t)at, " --quiet");
    FILE *from = popen(command, "r");
    quad *x = NULL;
    int   n = 0;
    while (from && fgets(line, sizeof line, from)) {
        char *s = line;
        if (n++ == 0) continue; /* the names */
        x = realloc(x, (size_t)(n * columns) * sizeof *x);
        for (int i = 0; i < columns; i++, s += *s == ',')
            x[(n - 2) * columns + i] = strtoflt128(s, &s);
    }
    *rows = n - 1;
    const int status = from ? pclose(from) : -1;
    if (may_stop && WIFEXITED(status) && WEXITSTATUS(status) == 3) {
        free(x);
        return NULL;
    }
    if (status || n < 2) {
        fprintf(stderr, "%s: no rows\n", command);
        exit(2);
    }
    return x;
}

SOME quad *noether(int columns, int *rows, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    quad *x = noether_if(false, columns, rows, format, words);
    va_end(words);
    return x;
}

/* NULL where the run could not go on. */
SOME quad *noether_or_stop(int columns, int *rows, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    quad *x = noether_if(true, columns, rows, format, words);
    va_end(words);
    return x;
}

#endif
