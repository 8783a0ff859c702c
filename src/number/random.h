/* seed -> normal numbers, the same everywhere.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_NUMBER_RANDOM_H
#define NOE_NUMBER_RANDOM_H

#include <stdint.h>

double noe_uniform(uint64_t *seed);  /* in (0, 1) */
double noe_gaussian(uint64_t *seed); /* mean 0, variance 1; moves the seed on */

#endif
