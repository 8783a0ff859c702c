/* r(q0 + v0 t, v0) = 0?   w of the equations frozen at the start;   h w < edge.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LAB_VIBRATION_H
#define NOE_LAB_VIBRATION_H

#include "lab/structure.h"
#include "lab/survey.h"

/* Fills what a structure says about the start and the step; false with a message. */
bool noe_vibration(noe_structure *, noe_survey *, const noe_system *, const noe_method *);

#endif
