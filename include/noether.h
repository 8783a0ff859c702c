/* noether integrates Lagrangian mechanics from a text file and preserves its structure.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * L(q, q')  ->  (q, p)(t)
 *
 * Four nouns: a system (what moves; immutable), a method (how to step; immutable), an integrator
 * (where we are; one thread), a table (what came out).  Read from top to bottom, this header is
 * the tutorial.
 *
 *     noe_system     *kepler  = noe_system_load("systems/kepler.lag");
 *     noe_method     *simpson = noe_method_parse("simpson");
 *     noe_integrator *orbit   = noe_integrator_new(kepler, simpson, 0.01);
 *     noe_run(orbit, 100, NULL, NULL);
 *     printf("%.15g %.15g\n", noe_get(orbit, "x"), noe_get(orbit, "energy"));
 *     if (noe_error()) fprintf(stderr, "%s\n", noe_error());
 *
 * NULL in, NULL (or NAN, 0, NOE_INVALID) out, and the message stays: a chain of calls needs one
 * check at its end.  Everything immutable may be shared by any number of threads; one integrator
 * belongs to one.
 *
 * NOETHER_ISA=sse2 or avx2 in the environment chooses narrower vector instructions than the
 * machine has; the results are the same bits. */
#ifndef NOETHER_H
#define NOETHER_H

#include <stddef.h>

#define NOE_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- 1. What can go wrong ---- */

typedef enum {
    NOE_OK,      /* done */
    NOE_STOPPED, /* an observer or an event stopped the run */
    NOE_INVALID, /* an argument is NULL, out of range, or unknown */
    NOE_SYNTAX,  /* the model text is wrong; the message has file, line, column */
    /* After the next three the state is that before the step, unless a monitor has fallen to 0. */
    NOE_SINGULAR,      /* L_vv is singular, or constraints contradict or depend on each other */
    NOE_NOT_CONVERGED, /* no acceptable solution of the step's equations */
    NOE_NOT_FINITE,    /* a value became infinite or not a number */
    NOE_NO_MEMORY,
    NOE_IO /* a file could not be read or written */
} noe_status;

const char *noe_error(void); /* first cause since noe_error_clear(), or NULL; one per thread */
void        noe_error_clear(void);

/* ---- 2. A system: what moves ---- */

typedef struct noe_system noe_system;

noe_system *noe_system_load(const char *path);  /* a model file, doc/model.md */
noe_system *noe_system_parse(const char *text); /* the same from memory */

/* A new system that differs in one value: a parameter ("l1") or an initial value ("q1", "q1'",
 * "p(q1)"). What depends on a parameter follows it.  _let takes an assignment in the model
 * language, "l1 = g/40". */
noe_system *noe_system_with(const noe_system *, const char *name, double value);
noe_system *noe_system_let(const noe_system *, const char *assignment);

/* A new system of which every motion has its derivatives by parameters and initial values, a list
 * "m, l, q1', p(q2)": noe_sensitivity and, by noe_get and in tables, columns d(q1)/d(m),
 * d(energy)/d(q1'). They are those of the computed motion itself, by the implicit function theorem
 * on the equations of its steps, not of the exact one; steps and their length stay as they are, and
 * parameters that follow others move with them.  An initial value varies while the others stay as
 * the start gives them.  At an event, and at the end of a step that follows a monitor, the
 * derivative is one at fixed time.  NULL for a name that is no parameter or start, or is an index;
 * for sums and structures of more than 64 coordinates, monitors or constraints together with events
 * that change the motion, and functions in C.
 * Integrators are NULL for "rk4-v", splittings of damped motions, Newmark's method and more than
 * 33 digits.  doc/gradients.md. */
noe_system *noe_system_differentiated(const noe_system *, const char *by);

/* L at z = (q, v), 2n numbers.  Fills grad (2n: L_q then L_v) and hess (2n x 2n, row by row,
 * symmetric) when they are not NULL.  param has the nparam numbers given to noe_set; ctx is
 * passed through. Called from several threads at once when several integrators run. */
typedef double noe_lagrangian(double t, const double *z, const double *param, double *grad,
                              double *hess, void *ctx);
/* A generalized force f[n] and its derivatives dfdz[n][2n] (NULL when not wanted). */
typedef void noe_force(double t, const double *z, const double *param, double *f, double *dfdz,
                       void *ctx);

/* A system from C: dim coordinates "x.1" .. "x.n", nparam parameters "c.1" ..; f may be NULL.
 * Where L depends on t, "work" and "balance" are NAN: what t puts into the energy is not known. */
