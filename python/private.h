/* What the Python package calls beyond noether.h; as cli/, it stands on the rooms of src/.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PYTHON_PRIVATE_H
#define NOE_PYTHON_PRIVATE_H

#include "noether.h"

/* noe_system_load and noe_system_parse with an assignment that is made before the model is checked;
 * NULL: there is none. */
noe_system *noe_py_loaded(const char *path, const char *assignment);
noe_system *noe_py_parsed(const char *text, const char *assignment);
/* noe_integrator_new with the step as text, a number or an expression in the parameters: 0.1 is
 * then 1/10 in binary128, as for the command, and the times of the rows have the same bits. */
noe_integrator *noe_py_integrator(const noe_system *, const noe_method *, const char *step,
                                  int digits);
/* The value of an expression in the parameters; NAN with a message.  `what` is its name in the
 * message. */
double noe_py_value(const noe_system *, const char *what, const char *text);
/* Does its engine make many steps at once? */
int noe_py_jumps(const noe_integrator *);
/* The name of its method. */
const char *noe_py_method(const noe_integrator *);
/* The name of event k of the model, k = 0, 1, ..; NULL: there are no more. */
const char *noe_py_event(const noe_system *, int k);
/* The same of its constraints. */
const char   *noe_py_constraint(const noe_system *, int k);
const double *noe_py_column(const noe_table *, size_t column);

/* The choice of method and step for a tolerance: `least` steps or more, until *interrupted is
 * not 0. */
typedef struct {
    char   method[24], step[64]; /* as words for noe_method_parse and noe_py_integrator */
    double error, reached;       /* its estimate; the time up to which it is within the tolerance */
    char   why[400];
} noe_py_choice;
noe_status noe_py_choose(const noe_system *, double until, double tolerance, int digits,
                         double least, volatile int *interrupted, noe_py_choice *);

/* A verb of the command with options as text; NULL: not given. */
typedef struct {
    const char        *model;
    const char *const *let; /* [lets] "NAME=VALUE" */
    int                lets;
    const char        *method, *step, *until, *columns, *section, *stop, *tolerance, *animate;
    long               every, rows; /* 0: not given */
    int                threads, digits, force;
    double within; /* of a certificate: CPU seconds until which laws are measured; 0: no limit */
    volatile int *interrupted; /* stops where it is not 0 */
} noe_py_job;
/* The certificate as JSON, which the caller frees by noe_py_free; *status: the exit status of
 * `noether check`. */
char *noe_py_check(const noe_py_job *, int json, int *status);
/* What the columns d(..)/d(BY) of a job are differentiated by, "m, l", that the caller frees by
 * noe_py_free; NULL with a message. */
char *noe_py_by(const noe_py_job *, const noe_system *);
/* noe_gradient_of with the step as text and weights that are known [numbers]. */
noe_table *noe_py_gradient(const noe_system *, const noe_method *, const char *step,
                           const noe_gradient_rows *, const double *weight, size_t numbers,
                           size_t rows, volatile int *interrupted);
/* noe_optimize until *interrupted is not 0. */
noe_table *noe_py_optimize(const noe_system *, const noe_method *, noe_optimum *,
                           volatile int *interrupted);
/* L in LaTeX, that the caller frees by noe_py_free; NULL with a message. */
char *noe_py_latex(const noe_system *);
char *noe_py_hamiltonian(const noe_system *);
/* Writes the unit of a column, "m/s"; 0: it is not known. */
int  noe_py_unit(const noe_system *, const char *column, char *out, size_t size);
void noe_py_free(void *);

/* The symmetries of a system, all or those that the model declares, with their momenta as
 * columns. */
typedef struct noe_py_momenta noe_py_momenta;
int             noe_py_searches(const noe_py_job *, const noe_system *); /* does a run need all? */
noe_py_momenta *noe_py_momenta_find(const noe_system *, int all);
void            noe_py_momenta_free(noe_py_momenta *);

