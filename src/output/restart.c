/* Reads restart files: (q, p, t) at the end of one run is the start of the next.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They are written by `end_file` of output/hdf5_format.c. */
#include "output/restart.h"

#include "base/optional_library.h"

#include <stdlib.h>

void noe_restart_free(noe_restart *r)
{
    if (!r) return;
    free(r->model);
    free(r->source);
    free(r->changes);
    free(r->inputs);
    free(r->options);
    free(r->method);
    free(r->warning), free(r->note);
    free(r->state);
    *r = (noe_restart){ 0 };
}

#ifndef NOE_HDF5
noe_status noe_restart_read(const char *path, noe_restart *r)
{
    if (!path || !r) return NOE_INVALID;
    *r = (noe_restart){ 0 };
    return noe_optional_library_require(NOE_OF_HDF5, path);
}
#else
#include "output/hdf5_library.h"
#include "number/decimal.h"
#include "output/file_seal.h"
#include "output/restart_names.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const char *path; /* of the file */
    hid_t       file;
    uint64_t    bytes; /* size of the file, a bound for everything in it */
} h5_file;

/* An attribute of the root group of the file, or else a dataset in that group. */
typedef struct {
    bool     attribute;
    hid_t    id, type;
    hssize_t count; /* number of values; negative: the item does not exist */
} item;

static item item_open(const h5_file *f, const char *name)
{
    item x = { .attribute = H5Aexists(f->file, name) > 0 };
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

static const char advice[] = "give an .h5 that a run of noether has finished";

static noe_status unusable(const h5_file *f, const char *name, const char *fault)
{
    return noe_status_fail(NOE_IO, "cannot restart from %s: its '%s' %s; %s", f->path, name, fault,
                           advice);
}

/* Copies a text of fixed length, which need not end with a zero byte. */
static noe_status copy_text(const h5_file *f, const char *name, const item *x, char **out)
{
    const size_t size = H5Tget_size(x->type);
    if (H5Tget_class(x->type) != H5T_STRING || H5Tis_variable_str(x->type) != 0 || x->count != 1)
        return unusable(f, name, "is no text of fixed length");
    if (size > f->bytes) return unusable(f, name, "is longer than the file");
    *out = noe_status_alloc(size + 1, 1);
    if (!*out) return NOE_NO_MEMORY;
    return item_read(x, x->type, *out) < 0 ? unusable(f, name, "cannot be read") : NOE_OK;
}

static noe_status read_text(const h5_file *f, const char *name, char **out)
{
    item       x = item_open(f, name);
    noe_status s = x.count < 0 ? NOE_OK : copy_text(f, name, &x, out);
    item_close(&x);
    return s;
}

static noe_status read_number(const h5_file *f, const char *name, quad *out)
{
    char      *text = NULL;
    noe_status s = read_text(f, name, &text);
    if (!s && !text) s = unusable(f, name, "is missing");
    if (!s && (!noe_decimal_read(text, out) || *out - *out != 0))
        s = unusable(f, name, "is no number");
    free(text);
    return s;
}

/* The same of a number that the file may lack: NAN. */
static noe_status read_optional(const h5_file *f, const char *name, quad *out)
{
    *out = NAN;
    return H5Aexists(f->file, name) > 0 ? read_number(f, name, out) : NOE_OK;
}

static noe_status read_digits(const h5_file *f, int *digits)
{
    item x = item_open(f, NOE_RESTART_DIGITS);
    bool good = x.count == 1 && H5Tget_class(x.type) == H5T_INTEGER
             && item_read(&x, H5T_NATIVE_INT, digits) >= 0;
    item_close(&x);
    return good && (*digits == NOE_DIGITS_DOUBLE || (*digits >= NOE_DIGITS_QUAD && *digits <= 1000))
             ? NOE_OK
             : unusable(f, NOE_RESTART_DIGITS, "is neither 15 nor 33 to 1000");
}

static noe_status copy_state(const h5_file *f, const item *x, noe_restart *r)
{
    if (x->count < 0) return unusable(f, NOE_RESTART_STATE, "is missing");
    if (H5Tget_class(x->type) != H5T_INTEGER || H5Tget_size(x->type) != 1 || !x->count)
        return unusable(f, NOE_RESTART_STATE, "is not a row of bytes");
    if ((uint64_t)x->count > f->bytes)
        return unusable(f, NOE_RESTART_STATE, "is longer than the file");
    r->bytes = (size_t)x->count;
    r->state = noe_status_alloc(r->bytes, 1);
    if (!r->state) return NOE_NO_MEMORY;
    return item_read(x, H5T_NATIVE_UINT8, r->state) < 0
             ? unusable(f, NOE_RESTART_STATE, "cannot be read")
             : NOE_OK;
}

static noe_status read_state(const h5_file *f, noe_restart *r)
{
    item       x = item_open(f, NOE_RESTART_STATE);
    noe_status s = copy_state(f, &x, r);
    item_close(&x);
    return s;
}

static noe_status read_all(const h5_file *f, noe_restart *r)
{
    noe_status s = read_text(f, NOE_RESTART_MODEL, &r->model);
    if (!s) s = read_text(f, NOE_RESTART_SOURCE, &r->source);
    if (!s) s = read_text(f, NOE_RESTART_CHANGES, &r->changes);
    if (!s) s = read_text(f, NOE_RESTART_INPUTS, &r->inputs);
    if (!s) s = read_text(f, NOE_RESTART_OPTIONS, &r->options);
    if (!s) s = read_text(f, NOE_RESTART_METHOD, &r->method);
    if (!s) s = read_text(f, NOE_RESTART_WARNING, &r->warning);
    if (!s) s = read_text(f, NOE_RESTART_NOTE, &r->note);
    if (!s) s = read_number(f, NOE_RESTART_STEP, &r->step);
    if (!s) s = read_number(f, NOE_RESTART_T0, &r->t0);
    if (!s) s = read_optional(f, NOE_RESTART_REPORTED, &r->reported);
    if (!s) s = read_digits(f, &r->digits);
    return s ? s : read_state(f, r);
}

static noe_status open_and_read(noe_hdf5_guard *g, const char *path, uint64_t bytes, noe_restart *r)
{
    h5_file f = { path, H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), bytes };
    if (f.file < 0) return noe_hdf5_library_fail(g, "read", path);
    noe_status s = read_all(&f, r);
    H5Fclose(f.file);
    return s;
}

