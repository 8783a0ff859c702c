/* Memory of an engine state: one block of memory that is handed out piece by piece.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENGINE_ENGINE_LAYOUT_H
#define NOE_ENGINE_ENGINE_LAYOUT_H

#include "engine/constraint_layout.h"
#include "step/energy_balance.h"
#include "step/step_shape.h"
#include "step/tape_frame.h"

/* The next numbers of the state; with base NULL they are only counted. */
static real *numbers(real *base, size_t *used, size_t count)
{
    real *const at = base ? base + *used : NULL;
    *used += count;
    return at;
}

/* Layout of w->state.memory, all that a restart needs; returns how many numbers that is. */
static size_t lay_out_memory(work *w, real *base)
{
    real **const one[] = { &w->state.t0,
                           &w->state.h,
                           &w->state.count,
                           &w->history.length,
                           &w->newton.matrix_reuse,
                           &w->stats.iterations,
                           &w->stats.refreshes,
                           &w->stats.subdivided,
                           &w->stats.residual,
                           &w->stats.growth,
                           &w->newton.steps_until_retry,
                           &w->newton.choice,
                           &w->stats.contracted,
                           &w->history.order,
                           &w->newton.phase,
                           &w->history.newest_row,
                           &w->newton.curvature,
                           &w->stats.rounds,
                           &w->stats.contraction,
                           &w->stats.single,
                           &w->state.nominal,
                           &w->state.fictitious,
                           &w->stats.weight_sum };
    real **const rows[SAVED_ROWS] = { &w->state.q,
                                      &w->state.p,
                                      &w->state.dq,
                                      &w->state.dp,
                                      &w->state.v,
                                      &w->stats.last_end_velocity,
                                      &w->stats.velocity_max,
                                      &w->stats.velocity_min,
                                      &w->stats.half,
                                      &w->stats.doubled_at,
                                      &w->stats.origin,
                                      &w->stats.sum,
                                      &w->stats.square,
                                      &w->stats.jump,
                                      &w->stats.jump_at };
    const size_t n = (size_t)w->n, N = (size_t)w->N, row = (size_t)w->N_row,
                 parts = (size_t)w->method.parts, m = (size_t)w->dyn->constraints,
                 columns = (size_t)w->dyn->columns;
    size_t used = 0;
    /* First, because these are read as whole batches: */
    w->history.all_last = w->history.last = numbers(base, &used, parts * row);
    w->history.all_modes = w->history.modes = numbers(
        base, &used, w->history.keeps_many ? parts * HISTORY_STEPS * row : 0);
    w->history.u = numbers(base, &used, w->history.half_steps ? 2 * row : 0);
    w->history.last_forces = numbers(base, &used, keeps_forces(w) ? n * (size_t)w->B * WIDE : 0);
    w->state.balance = numbers(base, &used, LEVEL);
    /* level = balance + LEVEL: the rows from LEVEL on are those of `balance`, too. */
    w->state.level = numbers(base, &used, BALANCE_ROWS - LEVEL);
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) *one[i] = numbers(base, &used, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = numbers(base, &used, n);
    w->newton.pivot = numbers(base, &used, N);
    /* a splitting has no Newton matrix: one room serves both */
    w->split.b0 = w->newton.kick_jacobian = numbers(base, &used, n * N);
    w->newton.mass_bound = numbers(base, &used, n * n);
    w->newton.position_rounding = numbers(base, &used, n);
    w->newton.LU = numbers(base, &used, N * N);
    w->constraint.left_out = numbers(base, &used, m);
    w->constraint.steps_known = numbers(base, &used, m != 0);
    w->constraint.order_used = numbers(base, &used, m != 0);
    w->state.sensitivity = numbers(base, &used, 2 * n * columns);
    w->state.shift = numbers(base, &used, sensitivity_numbers(w) - 2 * n * columns);
    w->constraint.lambda = numbers(base, &used, MULTIPLIER_STEPS * (size_t)w->s * m);
    return used;
}

