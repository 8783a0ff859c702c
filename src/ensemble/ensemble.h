/* An ensemble of N members: x_rck, column c of member k at row r, in an unnamed temporary file.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The file is mapped into memory as `value`, an array [pages][rows][width][block]: a page has
 * `block` members, and the numbers of these members in one column of one row are contiguous. */
#ifndef NOE_ENSEMBLE_ENSEMBLE_H
#define NOE_ENSEMBLE_ENSEMBLE_H

#include "ensemble/member_values.h"
#include "ensemble/task_pool.h"
#include "job/job_setup.h"
#include "job/run_picture.h"
#include "rows/column_list.h"

#include <pthread.h>

/* The outcome of one member. */
typedef struct {
    long   rows;        /* number of rows stored so far */
    bool   differs;     /* step, start or end of the member differs from that of the ensemble */
    bool   stopped;     /* the member stopped, or could not begin */
    char  *why;         /* owned message: the reason; NULL: there is none, or no memory for it */
    double error;       /* largest energy error over the rows, see NOE_JUDGED_BALANCE */
    bool   by_totals;   /* that error is relative to max(|H0|, largest kinetic energy) */
    double local_error; /* largest local error so far, relative; 0 where it is not measured */
    bool   coarse;      /* the steps do not resolve the motion of this member */
    bool   in_doubt;    /* they do, and what their errors add up to may be large */
    bool   ended;       /* it is at the end, or an event ended it */
    long   points;      /* rows at the section, */
    size_t from;        /* and where they begin in the file `points`, bytes */
} noe_end;

/* Errors stored with every row, in the last NOE_JUDGED places of `width`:
 * BALANCE: the same as ENERGY; where that is not measured, |H - H0| (the energy balance where L
 *          depends on t or forces act) at the time of the row, divided by max(|H0|, largest kinetic
 *          energy up to the row);
 * LOCAL, ENERGY: local_error and energy_error of noe_get, the largest up to the row. */
enum { NOE_JUDGED_BALANCE, NOE_JUDGED_LOCAL, NOE_JUDGED_ENERGY, NOE_JUDGED };

/* Options of an integrator (noe_set) that are chosen once, for all members. */
enum { NOE_CHOSEN_SOLVER, NOE_CHOSEN_WINDOW, NOE_CHOSEN_FACTORISE, NOE_CHOSEN_BITS, NOE_CHOSEN };

typedef struct {
    const noe_job *job;
    noe_job_setup  x; /* method, step and end of the run, the same for all members */
    double         chosen[NOE_CHOSEN]; /* values of the options NOE_CHOSEN_.. */
    noe_system *system; /* x.system without the momenta of symmetries found as observables; owned */
    noe_columns      *columns;   /* columns of the output; owned */
    noe_member_values m;         /* names and values that distinguish the members */
    double            steps,     /* steps of a complete run */
        seconds;                 /* time of the computation of all members, s */
    quad last;                   /* time at the end of a complete run: t0 + steps h */
    long rows,                   /* rows of a complete run */
        block;                   /* members of one page of `value` */
    long group_size;             /* members of a lane group: 8, or 1 where lanes do not apply */
    long singles;                /* number of members that were stepped outside lanes */
    int  groups,                 /* number of lane groups in all */
        first_group,             /* the first of this process, of which `groups` is the end */
        begun,                   /* number of lane groups begun so far */
        threads;                 /* number of threads */
    int             width;       /* numbers in a row of one member: t, columns, NOE_JUDGED errors */
    double         *value;       /* [pages][rows][width][block] the mapped file */
    size_t          bytes;       /* size of `value` in bytes */
    FILE           *file;        /* the unnamed temporary file */
    noe_end        *end;         /* [N] outcome of each member; owned */
    int             events;      /* number of events that are heeded */
    int             section;     /* event at which alone there are rows; -1: none */
    int             stop;        /* event that ends a member; -1: none */
    double         *passage;     /* [N][events] time of the first event; NAN: never; owned */
    FILE           *points;      /* rows at the section, an unnamed temporary file */
    size_t          point_bytes; /* its size */
    noe_run_picture picture;     /* of the section */
    bool            timed;       /* rows at output times, x.times */
    noe_system     *started; /* of the integrator x.g, a member's; NULL: the model's own; owned */
    bool            varies;  /* steps follow a monitor: `steps` is an estimate */
    char            reason[600]; /* why the first member of this process that stopped did; "" */
    bool           *dropped; /* [processes] the members of a lost process are forgotten; owned */
    char            losses[600]; /* processes that were lost, and members with them; "": none */
    const char     *ended;       /* why not all members reached the end ("interrupted"), or NULL */
    double      *statistics; /* [rows][width_of()] made beforehand, ensemble_table.c; NULL; owned */
    noe_progress progress;
    pthread_mutex_t        lock;   /* protects begun, unused and waiting */
    struct noe_lane_group *unused, /* list of lane groups without members, ready for reuse */
        *waiting; /* list of lane groups with members that no thread steps at present */
} noe_ensemble;

