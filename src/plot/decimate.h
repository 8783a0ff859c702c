/* Reduces n rows of a curve to few rows that give the same picture.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_DECIMATE_H
#define NOE_PLOT_DECIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOE_DECIMATE_GAP SIZE_MAX                     /* in `keep`: the line is broken here */
#define NOE_DECIMATE_ROOM(most) (3 * (most) / 2 + 16) /* size of `keep` */

bool noe_decimate_drawable(double x); /* x, and the difference of two such numbers, is finite */

/* A function y(x) of time, which has one direction: first, lowest, highest and last row of each of
 * most/4 equal intervals of time, so that an oscillation too fast to resolve appears as a band.
 * keep: numbers of the rows; returns their count. */
size_t noe_decimate_time(const double *x, const double *y, size_t n, size_t most, size_t *keep);

/* All rows, with gaps where there is nothing to draw. */
size_t noe_decimate_rows(const double *x, const double *y, size_t n, size_t *keep);

/* A path in the plane: rows such that the lines between them pass all others within 1/2000 of the
 * picture, or 1/250 where that takes more than `most` rows.  A path too long for that becomes a
 * scatter plot of selected rows (*dots). */
size_t noe_decimate_path(const double *x, const double *y, size_t n, size_t most, size_t *keep,
                         bool *dots);

#endif
