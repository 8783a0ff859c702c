/* Optional libraries: which of them this build has, and messages for the others.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/optional_library.h"

enum { FILES_MOST = 3 };

static const struct {
    const char *name, *packages, *file[FILES_MOST]; /* how its shared libraries' names begin */
    bool        here;                               /* it was there when noether was built */
} library[NOE_LIBRARIES] = {
    [NOE_OF_HDF5] = { .name = "HDF5",
                      .packages = "libhdf5-dev",
                      .file = { "libhdf5" },
#ifdef NOE_HDF5
                      .here = true
#endif
    },
    [NOE_OF_FLINT] = { .name = "FLINT/Arb",
                       .packages = "libflint-dev and libflint-arb-dev",
                       .file = { "libflint", "libgmp" },
#ifdef NOE_ARB
                       .here = true
#endif
    },
    [NOE_OF_SUITESPARSE] = { .name = "SuiteSparse",
                             .packages = "libsuitesparse-dev",
                             .file = { "libcholmod", "libklu", "libumfpack" },
#ifdef NOE_SUITESPARSE
                             .here = true
#endif
    },
    [NOE_OF_ARPACK] = { .name = "ARPACK",
                        .packages = "libarpack2-dev",
                        .file = { "libarpack" },
#ifdef NOE_ARPACK
                        .here = true
#endif
    },
    [NOE_OF_LAPACK] = { .name = "LAPACK",
                        .packages = "libopenblas-dev",
                        .file = { "libopenblas", "liblapack", "libblas" },
#ifdef NOE_LAPACK
                        .here = true
#endif
    },
    [NOE_OF_ZLIB] = { .name = "zlib",
                      .packages = "zlib1g-dev",
                      .file = { "libz" },
#ifdef NOE_ZLIB
                      .here = true
#endif
    },
    [NOE_OF_CMINPACK] = { .name = "cminpack",
                          .packages = "libcminpack-dev",
                          .file = { "libcminpack" },
#ifdef NOE_CMINPACK
                          .here = true
#endif
    },
    [NOE_OF_IPOPT] = { .name = "Ipopt",
                       .packages = "coinor-libipopt-dev",
                       .file = { "libipopt" },
#ifdef NOE_IPOPT
                       .here = true
#endif
    },
};

const char *noe_optional_library_name(noe_library l) { return library[l].name; }

/* Where all libraries are linked, the process would not run without them. */
__attribute__((weak)) const char *noe_optional_library_absent(const char *file)
{
    return (void)file, NULL;
}

/* Why it cannot be loaded; NULL: it is. */
static const char *absent(noe_library l)
{
    const char *why = NULL;
    for (int i = 0; i < FILES_MOST && library[l].file[i] && !why; i++)
        why = noe_optional_library_absent(library[l].file[i]);
    return why;
}

bool noe_optional_library_has(noe_library l) { return library[l].here && !absent(l); }

noe_status noe_optional_library_require(noe_library l, const char *what)
{
    const char *why = library[l].here ? absent(l) : NULL;
    if (why)
        return noe_status_fail(NOE_INVALID, "%.200s: %s cannot be loaded: %.200s; install %s", what,
                               library[l].name, why, library[l].packages);
    if (library[l].here) return NOE_OK;
    return noe_status_fail(NOE_INVALID,
                           "%.200s: this build is without %s; install %s and build again", what,
                           library[l].name, library[l].packages);
}

/* Stands for the functions of base/lapack.h and base/cminpack.h in a build without them; never
 * called. */
void noe_optional_library_no_lapack(int arguments, ...);
void noe_optional_library_no_lapack(int arguments, ...) { (void)arguments; }
