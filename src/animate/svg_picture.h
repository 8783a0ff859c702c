/* A flat picture as SVG: one that plays, or a single frame.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ANIMATE_SVG_PICTURE_H
#define NOE_ANIMATE_SVG_PICTURE_H

#include "animate/flat_picture.h"

/* The picture at a time of the run, zoom times as large. */
noe_status noe_svg_picture_frame(noe_flat_picture *, double t, double zoom, FILE *);

#endif
