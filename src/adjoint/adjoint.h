/* The gradient of a function J of the rows of a run by all parameters and starts at once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Forward, the run keeps a record of each step (derivative/composed_derivative.h) and of the
 * fractional steps to its rows; then lambda = dJ/d(q, p) goes back over them, and every row adds
 * its part.  Records beyond a bound of memory are made again from states kept at equal
 * distances. */
#ifndef NOE_ADJOINT_ADJOINT_H
#define NOE_ADJOINT_ADJOINT_H

#include "event/event_state.h"

/* Where a row is: `step` steps after the start, or, where `within`, in the step after that. */
typedef struct {
    long   step;
    bool   within;
    size_t after; /* changes of the motion before it, where `within` */
} noe_adjoint_place;

/* A change of the motion by an event. */
typedef struct {
    long step;   /* number of the step it is in, from 0 */
    int  event;  /* its number */
    bool undone; /* the run goes back in time */
    bool pieced; /* `piece` is a record: it is not at the beginning of the step */
    bool tailed; /* `tail` is one: the rest of the step, which no other change ends */
    /* Inputs of tapes before it, v and p [n] after it; the direction in (t, q, v, p, H) in which
     * the state at the event moves when the length of the step to the event grows [3n + 2]; d(q, p
     * after the piece that follows)/d(the beginning of that piece) [2n]. */
    quad *in, *v, *p, *end, *begin;
    quad  rate;         /* of the event function along `end` */
    char *piece, *tail, /* of the pieces of the step before and after it */
        *state;         /* of the engine after the step [state_bytes], where states are kept */
} noe_adjoint_change;

typedef struct {
    /* Given: */
    noe_integrator    *g; /* of a system of noe_system_adjoint(), at the model's start */
    const noe_columns *columns;
    quad               until;
    long               every; /* a row every so many steps, and at both ends; 0: at the times */
    const double      *time;  /* [times] of the rows, in the order of the run */
    long               times;
    double             memory;      /* bytes of `record` and `kept` together, at most */
    volatile int      *interrupted; /* NULL, or stops when it is not 0 */
    /* Made by noe_adjoint_forward_make(): */
    size_t             rows;
    double            *row;   /* [rows][columns] */
    noe_adjoint_place *place; /* [rows] */
    quad              *state; /* [rows][3n + 2] t, energy, q, v, p; NULL: not needed */
    long               at;    /* number of the step at hand */
    long               steps, /* of the run */
        span; /* steps of a piece, which begins at a kept state; all steps where one piece is all */
    size_t record_bytes, state_bytes;
    char  *record, /* [span] of steps */
        *between,  /* of fractional steps to rows, noe_adjoint_between(); NULL: there are none */
        *kept;     /* [steps / span + 1] engine states before steps 0, span, 2 span, .. */
    noe_adjoint_change *change;        /* [changes] in order of the run */
    size_t              changes, room; /* number of changes; of those there is memory for */
    bool                piece_begins_by_change; /* the piece of a step at hand begins by a change */
    bool                piece_recorded;         /* its record is made */
    quad               *by_begin; /* [rows][2n] `begin` of fractional steps; NULL: no changes */
    quad *
        state_rates; /* with a monitor: (q', p') of rows not within a step [rows][2n]; NULL: none */
    /* The run ends within a step: the row at `until` is of a fractional step after the last whole
     * one. */
    bool ends_within;
} noe_adjoint_run;

/* Makes the run and its rows; false with a message.  To be dropped in either case. */
bool noe_adjoint_forward_make(noe_adjoint_run *);
/* dJ/d(parameters) [params] and dJ/d(starts) [2n], of each coordinate by q and by v or p as the
 * model gives it, from weight = dJ/d(row) [rows][columns]; false with a message. */
bool noe_adjoint_back(noe_adjoint_run *, const double *weight, quad *by_parameter, quad *by_start);
void noe_adjoint_forward_drop(noe_adjoint_run *);

/* The record of the fractional step to row r; of rows by steps only the last can have one. */
static inline char *noe_adjoint_between(const noe_adjoint_run *x, size_t r)
{
    return x->between + (x->every ? 0 : r) * x->record_bytes;
}

/* adjoint_changes.c: notes a change of the motion (noe_event_turning); of a piece that begins by
 * the last one, the derivative by that beginning, to [2n]; after a step: what followed the changes
 * in it, with the record of its last piece.  Errors with a message. */
noe_status noe_adjoint_changes_note(void *run, noe_event_state *, noe_integrator *at, int k,
                                    quad tau, const quad *before, const quad *after);
noe_status noe_adjoint_changes_begin(const noe_adjoint_run *, noe_integrator *piece, quad *to);
void       noe_adjoint_changes_end(noe_adjoint_run *, const char *record);
/* The number of changes up to the end of step k. */
size_t noe_adjoint_changes_until(const noe_adjoint_run *, long k);
void   noe_adjoint_changes_drop(noe_adjoint_run *);

/* adjoint_jump.c: lambda [2n] after a change becomes that before it, at fixed time; moved: dJ/d(the
 * time of the change) by what follows it; adds to `by` [params].  False with a message. */
bool noe_adjoint_jump_back(const noe_dynamics *, const noe_adjoint_change *, quad moved,
                           quad *lambda, quad *by);

/* noe_gradient_of() with the step in all digits; stops where *interrupted is not 0. */
noe_table *noe_row_gradient_make(const noe_system *, const noe_method *, quad step,
                                 const noe_gradient_rows *, volatile int *interrupted,
                                 noe_weights *, void                     *ctx);

#endif
