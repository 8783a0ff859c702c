/* Optional libraries: which of them this build has (src/have), and messages for the others.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_OPTIONAL_LIBRARY_H
#define NOE_BASE_OPTIONAL_LIBRARY_H

#include "base/status.h"

/* NOE_HDF5 and the name of its file; NOE_ARB, NOE_SUITESPARSE, NOE_ARPACK, NOE_LAPACK, NOE_ZLIB,
 * NOE_CMINPACK, NOE_IPOPT: written by src/have. */
#include "found.h"

#include <stdbool.h>

typedef enum {
    NOE_OF_HDF5,
    NOE_OF_FLINT,
    NOE_OF_SUITESPARSE,
    NOE_OF_ARPACK,
    NOE_OF_LAPACK,
    NOE_OF_ZLIB,
    NOE_OF_CMINPACK,
    NOE_OF_IPOPT,
    NOE_LIBRARIES
} noe_library;

bool noe_optional_library_has(noe_library); /* and can it be loaded? */
/* NOE_OK, or NOE_INVALID and "the slowest modes of a structure: this build is without ARPACK;
 * install libarpack2-dev and build again".  To be called before the first function of a library,
 * which otherwise ends the process where it cannot be loaded. */
noe_status noe_optional_library_require(noe_library, const char *what);
/* Why the libraries whose names begin so, or one of the functions that this build calls of them,
 * cannot be loaded; NULL: they can.  Libraries that are loaded late define it: cli/late.c. */
const char *noe_optional_library_absent(const char *file);
#ifdef NOE_HDF5
/* A variable of a library, after noe_optional_library_require(): unlike functions, variables are
 * not bound when they are first used.  NULL: it has none of that name. */
void *noe_optional_library_variable(noe_library, const char *name);
#endif
/* Stands for the functions of base/lapack.h and base/cminpack.h in a build without them; never
 * called. */
void noe_optional_library_stub(int arguments, ...);

#endif
