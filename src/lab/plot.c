/* table -> picture: positions and the energy error over time, or one column against another.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lab/plot.h"

#include "base/name.h"
#include "base/table.h"
#include "lab/gnuplot.h"
#include "lab/panel.h"

#include <locale.h>
#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct {
    const noe_table *table;
    noe_arena       *memory;
    noe_panel        panel[2];
    int              panels;
    char             energy[80]; /* what the energy error is relative to */
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

/* The next name of "a, b[1,2]:c": ends at a comma or colon outside brackets, which *separator receives. */
static char *next_name(noe_arena *memory, const char **s, char *separator)
{
    int         depth = 0;
    const char *begin = *s + strspn(*s, " "), *end = begin;
    for (; *end && (depth > 0 || (*end != ',' && *end != ':')); end++)
        depth += (*end == '(' || *end == '[') - (*end == ')' || *end == ']');
    *separator = *end;
    *s = *end ? end + 1 : end;
    while (end > begin && end[-1] == ' ') end--;
    return noe_arena_copy(memory, begin, (size_t)(end - begin));
}

static noe_status add_curve(plot *p, const char *x, const char *y)
{
    noe_panel *panel = &p->panel[0];
    noe_curve  c = {noe_table_column(p->table, x), noe_table_column(p->table, y), y};
    if (!c.x || !c.y) return NOE_INVALID;
    panel->curve[panel->curves++] = c;
    return NOE_OK;
}

static noe_status add_named(plot *p, const char *columns)
{
    noe_panel *panel = &p->panel[0];
    bool       pairs = strchr(columns, ':') != NULL;
    while (*columns) {
        char  separator;
        char *x = next_name(p->memory, &columns, &separator), *y = x;
        if (pairs && separator != ':')
            return noe_fail(NOE_INVALID, "'%s' has no partner: give columns over t (q1,q2) or pairs (q1:q1.p), not both",
                            x ? x : "");
        if (pairs) y = next_name(p->memory, &columns, &separator);
        if (!x || !y) return NOE_NO_MEMORY;
        if (separator == ':') return noe_fail(NOE_INVALID, "'%s' is between two colons: a pair is q1:q1.p", y);
        noe_status s = add_curve(p, pairs ? x : "t", y);
        if (s) return s;
        panel->time = !pairs;
        if (!pairs) continue;
        panel->x_label = x;
    }
    return NOE_OK;
}