/* Numbers of scratch for in_binary128(): inputs, slots, constants and outputs of a tape. */
static size_t wide_room(const noe_dynamics *d)
{
    const noe_tape *const tape[] = { d->legendre, d->clock };
    size_t                most = 0;
    for (int i = 0; i < 2; i++) {
        const size_t own = (size_t)(tape[i]->slots + tape[i]->constants + tape[i]->outputs);
        most = own > most ? own : most;
    }
    return most + (size_t)noe_tape_inputs(d->n);
}

/* Code of the tapes, and the frame in which they are evaluated. */
static void lay_out_tapes(work *w, memory_block *x)
{
    const size_t             n = (size_t)w->n;
    constraint_solver *const c = &w->constraint;
    size_t                   outputs = 2 * n + 1 + 4 * n * n, slots = 0;
    c->outputs = noe_constraint_functions_outputs(w->dyn);
    c->in_place = w->dyn->constraints && row_size(w->s) <= WIDE * w->B;
    outputs = (size_t)c->outputs > outputs ? (size_t)c->outputs : outputs; /* without tapes */
    for (int k = GRADIENT; k < TAPES; k++)
        if (w->eval.tape[k]) {
            const noe_tape *tape = w->eval.tape[k];
            const size_t    o = (size_t)tape->outputs, most = (size_t)tape->slots;
            outputs = k == GRADIENT || o > outputs ? o : outputs;
            slots = most > slots ? most : slots;
            w->eval.code[k] = piece(x, (size_t)tape->length, sizeof *w->eval.code[k]);
            w->eval.copy[k] = piece(x, o, sizeof *w->eval.copy[k]);
        }
    w->eval.plan = plan_frame(w, (int)outputs, c->in_place ? c->outputs : 0);
    w->eval.frame = piece(x, (size_t)w->eval.plan.size * (size_t)w->B, sizeof(batch));
    w->eval.map = piece(x, slots, sizeof *w->eval.map);
    w->eval.wide = piece(x, w->dyn->transformed ? wide_room(w->dyn) : 0, sizeof *w->eval.wide);
}

/* Coefficients of the method, but for those of compositions and of iterations at the nodes. */
static void lay_out_coefficients(work *w, memory_block *x)
{
    const size_t s = (size_t)w->s, r = (size_t)w->r, B = (size_t)w->B, S = (size_t)w->S,
                 K = (size_t)w->K;
    w->method.c = piece(x, B, sizeof(coef));
    w->method.l = piece(x, s * B, sizeof(coef));
    w->method.I = piece(x, s * B, sizeof(coef));
    w->method.l_m = piece(x, r * S, sizeof(coef)), w->method.X_m = piece(x, r * S, sizeof(coef));
    w->method.weight = piece(x, B, sizeof(coef));
    for (int p = 0; p < NOE_D_KINDS; p++) {
        w->method.part[p] = piece(x, r * K, sizeof(coef));
        w->eval.scaled[p] = piece(x, r * K, sizeof(batch));
    }
    w->eval.block = piece(x, K, sizeof(batch)), w->eval.scaled_h = piece(x, 1, sizeof(real));
    w->method.b = piece(x, r, sizeof(num)), w->method.w = piece(x, s, sizeof(num));
    w->method.gauss_c = piece(x, s, sizeof(num)), w->method.gauss_l = piece(x, s * s, sizeof(num));
    w->method.E = piece(x, s * S, sizeof(coef)), w->method.E_V = piece(x, s * B, sizeof(coef));
    w->method.at = piece(x, r, sizeof(num));
    w->method.A = piece(x, w->kind == NOE_RUNGE_KUTTA ? r * r : 0, sizeof(num));
}

/* Memory of lay_out_memory(). */
static void lay_out_state(work *w, memory_block *x)
{
    w->state.numbers = lay_out_memory(w, NULL);
    w->state.memory = piece(x, w->state.numbers, sizeof(real));
    if (w->state.memory) lay_out_memory(w, w->state.memory);
}

