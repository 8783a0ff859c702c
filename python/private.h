/* What the Python package calls beyond noether.h; as cli/, it stands on the rooms of src/.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_PYTHON_PRIVATE_H
#define NOE_PYTHON_PRIVATE_H

#include "noether.h"

/* noe_integrator_new with the step as text, a number or an expression in the parameters: 0.1 is then 1/10 in binary128, as for
 * the command, and the times of the rows have the same bits. */
noe_integrator *noe_py_integrator(const noe_system *, const noe_method *, const char *step,
                                  int digits);
/* The value of an expression in the parameters; NAN with a message.  `what` is its name in the message. */
double noe_py_value(const noe_system *, const char *what, const char *text);
/* The same system with the momenta of all symmetries that are found as observables; NULL with a message. */
noe_system *noe_py_observing(const noe_system *);
/* Does its engine make many steps at once? */
int noe_py_jumps(const noe_integrator *);
/* The run does not resolve its motion: the text of the warning, "" if there is none. */
void noe_py_coarse(noe_integrator *, const noe_method *, char *text, size_t room);

/* A table for noe_table_write, of columns with these names; filled with rows, and with what a result says about itself. */
noe_table    *noe_py_table(int columns, char *const *name);
noe_status    noe_py_fill(noe_table *, const noe_system *, const char *method, const char *step,
                          double until, const char *ended, double t0, double last, const double *row,
                          size_t rows);
const double *noe_py_column(const noe_table *, size_t column);

/* The choice of method and step for a tolerance: `least` steps or more, until *interrupted is not 0. */
typedef struct {
    char   method[16], step[64]; /* as words for noe_method_parse and noe_py_integrator */
    double error, reached;       /* its estimate; the time up to which it is within the tolerance */
    char   why[400];
} noe_py_choice;
noe_status noe_py_choose(const noe_system *, double until, double tolerance, int digits,
                         double least, volatile int *interrupted, noe_py_choice *);

/* A verb of the command with options as text; NULL: not given. */
typedef struct {
    const char        *model;
    const char *const *let;
    int                lets;
    const char        *method, *step, *until, *columns, *members, *all, *statistics;
    long               every;
    int                threads;
    double             within;
    volatile int      *interrupted;
} noe_py_job;
/* The certificate as JSON, that the caller frees by noe_py_free; *status: that of `noether check`. */
char *noe_py_check(const noe_py_job *, int json, int *status);
int   noe_py_ensemble(const noe_py_job *); /* status of `noether run --ensemble` */
void  noe_py_free(void *);

#endif
