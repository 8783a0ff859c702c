/* Draws a family of columns over time as a heat map: the colour at (t, i) is x[i](t).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A cell shows the value in the row nearest to the time of the cell; values are not averaged. */
#include "plot/heat_map.h"

#include "base/table.h"
#include "plot/gnuplot.h"
#include "plot/decimate.h"
#include "plot/style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 600 }; /* largest number of cells along the time axis */

/* *index: the index i of a column "x[i]" of the pattern "x[*]"; false: not in the pattern. */
static bool member(const char *pattern, const char *name, double *index)
{
    const char  *star = strchr(pattern, '*');
    const size_t before = (size_t)(star - pattern);
    char        *end;
    if (strncmp(pattern, name, before)) return false;
    *index = (double)strtol(name + before, &end, 10);
    return end > name + before && !strcmp(end, star + 1);
}

/* The label "p(x[i])" of the pattern "p(x[*])". */
static const char *with_i(noe_arena *memory, const char *pattern)
{
    char *text = noe_arena_copy(memory, pattern, strlen(pattern)),
         *star = text ? strchr(text, '*') : NULL;
    if (star) *star = 'i';
    return text;
}

noe_status noe_heat_map_fill(noe_panel *p, noe_arena *memory, const noe_table *t,
                             const char *pattern)
{
    double index;
    p->site = noe_arena_take(memory, (size_t)p->sites * sizeof *p->site);
    if (!p->site) return NOE_NO_MEMORY;
    for (int k = 0; k < p->sites; k++) p->site[k] = NULL;
    for (size_t j = 0; j < noe_table_columns(t); j++)
        if (member(pattern, noe_table_name(t, j), &index))
            p->site[(int)((index - p->first) / p->apart)] = noe_table_at(t, j);
    return p->now ? NOE_OK : NOE_INVALID;
}

noe_status noe_heat_map_panel(noe_panel *p, noe_arena *memory, const noe_table *t,
                              const char *pattern)
{
    const size_t columns = noe_table_columns(t);
    double       index, first = INFINITY, last = -INFINITY, apart = INFINITY;
    for (size_t j = 0; j < columns; j++)
        if (member(pattern, noe_table_name(t, j), &index)) {
            if (index > last && isfinite(last)) apart = fmin(apart, index - last);
            first = fmin(first, index), last = fmax(last, index);
        }
    if (!(first < last))
        return noe_status_fail(NOE_INVALID, "'%s': a map needs two members of a family at least",
                               pattern);
    *p = (noe_panel){ .rows = noe_table_rows(t),
                      .time = true,
                      .x_label = "t",
                      .y_label = "i",
                      .note = with_i(memory, pattern),
                      .weight = 1,
                      .first = first,
                      .apart = apart,
                      .sites = 1 + (int)((last - first) / apart),
                      .now = noe_table_column(t, "t") };
    return p->note ? noe_heat_map_fill(p, memory, t, pattern) : NOE_NO_MEMORY;
}

size_t noe_heat_map_row(const noe_panel *p, double t, size_t from)
{
    while (from + 1 < p->rows && fabs(p->now[from + 1] - t) <= fabs(p->now[from] - t)) from++;
    return from;
}

void noe_heat_map_colours(FILE *f, const noe_panel *p, noe_axis *c)
{
    if (c->lo < 0) c->lo = fmin(c->lo, -c->hi), c->hi = -c->lo;
    else if (c->lo > 0 && c->lo < c->hi / 2) c->lo = 0;
    noe_axis_finish(c, 0, 0);
    if (c->lo < 0)
        fputs("set palette defined (0 '#16417c', 1 '#4f8ac4', 2 '#f6f5f1', 3 '#d9804e', 4 "
              "'#8c2318')\n",
              f);
    else
        fputs("set palette defined (0 '#f6f5f1', 1 '#9cc3d8', 2 '#3b7ea8', 3 '#1d4b7a', 4 "
              "'#101f45')\n",
              f);
    fprintf(f, "set cbrange [%.17g:%.17g]\nset format cb '%%.%dg'\n", c->lo / c->unit,
            c->hi / c->unit, c->digits);
    fprintf(
        f,
        "set cbtics autofreq\nset colorbox user origin screen %g,%g size screen %g,%g noborder\n",
        p->right + 14.0 / NOE_STYLE_WIDTH, p->bottom, 13.0 / NOE_STYLE_WIDTH, p->top - p->bottom);
}

noe_status noe_heat_map_draw(const noe_panel *p, FILE *f, noe_arena *memory)
{
    const int    cells = p->rows < CELLS ? (int)p->rows : CELLS;
    const double begin = p->now[0], end = p->now[p->rows - 1],
                 width = cells > 1 ? (end - begin) / (cells - 1) : 1;
    size_t  *row = noe_arena_take(memory, (size_t)cells * sizeof *row);
    noe_axis c = noe_axis_empty();
    char     unit[64];
    if (!row) return NOE_NO_MEMORY;
    for (int k = 0; k < cells; k++)
        row[k] = noe_heat_map_row(p, begin + k * width, k ? row[k - 1] : 0);
    for (int i = 0; i < p->sites; i++)
        for (int k = 0; k < cells && p->site[i]; k++) noe_axis_include(&c, &p->site[i][row[k]], 1);
    noe_heat_map_colours(f, p, &c);
    noe_axis_unit(&c, unit, sizeof unit);
    fputs("set label 17 ", f), noe_gnuplot_text(f, p->note, 12);
    fprintf(f, ".'%s' at screen %g,%g right textcolor rgb '" NOE_STYLE_TEXT "'\n", unit,
            1 - 20.0 / NOE_STYLE_WIDTH, p->top + 17 / p->height);
    fprintf(f,
            "unset grid\nset border 3 front lc rgb '" NOE_STYLE_AXIS "' lw 0.8\n"
            "plot '-' matrix using (%.17g + $1*%.17g):(%.17g + $2*%.17g):3 with image notitle\n",
            begin / p->x.unit, width / p->x.unit, p->first / p->y.unit, p->apart / p->y.unit);
    for (int i = 0; i < p->sites; i++) {
        for (int k = 0; k < cells; k++) {
            const double x = p->site[i] ? p->site[i][row[k]] : NAN;
            if (noe_decimate_drawable(x)) fprintf(f, "%.5g ", x / c.unit);
            else fputs("NaN ", f);
        }
        fputs("\n", f);
    }
    fputs("e\nunset colorbox\nunset label 17\nset border 3 back\n"
          "set grid lt 1 lc rgb '" NOE_STYLE_RULE "' lw 0.8\n",
          f);
    return NOE_OK;
}