/* Newton's method and the checks of a step. */
static void lay_out_newton(work *w, memory_block *x)
{
    const size_t n = (size_t)w->n, N = (size_t)w->N, s = (size_t)w->s, r = (size_t)w->r;
    w->scratch.a = piece(x, (size_t)w->N_row, sizeof(real));
    w->scratch.d = piece(x, N + 2 * n, sizeof(real));
    w->scratch.e = piece(x, N, sizeof(real));
    w->scratch.scale = piece(x, n, sizeof(real));
    w->newton.J = piece(x, N * N, sizeof(real));
    w->newton.new_pivot = piece(x, N, sizeof(real));
    w->newton.pair = piece(x, w->dyn->entries, sizeof *w->newton.pair);
    w->newton.new_kick_jacobian = piece(x, n * N, sizeof(real));
    w->newton.new_mass_bound = piece(x, n * n, sizeof(real));
    w->newton.new_position_rounding = piece(x, n, sizeof(real));
    w->scratch.at_start = piece(x, n, sizeof(real)), w->scratch.speed = piece(x, n, sizeof(real));
    for (int i = 0; i < 4; i++) w->scratch.room[i] = piece(x, n, sizeof(real));
    w->scratch.kick = piece(x, n, sizeof(real)), w->scratch.total = piece(x, 2 * n, sizeof(real));
    w->scratch.branch_modes = piece(x, N, sizeof(real));
    w->scratch.branch_modes_before = piece(x, N, sizeof(real));
    w->scratch.last_momenta = piece(x, MEMBERS > 1 ? n * (size_t)w->B : 0, sizeof(batch));
    w->scratch.last_scale = piece(x, MEMBERS > 1 ? n : 0, sizeof(real));
    w->scratch.end_velocities = piece(x, 2 * n, sizeof(real));
    w->driven = piece(x, n, sizeof(bool));
    w->scratch.norm = piece(x, n, sizeof(real));
    w->scratch.norm_before = piece(x, n, sizeof(real));
    w->scratch.velocity_norm = piece(x, n, sizeof(real));
    w->scratch.most = piece(x, n, sizeof(real)), w->method.at_end = piece(x, s, sizeof(num));
    w->method.to_end = piece(x, r, sizeof(num));
}

/* States that are saved, coefficients of compositions, derivatives of a motion and a step. */
static void lay_out_saved_states(work *w, memory_block *x)
{
    const size_t n = (size_t)w->n, parts = (size_t)w->method.parts,
                 columns = (size_t)w->dyn->columns, more = w->dyn->transformed && columns;
    w->state.guarded = piece(
        x, SAVED_ROWS * n + BALANCE_ROWS + SAVED_NUMBERS + sensitivity_numbers(w), sizeof(real));
    w->state.all_saved_states = w->state.saved_state = piece(x, parts * (5 * n + START),
                                                             sizeof(real));
    w->method.gamma = piece(x, parts, sizeof(num));
    w->method.gamma_from = piece(x, parts, sizeof(num));
    w->newton.product = piece(x, parts > 1 ? 8 * n * n : 0, sizeof(quad));
    w->state.by_times = piece(x, columns || w->dyn->adjoint ? 4 * n : 0, sizeof(real));
    w->state.denser = piece(x, columns, sizeof(real));
    w->state.longer = piece(x, columns, sizeof(real));
    w->state.next_sensitivity = piece(x, (2 * n + 2 * more) * (columns + more), sizeof(real));
    w->state.wide = (int)(columns + more);
    if (WIDE > 1) w->state.wide = (w->state.wide + 3) / 4 * 4;
    /* derivative/step_adjoint.h, derivative/monitored_adjoint.h */
    const bool   back = w->dyn->adjoint && (w->dyn->constraints || w->dyn->transformed);
    const size_t weights = w->dyn->adjoint && w->dyn->clock
                             ? (n + 2) * (size_t)w->r + TIME_WEIGHTS
                                   + noe_equations_adjoint_numbers(w->dyn)
                             : 0;
    w->state.row_batches = columns || back ? blocks(right_from(w) + w->state.wide) : 0;
    w->state.right_sides = piece(x, (size_t)right_from(w) * (size_t)w->state.row_batches,
                                 sizeof(batch));
    const size_t forces = more ? 3 * n + 2 * (size_t)w->r : w->dyn->constraints ? n : 0;
    w->state.forces = piece(x, forces * (size_t)w->state.wide + weights, sizeof(real));
    w->state.kicks = piece(x,
                           back ? 3 * (size_t)right_from(w) + 2 * n
                                : (3 * n + MORE_ROWS * more) * (size_t)w->state.wide,
                           sizeof(real));
    w->state.adjoint = piece(x, noe_equations_adjoint_numbers(w->dyn), sizeof(real));
}

