/* The whole sheet: title, motion and energy of a finished film.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ANIMATE_FLAT_SHEET_H
#define NOE_ANIMATE_FLAT_SHEET_H

#include "animate/flat_picture.h"

/* The picture of a film.  False with a message; noe_flat_picture_drop in either case. */
bool noe_flat_sheet_make(noe_flat_picture *, const noe_film *);

/* flat_scene.c, flat_body.c: the marks of a scene between points, and of a body there. */
bool noe_flat_scene_add(noe_flat_picture *);
bool noe_flat_body_add(noe_flat_picture *, const noe_shape *, int colour);
/* flat_graph.c: coordinates against time, a family against its index, the energy error. */
bool noe_flat_graph_curves(noe_flat_picture *);
bool noe_flat_graph_wave(noe_flat_picture *);
bool noe_flat_graph_energy(noe_flat_picture *);

#endif
