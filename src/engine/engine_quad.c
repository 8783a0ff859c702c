/* The engine in binary128: real = quad, one trajectory.
 * SPDX-License-Identifier: BSD-3-Clause */
#define NOE_REAL NOE_QUAD
#include "engine/engine_instance.h"

static const noe_engine engine = INSTANCE;

const noe_engine *noe_engine_quad(void) { return &engine; }
