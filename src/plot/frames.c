/* Draws a family that lies in a plane as frames: the colour at (j, i) is x[i w + j] at one time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A frame shows the row nearest to its time, and says which time that row has. */
#include "plot/frames.h"

#include "base/table.h"
#include "plot/decimate.h"
#include "plot/gnuplot.h"
#include "plot/heat_map.h"
#include "plot/style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Frames in a row, and at most; the line above each; between them; the usual size of a frame. */
enum { ACROSS = 3, FRAMES_MOST = 6, HEAD = 28, GAP = 16, SIDE = 240 };

const char *noe_frames_width(const char *pattern)
{
    const char *star = strstr(pattern, "*"), *by = star ? strstr(star, " by ") : NULL;
    return by;
}

static int frames(const noe_panel *p) { return p->rows < FRAMES_MOST ? (int)p->rows : FRAMES_MOST; }
static int stacked(const noe_panel *p) { return (frames(p) + ACROSS - 1) / ACROSS; }
/* Rows of the plane. */
static int down(const noe_panel *p) { return (p->sites + p->across - 1) / p->across; }

noe_status noe_frames_panel(noe_panel *p, noe_arena *memory, const noe_table *t,
                            const char *pattern)
{
    const char *by = noe_frames_width(pattern), *from = strstr(by, " from ");
    char       *family = noe_arena_copy(memory, pattern, (size_t)(by - pattern));
    const char *label = from ? noe_arena_copy(memory, pattern, (size_t)(from - pattern)) : pattern;
    if (!family || !label) return NOE_NO_MEMORY;
    noe_status s = noe_heat_map_panel(p, memory, t, family);
    if (s) return s;
    const double last = p->first + (p->sites - 1) * p->apart;
    if (from) p->first = strtod(from + 6, NULL);
    p->apart = 1; /* members that are fixed leave a gap */
    p->sites = (int)(last - p->first) + 1;
    s = noe_heat_map_fill(p, memory, t, family);
    if (s) return s;
    p->time = false;
    p->across = (int)strtol(by + 4, NULL, 10);
    p->x_label = "places in the plane";
    p->y_label = p->note = label;
    const double high = fmin(fmax((double)SIDE * down(p) / p->across, SIDE / 4.0), 1.5 * SIDE);
    p->weight = stacked(p) * (high + HEAD + GAP) / 230;
    return NOE_OK;
}

static void put_cells(FILE *f, const noe_panel *p, size_t row, double unit)
{
    for (int i = 0; i < down(p); i++, fputs("\n", f))
        for (int j = 0; j < p->across; j++) {
            const int     k = i * p->across + j;
            const double *site = k < p->sites ? p->site[k] : NULL;
            if (site && noe_decimate_drawable(site[row])) fprintf(f, "%.5g ", site[row] / unit);
            else fputs("NaN ", f);
        }
    fputs("e\n", f);
}

/* Frame number k of width w and height h, in units of the style. */
static void put_frame(FILE *f, const noe_panel *p, int k, size_t row, double w, double h,
                      double unit)
{
    const double left = p->left + k % ACROSS * (w + GAP) / NOE_STYLE_WIDTH,
                 top = p->top - (k / ACROSS * (h + HEAD + GAP) + HEAD) / p->height;
    fprintf(f, "set lmargin at screen %g\nset rmargin at screen %g\n", left,
            left + w / NOE_STYLE_WIDTH);
    fprintf(f, "set tmargin at screen %g\nset bmargin at screen %g\n", top, top - h / p->height);
    fprintf(f,
            "set label 12 't = %.6g' at screen %g,%g left textcolor rgb '" NOE_STYLE_SOFT "'\n"
            "plot '-' matrix using 1:2:3 with image notitle\n",
            p->now[row], left, top + 13 / p->height);
    put_cells(f, p, row, unit);
}

noe_status noe_frames_draw(const noe_panel *p, FILE *f, noe_arena *memory)
{
    const int    count = frames(p);
    const double begin = p->now[0], end = p->now[p->rows - 1],
                 room = (NOE_STYLE_WIDTH * (p->right - p->left) - (ACROSS - 1) * GAP) / ACROSS,
                 tall = p->height * (p->top - p->bottom) / stacked(p) - HEAD - GAP,
                 side = fmin(room / p->across, tall / down(p));
    const double w = side * p->across, h = side * down(p);
    size_t      *row = noe_arena_take(memory, (size_t)count * sizeof *row);
    noe_axis     c = noe_axis_empty();
    noe_panel    whole = *p; /* the bar stands beside all frames */
    char         unit[64];
    if (!row) return NOE_NO_MEMORY;
    for (int k = 0; k < count; k++)
        row[k] = noe_heat_map_row(p, count > 1 ? begin + k * (end - begin) / (count - 1) : begin,
                                  k ? row[k - 1] : 0);
    for (int i = 0; i < p->sites; i++)
        for (int k = 0; k < count && p->site[i]; k++) noe_axis_include(&c, &p->site[i][row[k]], 1);
    whole.right = p->left + (ACROSS * w + (ACROSS - 1) * GAP) / NOE_STYLE_WIDTH;
    whole.top = p->top - HEAD / p->height;
    whole.bottom = p->top - (stacked(p) * (h + HEAD + GAP) - GAP) / p->height;
    noe_heat_map_colours(f, &whole, &c);
    noe_axis_unit(&c, unit, sizeof unit);
    fputs("set label 13 ", f), noe_gnuplot_text(f, p->y_label, 60);
    fprintf(f, ".'%s' at screen %g,%g left textcolor rgb '" NOE_STYLE_TEXT "'\n", unit,
            20.0 / NOE_STYLE_WIDTH, p->top + 17 / p->height);
    fprintf(f,
            "unset grid\nunset xtics\nunset ytics\nset border 15 front lc rgb '" NOE_STYLE_RULE
            "' lw 0.8\nset xrange [-0.5:%g]\nset yrange [-0.5:%g]\n",
            p->across - 0.5, down(p) - 0.5);
    for (int k = 0; k < count; k++) {
        put_frame(f, p, k, row[k], w, h, c.unit);
        if (!k) fputs("unset colorbox\nunset label 13\nunset label 1\nunset label 2\n", f);
    }
    fputs("unset label 12\nset border 3 back lc rgb '" NOE_STYLE_AXIS "' lw 0.8\n"
          "set xtics\nset ytics\n"
          "set tics nomirror out scale 0.5 textcolor rgb '" NOE_STYLE_TEXT "'\n"
          "set grid lt 1 lc rgb '" NOE_STYLE_RULE "' lw 0.8\n",
          f);
    return NOE_OK;
}
