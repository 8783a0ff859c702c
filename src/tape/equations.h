/* The equations of a system, ready for evaluation: F = L_q + forces, P = L_v and their derivatives.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_TAPE_EQUATIONS_H
#define NOE_TAPE_EQUATIONS_H

#include "model/model.h"
#include "tape/tape.h"
#include "noether.h"

/* The second derivatives: P_v = L_vv, P_q = L_vq, F_v and F_q. */
typedef enum { NOE_D_PV, NOE_D_PQ, NOE_D_FV, NOE_D_FQ, NOE_D_KINDS } noe_d_kind;

/* One entry, not identically 0, of D = d(F, P)/d(q, v); F = L_q (+ forces), P = L_v. */
typedef struct {
    noe_d_kind kind;
    int        row, col; /* coordinates */
    int        output;   /* index of the entry among the outputs of the tape */
} noe_entry;

/* One derivative, not identically 0, of a constraint: G = dg/dq, or G_q = d2g/dq2 (row >= col). */
typedef struct {
    int constraint, row, col; /* number of the constraint; coordinates; col is 0 in G */
    int output;               /* index of the entry among the outputs of the tape */
} noe_constraint_entry;

/* A derivative by a parameter, not identically 0, of g, g_t or V.g_q of a constraint, where the
 * vector V stands in the place of the velocities. */
typedef enum { NOE_RATE_OF_VALUE, NOE_RATE_OF_TIME, NOE_RATE_OF_SLOPE } noe_rate_kind;
typedef struct {
    noe_rate_kind kind;
    int           constraint, parameter, output; /* numbers; output of the tape */
} noe_constraint_rate;

/* Most coordinates for which the tape `canonical` has second derivatives. */
enum { NOE_CANONICAL_SECOND = 3 };

/* A system ready for evaluation: tapes, or functions in C, or sums, or matrices.  Outputs of the
 * tapes, n coordinates:
 *     gradient   F, P
 *     hessian    F, P, then the distinct entries of D
 *     legendre   P, L, then the distinct entries of L_vv
 *     inertial   F, P, then the distinct entries of L_vv
 *     power      force . v - L_t, which is put in, and what the dissipation takes out;
 *                NULL where nothing changes the energy
 *     mixed      F, P, D and their derivatives by parameters; NULL where none are wanted
 *     rate       L_vt; NULL where it is 0
 *     clock      G and dG/dt of a monitor, to whose G the steps are proportional, and L_t of a
 *                Lagrangian that is `clocked`; NULL without a monitor
 *     canonical  L_q, dG/dq, G and V = -L(q, 0) of a transformed natural Lagrangian, then V_t and
 *                G_t where it is `clocked`, or L_qq and d2G/dq2 on and below the diagonal where n
 *                is at most NOE_CANONICAL_SECOND; else NULL
 *     constraint g and g_t of the constraints g(t, q) = 0, then the entries of G = dg/dq, then
 *                those of G_q = d2g/dq2, then what numbers contribute to the terms of each g:
 *                noe_derivative_by_constants(); NULL without constraints
 *     velocity_terms  g_tt + 2 g_tq v + v.g_qq v, which is d2g/dt2 - G q'', of each constraint;
 *                NULL without constraints */
