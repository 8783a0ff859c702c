/* Selects the build of the transition kernel for the instruction set of this machine.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "step/engine_interface.h"
#include "linear/transition_kernel.h"

NOE_BUILDS(noe_transition_kernel, noe_transition_kernel);

const noe_transition_kernel *noe_linear_dispatch(void) { return NOE_WIDEST(noe_transition_kernel); }
