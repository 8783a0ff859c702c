/* A system: a model and the tapes, sums or matrices of its Lagrangian, ready to step.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYSTEM_SYSTEM_H
#define NOE_SYSTEM_SYSTEM_H

#include "system/processes.h"
#include "sums/sums.h"
#include "model/model.h"

struct noe_system {
    noe_arena   *arena;   /* owns all memory of the system */
    noe_model   *model;   /* NULL for functions in C */
    const char  *source;  /* file name, or "model" */
    const char **change;  /* [changes] assignments made after loading, as texts */
    int          changes; /* number of these assignments */
    /* Derivatives are wanted by these, "m, l, q1'"; "*": by all at once; NULL: by nothing. */
    const char  *by;
    noe_dynamics dyn;     /* tapes, sums or matrices of the Lagrangian and forces */
    noe_dynamics stepped; /* what is stepped in its place where the model has a monitor */
    noe_tape    *observe; /* one output for each observable */
    int          places;  /* the first outputs of dyn.singular: at their zeros L or F has a kink */
    /* Tapes of the events of the model; NULL: it has none. */
    struct noe_event_tapes *events;
    bool                    whole; /* stepped by tapes of all of L, even where L has sums */
    int                     usual; /* number of observables that are default columns */
    /* The processes that make its steps together; borrowed.  NULL: there is one. */
    const noe_processes *processes;
    /* The processes that read its matrices together, and those of systems made of it; NULL: this
     * one alone. */
    const noe_processes *readers;
    /* For functions in C: names of coordinates [n] and of constraints [constraints]. */
    char (*name)[16], (*constraint)[16];
};

/* As noe_system_load and noe_system_parse, with assignments that are made before the model is
 * checked: they may replace what the check would refuse.  All processes come, and each keeps its
 * rows of the matrices; NULL: there is one. */
noe_system *noe_system_load_lets(const char        *path, const noe_processes *,
                                 const char *const *assignment, int count);
noe_system *noe_system_parse_lets(const char *text, const char *const *assignment, int count);
/* As noe_system_let, with several assignments at once. */
noe_system *noe_system_lets(const noe_system *, const char *const *assignment, int count);

/* The same system with more statements, "parameter NAME = EXPR" or "observe NAME = EXPR", at the
 * end of its text. */
noe_system *noe_system_extended(const noe_system *, const char *lines);
/* The same system with more observables, lines "observe NAME = EXPR"; they are no default
 * columns. */
noe_system *noe_system_observing(const noe_system *, const char *lines);
/* The assignments made after loading, one a line; the caller frees the text. */
char *noe_system_changes(const noe_system *);

/* The same system, whose motions have gradients by all parameters and starts at once
 * (gradient/adjoint_tapes.h); NULL with a message where there are none. */
noe_system *noe_system_adjoint(const noe_system *);

/* Reads the model and makes the dynamics.  Kinds GROUPED (sums) and WRITTEN (written out) exist to
 * compare the two. */
bool noe_system_fill(noe_system *, noe_model_kind, const char *text, size_t length);
/* A copy of a system with its sums written out, for `what` (a method's name, for the message) that
 * needs all of L; NULL with a message. */
noe_system *noe_system_written(const noe_system *, const char *what);

/* A system of a finite-element structure, which it takes over; NULL on failure, and the structure
 * stays the caller's. */
noe_system *noe_structure_system_new(struct noe_structure *);

/* The name of constraint a. */
static inline const char *noe_system_constraint(const noe_system *s, int a)
{
    return s->model ? s->model->constraint[a].name : s->constraint[a];
}

/* Do the steps follow a monitor? */
static inline bool noe_system_monitored(const noe_system *s)
{
    return s->model && s->model->monitor.given;
}

/* What an engine of tapes steps. */
static inline const noe_dynamics *noe_system_steps(const noe_system *s)
{
    return noe_system_monitored(s) ? &s->stepped : &s->dyn;
}

/* dynamics.c: the tapes of a model, false with a message.  *places (NULL: none are listed): as in
 * noe_system. */
bool noe_dynamics_make(noe_model *, noe_arena *, noe_dynamics *, noe_tape **observe, int *places);
void noe_dynamics_drop(noe_dynamics *);

#endif
