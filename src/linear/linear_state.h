/* The state of a linear system: t0, h, count, z = (q, p), compensation terms, work and dissipation.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_LINEAR_STATE_H
#define NOE_LINEAR_LINEAR_STATE_H

#include "base/arena.h"
#include "matrix/structure.h"
#include "step/engine_interface.h"

/* The first member of an engine state, so that _why and _memory serve every linear engine. */
typedef struct {
    /* reason why the last step or start failed */
    noe_status why;
    /* coordinates; z and rest have width >= 2n doubles, aligned to 64 bytes, the last ones 0 */
    int n, width;
    /* [numbers]: all that follows, which is what a restart needs */
    double *memory;
    size_t  numbers; /* number of doubles in `memory` */
    /* initial time, step length, steps made, energy at the start */
    double *t0, *h, *count, *H0;
    /* [2] each: work of the loads and energy dissipated since the start; [1]: compensation terms */
    double *work, *lost;
    /* [width] each: the state (q, p) is z + rest */
    double *z, *rest;
    /* further numbers of an engine */
    double *more;
} noe_linear_state;

/* False: out of memory.  more: further doubles for the engine. */
bool noe_linear_state_make(noe_linear_state *, noe_arena *, int n, size_t more);
/* Sets q, p, t0, h or the count; other quantities are ignored. */
void noe_linear_state_set(noe_linear_state *, noe_engine_value, const quad *);
/* The numbers of a state of the structure between two steps, at t; NAN: the work of loads and what
 * was dissipated, which are known at the ends of steps. */
void noe_linear_state_place(noe_linear_state *, const noe_structure *, double t);
/* False: the quantity is not part of the state. */
bool noe_linear_state_get(const noe_linear_state *, noe_engine_value, quad *);
/* balance[0] += what, with the compensation term in balance[1]. */
void noe_linear_state_add(double *balance, double what);
/* energy + dissipated - work - energy at the start. */
double noe_linear_state_balance(const noe_linear_state *, double energy);

/* Functions of noe_engine for engine states that begin with a noe_linear_state. */
noe_status noe_linear_state_why(void *engine, int member);
void      *noe_linear_state_memory(void *engine, size_t *bytes);

/* Appends to the text of an engine that the BLAS had a part in its factors; eliminated: LAPACK
 * eliminated directions without mass, which no option changes. */
void noe_linear_state_print_blas(char *text, size_t size, bool eliminated);

#endif
