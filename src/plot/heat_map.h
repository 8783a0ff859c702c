/* Draws a family of columns over time as a heat map: the colour at (t, i) is x[i](t).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_HEAT_MAP_H
#define NOE_PLOT_HEAT_MAP_H

#include "base/arena.h"
#include "base/status.h"
#include "plot/panel.h"

enum { NOE_MAP_SITES = 400 }; /* largest number of members of a family in a map, equally spaced */

/* Fills a panel from the columns "x[1]", "x[2]", .. of a table and the pattern "x[*]". */
noe_status noe_heat_map_panel(noe_panel *, noe_arena *, const noe_table *, const char *pattern);
/* Draws the map; the frame of the panel must be written before. */
noe_status noe_heat_map_draw(const noe_panel *, FILE *script, noe_arena *);
/* The row nearest to time t; `from`: a row at or before that row. */
size_t noe_heat_map_row(const noe_panel *, double t, size_t from);
/* Takes the columns of the members first, first + apart, ..; NULL where there is none. */
noe_status noe_heat_map_fill(noe_panel *, noe_arena *, const noe_table *, const char *pattern);
/* Finishes the range of the values, symmetric where they have both signs; palette and bar. */
void noe_heat_map_colours(FILE *script, const noe_panel *, noe_axis *values);

#endif
