/* Draws a table: positions and the energy error over time, columns against columns, families.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_PLOT_H
#define NOE_PLOT_PLOT_H

#include "base/status.h"

/* path ends in .svg, .png or .pdf.  columns: "x[*]", a map of a family over t; "q1,q2" over t;
 * below them the energy error (or the energy balance) if the table has the energy; or pairs
 * "q1:q1.p,q2:q2.p", one column against another; NULL: every position over t. title may be NULL. */
noe_status noe_plot_draw(const char *path, const noe_table *, const char *columns,
                         const char *title);

/* The same with rows that are no curve, as those of a section: pairs are drawn as points. */
noe_status noe_plot_points(const char *path, const noe_table *, const char *columns,
                           const char *title);

/* Are the ending and the folder of the path and the list of columns valid?  For the time before the
 * run. */
noe_status noe_plot_check(const char *path, const char *columns);

/* The terminal of gnuplot for the ending of the path; NULL with a message. */
const char *noe_plot_terminal(const char *path);

#endif
