/* The engine in double: real = double, nodes in lanes.  Compiled once per instruction set.
 * SPDX-License-Identifier: BSD-3-Clause */
#define NOE_REAL NOE_DOUBLE
#include "engine/engine_instance.h"

const noe_engine NOE_BUILD(noe_engine_double_) = INSTANCE;
