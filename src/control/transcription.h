/* An optimal control problem as a finite one: unknowns, bounds, rows and their exact derivatives.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Discrete mechanics and optimal control (Ober-Bloebaum, Junge, Marsden 2011) with a Galerkin
 * method of degree s and r nodes c_i, b_i; phi_j are Lagrange's polynomials of Lobatto's s+1
 * points:
 *     q_i = sum_j phi_ij x_j,   v_i = w_i / h,   w_i = sum_j phi'_ij x_j      (x_0 .. x_s a step)
 *     R_j = sum_i b_i ( phi_ij (L_q + f) + phi'_ij L_v / h )
 *     min  h sum_i b_i l_i + cost of the end,   R_1 = .. = R_{s-1} = 0 in every step,
 *     L_v(start)/h + R_0 = 0,   R_s + next R_0 = 0,   R_s - L_v(end)/h = 0,   final conditions.
 * Rows are those of the discrete action divided by h. */
#ifndef NOE_CONTROL_TRANSCRIPTION_H
#define NOE_CONTROL_TRANSCRIPTION_H

#include "control/control_functions.h"
#include "method/method.h"

typedef struct {
    noe_control_functions *f;
    const noe_method      *method;
    int                    N, n, nu, s, r; /* steps, coordinates, controls; degree, nodes */
    bool                   shared; /* the last node of a step is the first one of the next */
    double                 t0;     /* the time of the start */
    double                 d[NOE_MAX_DEGREE + 1];                   /* Lobatto's points */
    double                 c[NOE_MAX_POINTS], b[NOE_MAX_POINTS];    /* nodes, weights */
    double                 phi[NOE_MAX_POINTS][NOE_MAX_DEGREE + 1], /* phi_j(c_i), phi'_j(c_i) */
        dphi[NOE_MAX_POINTS][NOE_MAX_DEGREE + 1];
    int     unknowns, rows, columns;  /* columns: unknowns that a step depends on */
    int     u_at, v_at, end_at, T_at; /* of the unknowns: positions at 0, u, v of the start, of
                                          the end, T */
    int     momenta_at, final_at, period_at; /* of the rows: those of steps' insides at 0 */
    int     entries, second_entries;         /* of the Jacobian; of the Hessian's lower triangle */
    double *x, *lower, *upper;               /* [unknowns] */
    double *least, *most, *lambda;           /* [rows] bounds of the rows, their multipliers */
    double *input, *out, *block;             /* scratch */
    double  cost;                            /* at x */
} noe_transcription;

/* Makes unknowns and their bounds; x is left 0.  False with a message; to be dropped. */
bool noe_transcription_make(noe_transcription *, noe_control_functions *, const noe_method *,
                            int steps);
void noe_transcription_drop(noe_transcription *);

/* Where x_j of step k, the controls of its node i and the row of R_j stand. */
int noe_transcription_position(const noe_transcription *, int k, int j);
int noe_transcription_control(const noe_transcription *, int k, int i);
int noe_transcription_row(const noe_transcription *, int k, int j);
/* Puts node i of step k, or an end, into t->input. */
void noe_transcription_node(noe_transcription *, const double *x, int k, int i);
void noe_transcription_end(noe_transcription *, const double *x, bool last);

/* False where a value is not finite. */
bool noe_transcription_cost(noe_transcription *, const double *x, double *cost);
bool noe_problem_derivatives_slope(noe_transcription *, const double *x, double *gradient);
bool noe_transcription_residual(noe_transcription *, const double *x, double *g);
/* Entries in the same order; several of one place add. */
void noe_problem_derivatives_places(const noe_transcription *, int *row, int *col);
bool noe_problem_derivatives_jacobian(noe_transcription *, const double *x, double *value);
void noe_problem_derivatives_second_places(const noe_transcription *, int *row, int *col);
bool noe_problem_derivatives_hessian(noe_transcription *, const double *x, double sigma,
                                     const double *lambda, double *value);

#endif
