/* A virtual file driver of HDF5 that stores the first failed write instead of reporting it to HDF5.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Interface: H5FD of the HDF5 reference manual; modelled on the sec2 driver of HDF5. */
#include "base/optional_library.h"

#ifdef NOE_HDF5
#include "output/hdf5_library.h"
#include "output/hdf5_disk.h"

#include <H5FDpublic.h>
#ifdef H5FD_CLASS_VERSION /* HDF5 1.14 moved the driver interface */
#include <H5FDdevelop.h>
#endif
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    H5FD_t         base;                      /* first member, as HDF5 requires */
    noe_hdf5_disk *disk;                      /* receives errors */
    haddr_t        end_of_space, end_of_file; /* addresses as HDF5 wants them: allocated, written */
} driver;

static H5FD_t *open_disk(const char *name, unsigned flags, hid_t list, haddr_t most)
{
    (void)name, (void)most;
    noe_hdf5_disk *const *disk = H5Pget_driver_info(list);
    struct stat           s;
    driver               *d = disk ? noe_status_alloc(1, sizeof *d) : NULL;
    if (d) d->disk = *disk;
    if (d && !(flags & H5F_ACC_TRUNC) && !fstat(d->disk->fd, &s))
        d->end_of_file = (haddr_t)s.st_size;
    return (H5FD_t *)d;
}

static herr_t close_disk(H5FD_t *file)
{
    free(file);
    return 0;
}

static herr_t query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE
           | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t space(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const driver *)file)->end_of_space;
}

static herr_t set_space(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((driver *)file)->end_of_space = end;
    return 0;
}

static haddr_t end_of_file(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const driver *)file)->end_of_file;
}

/* Bytes that were never written read as zeros, as in a sparse file. */
static herr_t read_disk(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size,
                        void *bytes)
{
    (void)type, (void)list;
    const driver *d = (const driver *)file;
    for (char *p = bytes; size;) {
        ssize_t n = pread(d->disk->fd, p, size, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) return memset(p, 0, size), 0;
        p += n, at += (haddr_t)n, size -= (size_t)n;
    }
    return 0;
}

static herr_t write_disk(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size,
                         const void *bytes)
{
    (void)type, (void)list;
    driver *d = (driver *)file;
    if (at + size > d->end_of_file) d->end_of_file = at + size;
    for (const char *p = bytes; size && !d->disk->error;) {
        ssize_t n = pwrite(d->disk->fd, p, size, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) d->disk->error = errno;
        else p += n, at += (haddr_t)n, size -= (size_t)n;
    }
    return 0;
}

static herr_t cut(H5FD_t *file, hid_t list, hbool_t closing)
{
    (void)list, (void)closing;
    driver *d = (driver *)file;
    if (d->end_of_file == d->end_of_space) return 0;
    d->end_of_file = d->end_of_space;
    if (!d->disk->error && ftruncate(d->disk->fd, (off_t)d->end_of_space)) d->disk->error = errno;
    return 0;
}

static const H5FD_class_t class = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = 511, /* H5FD: values from 256 are for testing; this one is never looked up */
#endif
    .name = "noether",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG, /* closing the file closes all its objects */
    .fapl_size = sizeof(noe_hdf5_disk *),
    .open = open_disk,
    .close = close_disk,
    .query = query,
    .get_eoa = space,
    .set_eoa = set_space,
    .get_eof = end_of_file,
    .read = read_disk,
    .write = write_disk,
    .truncate = cut,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

static herr_t begin(noe_hdf5_disk *disk, const char *name, bool new)
{
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    disk->driver = H5FDregister(&class);
    H5Pset_driver(list, disk->driver, &disk);
    H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    disk->file = new ? H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list)
                     : H5Fopen(name, H5F_ACC_RDWR, list);
    H5Pclose(list);
    if (disk->file < 0) H5FDunregister(disk->driver);
    return disk->file < 0 ? -1 : 0;
}

herr_t noe_hdf5_disk_create(noe_hdf5_disk *disk, const char *name)
{
    return begin(disk, name, true);
}

herr_t noe_hdf5_disk_open(noe_hdf5_disk *disk, const char *name)
{
    return begin(disk, name, false);
}

/* H5FD_close of HDF5 1.10 reads the driver after releasing it, so the driver is released here,
 * after the file is closed. */
herr_t noe_hdf5_disk_close(noe_hdf5_disk *disk)
{
    if (disk->file < 0) return 0;
    herr_t e = H5Fclose(disk->file);
    disk->file = H5I_INVALID_HID;
    H5FDunregister(disk->driver);
    return e;
}
#endif
