/* observe NAME = EXPR: one more observable of the model.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/parser.h"

void noe_observable_add(noe_parser *p, noe_symbol *s)
{
    noe_model *m = p->model;
    noe_model_push(p, &m->observable, m->observables, sizeof *m->observable);
    m->observable[s->index = m->observables++] = s;
}
