/* The equations that are stepped where a model has a monitor G.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_MONITORED_DYNAMICS_H
#define NOE_SYSTEM_MONITORED_DYNAMICS_H

#include "system/system.h"

/* Of G (L(q, q'/G) + E), with the energy E as the input H of its tapes and the time as the integral
 * of G; for `monitor G reversible` those of L itself, `own`, with the tape of G and dG/dt.  False
 * with a message. */
bool noe_monitored_dynamics_make(noe_model *, noe_arena *, const noe_dynamics *own,
                                 noe_dynamics *to);
/* The expression G (L(q, q'/G) + E); E is the leaf NOE_H. */
noe_ex noe_monitored_dynamics_transformed(noe_model *);
/* The tapes of derivatives of what is stepped, by what `own` is differentiated by. */
bool noe_monitored_dynamics_differentiate(noe_model *, noe_arena *, const noe_dynamics *own,
                                          noe_dynamics *to);
/* Frees what these two have made. */
void noe_monitored_dynamics_drop(noe_dynamics *);
/* A message, and true, where the system has a monitor: `what` takes steps of one length. */
bool noe_monitored_dynamics_refuse(const noe_system *, const char *what);
/* Is this engine, of this method, one that steps a monitored system?  Else a message. */
bool noe_monitored_dynamics_check(const noe_system *, const noe_method *, int digits);

#endif
