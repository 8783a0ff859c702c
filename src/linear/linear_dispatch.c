/* the widest build of the kernels that this machine runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "step/engine.h"
#include "linear/transition_kernel.h"

NOE_BUILDS(noe_kernel, noe_kernel);

const noe_kernel *noe_kernel_best(void) { return NOE_WIDEST(noe_kernel); }