noe_system *noe_system_new(int dim, int nparam, noe_lagrangian *L, noe_force *f, void *ctx);
/* The derivative of L by t at fixed q and v. */
typedef double noe_lagrangian_rate(double t, const double *z, const double *param, void *ctx);
/* The same with L_t, needed for the energy balance: work = int f.v - L_t dt. */
noe_system *noe_system_driven(int dim, int nparam, noe_lagrangian *L, noe_lagrangian_rate *L_t,
                              noe_force *f, void *ctx);

/* m constraints g(t, q) = 0.  Fills g [m], the derivatives dg [m][n+1] by q.1 .. q.n and, last, t,
 * and d2g [m][n+1][n+1] by two of them, symmetric.  dg and d2g are 0 before the call: what does not
 * depend on something needs no word. */
typedef void noe_constraints(double t, const double *q, const double *param, double *g, double *dg,
                             double *d2g, void *ctx);
/* The same with m constraints "g.1" .. "g.m", by Galerkin methods: positions satisfy g = 0 and
 * velocities dg/dt = 0 after every step, to rounding.  L and the forces are those of the
 * coordinates without constraints, with L_vv regular.  A start is projected as that of a model is,
 * and where none is given all coordinates are 0; columns "g.1.force", the multiplier, and
 * "g.1.error", g itself.  L_t and f may be NULL.  doc/mechanisms.md. */
noe_system *noe_system_constrained(int dim, int nparam, int m, noe_lagrangian *L,
                                   noe_lagrangian_rate *L_t, noe_force *f, noe_constraints *g,
                                   void *ctx);

/* A structure from matrices: M q'' + C q' + K q = f(t), n coordinates "x.1" .. "x.n".  Each
 * matrix is given by columns: column j has the entries start[j] .. start[j+1] - 1, counted from
 * 0 as their rows are.  Entries on one side of the diagonal only stand for both sides.  M and K
 * symmetric; C (damping) or load may be NULL.  The arrays are copied; ctx is passed to load,
 * which writes the force at time t into f[n]. */
typedef struct {
    const size_t *start;
    const int    *row;
    const double *value;
} noe_csc;
typedef void noe_load(double t, double *f, void *ctx);
noe_system  *noe_system_structure(int n, const noe_csc *M, const noe_csc *C, const noe_csc *K,
                                  noe_load *load, void *ctx);

int         noe_system_dim(const noe_system *);         /* n, the number of coordinates */
const char *noe_system_name(const noe_system *, int i); /* name of coordinate i = 0 .. n-1 */
/* a parameter's value; NAN if unknown */
double noe_system_get(const noe_system *, const char *name);
/* What the model suggests: "method" (text), or the numbers "step", "until" as text; NULL when
 * silent. */
const char *noe_system_suggest(const noe_system *, const char *what);
/* What the text says and hardly means, with its place, a line each; NULL: nothing. */
const char *noe_system_warning(const noe_system *);
/* C99 source of a noe_lagrangian called NAME_lagrangian and, with forces, of a noe_force called
 * NAME_force; the caller frees it. */
char *noe_system_emit(const noe_system *, const char *name);
void  noe_system_free(noe_system *);

/* ---- 3. A method: how to step ---- */

typedef struct noe_method noe_method;

/* "simpson", "gauss 3", "P4 gauss 6"; doc/theory.md */
noe_method *noe_method_parse(const char *name);
const char *noe_method_name(const noe_method *);
int  noe_method_order(const noe_method *); /* computed from the coefficients, never declared */
void noe_method_free(noe_method *);

/* ---- 4. An integrator: where we are ---- */

typedef struct noe_integrator noe_integrator;
/* Called after every step; nonzero stops the run. */
typedef int noe_observer(void *ctx, const noe_integrator *);

/* Starts from the model's time and initial conditions; step in units of t, may be negative, not
 * zero.  The system must outlive its integrators, and what ctx points to its system; the method
 * may go before. */
