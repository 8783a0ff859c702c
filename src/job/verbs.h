/* The functions of the command beyond noether.h: each verb takes its options as text.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_VERBS_H
#define NOE_JOB_VERBS_H

#include "base/exit_status.h"
#include "base/text.h"
#include "base/thread_team.h"

#include <signal.h>
#include <stdio.h>

typedef struct noe_program noe_program; /* job/program.h */

enum { NOE_MEMBERS_MOST = 10000000 }; /* of an ensemble */

/* The options of a run as text; NULL or 0: not given. */
typedef struct {
    const char        *model;            /* file */
    const char *const *let;              /* assignments NAME=VALUE */
    int                lets;             /* their number */
    const char *method, *step, *until;   /* step and until: expressions of the model language */
    const char *columns, *plot_columns;  /* lists of columns: of the rows, of the picture */
    const char *output, *plot, *animate; /* files to write: rows, picture, animation */
    const char *from;                    /* restart file, .h5 */
    const char *beside;                  /* a method whose energy error the animation shows, too */
    const char *section, *stop; /* names of events: rows at them only; the run ends there */
    long        every;          /* steps between two rows; 0: not given */
    const char *monitor;        /* G, "G reversible" or "none", in place of the model's monitor */
    const char *times;          /* output times: rows/output_times.h */
    long        rows;           /* number of evenly spaced output times; 0: not given */
    int         certifies;  /* certify, not run; a finite-element structure needs no step then */
    long        checkpoint; /* steps after which the output file is written with what there is */
    const char *tolerance;  /* takes the place of method and step */
    int         force;      /* go on although the tolerance cannot be reached */
    const char *solver;     /* "fixed-point", "chord", "newton" */
    int         digits;     /* 15, or 33 to 1000 */
    int         window, factorise, bits; /* for finite-element structures: noe_option_name */
    int         quiet;                   /* no summary */
    int         verbose;                 /* report the solver and the reason for it */
    const char *ensemble, *sweep, *scatter, *all; /* ensembles of many members, doc/ensembles.md */
    long        members, seed;                    /* of a scatter */
    int         threads; /* for the members or a structure; 0: one for each processor it may use */
    double      within;  /* for a check: CPU seconds until which laws are measured; 0: no limit */
    volatile sig_atomic_t *interrupted; /* 0, or the number of the signal that stops the run */
    /* The processes that do the job together, system/processes.h; NULL: there is one. */
    const struct noe_processes *processes;
    noe_program *program; /* objects in place of the words model and output; NULL: of the command */
} noe_job;

/* Runs the job.  Returns the exit status of the command: 0; 2 bad use; 3 the run could not go on;
 * 128 + the signal. */
int noe_run_job(const noe_job *);
/* Runs all members of the ensemble, sweep or scatter; the file `output` gets their statistics, the
 * file `all` every member. */
int noe_ensemble_run(const noe_job *);

/* An example of a finite-element structure of size^dim elements, src/app/fem_mesh.h.
 * noe_fem_example_run writes PREFIX_M.mtx, PREFIX_K.mtx and PREFIX.lag; without a prefix it steps
 * in memory and prints the speed.  Returns the exit status. */
typedef struct {
    const char *kind;       /* "cantilever" or "membrane" */
    const char *prefix;     /* of the files; NULL: none are written */
    const char *method;     /* of the steps in memory */
    long        dim, size;  /* dimensions, 2 or 3; elements along an edge */
    long        steps;      /* to make in memory */
    double      step;       /* their length; 0: half of the stability limit */
    int         consistent; /* consistent mass matrix, else lumped */
} noe_fem_example;
int noe_fem_example_run(const noe_fem_example *, FILE *to);

/* C99 source of the step of a Galerkin method, NAME_start, NAME_step and NAME_velocity, which
 * needs libm alone; the caller frees it. */
char *noe_emit_step(const noe_system *, const noe_method *, const char *name);

/* L and the definitions that it uses in LaTeX, as the text of the model writes them; the caller
 * frees it.  NULL with a message. */
char *noe_latex_model(const noe_system *);

/* The text of the model with its Hamiltonian in place of the Lagrangian: a model that moves the
 * same way.  The caller frees it; NULL with a message. */
char *noe_hamiltonian_text(const noe_system *);

/* The word of the list with the fewest edits from the first `length` characters of `word`; NULL:
 * none is near. */
const char *noe_nearest_option_find(const char *word, size_t length, const char *const *list,
                                    int count);

/* The model of a job with its assignments and its monitor, which are made before it is checked.
 * Readers: see noe_system_load_lets; NULL: this process alone.  NULL with a message. */
