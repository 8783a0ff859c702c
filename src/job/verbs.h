/* what the command can do beyond noether.h, described by text.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_VERBS_H
#define NOE_JOB_VERBS_H

#include "base/text.h"

#include <signal.h>
#include <stdio.h>

/* A run as words; what is NULL or 0 is silent. */
typedef struct {
    const char        *model; /* file */
    const char *const *let;   /* assignments NAME=VALUE */
    int                lets;
    const char *method, *step, *until; /* step and until: expressions of the model language */
    const char *columns, *output, *plot, *plot_columns, *from;
    long        every;
    int         certifies; /* it is certified, not run: of a structure the step may be silent */
    const char *tolerance; /* instead of method and step */
    int         force;     /* go on where the tolerance cannot be reached */
    const char *solver;    /* "fixed-point", "chord", "newton" */
    int         digits;    /* 15, or 33 to 1000 */
    int         window, factorise, bits;          /* of structures: noe_option_name */
    int         quiet;                            /* no summary */
    int         verbose;                          /* which solver and why */
    const char *ensemble, *sweep, *scatter, *all; /* many members, doc/ensembles.md */
    long        members, seed;                    /* of a scatter */
    int         threads; /* of members or of a structure; 0: as many as there are cores */
    double within; /* of a check: seconds of computing after which laws are left out; 0: none */
    volatile sig_atomic_t *interrupted; /* 0, or the signal that asks to stop */
} noe_job;

/* Runs it.  The exit status of the command: 0; 2 bad use; 3 the run could not go on; 128 + the signal. */
int noe_run_job(const noe_job *);
/* Runs all members that ensemble, sweep or scatter say; output holds their statistics, `all` every one of them. */
int noe_ensemble_run(const noe_job *);

/* A structure of size^dim elements, src/matrix/fem_mesh.h.  Writes PREFIX_M.mtx, PREFIX_K.mtx and PREFIX.lag; without a prefix
 * it steps in memory and tells how fast.  Exit status. */
typedef struct {
    const char *kind; /* "cantilever" or "membrane" */
    const char *prefix, *method;
    long        dim, size, steps;
    double      step; /* 0: half of what is stable */
    int         consistent;
} noe_fem_example;
int noe_fem_example_run(const noe_fem_example *, FILE *to);

/* C99 source of the step of a Galerkin method, NAME_start, NAME_step, NAME_velocity, that needs nothing but libm; the
 * caller frees it. */
char *noe_emit_step(const noe_system *, const noe_method *, const char *name);

/* The word of the list that differs from `length` characters of this one by the fewest edits, or NULL: none is near. */
const char *noe_nearest_option_find(const char *word, size_t length, const char *const *list,
                                    int count);

void noe_model_warnings_print(const noe_system *); /* noe_system_warning on standard error */

/* Structure, symmetries and laws of job's system, method and step, as text or JSON.  The exit status: 0 only if
 * all that is promised holds, 1 if something fails, 2 bad use, 3 if something was left out for want of time. */
int noe_certificate_run(const noe_job *, int json, FILE *to);

/* A word of a study: --key value, or the line "key subject = value" of a study file. */
typedef struct {
    const char *key, *subject, *value; /* subject: "" where there is none */
    int         line;                  /* 0: the command line */
} noe_study_option;

/* A study; what is NULL or 0 is silent.  doc/studies.md. */
typedef struct {
    const char             *kind; /* "convergence", "drift" or "work" */
    const char             *model;
    const char             *file; /* FILE.study, instead of kind, model and words */
    const noe_study_option *word;
    int                     words;
    const char *const      *let; /* assignments NAME=VALUE */
    int                     lets;
    const char            *output, *plot, *html; /* .csv or .json; a picture; a <table> of a page */
    int                    threads;              /* 0: as many as there are cores */
    int                    quiet;                /* no progress */
    volatile sig_atomic_t *interrupted;
} noe_study_job;

/* Runs it and prints its tables.  The exit status: 0; 1 what is published elsewhere is not reproduced; 2 bad use;
 * 3 a run could not go on; 128 + the signal.  Rows that are done are kept. */
int noe_study_run(const noe_study_job *, FILE *to);

/* Prints what is known of a method ("gauss 3"), "methods", or "options".  Exit status. */
int noe_show_method(const char *what, FILE *to);

#endif
