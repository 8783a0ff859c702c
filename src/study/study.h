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
    const char       *label, *name; /* label in tables; name of the column */
    noe_quantity_what what;         /* positions, momenta, or a column */
    noe_column        column;       /* the column, for NOE_OF_COLUMN */
    /* absolute, relative at each node, or relative to the norm of the reference */
    noe_scaling scaling;
    bool        constant; /* compared with its own initial value */
    /* norm over time: L2, otherwise the maximum; of the components: Euclidean, otherwise the
     * maximum */
    bool l2, euclid;
    /* its components among the numbers that are compared: first, first + 1, .. */
    int first, count;
} noe_quantity;

typedef struct {
    const char *label;  /* text in the list of methods */
    noe_method *method; /* the method */
} noe_study_method;

enum { NOE_STUDY_STEPS_MOST = 64 };

/* One length of the step. Its system has it as parameter `step`; steps may share a system. */
typedef struct {
    const char *text;   /* text in the list of steps */
    quad        h;      /* the length; of steps that follow a monitor, at the start */
    quad        apart;  /* time between nodes: h; with a monitor the same for every step */
    noe_system *system; /* the system with this step */
    bool        own;    /* the system belongs to this step alone */
    /* node k of this step is row k * stride of that grid of the reference */
    int grid, stride;
} noe_study_step;

typedef enum { NOE_SAYS_NUMBERS, NOE_SAYS_ORDER, NOE_SAYS_BOUND } noe_says;
typedef struct {                  /* a line of published numbers: values, an order, or a bound */
    noe_says                says; /* kind of the numbers */
    int                     method, quantity, window; /* indices of method, quantity and window */
    const char            **number;                   /* [steps] texts of values, or one text */
    const noe_study_option *option;                   /* the option that has this line */
} noe_published;
typedef struct {
    int         method, quantity, window, at; /* indices; at: step 0, 1, ..; -1: the order */
    const char *correct, *reason;             /* the correct number, and the reason */
    const noe_study_option *option;           /* the option that has this erratum */
} noe_erratum;

enum { NOE_REASON_MOST = 600 };

/* A measured error and its accuracy. */
typedef struct {
    double value; /* the error; NAN: none */
    double floor; /* rounding error; a smaller value is rounding alone */
    double doubt; /* error of the reference solution */
} noe_cell;

typedef struct {                       /* statistics of a run of one method with one step */
    char   why[NOE_REASON_MOST];       /* why the run could not go on; "" otherwise */
    double steps, iterations, seconds; /* numbers of steps and of iterations; seconds of the run */
} noe_study_run_statistics;

typedef struct {
    const noe_study_job    *job;            /* the options of the command */
    noe_arena              *arena;          /* memory of the study */
    const noe_study_option *option;         /* [options] those of the command line or the file */
    int                     options;        /* number of options */
    noe_study_kind          kind;           /* convergence, drift or work */
    const char             *title, *source; /* title, and where the published numbers are from */
    noe_system             *system; /* system with the study's own parameters, but without `step` */
    noe_study_method       *method; /* [methods] */
    noe_study_step         *step;   /* [steps] */
    noe_quantity           *quantity;   /* [quantities] */
    const char            **until_text; /* [windows] ends of the windows of time, as text */
    quad                   *until;      /* [windows] ends of the windows of time */
    /* numbers of each; components: numbers of all quantities */
    int                methods, steps, quantities, windows, components;
    quad               period;    /* time span per which tables count the steps; 0: the window */
    int                digits;    /* decimal digits of the runs */
    noe_order_kind     order;     /* which order is reported */
    noe_reference_kind reference; /* kind of reference */
    int                reference_digits;    /* decimal digits of the reference */
    char               reference_says[200]; /* description of the reference */
    noe_published     *published;           /* [publisheds] */
    noe_erratum       *erratum;             /* [errata] */
    int                publisheds, errata;  /* numbers of published lines and of errata */
    /* the published numbers were computed by another program, not printed */
    bool                      recomputed;
    noe_cell                 *cell;    /* errors, see noe_study_setup_cell */
    noe_study_run_statistics *run;     /* [methods][steps] statistics of the runs */
    bool                      stopped; /* ended by a signal: some runs are missing */
} noe_study;

/* study_options.c: fails with a message about an option, "table1.study:7: norm l3: expected .." or
 * "--norm l3: expected ..". */
noe_status noe_study_options_fail(const noe_study *, const noe_study_option *, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));
const noe_study_option *noe_study_options_find(const noe_study *, const char *key);
/* Name of an option for messages: "--step", "table1.study:7: step". */
char *noe_study_options_name(const noe_study *, const noe_study_option *, char name[300]);
/* Divides "a, b, atan2(c, d)" at its outer commas into items without surrounding blanks; NULL:
 * out of memory. */
const char **noe_study_options_list(noe_arena *, const char *text, int *count);
bool         noe_study_options_value(const noe_study *, const char *key, const char *suggested,
                                     noe_study_option *);
/* error if a key is unknown or occurs twice */
bool noe_study_options_check(const noe_study *);

/* study_file.c: false with a message. */
bool noe_study_file_read(noe_study *, const char *path);

/* study_setup.c */
bool noe_study_setup_make(noe_study *);
void noe_study_setup_drop(noe_study *);
/* study_steps.c */
bool noe_study_steps_find(noe_study *);
bool noe_study_steps_windows(noe_study *);
bool noe_study_steps_choices(noe_study *);
/* Steps in a period or a window; with a monitor of the first method that made them, on the average.
 * NAN where none did. */
double noe_study_steps_count(const noe_study *, int window, int step);
/* study_quantity.c */
bool noe_study_quantity_make(noe_study *);
/* published.c */
bool noe_published_make(noe_study *);
/* "published", "recomputed independently", or "" without published numbers */
const char *noe_published_kind(const noe_study *);

/* convergence.c: runs every method with every step on all cores; fills cell and run.  False with a
 * message. */
bool noe_convergence_find(noe_study *);
/* study_work.c: measures the time of every run that the convergence study made. */
bool noe_study_work_measure(noe_study *);

noe_cell *noe_study_setup_cell(const noe_study *, int window, int quantity, int method, int step);
static inline noe_study_run_statistics *noe_study_run_at(const noe_study *s, int method, int step)
{
    return &s->run[method * s->steps + step];
}

#endif
