/* The rows of a curve that are drawn: enough for the same picture, few enough for a small file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "plot/reduced.h"

#include "plot/decimate.h"

/* Most rows of a function of time, of a path, of points; of all curves of a panel. */
enum { TIME = 4000, PATH = 40000, POINTS = 30000, ALL_TIME = 60000, ALL_PATH = 80000 };
/* A path of fewer rows keeps them all. */
enum { WHOLE = 400 };

static size_t limit(size_t one, size_t all, int curves)
{
    const size_t share = all / (size_t)curves;
    return share > one ? one : share < one / 20 ? one / 20 : share;
}

/* Every row, or as many as `most` at equal distances. */
static size_t pick_rows(size_t rows, size_t most, size_t *keep, size_t *apart)
{
    size_t n = 0;
    *apart = (rows - 1) / most + 1;
    for (size_t i = 0; i < rows; i += *apart) keep[n++] = i;
    return n;
}

noe_status noe_reduced_make(noe_reduced *r, noe_arena *memory, const double *x, const double *y,
                            size_t rows, int curves, noe_reduced_kind kind)
{
    const size_t most = kind == NOE_REDUCED_TIME ? limit(TIME, ALL_TIME, curves)
                      : kind == NOE_REDUCED_PATH ? limit(PATH, ALL_PATH, curves)
                                                 : limit(POINTS, POINTS, curves);
    *r = (noe_reduced){ .keep = noe_arena_take(memory, NOE_DECIMATE_ROOM(most) * sizeof *r->keep) };
    if (!r->keep) return NOE_NO_MEMORY;
    if (kind == NOE_REDUCED_POINTS) {
        r->count = pick_rows(rows, most, r->keep, &r->dots);
        return NOE_OK;
    }
    if (kind == NOE_REDUCED_TIME) {
        r->count = noe_decimate_time(x, y, rows, most, r->keep);
        return NOE_OK;
    }
    bool dots = false;
    if (rows <= WHOLE) r->count = noe_decimate_rows(x, y, rows, r->keep);
    else r->count = noe_decimate_path(x, y, rows, most, r->keep, &dots);
    r->dots = dots ? (rows - 1) / most + 1 : 0;
    return NOE_OK;
}
