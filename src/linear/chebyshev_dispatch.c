/* Selects the build of the Chebyshev stages for the instruction set of this machine.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "step/engine_interface.h"
#include "linear/chebyshev_stage.h"

NOE_BUILDS(noe_chebyshev_stage, noe_chebyshev_stage);

const noe_chebyshev_stage *noe_chebyshev_dispatch(void) { return NOE_WIDEST(noe_chebyshev_stage); }
