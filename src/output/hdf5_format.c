/* HDF5 output: the tables "table" and "events" of hdf5_table.c, with the restart state.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "output/output_format.h"

#include "base/optional_library.h"

#ifndef NOE_HDF5
static noe_status open_h5(noe_sink *s, const noe_head *h)
{
    (void)h;
    return noe_optional_library_require(NOE_OF_HDF5, noe_atomic_file_name(&s->temp));
}

const noe_format noe_hdf5_format = { .ending = ".h5", .open = open_h5 };
#else
#include "output/hdf5_library.h"
#include "output/hdf5_disk.h"
#include "output/hdf5_table.h"
#include "output/file_seal.h"
#include "output/restart_names.h"

#include <errno.h>
#include <stdlib.h>

typedef struct {
    noe_hdf5_disk  disk;            /* the file */
    noe_hdf5_table table, events;   /* events: without memory where there is no such table */
    bool           closed_for_hdf5; /* all is written; of a table that is placed all but its rows */
} h5;

/* Status of a call of HDF5; a failed write, which the driver hides from HDF5, has precedence. */
static noe_status outcome(const noe_sink *s, const noe_hdf5_guard *g, herr_t e)
{
    errno = ((const h5 *)s->own)->disk.error;
    if (errno) return noe_atomic_file_fail(&s->temp);
    return e < 0 ? noe_hdf5_library_fail(g, "write", noe_atomic_file_name(&s->temp)) : NOE_OK;
}

static noe_status open_h5(noe_sink *s, const noe_head *h)
{
    const bool wide = h->digits > NOE_DIGITS_DOUBLE;
    if (noe_optional_library_require(NOE_OF_HDF5, noe_atomic_file_name(&s->temp)))
        return NOE_INVALID;
    h5 *o = s->own = noe_status_alloc(1, sizeof *o);
    if (!o) return NOE_NO_MEMORY;
    o->disk = (noe_hdf5_disk){ .fd = fileno(s->temp.file), .file = H5I_INVALID_HID };
    noe_status status = noe_hdf5_table_make(&o->table, (size_t)h->columns, wide);
    if (!status && s->event_columns)
        status = noe_hdf5_table_make(&o->events, (size_t)s->event_columns, wide);
    if (status) return status;

    noe_hdf5_guard g;
    noe_hdf5_library_lock(&g);
    herr_t e = noe_hdf5_disk_create(&o->disk, s->temp.path);
    if (e >= 0) e = noe_hdf5_header_put_head(o->disk.file, h);
    o->table.placed = h->placed;
    if (e >= 0) e = noe_hdf5_table_create(&o->table, o->disk.file, NOE_SINK_TABLE, "table_low");
    if (e >= 0 && s->event_columns)
        e = noe_hdf5_table_create(&o->events, o->disk.file, "events", "events_low");
    status = outcome(s, &g, e);
    noe_hdf5_library_unlock(&g);
    return status;
}

static noe_status flush(noe_sink *s, noe_hdf5_table *t)
{
    noe_hdf5_guard g;
    noe_hdf5_library_lock(&g);
    noe_status status = outcome(s, &g, noe_hdf5_table_flush(t));
    noe_hdf5_library_unlock(&g);
    return status;
}

static noe_status row(noe_sink *s, const quad *x)
{
    noe_hdf5_table *t = &((h5 *)s->own)->table;
    return noe_hdf5_table_add(t, x) ? flush(s, t) : NOE_OK;
}

static noe_status row_double(noe_sink *s, const double *x)
{
    noe_hdf5_table *t = &((h5 *)s->own)->table;
    return noe_hdf5_table_add_double(t, x) ? flush(s, t) : NOE_OK;
}

static noe_status event(noe_sink *s, const quad *x)
{
    noe_hdf5_table *t = &((h5 *)s->own)->events;
    return noe_hdf5_table_add(t, x) ? flush(s, t) : NOE_OK;
}

/* Writes what follows the rows, and closes the file for HDF5. */
static noe_status end_file(noe_sink *s, const void *state, size_t bytes)
{
    h5            *o = s->own;
    hsize_t        count = bytes;
    noe_hdf5_guard g;
    noe_hdf5_library_lock(&g);
    herr_t e = noe_hdf5_table_flush(&o->table);
    if (e >= 0) e = noe_hdf5_table_flush(&o->events);
    if (e >= 0 && bytes)
        e = noe_hdf5_header_put(o->disk.file, NOE_RESTART_STATE, H5T_NATIVE_UINT8, state, &count);
    if (e >= 0 && finiteq(s->reported)) e = noe_hdf5_header_put_reported(o->disk.file, s->reported);
    if (e >= 0) e = noe_hdf5_header_put_ended(o->disk.file, s->ended);
    if (e >= 0 && s->judgement) e = noe_hdf5_header_put_judgement(o->disk.file, s->judgement);
    if (e >= 0) e = noe_hdf5_disk_close(&o->disk);
    noe_status status = outcome(s, &g, e);
    noe_hdf5_library_unlock(&g);
    o->closed_for_hdf5 = !status;
    return status;
}

static noe_status place(noe_sink *s) { return end_file(s, NULL, 0); }

/* Where rows of a table that was placed did not come. */
static noe_status renew_ended(noe_sink *s)
{
    h5            *o = s->own;
    noe_hdf5_guard g;
    if (!s->ended) return NOE_OK;
    noe_hdf5_library_lock(&g);
    herr_t e = noe_hdf5_disk_open(&o->disk, s->temp.path);
    if (e >= 0) e = noe_hdf5_header_renew_ended(o->disk.file, s->ended);
    if (e >= 0) e = noe_hdf5_disk_close(&o->disk);
    noe_status status = outcome(s, &g, e);
    noe_hdf5_library_unlock(&g);
    return status;
}

static noe_status finish(noe_sink *s, const void *state, size_t bytes)
{
    h5        *o = s->own;
    noe_status status = o->closed_for_hdf5 ? renew_ended(s) : end_file(s, state, bytes);
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
    noe_hdf5_table_free(&o->table);
    noe_hdf5_table_free(&o->events);
    free(o);
    s->own = NULL;
}

const noe_format noe_hdf5_format = {
    ".h5", open_h5, row, finish, close_h5, event, row_double, place, true,
};
#endif
