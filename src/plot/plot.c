/* Draws a table: positions and the energy error over time, columns against columns, families.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/plot.h"

#include "base/table.h"
#include "plot/curves.h"
#include "plot/gnuplot.h"
#include "plot/heat_map.h"
#include "plot/panel.h"
#include "base/atomic_file.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { PANELS = 4 }; /* largest number of panels, one below another */

typedef struct {
    const noe_table *table;         /* the rows */
    noe_arena       *memory;        /* of names and reduced curves */
    noe_curves       curves;        /* the columns that are drawn */
    noe_panel        panel[PANELS]; /* panels from top to bottom */
    int              panels;        /* number of panels */
    bool             points;        /* pairs are points, not curves */
} plot;

const char *noe_plot_terminal(const char *path)
{
    static const char *const known[][2] = {
        { ".svg", "svg size 1200,800 noenhanced font 'Helvetica,16' background '#ffffff'" },
        { ".png", "pngcairo size 1200,800 noenhanced font 'Helvetica,12' background '#ffffff'" },
        { ".pdf", "pdfcairo size 24cm,16cm noenhanced font 'Helvetica,12' background '#ffffff'" }
    };
    size_t n = strlen(path);
    for (int i = 0; i < 3; i++)
        if (n > 4 && !strcasecmp(path + n - 4, known[i][0])) return known[i][1];
    noe_status_fail(NOE_INVALID, "cannot draw '%s': the name must end in .svg, .png or .pdf", path);
    return NULL;
}

/* ---- panels ---- */

static const char *pair_label(noe_arena *memory, const char *x, const char *y)
{
    char *text = noe_arena_take(memory, strlen(x) + strlen(y) + 8);
    return text ? strcat(strcat(strcpy(text, x), " : "), y) : NULL;
}

static noe_status curves_panel(plot *p)
{
    const noe_curves *names = &p->curves;
    noe_panel        *panel = &p->panel[p->panels++];
    panel->rows = noe_table_rows(p->table);
    panel->time = !names->pairs;
    panel->equal = names->pairs;
    panel->points = names->pairs && p->points;
    panel->ends = names->pairs && names->count > 1 && !p->points;
    panel->x_label = noe_curves_axis(p->memory, names->x, names->count);
    panel->y_label = noe_curves_axis(p->memory, names->y, names->count);
    panel->curve = noe_arena_take(p->memory, (size_t)names->count * sizeof *panel->curve);
    if (!panel->x_label || !panel->y_label || !panel->curve) return NOE_NO_MEMORY;
    for (int i = 0; i < names->count; i++) {
        noe_curve *c = &panel->curve[panel->curves++];
        c->x = noe_table_column(p->table, names->x[i]);
        c->y = c->x ? noe_table_column(p->table, names->y[i]) : NULL;
        if (!c->y) return NOE_INVALID;
        c->label = names->pairs ? pair_label(p->memory, names->x[i], names->y[i]) : names->y[i];
        if (!c->label) return NOE_NO_MEMORY;
        panel->equal &= noe_curves_position(names->x[i]) && noe_curves_position(names->y[i]);
    }
    return NOE_OK;
}

/* Panel of the energy error: (H - H0)/|H0|, or H - H0 where |H0| is 0 or smaller than the
 * error.  With an energy balance: the balance divided by the largest |H|.  The note of the panel
 * says which; the axis has a least range, so that pure rounding errors appear small. */
static noe_status energy_panel(plot *p, const double *h, const double *balance)
{
    noe_panel *panel = &p->panel[p->panels++];
    size_t     rows = panel->rows = noe_table_rows(p->table);
    double    *error = noe_arena_take(p->memory, rows * sizeof *error), largest = 0,
           scale = fabs(h[0]);
    char *note = noe_arena_take(p->memory, 80);
    panel->curve = noe_arena_take(p->memory, sizeof *panel->curve);
    if (!error || !note || !panel->curve) return NOE_NO_MEMORY;
    for (size_t i = 0; i < rows; i++) {
        error[i] = balance ? balance[i] : h[i] - h[0];
        if (fabs(error[i]) > largest) largest = fabs(error[i]);
        if (balance && fabs(h[i]) > scale) scale = fabs(h[i]);
    }
    bool relative = scale > largest;
    for (size_t i = 0; i < rows && relative; i++) error[i] /= scale;
    if (relative)
        snprintf(note, 80, "relative to %s = %.6g",
                 balance ? "the largest |energy|" : "|energy(0)|", scale);
    else snprintf(note, 80, "energy(0) = %.6g", h[0]);
    *panel->curve = (noe_curve){ noe_table_column(p->table, "t"), error,
                                 balance ? "balance" : "energy" };
    panel->curves = 1;
    panel->time = true;
    panel->x_label = "t";
    panel->y_label = balance  ? relative ? "relative energy balance" : "energy balance"
                   : relative ? "relative energy error"
                              : "energy error";
    panel->note = note;
    panel->least = relative ? 0x1p-52 : 0;
    return panel->curve->x ? NOE_OK : NOE_INVALID;
}

