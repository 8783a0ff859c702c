/* Seals of result files: detect damage, truncation and changes by other programs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * file = bytes + seal, seal = ("noether's seal", number of bytes, hash of the bytes).
 *
 * The numbers are little-endian, as those of HDF5. */
#include "output/file_seal.h"

#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MARK = 16, SEAL = MARK + 16, PIECE = 1 << 16 };
static const char mark[MARK] = "\nnoether's seal\n";

static void put_number(unsigned char *to, uint64_t x)
{
    for (int k = 0; k < 8; k++) to[k] = (unsigned char)(x >> 8 * k);
}

static uint64_t number(const unsigned char *from)
{
    uint64_t x = 0;
    for (int k = 0; k < 8; k++) x |= (uint64_t)from[k] << 8 * k;
    return x;
}

/* Reads `bytes` bytes from the position `at`; -1: see errno, EIO where the file is too short. */
static int read_all(int fd, void *to, size_t bytes, uint64_t at)
{
    for (char *p = to; bytes;) {
        const ssize_t n = pread(fd, p, bytes, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = EIO;
        if (n <= 0) return -1;
        p += n, at += (uint64_t)n, bytes -= (size_t)n;
    }
    return 0;
}

static int write_all(int fd, const void *from, size_t bytes, uint64_t at)
{
    for (const char *p = from; bytes;) {
        const ssize_t n = pwrite(fd, p, bytes, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        p += n, at += (uint64_t)n, bytes -= (size_t)n;
    }
    return 0;
}

static int hash_of(int fd, uint64_t bytes, uint64_t *hash)
{
    unsigned char piece[PIECE];
    *hash = NOE_HASH_BEGIN;
    for (uint64_t at = 0; at < bytes;) {
        const size_t some = bytes - at < PIECE ? (size_t)(bytes - at) : PIECE;
        if (read_all(fd, piece, some, at)) return -1;
        *hash = noe_hash(*hash, piece, some);
        at += some;
    }
    return 0;
}

int noe_file_seal_put(int fd)
{
    const off_t   end = lseek(fd, 0, SEEK_END);
    unsigned char seal[SEAL];
    uint64_t      hash;
    if (end < 0 || hash_of(fd, (uint64_t)end, &hash)) return -1;
    memcpy(seal, mark, MARK);
    put_number(seal + MARK, (uint64_t)end), put_number(seal + MARK + 8, hash);
    return write_all(fd, seal, SEAL, (uint64_t)end);
}

noe_seal noe_file_seal_look(int fd, uint64_t *bytes)
{
    const off_t   end = lseek(fd, 0, SEEK_END);
    unsigned char seal[SEAL];
    uint64_t      hash;
    if (end < 0) return NOE_SEAL_UNREADABLE;
    if (end < SEAL) return NOE_SEAL_MISSING;
    *bytes = (uint64_t)end - SEAL;
    if (read_all(fd, seal, SEAL, *bytes)) return NOE_SEAL_UNREADABLE;
    if (memcmp(seal, mark, MARK)) return NOE_SEAL_MISSING;
    if (number(seal + MARK) != *bytes) return NOE_SEAL_BROKEN;
    if (hash_of(fd, *bytes, &hash)) return NOE_SEAL_UNREADABLE;
    return hash == number(seal + MARK + 8) ? NOE_SEAL_WHOLE : NOE_SEAL_BROKEN;
}
