/* Coefficients of the method, computed in binary128, rounded to those of an engine state.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENGINE_ENGINE_COEFFICIENTS_H
#define NOE_ENGINE_ENGINE_COEFFICIENTS_H

#include "step/predictor.h"
#include "method/legendre_polynomials.h"
#include "method/method_rounding.h"
#include "method/quadrature.h"

/* Element i of a row of coefficients.  Rows are padded to whole batches: with node 0 in rows
 * over nodes, with 0 in rows over modes. */
static void put_coefficient(coef *row, int i, quad x) { ((num *)row)[i] = (num)x; }

/* x to a multiple of 2 EPS, so that X = w - I and Ahat_ij/b_j = 1 - A_ji/b_i hold for the
 * rounded numbers, too, to the last bit: these are then the coefficients of a discrete action,
 * and the error is 1e-16 in the order conditions.  Coefficients rounded one by one break
 * symplecticity, in every step in the same direction (doc/theory.md, section 9). */
static quad on_grid(quad x) { return 2 * (quad)EPS * rintq(x / (2 * (quad)EPS)); }

/* l_m(c) from its values at the nodes, in any basis; methods without polynomials have one mode,
 * 1. */
static quad at_point(const noe_method *f, int m, quad c)
{
    quad sum = 0;
    if (f->kind != NOE_GALERKIN) return m == 0;
    for (int k = 0; k < f->r; k++)
        sum += f->l[k][m] * noe_legendre_polynomials_lagrange(f->r, f->c, k, c);
    return sum;
}

/* Rounds the coefficients of the method, in binary128, to those of the engine state. */
static void coefficients(work *w, const noe_method *f)
{
    const int s = w->s, r = w->r;
    for (int i = 0; i < w->B * WIDE; i++) {
        const int k = i < r ? i : 0;
        put_coefficient(w->method.c, i, f->c[k]);
        for (int m = 0; m < s; m++) {
            put_coefficient(w->method.l + m * w->B, i, f->l[k][m]);
            put_coefficient(w->method.I + m * w->B, i, on_grid(f->I[k][m]));
        }
        put_coefficient(w->method.weight, i, f->b[k]);
    }
    for (int i = 0; i < r; i++) {
        const quad b = f->b[i];
        w->method.b[i] = (num)b;
        for (int m = 0; m < s; m++) {
            put_coefficient(w->method.l_m + i * w->S, m, f->l[i][m]);
            put_coefficient(w->method.X_m + i * w->S, m, on_grid(f->X[i][m]));
            for (int k = 0; k < s; k++) {
                const int pair = m * s + k;
                put_coefficient(w->method.part[NOE_D_PV] + i * w->K, pair,
                                b * f->l[i][m] * f->l[i][k]);
                put_coefficient(w->method.part[NOE_D_PQ] + i * w->K, pair,
                                b * f->l[i][m] * f->I[i][k]);
                put_coefficient(w->method.part[NOE_D_FV] + i * w->K, pair,
                                -b * f->X[i][m] * f->l[i][k]);
                put_coefficient(w->method.part[NOE_D_FQ] + i * w->K, pair,
                                -b * f->X[i][m] * f->I[i][k]);
            }
            put_coefficient(w->method.part[NOE_D_FV] + i * w->K, s * s + m, b * f->l[i][m]);
            put_coefficient(w->method.part[NOE_D_FQ] + i * w->K, s * s + m, b * f->I[i][m]);
        }
    }
    w->method.node_at_end = f->c[r - 1] == 1;
    for (int i = 0; i < r; i++)
        w->method.to_end[i] = f->kind == NOE_GALERKIN
                                ? (num)noe_legendre_polynomials_lagrange(r, f->c, i, 1)
                                : 0;
    for (int i = 0; i < r; i++) {
        w->method.at[i] = (num)f->c[i];
        for (int k = 0; k < r && w->kind == NOE_RUNGE_KUTTA; k++)
            w->method.A[i * r + k] = (num)f->A[i][k];
    }
    quad from = 0, gauss[NOE_MAX_DEGREE] = { 0 }, share[NOE_MAX_DEGREE] = { 0 };
    if (f->kind == NOE_GALERKIN) noe_quadrature_gauss(s, gauss, share);
    for (int k = 0; k < s; k++) {
        w->method.gauss_c[k] = (num)gauss[k];
        for (int m = 0; m < s; m++)
            w->method.gauss_l[k * s + m] = (num)(share[k] * at_point(f, m, gauss[k]));
    }
    for (int i = 0; i < w->method.parts; i++) {
        w->method.gamma[i] = f->parts ? (num)f->part[i] : 1;
        w->method.gamma_from[i] = (num)from;
        from += f->parts ? f->part[i] : 0;
    }
    for (int i = 0; i < w->method.flows; i++) w->method.flow[i] = (num)f->flow[i];
    for (int m = 0; m < s; m++) {
        w->method.w[m] = (num)f->w[m];
        w->method.at_end[m] = (num)at_point(f, m, 1);
        if (w->method.w[m] != 0) w->method.drift_modes = m + 1;
        for (int k = 0; k < s; k++) put_coefficient(w->method.E + k * w->S, m, f->E[m][k]);
        for (int i = 0; i < w->B * WIDE; i++) {
            quad sum = 0;
            for (int k = 0; k < s; k++) sum += f->l[i < r ? i : 0][k] * f->E[k][m];
            put_coefficient(w->method.E_V + m * w->B, i, sum);
        }
    }
}