noe_system *noe_job_model_load(const noe_job *, const struct noe_processes *readers);
/* Prints noe_system_warning on standard error. */
void noe_model_warnings_print(const noe_system *);
/* Tells that the emitted code has no events, a line for each; the system may be NULL. */
void noe_event_report_left_out(const noe_system *, FILE *); /* event_report.c */

/* Properties, symmetries and laws of the job's system, method and step, as text or JSON.  Returns
 * the exit status: 0 only if every promised law holds, 1 if one fails, 2 bad use, 3 if laws were
 * left out for lack of time. */
int noe_certificate_run(const noe_job *, int json, FILE *to);

/* An option of a study: --key value, or the line "key subject = value" of a study file. */
typedef struct {
    const char *key, *subject, *value; /* subject: "" if there is none */
    int         line;                  /* 0: the command line */
} noe_study_option;

/* The options of a study as text, doc/studies.md; NULL or 0: not given. */
typedef struct {
    const char             *kind;   /* "convergence", "drift" or "work" */
    const char             *model;  /* file */
    const char             *file;   /* FILE.study, in place of kind, model and options */
    const noe_study_option *option; /* [options] */
    int                     options;
    const char *const      *let; /* [lets] assignments NAME=VALUE */
    int                     lets;
    const char            *output, *plot, *html; /* .csv or .json; a picture; a <table> of a page */
    int                    threads;              /* 0: one for each processor it may use */
    int                    quiet;                /* no progress */
    volatile sig_atomic_t *interrupted;          /* as in noe_job */
} noe_study_job;

/* Runs the study and prints its tables.  Returns the exit status: 0; 1 published numbers were not
 * reproduced; 2 bad use; 3 a run could not go on; 128 + the signal.  Completed rows are
 * preserved. */
int noe_study_run(const noe_study_job *, FILE *to);

/* The options of a fit as text, doc/fitting.md; NULL or 0: not given. */
typedef struct {
    const char        *model; /* file */
    const char *const *let;   /* [lets] assignments NAME=VALUE */
    int                lets;
    const char *const *data; /* [datas] files of measurements, "FILE" or "FILE with NAME = VALUE" */
    int                datas;
    const char        *vary, *columns, *weights, *method, *step; /* as options of `noether fit` */
    const char        *output, *plot; /* the model with the estimates; a picture */
    long               starts, seed;  /* random starts within the bounds, 1: the model's alone */
    long segments;    /* pieces of the motion, each with a start of its own at first; 0, 1: whole */
    int  json, quiet; /* estimates as JSON; no notes */
    volatile sig_atomic_t *interrupted; /* as in noe_job */
    /* Objects in place of the words model, method and step; NULL: of the command. */
    const noe_system *system;
    const noe_method *scheme;
    double            h;
} noe_fit_job;

/* Fits the model to the data and prints the estimates.  Returns the exit status: 0; 2 bad use; 3
 * the fit could not go on, or data that do not determine what is varied; 128 + the signal. */
int noe_fit_run(const noe_fit_job *, FILE *to);

/* The options of a gradient as text, doc/gradients.md; NULL or 0: not given. */
typedef struct {
    const char            *model; /* file */
    const char *const     *let;   /* [lets] assignments NAME=VALUE */
    int                    lets;
    const char            *of; /* an expression; J is its value at the end, or its sum over rows: */
    const char            *times;                 /* at these times: rows/output_times.h */
    long                   every;                 /* every so many steps */
    const char            *method, *step, *until; /* name; expressions, NULL: the model's */
    int                    json, quiet;           /* as JSON; no notes */
    volatile sig_atomic_t *interrupted;           /* as in noe_job */
} noe_gradient_job;

/* Prints J and dJ/dc by all parameters and starts c.  Returns the exit status: 0; 2 bad use; 3 the
 * motion or its derivative could not go on; 128 + the signal. */
int noe_gradient_job_run(const noe_gradient_job *, FILE *to);

/* The options of an optimal control problem; NULL: not given. */
typedef struct {
    const char            *model; /* file */
    const char *const     *let;   /* [lets] assignments NAME=VALUE */
    int                    lets;
    const char            *method, *until, *output, *plot; /* as options of `noether optimize` */
    long                   steps, iterations;              /* iterations: at most */
    volatile sig_atomic_t *interrupted;                    /* as in noe_job */
} noe_optimize_job;

/* Finds the controls and reports them.  Returns the exit status: 0 at an optimum; 2 bad use; 3 none
 * was reached; 128 + the signal.  What was found is written in any case but 2. */
int noe_optimize_job_run(const noe_optimize_job *, FILE *to);

/* Prints the properties of a method ("gauss 3"), the list of "methods", or of "options".  Returns
 * the exit status. */
int noe_show_method(const char *what, FILE *to);

#endif
