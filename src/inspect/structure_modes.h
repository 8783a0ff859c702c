/* Slowest and fastest modes of a structure, K x = omega^2 M x, and the steps that they allow.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INSPECT_STRUCTURE_MODES_H
#define NOE_INSPECT_STRUCTURE_MODES_H

#include "base/json.h"
#include "matrix/eigen_min.h"
#include "method/method.h"
#include "system/system.h"

#include <stdio.h>

enum { NOE_MODES = 10 };

typedef struct {
    noe_mode low[NOE_MODES]; /* slowest modes, in order of omega */
    int    found, asked; /* number of modes found and searched; fewer found: some may be missing */
    double top;          /* upper bound of omega^2 of the fastest mode */
    double edge;   /* largest omega h of the method's first window of stability; INFINITY: none */
    double chosen; /* step chosen by the program; 0: the step was given */
} noe_structure_modes;

/* Finds the modes.  False with a message.  iterations: as in noe_eigen_min_find.  The processes
 * look for the slowest ones together; NULL: there is one. */
bool noe_structure_modes_find(noe_structure_modes *, const noe_structure *, const noe_method *,
                              int iterations, const noe_processes *);
/* Number of modes whose frequency is 0 or within the rounding errors of K. */
int noe_structure_modes_rigid(const noe_structure_modes *);
/* Step with 40 points in the longest finite period, at most half of the stability limit. */
double noe_structure_modes_step(const noe_structure_modes *);
/* Is the step within the first window of stability of the method? */
bool noe_structure_modes_stable(const noe_structure_modes *, double step);
/* The modes and steps, a line each, and as one object of JSON. */
void noe_structure_modes_text(const noe_structure_modes *, const noe_system *, const noe_method *,
                              double step, FILE *);
void noe_structure_modes_json(const noe_structure_modes *, const noe_system *, const noe_method *,
                              double step, noe_json *, const char *name);

#endif
