/* Selects the build of the sums engine for this machine's SIMD registers; all give the same bits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sums/term_evaluation.h"

NOE_BUILDS(noe_sums_kernel, noe_sums_kernel);

const noe_sums_kernel *noe_sums_dispatch(void) { return NOE_WIDEST(noe_sums_kernel); }