/* Before HDF5 reads the file: is it complete and as it was written? */
static noe_status check_seal(const char *path, uint64_t *bytes)
{
    static const char signature[8] = "\x89HDF\r\n\x1a\n";
    char              begin[sizeof signature] = "";
    struct stat       about;
    if (!stat(path, &about) && !S_ISREG(about.st_mode))
        return noe_status_fail(NOE_IO, "cannot restart from %s: it is no file; %s", path, advice);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return noe_status_fail(NOE_IO, "cannot read %s: %s", path, strerror(errno));
    const bool h5 = pread(fd, begin, sizeof begin, 0) == sizeof begin
                 && !memcmp(begin, signature, sizeof begin);
    const noe_seal seal = noe_file_seal_look(fd, bytes);
    const int      why = errno;
    close(fd);
    switch (seal) {
    case NOE_SEAL_WHOLE: return NOE_OK;
    case NOE_SEAL_UNREADABLE:
        return noe_status_fail(NOE_IO, "cannot read %s: %s", path, strerror(why));
    case NOE_SEAL_BROKEN:
        return noe_status_fail(
            NOE_IO,
            "cannot restart from %s: it is damaged, its bytes are not those that were written; %s",
            path, advice);
    case NOE_SEAL_MISSING: break;
    }
    if (!h5)
        return noe_status_fail(NOE_IO, "cannot restart from %s: it is not an HDF5 file; %s", path,
                               advice);
    return noe_status_fail(
        NOE_IO,
        "cannot restart from %s: it is not as noether left it: cut off, or written to by another "
        "program; %s",
        path, advice);
}

noe_status noe_restart_read(const char *path, noe_restart *r)
{
    uint64_t bytes;
    if (!path || !r) return NOE_INVALID;
    *r = (noe_restart){ 0 };
    noe_status s = check_seal(path, &bytes);
    if (s) return s;
    if (noe_optional_library_require(NOE_OF_HDF5, path)) return NOE_INVALID;
    noe_hdf5_guard g;
    noe_hdf5_library_lock(&g);
    s = open_and_read(&g, path, bytes, r);
    noe_hdf5_library_unlock(&g);
    if (s) noe_restart_free(r);
    return s;
}
#endif
