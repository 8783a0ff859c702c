/* What the solution of a constrained step holds: multipliers, values at the nodes, the matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With m constraints g(t, q) = 0 and degree s, positions are constrained at the nodes d_k,
 * k = 0 .. s, of Lobatto's rule with weights w_k, whatever the quadrature of the action is.  All
 * sizes are 0 without constraints. */
#ifndef NOE_STEP_CONSTRAINT_STATE_H
#define NOE_STEP_CONSTRAINT_STATE_H

#include "number/real.h"

/* Steps of which multipliers are stored. */
enum { MULTIPLIER_STEPS = 8 };

typedef struct {
    int count,    /* constraints, m */
        outputs,  /* outputs of the tape of the constraints */
        unknowns; /* U = n s + s m: modes, then impulses */
    num *node,    /* d_k [s + 1] */
        *weight,  /* w_k [s + 1] */
        *I,       /* I_m(d_k) = integral of l_m from 0 to d_k: [s + 1][s] */
        *X;       /* X_m(d_k) = integral of l_m from d_k to 1: [s + 1][s] */
    /* Multipliers of the last steps, the newest first, from which the next are extrapolated:
     * force over slope of g [MULTIPLIER_STEPS][s][m]; how many are known, and how many are used.
     * Part of the restart. */
    real *lambda, *known, *used;
    real *apart;   /* 1: the constraint follows from the others and is left out, else 0 [m] */
    real *impulse, /* h w_k lambda_k, k = 0 .. s-1 [s][m] */
        *value,    /* outputs of the tape at the nodes [s + 1][outputs] */
        *position, /* positions at the nodes [s + 1][n] */
        *error,    /* g at the nodes 1 .. s, over its rounding in units of EPS: one number */
        *residual, /* R, then g at the nodes times `row` [U] */
        *d,        /* correction of modes and impulses [U] */
        *row,      /* factors that bring g to the units of R [s][m] */
        *A,        /* Newton matrix, then its factors [U][U] */
        *pivot,    /* row permutation of the factors [U] */
        *new_row,  /* as row, A and pivot, before they are accepted */
        *new_A,    /* [U][U] */
        *new_pivot, *push, /* sum_k G_k^T impulse_k [n] */
        *strength;         /* max_k sum_a |G_aj impulse_a|: its terms may cancel [n] */
    real *root_mass,       /* sqrt(M_jj) [n] */
        *kinetic;          /* the largest sqrt(M_kk) |velocity_k| over sqrt(M_jj) [n] */
    /* Projection of the momenta at the end of the step: */
    real *velocity, /* [n] */
        *momentum,  /* [n] */
        *rest,      /* low-order part of that momentum [n] */
        *NG,        /* M^-1 G^T, one constraint after another [m][n] */
        *S,         /* G M^-1 G^T, then its factors [m][m] */
        *S_pivot,   /* their row permutation [m] */
        *hidden,    /* G v + g_t [m] */
        *jet,       /* F and P at the nodes, while momenta are projected [2n][B batches] */
        *mu;        /* impulses at the end of the step, and scratch [3][m] */
} constraint_solver;

#endif
