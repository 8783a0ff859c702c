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
    const double *x, *y; /* rows numbers */
    const char   *label;
} noe_curve;

typedef struct {
    noe_curve  *curve;
    int         curves;
    size_t      rows;
    bool        time;              /* x grows: thin by buckets, else as a path */
    const char *x_label, *y_label; /* NULL: none, nor numbers at the x axis */
    const char *note;              /* above the panel, at the right; NULL: none */
    double      least;             /* the y axis reaches from -least to least at least */
    bool        equal; /* one unit is as long on both axes, unless a strip would remain */
    noe_axis    x, y;
    double      top, bottom, left, right; /* edges, as shares of the picture */
    bool        ends;                     /* a dot where each curve ends */
    /* A map, plot/heat_map.h, has no curves: site[k], or NULL, is the column of member first + k
     * apart, now the times. */
    const double **site, *now;
    double         first, apart;
    int            sites;
} noe_panel;

double     noe_panel_legend(const noe_panel *); /* its share of the picture's width */
void       noe_panel_measure(noe_panel *);      /* fills x and y */
void       noe_panel_equal(noe_panel *);        /* after the edges are set */
noe_status noe_panel_draw(const noe_panel *, FILE *script, noe_arena *);

#endif
