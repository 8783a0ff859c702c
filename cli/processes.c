/* The command noether is one process.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

const struct noe_processes *processes(void) { return NULL; }
