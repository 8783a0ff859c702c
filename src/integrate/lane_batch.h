/* (q, p)_k(t) -> (q, p)_k(t + h), k = 1 .. 8: integrators that step together, a trajectory a lane.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each is, bit for bit, what it is alone.  One that cannot go on leaves: alone it would say why. */
#ifndef NOE_INTEGRATE_LANE_BATCH_H
#define NOE_INTEGRATE_LANE_BATCH_H

#include "integrate/integrator.h"

enum { NOE_LANE_BATCH = 8 };

typedef struct {
    const noe_engine *core;
    void             *work; /* made for systems like */
    const noe_system *first;
    int               count;
    noe_integrator   *g[NOE_LANE_BATCH];
    unsigned          going; /* bit k: g[k] is still there */
} noe_lane_batch;

/* Is there a core that steps eight of such systems at once? */
bool noe_lane_batch_applies(const noe_system *, const noe_method *);
/* Systems that are the same but for values, at their starts; the caller keeps them alive.  False where they are not, without
 * a message; end it all the same.  One that has ended begins anew with what was made for the same first system and the same
 * method: making it, machine code and all, takes as long as a few hundred steps. */
bool noe_lane_batch_make(noe_lane_batch *, const noe_system *const *, int count, const noe_method *,
                         quad step, quad solver);
void noe_lane_batch_end(noe_lane_batch *);
void noe_lane_batch_drop(noe_lane_batch *);
void noe_lane_batch_leave(noe_lane_batch *, int k);
/* So many steps of those that are there. */
void noe_lane_batch_advance(noe_lane_batch *, double steps);

#endif
