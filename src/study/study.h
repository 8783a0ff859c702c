/* A study: options and results, the errors e(method, step, window, quantity) = |x - y| at nodes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STUDY_STUDY_H
#define NOE_STUDY_STUDY_H

#include "base/arena.h"
#include "job/verbs.h"
#include "integrate/integrator.h"

typedef enum { NOE_CONVERGENCE, NOE_DRIFT, NOE_WORK } noe_study_kind;
typedef enum { NOE_ABSOLUTE, NOE_RELATIVE, NOE_SCALED } noe_scaling; /* doc/studies.md, "Errors" */
typedef enum { NOE_OF_Q, NOE_OF_P, NOE_OF_COLUMN } noe_quantity_what;
typedef enum { NOE_ORDER_ENDS, NOE_ORDER_LAST, NOE_ORDER_FIT } noe_order_kind;
typedef enum {
    NOE_REFERENCE_NONE,
    NOE_REFERENCE_EXACT,
    NOE_REFERENCE_SELF,
    NOE_REFERENCE_FINE
} noe_reference_kind;

/* A quantity whose error is measured, and the norm of the error. */
typedef struct {
    const char       *label, *name; /* what tables call it; a column */
    noe_quantity_what what;
    noe_column        column; /* of NOE_OF_COLUMN */
    noe_scaling       scaling;
    bool              constant; /* compared with its own value at the start */
    bool              l2, euclid;
    int               first, count; /* its components among the numbers that are looked at */
} noe_quantity;

typedef struct {
    const char *label; /* as the list has it */
    noe_method *method;
} noe_study_method;

/* One length of the step.  Its system knows it as `step`; the others of a study may share one. */
typedef struct {
    const char *text;
    quad        h;
    noe_system *system;
    bool        own;          /* the system is no other step's */
    int         grid, stride; /* node k is node k * stride of that grid of reference values */
} noe_study_step;

typedef enum { NOE_SAYS_NUMBERS, NOE_SAYS_ORDER, NOE_SAYS_BOUND } noe_says;
typedef struct { /* a line of what is printed elsewhere */
    noe_says                says;
    int                     method, quantity, window;
    const char            **number; /* [steps] texts, or one */
    const noe_study_option *word;
} noe_published;
typedef struct {
    int         method, quantity, window, at; /* at: 0, 1 .. of the steps; -1: the order */
    const char *is, *reason;
    const noe_study_option *word;
} noe_erratum;

enum { NOE_REASON_MOST = 600 };

/* A measured error and its accuracy. */
typedef struct {
    double value; /* the error; NAN: none */
    double floor; /* rounding error; a smaller value is rounding alone */
    double doubt; /* error of the reference solution */
} noe_cell;

typedef struct {                 /* of one method with one step */
    char   why[NOE_REASON_MOST]; /* why the run could not go on; "" */
    double steps, iterations, seconds;
} noe_study_run_of;

typedef struct {
    const noe_study_job    *job;
    noe_arena              *arena;
    const noe_study_option *word; /* of the command line or the file */
    int                     words;
    noe_study_kind          kind;
    const char             *title, *source;
    noe_system             *system; /* with the study's own parameters, without `step` */
    noe_study_method       *method;
    noe_study_step         *step;
    noe_quantity           *quantity;
    const char            **until_text;
    quad                   *until;
    int                     methods, steps, quantities, windows, components;
    quad                    period; /* 0: the window */
    int                     digits;
    noe_order_kind          order;
    noe_reference_kind      reference;
    int                     reference_digits;
    char                    reference_says[200];
    noe_published          *published;
    noe_erratum            *erratum;
    int                     publisheds, errata;
    bool              recomputed; /* the published numbers are of another program, not from print */
    noe_cell         *cell;       /* noe_study_setup_cell */
    noe_study_run_of *run;        /* [methods][steps] */
    bool              stopped;    /* by a signal: some runs are not done */
} noe_study;

/* study_options.c: fails with a message about an option, "table1.study:7: norm l3: expected .." or
 * "--norm l3: expected ..". */
noe_status noe_study_options_fail(const noe_study *, const noe_study_option *, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));
const noe_study_option *noe_study_options_find(const noe_study *, const char *key);
/* "--step", "table1.study:7: step" */
char *noe_study_options_name(const noe_study *, const noe_study_option *, char name[300]);
/* "a, b, atan2(c, d)" -> its items, without blanks around; NULL without memory. */
const char **noe_study_options_list(noe_arena *, const char *text, int *count);
bool         noe_study_options_said(const noe_study *, const char *key, const char *suggested,
                                    noe_study_option *);
bool         noe_study_options_check(const noe_study *); /* every key known, none twice */

/* study_file.c: false with a message. */
bool noe_study_file_read(noe_study *, const char *path);

/* study_setup.c */
bool noe_study_setup_make(noe_study *);
void noe_study_setup_drop(noe_study *);
/* study_steps.c */
bool noe_study_steps_find(noe_study *);
bool noe_study_steps_windows(noe_study *);
bool noe_study_steps_choices(noe_study *);
/* study_quantity.c */
bool noe_study_quantity_make(noe_study *);
/* published.c */
bool noe_published_make(noe_study *);
/* "published", "recomputed independently", or "" without numbers */
const char *noe_published_kind(const noe_study *);

/* convergence.c: runs every method with every step on all cores; fills cell and run.  False with a
 * message. */
bool noe_convergence_find(noe_study *);
/* study_work.c: the time of every run that convergence made */
bool noe_study_work_measure(noe_study *);

noe_cell *noe_study_setup_cell(const noe_study *, int window, int quantity, int method, int step);
static inline noe_study_run_of *noe_study_run_at(const noe_study *s, int method, int step)
{
    return &s->run[method * s->steps + step];
}

#endif
