/* Frees the events of an integrator.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/event_memory.h"

#include <stdlib.h>

void noe_event_memory_free(noe_event_state *x)
{
    if (!x) return;
    if (x->queue) free(x->queue->event), free(x->queue->memory), free(x->queue);
    if (x->value) free(x->value[0]);
    free(x->value);
    free(x->slot), free(x->in), free(x->memory), free(x->tally), free(x->begin), free(x->found);
    free(x);
}
