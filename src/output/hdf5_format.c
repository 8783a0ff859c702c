/* HDF5 output: x = table + table_low, each [rows][columns], compressed, with the restart state.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows are collected until they fill a chunk, which is compressed and written once. */
#include "output/output_format.h"

#include "base/optional_library.h"

#ifndef NOE_HDF5
static noe_status open_h5(noe_sink *s, const noe_head *h)
{
    (void)h;
    return noe_optional_library_require(NOE_OF_HDF5, noe_atomic_file_name(&s->temp));
}

const noe_format noe_hdf5_format = { ".h5", open_h5, NULL, NULL, NULL };
#else
#include "output/hdf5_library.h"
#include "output/hdf5_disk.h"
#include "output/file_seal.h"

#include <errno.h>
#include <stdlib.h>

typedef struct {
    noe_hdf5_disk disk;
    hid_t         table, low;    /* datasets of the high and the low part; low = 0 for doubles */
    hsize_t       rows;          /* rows written to the file */
    size_t        block, filled; /* rows of a chunk; rows collected in `high` and `rest` */
    double       *high, *rest;   /* [block][columns]; rest = NULL for doubles */
} h5;

/* Chunks of about 128 KB: large enough for good compression, small enough to read a single row. */
static size_t rows_of_chunk(size_t columns) { return columns > 8192 ? 1 : 16384 / columns; }

static hid_t create_table(hid_t file, const char *name, size_t block, size_t columns)
{
    hsize_t size[] = { 0, columns }, most[] = { H5S_UNLIMITED, columns };
    hsize_t chunk[] = { block, columns < 1 << 20 ? columns : 1 << 20 };
    hid_t   space = H5Screate_simple(2, size, most), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, chunk);
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 1);
    H5Pset_fletcher32(list); /* checksum of each chunk, for readers other than noether */
    hid_t table = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    H5Sclose(space);
    return table;
}

/* Status of a call of HDF5; a failed write, which the driver hides from HDF5, has precedence. */
static noe_status told(const noe_sink *s, const noe_hdf5_guard *g, herr_t e)
{
    errno = ((const h5 *)s->own)->disk.error;
    if (errno) return noe_atomic_file_fail(&s->temp);
    return e < 0 ? noe_hdf5_library_fail(g, "write", noe_atomic_file_name(&s->temp)) : NOE_OK;
}

static noe_status open_h5(noe_sink *s, const noe_head *h)
{
    size_t n = (size_t)h->columns;
    if (noe_hdf5_library_load("write", noe_atomic_file_name(&s->temp))) return NOE_IO;
    h5 *o = s->own = noe_status_alloc(1, sizeof *o);
    if (!o) return NOE_NO_MEMORY;
    o->disk = (noe_hdf5_disk){ .fd = fileno(s->temp.file), .file = H5I_INVALID_HID };
    o->block = rows_of_chunk(n);
    o->high = noe_status_alloc(o->block * n, sizeof *o->high);
    o->rest = h->digits > 15 ? noe_status_alloc(o->block * n, sizeof *o->rest) : NULL;
    if (!o->high || (h->digits > 15 && !o->rest)) return NOE_NO_MEMORY;

    noe_hdf5_guard g;
    noe_hdf5_library_lock(&g);
    herr_t e = noe_hdf5_disk_create(&o->disk, s->temp.path);
    if (e >= 0) e = noe_hdf5_header_put_head(o->disk.file, h);
    if (e >= 0) e = (o->table = create_table(o->disk.file, "table", o->block, n)) < 0 ? -1 : 0;
    if (e >= 0 && o->rest)
        e = (o->low = create_table(o->disk.file, "table_low", o->block, n)) < 0 ? -1 : 0;
    noe_status status = told(s, &g, e);
    noe_hdf5_library_unlock(&g);
    return status;
}

static herr_t append(const h5 *o, hid_t table, const double *x, hsize_t columns)
{
    hsize_t at[] = { o->rows, 0 }, count[] = { o->filled, columns },
            size[] = { o->rows + o->filled, columns };
    if (H5Dset_extent(table, size) < 0) return -1;
    hid_t  file = H5Dget_space(table), memory = H5Screate_simple(2, count, NULL);
    herr_t e = H5Sselect_hyperslab(file, H5S_SELECT_SET, at, NULL, count, NULL);
    if (e >= 0) e = H5Dwrite(table, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, x);
    H5Sclose(memory);
    H5Sclose(file);
    return e;
}

static herr_t flush(h5 *o, hsize_t columns)
{
    if (!o->filled) return 0;
    herr_t e = append(o, o->table, o->high, columns);
    if (e >= 0 && o->rest) e = append(o, o->low, o->rest, columns);
    o->rows += o->filled;
    o->filled = 0;
    return e;
}

static noe_status row(noe_sink *s, const quad *x)
{
    h5    *o = s->own;
    size_t n = (size_t)s->columns, at = o->filled++ * n;
    for (size_t j = 0; j < n; j++) {
        double high = o->high[at + j] = (double)x[j];
        if (o->rest) o->rest[at + j] = high - high == 0 ? (double)(x[j] - high) : 0;
    }
    if (o->filled < o->block) return NOE_OK;

    noe_hdf5_guard g;
    noe_hdf5_library_lock(&g);
    noe_status status = told(s, &g, flush(o, n));
    noe_hdf5_library_unlock(&g);
    return status;
}

static noe_status finish(noe_sink *s, const void *state, size_t bytes)
{
    h5            *o = s->own;
    hsize_t        count = bytes;
    noe_hdf5_guard g;
    noe_hdf5_library_lock(&g);
    herr_t e = flush(o, (hsize_t)s->columns);
    if (e >= 0 && bytes)
        e = noe_hdf5_header_put(o->disk.file, "state", H5T_NATIVE_UINT8, state, &count);
    if (e >= 0) e = noe_hdf5_header_put_ended(o->disk.file, s->ended);
    if (e >= 0 && s->judged)
        e = noe_hdf5_header_put_judged(o->disk.file, s->local_error, s->warning);
    if (e >= 0) e = noe_hdf5_disk_close(&o->disk);
    noe_status status = told(s, &g, e);
    noe_hdf5_library_unlock(&g);
    if (!status && noe_file_seal_put(o->disk.fd)) status = noe_atomic_file_fail(&s->temp);
    return status;
}

static void close_h5(noe_sink *s)
{
    h5 *o = s->own;
    if (!o) return;
    noe_hdf5_guard g;
    noe_hdf5_library_lock(&g);
    noe_hdf5_disk_close(&o->disk);
    noe_hdf5_library_unlock(&g);
    free(o->high);
    free(o->rest);
    free(o);
    s->own = NULL;
}

const noe_format noe_hdf5_format = { ".h5", open_h5, row, finish, close_h5 };
#endif
