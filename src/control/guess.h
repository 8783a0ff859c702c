/* Where the search for an optimum begins.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CONTROL_GUESS_H
#define NOE_CONTROL_GUESS_H

#include "control/transcription.h"

/* Straight lines from the start to the end, controls 0 or next to it; T: the end of time. */
void noe_guess_straight(noe_transcription *, double T);
/* The motion on a coarser grid, by its own polynomials. */
void noe_guess_refine(noe_transcription *, const noe_transcription *coarse);

/* Values of Lagrange's polynomials through d[count] at c. */
void noe_guess_lagrange(const double *d, int count, double c, double *value);
/* The controls of step k at c. */
void noe_guess_control(const noe_transcription *, int k, double c, double *u);

#endif
