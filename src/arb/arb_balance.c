/* Energy balance of a stage in any number of digits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     gain_0 += weight (f.v - L_t), the power of the forces f and of L's dependence on time;
 *     gain_1 += weight v.D_v, that of the dissipation D, at the node at hand; a step multiplies
 *     both by h. */
#include "arb/arb_engine.h"

void noe_arb_balance_add(noe_arb_engine *w, const arb_t weight)
{
    if (w->dyn->autonomous) return;
    arb_ptr power = _arb_vec_init(2);
    noe_arb_program_run(w->jet->power, w->scratch.node, power, w->prec, true);
    for (int k = 0; k < 2; k++)
        arb_addmul(w->scratch.gain + k, weight, power + k, w->prec),
            noe_wide_middle(w->scratch.gain + k);
    _arb_vec_clear(power, 2);
}
