/* real = binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#define NOE_REAL NOE_QUAD
#include "step/engine_instance.h"

static const noe_core core = INSTANCE;

const noe_core *noe_core_quad(void) { return &core; }
