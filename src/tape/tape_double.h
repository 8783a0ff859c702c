/* Evaluates a tape in double for two sets of inputs at once, in about the time of one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_TAPE_DOUBLE_H
#define NOE_TAPE_TAPE_DOUBLE_H

#include "tape/tape.h"

typedef double noe_double_pair __attribute__((vector_size(2 * sizeof(double))));

/* As noe_tape_double_run_again(), with the same numbers. */
void noe_tape_double_run_two(const noe_tape *, noe_double_pair *slot);

#endif