static noe_status choose(plot *p, const char *columns)
{
    const noe_table *t = p->table;
    const double    *energy = NULL, *balance = NULL;
    noe_status       s = columns ? noe_curves_named(&p->curves, p->memory, columns)
                                 : noe_curves_all(&p->curves, p->memory, t);
    for (size_t j = 0; j < noe_table_columns(t); j++)
        if (!strcmp(noe_table_name(t, j), "energy")) energy = noe_table_at(t, j);
        else if (!strcmp(noe_table_name(t, j), "balance")) balance = noe_table_at(t, j);
    if (!s && p->curves.maps > PANELS - 2)
        return noe_status_fail(NOE_INVALID, "%d maps in one picture: at most %d", p->curves.maps,
                               PANELS - 2);
    for (int i = 0; i < p->curves.maps && !s; i++)
        s = noe_heat_map_panel(&p->panel[p->panels++], p->memory, t, p->curves.map[i]);
    if (!s && p->curves.count) s = curves_panel(p);
    if (!s && energy && !p->curves.pairs) s = energy_panel(p, energy, balance);
    if (s || p->panels) return s;
    return noe_status_fail(NOE_INVALID,
                           "nothing to draw: the table has neither positions nor the energy");
}

/* ---- the picture ---- */

static void arrange(plot *p, bool title)
{
    /* the last panel is lower than the others, unless it is a map */
    const int below = p->panels > 1 && !p->panel[p->panels - 1].sites ? p->panels - 1 : p->panels;
    double    top = title ? 0.925 : 0.965, left = 0, legend = 0;
    for (int i = 0; i < p->panels; i++) {
        legend = fmax(legend, noe_panel_legend(&p->panel[i]));
        noe_panel_measure(&p->panel[i]);
        left = fmax(left, 0.056 + 0.0075 * noe_axis_width(&p->panel[i].y));
    }
    for (int i = 0; i < p->panels; i++) {
        noe_panel *q = &p->panel[i];
        q->left = left;
        q->right = 0.975 - legend;
        const double foot = below < p->panels ? 0.42 : 0.095, share = (top - foot + 0.06) / below;
        q->top = i < below ? top - i * share : 0.36;
        q->bottom = i < below ? top - (i + 1) * share + 0.06 : 0.095;
        if (i < p->panels - 1) q->x_label = NULL;
        noe_panel_equal(q);
    }
}

static noe_status draw(plot *p, FILE *f, const char *terminal, const char *title)
{
    fprintf(f, "set encoding utf8\nset terminal %s\nset multiplot\n", terminal);
    fputs("set border 3 lc rgb '#8a8f98' lw 0.8\nset tics nomirror out scale 0.5 textcolor rgb "
          "'#3c4048'\n"
          "set grid lt 1 lc rgb '#e4e6ea' lw 0.7\nset style data lines\n",
          f);
    if (title && *title) {
        fputs("set label 1 ", f);
        noe_gnuplot_text(f, title, 110);
        fprintf(f, " at screen %g,0.963 left font ',%d' textcolor rgb '#20242c'\n",
                p->panel[0].left, strncmp(terminal, "svg", 3) ? 15 : 20);
    }
    noe_status s = NOE_OK;
    for (int i = 0; i < p->panels && !s; i++) s = noe_panel_draw(&p->panel[i], f, p->memory);
    fputs("unset multiplot\n", f);
    if (!s && (fflush(f) || ferror(f)))
        s = noe_status_fail(NOE_IO, "cannot write a temporary file for gnuplot: %s",
                            strerror(errno));
    return s;
}

static noe_status picture(plot *p, const char *path, const char *terminal, const char *title)
{
    FILE *script = tmpfile();
    if (!script)
        return noe_status_fail(NOE_IO, "cannot make a temporary file for gnuplot: %s",
                               strerror(errno));
    locale_t   plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    noe_status s = draw(p, script, terminal, title);
    uselocale(before);
    freelocale(plain);
    if (!s) s = noe_gnuplot_run(script, path);
    fclose(script);
    return s;
}

static noe_status draw_table(const char *path, const noe_table *t, const char *columns,
                             const char *title, bool points)
{
    if (!path || !t) return NOE_INVALID;
    const char *kind = noe_plot_terminal(path);
    if (!kind) return NOE_INVALID;
    if (!noe_table_rows(t))
        return noe_status_fail(NOE_INVALID, "nothing to draw: the table has no rows");
    plot p = { .table = t, .memory = noe_arena_new(), .points = points };
    if (!p.memory) return NOE_NO_MEMORY;
    noe_status s = choose(&p, columns);
    if (!s) arrange(&p, title && *title);
    if (!s) s = picture(&p, path, kind, title);
    noe_arena_free(p.memory);
    return s;
}

noe_status noe_plot_draw(const char *path, const noe_table *t, const char *columns,
                         const char *title)
{
    return draw_table(path, t, columns, title, false);
}

noe_status noe_plot_points(const char *path, const noe_table *t, const char *columns,
                           const char *title)
{
    return draw_table(path, t, columns, title, true);
}

noe_status noe_plot_check(const char *path, const char *columns)
{
    noe_curves      curves;
    noe_atomic_file trial;
    if (!path || !noe_plot_terminal(path)) return NOE_INVALID;
    if (noe_gnuplot_ready()) return NOE_IO;
    noe_arena *memory = noe_arena_new();
    if (!memory) return NOE_NO_MEMORY;
    noe_status s = columns ? noe_curves_named(&curves, memory, columns) : NOE_OK;
    noe_arena_free(memory);
    if (!s) s = noe_atomic_file_open(&trial, path);
    if (!s) noe_atomic_file_drop(&trial);
    return s;
}
