/* Slope of the cost, Jacobian of the rows and Hessian of sigma J + lambda g, step by step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A step has one dense block: what a node depends on are linear functions of its columns. */
#include "control/transcription.h"

#include <string.h>

/* Variables of a node: q [n], u [nu], T, q' [n]; its functions: F [n], P [n], the cost in row 2n.
 * Functions of an end: its n equations, the rows of the last end, the cost. */

/* The columns of a step that variable a of its node i depends on, and how. */
static int columns_of(const noe_transcription *t, int i, int a, int *col, double *coefficient)
{
    const int  n = t->n, nu = t->nu, position_columns = (t->s + 1) * n;
    const bool is_velocity = a > n + nu;
    if (a == n + nu) return *col = t->columns - 1, *coefficient = 1, 1;
    if (a >= n && !is_velocity)
        return *col = position_columns + i * nu + a - n, *coefficient = 1, 1;
    for (int j = 0; j <= t->s; j++) {
        col[j] = j * n + (is_velocity ? a - n - nu - 1 : a);
        coefficient[j] = is_velocity ? t->dphi[i][j] : t->phi[i][j];
    }
    return t->s + 1;
}

/* The unknown that a column of step k is. */
static int unknown(const noe_transcription *t, int k, int col)
{
    const int position_columns = (t->s + 1) * t->n;
    if (col == t->columns - 1) return t->T_at;
    if (col < position_columns) return noe_transcription_position(t, k, 0) + col;
    return noe_transcription_control(t, k, 0) + col - position_columns;
}

/* The unknown that variable a of an end is. */
static int end_unknown(const noe_transcription *t, bool last, int a)
{
    const int n = t->n;
    if (a == 2 * n) return t->T_at;
    if (a >= n) return (last ? t->end_at : t->v_at) + a - n;
    return (last ? t->N * t->s * n : 0) + a;
}

bool noe_problem_derivatives_slope(noe_transcription *t, const double *x, double *gradient)
{
    noe_exact_derivatives *const node = &t->f->node, *const end = &t->f->end;
    int    col[NOE_MAX_DEGREE + 1];
    double by[NOE_MAX_DEGREE + 1];
    bool   finite = true;
    memset(gradient, 0, (size_t)t->unknowns * sizeof *gradient);
    for (int k = 0; k < t->N; k++)
        for (int i = 0; i < t->r; i++) {
            noe_transcription_node(t, x, k, i);
            finite = noe_exact_derivatives_at(node, NOE_FIRST, t->input, t->out) && finite;
            for (int e = 0; e < node->first->outputs; e++) {
                if (node->at_first[e].row != 2 * t->n) continue;
                for (int p = columns_of(t, i, node->at_first[e].col, col, by); p-- > 0;)
                    gradient[unknown(t, k, col[p])] += t->b[i] * by[p] * t->out[e];
            }
        }
    noe_transcription_end(t, x, true);
    finite = noe_exact_derivatives_at(end, NOE_FIRST, t->input, t->out) && finite;
    for (int e = 0; e < end->first->outputs; e++)
        if (end->at_first[e].row == t->n + t->f->rows)
            gradient[end_unknown(t, true, end->at_first[e].col)] += t->out[e];
    return finite;
}

void noe_problem_derivatives_places(const noe_transcription *t, int *row, int *col)
{
    const int n = t->n;
    int       e = 0;
    for (int k = 0; k < t->N; k++)
        for (int j = 0; j <= t->s; j++)
            for (int a = 0; a < n; a++)
                for (int c = 0; c < t->columns; c++, e++) {
                    row[e] = noe_transcription_row(t, k, j) + a;
                    col[e] = unknown(t, k, c);
                }
    for (int last = 0; last < 2; last++)
        for (int y = 0; y < n + (last ? t->f->rows : 0); y++)
            for (int a = 0; a <= 2 * n; a++, e++) {
                row[e] = y >= n ? t->final_at + y - n : t->momenta_at + (last ? t->N * n : 0) + y;
                col[e] = end_unknown(t, last, a);
            }
    for (int a = 0; t->period_at + a < t->rows; a++)
        for (int last = 0; last < 2; last++, e++) {
            row[e] = t->period_at + a;
            col[e] = end_unknown(t, last, a);
        }
}

bool noe_problem_derivatives_jacobian(noe_transcription *t, const double *x, double *value)
{
    noe_exact_derivatives *const node = &t->f->node, *const end = &t->f->end;
    const int n = t->n, C = t->columns;
    int       col[NOE_MAX_DEGREE + 1];
    double    by[NOE_MAX_DEGREE + 1];
    bool      finite = true;
    memset(value, 0, (size_t)t->entries * sizeof *value);
    for (int k = 0; k < t->N; k++, value += (t->s + 1) * n * C)
        for (int i = 0; i < t->r; i++) {
            noe_transcription_node(t, x, k, i);
            finite = noe_exact_derivatives_at(node, NOE_FIRST, t->input, t->out) && finite;
            for (int e = 0; e < node->first->outputs; e++) {
                const int y = node->at_first[e].row;
                if (y == 2 * n) continue;
                const int count = columns_of(t, i, node->at_first[e].col, col, by);
                for (int j = 0; j <= t->s; j++) {
                    const double  w = t->b[i] * (y < n ? t->phi[i][j] : t->dphi[i][j]) * t->out[e];
                    double *const line = value + (j * n + y % n) * C;
                    for (int p = 0; p < count; p++) line[col[p]] += w * by[p];
                }
            }
        }
    for (int last = 0; last < 2; last++) {
        const int rows = n + (last ? t->f->rows : 0);
        noe_transcription_end(t, x, last);
        finite = noe_exact_derivatives_at(end, NOE_FIRST, t->input, t->out) && finite;
        for (int e = 0; e < end->first->outputs; e++) {
            const int y = end->at_first[e].row;
            if (y < rows)
                value[y * (2 * n + 1) + end->at_first[e].col] = last && y < n ? -t->out[e]
                                                                              : t->out[e];
        }
        value += rows * (2 * n + 1);
    }
    for (int a = 0; t->period_at + a < t->rows; a++) *value++ = -1, *value++ = 1;
    return finite;
}

