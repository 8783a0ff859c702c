/* Methods that --tolerance may choose, and what their steps cost.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ACCURACY_CANDIDATE_H
#define NOE_ACCURACY_CANDIDATE_H

#include "integrate/integrator.h"

typedef struct {
    const char *name;         /* as --method has it */
    int         order, nodes; /* order; forces that a step evaluates: nodes, or kicks */
    bool        splitting;    /* a splitting, or else a Gauss method */
} noe_candidate;

enum { NOE_CANDIDATES = 6, NOE_CANDIDATE_GAUSS_4 = 1 };
extern const noe_candidate noe_candidate_all[NOE_CANDIDATES];

/* Is it worth a trial?  Splittings are where forces are sums of many like terms and depend on
 * positions alone.  Elsewhere the nodes of a Gauss step share the vectors of the processor: what an
 * evaluation by a splitting costs beside one of a node, 1.3 to 4 times as much, is not known. */
bool noe_candidate_suits(const noe_candidate *, const noe_system *);
/* What so many steps of g have cost, in evaluations of the forces at one node. */
double noe_candidate_cost(const noe_candidate *, noe_integrator *g, double steps);
/* The least that so many steps can cost. */
double noe_candidate_cost_least(const noe_candidate *, double steps);

#endif
