/* survey -> pattern, frequencies: the parts of a structure that stand in files of their own.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_PROPERTY_PARTS_H
#define NOE_INSPECT_PROPERTY_PARTS_H

#include "inspect/properties.h"
#include "inspect/survey.h"

/* sparsity, blocks, cyclic coordinates */
void noe_coupling_pattern(noe_properties *, const noe_survey *);

/* What is said about the start and the step; quadratic must be known.  False with a message. */
bool noe_frequencies_find(noe_properties *, noe_survey *, const noe_system *, const noe_method *);

#endif
