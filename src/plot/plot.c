/* Draws a table: positions and the energy error over time, columns against columns, families.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/plot.h"

#include "base/spelling.h"
#include "base/table.h"
#include "plot/curves.h"
#include "plot/frames.h"
#include "plot/heat_map.h"
#include "plot/panel_stack.h"
#include "plot/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PANELS = 6, MAPS = 2 }; /* largest number of panels; of maps among them */

typedef struct {
    const noe_table      *table; /* the rows */
    const noe_plot_words *words;
    noe_arena            *memory;        /* of names and reduced curves */
    noe_curves            curves;        /* the columns that are drawn */
    noe_panel             panel[PANELS]; /* panels from top to bottom */
    int                   panels;        /* number of panels */
} plot;

/* ---- units ---- */

static const char *unit_of(const plot *p, const char *name)
{
    for (size_t j = 0; p->words->unit && j < noe_table_columns(p->table); j++)
        if (noe_spelling_same(noe_table_name(p->table, j), name)) return p->words->unit[j];
    return NULL;
}

/* Do two columns belong on one axis: of the same unit, or without units of the same kind? */
static bool alike(const plot *p, const char *a, const char *b)
{
    const char *u = unit_of(p, a), *v = unit_of(p, b);
    if (u || v) return u && v && !strcmp(u, v);
    return noe_curves_position(a) == noe_curves_position(b)
        && noe_spelling_kind(a) == noe_spelling_kind(b);
}

/* "q1, q2 [rad]". */
static const char *with_unit(const plot *p, const char *const *name, int n)
{
    const char *text = noe_curves_axis(p->memory, name, n), *unit = unit_of(p, name[0]);
    if (!text || !unit) return text;
    const size_t size = strlen(text) + strlen(unit) + 4;
    char        *both = noe_arena_take(p->memory, size);
    if (both) snprintf(both, size, "%s [%s]", text, unit);
    return both;
}

/* ---- panels ---- */

static const char *pair_label(noe_arena *memory, const char *x, const char *y)
{
    char *text = noe_arena_take(memory, strlen(x) + strlen(y) + 8);
    return text ? strcat(strcat(strcpy(text, x), " : "), y) : NULL;
}

/* A panel of the curves number at[0 .. n-1]. */
static noe_status curves_panel(plot *p, const int *at, int n)
{
    const noe_curves *names = &p->curves;
    noe_panel        *panel = &p->panel[p->panels++];
    const char      **x = noe_arena_take(p->memory, (size_t)n * sizeof *x),
               **y = noe_arena_take(p->memory, (size_t)n * sizeof *y);
    panel->rows = noe_table_rows(p->table);
    panel->time = !names->pairs;
    panel->equal = names->pairs;
    panel->points = names->pairs && p->words->points;
    panel->ends = names->pairs && !p->words->points;
    panel->weight = 1;
    panel->curve = noe_arena_take(p->memory, (size_t)n * sizeof *panel->curve);
    if (!x || !y || !panel->curve) return NOE_NO_MEMORY;
    for (int i = 0; i < n; i++) {
        noe_curve *c = &panel->curve[panel->curves++];
        x[i] = names->x[at[i]], y[i] = names->y[at[i]];
        c->x = noe_table_column(p->table, x[i]);
        c->y = c->x ? noe_table_column(p->table, y[i]) : NULL;
        if (!c->y) return NOE_INVALID;
        c->label = names->pairs ? pair_label(p->memory, x[i], y[i]) : y[i];
        if (!c->label) return NOE_NO_MEMORY;
        panel->equal &= noe_curves_position(x[i]) && noe_curves_position(y[i])
                     && alike(p, x[i], y[i]);
    }
    panel->x_label = with_unit(p, x, n);
    panel->y_label = with_unit(p, y, n);
    noe_panel_scale(panel);
    return panel->x_label && panel->y_label ? NOE_OK : NOE_NO_MEMORY;
}

/* A panel for each group of columns that belong on one axis; what finds no more room is in the
 * last one. */
