/* Seals result files: damage, truncation and foreign changes are detected.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * file = bytes + seal, seal = ("noether's seal", how many bytes, their hash):  is it as it was
 * written?
 *
 * The HDF5 library reads a damaged file for ever, or to its own end by a signal.  So whoever
 * wants to go on from a file asks for its seal first, by plain reads.  The seal lies behind what
 * HDF5 knows of: other readers do not see it, and what another program writes breaks it. */
#ifndef NOE_OUTPUT_FILE_SEAL_H
#define NOE_OUTPUT_FILE_SEAL_H

#include <stdint.h>

typedef enum { NOE_SEAL_WHOLE, NOE_SEAL_MISSING, NOE_SEAL_BROKEN, NOE_SEAL_UNREADABLE } noe_seal;

/* Puts one behind all that is there.  -1: it cannot be read or written, errno says why. */
int noe_file_seal_put(int fd);
/* UNREADABLE: errno says why.  bytes: how many it has under the seal. */
noe_seal noe_file_seal_look(int fd, uint64_t *bytes);

#endif
