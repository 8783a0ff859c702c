/* An ensemble: x_rck, column c of member k at row r, in a temporary file without a name.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENSEMBLE_ENSEMBLE_H
#define NOE_ENSEMBLE_ENSEMBLE_H

#include "ensemble/member_values.h"
#include "ensemble/task_pool.h"
#include "job/job_setup.h"
#include "rows/column_list.h"

#include <pthread.h>

typedef struct {
    long   rows;        /* that it has */
    bool   bad;         /* its rows would be of other times than those of the others */
    char  *why;         /* it stopped, or could not begin; or NULL */
    double error;       /* largest energy error, relative */
    double local_error; /* the largest; 0 where it is not measured */
    bool   coarse;      /* its steps do not resolve its motion */
} noe_end;

/* What is kept of every row behind its columns, the last three of `width`: the energy error by
 * max(|H0|, largest kinetic energy); what noe_get calls local_error and energy_error, so far. */
enum { NOE_JUDGED_BALANCE, NOE_JUDGED_LOCAL, NOE_JUDGED_ENERGY, NOE_JUDGED };

/* What is chosen of how to solve, for all members: options of an integrator. */
enum { NOE_CHOSEN_SOLVER, NOE_CHOSEN_WINDOW, NOE_CHOSEN_FACTORISE, NOE_CHOSEN_BITS, NOE_CHOSEN };

typedef struct {
    const noe_job    *job;
    noe_job_setup     x; /* of no member: its method, step and end are those of all */
    double            chosen[NOE_CHOSEN];
    noe_system       *system; /* without the momenta that were found */
    noe_columns      *columns;
    noe_member_values m;
    double            steps, seconds;
    quad              last;                   /* the time that they lead to */
    long              rows, block;            /* so many members side by side in a page, */
    long              beside;                 /* and so many in lanes: a lane group; */
    long              singles;                /* of those, some were made alone after all */
    int               groups, begun, threads; /* lane groups there are to be, and are or were */
    int               width;                  /* t, the columns, and NOE_JUDGED more */
    double           *value;
    size_t            bytes;
    FILE             *file;
    noe_end          *end;
    const char       *ended; /* why not all came to it; or NULL */
    noe_progress      progress;
    pthread_mutex_t   lock;
    struct noe_lane_group *unused,
        *waiting; /* without members, and with some that are not at their end */
} noe_ensemble;

typedef struct {
    double H0, scale; /* of one member's energy */
} noe_balances;

static inline double *noe_ensemble_at(const noe_ensemble *e, long row, int column, long member)
{
    const size_t block = (size_t)(member / e->block), C = (size_t)e->width;
    return e->value
         + ((block * (size_t)e->rows + (size_t)row) * C + (size_t)column) * (size_t)e->block
         + (size_t)(member % e->block);
}

static inline double *noe_ensemble_judged(const noe_ensemble *e, long row, int what, long member)
{
    return noe_ensemble_at(e, row, e->width - NOE_JUDGED + what, member);
}

/* ensemble_member.c: the system with the values of member k, NULL with a message; rows are of one time, so step, start and end
 * are those of all; a row, false where the energy is not finite; all of them, by an integrator of its own. */
noe_system *noe_ensemble_member_system(const noe_ensemble *, long k);
bool        noe_ensemble_member_same_times(const noe_ensemble *, const noe_system *);
bool        noe_ensemble_member_store_row(const noe_ensemble *, noe_integrator *, long row, long k,
                                          noe_balances *);
void        noe_ensemble_member_run(noe_ensemble *, long k);
extern const char *const noe_ensemble_member_option[NOE_CHOSEN];
const char              *noe_ensemble_member_step(const noe_ensemble *);
const char              *noe_ensemble_member_until(const noe_ensemble *);

/* ensemble_lanes.c: what a thread does, one of so many tasks. */
void noe_ensemble_lanes_run(void *ensemble, int task);
void noe_ensemble_lanes_drop(noe_ensemble *);

/* ensemble_table.c: are there places for the statistics, and all rows?  Then these; false with a message. */
bool noe_ensemble_table_is_writable(const noe_ensemble *);
bool noe_ensemble_table_write(const noe_ensemble *);
bool noe_ensemble_table_write_all(const noe_ensemble *);

#endif