static noe_status curves_panels(plot *p, int most)
{
    const noe_curves *c = &p->curves;
    int              *at = noe_arena_take(p->memory, (size_t)c->count * sizeof *at);
    bool             *done = noe_arena_take(p->memory, (size_t)c->count * sizeof *done);
    if (!at || !done) return NOE_NO_MEMORY;
    noe_status s = NOE_OK;
    for (int i = 0; i < c->count; i++) done[i] = false;
    for (int i = 0, panels = 0; i < c->count && !s; i++) {
        if (done[i]) continue;
        const bool last = ++panels == most;
        int        n = 0;
        for (int k = i; k < c->count; k++)
            if (!done[k] && (last || (alike(p, c->x[i], c->x[k]) && alike(p, c->y[i], c->y[k])))) {
                done[k] = true;
                at[n++] = k;
            }
        s = curves_panel(p, at, n);
    }
    return s;
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
    const char *const unit = unit_of(p, "energy");
    const char       *t = "t";
    char             *note = noe_arena_take(p->memory, 120);
    panel->curve = noe_arena_take(p->memory, sizeof *panel->curve);
    if (!error || !note || !panel->curve) return NOE_NO_MEMORY;
    for (size_t i = 0; i < rows; i++) {
        error[i] = balance ? balance[i] : h[i] - h[0];
        if (fabs(error[i]) > largest) largest = fabs(error[i]);
        if (balance && fabs(h[i]) > scale) scale = fabs(h[i]);
    }
    bool relative = scale > largest;
    for (size_t i = 0; i < rows && relative; i++) error[i] /= scale;
    snprintf(note, 120, "%s%.6g%s%.20s",
             !relative ? "energy(0) = "
             : balance ? "relative to the largest |energy| = "
                       : "relative to |energy(0)| = ",
             relative ? scale : h[0], unit ? " " : "", unit ? unit : "");
    *panel->curve = (noe_curve){ .x = noe_table_column(p->table, "t"),
                                 .y = error,
                                 .label = balance ? "balance" : "energy",
                                 .colour = noe_style_of_method(p->words->method).colour };
    panel->curves = 1;
    panel->time = true;
    panel->x_label = with_unit(p, &t, 1);
    panel->y_label = balance ? "energy balance" : "energy error";
    panel->note = note;
    panel->weight = 0.6;
    panel->least = relative ? 0x1p-52 : 0;
    return !panel->x_label ? NOE_NO_MEMORY : panel->curve->x ? NOE_OK : NOE_INVALID;
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
    if (!s && p->curves.maps > MAPS)
        return noe_status_fail(NOE_INVALID, "%d maps in one picture: at most %d", p->curves.maps,
                               MAPS);
    for (int i = 0; i < p->curves.maps && !s; i++) {
        noe_panel  *map = &p->panel[p->panels++];
        const char *pattern = p->curves.map[i];
        if (noe_frames_width(pattern)) s = noe_frames_panel(map, p->memory, t, pattern);
        else s = noe_heat_map_panel(map, p->memory, t, pattern);
    }
    if (!s) s = curves_panels(p, PANELS - 1 - p->panels);
    if (!s && energy && !p->curves.pairs) s = energy_panel(p, energy, balance);
    if (s || p->panels) return s;
    return noe_status_fail(NOE_INVALID,
                           "nothing to draw: the table has neither positions nor the energy");
}

/* ---- the picture ---- */

/* "q1, q2 against t, 0 to 10; energy error against t, 0 to 10; 1001 rows". */
static void describe(const plot *p, char *text, size_t size)
{
    for (int i = 0; i < p->panels; i++) {
        const noe_panel *q = &p->panel[i];
        noe_status_append(text, size, "%s%.80s against %.60s", i ? "; " : "",
                          q->sites ? q->note : q->y_label, q->x_label);
        if (q->time && q->rows && !q->sites)
            noe_status_append(text, size, ", %.6g to %.6g", q->curve[0].x[0],
                              q->curve[0].x[q->rows - 1]);
        if (q->time && !q->sites && q->curves == 1)
            noe_status_append(text, size, ", between %.3g and %.3g", q->y.lo, q->y.hi);
    }
    noe_status_append(text, size, "; %zu rows", noe_table_rows(p->table));
}

noe_status noe_plot_draw(const char *path, const noe_table *t, const char *columns,
                         const noe_plot_words *words)
{
    static const noe_plot_words none;
    if (!path || !t) return NOE_INVALID;
    if (!noe_table_rows(t))
        return noe_status_fail(NOE_INVALID, "nothing to draw: the table has no rows");
    plot p = { .table = t, .words = words ? words : &none, .memory = noe_arena_new() };
    if (!p.memory) return NOE_NO_MEMORY;
    char        about[600] = "";
    noe_picture picture = {
        .path = path, .title = p.words->title, .parameters = p.words->parameters, .about = about
    };
    noe_status s = choose(&p, columns);
    if (!s) noe_panel_stack_arrange(&picture, p.panel, p.panels);
    if (!s) describe(&p, about, sizeof about);
    if (!s) s = noe_panel_stack_draw(&picture, p.panel, p.panels, p.memory);
    noe_arena_free(p.memory);
    return s;
}

noe_status noe_plot_check(const char *path, const char *columns)
{
    noe_curves curves;
    noe_status s = noe_picture_check(path);
    if (s) return s;
    noe_arena *memory = noe_arena_new();
    if (!memory) return NOE_NO_MEMORY;
    s = columns ? noe_curves_named(&curves, memory, columns) : NOE_OK;
    noe_arena_free(memory);
    return s;
}
