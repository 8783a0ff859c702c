/* The engine of eight trajectories: real = eight doubles.  Compiled once per instruction set.
 * SPDX-License-Identifier: BSD-3-Clause */
#define NOE_REAL NOE_LANES
#include "engine/engine_instance.h"

const noe_engine NOE_BUILD(noe_engine_lanes_) = INSTANCE;
