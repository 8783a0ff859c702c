/* A table of an HDF5 file that grows by rows: x = NAME + NAME_low, each [rows][columns].
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows are collected until they fill a chunk, which is written once.  Chunks are not compressed:
 * zlib at its fastest takes half the time of a step of the double pendulum for a row of four
 * columns and leaves 72 to 86 % of the bytes of a motion. */
#include "base/optional_library.h"

#ifdef NOE_HDF5
#include "output/hdf5_library.h"
#include "output/hdf5_table.h"

#include <stdlib.h>
#include <string.h>

/* Chunks of about 128 KB: large enough for few calls, small enough to read a single row. */
static size_t rows_of_chunk(size_t columns) { return columns > 8192 ? 1 : 16384 / columns; }

noe_status noe_hdf5_table_make(noe_hdf5_table *t, size_t columns, bool wide)
{
    *t = (noe_hdf5_table){ .columns = columns, .block = rows_of_chunk(columns) };
    t->high = noe_status_alloc(t->block * columns, sizeof *t->high);
    t->rest = wide ? noe_status_alloc(t->block * columns, sizeof *t->rest) : NULL;
    return t->high && (t->rest || !wide) ? NOE_OK : NOE_NO_MEMORY;
}

void noe_hdf5_table_free(noe_hdf5_table *t)
{
    free(t->high);
    free(t->rest);
}

/* Rows that are placed lie one after another, so that nothing but their numbers is written when
 * they come. */
static hid_t create(const noe_hdf5_table *t, hid_t file, const char *name)
{
    hsize_t size[] = { t->placed, t->columns }, most[] = { H5S_UNLIMITED, t->columns };
    hsize_t chunk[] = { t->block, t->columns < 1 << 20 ? t->columns : 1 << 20 };
    hid_t   space = H5Screate_simple(2, size, t->placed ? NULL : most),
          list = H5Pcreate(H5P_DATASET_CREATE);
    if (t->placed) {
        H5Pset_layout(list, H5D_CONTIGUOUS);
        H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
        H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
    } else {
        H5Pset_chunk(list, 2, chunk);
        H5Pset_fletcher32(list); /* checksum of each chunk, for readers other than noether */
    }
    hid_t table = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    H5Sclose(space);
    return table;
}

herr_t noe_hdf5_table_create(noe_hdf5_table *t, hid_t file, const char *name, const char *low)
{
    if ((t->table = create(t, file, name)) < 0) return -1;
    if (t->rest && (t->low = create(t, file, low)) < 0) return -1;
    return 0;
}

static herr_t append(const noe_hdf5_table *t, hid_t table, const double *x)
{
    hsize_t at[] = { t->rows, 0 }, count[] = { t->filled, t->columns },
            size[] = { t->rows + t->filled, t->columns };
    if (H5Dset_extent(table, size) < 0) return -1;
    hid_t  file = H5Dget_space(table), memory = H5Screate_simple(2, count, NULL);
    herr_t e = H5Sselect_hyperslab(file, H5S_SELECT_SET, at, NULL, count, NULL);
    if (e >= 0) e = H5Dwrite(table, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, x);
    H5Sclose(memory);
    H5Sclose(file);
    return e;
}

herr_t noe_hdf5_table_flush(noe_hdf5_table *t)
{
    if (!t->filled) return 0;
    herr_t e = append(t, t->table, t->high);
    if (e >= 0 && t->rest) e = append(t, t->low, t->rest);
    t->rows += t->filled;
    t->filled = 0;
    return e;
}

bool noe_hdf5_table_add(noe_hdf5_table *t, const quad *x)
{
    const size_t at = t->filled++ * t->columns;
    for (size_t j = 0; j < t->columns; j++) {
        const double high = t->high[at + j] = (double)x[j];
        if (t->rest) t->rest[at + j] = high - high == 0 ? (double)(x[j] - high) : 0;
    }
    return t->filled == t->block;
}
bool noe_hdf5_table_add_double(noe_hdf5_table *t, const double *x)
{
    const size_t at = t->filled++ * t->columns;
    memcpy(t->high + at, x, t->columns * sizeof *x);
    if (t->rest) memset(t->rest + at, 0, t->columns * sizeof *x);
    return t->filled == t->block;
}
#endif
