/* Seals of result files: detect damage, truncation and changes by other programs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * file = bytes + seal, seal = ("noether's seal", number of bytes, hash of the bytes).
 *
 * The HDF5 library may loop without end or crash on a damaged file.  Therefore the seal is checked
 * with plain reads before a restart opens the file with HDF5.  The seal lies after the part of
 * the file that HDF5 uses: other readers ignore the seal, and a change by another program makes it
 * invalid. */
#ifndef NOE_OUTPUT_FILE_SEAL_H
#define NOE_OUTPUT_FILE_SEAL_H

#include <stdint.h>

typedef enum { NOE_SEAL_WHOLE, NOE_SEAL_MISSING, NOE_SEAL_BROKEN, NOE_SEAL_UNREADABLE } noe_seal;

/* Appends the seal to the file.  -1: the file cannot be read or written, see errno. */
int noe_file_seal_put(int fd);
/* Checks the seal.  UNREADABLE: see errno.  *bytes: number of bytes before the seal. */
noe_seal noe_file_seal_look(int fd, uint64_t *bytes);

#endif