typedef struct noe_dynamics {
    const noe_model *model; /* the model that it was derived from; NULL: functions in C */
    int              n,     /* coordinates */
        entries,            /* length of `entry` */
        masses;             /* length of `mass` */
    bool constant;          /* the second derivatives of L depend on nothing, t included */
    bool linear;         /* they do not depend on q and v: the equations of a step have one root */
    bool quadratic;      /* L is quadratic in (q, v) and does not depend on t */
    bool forced;         /* there are forces: D is not symmetric, a step not symplectic */
    bool mass_moves;     /* L_vv depends on q */
    bool mass_constant;  /* L_vv depends on nothing */
    bool momenta_linear; /* L_vv does not depend on v: P = M v + b(q, t) */
    bool natural;        /* mass_constant, P = M v + const, and F depends on q and t alone */
    bool kinks;      /* abs, min, max, if, sign, floor, mod or a table: F or P may bend or jump */
    bool autonomous; /* L does not depend on t, no forces: energy is conserved */
    /* The Lagrangian is G (L(q, q'/G) + E), whose time runs by dt = G d tau; E is the input H of
     * its tapes. */
    bool transformed;
    bool clocked;                   /* and L or G depends on t: t and E are unknowns at the nodes */
    const struct noe_dynamics *own; /* the Lagrangian before the transformation; borrowed */
    noe_tape *gradient, *hessian, *legendre, *power, *rate, *inertial, *clock, *canonical,
        *constraint, *velocity_terms;
    /* Where derivatives by parameters and starts are wanted (gradient/gradient.h): their number, 0
     * elsewhere; `mixed`, the outputs of `hessian` and then F_c, P_c [2n] for each of them that is
     * a parameter, from output mixed_at[c] on; -1: F and P do not depend on it. */
    int columns, *mixed_at;
    int mixed_time; /* the first of F_t, P_t [2n] in `mixed`, as mixed_at */
    /* With a monitor: the first of G, dG/dq [n] and G_c [columns] in `mixed`; where the transformed
     * Lagrangian is `clocked` then G_t, L_t, L_tt and L_tc [columns]; of a reversible one, then
     * psi = (dG/dt)/G and its derivatives by q, v [n], t and the columns. */
    int       mixed_clock;
    noe_tape *mixed;
    /* Of these with constraints: the outputs of `constraint`, then g_tq [m][n] from constraint_tq
     * on, then g_c, g_tc [m] and G_c [G_entries] of a column, as mixed_at. */
    noe_tape *constraint_by;
    int       constraint_tq, *constraint_by_at;
    /* Of the gradient by all at once: its derivatives by parameters [constraint_rates]. */
    noe_constraint_rate *constraint_rate;
    int                  constraint_rates;
    struct noe_gradient *by; /* the parameters and starts of the columns; NULL: none */
    /* Where the gradient by all parameters and starts at once is wanted (gradient/adjoint_tapes.h),
     * else NULL: what its ends need; sum_j y_j F_j and sum_j y_j P_j differentiated by the
     * parameters .._by [outputs], y in place of the momenta (NULL: they depend on none). */
    struct noe_adjoint_tapes *adjoint;
    noe_tape                 *force_adjoint, *momentum_adjoint;
    int                      *force_by, *momentum_by;
    /* The same with a monitor G: G and, from output clock_second on, L_t of a `clocked` Lagrangian
     * or psi = (dG/dt)/G of a reversible monitor differentiated by the parameters clock_by
     * [outputs]. */
    noe_tape *clock_adjoint;
    int      *clock_by;     /* [outputs] parameter of each output */
    int       clock_second; /* the first output of L_t or psi */
    int       constraints;  /* number of constraints */
    /* Entries of G, ordered by (constraint, coordinate) [G_entries], and of G_q [G_q_entries]. */
    int                   G_entries, G_q_entries;
    noe_constraint_entry *G_entry, *G_q_entry;
    /* Outputs u(q, t) at whose zeros L or a force has kinks (noe_system.places of them), then those
     * at whose zeros L is singular, then `narrow` outputs that tell where forces
     * are nearly constant, then `pulses` outputs u(t) that tell when functions of time vary, then
     * `times` outputs that tell when or where forces jump: expr/singular_arguments.h; NULL: there
     * are none. */
    noe_tape  *singular;
    int        narrow, pulses, times;
    noe_tape  *constraint_times; /* outputs u(t) at whose zeros a constraint may jump; NULL: none */
    noe_tape  *kink;    /* outputs u(t, q, v) at whose zeros forces bend or jump; NULL: none */
    noe_entry *entry;   /* entries of D, ordered by (row, col) [entries] */
    int       *at;      /* output of each entry, or -1: [n][n][NOE_D_KINDS] */
    noe_entry *mass;    /* entries of L_vv; outputs are those of `legendre` [masses] */
    noe_lagrangian  *L; /* functions in C: the Lagrangian; NULL: tapes */
    noe_force       *f; /* its generalized forces; NULL: none */
    noe_constraints *constraint_function; /* its constraints, with all derivatives; NULL: none */
    noe_lagrangian_rate  *L_t;            /* its time derivative; NULL: it is 0 or was not given */
    void                 *ctx;            /* the pointer that these functions are called with */
    int                   params;         /* number of their parameters */
    struct noe_sums      *groups;         /* or, instead, sums of like terms: sums/sums.h */
    struct noe_structure *structure;      /* or the matrices of a finite-element structure */
} noe_dynamics;

/* With a monitor, what moves with the parameters beside (q, p): the time of the state, the energy E
 * or the density of steps, the logarithm of the step in fictitious time. */
enum {
    NOE_PACE_TIME,
    NOE_PACE_LEVEL,
    NOE_PACE_DENSITY = NOE_PACE_LEVEL,
    NOE_PACE_LENGTH,
    NOE_PACES
};
/* Numbers of dJ/d(q, p), dJ/d(parameters) and, with a monitor, dJ/d(these NOE_PACES); 0 where no
 * gradient is wanted. */
static inline size_t noe_equations_adjoint_numbers(const noe_dynamics *d)
{
    return d->adjoint ? 2 * (size_t)d->n + (size_t)d->model->params
                            + (d->model->monitor.given ? NOE_PACES : 0)
                      : 0;
}

#endif