noe_integrator *noe_integrator_new(const noe_system *, const noe_method *, double step);
noe_status      noe_start(noe_integrator *, double t, const double *q, const double *v);
noe_status      noe_start_momentum(noe_integrator *, double t, const double *q, const double *p);
noe_status      noe_step(noe_integrator *);
/* One step, bit for bit that of noe_step, and its exact derivative M = d(q, p)/d(q0, p0), (q0,
 * p0) the state before it: [2n][2n] row by row, in the units of the coordinates and momenta,
 * symplectic to rounding when the method is and there are no forces.  The derivative of many
 * steps is the product of theirs, the newest on the left. Errors: those of noe_step,
 * NOE_NOT_FINITE when there is no finite derivative, and NOE_INVALID for what has none: "rk4-v",
 * which would need third derivatives of L; splittings where forces depend on velocities, and
 * "luo-guo4-frozen", which would need second derivatives of the forces; structures of more than
 * 1000 coordinates and sums of more than 128, whose M is too large; constraints, events that
 * change the motion, 'monitor .. reversible' and monitors where L or G depends on t; systems that
 * are differentiated; more than 33 digits.  M and the state are then as before.  The implicit
 * function theorem on the equations of the step: doc/theory.md, section 10. */
noe_status noe_step_jacobian(noe_integrator *, double *M);
/* S = d(q, p)/dc at the present state, [2n][k] row by row, c the k parameters and initial values of
 * noe_system_differentiated in their order. */
noe_status noe_sensitivity(noe_integrator *, double *S);
/* Whole steps until time `until`: the nearest whole number when within 1e-9 of it, else the last
 * before. */
noe_status noe_run(noe_integrator *, double until, noe_observer *, void *ctx);

/* Makes `steps` steps and writes t, q, p of every k-th into out [steps/every][1 + 2n], row by row;
 * the state before them is no row, so that the next call goes on where this one ended.  No memory
 * is taken.  Errors: those of noe_step, the rows before it are there and noe_time tells how far it
 * came; NOE_INVALID for steps < 0 or every < 1. */
noe_status noe_rows(noe_integrator *, long steps, long every, double *out);

/* q and p [n] at time t, which lies in the step that comes next, from noe_time to one step
 * beyond: by one step of the method of length t - noe_time that is thrown away; after an impact in
 * between, by the step from there, and at the time of an impact the state is that before it.
 * Events are not told, and stop nothing.  The run is not changed, bit for bit.  The order is that
 * of the method, and every momentum that the method preserves is preserved at every t to rounding;
 * at the ends the result is that of the grid.  Large finite-element structures, for which another
 * step length costs a factorization, are interpolated between two grid points (Hermite, error
 * O(h^6), with loads O(h^4)).  Errors: NOE_INVALID for a time outside the step, those of noe_step.
 * doc/theory.md, section 16. */
noe_status noe_at(noe_integrator *, double t, double *q, double *p);

/* Events of the model, doc/events.md: zeros of functions of the state, solved to rounding.
 * noe_step and noe_run act on those that stop or change the motion; at an event that stops they
 * return NOE_STOPPED, and the state is that at the event.
 * noe_next_event goes on until the next event of any kind, by whole steps, and not beyond the last
 * step that ends before time `until`.  It returns an integrator at the event, before the change of
 * the motion, to be read (noe_time, noe_q, noe_get, ..) until the next call, not to be stepped or
 * freed; or NULL: no event until then, or a failure, which noe_error tells.
 * noe_watch: the observer is called at every event with such an integrator, and stops the run by
 * returning nonzero; NULL ends the watch. */
const noe_integrator *noe_next_event(noe_integrator *, double until);
noe_status            noe_watch(noe_integrator *, noe_observer *, void *ctx);
/* The name of the event at which an integrator is; NULL: it is at none. */
const char *noe_event_name(const noe_integrator *);

double        noe_time(const noe_integrator *);
const double *noe_q(const noe_integrator *); /* n positions */
const double *noe_v(const noe_integrator *); /* n velocities: solve L_v(t, q, v) = p */
const double *noe_p(const noe_integrator *); /* n momenta */
/* Any column by name: "t", "q1", "q1'" or "q1.v", "p(q1)" or "q1.p", "energy", an observable, a
 * parameter, a statistic or an option (noe_option_name).  NAN and a message when unknown. */
double noe_get(const noe_integrator *, const char *name);
/* an option, or a parameter of C */
noe_status noe_set(noe_integrator *, const char *name, double value);
/* Row i of the table of options and statistics: its name, or NULL past the end; what it means. */
const char *noe_option_name(int i, const char **meaning, double *standard);
void        noe_integrator_free(noe_integrator *);

/* ---- 5. A table: what came out ---- */

typedef struct noe_table noe_table;