/* Fixed-point and Nystrom iterations. */
static void lay_out_nodal(work *w, memory_block *x)
{
    const size_t n = (size_t)w->n, r = (size_t)w->r, B = (size_t)w->B,
                 forces = keeps_forces(w) ? n * B : 0;
    const size_t nodal = w->nodal.has_fixed_point && r == (size_t)w->s ? r : 0,
                 weights = !w->nodal.has_fixed_point ? 0
                         : w->nodal.coupled          ? n * n
                                                     : n;
    w->method.A_V = piece(x, nodal * B, sizeof(coef));
    w->method.Ahat = piece(x, nodal * B, sizeof(coef));
    w->method.H = piece(x, w->nodal.uses_nystrom ? r * B : 0, sizeof(coef));
    w->method.E_F = piece(x, keeps_forces(w) ? r * B : 0, sizeof(coef));
    w->method.HE = piece(x, w->nodal.uses_nystrom ? r * B : 0, sizeof(coef));
    w->nodal.canonical_rows = piece(x, w->nodal.uses_canonical ? 4 * n * B : 0, sizeof(batch));
    w->nodal.X = piece(x, forces, sizeof(batch)), w->nodal.rest_momenta = piece(x, n, sizeof(real));
    w->nodal.W = piece(x, weights * B, sizeof(batch));
    w->nodal.U = piece(x, n * B, sizeof(batch)), w->nodal.rho = piece(x, n * B, sizeof(batch));
    w->nodal.derived_mass = piece(x, w->nodal.uses_nodal_newton ? (size_t)w->dyn->masses : 0,
                                  sizeof(noe_entry));
    w->nodal.mass_entry_bound = piece(x, (size_t)w->dyn->masses, sizeof(real));
}

/* Outputs of jacobian_tape(). */
static int jacobian_outputs(const work *w)
{
    const noe_tape *t = w->eval.tape[jacobian_tape(w)];
    return w->dyn->L ? 2 * w->n + 4 * w->n * w->n : t ? t->outputs : 0;
}

