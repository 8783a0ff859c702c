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
    const double *x, *y;  /* [rows of the panel] the points of the curve */
    const double *upper;  /* [rows] the band between y and these; NULL: a line */
    const char   *label;  /* name in the legend; NULL: not there */
    int           colour; /* number of the colour; NOE_PANEL_SCALED: `at` on the panel's scale */
    double        at;     /* value on the panel's scale of colours */
} noe_curve;
enum { NOE_PANEL_SCALED = -1 };

/* A bar that explains the colours of scaled curves. */
typedef struct {
    bool        shown;        /* a curve is scaled */
    const char *name;         /* above it */
    const char *first, *last; /* labels at its ends; NULL: numbers */
    double      lo, hi;       /* values at its ends */
} noe_colour_bar;

typedef struct {
    noe_curve  *curve;  /* [curves] */
    int         curves; /* number of curves */
    size_t      rows;   /* number of rows of every column */
    bool        time;   /* x is time: reduce with noe_decimate_time, else noe_decimate_path */
    const char *x_label, *y_label; /* below the panel; above it, at the left */
    const char *note;              /* above the panel, at the right; NULL: none */
    bool        numbers;           /* the x axis has numbers and its label */
    bool        above;             /* the legend stands above the panel, else at its right */
    double      least;             /* the y axis reaches from -least to least at least */
    bool        equal;  /* equal units on both axes, unless the curves would fill a narrow strip */
    bool        ends;   /* a ring at the start of each curve and a dot at its end */
    bool        points; /* rows are points, not a curve; time is false */
    noe_colour_bar bar;
    noe_axis       x, y;                     /* ranges of the axes */
    double         weight;                   /* height in proportion to other panels */
    double         height;                   /* of the whole picture, in units of the style */
    double         top, bottom, left, right; /* edges, as shares of the picture */
    /* A heat map (plot/heat_map.h) has no curves.  site [sites]: site[k] [rows] is the column of
     * the member with index first + k apart, or NULL; now [rows]: times. */
    const double **site, *now;
    double         first, apart; /* index of the first member, distance of indices */
    int            sites;        /* number of members drawn; 0: no heat map */
    int            across;       /* members in a row of frames (plot/frames.h); 0: no frames */
} noe_panel;

/* Width that the legend, or a colour bar, needs at the right of a panel of this width, in units of
 * the style; 0 where it finds room above, which is stored. */
double     noe_panel_legend(noe_panel *, double width);
void       noe_panel_measure(noe_panel *); /* computes the ranges x and y */
void       noe_panel_equal(noe_panel *);   /* makes units equal; needs the edges */
noe_status noe_panel_draw(const noe_panel *, FILE *script, noe_arena *);

/* Of more curves than there are colours: places on the scale, and a bar with the first and the
 * last label. */
void noe_panel_scale(noe_panel *);

#endif
