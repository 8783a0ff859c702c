/* Reduces an argument of sin and cos of any size: r = x - k pi/2 in [-pi/4, pi/4].
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * M. H. Payne and R. N. Hanek, ACM SIGNUM Newsletter 18 (1983) 19: only those bits of 2/pi are
 * needed whose products with x are below 4. 192 bits give 128 bits after the binary point, and
 * no double is nearer to a multiple of pi/2 than 2^-62. */
#ifndef NOE_NUMBER_ARGUMENT_REDUCTION_H
#define NOE_NUMBER_ARGUMENT_REDUCTION_H

#include "number/quad.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 noe_u128;

/* r + rest = x - k pi/2 in [-pi/4, pi/4]; returns k modulo 4. r = rest = nan if x is not finite.
 * |x| >= 1. */
static inline __attribute__((unused)) int noe_argument_reduction_turns(double x, double *r,
                                                                       double *rest)
{
    static const uint64_t two_over_pi[] = { /* 2/pi, preceded by 64 zero bits */
                                            0,
                                            0xa2f9836e4e441529,
                                            0xfc2757d1f534ddc0,
                                            0xdb6295993c439041,
                                            0xfe5163abdebbc561,
                                            0xb7246e3a424dd2e0,
                                            0x06492eea09d1921c,
                                            0xfe1deb1cb129a73e,
                                            0xe88235f52ebb4484,
                                            0xe99c7026b45f7e41,
                                            0x3991d639835339f4,
                                            0x9c845f8bbdf9283b,
                                            0x1ff897ffde05980f,
                                            0xef2f118b5a0a6d1f,
                                            0x6d367ecf27cb09b7,
                                            0x4f463f669e5fea2d,
                                            0x7527bac7ebe5f17b,
                                            0x3d0739f78a5292ea,
                                            0x6bfb5fb11f8d5d08,
                                            0x56033046fc7b6bab
    };
    uint64_t bits, window[3];
    memcpy(&bits, &x, sizeof bits);
    const int power = (int)(bits >> 52 & 0x7ff) - 1075; /* |x| = m 2^power */
    if (power == 2047 - 1075) {
        *r = *rest = x - x;
        return 0;
    }
    const uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    /* the bit of 2/pi whose product with 2^power is 2 */
    const int at = power + 62, shift = at % 64;
    for (int i = 0; i < 3; i++) {
        const uint64_t *w = two_over_pi + at / 64 + i;
        window[i] = shift ? w[0] << shift | w[1] >> (64 - shift) : w[0];
    }
    const noe_u128 low = (noe_u128)m * window[2], middle = (noe_u128)m * window[1] + (low >> 64);
    /* m 2/pi modulo 4 is high / 2^62 */
    const uint64_t high = m * window[0] + (uint64_t)(middle >> 64);
    noe_u128       f = ((noe_u128)high << 64 | (uint64_t)middle) << 2 | (uint64_t)low >> 62;
    int            k = (int)(high >> 62);
    const int      above = (int)(f >> 127); /* the fraction is 1/2 or more: round k up */
    if (above) f = -f, k++;
    /* times pi/2, which is correct to 2^-107 */
    const quad fraction = (quad)f * (quad)0x1p-128
                        * ((quad)0x1.921fb54442d18p0 + (quad)0x1.1a62633145c07p-54);
    const quad y = above != (x < 0) ? -fraction : fraction;
    *r = (double)y, *rest = (double)(y - *r);
    return (x < 0 ? -k : k) & 3;
}

#endif
