/* Derivatives of a motion by parameters and initial values: by which, and the tapes they need.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * S = d(q, p)/dc [2n][columns], a column for each parameter or initial value c, follows the steps
 * by S <- M S + D (derivative/motion_derivative.h): M is the derivative of the step by its start, D
 * the one by the parameter at fixed start, both by the implicit function theorem on the equations
 * of the step.
 * For D the engines need F_c and P_c, the mixed derivatives of L and of the forces. */
#ifndef NOE_GRADIENT_GRADIENT_H
#define NOE_GRADIENT_GRADIENT_H

#include "tape/equations.h"

typedef enum { NOE_BY_PARAMETER, NOE_BY_POSITION, NOE_BY_VELOCITY, NOE_BY_MOMENTUM } noe_by_kind;
/* What is differentiated by: a parameter, or an initial value of a coordinate. */
typedef struct {
    noe_by_kind kind;
    int         index; /* number of the parameter or coordinate */
    const char *name;  /* as given */
} noe_by;

/* A derivative, not identically 0, of energy (row 0) or of observable row - 1: by number `leaf` of
 * (q, v, p, energy, c), [n][n][n][1][columns]. */
typedef struct {
    int row, leaf, output; /* of the tape `rows` */
} noe_row_entry;

/* Derivatives of what an event that changes the motion does, by number `leaf` of
 * (q, v, p, energy, t, c), [n][n][n][1][1][columns]: of the energy (row 0), the event function g
 * (row 1), and from row 2 on of what follows: of a bounce g_q [n], g_t and the restitution, of
 * assignments their values. */
typedef struct {
    noe_tape      *tape;    /* NULL: the event changes nothing */
    noe_row_entry *entry;   /* [entries] */
    int            entries; /* derivatives that are not 0 */
} noe_event_derivatives;

typedef struct noe_gradient {
    int     count; /* columns */
    noe_by *by;    /* [count] */
    /* [count][params] derivatives of all parameters, since some follow others; NULL: the columns
     * are the parameters, each by itself. */
    quad          *rate;
    quad          *start;   /* [count][3n] derivatives of the model's initial q, v, p as given */
    noe_tape      *rows;    /* derivatives of energy and observables */
    noe_row_entry *entry;   /* [entries] of `rows` */
    int            entries; /* number of these */
    int            events;
    noe_event_derivatives *event; /* [events] */
} noe_gradient;

/* varied.c: the parameter "l" or the initial value "q", "q(0)", "q'", "p(q)" .. of this name
 * [length]; false with a message: there is none. */
bool noe_varied_find(const noe_model *, const char *name, size_t length, noe_by *);
/* The column "d(WHAT)/d(BY)": how many bytes of the name are WHAT, from byte 2 on, and where BY
 * begins; false: it is none. */
bool noe_varied_split(const char *name, size_t *what, const char **by, size_t *length);
/* The number of the column of S that belongs to the name BY, -1: none. */
int noe_varied_column(const noe_dynamics *, const noe_model *, const char *by, size_t length);

/* differentiable.c: false with a message where derivatives are not known for the model, or not by
 * this. */
bool noe_differentiable_model(const noe_model *, const noe_dynamics *);
bool noe_differentiable_by(const noe_model *, const noe_by *);
/* Is the parameter an index or a number of terms?  Then the model cannot be read with a value that
 * is no whole number. */
bool noe_differentiable_counts(const noe_model *, const noe_by *);

/* parameter_rate.c: df/dc of an expression at fixed (t, q, v, p); rate: derivatives of the
 * parameters by c, by: scratch, [params] each. */
noe_ex noe_parameter_rate(noe_model *, noe_ex f, const quad *rate, noe_ex *by);

/* event_derivatives.c: fills in `event`; false with a message. */
bool noe_event_derivatives_make(noe_model *, noe_arena *, noe_gradient *);

/* constraint_derivatives.c: d->constraint_by; false with a message. */
bool noe_constraint_derivatives_make(noe_model *, noe_arena *, noe_dynamics *,
                                     const noe_gradient *);

/* The same of no columns, with d->constraint_rate of all parameters. */
bool noe_constraint_derivatives_make_all(noe_model *, noe_arena *, noe_dynamics *);

