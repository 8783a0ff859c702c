/* Splittings: explicit methods for L = v.M v/2 - V(q, t) from kicks and drifts in turn.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     p <- p + s_i h F(q),   q <- q + r_i h M^-1 p */
#include "method/splitting.h"

#include "method/method_rounding.h"
#include "method/number_list.h"
#include "method/order_conditions.h"

bool noe_splitting_add(noe_method *f, bool drift, quad length)
{
    if (!f->flows) f->drift_first = drift;
    if (f->flows && ((f->flows - 1 + f->drift_first) % 2 != 0) == drift) {
        f->flow[f->flows - 1] += length;
        return true;
    }
    if (f->flows == NOE_MAX_FLOWS) return false;
    f->flow[f->flows++] = length;
    return true;
}

void noe_splitting_traits(noe_method *f)
{
    const int n = f->flows;
    f->s = 1; /* the one mode stored of a step is its last velocity */
    f->r = 1;
    f->w[0] = f->E[0][0] = 1;
    f->order = noe_order_conditions_of_splitting(n, f->flow, f->drift_first, true);
    f->damped_order = noe_order_conditions_of_splitting(n, f->flow, f->drift_first, false);
    if (f->kick && f->damped_order > 1) f->damped_order = 1; /* Euler's method has order 1 */
    /* a force that these kicks evaluate at a fixed velocity or position need not have a
     * potential */
    f->symplectic = !f->kick;
    f->symmetric = n % 2 && !f->kick;
    for (int i = 0; i < n; i++)
        f->symmetric &= fabsq(f->flow[i] - f->flow[n - 1 - i]) < COEFFICIENTS_EQUAL;
}

int noe_splitting_steps(const char *table, quad *x, int most)
{
    const int half = noe_number_list_read(&table, x, (most + 1) / 2), n = 2 * half - 1;
    for (int i = 0; i < half; i++) x[n - 1 - i] = x[i];
    return n;
}

void noe_splitting_fill(noe_method *f, noe_table_form form, bool drift_first, const char *table)
{
    quad      x[NOE_MAX_FLOWS];
    const int n = form == NOE_TABLE_ALL ? noe_number_list_read(&table, x, NOE_MAX_FLOWS)
                                        : noe_splitting_steps(table, x, NOE_MAX_FLOWS);
    for (int i = 0; i < n; i++) {
        if (form != NOE_TABLE_STEPS) {
            noe_splitting_add(f, (i + drift_first) % 2, x[i]);
            continue;
        }
        noe_splitting_add(f, drift_first, x[i] / 2);
        noe_splitting_add(f, !drift_first, x[i]);
        noe_splitting_add(f, drift_first, x[i] / 2);
    }
    noe_splitting_traits(f);
}
