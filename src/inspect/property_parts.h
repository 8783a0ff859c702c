/* The parts of noe_properties that other files compute from a survey: couplings and frequencies.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_PROPERTY_PARTS_H
#define NOE_INSPECT_PROPERTY_PARTS_H

#include "inspect/properties.h"
#include "inspect/survey.h"

/* Fills sparsity, bandwidth, uncoupled blocks and cyclic coordinates. */
void noe_coupling_pattern(noe_properties *, const noe_survey *);

/* Fills equilibrium, frequencies and stability limit; needs the fact `quadratic`.  False with a
 * message. */
bool noe_frequencies_find(noe_properties *, noe_survey *, const noe_system *, const noe_method *);

#endif
