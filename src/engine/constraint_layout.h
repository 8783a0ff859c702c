/* Memory of what the solution of a constrained step holds.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENGINE_CONSTRAINT_LAYOUT_H
#define NOE_ENGINE_CONSTRAINT_LAYOUT_H

#include "engine/memory_block.h"
#include "step/pivoted_band.h"
#include "step/step_shape.h"

/* All of w->constraint but what lay_out_memory() has. */
static void lay_out_constraints(work *w, memory_block *x)
{
    constraint_solver *c = &w->constraint;
    const size_t       m = (size_t)w->dyn->constraints, n = m ? (size_t)w->n : 0,
                 s = m ? (size_t)w->s : 0, nodes = m ? s + 1 : 0, U = n * s + s * m;
    c->constants = noe_constraint_functions_constants(w->dyn);
    c->node = piece(x, nodes, sizeof(num)), c->weight = piece(x, nodes, sizeof(num));
    c->I = piece(x, nodes * s, sizeof(num)), c->X = piece(x, nodes * s, sizeof(num));
    const size_t row = m ? (size_t)row_size(w->s) : 0;
    c->I_row = piece(x, s * row, sizeof(num)), c->C_row = piece(x, s * row, sizeof(num));
    c->impulse = piece(x, s * m, sizeof(real)), c->impulse_row = piece(x, m * row, sizeof(real));
    c->value_row = c->in_place ? WIDE * w->B : (int)row;
    c->value = c->in_place ? (real *)(w->eval.frame + w->eval.plan.constraint_out * w->B)
                           : piece(x, row * (size_t)c->outputs, sizeof(real));
    c->end_value = piece(x, (size_t)c->outputs, sizeof(real));
    c->position_norm = piece(x, n, sizeof(real)), c->end_position = piece(x, n, sizeof(real));
    c->position = piece(x, row * n, sizeof(real)), c->error = piece(x, 1, sizeof(real));
    c->reach = piece(x, row * n, sizeof(real)), c->moved_row = piece(x, row * n, sizeof(real));
    c->push_row = piece(x, row * m, sizeof(real)), c->terms = piece(x, row * m, sizeof(real));
    c->contradicted = piece(x, 1, sizeof(real)), c->dependence = piece(x, 1, sizeof(real));
    c->residual = piece(x, U, sizeof(real)), c->d = piece(x, U, sizeof(real));
    c->row_scale = piece(x, s * m, sizeof(real));
    c->A = piece(x, c->matrix_size, sizeof(real)), c->pivot = piece(x, U, sizeof(real));
    c->new_A = piece(x, c->matrix_size, sizeof(real)), c->new_pivot = piece(x, U, sizeof(real));
    c->new_row_scale = piece(x, s * m, sizeof(real));
    c->by_parts = piece(x, 2 * U, sizeof(real));
    c->strength = piece(x, n, sizeof(real)), c->momentum_terms = piece(x, n, sizeof(real));
    c->rounding_momenta = piece(x, n, sizeof(real)), c->block_most = piece(x, n, sizeof(real));
    c->root_mass = piece(x, n, sizeof(real)), c->inverse_root = piece(x, n, sizeof(real));
    c->kinetic = piece(x, n, sizeof(real));
    c->velocity = piece(x, n, sizeof(real)), c->momentum = piece(x, n, sizeof(real));
    c->rest = piece(x, n, sizeof(real));
    c->NG = piece(x, m * n, sizeof(real));
    c->S = piece(x, part_numbers(c->inertia_half, (int)m), sizeof(real));
    c->S_pivot = piece(x, m, sizeof(real)), c->hidden = piece(x, m, sizeof(real));
    c->mu = piece(x, 3 * m, sizeof(real));
    c->mu_correction = c->mu + m, c->by_places = c->mu + 2 * m;
    c->kept_jet = piece(x, m ? 2 * n * (size_t)w->B : 0, sizeof(batch));
    c->end_scale = piece(x, n, sizeof(real)), c->node_work = piece(x, 1, sizeof(real));
    c->by_outputs = m && w->dyn->constraint_by ? w->dyn->constraint_by->outputs : 0;
    c->by_value = piece(x, nodes * (size_t)c->by_outputs, sizeof(real));
    c->C = piece(x, s * s, sizeof(num));
    const size_t curves = 2 * (size_t)w->dyn->G_q_entries;
    c->curvature = piece(x, s ? (s - 1) * curves : 0, sizeof(real));
    c->new_curvature = piece(x, s ? (s - 1) * curves : 0, sizeof(real));
    const size_t o = c->condensed, half = (size_t)c->half_band;
    c->inverse_mass = piece(x, o * n, sizeof(real)), c->mass = piece(x, o * n, sizeof(real));
    c->places = piece(x, o * s * m, sizeof(real));
    c->band = piece(x, o * s * m * (2 * s * (half + 1) - 1), sizeof(real));
    c->new_band = piece(x, o * s * m * (2 * s * (half + 1) - 1), sizeof(real));
    c->end_band = piece(x, o * m * (2 * half + 1), sizeof(real));
    c->sweep_row = piece(x, o * row * n, sizeof(real));
    c->all_push = piece(x, o * row * m, sizeof(real));
    const size_t bent = s ? o * n * (s - 1) : 0, modes = c->varying_forces ? o * n * s : 0;
    c->bent = piece(x, bent, sizeof(real)), c->all_bent = piece(x, bent, sizeof(real));
    c->modes = piece(x, modes, sizeof(real)), c->next_modes = piece(x, modes, sizeof(real));
    c->coupled = piece(x, o * (s + 1) * n, sizeof(real));
    c->predicted = piece(x, o * n * s, sizeof(real));
    c->change = piece(x, 4 * o * n * (size_t)w->B, sizeof(batch));
}

#endif
