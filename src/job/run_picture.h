/* The picture of a run: the rows that are drawn, at most 200000 of them, and what is drawn of each.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_RUN_PICTURE_H
#define NOE_JOB_RUN_PICTURE_H

#include "job/job_setup.h"
#include "rows/column_list.h"

/* All members 0: there is no picture. */
typedef struct {
    noe_columns *drawn;
    noe_table   *table;
    double      *point;   /* [drawn columns] a row */
    char        *curves;  /* plot_columns with its families written out */
    long         stride;  /* rows of the result between two rows of the picture */
    long         points;  /* rows given to _point so far */
    bool         section; /* rows are points of a section: pairs are no curves */
} noe_run_picture;

/* False with a message; _drop in either case. */
bool noe_run_picture_open(noe_run_picture *, const noe_job *, const noe_system *);
void noe_run_picture_drop(noe_run_picture *);
/* So many rows will be added: chooses the stride. */
void noe_run_picture_expect(noe_run_picture *, double rows);
/* Adds row number `row` of a run, whose state y may lie between two steps of g. */
noe_status noe_run_picture_add(noe_run_picture *, noe_integrator *g, noe_integrator *y, long row);
/* Adds the numbers of a row, point [drawn columns]. */
noe_status noe_run_picture_point(noe_run_picture *, const double *point);
/* members: what varies from member to member, in place of the parameters; NULL: of one run. */
bool noe_run_picture_draw(const noe_run_picture *, const char *path, const noe_job_setup *,
                          const char *members);

#endif