typedef struct {
    double H0, /* energy of one member at the start */
        scale; /* max(|H0|, largest kinetic energy so far) */
} noe_balances;

/* Rows of a member at the section, while it runs. */
typedef struct {
    const noe_ensemble *e;
    noe_integrator     *g;
    double             *x;           /* [room][numbers of a row] the rows so far */
    long                count, room; /* rows; rows there is room for */
    noe_status          failed;
} noe_member_rows;

/* Address of the number in `column` of `row` of `member`; column 0 is t, 1 .. the columns. */
static inline double *noe_ensemble_at(const noe_ensemble *e, long row, int column, long member)
{
    const size_t block = (size_t)(member / e->block), C = (size_t)e->width;
    return e->value
         + ((block * (size_t)e->rows + (size_t)row) * C + (size_t)column) * (size_t)e->block
         + (size_t)(member % e->block);
}

/* Address of the error NOE_JUDGED_.. `what` of `row` of `member`. */
static inline double *noe_ensemble_judged(const noe_ensemble *e, long row, int what, long member)
{
    return noe_ensemble_at(e, row, e->width - NOE_JUDGED + what, member);
}

/* ensemble_member.c: one member by itself.
 * _system: a new system with the values of member k; NULL with a message.
 * _integrator: of such a system, at its start; NULL with a message.
 * _same_times: are step, start and end of this system those of the ensemble?  False with a message.
 * _store_row: stores row `row` of member k, whose state `at` may lie between two steps; false where
 *   the energy is not finite.
 * _run: runs member k from start to end with its own integrator and stores its rows.
 * _given: value i that was given to member k.
 * _step, _until: step and end as text, from the command line or the model. */
noe_system     *noe_ensemble_member_system(const noe_ensemble *, long k);
noe_integrator *noe_ensemble_member_integrator(const noe_ensemble *, const noe_system *);
bool            noe_ensemble_member_same_times(const noe_ensemble *, const noe_system *);
bool       noe_ensemble_member_store_row(const noe_ensemble *, noe_integrator *, noe_integrator *at,
                                         long row, long k, noe_balances *);
noe_status noe_ensemble_member_given(const noe_ensemble *, long k, int i, quad *);
void       noe_ensemble_member_run(noe_ensemble *, long k);
extern const char *const noe_ensemble_member_option[NOE_CHOSEN];
const char              *noe_ensemble_member_step(const noe_ensemble *);
const char              *noe_ensemble_member_until(const noe_ensemble *);

/* ensemble_events.c: _make after the members are known; _begin and _end around the run of a member,
 * which frees the rows; _rows writes those of a member at the section, after the numbers to [first]
 * that are the same in all; _head, _put and _tell: the table of first passages. */
bool       noe_ensemble_events_make(noe_ensemble *);
void       noe_ensemble_events_drop(noe_ensemble *);
noe_status noe_ensemble_events_begin(noe_ensemble *, noe_integrator *, noe_member_rows *);
noe_status noe_ensemble_events_end(noe_ensemble *, long k, noe_member_rows *);
noe_status noe_ensemble_events_rows(noe_ensemble *, long k, noe_sink *, quad *to, int first);
void       noe_ensemble_events_expect(noe_ensemble *);
void       noe_ensemble_events_head(const noe_ensemble *, noe_arena *, noe_head *);
noe_status noe_ensemble_events_put(const noe_ensemble *, noe_sink *);
void       noe_ensemble_events_tell(const noe_ensemble *);
/* *to: times of the first passages, a column for each event, a row for each member; NULL where
 * there are no events. */
