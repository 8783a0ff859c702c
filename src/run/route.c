/* (system, method, digits) -> the instance of the core that steps it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run/route.h"

const noe_core *noe_route(const noe_system *s, const noe_method *m, int digits)
{
    (void)s, (void)m;
    return digits > 15 ? noe_core_quad() : noe_core_double();
}
