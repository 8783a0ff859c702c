/* Derivatives of expressions: df = f_a da + f_b db + f_c dc, in reverse mode for gradients.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_DERIVATIVE_H
#define NOE_EXPR_DERIVATIVE_H

#include "expr/graph.h"

/* out[j] = d f / d z_j, z = (q_0 .. q_n-1, v_0 .. v_n-1), by one reverse sweep. */
void noe_derivative_gradient(noe_graph *, noe_ex f, int n, noe_ex *out);

/* out[j] = df/d(parameter j), at constant t, q and v. */
void noe_derivative_by_parameters(noe_graph *, noe_ex f, int params, noe_ex *out);
/* out[j] = df/dp_j, and out[n] = df/d(energy), of an observable. */
void noe_derivative_by_momenta(noe_graph *, noe_ex f, int n, noe_ex *out);

/* df/dt = f_t + f_q . v along any motion; f must not contain velocities. */
noe_ex noe_derivative_rate(noe_graph *, noe_ex f);

/* f_t at constant q and v. */
noe_ex noe_derivative_by_time(noe_graph *, noe_ex f);
/* The same; 0 without a look at the graph where no t is in f. */
noe_ex noe_derivative_by_explicit_time(noe_graph *, noe_ex f);

/* A bound of sum_c |f_c c| over the numbers and parameters c in f, exponents excepted: with
 * sum_j |f_qj q_j| the condition of f, whose rounding is so many units. */
noe_ex noe_derivative_by_constants(noe_graph *, noe_ex f);

#endif
