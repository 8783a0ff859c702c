/* Random numbers from a seed, the same on every machine.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_NUMBER_RANDOM_H
#define NOE_NUMBER_RANDOM_H

#include <stdint.h>

double noe_random_uniform(uint64_t *seed); /* in (0, 1) */
double noe_random_normal(uint64_t *seed);  /* mean 0, variance 1 */
/* 64 bits, of which the lower ones are poor: where bits must only be irregular, and fast.  All
 * three functions advance the seed. */
uint64_t noe_random_irregular(uint64_t *seed);

#endif
