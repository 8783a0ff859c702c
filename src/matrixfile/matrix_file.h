/* Reads a matrix file as finite-element programs write it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIXFILE_MATRIX_FILE_H
#define NOE_MATRIXFILE_MATRIX_FILE_H

#include "matrix/sparse.h"

/* Reads a square matrix of real or whole numbers, symmetric or general, plain or compressed by
 * gzip. The contents of the file decide which format it has: Matrix Market (coordinate or
 * array), Rutherford-Boeing or Harwell-Boeing (assembled), PETSc's binary format, or lines of row,
 * column and number.
 * It must have `rows` rows; a file that promises others is refused before memory is taken.
 * Entries at the same place are added. NULL with a message that names file and line. */
noe_sparse *noe_matrix_file_read(const char *path, int rows);

#endif
