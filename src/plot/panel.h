/* A panel of a picture: axes and the curves (x, y) in them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_PANEL_H
#define NOE_PLOT_PANEL_H

#include "base/arena.h"
#include "base/status.h"
#include "plot/axis.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    const double *x, *y; /* [rows of the panel] */
    const char   *label; /* name in the legend */
} noe_curve;

typedef struct {
    noe_curve  *curve;  /* [curves] */
    int         curves; /* number of curves */
    size_t      rows;   /* number of rows of every column */
    bool        time;   /* x is time: reduce with noe_decimate_time, else noe_decimate_path */
    const char *x_label, *y_label; /* NULL: no label; without x_label no numbers at the x axis */
    const char *note;              /* above the panel, at the right; NULL: none */
    double      least;             /* the y axis reaches from -least to least at least */
    bool        equal; /* equal units on both axes, unless the curves would fill a narrow strip */
    noe_axis    x, y;  /* ranges of the axes */
    double      top, bottom, left, right; /* edges, as shares of the picture */
    bool        ends;                     /* a dot at the end of each curve */
    bool        points;                   /* rows are points, not a curve; time is false */
    /* A heat map (plot/heat_map.h) has no curves.  site [sites]: site[k] [rows] is the column of
     * the member with index first + k apart, or NULL; now [rows]: times. */
    const double **site, *now;
    double         first, apart; /* index of the first member, distance of indices */
    int            sites;        /* number of members drawn; 0: no heat map */
} noe_panel;

double     noe_panel_legend(const noe_panel *); /* width of the legend, as a share of the picture */
void       noe_panel_measure(noe_panel *);      /* computes the ranges x and y */
void       noe_panel_equal(noe_panel *);        /* makes units equal; needs the edges */
noe_status noe_panel_draw(const noe_panel *, FILE *script, noe_arena *);

#endif
