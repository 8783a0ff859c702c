/* Charts of points (x, y) on logarithmic or linear axes, with straight guides C x^p.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_FIGURE_H
#define NOE_PLOT_FIGURE_H

#include "base/status.h"

#include <stdbool.h>

typedef struct {
    const char *label;
    int         points, colour; /* the same colour is the same thing in every chart */
    /* what is not finite, or not positive on a logarithmic axis, is left out */
    const double *x, *y;
    double        slope; /* of a guide through the last point drawn; 0: none */
    int           guide; /* which point it goes through */
} noe_series;

typedef struct {
    const char       *title, *x, *y;
    bool              log_x, log_y;
    const noe_series *series;
    int               count;
} noe_chart;

enum { NOE_CHARTS_MOST = 12 };

/* path ends in .svg, .png or .pdf.  The legend names the series of the first chart. */
noe_status noe_figure_draw(const char *path, const char *title, const noe_chart *, int charts);
noe_status noe_figure_check(const char *path); /* could it be drawn: the ending, the folder */

#endif
