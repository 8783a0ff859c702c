/* Optional libraries: which of them this build has, and messages for the others.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/optional_library.h"

static const struct {
    const char *name, *packages;
    bool        here;
} library[NOE_LIBRARIES] = {
    [NOE_OF_HDF5] = { "HDF5", "libhdf5-dev",
#ifdef NOE_HDF5
                      true
#endif
    },
    [NOE_OF_FLINT] = { "FLINT/Arb", "libflint-dev and libflint-arb-dev",
#ifdef NOE_ARB
                       true
#endif
    },
    [NOE_OF_SUITESPARSE] = { "SuiteSparse", "libsuitesparse-dev",
#ifdef NOE_SUITESPARSE
                             true
#endif
    },
    [NOE_OF_ARPACK] = { "ARPACK", "libarpack2-dev",
#ifdef NOE_ARPACK
                        true
#endif
    },
    [NOE_OF_LAPACK] = { "LAPACK", "libopenblas-dev",
#ifdef NOE_LAPACK
                        true
#endif
    },
    [NOE_OF_ZLIB] = { "zlib", "zlib1g-dev",
#ifdef NOE_ZLIB
                      true
#endif
    },
};

bool        noe_optional_library_has(noe_library l) { return library[l].here; }
const char *noe_optional_library_name(noe_library l) { return library[l].name; }

noe_status noe_optional_library_require(noe_library l, const char *what)
{
    if (library[l].here) return NOE_OK;
    return noe_status_fail(NOE_INVALID,
                           "%.200s: this build is without %s; install %s and build again", what,
                           library[l].name, library[l].packages);
}

/* Stands for all functions of base/lapack.h in a build without LAPACK; never called. */
void noe_optional_library_no_lapack(int arguments, ...);
void noe_optional_library_no_lapack(int arguments, ...) { (void)arguments; }
