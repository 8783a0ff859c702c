/* FNV-1a hash of 64 bits, h <- (h xor byte) * prime: a checksum against damage.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/hash.h"

uint64_t noe_hash(uint64_t h, const void *x, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) h = (h ^ ((const unsigned char *)x)[i]) * 1099511628211u;
    return h;
}
