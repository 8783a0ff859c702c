/* Verifies declared symmetries: L_q xi + L_v xi' = df/dt at every state.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_SYMMETRY_CHECK_H
#define NOE_SYSTEM_SYMMETRY_CHECK_H

#include "model/model.h"

/* Verifies every declared symmetry on random states in binary128, and subtracts f from its
 * momentum. False with a message that shows a state where the condition fails. */
bool noe_symmetry_check_declared(noe_model *);

#endif
