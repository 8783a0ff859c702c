/* Draws a family that lies in a plane as frames: the colour at (j, i) is x[i w + j] at one time.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_FRAMES_H
#define NOE_PLOT_FRAMES_H

#include "base/table.h"
#include "plot/panel.h"

/* A pattern may say how many members a row has, and which is the first, "x[*] by 8 from 1": the
 * place of " by 8"; else NULL. */
const char *noe_frames_width(const char *pattern);
/* Fills a panel from the columns of such a pattern; up to six times, equally far apart. */
noe_status noe_frames_panel(noe_panel *, noe_arena *, const noe_table *, const char *pattern);
/* Draws the frames, with one scale of colours. */
noe_status noe_frames_draw(const noe_panel *, FILE *script, noe_arena *);

#endif
