/* (system, method, digits) -> the instance of the core that steps it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run/route.h"

#include "base/status.h"
#include "linear/dense.h"

const noe_core *noe_route(const noe_system *s, const noe_method *m, int digits)
{
    const noe_core *linear = digits > 15 ? NULL : noe_dense(&s->dyn, m);
    if (linear) return linear;
    if (s->dyn.structure) {
        noe_fail(NOE_INVALID, "%s: '%s' in %d digits does not step a structure", s->source, noe_method_name(m), digits);
        return NULL;
    }
    return digits > 15 ? noe_core_quad() : noe_core_double();
}
