/* what a structure is: its size, its slowest and fastest modes, and the steps that they allow.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LAB_MODES_H
#define NOE_LAB_MODES_H

#include "method/method.h"
#include "run/system.h"

#include <stdio.h>

/* Prints it, as text or JSON.  Exit status: 0; 1 when the step is beyond the stability limit of the method; 2 with a message. */
int noe_modes_print(const noe_system *, const noe_method *, double step, int json, FILE *);

#endif
