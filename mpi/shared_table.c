/* A table in an HDF5 file of which each process writes rows of its own, by HDF5 for MPI.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One process has made all objects; rows lie one after another, so that a process writes its rows
 * without the others (H5FD_MPIO_INDEPENDENT), and no metadata.  Each opens and closes the file by
 * itself: what all do together would wait for a lost process for ever.
 *
 * The library is not linked but loaded, where PETSc has not done so: its functions have the names
 * of those of the serial library, by which all other files are written. */
#include "shared_table.h"

#include "together.h"

#include "base/status.h"
#include "mpi/parallel_hdf5.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS(F)           \
    F(H5open)              \
    F(H5Eset_auto2)        \
    F(H5Pcreate)           \
    F(H5Pclose)            \
    F(H5Pset_fapl_mpio)    \
    F(H5Pset_dxpl_mpio)    \
    F(H5Fopen)             \
    F(H5Fclose)            \
    F(H5Dopen2)            \
    F(H5Dclose)            \
    F(H5Dget_space)        \
    F(H5Dwrite)            \
    F(H5Screate_simple)    \
    F(H5Sselect_hyperslab) \
    F(H5Sclose)

/* The functions of the library, by their names. */
static struct {
#define F(name) __typeof__(&name) name;
    CALLS(F)
#undef F
    void *library; /* NULL: it is not loaded */
} h5;

typedef struct {
    hid_t file, table, transfer; /* identifiers of HDF5; below 0: none */
    int   columns;               /* numbers in a row */
    char *path;                  /* of the file */
} shared;

static bool load(void)
{
    bool all = true;
    if (h5.library) return true;
    void *const library = dlopen(PARALLEL_HDF5, RTLD_LAZY | RTLD_LOCAL);
    if (!library) return noe_status_fail(NOE_IO, "%s", dlerror()), false;
#define F(name) all &= (*(void **)&h5.name = dlsym(library, #name)) != NULL;
    CALLS(F)
#undef F
    if (!all || h5.H5open() < 0)
        return noe_status_fail(NOE_IO, "%s: not the expected HDF5 for MPI", PARALLEL_HDF5), false;
    h5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    h5.library = library;
    return true;
}

/* An identifier that the library has as a variable. */
static hid_t id(const char *name)
{
    const hid_t *at = dlsym(h5.library, name);
    return at ? *at : H5I_INVALID_HID;
}

static noe_status fail(const shared *t, const char *what)
{
    return noe_status_fail(NOE_IO, "cannot %s %s by HDF5 for MPI", what, t->path);
}

static noe_status open_file(shared *t, const char *name)
{
    const hid_t access = h5.H5Pcreate(id("H5P_CLS_FILE_ACCESS_ID_g"));
    h5.H5Pset_fapl_mpio(access, MPI_COMM_SELF, MPI_INFO_NULL);
    t->file = h5.H5Fopen(t->path, H5F_ACC_RDWR, access);
    h5.H5Pclose(access);
    if (t->file >= 0) t->table = h5.H5Dopen2(t->file, name, H5P_DEFAULT);
    t->transfer = h5.H5Pcreate(id("H5P_CLS_DATASET_XFER_ID_g"));
    h5.H5Pset_dxpl_mpio(t->transfer, H5FD_MPIO_INDEPENDENT);
    return t->table >= 0 && t->transfer >= 0 ? NOE_OK : fail(t, "open");
}

static bool close_file(const shared *t)
{
    if (t->table >= 0) h5.H5Dclose(t->table);
    if (t->transfer >= 0) h5.H5Pclose(t->transfer);
    return t->file < 0 || h5.H5Fclose(t->file) >= 0;
}

static void *open_table(const char *path, const char *name, int columns)
{
    shared *t = noe_status_alloc(1, sizeof *t);
    char   *own = t ? noe_status_alloc(strlen(path) + 1, 1) : NULL;
    bool    ok = own && load();
    if (!together_agree(ok ? NOE_OK : NOE_IO)) {
        *t = (shared){ H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID, columns, own };
        strcpy(own, path);
        ok = !open_file(t, name);
        if (!together_agree(ok ? NOE_OK : NOE_IO)) return t;
        close_file(t);
    }
    free(own), free(t);
    return NULL;
}

static noe_status write_rows(void *table, size_t row, size_t rows, const double *x)
{
    const shared *t = table;
    const hsize_t at[] = { row, 0 }, count[] = { rows, (hsize_t)t->columns };
    const hid_t   number = id("H5T_NATIVE_DOUBLE_g"), file = h5.H5Dget_space(t->table),
                memory = h5.H5Screate_simple(2, count, NULL);
    herr_t e = h5.H5Sselect_hyperslab(file, H5S_SELECT_SET, at, NULL, count, NULL);
    if (e >= 0) e = h5.H5Dwrite(t->table, number, memory, file, t->transfer, x);
    h5.H5Sclose(memory);
    h5.H5Sclose(file);
    return e < 0 ? fail(t, "write") : NOE_OK;
}

/* What this process has written is on the disk when the file is sealed. */
static noe_status flush(const shared *t)
{
    const int  fd = open(t->path, O_RDONLY | O_CLOEXEC);
    const bool ok = fd >= 0 && (!fsync(fd) || errno == EINVAL);
    if (fd >= 0) close(fd);
    return ok ? NOE_OK : fail(t, "write");
}

static noe_status close_table(void *table)
{
    shared    *t = table;
    noe_status s = flush(t);
    if (!close_file(t)) s = fail(t, "close");
    free(t->path), free(t);
    return s;
}

const noe_shared_table shared_table = { open_table, write_rows, close_table };
