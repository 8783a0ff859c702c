/* Optional libraries: which of them this build has, and messages for the others.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/optional_library.h"

#ifdef NOE_HDF5
#include <dlfcn.h>
#endif

enum { FILES_MOST = 3 };

static const struct {
    const char *name, *packages, *file[FILES_MOST]; /* how its shared libraries' names begin */
    const char *variables; /* the shared library that has variables; NULL: none that is used */
    bool        built_in;  /* it was there when noether was built */
} library[NOE_LIBRARIES] = {
    [NOE_OF_HDF5] = { .name = "HDF5",
                      .packages = "libhdf5-dev",
                      .file = { "libhdf5" },
#ifdef NOE_HDF5
                      .variables = NOE_HDF5,
                      .built_in = true
#endif
    },
    [NOE_OF_FLINT] = { .name = "FLINT/Arb",
                       .packages = "libflint-dev and libflint-arb-dev",
                       .file = { "libflint", "libgmp" },
#ifdef NOE_ARB
                       .built_in = true
#endif
    },
    [NOE_OF_SUITESPARSE] = { .name = "SuiteSparse",
                             .packages = "libsuitesparse-dev",
                             .file = { "libcholmod", "libklu", "libumfpack" },
#ifdef NOE_SUITESPARSE
                             .built_in = true
#endif
    },
    [NOE_OF_ARPACK] = { .name = "ARPACK",
                        .packages = "libarpack2-dev",
                        .file = { "libarpack" },
#ifdef NOE_ARPACK
                        .built_in = true
#endif
    },
    [NOE_OF_LAPACK] = { .name = "LAPACK",
                        .packages = "libopenblas-dev",
                        .file = { "libopenblas", "liblapack", "libblas" },
#ifdef NOE_LAPACK
                        .built_in = true
#endif
    },
    [NOE_OF_ZLIB] = { .name = "zlib",
                      .packages = "zlib1g-dev",
                      .file = { "libz" },
#ifdef NOE_ZLIB
                      .built_in = true
#endif
    },
    [NOE_OF_CMINPACK] = { .name = "cminpack",
                          .packages = "libcminpack-dev",
                          .file = { "libcminpack" },
#ifdef NOE_CMINPACK
                          .built_in = true
#endif
    },
    [NOE_OF_IPOPT] = { .name = "Ipopt",
                       .packages = "coinor-libipopt-dev",
                       .file = { "libipopt" },
#ifdef NOE_IPOPT
                       .built_in = true
#endif
    },
};

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

bool noe_optional_library_has(noe_library l) { return library[l].built_in && !absent(l); }

noe_status noe_optional_library_require(noe_library l, const char *what)
{
    const char *why = library[l].built_in ? absent(l) : NULL;
    if (why)
        return noe_status_fail(NOE_INVALID, "%.200s: %s cannot be loaded: %.200s; install %s", what,
                               library[l].name, why, library[l].packages);
    if (library[l].built_in) return NOE_OK;
    return noe_status_fail(NOE_INVALID,
                           "%.200s: this build is without %s; install %s and build again", what,
                           library[l].name, library[l].packages);
}

#ifdef NOE_HDF5
void *noe_optional_library_variable(noe_library l, const char *name)
{
    void *shared = dlopen(library[l].variables, RTLD_LAZY);
    return shared ? dlsym(shared, name) : NULL;
}
#endif

void noe_optional_library_stub(int arguments, ...) { (void)arguments; }
