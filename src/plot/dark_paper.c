/* A picture on dark paper: its script with the colours of the dark.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     c -> 0.9 - 0.8 c, then c -> 2 Y - c with Y = 0.213 r + 0.715 g + 0.072 b.
 * The formulas of the filters invert(.9) and hue-rotate(180deg) (Filter Effects Module, W3C), so
 * that .png and .pdf in the dark look as .svg does where the reader's system is dark. */
#include "plot/dark_paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool noe_dark_paper_named(const char *path)
{
    static const char mark[] = ".dark"; /* before an ending of four letters */
    const size_t      n = strlen(path), m = sizeof mark - 1;
    return n > m + 4 && !strncasecmp(path + n - 4 - m, mark, m);
}

unsigned noe_dark_paper_colour(unsigned rgb)
{
    double   c[3];
    unsigned dark = 0;
    for (int k = 0; k < 3; k++) c[k] = 0.9 - 0.8 * (rgb >> (16 - 8 * k) & 255) / 255.0;
    const double y = 0.213 * c[0] + 0.715 * c[1] + 0.072 * c[2];
    for (int k = 0; k < 3; k++) {
        const double turned = fmin(fmax(2 * y - c[k], 0), 1);
        dark = dark << 8 | (unsigned)(255 * turned + 0.5);
    }
    return dark;
}

/* What stands before the place, without blanks: does it end with the word? */
static bool after(const char *line, const char *at, const char *word)
{
    const size_t n = strlen(word);
    while (at > line && at[-1] == ' ') at--;
    return (size_t)(at - line) >= n && !memcmp(at - n, word, n);
}

/* A line of the script; within single quotes two quotes are one (noe_gnuplot_text). */
static void copy_line(const char *line, FILE *dark)
{
    const bool palette = !strncmp(line, "set palette", 11);
    for (const char *c = line; *c;) {
        const char *end = c + 1;
        if (*c == '\'') {
            while (*end && (*end != '\'' || end[1] == '\'')) end += *end == '\'' ? 2 : 1;
            end += *end == '\'';
        }
        unsigned rgb;
        int      digits = 0;
        if (end - c == 9 && sscanf(c, "'#%6x%n", &rgb, &digits) == 1 && digits == 8
            && (palette || after(line, c, "rgb") || after(line, c, "background")))
            fprintf(dark, "'#%06x'", noe_dark_paper_colour(rgb));
        else fwrite(c, 1, (size_t)(end - c), dark);
        c = end;
    }
}

void noe_dark_paper_copy(FILE *script, FILE *dark)
{
    char  *line = NULL;
    size_t room = 0;
    rewind(script);
    while (getline(&line, &room, script) >= 0) copy_line(line, dark);
    free(line);
}
