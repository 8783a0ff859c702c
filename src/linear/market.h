/* file -> A:  a matrix as finite-element programs write it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_MARKET_H
#define NOE_LINEAR_MARKET_H

#include "linear/sparse.h"

/* A square matrix from a Matrix Market file (real or integer, coordinate or array, general or symmetric;
 * https://math.nist.gov/MatrixMarket/formats.html), plain or compressed by gzip.  Entries at one place add up.
 * NULL with a message that names file and line. */
noe_sparse *noe_market_read(const char *path);

#endif
