/* HDF5 behind one lock, silent, its failures in our words.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_OUTPUT_HDF5_LIBRARY_H
#define NOE_OUTPUT_HDF5_LIBRARY_H

#include "base/table.h"

#include <hdf5.h>
#include <stdint.h>

/* The library keeps one error handler and, in Debian's serial build, unguarded global state. */
enum { NOE_H5_REASON = 256 };
typedef struct {
    H5E_auto2_t report; /* the host program's */
    void       *context;
    char        reason[NOE_H5_REASON]; /* of the first failure */
} noe_hdf5_guard;

/* Can it be loaded?  The command does that late, when a file is wanted (cli/late.c).  Else
 * "cannot VERB PATH: why". */
noe_status noe_hdf5_library_load(const char *verb, const char *path);
void       noe_hdf5_library_lock(noe_hdf5_guard *);
void noe_hdf5_library_unlock(const noe_hdf5_guard *); /* the host program's error handler is back */
/* "cannot VERB PATH: reason" */
noe_status noe_hdf5_library_fail(const noe_hdf5_guard *, const char *verb, const char *path);

/* Negative on failure, as HDF5's own.  count NULL: one x, else *count of them. */
herr_t noe_hdf5_header_put(hid_t file, const char *name, hid_t type, const void *x,
                           const hsize_t *count);
herr_t noe_hdf5_header_put_head(hid_t file, const noe_head *);
/* "complete" is 1, or 0 and "ended" says why */
herr_t noe_hdf5_header_put_ended(hid_t file, const char *why);
herr_t noe_hdf5_header_put_judged(hid_t file, double local_error, const char *warning);

/* HDF5's types and classes are variables.  A function can be bound when it is called, a variable
 * cannot: it is asked for by name. */
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
