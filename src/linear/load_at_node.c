/* The load of a structure at a node of the step, f(t0 + (count + c) h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/structure_engine.h"

#include <string.h>

bool noe_load_at_node(noe_structure_engine *w, double c, double *f)
{
    double bad = 0;
    memset(f, 0, (size_t)w->at.n * sizeof *f);
    w->s->load(*w->at.t0 + (*w->at.count + c) * *w->at.h, f, w->s->ctx);
    for (int i = 0; i < w->at.n; i++) bad += f[i] - f[i];
    return bad == 0;
}
