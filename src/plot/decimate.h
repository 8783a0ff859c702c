/* Reduces n rows of a curve to the few that look the same on paper.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_DECIMATE_H
#define NOE_PLOT_DECIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOE_DECIMATE_GAP SIZE_MAX                     /* stands in keep where the line is broken */
#define NOE_DECIMATE_ROOM(most) (3 * (most) / 2 + 16) /* what keep must hold */

bool noe_decimate_drawable(double x); /* finite, and a range of two such is */

/* A function of time: first, lowest, highest and last row of each of most/4 buckets, so that an
 * oscillation faster than the paper shows as the band it is.  Returns how many stand in keep. */
size_t noe_decimate_time(const double *x, const double *y, size_t n, size_t most, size_t *keep);

/* A path in the plane: rows a small step apart, at most 1/100 of the picture.  A path too long
 * for that becomes *dots, scattered rows, since straight lines between them would show what
 * never was. */
size_t noe_decimate_path(const double *x, const double *y, size_t n, size_t most, size_t *keep,
                         bool *dots);

#endif