/* mixed_tapes.c: prepares the derivatives by a list of names, "m, l, q1'"; false with a message. */
bool noe_mixed_tapes_make(noe_model *, noe_arena *, noe_dynamics *, const char *list);
/* The same tape of the Lagrangian that a monitor has transformed, which stands in place of m->L;
 * what it is differentiated by is that of `own`, prepared before.  m->graph.stop is set. */
bool noe_mixed_tapes_transformed(noe_model *, noe_arena *, const noe_dynamics *own,
                                 noe_dynamics *to);
void noe_mixed_tapes_drop(noe_dynamics *);
/* d->mixed of no columns, with F_t and P_t where events change the motion; false with a message. */
bool noe_mixed_tapes_make_rates(noe_model *, noe_arena *, noe_dynamics *);

/* state_jet.c: the outputs of d->mixed, or without it of d->hessian, at (t, q, v), as matrices.
 * One block of memory to be freed, or NULL with a message. */
typedef struct {
    quad *M, *G; /* L_vv and L_vq [n][n] */
    quad *P;     /* P_c [columns][n] */
    /* F [n]; P_t [n], NULL where t does not occur or no event changes the motion. */
    const quad *F, *P_t;
} noe_state_jet;
void *noe_state_jet_at(const noe_dynamics *, quad t, const quad *q, const quad *v, noe_state_jet *);

/* A state, and its derivatives. */
typedef struct {
    quad        t, H;      /* time and energy */
    const quad *q, *v, *p; /* [n] positions, velocities, momenta */
    const quad *S;         /* [2n][columns] derivatives of q and p */
} noe_row_state;

/* start_sensitivity.c: S at a start at (t, q, v), which is the model's own or gives v and, where
 * momentum[i], p as numbers; false with a message. */
bool noe_start_sensitivity_find(const noe_dynamics *, bool own, const bool *momentum, quad t,
                                const quad *q, const quad *v, quad *S);
/* monitored_start_sensitivity.c: of a system that is stepped as `stepped`, by a monitor, at a start
 * with S: shift [3][columns], d of the time, which is 0, of the energy E or the density of steps,
 * and of the logarithm of eps, step/G.  False: no memory. */
bool noe_monitored_start_sensitivity(const noe_dynamics *, const noe_dynamics *stepped, quad eps,
                                     const noe_row_state *, quad *shift);
/* constrained_start_sensitivity.c: the same with constraints, of a start that satisfies them: at q,
 * v and p, where v0 and p0 [n] were given; left_out [constraints]. */
bool noe_constrained_start_sensitivity_find(const noe_dynamics *, const quad *left_out, bool own,
                                            quad t, const quad *q, const quad *v, const quad *p,
                                            const quad *v0, const quad *p0, const bool *momentum,
                                            quad *S);
/* constrained_start_sensitivity.c: K = [M -G^T; G 0], or its transpose, [n + constraints] squared,
 * without the constraints that are left out; value: outputs of d->constraint_by. */
void noe_constrained_start_sensitivity_matrix(const noe_dynamics *, const quad *left_out,
                                              const quad *M, const quad *value, bool transposed,
                                              quad *K);
/* Does a start give momenta of all coordinates, or of none?  False with a message. */
bool noe_constrained_start_sensitivity_alike(const noe_dynamics *, const bool *momentum);
/* start_sensitivity.c: column c of S from what is given of it, x [3n]: derivatives of q, of v or,
 * where other[i], of p; the jet is that of the start.  scratch [n n + n].  False: not finite. */
void noe_start_sensitivity_given(const noe_dynamics *, int c, bool own, const bool *momentum,
                                 quad *x, bool *other);
bool noe_start_sensitivity_column(const noe_dynamics *, const noe_state_jet *, int c, const quad *x,
                                  const bool *other, quad *scratch, quad *S);

/* row_derivative.c: d(v_i)/dc for column c at a state: L_vv dv = dp - L_vq dq - P_c. */
quad noe_row_derivative_of_velocity(const noe_dynamics *, const noe_row_state *, int i, int c);
/* d(energy)/dc (row 0) or d(observable row - 1)/dc. */
quad noe_row_derivative_of_row(const noe_dynamics *, const noe_row_state *, int row, int c);

#endif
