/* What an engine for structures of many processes holds; its set-up.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine of linear/structure_engine.c steps the rows of this process and those around them, and
 * calls the share (matrix/structure.h) where it needs the others. */
#ifndef NOE_MPI_STRUCTURE_TOGETHER_H
#define NOE_MPI_STRUCTURE_TOGETHER_H

#include "share.h"
#include "together.h"

#include "linear/structure_engine.h"

enum { STRUCTURE_OPTIONS = NOE_LINEAR_BLAS };

/* Coordinates, velocities and momenta have the units of the model. */
typedef struct {
    const noe_dynamics   *dyn;    /* the whole system; borrowed */
    noe_method            method; /* its coefficients */
    const noe_engine     *engine; /* functions of the own engine */
    noe_structure_engine *own;    /* engine of the share; NULL: not started yet */
    share                 share;  /* rows of this process and around them */
    noe_dynamics          part;   /* the system of the share */
    noe_status            why;    /* why the last start or step failed */
    quad                  t0, h;  /* before the start */
    int                   option[STRUCTURE_OPTIONS]; /* given before the start; -1: not given */
    int                   threads;                   /* of this process; 0: not given */
    double               *q, *v, *p; /* [n] each, of all coordinates: given, or gathered */
    bool                  fresh[3];  /* which of them are those of the present state */
    double               *local;     /* [own.n] scratch of the share */
    noe_linear_state      whole;     /* the whole state, for a file; memory NULL: not made */
    noe_arena            *arena;     /* memory of `whole` */
    quad                 *wide;      /* [own.n] scratch of the share */
} structure_engine;

/* The functions make and drop of noe_engine. */
void *structure_make(const noe_dynamics *, const noe_method *);
void  structure_drop(void *engine);
/* The share and its engine, all processes together; once a start has told the length of a step. */
noe_status structure_open(structure_engine *);
/* noe_processes.slowest */
int structure_slowest(const noe_structure *, double top2, int count, double *vector);
/* Gives them up. */
void structure_close(structure_engine *);

#endif