bool noe_ensemble_events_passages(const noe_ensemble *, noe_table **to);

/* ensemble_picture.c: can the picture of --plot be drawn?  Draws it.  False with a message. */
bool        noe_ensemble_picture_ready(const noe_ensemble *);
bool        noe_ensemble_picture_draw(const noe_ensemble *);
const char *noe_ensemble_picture_varied(const noe_ensemble *); /* "q = 0..1 in 9", or a file */

/* ensemble_processes.c: members of a page of `value`; deals the lane groups to the processes of the
 * job; brings together in one what all have computed, unless s is a failure of one of them: after
 * it only that one has all.
 * _watch: from here on the others go on where a process is lost.
 * _first: the first member of process r; of the process after the last one how many there are.
 * _drop: forgets the members of processes that were lost, and appends them to `losses`; true: there
 * were such.
 * _note: says that processes were lost that nobody needed any more.
 * _share: do all processes write the file of this name together?
 * _slabs: does the process that writes get the rows slab by slab, not all at once? */
long       noe_ensemble_processes_block(const noe_ensemble *);
void       noe_ensemble_processes_deal(noe_ensemble *);
noe_status noe_ensemble_processes_collect(noe_ensemble *, noe_status s);
void       noe_ensemble_processes_watch(const noe_job *);
long       noe_ensemble_processes_first(const noe_ensemble *, int r);
void       noe_ensemble_processes_note(const noe_ensemble *);
bool       noe_ensemble_processes_drop(noe_ensemble *);
bool       noe_ensemble_processes_share(const noe_ensemble *, const char *path);
bool       noe_ensemble_processes_slabs(const noe_ensemble *);

/* What the process that writes asks the others for when their members are done. */
enum { NOE_ASKED_NOTHING, NOE_ASKED_SLAB, NOE_ASKED_MEMBERS };

/* ensemble_slabs.c:
 * _allocate: room on the disk for the rows of this process in `file`; errno.
 * _rows: the rows of a slab.
 * _fetch: the process that writes gets the slab from row `first` on, which the others take from it.
 * _release: it gives the room of that slab back. */
int        noe_ensemble_slabs_allocate(const noe_ensemble *);
long       noe_ensemble_slabs_rows(const noe_ensemble *);
noe_status noe_ensemble_slabs_fetch(const noe_ensemble *, long first);
void       noe_ensemble_slabs_release(const noe_ensemble *, long first);

/* ensemble_lanes.c: the work of one task of the task pool; frees all lane groups. */
void noe_ensemble_lanes_run(void *ensemble, int task);
void noe_ensemble_lanes_drop(noe_ensemble *);

/* ensemble_table.c: can the output files be opened?  Computes the statistics where the rows come in
 * slabs.  Writes the statistics.  False with a message.
 * _open: a sink for a table of the ensemble, NULL with a message; passages: with a table of first
 * passages; placed: rows to make room for, noe_sink_place.  _close: after the rows had status s. */
bool      noe_ensemble_table_is_writable(const noe_ensemble *);
bool      noe_ensemble_table_compute(noe_ensemble *);
bool      noe_ensemble_table_write(const noe_ensemble *);
noe_sink *noe_ensemble_table_open(const noe_ensemble *, const char *path, int columns,
                                  const char *const *name, bool passages, size_t placed);
bool      noe_ensemble_table_close(const noe_ensemble *, noe_sink *, noe_status s);

/* ensemble_finish.c: writes statistics, files and messages; the exit status, with a message where
 * it is not 0. */
int noe_ensemble_finish(noe_ensemble *);

/* ensemble_lanes.c: why members are stepped one by one; NULL: nothing of the ensemble speaks
 * against lanes. */
const char *noe_ensemble_lanes_why_not(const noe_ensemble *);

/* ensemble_members.c: writes the rows of all members; false with a message.
 * _share: a process that is told of the file writes those of its own members. */
bool noe_ensemble_members_write(noe_ensemble *, const char *path);
void noe_ensemble_members_share(noe_ensemble *);

#endif
