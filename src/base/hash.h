/* FNV-1a hash of 64 bits, h <- (h xor byte) * prime: a checksum against damage.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, RFC 9923.  Every factor is odd, so one changed byte
 * always changes it. */
#ifndef NOE_BASE_HASH_H
#define NOE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define NOE_HASH_BEGIN 14695981039346656037u

/* Hash of earlier bytes and these; before: hash of the earlier bytes, NOE_HASH_BEGIN if none. */
uint64_t noe_hash(uint64_t before, const void *, size_t bytes);

#endif