/* Nodes and weights of Lobatto's rule with s + 1 points, where positions are constrained, and
 * integrals of the modes there, on the grid as those of the nodes of the quadrature. */
static void constraint_coefficients(work *w, const noe_method *f)
{
    const int s = w->s;
    quad d[NOE_MAX_DEGREE + 1] = { 0 }, b[NOE_MAX_DEGREE + 1] = { 0 }, x[NOE_MAX_DEGREE] = { 0 },
                            share[NOE_MAX_DEGREE] = { 0 };
    const noe_quadrature *rule = noe_quadrature_rules;
    if (!w->constraint.count || f->kind != NOE_GALERKIN) return;
    while (strcmp(rule->name, "lobatto")) rule++;
    rule->fill(s + 1, d, b);
    noe_quadrature_gauss(s, x, share);
    for (int k = 0; k <= s; k++) {
        w->constraint.node[k] = (num)d[k], w->constraint.weight[k] = (num)b[k];
        for (int m = 0; m < s; m++) {
            quad I = 0;
            for (int i = 0; i < s; i++) I += d[k] * share[i] * at_point(f, m, d[k] * x[i]);
            w->constraint.I[k * s + m] = (num)(k == s ? f->w[m] : on_grid(I));
            w->constraint.X[k * s + m] = (num)(k == s ? 0 : on_grid(f->w[m] - I));
            w->constraint.I_row[m * row_size(s) + k] = w->constraint.I[k * s + m];
        }
    }
    for (int k = 0; k < s; k++)
        for (int l = 0; l < s; l++)
            for (int m = 0; m < s; m++)
                w->constraint.C[k * s + l] += w->constraint.I[(k + 1) * s + m]
                                            * w->constraint.X[l * s + m];
    for (int k = 0; k < s; k++)
        for (int l = 0; l < s; l++)
            w->constraint.C_row[l * row_size(s) + k + 1] = w->constraint.C[k * s + l];
    w->constraint.at_nodes = w->r == s + 1;
    for (int k = 0; k <= s && w->constraint.at_nodes; k++)
        w->constraint.at_nodes = fabsq(f->c[k] - d[k]) < (quad)COEFFICIENTS_EQUAL;
}

/* Weights of all orders of the predictor. */
static void prediction_coefficients(work *w)
{
    const quad r = sqrtq(3) / 2; /* u = a_0 -+ r a_1 */
    w->history.half_step_factor = (num)r, w->history.to_mode = (num)(1 / (2 * r));
    for (int o = 0; o < how_many_orders(w); o++)
        extrapolation_weights(orders(w)[o], w->history.weights_of_order + o * HISTORY_STEPS);
    *w->history.weights_order = r_set(-1);
}

