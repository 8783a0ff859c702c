/* file -> A:  a matrix as finite-element programs write it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_MATRIX_FILE_H
#define NOE_MATRIX_MATRIX_FILE_H

#include "matrix/sparse.h"

/* A square matrix of real or whole numbers, symmetric or general, plain or compressed by gzip;
 * what the file says tells which format it is: Matrix Market (coordinate or array),
 * Rutherford-Boeing or Harwell-Boeing (assembled), or lines of row, column, number, which have
 * `rows` rows.  Entries at one place add up.  NULL with a message that names file and line. */
noe_sparse *noe_matrix_file_read(const char *path, int rows);

#endif
