/* Charts of points (x, y) on logarithmic or linear axes, with straight guides C x^p.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_FIGURE_H
#define NOE_PLOT_FIGURE_H

#include "base/status.h"
#include "plot/style.h"

#include <stdbool.h>

typedef struct {
    const char    *label;  /* in the legend; "": not there */
    int            points; /* number of points */
    noe_style_look look;
    /* [points]; numbers that are not finite, or not positive on a logarithmic axis, are left out */
    const double *x, *y;
    double        slope; /* slope p of the guide C x^p; 0: no guide */
    int           guide; /* number of the point on the guide */
    bool          dots;  /* points without a line through them */
} noe_series;

typedef struct {
    const char       *title, *x;    /* what the y axis has; label of the x axis */
    bool              log_x, log_y; /* logarithmic axes */
    const noe_series *series;       /* [count] */
    int               count;        /* number of series */
} noe_chart;

enum { NOE_CHARTS_MOST = 12 };

/* path ends in .svg, .png or .pdf.  The legend names the series of the first chart. */
noe_status noe_figure_draw(const char *path, const char *title, const noe_chart *, int charts);

#endif
