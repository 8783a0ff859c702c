/* Random numbers from a seed, the same on every machine.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "number/random.h"

#include <math.h>

double noe_random_uniform(uint64_t *seed) /* splitmix64 (Vigna) */
{
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

double noe_random_normal(uint64_t *seed)
{
    const double r = sqrt(-2 * log(noe_random_uniform(seed)));
    return r * cos(2 * M_PI * noe_random_uniform(seed));
}

uint64_t noe_random_irregular(uint64_t *seed) /* the congruential generator of Knuth's MMIX */
{
    return *seed = *seed * 6364136223846793005u + 1442695040888963407u;
}
