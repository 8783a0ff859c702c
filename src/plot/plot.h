/* Draws a table: positions and the energy error over time, columns against columns, families.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_PLOT_H
#define NOE_PLOT_PLOT_H

#include "base/status.h"

#include <stdbool.h>

/* What a picture says beside its columns; all may be NULL. */
typedef struct {
    const char        *title, *parameters; /* first and second line */
    const char        *method;             /* whose colour the energy error has */
    const char *const *unit;               /* [columns of the table] or NULL; "m", or NULL */
    bool               points; /* rows are no curve, as those of a section: pairs are points */
} noe_plot_words;

/* path ends in .svg, .png or .pdf.  columns: "x[*]", a map of a family over t; "q1,q2" over t;
 * below them the energy error (or the energy balance) if the table has the energy; or pairs
 * "q1:q1.p,q2:q2.p", one column against another; NULL: every position over t.  Columns of one
 * unit, or where units are not known of one kind, share a panel.  words: may be NULL. */
noe_status noe_plot_draw(const char *path, const noe_table *, const char *columns,
                         const noe_plot_words *);

/* Are the ending and the folder of the path and the list of columns valid?  For the time before the
 * run. */
noe_status noe_plot_check(const char *path, const char *columns);

#endif