/* Stages of Runge-Kutta methods; drifts and kicks. */
static void lay_out_explicit(work *w, memory_block *x)
{
    const size_t n = (size_t)w->n, r = (size_t)w->r, columns = (size_t)w->dyn->columns,
                 wide = columns > 2 * n ? columns : 2 * n,
                 stages = w->kind == NOE_RUNGE_KUTTA ? r : 0;
    w->stages.k_q = piece(x, stages * n, sizeof(real));
    w->stages.k_p = piece(x, stages * n, sizeof(real));
    const bool   split = w->kind == NOE_SPLITTING;
    const size_t full = split && w->split.damped && !w->split.diagonal ? n * n : 0;
    w->stages.d_q = piece(x, stages * n * wide, sizeof(real));
    w->stages.d_p = piece(x, stages * n * wide, sizeof(real));
    w->state.identity = piece(x, split || stages ? 4 * n * n : 0, sizeof(real));
    w->split.kick_outputs = split ? jacobian_outputs(w) : 0;
    w->split.kick_jacobian = piece(x, (size_t)w->split.kick_outputs, sizeof(real));
    w->split.kick_at = piece(x, n, sizeof(real));
    w->method.flow = piece(x, (size_t)w->method.flows, sizeof(num));
    w->split.V0 = piece(x, n, sizeof(real));
    w->stages.passed = piece(x, 2 * n * (size_t)w->method.flows, sizeof(real));
    w->split.velocities_before = piece(x, split ? n : 0, sizeof(real));
    w->split.C = piece(x, full, sizeof(real)), w->split.C_size = piece(x, 1, sizeof(real));
    w->split.Z = piece(x, full, sizeof(real)), w->split.phi = piece(x, full, sizeof(real));
    w->split.F0 = piece(x, split ? n : 0, sizeof(real));
    w->split.G0 = piece(x, full ? full : split ? n : 0, sizeof(real));
    w->split.power = piece(x, 2 * full, sizeof(real));
    w->split.saved_aside = piece(x, split ? 5 * n : 0, sizeof(real));
    w->split.frozen = w->split.freezes ? piece(x, n, sizeof(real)) : NULL;
    w->stages.stage_q = piece(x, n, sizeof(real)), w->stages.stage_p = piece(x, n, sizeof(real));
    w->stages.stage_dp = piece(x, n, sizeof(real)), w->stages.stage_v = piece(x, n, sizeof(real));
}

static void lay_out_predictor(work *w, memory_block *x)
{
    const size_t parts = (size_t)w->method.parts;
    w->history.guess = piece(x, (size_t)w->N_row, sizeof(real));
    w->history.weights_order = piece(x, 1, sizeof(real));
    w->history.fraction = piece(x, parts * (size_t)w->N_row, sizeof(real));
    w->history.differences = piece(x, (size_t)w->N_row, sizeof(real));
    w->history.prediction_weights = piece(x, HISTORY_STEPS, sizeof(real));
    w->history.weights_of_order = piece(x, PREDICTION_ORDERS * HISTORY_STEPS, sizeof(num));
    w->state.unsolved = piece(x, 1, sizeof(real));
}

/* Numbers of functions in C, and pointers into the frame of the tapes. */
static void lay_out_evaluation(work *w, memory_block *x)
{
    const size_t n = (size_t)w->n, B = (size_t)w->B;
    w->eval.t = w->eval.frame;
    w->eval.Q = w->eval.t + B;
    w->eval.V = w->eval.Q + n * B;
    w->eval.Y = w->eval.V + n * B;
    w->eval.out = w->eval.t + (size_t)w->eval.plan.out * B;
    w->constraint.out = w->eval.t + (size_t)w->eval.plan.constraint_out * B;
    w->why = piece(x, MEMBERS, sizeof(noe_status));
    w->eval.param = piece(x, (size_t)w->dyn->params, sizeof(double));
    w->eval.z = piece(x, 2 * n, sizeof(double));
    w->eval.grad = piece(x, 2 * n, sizeof(double));
    w->eval.hess = piece(x, 4 * n * n, sizeof(double));
    w->eval.dfdz = piece(x, 2 * n * n, sizeof(double));
    w->eval.tie_room = piece(x, noe_constraint_functions_room(w->dyn), sizeof(double));
    w->eval.function_outputs = piece(
        x, w->dyn->constraint_function ? (size_t)w->constraint.outputs : 0, sizeof(double));
}

/* Layout of everything: called once to count, once to assign. */
static void lay_out(work *w, memory_block *x)
{
    lay_out_tapes(w, x);
    lay_out_coefficients(w, x);
    lay_out_state(w, x);
    lay_out_newton(w, x);
    lay_out_saved_states(w, x);
    lay_out_nodal(w, x);
    lay_out_explicit(w, x);
    lay_out_predictor(w, x);
    lay_out_constraints(w, x);
    lay_out_evaluation(w, x);
}

#endif
