/* The animation of a run: the rows that it is made of.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_RUN_FILM_H
#define NOE_JOB_RUN_FILM_H

#include "animate/film.h"
#include "job/job_setup.h"
#include "rows/column_list.h"

/* All members 0: there is no animation. */
typedef struct {
    noe_film     film;
    noe_columns *columns;
    double      *row;  /* [columns] the row at hand */
    bool         open; /* `film` is to be closed */
    /* The run of another method whose energy is shown beside; NULL: none. */
    const noe_system *system;
    noe_method       *method;
    noe_integrator   *other;
    double            step;
    quad              steps; /* that the run has made */
} noe_run_film;

/* False with a message; _drop in either case.  The system must outlive the film. */
bool noe_run_film_open(noe_run_film *, const noe_job *, const noe_system *);
void noe_run_film_drop(noe_run_film *);
/* Adds a row of the run, whose state y may lie between two steps of g. */
noe_status noe_run_film_add(noe_run_film *, noe_integrator *g, noe_integrator *y);
/* Makes the run of the other method, and writes the file. */
bool noe_run_film_write(noe_run_film *, const char *path, const noe_job_setup *);

#endif
