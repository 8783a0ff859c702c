/* (q, p, t) at the end of one run = the start of the next.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run/sink.h"

#include <stdlib.h>

void noe_restart_free(noe_restart *r)
{
    if (!r) return;
    free(r->model);
    free(r->source);
    free(r->changes);
    free(r->method);
    free(r->state);
    *r = (noe_restart){0};
}

#ifndef NOE_HDF5
noe_status noe_restart_read(const char *path, noe_restart *r)
{
    if (!path || !r) return NOE_INVALID;
    *r = (noe_restart){0};
    return noe_fail(NOE_IO, "cannot read %s: built without HDF5; install libhdf5-dev and build again", path);
}
#else
#include "run/h5.h"
#include "run/number.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1 << 30 }; /* no text or state is longer; a damaged file may say so */

typedef struct {
    const char *path;
    hid_t       file;
} source;

/* An attribute of the root group, or else a dataset in it. */
typedef struct {
    bool     attribute;
    hid_t    id, type;
    hssize_t count; /* negative: there is none */
} item;

static item item_open(const source *f, const char *name)
{
    item x = {.attribute = H5Aexists(f->file, name) > 0};
    x.id = x.attribute ? H5Aopen(f->file, name, H5P_DEFAULT) : H5Dopen2(f->file, name, H5P_DEFAULT);
    x.type = x.attribute ? H5Aget_type(x.id) : H5Dget_type(x.id);
    hid_t space = x.attribute ? H5Aget_space(x.id) : H5Dget_space(x.id);
    x.count = space < 0 || x.type < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    if (space >= 0) H5Sclose(space);
    return x;
}

static herr_t item_read(const item *x, hid_t type, void *out)
{
    return x->attribute ? H5Aread(x->id, type, out)
                        : H5Dread(x->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
}

static void item_close(const item *x)
{
    if (x->type >= 0) H5Tclose(x->type);
    if (x->id >= 0 && x->attribute) H5Aclose(x->id);
    else if (x->id >= 0) H5Dclose(x->id);
}

static noe_status unusable(const source *f, const char *name, const char *fault)
{
    return noe_fail(NOE_IO,
                    "cannot restart from %s: its '%s' %s; give an .h5 that a run of noether has finished",
                    f->path, name, fault);
}

/* Texts of our files have any length; other writers' may be of fixed length, perhaps unterminated. */
static noe_status copy_text(const source *f, const char *name, const item *x, char **out)
{
    bool   any = H5Tis_variable_str(x->type) > 0;
    size_t size = H5Tget_size(x->type);
    char  *text = NULL;
    if (H5Tget_class(x->type) != H5T_STRING || x->count != 1 || size > MOST)
        return unusable(f, name, "is no text");
    if (!any) {
        *out = noe_alloc(size + 1, 1);
        if (!*out) return NOE_NO_MEMORY;
        return item_read(x, x->type, *out) < 0 ? unusable(f, name, "cannot be read") : NOE_OK;
    }
    if (item_read(x, x->type, &text) < 0 || !text) return unusable(f, name, "cannot be read");
    *out = noe_alloc(strlen(text) + 1, 1);
    if (*out) strcpy(*out, text);
    H5free_memory(text);
    return *out ? NOE_OK : NOE_NO_MEMORY;
}

static noe_status read_text(const source *f, const char *name, char **out)
{
    item       x = item_open(f, name);
    noe_status s = x.count < 0 ? NOE_OK : copy_text(f, name, &x, out);
    item_close(&x);
    return s;
}

static noe_status read_number(const source *f, const char *name, quad *out)
{
    char      *text = NULL;
    noe_status s = read_text(f, name, &text);
    if (!s && !text) s = unusable(f, name, "is missing");
    if (!s && (!noe_number_read(text, out) || *out - *out != 0)) s = unusable(f, name, "is no number");
    free(text);
    return s;
}

static noe_status read_digits(const source *f, int *digits)
{
    item x = item_open(f, "digits");
    bool good =
        x.count == 1 && H5Tget_class(x.type) == H5T_INTEGER && item_read(&x, H5T_NATIVE_INT, digits) >= 0;
    item_close(&x);
    return good && (*digits == 15 || (*digits >= 33 && *digits <= 1000)) ? NOE_OK
         : unusable(f, "digits", "is neither 15 nor 33 to 1000");
}

static noe_status copy_state(const source *f, const item *x, noe_restart *r)
{
    if (x->count < 0) return unusable(f, "state", "is missing");
    if (H5Tget_class(x->type) != H5T_INTEGER || H5Tget_size(x->type) != 1 || !x->count || x->count > MOST)
        return unusable(f, "state", "is not a row of bytes");
    r->bytes = (size_t)x->count;
    r->state = noe_alloc(r->bytes, 1);
    if (!r->state) return NOE_NO_MEMORY;
    return item_read(x, H5T_NATIVE_UINT8, r->state) < 0 ? unusable(f, "state", "cannot be read") : NOE_OK;
}

static noe_status read_state(const source *f, noe_restart *r)
{
    item       x = item_open(f, "state");
    noe_status s = copy_state(f, &x, r);
    item_close(&x);
    if (s) return s;
    uint64_t   hash = 0;
    item       y = item_open(f, "state_hash");
    const bool known = y.count == 1 && H5Tget_class(y.type) == H5T_INTEGER && item_read(&y, H5T_NATIVE_UINT64, &hash) >= 0;
    item_close(&y);
    return known && hash == noe_h5_hash(r->state, r->bytes) ? NOE_OK : unusable(f, "state", "is damaged");
}

static noe_status read_all(const source *f, noe_restart *r)
{
    noe_status s = read_text(f, "model", &r->model);
    if (!s) s = read_text(f, "source", &r->source);
    if (!s) s = read_text(f, "changes", &r->changes);
    if (!s) s = read_text(f, "method", &r->method);
    if (!s) s = read_number(f, "step_exact", &r->step);
    if (!s) s = read_number(f, "t0_exact", &r->t0);
    if (!s) s = read_digits(f, &r->digits);
    return s ? s : read_state(f, r);
}

static noe_status open_and_read(noe_h5_guard *g, const char *path, noe_restart *r)
{
    if (H5Fis_hdf5(path) <= 0)
        return noe_fail(NOE_IO,
                        "cannot restart from %s: it is not an HDF5 file; "
                        "give an .h5 that a run of noether has finished",
                        path);
    source f = {path, H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT)};
    if (f.file < 0) return noe_h5_fail(g, "read", path);
    noe_status s = read_all(&f, r);
    H5Fclose(f.file);
    return s;
}

noe_status noe_restart_read(const char *path, noe_restart *r)
{
    if (!path || !r) return NOE_INVALID;
    *r = (noe_restart){0};
    FILE *file = fopen(path, "rb"); /* the system's reason reads better than HDF5's */
    if (!file) return noe_fail(NOE_IO, "cannot read %s: %s", path, strerror(errno));
    fclose(file);
    if (noe_h5_load("read", path)) return NOE_IO;
    noe_h5_guard g;
    noe_h5_lock(&g);
    noe_status s = open_and_read(&g, path, r);
    noe_h5_unlock(&g);
    if (s) noe_restart_free(r);
    return s;
}
#endif
