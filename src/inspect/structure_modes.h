/* what a structure is: its size, its slowest and fastest modes, and the steps that they allow.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_STRUCTURE_MODES_H
#define NOE_INSPECT_STRUCTURE_MODES_H

#include "matrix/eigen_min.h"
#include "method/method.h"
#include "system/system.h"

#include <stdio.h>

enum { NOE_MODES = 10 };

typedef struct {
    noe_mode low[NOE_MODES]; /* the slowest first */
    int      found, asked;   /* of them; fewer than asked: there may be others between */
    double   top;            /* omega^2 of the fastest, from above */
    double   edge;           /* largest stable omega h of the method's first window; INFINITY */
    double   chosen;         /* the step, where nobody said one; 0: somebody did */
} noe_structure_modes;

/* False with a message.  patience: of noe_eigen_min_find. */
bool noe_structure_modes_find(noe_structure_modes *, const noe_structure *, const noe_method *,
                              int patience);
/* How many of the slowest are 0, or lost in the rounding of K. */
int noe_structure_modes_rigid(const noe_structure_modes *);
/* 40 points in the longest period that there is, and at most half of what the method stands. */
double noe_structure_modes_step(const noe_structure_modes *);
/* Prints it, as text or JSON.  Exit status: 0; 1 when the step is beyond the stability limit of
 * the method. */
int noe_structure_modes_print(const noe_structure_modes *, const noe_system *, const noe_method *,
                              double step, int json, FILE *);

#endif
