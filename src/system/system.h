/* system = model + the tapes of its L, ready to step.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_SYSTEM_H
#define NOE_SYSTEM_SYSTEM_H

#include "step/engine.h"
#include "sums/sums.h"
#include "model/model.h"

struct noe_system {
    noe_arena   *arena;
    noe_model   *model;  /* NULL for functions in C */
    const char  *source; /* file name, or "model" */
    const char **change; /* assignments after loading */
    int          changes;
    noe_dynamics dyn;
    noe_tape    *observe; /* one output an observable */
    bool         whole;   /* all of L steps it, whatever sums there are */
    int          usual;   /* observables among the usual columns */
    char (*name)[16];     /* of coordinates, for functions in C */
};

/* noe_system_let, several at once. */
noe_system *noe_system_lets(const noe_system *, const char *const *assignment, int count);

/* The same system with more statements, "parameter NAME = EXPR" or "observe NAME = EXPR", at the end of its text. */
noe_system *noe_system_extended(const noe_system *, const char *lines);
/* The same system with more observables, lines "observe NAME = EXPR"; they are columns, but none of the usual. */
noe_system *noe_system_observing(const noe_system *, const char *lines);
char *noe_system_changes(const noe_system *); /* its assignments, one a line; free() frees it */

/* Of a system that has its texts: GROUPED and WRITTEN are for comparing the two. */
bool noe_system_fill(noe_system *, noe_model_kind, const char *text, size_t length);
/* A system once more, written out and stepped so, for `what` that needs all of L; NULL with a message. */
noe_system *noe_system_written(const noe_system *, const char *what);

/* A system of a structure, which it takes over unless it fails: NULL. */
noe_system *noe_structure_system_new(struct noe_structure *);

/* dynamics.c: the tapes of a model, false with a message. */
bool noe_dynamics_make(noe_model *, noe_arena *, noe_dynamics *, noe_tape **observe);
void noe_dynamics_drop(noe_dynamics *);

#endif
