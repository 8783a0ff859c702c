/* A job of a program: a system and a start as objects, in place of words; results in memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_PROGRAM_H
#define NOE_JOB_PROGRAM_H

#include "accuracy/tolerance.h"
#include "job/verbs.h"
#include "output/sink.h"
#include "rows/late_energies.h"
#include "symmetry/symmetry.h"

struct noe_program {
    /* In place of the model file.  The system has the momenta of `symmetries`, which may be NULL,
     * as observables.  Both are borrowed. */
    noe_system     *system;
    noe_symmetries *symmetries;
    /* In place of the name's; borrowed. NULL: the name's, whose order has to be computed. */
    noe_method   *method;
    const double *time; /* [times] output times, in place of those of the job; NULL: none */
    long          times;
    /* Sets options and the start, before the first step; another status than NOE_OK refuses the
     * run, with a message.  May be NULL. */
    noe_status (*ready)(void *ctx, noe_integrator *);
    /* Called after every step; not 0: the run ends there.  May be NULL. */
    int (*observer)(void *ctx, noe_integrator *);
    void *ctx;
    /* What can be found after the run may be left: observables that are default columns, to
     * noe_state_columns_observe; without `observer` the note, to noe_coarse_run_note, and of many
     * rows energies and velocities, to noe_late_energies_compute. */
    bool later;
    /* Of an ensemble: what its members are given, in place of its file; 0 members: a run. */
    const char *const *name;  /* [names] */
    const double      *value; /* [members][names] */
    int                names;
    long               members;

    /* What came out; noe_program_drop frees it. */
    /* Rows up to the end, or to where the run could not go on, and the events.  Of an ensemble: the
     * table that --all writes, or with --section --output; and for each member the time of the
     * first event of each name, NaN: never. */
    noe_results results;
    bool        left; /* what `later` allows was left; the rows are noe_state_columns_list */
    /* Instead of results.rows, which have no row, there are `late` ones; `again`: the run ended
     * badly and has to be made again without `later`. */
    bool                 states, again;
    noe_late_rows        late;
    noe_tolerance_choice pick;    /* of --tolerance */
    char                *warning; /* a line for each; or NULL */
    noe_status           status;  /* why the run could not go on; NOE_OK: it could */
    double               time_at, /* of the last state */
        steps;                    /* made */
    /* Largest errors, relative; NaN: not measured. */
    double          local_error, energy_error, accumulated_error;
    char            note[400];  /* what need not be wrong, or "" */
    bool            unfinished; /* the note is left */
    noe_integrator *g;          /* with `observer` or `unfinished`: the integrator at the end */
};

void noe_program_drop(noe_program *); /* frees what came out, not what is borrowed */

#endif
