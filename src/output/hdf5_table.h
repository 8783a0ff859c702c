/* A table of an HDF5 file that grows by rows: x = NAME + NAME_low, each [rows][columns].
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_OUTPUT_HDF5_TABLE_H
#define NOE_OUTPUT_HDF5_TABLE_H

#include "base/table.h"

#include <hdf5.h>

typedef struct {
    hid_t   table, low;    /* datasets of the high and the low part; low = 0 for doubles */
    hsize_t rows;          /* rows written to the file */
    hsize_t placed;        /* rows there is room for from the start; 0: the table grows */
    size_t  columns;       /* numbers in a row */
    size_t  block, filled; /* rows of a chunk; rows collected in `high` and `rest` */
    double *high, *rest;   /* [block][columns]; rest = NULL for doubles */
} noe_hdf5_table;

/* Memory for the rows of a chunk; wide: numbers in binary128.  To be freed in either case. */
noe_status noe_hdf5_table_make(noe_hdf5_table *, size_t columns, bool wide);
void       noe_hdf5_table_free(noe_hdf5_table *);
/* Negative on failure, as functions of HDF5; the lock is held.  names: of both datasets. */
herr_t noe_hdf5_table_create(noe_hdf5_table *, hid_t file, const char *name, const char *low);
herr_t noe_hdf5_table_flush(noe_hdf5_table *);
/* Collects a row; true: the chunk is full and must be flushed. */
bool noe_hdf5_table_add(noe_hdf5_table *, const quad *row);
bool noe_hdf5_table_add_double(noe_hdf5_table *, const double *row);

#endif
