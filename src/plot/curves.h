/* Parses lists of curves: "q1,q2" = (t, q1), (t, q2); "q1:q1.p" = (q1, p(q1)); "x[*]": heat map.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_CURVES_H
#define NOE_PLOT_CURVES_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

/* Names of the columns of the curves (x, y); memory of the arena. */
typedef struct {
    const char **x, **y; /* [count] names; every x is "t" for curves over time */
    int          count;  /* number of curves */
    bool         pairs;  /* the curves are pairs "x:y" of columns */
    const char **map;    /* [maps] patterns of heat maps, "x[*]" */
    int          maps;   /* number of patterns */
} noe_curves;

bool noe_curves_position(const char *name); /* neither t, an energy, a velocity nor a momentum */
noe_status noe_curves_all(noe_curves *, noe_arena *, const noe_table *); /* every position over t */
noe_status noe_curves_named(noe_curves *, noe_arena *, const char *columns);
/* "q1, q2, q3", or "x[1] .. x[14]"; equal neighbours count once. */
const char *noe_curves_axis(noe_arena *, const char *const *name, int n);

#endif
