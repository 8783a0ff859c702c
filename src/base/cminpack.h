/* Declares lmder of cminpack: min |r(x)|^2 by Levenberg and Marquardt with derivatives.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_CMINPACK_H
#define NOE_BASE_CMINPACK_H

#include "base/optional_library.h"

#ifdef NOE_CMINPACK
#include <cminpack.h>
#else
/* Stands for lmder in a build without cminpack; never called, as callers first ask
 * noe_optional_library_require. */
#define lmder(...) (noe_optional_library_stub(0, __VA_ARGS__), 0)
#endif

#endif
