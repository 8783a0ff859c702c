/* The constraints of a system at one state, in binary128: g, G, G v + g_t, and G M^-1 G^T.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CONSTRAINT_CONSTRAINT_POINT_H
#define NOE_CONSTRAINT_CONSTRAINT_POINT_H

#include "tape/equations.h"

typedef struct noe_constraint_point {
    const noe_dynamics *d;
    int                 n, m; /* coordinates, constraints */
    quad               *in,   /* inputs of the tapes: t, q, v */
        *slot, *out,          /* scratch of the tapes */
        *g, *rate, *hidden,   /* [m] g, g_t, G v + g_t */
        *size,                /* [m] |G_a|, the length of the gradient */
        *constants,   /* [m] bound of the part of constants in the terms of g; 0: functions in C */
        *scale,       /* [m] sqrt(S_aa) */
        *G,           /* [m][n] dg/dq */
        *M,           /* [n][n] L_vv */
        *NG,          /* [m][n] M^-1 G^T, one constraint after another */
        *S,           /* [m][m] G M^-1 G^T */
        *root,        /* [m][m] its Cholesky factor, rows and columns in `order` */
        *work;        /* [n n + n + 2 m + m m + m n] scratch */
    bool   *left_out; /* [m] left out of the independent ones: they follow from others */
    double *call;     /* functions in C: their parameters, arguments, values and scratch */
    double  tick;     /* time of a difference of functions in C */
    int    *order;    /* [m] constraints, the independent ones first */
    int     rank;     /* number of independent ones */
    bool    regular;  /* L_vv is not singular there, and all numbers are finite */
} noe_constraint_point;

noe_constraint_point *noe_constraint_point_new(const noe_dynamics *); /* NULL: no memory */
void                  noe_constraint_point_free(noe_constraint_point *);
/* Parameters of functions in C, which are 0 without it, and a step in which their time derivatives
 * change little; copied. */
void noe_constraint_point_parameters(noe_constraint_point *, const quad *param, double step);
/* x->out = the outputs of the constraints' tape, g, g_t, G and G_q, at the present point. */
void noe_constraint_point_outputs(noe_constraint_point *);
/* Evaluates everything at (t, q, v), and finds the independent constraints: those of a Cholesky
 * factorization with pivots that are more than `least` of S_aa, and that are not `left_out`. */
void noe_constraint_point_at(noe_constraint_point *, quad t, const quad *q, const quad *v,
                             double least);
/* x [m] = S^-1 b for the independent constraints, 0 for the others. */
void noe_constraint_point_solve(const noe_constraint_point *, const quad *b, quad *x);
/* lambda [m] of the equations of motion at the point: G q'' + velocity_terms = 0, where
 * M q'' = F - L_vq v - L_vt + G^T lambda.  Where constraints follow from others lambda is not
 * unique: it has the least sum of (lambda_a sqrt(S_aa))^2. */
void noe_constraint_point_multipliers(noe_constraint_point *, quad *lambda);
/* push [n] = |h| sum_a |G_aj lambda_a| / M_jj at the point: the velocities that the impulses of a
 * step of length h would make one by one.  Where they cancel, as in a body at rest, their rounding
 * is left. */
void noe_constraint_point_pushes(noe_constraint_point *, quad h, quad *push);
/* unique [m]: lambda_a is the same in all solutions. */
void noe_constraint_point_unique(const noe_constraint_point *, bool *unique);
/* The constraints with left_out[a] = 1 [m] are not independent; returns how many. */
int noe_constraint_point_leave_out(noe_constraint_point *, const quad *left_out);

#endif
