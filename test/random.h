/* x uniform in (-1, 1), the same for the same NOE_SEED: what tests on random input share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RANDOM_H
#define RANDOM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "number/quad.h"

#define UNUSED __attribute__((unused))

static uint64_t seed;

static UNUSED void print_seed(void)
{
    const char *given = getenv("NOE_SEED");
    seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    printf("NOE_SEED=%llu\n", (unsigned long long)seed);
}

/* 64 random bits: Vigna's splitmix64. */
static UNUSED uint64_t bits(void)
{
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in (-1, 1). */
static UNUSED double random_number(void) { return (double)(bits() >> 11) / 4503599627370496.0 - 1; }

/* Every finite double is possible; a fifth are subnormal, a fifth powers of two, a fifth short. */
static UNUSED double any_double(void)
{
    for (;;) {
        uint64_t u = bits(), kind = bits() % 5;
        double   x;
        if (kind == 0) u &= 0x800fffffffffffffu;
        if (kind == 1) u &= 0xfff0000000000000u;
        if (kind == 2) u &= 0xffffff0000000000u;
        memcpy(&x, &u, sizeof x);
        if (x - x == 0) return x;
    }
}

/* x = y, bit for bit. */
static UNUSED bool equal_bits(double x, double y) { return !memcmp(&x, &y, sizeof x); }

#define close_to(a, b, bound) close_at(a, b, bound, __LINE__)
static UNUSED void close_at(quad a, quad b, double bound, int line)
{
    if (fabsq(a - b) <= bound) return;
    fail_msg("line %d: %.20g against %.20g, difference %.3g, bound %.3g", line, (double)a,
             (double)b, (double)(a - b), bound);
}

#endif
