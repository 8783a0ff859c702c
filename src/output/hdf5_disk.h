/* file = bytes at addresses; a write that fails is remembered and HDF5 never hears of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_OUTPUT_HDF5_DISK_H
#define NOE_OUTPUT_HDF5_DISK_H

#include <hdf5.h>

/* HDF5 1.10 loses its footing when it cannot write all that it holds of a file (a full disk):
 * the file can neither be closed nor left, and the program crashes at its end.  So our driver
 * accepts every write, keeps the first failure, and whoever opened the file asks for it after
 * each call and throws the file away. */
typedef struct {
    int   fd, error;    /* an open, empty file; errno of the first failure, or 0 */
    hid_t driver, file; /* file: invalid before create, after a failed one, and after close */
} noe_hdf5_disk;

herr_t noe_hdf5_disk_create(noe_hdf5_disk *, const char *name); /* an HDF5 file in disk->fd */
herr_t noe_hdf5_disk_close(noe_hdf5_disk *);                    /* disk->fd stays open */

#endif
