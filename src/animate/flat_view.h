/* Projection of a scene on a sheet: what is in space is seen in the first view of page.html.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * a = x cos yaw - y sin yaw,  up = z cos pitch + b sin pitch,  b = x sin yaw + y cos yaw */
#ifndef NOE_ANIMATE_FLAT_VIEW_H
#define NOE_ANIMATE_FLAT_VIEW_H

#include "animate/film.h"

typedef struct {
    bool   deep;            /* in space: perspective */
    double lo[3], hi[3];    /* box of all points of all frames, units of the model */
    double centre[3], size; /* of that box; its longest side */
    double scale;           /* sheet units a unit of the model */
    double middle[2];       /* where the centre of the box is on the sheet */
} noe_flat_view;

/* The view in which all frames fit into a rectangle of the sheet, less a margin on each side. */
void noe_flat_view_fit(noe_flat_view *, const noe_film *, const double rectangle[4], double margin);
/* A point (x, y, z) of the model: to[0], to[1] on the sheet, y downwards; to[2] its distance
 * towards the eye, units of the model. */
void noe_flat_view_project(const noe_flat_view *, const double *point, double to[3]);
/* By how much larger things are shown at that distance. */
double noe_flat_view_magnify(const noe_flat_view *, double towards);

#endif
