/* The steps of a run of the command, and its rows: every so many steps, or at output times.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_APP_RUN_MARCH_H
#define NOE_APP_RUN_MARCH_H

#include "job/event_rows.h"
#include "job/run_monitor.h"
#include "job/run_film.h"
#include "job/run_picture.h"
#include "rows/timed_rows.h"
#include "system/processes.h"

typedef struct {
    const noe_job  *job;
    noe_job_setup   x;
    noe_columns    *columns;
    noe_sink       *sink;
    noe_run_picture picture;
    noe_run_film    film;
    noe_event_rows  events;
    noe_run_monitor monitor;
    quad           *row;     /* [columns] numbers of a row, */
    double         *narrow;  /* and of a row in 15 digits at a grid point */
    char          **text;    /* [columns] the row in more than 33 digits; NULL: up to 33 digits */
    quad            last;    /* time at the end of the last whole step */
    char           *changes; /* assignments of the command line, one on each line */
    int             section; /* event at which alone there are rows; -1: none */
    bool            event_rows; /* events are rows, too: the column event is asked for */
    noe_status      failed;     /* of the first row at an event that could not be written */
    bool            varies;     /* the steps follow a monitor: their number is not known before */
    bool            arrived;    /* the next step would end after --until */
    double          took, shortest, longest; /* the last step; of the steps so far, in time */
    quad            begin;                   /* time at the start */
    long            rows;                    /* written so far, of those at output times or kept */
    int             signal;          /* with other processes: that of the first, at the last row */
    bool            wide_row;        /* the last row is in `row`, not in `narrow` */
    noe_table      *checkpoint_rows; /* with --checkpoint: the rows so far */
    double          saved;           /* steps made when the last checkpoint file was written */
    noe_head        head;            /* of the output; its texts belong to the run */
} noe_run_march;

/* Is the run to be interrupted? */
bool noe_run_march_interrupted(const noe_run_march *);
/* Writes a row; y: the integrator of the run, or one with a state between two steps. */
noe_status noe_run_march_row(noe_run_march *, noe_integrator *y, long row);
/* Writes the row of the start. */
noe_status noe_run_march_first_row(noe_run_march *);
/* --checkpoint: writes the output file with the rows so far, so that a run can go on from it. */
noe_status noe_run_checkpoint_write(noe_run_march *);
/* The same where it is due after so many steps. */
noe_status noe_run_checkpoint_due(noe_run_march *, double steps);
/* The row that was just written, for the checkpoint files. */
noe_status noe_run_checkpoint_row(noe_run_march *);
/* Makes `steps` steps of the run and writes a row after every --every of them; with a monitor
 * `steps` is infinite, and --until ends the run; returns the number of steps made. */
double noe_run_march_steps(noe_run_march *, double steps, noe_status *);
/* The same with a row at every output time. */
double noe_run_march_times(noe_run_march *, double steps, noe_status *);

#endif
