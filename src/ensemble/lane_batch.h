/* Lane batch: up to 8 integrators that step together, one trajectory a SIMD lane.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * (q, p)_k(t) -> (q, p)_k(t + h), k = 1 .. 8.  Each trajectory is, bit for bit, that of an
 * integrator by itself.  A trajectory that fails leaves the batch; a run by itself gives the
 * reason. */
#ifndef NOE_INTEGRATE_LANE_BATCH_H
#define NOE_INTEGRATE_LANE_BATCH_H

#include "integrate/integrator.h"

enum { NOE_LANE_BATCH = 8 };

typedef struct {
    const noe_engine *core;              /* the engine for lanes */
    void             *work;              /* the engine state of all lanes, made for `first` */
    const noe_system *first;             /* the system whose tapes all members share */
    int               count;             /* integrators */
    noe_integrator   *g[NOE_LANE_BATCH]; /* [count]; each borrows `work` */
    unsigned          going;             /* bit k: trajectory k is still in the batch */
} noe_lane_batch;

/* Is there an engine that steps eight such systems at once? */
bool noe_lane_batch_applies(const noe_system *, const noe_method *);
/* Starts `count` systems, which differ only in numerical values, from their initial conditions; the
 * caller keeps the systems alive.  solver: the value of the option "solver".  False, without a
 * message, where they differ in more; noe_lane_batch_end has to be called in either case.  After
 * _end the batch can be made again: with the same first system and the same method the engine state
 * is used again, for making it, with its machine code, takes as long as a few hundred steps. */
bool noe_lane_batch_make(noe_lane_batch *, const noe_system *const *, int count, const noe_method *,
                         quad step, quad solver);
/* _end frees the integrators, _drop the engine state, too; _leave removes trajectory k. */
void noe_lane_batch_end(noe_lane_batch *);
void noe_lane_batch_drop(noe_lane_batch *);
void noe_lane_batch_leave(noe_lane_batch *, int k);
/* Makes `steps` steps of all trajectories that are still in the batch. */
void noe_lane_batch_advance(noe_lane_batch *, double steps);

#endif
