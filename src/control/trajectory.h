/* The motion that was found as a table: t, q, v, p, controls, multipliers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CONTROL_TRAJECTORY_H
#define NOE_CONTROL_TRAJECTORY_H

#include "control/transcription.h"

/* Rows at the ends and at the nodes of all steps.  NULL with a message. */
noe_table *noe_trajectory_table(noe_transcription *);

#endif
