/* df/dc at fixed (t, q, v, p): the derivatives of f by all parameters, along their rates.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/derivative.h"
#include "gradient/gradient.h"

noe_ex noe_parameter_rate(noe_model *m, noe_ex f, const quad *rate, noe_ex *by)
{
    noe_graph *g = &m->graph;
    noe_ex     sum = noe_graph_number(g, 0);
    noe_derivative_by_parameters(g, f, m->params, by);
    for (int j = 0; j < m->params; j++) {
        if (noe_graph_is(g, by[j], 0) || rate[j] == 0) continue;
        const noe_ex part = noe_simplify_make(g, NOE_MUL, noe_graph_number(g, rate[j]), by[j], 0);
        sum = noe_simplify_make(g, NOE_ADD, sum, part, 0);
    }
    return sum;
}
