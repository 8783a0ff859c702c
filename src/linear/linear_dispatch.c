/* the widest build of the kernels that this machine runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "step/engine.h"
#include "linear/transition_kernel.h"

NOE_BUILDS(noe_transition_kernel, noe_transition_kernel);

const noe_transition_kernel *noe_linear_dispatch(void) { return NOE_WIDEST(noe_transition_kernel); }