/* What a run is given as objects. */
typedef struct {
    noe_system           *system;
    noe_method           *method;  /* that of the job's name; or NULL */
    const noe_py_momenta *momenta; /* of the system; or NULL */
    const double         *time;    /* [times] of the rows */
    long                  times;
    double                t0;        /* a start of numbers; NAN: the model's */
    const double         *q, *v, *p; /* [n]; q NULL: the start of the system; either v or p */
    const char *const    *option;    /* [options] */
    const double         *value;
    int                   options;
    noe_observer         *observer;
    void                 *ctx;     /* of the observer */
    int                   stopped; /* it returned true */
    int                   later; /* observables that are default columns and the note may be left */
} noe_py_given;

/* What comes out of a run.  Tables are NULL where it did not begin. */
typedef struct {
    noe_table      *rows, *events; /* events: the first column is their number, from 1 */
    const char     *method, *ended, *warning, *note; /* NULL, or texts; warnings are lines */
    char            step_text[64];                   /* in all digits */
    noe_status      status;                          /* why it could not go on */
    double          step, until, time, steps, local_error, energy_error, accumulated_error;
    noe_py_choice   choice;     /* of a tolerance */
    noe_integrator *g;          /* with an observer or `unfinished`: the caller frees it */
    int             unfinished; /* the note is left to noe_py_note */
    /* How many rows of 2 + 4 n numbers there are, from which noe_py_energies gives the others,
     * instead of `rows`, whose columns they begin with.  Energy and velocities of the first row,
     * which it does not give, are `first` [1 + n]. */
    size_t        states;
    const double *first;
    int           left; /* the columns are t, positions, velocities, momenta, energy */
    void         *own;  /* noe_program that owns all of this but `g`; noe_py_run_drop frees it */
} noe_py_result;
int noe_py_run(const noe_py_job *, noe_py_given *, noe_py_result *); /* status of `noether run` */
/* What the members of an ensemble are given. */
typedef struct {
    noe_system        *system;
    const char *const *name;  /* [names] */
    const double      *value; /* [members][names] */
    int                names;
    long               members;
    const double      *time; /* [times] of the rows */
    long               times;
} noe_py_members;
/* Status of `noether run --ensemble`.  Of the result rows, the table that --all writes, or with a
 * section --output; events, for each member the times of the first events; warning and note. */
int  noe_py_ensemble(const noe_py_job *, const noe_py_members *, noe_py_result *);
void noe_py_run_drop(noe_py_result *); /* of either */
/* The note of a run, by the integrator at its end and its method; "": there is none.  The caller
 * frees it by noe_py_free; NULL: no memory. */
char *noe_py_note(noe_integrator *, const noe_method *);
/* Takes the states [states][2 + 4 n] out of a result: two times, positions, momenta and what else
 * energies follow from.  The caller frees them by noe_py_free. */
double *noe_py_states_take(noe_py_result *);
/* Times [rows], positions and momenta [rows][n] of so many of them, in one pass over them. */
void noe_py_states_read(const double *state, size_t rows, int n, double *t, double *q, double *p);
/* Energy and velocities, out[1 + n][row], of so many of them. */
noe_status noe_py_energies(const noe_system *, const noe_method *, const char *step,
                           const double *state, size_t rows, double *const *out);
/* The name of observable k of the default columns; NULL: there are no more. */
const char *noe_py_observable(const noe_system *, int k);
/* Their values at the rows whose columns, in that order, are `column`: out[k][row]. */
noe_status noe_py_observables(const noe_system *, const noe_py_momenta *,
                              const double *const *column, size_t rows, double *const *out);

/* Writes rows to a file: .csv, .json or .h5. */
typedef struct {
    const char *path, *method, *step, *ended, *warning, *note; /* ended ..: NULL or texts */
    /* The end asked for, times of the first and last row, errors as in noe_py_result. */
    double             until, t0, last, local_error, energy_error, accumulated_error;
    int                columns;
    const char *const *name; /* [columns] */
    const double      *row;  /* [rows][columns] */
    size_t             rows;
    int                event_columns; /* 0: no table of events */
    const char *const *event_name;    /* [event_columns] */
    const double      *event;         /* [events][event_columns] */
    size_t             events;
} noe_py_file;
noe_status noe_py_write(const noe_system *, const noe_py_file *);

#endif
