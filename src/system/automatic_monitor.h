/* The monitor that `monitor auto` stands for.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_AUTOMATIC_MONITOR_H
#define NOE_SYSTEM_AUTOMATIC_MONITOR_H

#include "tape/equations.h"

/* Sets m->monitor.G, which has the symmetries of L, and m->monitor.text, from the equations of L.
 * False with a message: L has no constant mass matrix, or the local frequency is the same
 * everywhere. */
bool noe_automatic_monitor_choose(noe_model *m, noe_arena *, const noe_dynamics *);

#endif
