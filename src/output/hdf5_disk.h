/* A virtual file driver of HDF5 that stores the first failed write instead of reporting it to HDF5.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_OUTPUT_HDF5_DISK_H
#define NOE_OUTPUT_HDF5_DISK_H

#include <hdf5.h>

/* When a write fails (full disk), HDF5 1.10 can neither close the file nor abandon it, and
 * crashes at the end of the program.  Therefore this driver reports success for every write and
 * stores errno of the first failure; the caller checks `error` after each call of HDF5 and
 * discards the file. */
typedef struct {
    int   fd, error;    /* an open, empty file; errno of the first failed write, or 0 */
    hid_t driver, file; /* file: invalid before create, after a failed one, and after close */
} noe_hdf5_disk;

herr_t noe_hdf5_disk_create(noe_hdf5_disk *, const char *name); /* makes disk->fd an HDF5 file */
herr_t noe_hdf5_disk_open(noe_hdf5_disk *, const char *name);   /* again, after it was closed */
herr_t noe_hdf5_disk_close(noe_hdf5_disk *);                    /* disk->fd stays open */

#endif
