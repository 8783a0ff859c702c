/* Access to HDF5: one lock, no error output of HDF5, messages of its failures; file headers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_OUTPUT_HDF5_LIBRARY_H
#define NOE_OUTPUT_HDF5_LIBRARY_H

#include "output/sink.h"
#include "base/table.h"

#include <hdf5.h>
#include <stdint.h>

enum { NOE_H5_REASON = 256 };
/* A lock on HDF5, which has one error handler and, in the serial build of Debian, global state that
 * is not safe for threads. */
typedef struct {
    H5E_auto2_t report;  /* error handler of the calling program, restored by unlock */
    void       *context; /* argument of that handler */
    char        reason[NOE_H5_REASON]; /* text of the first failure */
} noe_hdf5_guard;

/* After noe_optional_library_require(). */
void noe_hdf5_library_lock(noe_hdf5_guard *);
void noe_hdf5_library_unlock(const noe_hdf5_guard *); /* restores the error handler */
/* Fails with the message "cannot VERB PATH: reason". */
noe_status noe_hdf5_library_fail(const noe_hdf5_guard *, const char *verb, const char *path);

/* Writes the data set `name`: one number x (count NULL), or *count numbers.  Negative on
 * failure, as functions of HDF5. */
herr_t noe_hdf5_header_put(hid_t file, const char *name, hid_t type, const void *x,
                           const hsize_t *count);
herr_t noe_hdf5_header_put_head(hid_t file, const noe_head *);
/* t: the time up to which rows were reported. */
herr_t noe_hdf5_header_put_reported(hid_t file, quad t);
/* why NULL: "complete" is 1; else "complete" is 0 and "ended" is why. */
herr_t noe_hdf5_header_put_ended(hid_t file, const char *why);
/* The same in a file that has them. */
herr_t noe_hdf5_header_renew_ended(hid_t file, const char *why);
herr_t noe_hdf5_header_put_judgement(hid_t file, const noe_judgement *);

/* A type or class of HDF5 by name.  These are variables, which, unlike functions, cannot be bound
 * lazily when HDF5 is loaded late. */
hid_t noe_hdf5_library_id(const char *name);
#undef H5T_C_S1
#undef H5T_NATIVE_DOUBLE
#undef H5T_NATIVE_INT
#undef H5T_NATIVE_UINT8
#undef H5P_FILE_ACCESS
#undef H5P_DATASET_CREATE
#define H5T_C_S1 noe_hdf5_library_id("H5T_C_S1_g")
#define H5T_NATIVE_DOUBLE noe_hdf5_library_id("H5T_NATIVE_DOUBLE_g")
#define H5T_NATIVE_INT noe_hdf5_library_id("H5T_NATIVE_INT_g")
#define H5T_NATIVE_UINT8 noe_hdf5_library_id("H5T_NATIVE_UINT8_g")
#define H5P_FILE_ACCESS noe_hdf5_library_id("H5P_CLS_FILE_ACCESS_ID_g")
#define H5P_DATASET_CREATE noe_hdf5_library_id("H5P_CLS_DATASET_CREATE_ID_g")

#endif
