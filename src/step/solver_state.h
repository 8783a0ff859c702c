/* State of the solvers of a step: Newton's method, fixed points at the nodes, constraints.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Letters and shapes are those of step/engine_state.h. */
#ifndef NOE_STEP_SOLVER_STATE_H
#define NOE_STEP_SOLVER_STATE_H

#include "jit/jit.h"
#include "number/node_rows.h"
#include "method/method.h"
#include "step/solver_constants.h"
#include "tape/tape_interpreter.h"

#include <stdbool.h>

typedef struct {
    int row, col; /* coordinates of a block of the Newton matrix */
} coordinate_pair;

/* What the solvers of the equations of a step keep from step to step, and the Newton matrix. */
typedef struct {
    real *choice; /* NOE_SOLVER_CHOICE: an option */
    /* Steps made modulo PHASES: what is done now and then is due at a fixed phase, for all
     * members at once. */
    real *phase;
    /* Steps before what failed is tried again: the fixed-point iteration or, with constraints, the
     * condensed matrix. */
    real *steps_until_retry;
    /* Bound beta of residual <= beta (residual before)^2, for a correction by a matrix of the
     * same step; 0: unknown. */
    real *curvature;
    real *LU,   /* factored Newton matrix J [N][N] */
        *pivot, /* row permutation of the factorization [N] */
        /* 1: the next step begins with LU as it is; -k, k >= 0: the next k + 1 steps begin with
         * new matrices */
        *matrix_reuse;
    bool may_reuse_matrix; /* an old matrix and one more gradient may cost less than a new matrix */
    /* Evaluated together with the matrix, and as old as it: */
    real *kick_jacobian,        /* d kick / d a [n][N] */
        *mass_bound,            /* largest |L_vv| over the nodes [n][n] */
        *position_rounding;     /* sum_k max_i |h F_q,jk Q_k|, in momentum [n]: see jacobian() */
    real *new_kick_jacobian,    /* as kick_jacobian, before it is accepted */
        *new_mass_bound,        /* as mass_bound */
        *new_position_rounding; /* as position_rounding */
    real *J,        /* Newton matrix dR/da [N][N]; for velocities M by parts, then its factors */
        *new_pivot; /* row permutation of the factored J [N] */
    quad *product;  /* compositions: two matrices [2][2n][2n + columns] for their product */
    /* The pairs of coordinates of which L or a force has second derivatives, in the order of
     * dyn->entry. */
    coordinate_pair *pair;  /* [pairs] */
    int              pairs; /* their number */
} newton_solver;

/* M = L_vv by parts, each a square: coordinates that share no entry of it, as those of different
 * bodies, are apart.  Only where M is coupled, or with constraints. */
typedef struct {
    int    count;    /* number of parts */
    size_t numbers;  /* all of their numbers */
    int   *of,       /* part of each coordinate [n] */
        *place,      /* place of each coordinate, parts one after another [n] */
        *coordinate, /* the coordinate at each of these places [n] */
        *end;        /* the place after the coordinates of each part [count] */
    size_t *begin,   /* where each part begins [count] */
        *at;         /* where each entry of dyn->mass stands [masses] */
} mass_parts;

/* Fixed-point iterations, on numbers at the nodes. */
typedef struct {
    bool has_fixed_point,          /* the fixed-point iteration can solve this method and system */
        uses_nystrom,              /* it is that of step/nystrom_iteration.h */
        uses_canonical,            /* it is that of step/canonical_iteration.h, or .. */
        uses_canonical_newton,     /* .. of step/canonical_newton.h */
        uses_nodal_newton,         /* it is that of step/nodal_newton.h */
        coupled;                   /* L_vv has entries off the diagonal */
    batch           *X;            /* forces at the nodes, the unknowns [n][B] */
    real            *rest_momenta; /* L_v at v = 0 [n] */
    const noe_entry *mass;         /* the entries of L_vv of which W is made [dyn->masses] */
    noe_entry       *derived_mass; /* the same among the outputs of the Hessian's tape */
    /* Of up to COFACTOR_MOST coordinates, step/nodal_newton.h: */
    bool force_varies[COFACTOR_MOST], /* the force of this coordinate depends on q or v */
        is_argument[COFACTOR_MOST];   /* a force or a momentum depends on this coordinate */
    batch *canonical_rows;            /* scratch of the canonical form [4][n][B] */
    real   time_taken;                /* time of the last step, where the canonical form found it */
    real   energy_gain;               /* what the last step added to E, where t is an unknown */
    /* Output of the Hessian's tape that is F_q of (row, column), rows of n; 0: none. */
    int    F_q_output[COFACTOR_MOST * COFACTOR_MOST];
    batch *W,               /* factored masses at the nodes [n n][B]; [n][B] where uncoupled */
        *U,                 /* correction of the velocities at the nodes [n][B] */
        *rho;               /* residual at the nodes, in momentum [n][B] */
    real *mass_entry_bound; /* max |M| over the nodes for each entry of L_vv [dyn->masses] */
    bool  mass_known;       /* W and mass_entry_bound are known and constant */
} nodal_solver;

