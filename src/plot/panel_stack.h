/* Panels one below another, in a picture as high as they need.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PLOT_PANEL_STACK_H
#define NOE_PLOT_PANEL_STACK_H

#include "plot/panel.h"
#include "plot/picture.h"

/* Measures the panels, and gives them their edges and the picture its height.  Their heights are
 * in proportion to `weight`; a panel has numbers at its x axis unless the next one has the same. */
void noe_panel_stack_arrange(noe_picture *, noe_panel *, int panels);

noe_status noe_panel_stack_draw(const noe_picture *, const noe_panel *, int panels, noe_arena *);

#endif