/* Is the basis orthonormal in the quadrature, sum_i b_i l_im l_ik = delta_mk? */
static bool orthonormal(const noe_method *f)
{
    quad worst = 0;
    for (int m = 0; m < f->s; m++)
        for (int k = 0; k <= m; k++) {
            quad sum = m == k ? -1 : 0;
            for (int i = 0; i < f->r; i++) sum += f->b[i] * f->l[i][m] * f->l[i][k];
            worst = fmaxq(worst, fabsq(sum));
        }
    return worst < (quad)COEFFICIENTS_EQUAL;
}

/* A_ij/b_j = sum_m I_im l_jm and Ahat_ij/b_j = sum_m l_im X_jm = 1 - A_ji/b_i, which makes the
 * step symplectic (Hairer, Lubich, Wanner, Geometric Numerical Integration, VI.4, theorem 4.6). */
static void nodal_coefficients(work *w, const noe_method *f)
{
    for (int j = 0; j < w->r; j++)
        for (int i = 0; i < w->B * WIDE; i++) {
            const int k = i < w->r ? i : 0;
            quad      A = 0, Ahat = 0;
            for (int m = 0; m < w->s; m++) {
                A += f->I[k][m] * f->l[j][m];
                Ahat += f->l[k][m] * f->X[j][m];
            }
            put_coefficient(w->method.A_V + j * w->B, i, on_grid(A));
            put_coefficient(w->method.Ahat + j * w->B, i, on_grid(Ahat));
        }
}

/* (E_F)_ij = l_j(1 + c_i) with Lagrange polynomials l_j: forces of a step continued. */
static quad continued(const noe_method *f, int i, int j)
{
    quad sum = 0;
    for (int m = 0; m < f->s; m++)
        for (int k = 0; k < f->s; k++) sum += f->l[i][k] * f->E[k][m] * f->b[j] * f->l[j][m];
    return sum;
}

static void prediction_of_forces(work *w, const noe_method *f)
{
    for (int j = 0; j < w->r; j++)
        for (int i = 0; i < w->B * WIDE; i++)
            put_coefficient(w->method.E_F + j * w->B, i, continued(f, i < w->r ? i : 0, j));
}

/* Nystrom form: H_ij = sum_k A_ik Ahat_kj, and its product with E_F.  They are
 * rounded one by one: they affect only the iterates, not the solution, as
 * step/nystrom_iteration.h corrects its positions by A and Ahat.  w->nodal.F_q_output: see
 * step/solver_state.h. */
static void forces_coefficients(work *w, const noe_method *f)
{
    const int r = w->r;
    quad      H[NOE_MAX_DEGREE][NOE_MAX_DEGREE], E[NOE_MAX_DEGREE][NOE_MAX_DEGREE];
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) {
            H[i][j] = 0, E[i][j] = continued(f, i, j);
            for (int k = 0; k < r; k++) {
                quad A = 0, Ahat = 0;
                for (int m = 0; m < w->s; m++) {
                    A += f->I[i][m] * f->b[k] * f->l[k][m];
                    Ahat += f->l[k][m] * f->b[j] * f->X[j][m];
                }
                H[i][j] += A * Ahat;
            }
        }
    for (const noe_entry *x = w->dyn->entry, *end = x + w->dyn->entries; x < end; x++)
        if (x->kind == NOE_D_FQ) w->nodal.F_q_output[x->row * w->n + x->col] = x->output;
    for (int j = 0; j < r; j++)
        for (int i = 0; i < w->B * WIDE; i++) {
            const int at = i < r ? i : 0;
            quad      HE = 0;
            for (int k = 0; k < r; k++) HE += H[at][k] * E[k][j];
            put_coefficient(w->method.H + j * w->B, i, H[at][j]);
            put_coefficient(w->method.HE + j * w->B, i, HE);
        }
}

#endif
