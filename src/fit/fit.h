/* Estimates of parameters and starts: min over x of sum ((f_i(x) - y_i)/sigma_i)^2.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * y_i are numbers of data files, f_i(x) what the computed motion has in their place.  The
 * derivatives df/dx are exact (gradient/gradient.h), the steps those of the method.  A bounded x is
 * a function of a number without bounds, u, by which cminpack's lmder minimizes (bounds.c);
 * standard errors are those of x itself. */
#ifndef NOE_FIT_FIT_H
#define NOE_FIT_FIT_H

#include "fit/measurements.h"
#include "gradient/gradient.h"
#include "integrate/integrator.h"
#include "job/verbs.h"

/* Residuals of a trial for which the motion fails: lmder shortens its step. */
static const double NOE_FIT_FAR = 1e30;

/* A parameter or start that is estimated. */
typedef struct {
    const char *name;     /* as in --vary */
    const char *assigned; /* as in an assignment: "l", "q", "q'", "p(q)" */
    noe_by      by;
    bool        each;      /* every data file has a value of its own */
    double      low, high; /* bounds; infinite: none */
    int         first;     /* its unknown; of file d, where each has its own: first + d */
} noe_varied;

/* A quantity of the model that is compared with a column of the data. */
typedef struct {
    const char *name, *in_file; /* in the model; in the data */
    noe_column  value, *slope;  /* slope [varied] */
    double      sigma;          /* standard deviation of the errors of its data */
    bool        known;          /* sigma is given; else it is estimated from the residuals */
    int         count;          /* data */
    double      spread;         /* standard deviation of the data from their mean */
} noe_compared;

/* A number of a data file. */
typedef struct {
    double t, y;            /* time, value */
    int column, file, line; /* numbers of the compared column and of the file; line in the file */
} noe_datum;

typedef struct {
    const noe_fit_job *job;
    noe_arena         *arena;
    const noe_system  *plain;  /* as given */
    noe_system        *system; /* with derivatives */
    const noe_method  *method;
    double             step; /* its length */
    noe_measurements  *file; /* [files] */
    int                files;
    noe_varied        *varied; /* [varieds] */
    int                varieds;
    noe_compared      *compared; /* [compareds] */
    int                compareds;
    noe_datum         *datum; /* [data], file by file, in the order of time */
    int                data;
    int                unknowns;       /* numbers that are estimated */
    double            *x, *low, *high; /* [unknowns] values, bounds */
    const char       **name;           /* [unknowns] as in --vary */
    /* Results. */
    double  *f, *J;             /* [data], [unknowns][data]: model values and derivatives at x */
    double  *error;             /* [unknowns] standard errors; NAN: none */
    double  *correlation;       /* [unknowns][unknowns] */
    bool    *at_bound;          /* [unknowns] */
    double   chi2;              /* sum of ((f - y)/sigma)^2 */
    double   freedom;           /* data - unknowns */
    double   quantile;          /* 95 % of the errors are within so many standard errors */
    int      runs, agreeing;    /* evaluations of the model; starts that came to this minimum */
    char     undetermined[600]; /* what cannot be told apart; "": nothing */
    noe_text notes;             /* warnings, a line each */
    bool     stopped;           /* by a signal */
} noe_fit;

/* fit_setup.c: from the options of a job, to be dropped in either case; its minimum, errors and
 * notes.  False with a message. */
bool noe_fit_setup_make(noe_fit *, const noe_fit_job *);
bool noe_fit_setup_solve(noe_fit *);
void noe_fit_setup_drop(noe_fit *);
/* varied_list.c, compared_columns.c: from the words of the job; false with a message. */
bool noe_varied_list_parse(noe_fit *);
bool noe_compared_columns_find(noe_fit *);
/* fitted_run.c: values f [data] and, where it is not NULL, derivatives J [unknowns][data] of the
 * motions for x; false with a message. */
bool noe_fitted_run_make(noe_fit *, const double *x, double *f, double *J);
/* The system `of` for a file with these values; NULL with a message. */
noe_system *noe_fitted_run_system(const noe_fit *, const noe_system *of, int file, const double *x);
/* The value of a column at datum i; false with a message where it is not finite. */
bool noe_fitted_run_value(const noe_fit *, noe_integrator *run, noe_integrator *at, int i,
                          const noe_column *, double *to);
/* Data [from, end) that a run passes, of one file; then the state at time `last`, if that is
 * finite.  `read` takes those at one time, none at `last`. */
typedef struct {
    noe_fit *s;
    int      from, end;
    double   last;
    bool (*read)(void *ctx, noe_integrator *run, noe_integrator *at, int from,
                 int to); /* false: it has failed */
    void *ctx;            /* of `read` */
} noe_visit;
bool noe_fitted_run_follow(noe_visit *, noe_integrator *);
/* multiple_shooting.c: moves x near to a minimum by pieces of the motion; false with a message. */
bool noe_multiple_shooting_approach(noe_fit *);
/* The number of the unknown that is varied k of a file. */
static inline int noe_fit_unknown(const noe_fit *s, int k, int file)
{
    return s->varied[k].first + (s->varied[k].each ? file : 0);
}
/* bounds.c: x(u) of unknown i, u(x), and dx/du. */
double noe_bounds_inside(const noe_fit *, int i, double u);
double noe_bounds_outside(const noe_fit *, int i, double x);
double noe_bounds_slope(const noe_fit *, int i, double u);
/* least_squares.c: moves x to a minimum and leaves f, J and chi2 there; false with a message. */
bool noe_least_squares_minimize(noe_fit *);
/* start_search.c: the same from many starts, the best one is kept. */
bool noe_start_search_run(noe_fit *);
/* standard_errors.c: error, correlation, undetermined of x from J; false: no memory. */
bool noe_standard_errors_find(noe_fit *);
/* data_warnings.c: what looks wrong in data and units, as notes.  Before the fit f is that of the
 * start. */
void noe_data_warnings_before(noe_fit *);
void noe_data_warnings_step(noe_fit *);
void noe_data_warnings_after(noe_fit *, const double *start);

/* Reports: fit_text.c, fit_json.c, fit_plot.c, fitted_model.c. */
void noe_fit_text_add(noe_text *, const noe_fit *);
bool noe_fit_json_write(FILE *, const noe_fit *);
bool noe_fit_plot_draw(const noe_fit *, const char *path);
bool noe_fitted_model_write(const noe_fit *, const char *path);

#endif
