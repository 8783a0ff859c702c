/* Energy balance of a structure's step, with the weights of the method.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     work += sum_i b_i f_i.(h v_i),   dissipated += sum_i b_i (h v_i).C (h v_i)/h
 *
 * One thread adds over all rows in one order: the bits do not depend on the number of threads. */
#include "linear/structure_engine.h"

void noe_structure_balance_look(noe_structure_engine *w)
{
    const noe_stage_pencil *x = &w->prepared.x;
    const int               n = w->at.n;
    for (int l = 0; l < x->r; l++)
        for (int j = 0; j < x->count; j++) {
            const double W = x->multiplicity[j] * creal(x->W[l][j]), *y = w->scratch.y[j];
            for (int i = 0; i < n; i++)
                w->scratch.hv[l][i] = (j ? w->scratch.hv[l][i] : 0) + W * y[i];
            const double Wi = x->multiplicity[j] * cimag(x->W[l][j]), *yi = w->prepared.poly.yi[j];
            for (int i = 0; i < n && w->prepared.poly.c[j].pair; i++)
                w->scratch.hv[l][i] -= Wi * yi[i];
        }
}

void noe_structure_balance_add(noe_structure_engine *w)
{
    const double h = *w->at.h;
    const bool   damped = w->s->C || w->s->alpha != 0 || w->s->beta != 0;
    double       work = 0, lost = 0;
    for (int l = 0; l < w->method.r; l++) {
        const double b = w->prepared.x.b[l];
        double      *hv = w->scratch.hv[l];
        if (b == 0) continue;
        if (w->scratch.f) work += b * noe_structure_share_part(w->s, w->scratch.f[l], hv);
        if (!damped) continue;
        noe_structure_product_damping(w, hv);
        lost += b * noe_structure_share_part(w->s, hv, w->scratch.e);
    }
    noe_linear_state_add(w->at.work, work);
    noe_linear_state_add(w->at.lost, lost / (h * h));
}
