/* The rows of a curve that are drawn: enough for the same picture, few enough for a small file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_REDUCED_H
#define NOE_PLOT_REDUCED_H

#include "base/arena.h"
#include "base/status.h"

/* A function of time; a path in the plane; points that are no curve. */
typedef enum { NOE_REDUCED_TIME, NOE_REDUCED_PATH, NOE_REDUCED_POINTS } noe_reduced_kind;
enum { NOE_REDUCED_MARKED = 60 }; /* most rows of a curve with a mark at every row */

typedef struct {
    size_t *keep; /* [count] numbers of rows, or NOE_DECIMATE_GAP */
    size_t  count;
    size_t  dots; /* 0: a line; else every so many-th row is a point */
} noe_reduced;

/* x, y [rows]: one of `curves` curves of a panel. */
noe_status noe_reduced_make(noe_reduced *, noe_arena *, const double *x, const double *y,
                            size_t rows, int curves, noe_reduced_kind);

#endif