static void lower(int a, int b, int *row, int *col)
{
    *row = a > b ? a : b;
    *col = a > b ? b : a;
}

void noe_problem_derivatives_second_places(const noe_transcription *t, int *row, int *col)
{
    int e = 0;
    for (int k = 0; k < t->N; k++)
        for (int a = 0; a < t->columns; a++)
            for (int b = 0; b <= a; b++, e++)
                lower(unknown(t, k, a), unknown(t, k, b), &row[e], &col[e]);
    for (int last = 0; last < 2; last++)
        for (int a = 0; a <= 2 * t->n; a++)
            for (int b = 0; b <= a; b++, e++)
                lower(end_unknown(t, last, a), end_unknown(t, last, b), &row[e], &col[e]);
}

/* m = sum_j b_i phi_ij lambda_j, and with phi' for P; sigma b_i for the cost. */
static void multipliers(noe_transcription *t, int k, int i, double sigma, const double *lambda)
{
    const int     n = t->n;
    double *const m = t->input + noe_control_functions_input(t->f, t->f->in.m);
    for (int a = 0; a < n; a++) {
        m[a] = m[n + a] = 0;
        for (int j = 0; j <= t->s; j++) {
            const double l = t->b[i] * lambda[noe_transcription_row(t, k, j) + a];
            m[a] += t->phi[i][j] * l, m[n + a] += t->dphi[i][j] * l;
        }
    }
    m[2 * n] = sigma * t->b[i];
}

static bool step_hessian(noe_transcription *t, const double *x, int k, double sigma,
                         const double *lambda)
{
    noe_exact_derivatives *const node = &t->f->node;
    const int                    C = t->columns;
    int                          col[2][NOE_MAX_DEGREE + 1];
    double                       by[2][NOE_MAX_DEGREE + 1];
    bool                         finite = true;
    memset(t->block, 0, (size_t)(C * C) * sizeof *t->block);
    for (int i = 0; i < t->r; i++) {
        noe_transcription_node(t, x, k, i);
        multipliers(t, k, i, sigma, lambda);
        finite = noe_exact_derivatives_at(node, NOE_SECOND, t->input, t->out) && finite;
        for (int e = 0; e < node->second->outputs; e++) {
            const int a = node->at_second[e].row, b = node->at_second[e].col;
            const int count[2] = { columns_of(t, i, a, col[0], by[0]),
                                   columns_of(t, i, b, col[1], by[1]) };
            for (int p = 0; p < count[0]; p++)
                for (int l = 0; l < count[1]; l++) {
                    const double w = t->out[e] * by[0][p] * by[1][l];
                    t->block[col[0][p] * C + col[1][l]] += w;
                    if (a != b) t->block[col[1][l] * C + col[0][p]] += w;
                }
        }
    }
    return finite;
}

bool noe_problem_derivatives_hessian(noe_transcription *t, const double *x, double sigma,
                                     const double *lambda, double *value)
{
    noe_exact_derivatives *const end = &t->f->end;
    const int                    n = t->n, C = t->columns;
    double *const                m = t->input + noe_control_functions_input(t->f, t->f->in.m);
    bool                         finite = true;
    memset(value, 0, (size_t)t->second_entries * sizeof *value);
    for (int k = 0; k < t->N; k++) {
        finite = step_hessian(t, x, k, sigma, lambda) && finite;
        for (int a = 0; a < C; a++)
            for (int b = 0; b <= a; b++) *value++ = t->block[a * C + b];
    }
    for (int last = 0; last < 2; last++) {
        noe_transcription_end(t, x, last);
        for (int a = 0; a < n; a++)
            m[a] = last ? -lambda[t->momenta_at + t->N * n + a] : lambda[t->momenta_at + a];
        for (int y = 0; y < t->f->rows; y++) m[n + y] = last ? lambda[t->final_at + y] : 0;
        m[n + t->f->rows] = last ? sigma : 0;
        finite = noe_exact_derivatives_at(end, NOE_SECOND, t->input, t->out) && finite;
        for (int e = 0; e < end->second->outputs; e++) {
            const noe_derivative_at at = end->at_second[e];
            value[at.row * (at.row + 1) / 2 + at.col] = t->out[e];
        }
        value += (2 * n + 1) * (n + 1);
    }
    return finite;
}
