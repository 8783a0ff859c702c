/* real = double, its nodes in lanes.  Compiled once per instruction set.
 * SPDX-License-Identifier: BSD-3-Clause */
#define NOE_REAL NOE_DOUBLE
#include "step/engine_instance.h"

const noe_core NOE_BUILD(noe_core_double_) = INSTANCE;