/* Runs and keeps every k-th row, the first and the last.  columns: "t,q1,energy", or NULL for
 * the usual ones (t, positions, momenta, energy, observables; above 64 coordinates t, energy,
 * observables). When a step fails the rows before it are kept and noe_error() has the cause. */
noe_table    *noe_record(noe_integrator *, double until, int every, const char *columns);
size_t        noe_table_rows(const noe_table *);
size_t        noe_table_columns(const noe_table *);
const char   *noe_table_name(const noe_table *, size_t column);
const double *noe_table_column(const noe_table *, const char *name); /* rows numbers, one column */
const char   *noe_table_label(const noe_table *, size_t row);    /* what a row is called, or NULL */
noe_status noe_table_write(const noe_table *, const char *path); /* .csv .json .h5 by its ending */
void       noe_table_free(noe_table *);
/* The laws that a method must obey on a system, measured: a row each, labelled, with the columns
 * value, bound (NAN: none is promised) and holds (1, 0, or NAN where the law does not apply).
 * doc/certificate.md. */
noe_table *noe_check(const noe_system *, const noe_method *, double step);

/* What a fit is to, doc/fitting.md. */
typedef struct {
    const char *const *data;    /* [files] measurements: t and quantities of the model as columns */
    int                files;   /* number of files */
    const char        *vary;    /* what is estimated, with bounds: "l in 0.1..2, c, q(0)" */
    const char        *columns; /* what is compared, "q = angle"; NULL: all that the model has */
    const char        *weights; /* standard deviations of the data, "q = 0.01"; NULL: estimated */
    long               starts, seed; /* fits from random starts between bounds; 0: one fit */
    long               segments;     /* pieces of the motion for multiple shooting; 0: none */
} noe_measured;
/* Parameters and initial values for which the motion is nearest to measurements: a row each,
 * labelled, with the columns value, error (standard error; NAN: at a bound, or not determined), low
 * and high (with 95 %), and a column of correlations for each.  Where the data cannot tell some
 * apart the rows are there and noe_error() says which. */
noe_table *noe_estimate(const noe_system *, const noe_method *, double step, const noe_measured *);

/* Rows of a run, of which a function J is differentiated. */
typedef struct {
    double until; /* the end of the run, where rows are counted by steps: */
    /* a row at the start, every so many steps and at the end, with a monitor at `until`; or 0: */
    long          every;
    const double *time; /* rows at these times [times], in the order of the run from its start */
    long          times;
    const char   *columns; /* as of noe_record; NULL: positions and momenta */
    double memory; /* bytes for what the way back needs of each step; beyond, steps are made twice;
                    * 0: 268435456 */
} noe_gradient_rows;
/* weight = dJ/d(row) from row, both [rows][columns]; nonzero gives up. */
typedef int noe_weights(void *ctx, size_t rows, const double *row, double *weight);
/* dJ/dc by all parameters and starts c at once, exact to rounding: a run and the way back over its
 * steps by the adjoint equations, at a cost that does not depend on the number of c.  A row each,
 * labelled "l", "q1", "q1'" or, where the model gives it, "p(q1)", with the columns value and
 * gradient; parameters that are an index have none.  NULL with a message for what
 * noe_system_differentiated refuses, for a start set by noe_start, and where an event stops the
 * run.  doc/gradients.md. */
noe_table *noe_gradient_of(const noe_system *, const noe_method *, double  step,
                           const noe_gradient_rows *, noe_weights *, void *ctx);

/* How an optimal control problem is solved, and what came out: doc/control.md. */
typedef struct {
    long   steps;      /* of the motion; 0: 40 */
    double until;      /* the end of time, or a guess where it is free; NAN: as the model has it */
    long   iterations; /* of the search, at most; 0: 1000 */
    /* out: */
    double cost, error; /* the estimated error of the cost; NAN: one grid alone was solved */
    double end;         /* the final time */
    double violation;   /* of equations and conditions, at most */
    int    found;       /* 1: a local optimum; 0: noe_error() says why there is none */
} noe_optimum;
/* The controls of least cost of a model with `control`, `cost` and `final`: rows at the ends and
 * nodes of all steps, with columns t, coordinates, velocities "q1.v", momenta "q1.p", controls,
 * multipliers "q1.multiplier".  Without an optimum the rows are the best point of the search and
 * noe_error() says what happened and what to try; what it says of an optimum is a warning that the
 * costs do not settle.  NULL with a message for a problem that is none.  Needs Ipopt. */
noe_table *noe_optimize(const noe_system *, const noe_method *, noe_optimum *);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
