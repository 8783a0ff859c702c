/* Lane batch: steps up to 8 integrators together, one trajectory in each SIMD lane.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * (q, p)_k(t) -> (q, p)_k(t + h), k = 0 .. 7.  Each trajectory has the same bits
 * as that of a single integrator.  A trajectory with a failed step leaves the batch without a
 * message; a single integrator, run from the start, gives the message. */
#ifndef NOE_ENSEMBLE_LANE_BATCH_H
#define NOE_ENSEMBLE_LANE_BATCH_H

#include "integrate/integrator.h"

enum { NOE_LANE_BATCH = 8 };

typedef struct {
    const noe_engine *engine;            /* the engine for lanes */
    void             *work;              /* the engine state of all lanes, made for `first` */
    const noe_system *first;             /* the system whose tapes all members share */
    int               count;             /* number of integrators, at most 8 */
    noe_integrator   *g[NOE_LANE_BATCH]; /* [count] integrators; their engine state is `work` */
    noe_energy_watch *watch;             /* over all of them; NULL: not measured */
    unsigned          going;             /* bit k: trajectory k is still in the batch */
} noe_lane_batch;

/* Is there an engine that steps eight systems of this kind at once? */
bool noe_lane_batch_applies(const noe_system *, const noe_method *);
/* Starts `count` systems, which differ only in numerical values, from their initial conditions; the
 * caller keeps the systems alive.  solver: the value of the option "solver".  False, without a
 * message, where the systems differ in more than values; noe_lane_batch_end has to be called in
 * either case.  After _end the batch can be made again: with the same first system and the same
 * method the engine state is used again, because making an engine state and its machine code takes
 * as long as a few hundred steps. */
bool noe_lane_batch_make(noe_lane_batch *, const noe_system *const *, int count, const noe_method *,
                         quad step, quad solver);
/* _end frees the integrators, _drop the engine state, too; _leave removes trajectory k. */
void noe_lane_batch_end(noe_lane_batch *);
void noe_lane_batch_drop(noe_lane_batch *);
void noe_lane_batch_leave(noe_lane_batch *, int k);
/* Makes `steps` steps of all trajectories that are still in the batch. */
void noe_lane_batch_advance(noe_lane_batch *, double steps);

#endif
