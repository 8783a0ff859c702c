/* table -> picture: positions and the energy error over time, or one column against another.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lab/plot.h"

#include "base/name.h"
#include "base/table.h"
#include "lab/gnuplot.h"
#include "lab/panel.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct {
    const noe_table *table;
    noe_arena       *memory;
    const char     **x, **y; /* names of the curves' columns; over time every x is "t" */
    int              curves;
    bool             pairs;
    noe_panel        panel[2];
    int              panels;
} plot;

static const char *terminal(const char *path)
{
    static const char *const known[][2] = {
        {".svg", "svg size 1200,800 noenhanced font 'Helvetica,16' background '#ffffff'"},
        {".png", "pngcairo size 1200,800 noenhanced font 'Helvetica,12' background '#ffffff'"},
        {".pdf", "pdfcairo size 24cm,16cm noenhanced font 'Helvetica,12' background '#ffffff'"}};
    size_t n = strlen(path);
    for (int i = 0; i < 3; i++)
        if (n > 4 && !strcasecmp(path + n - 4, known[i][0])) return known[i][1];
    noe_fail(NOE_INVALID, "cannot draw '%s': the name must end in .svg, .png or .pdf", path);
    return NULL;
}

/* ---- which curves ---- */

static bool position(const char *name)
{
    static const char *const other[] = {"t", "energy", "work", "dissipated", "ledger"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (!strcmp(name, other[i])) return false;
    return noe_name_kind(name) == 'q';
}

static noe_status make_room(plot *p, size_t curves)
{
    p->x = noe_arena_take(p->memory, curves * sizeof *p->x);
    p->y = noe_arena_take(p->memory, curves * sizeof *p->y);
    p->panel[0].curve = noe_arena_take(p->memory, curves * sizeof(noe_curve));
    return p->x && p->y && p->panel[0].curve ? NOE_OK : NOE_NO_MEMORY;
}

static noe_status every_position(plot *p)
{
    size_t     n = noe_table_columns(p->table);
    noe_status s = make_room(p, n);
    for (size_t j = 0; j < n && !s; j++)
        if (position(noe_table_name(p->table, j))) {
            p->x[p->curves] = "t";
            p->y[p->curves++] = noe_table_name(p->table, j);
        }
    return s;
}

/* The next name of "a, b[1,2]:c", up to a comma or colon outside brackets; that one goes to *separator. */
static const char *next_name(plot *p, const char **s, char *separator)
{
    int         depth = 0;
    const char *begin = *s + strspn(*s, " "), *end = begin;
    for (; *end && (depth > 0 || (*end != ',' && *end != ':')); end++)
        depth += (*end == '(' || *end == '[') - (*end == ')' || *end == ']');
    *separator = *end;
    *s = *end ? end + 1 : end;
    while (end > begin && end[-1] == ' ') end--;
    return noe_arena_copy(p->memory, begin, (size_t)(end - begin));
}

static noe_status named(plot *p, const char *columns)
{
    char       separator = ',';
    noe_status s = make_room(p, strlen(columns) + 1);
    p->pairs = strchr(columns, ':') != NULL;
    while (separator && !s) {
        const char *x = p->pairs ? next_name(p, &columns, &separator) : "t";
        if (p->pairs && separator != ':')
            return noe_fail(NOE_INVALID, "no partner for '%s': draw columns over t (q1,q2) or pairs (q1:q1.p)", x);
        const char *y = next_name(p, &columns, &separator);
        if (!x || !y) return NOE_NO_MEMORY;
        if (separator == ':') return noe_fail(NOE_INVALID, "'%s' stands between two colons: a pair is q1:q1.p", y);
        p->x[p->curves] = x;
        p->y[p->curves++] = y;
    }
    return s;
}

/* ---- panels ---- */

/* "q1, q2, q3", or "x[1] .. x[14]"; equal neighbours count once. */
static const char *joined(plot *p, const char *const *name)
{
    size_t size = 8;
    int    n = p->curves, different = 1;
    for (int i = 0; i < n; i++) size += strlen(name[i]) + 2;
    char *text = noe_arena_take(p->memory, size);
    if (!text) return NULL;
    for (int i = 1; i < n; i++) different += strcmp(name[i], name[i - 1]) != 0;
    strcpy(text, name[0]);
    if (different > 4) return strcat(strcat(text, " \u2026 "), name[n - 1]);
    for (int i = 1; i < n; i++)
        if (strcmp(name[i], name[i - 1])) strcat(strcat(text, ", "), name[i]);
    return text;
}

static const char *pair_label(plot *p, int i)
{
    char *text = noe_arena_take(p->memory, strlen(p->x[i]) + strlen(p->y[i]) + 8);
    return text ? strcat(strcat(strcpy(text, p->x[i]), " : "), p->y[i]) : NULL;
}

static noe_status curves_panel(plot *p)
{
    noe_panel *panel = &p->panel[p->panels++];
    panel->rows = noe_table_rows(p->table);
    panel->time = !p->pairs;
    panel->x_label = joined(p, p->x);
    panel->y_label = joined(p, p->y);
    if (!panel->x_label || !panel->y_label) return NOE_NO_MEMORY;
    for (int i = 0; i < p->curves; i++) {
        noe_curve *c = &panel->curve[panel->curves++];
        c->x = noe_table_column(p->table, p->x[i]);
        c->y = c->x ? noe_table_column(p->table, p->y[i]) : NULL;
        if (!c->y) return NOE_INVALID;
        c->label = p->pairs ? pair_label(p, i) : p->y[i];
        if (!c->label) return NOE_NO_MEMORY;
    }
    return NOE_OK;
}

/* (H - H0)/|H0|, or H - H0 where H0 is no measure: zero, or smaller than the error itself.  The axis says
 * which, and never shows less than the round-off of a double. */
static noe_status energy_panel(plot *p, const double *h)
{
    noe_panel *panel = &p->panel[p->panels++];
    size_t     rows = panel->rows = noe_table_rows(p->table);
    double    *error = noe_arena_take(p->memory, rows * sizeof *error), largest = 0;
    char      *label = noe_arena_take(p->memory, 80);
    panel->curve = noe_arena_take(p->memory, sizeof *panel->curve);
    if (!error || !label || !panel->curve) return NOE_NO_MEMORY;
    for (size_t i = 0; i < rows; i++) {
        error[i] = h[i] - h[0];
        if (fabs(error[i]) > largest) largest = fabs(error[i]);
    }
    bool relative = fabs(h[0]) > largest;
    for (size_t i = 0; i < rows && relative; i++) error[i] /= fabs(h[0]);
    if (relative) snprintf(label, 80, "energy error / %.5g", fabs(h[0]));
    else strcpy(label, "energy error");
    *panel->curve = (noe_curve){noe_table_column(p->table, "t"), error, label};
    panel->curves = 1;
    panel->time = true;
    panel->x_label = "t";
    panel->y_label = label;
    return panel->curve->x ? NOE_OK : NOE_INVALID;
}

static noe_status choose(plot *p, const char *columns)
{
    noe_status s = columns ? named(p, columns) : every_position(p);
    if (!s && p->curves) s = curves_panel(p);
    const double *energy = NULL;
    for (size_t j = 0; j < noe_table_columns(p->table); j++)
        if (!strcmp(noe_table_name(p->table, j), "energy")) energy = noe_table_at(p->table, j);
    if (!s && energy && !p->pairs) s = energy_panel(p, energy);
    return !s && !p->panels ? noe_fail(NOE_INVALID, "nothing to draw: the table has neither positions nor the energy") : s;
}

/* ---- the picture ---- */

static void arrange(plot *p, bool title)
{
    double top = title ? 0.925 : 0.965, left = 0, legend = noe_panel_legend(&p->panel[0]);
    for (int i = 0; i < p->panels; i++) {
        noe_panel_measure(&p->panel[i]);
        left = fmax(left, 0.045 + 0.0075 * noe_axis_width(&p->panel[i].y));
    }
    for (int i = 0; i < p->panels; i++) {
        noe_panel *q = &p->panel[i];
        q->left = left;
        q->right = 0.975 - legend;
        q->top = i == 0 ? top : 0.36;
        q->bottom = i == p->panels - 1 ? 0.095 : 0.40;
        if (i < p->panels - 1) q->x_label = NULL;
    }
}

static noe_status draw(plot *p, FILE *f, const char *terminal, const char *title)
{
    fprintf(f, "set encoding utf8\nset terminal %s\nset multiplot\n", terminal);
    fputs("set border 3 lc rgb '#8a8f98' lw 0.8\nset tics nomirror out scale 0.5 textcolor rgb '#3c4048'\n"
          "set grid lt 1 lc rgb '#e4e6ea' lw 0.7\nset style data lines\n", f);
    if (title && *title) {
        fputs("set label 1 ", f);
        noe_gnuplot_text(f, title);
        fprintf(f, " at screen %g,0.963 left font ',%d' textcolor rgb '#20242c'\n", p->panel[0].left,
                strncmp(terminal, "svg", 3) ? 15 : 20);
    }
    noe_status s = NOE_OK;
    for (int i = 0; i < p->panels && !s; i++) {
        s = noe_panel_draw(&p->panel[i], f, p->memory);
        fputs("unset label 1\n", f);
    }
    fputs("unset multiplot\n", f);
    if (!s && (fflush(f) || ferror(f))) s = noe_fail(NOE_IO, "cannot write a temporary file for gnuplot");
    return s;
}

static noe_status picture(plot *p, const char *path, const char *terminal, const char *title)
{
    FILE *script = tmpfile();
    if (!script) return noe_fail(NOE_IO, "cannot make a temporary file for gnuplot");
    locale_t   plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    noe_status s = draw(p, script, terminal, title);
    uselocale(before);
    freelocale(plain);
    if (!s) s = noe_gnuplot(script, path);
    fclose(script);
    return s;
}

noe_status noe_plot(const char *path, const noe_table *t, const char *columns, const char *title)
{
    if (!path || !t) return NOE_INVALID;
    const char *kind = terminal(path);
    if (!kind) return NOE_INVALID;
    if (!noe_table_rows(t)) return noe_fail(NOE_INVALID, "nothing to draw: the table has no rows");
    plot p = {.table = t, .memory = noe_arena_new()};
    if (!p.memory) return NOE_NO_MEMORY;
    noe_status s = choose(&p, columns);
    if (!s) arrange(&p, title && *title);
    if (!s) s = picture(&p, path, kind, title);
    noe_arena_free(p.memory);
    return s;
}