/* Most numbers in a row for the nodes of the constraints. */
enum { ROWS_MOST = NOE_MAX_DEGREE + ROW_PART };

/* What the solution of a constrained step holds.  With m constraints g(t, q) = 0 and degree s,
 * positions are constrained at the nodes d_k, k = 0 .. s, of Lobatto's rule with weights w_k,
 * whatever the quadrature of the action is.  All sizes are 0 without constraints. */
typedef struct {
    int count,     /* constraints, m */
        outputs,   /* outputs of the tape of the constraints */
        constants, /* the first of noe_constraint_functions_constants() among these */
        value_row, /* numbers in a row of `value` */
        unknowns;  /* U = n s + s m: modes, then impulses */
    num *node,     /* d_k [s + 1] */
        *weight,   /* w_k [s + 1] */
        *I,        /* I_m(d_k) = integral of l_m from 0 to d_k: [s + 1][s] */
        *X,        /* X_m(d_k) = integral of l_m from d_k to 1: [s + 1][s] */
        *I_row,    /* I_m(d_k) in rows [s] */
        *C_row;    /* C_kl in rows, 0 at node 0 [s] */
    /* Multipliers of the last steps, the newest first, from which the next are extrapolated:
     * force over gradient of g [MULTIPLIER_STEPS][s][m]; how many are known; the order of the
     * extrapolation, that is how many are used.
     * Part of the restart. */
    real *lambda, *steps_known, *order_used;
    real *left_out; /* 1: the constraint follows from the others and is left out, else 0 [m] */
    /* 1: where the present or last step was to end, one that is left out does not hold; else 0. */
    real *contradicted;
    /* Largest 1/sine^2 of the angle between the gradient of a constraint and those before it, in
     * the metric of M, where the last step ended; 0: not known. */
    real *dependence;
    real *impulse,       /* h w_k lambda_k, k = 0 .. s-1 [s][m] */
        *impulse_row,    /* the same in rows, 0 at node s [m] */
        *value,          /* outputs of the tape at the nodes [outputs][value_row] */
        *position,       /* positions at the nodes, rows [n] */
        *reach,          /* |positions| + |h| kinetic, rows [n] */
        *terms,          /* sum of the moduli of the terms of g; times EPS its rounding, rows [m] */
        *block_most,     /* scratch: largest speed or position of each block [blocks] */
        *position_norm,  /* squared kinetic norm of positions over h and of rounding [blocks] */
        *moved_row,      /* changes of the positions over h, rows [n] */
        *push_row,       /* changes of the impulses, rows [m] */
        *end_value,      /* outputs of the tape but for G_q at the end of the step [outputs] */
        *end_position,   /* positions there [n] */
        *error,          /* g at the nodes 1 .. s, over its rounding in units of EPS: one number */
        *residual,       /* R, then g at the nodes times `row_scale` [U] */
        *d,              /* correction of modes and impulses [U] */
        *row_scale,      /* factors that bring g to the units of R [s][m] */
        *A,              /* Newton matrix, then its factors, by parts [matrix_size] */
        *pivot,          /* row permutation of the factors [U] */
        *new_row_scale,  /* as row_scale, A and pivot, before they are accepted [s][m] */
        *new_A,          /* [matrix_size] */
        *new_pivot,      /* [U] */
        *by_parts,       /* right-hand side and solution by `unknown_place` [2][U] */
        *strength,       /* max_k sum_a |G_aj impulse_a|: its terms may cancel [n] */
        *momentum_terms; /* sizes of the terms whose sum is p at the end of the step [n] */
    size_t matrix_size,  /* numbers of A: those of its parts, step/constrained_matrix.h */
        *row_at;         /* where the row of each mode and impulse begins in A [U] */
    int *column,         /* column of each mode and impulse in its part of A [U] */
        *unknown_place,  /* their places, parts one after another [U] */
        *part_of,        /* part of each constraint, a block of w->block_of [m] */
        *part_end,       /* the place after the unknowns of each part [blocks] */
        *part_half,      /* half the width of the band of each part, or SQUARE [blocks] */
        *first_touched,  /* where the parts of each constraint begin in `touched` [m + 1] */
        *touched,        /* the parts of M that a constraint has coordinates of [G_entries] */
        *inertia_place,  /* place of each constraint in S [m] */
        inertia_half;    /* half the width of the band S, or SQUARE */
    real *root_mass,     /* sqrt(M_jj) [n] */
        *inverse_root,   /* 1 over that [n] */
        *kinetic,        /* the largest sqrt(M_kk) |velocity_k| over sqrt(M_jj) [n] */
        *rounding_momenta; /* those that rounding of g makes, in units of EPS [n] */
    /* Projection of the momenta, at the end of the step: */
    real *velocity,     /* velocities of the projected momenta, so far [n] */
        *momentum,      /* p and the kick, so far [n] */
        *rest,          /* low-order part of that momentum [n] */
        *NG,            /* M^-1 G^T, each row by mass_parts.place [m][n] */
        *S,             /* G M^-1 G^T by `inertia_place`, a square or band, then its factors */
        *S_pivot,       /* their row permutation [m] */
        *hidden,        /* G v + g_t [m] */
        *mu,            /* impulses at the end of the step [m] */
        *mu_correction, /* (G M^-1 G^T)^-1 hidden, which a projection subtracts from mu [m] */
        *by_places,     /* the same by `inertia_place`; scratch before it is found [m] */
        *kept_jet,      /* F and P at the nodes, kept while momenta are projected [2n][B batches] */
        *end_scale,     /* rounding of the momenta where the step ends, in units of EPS [n] */
        *node_work;     /* constraint_work() of the nodes but the last: one number */
    batch *out;         /* rows that the tape writes */
    /* Of a differentiated system, derivative/galerkin_sensitivity.h: */
    int   by_outputs; /* outputs of the tape of the constraints and their derivatives */
    real *by_value;   /* these at the nodes [s + 1][by_outputs] */
    /* Where the mass is constant and diagonal, step/condensed_constraints.h: */
    bool condensed,     /* the mass is constant and diagonal, the modes are orthonormal */
        at_nodes,       /* the nodes d_k are those of the quadrature */
        in_place,       /* `value` is where the tape writes, the nodes fit in its rows */
        varying_forces, /* D has entries beside L_vv */
        has_couplings;  /* forces vary, or constraints are curved between the ends */
    num *C;             /* C_kl = sum_m I_m(d_k) X_m(d_l), k = 1 .. s, l = 0 .. s-1: [s][s] */
    int *place,         /* place of each constraint in the order of elimination [m] */
        half_band;      /* constraints that share a coordinate are at most so many places apart */
    int *first_entry,   /* dyn->G_entry by coordinates: noe_elimination_order_sort() [n + 1], */
        *sorted_entry;  /* [G_entries] */
    int *first_curved,  /* the matrix sum_a y_a d2g_a/dq dq by rows: [n + 1], */
        *curved,        /* the columns of its entries [curves], */
        *curved_at;     /* where each dyn->G_q_entry is added, and its image [2 G_q_entries] */
    real *curvature,    /* that matrix, times h, at the nodes 1 .. s-1 [s - 1][curves] */
        *new_curvature; /* the same, before it is accepted */
    noe_constraint_entry *sorted; /* the entries in that order, col: the place [G_entries] */
    real                 *mass,   /* M_jj [n] */
        *inverse_mass,            /* 1/M_jj [n] */
        *band,                    /* C G M^-1 G^T by places, a band, then its factors [s m][..] */
        *new_band,                /* as band, before it is accepted */
        *end_band,                /* G M^-1 G^T at the end of the step, likewise [m][..] */
        *places,                  /* right-hand side and solution by places [s m] */
        *predicted;               /* predicted modes [N] */
    /* Sweeps for couplings, step/coupling_sweeps.h: */
    real *sweep_row, /* moves of the nodes over h, rows [n], */
        *bent,       /* what they change in the forces of the nodes 1 .. s-1 [n][s - 1], */
        *all_bent,   /* the sums of these, */
        *all_push,   /* and of c->push_row, of all sweeps [n][s - 1], rows [m] */
        *modes,      /* modes of a sweep and the next one, where forces vary [N] */
        *next_modes, /* [N] */
        *coupled;    /* what modes change in R by varying forces [N], in the kick [n] */
    batch *change;   /* changes of Q, V, F and P at the nodes [4][n][B] */
} constraint_solver;

#endif
