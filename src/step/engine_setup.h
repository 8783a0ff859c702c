/* Construction of an engine state: coefficients of the method, tapes of the system, memory layout.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_ENGINE_SETUP_H
#define NOE_STEP_ENGINE_SETUP_H

#include "step/tape_frame.h"
#include "step/runge_kutta_step.h"
#include "step/splitting_step.h"
#include "method/legendre_polynomials.h"
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
        put_coefficient(w->c, i, f->c[k]);
        for (int m = 0; m < s; m++) {
            put_coefficient(w->l + m * w->B, i, f->l[k][m]);
            put_coefficient(w->I + m * w->B, i, on_grid(f->I[k][m]));
        }
        put_coefficient(w->weight, i, f->b[k]);
    }
    for (int i = 0; i < r; i++) {
        const quad b = f->b[i];
        w->b[i] = (num)b;
        for (int m = 0; m < s; m++) {
            put_coefficient(w->l_m + i * w->S, m, f->l[i][m]);
            put_coefficient(w->X_m + i * w->S, m, on_grid(f->X[i][m]));
            for (int k = 0; k < s; k++) {
                const int pair = m * s + k;
                put_coefficient(w->part[NOE_D_PV] + i * w->K, pair, b * f->l[i][m] * f->l[i][k]);
                put_coefficient(w->part[NOE_D_PQ] + i * w->K, pair, b * f->l[i][m] * f->I[i][k]);
                put_coefficient(w->part[NOE_D_FV] + i * w->K, pair, -b * f->X[i][m] * f->l[i][k]);
                put_coefficient(w->part[NOE_D_FQ] + i * w->K, pair, -b * f->X[i][m] * f->I[i][k]);
            }
            put_coefficient(w->part[NOE_D_FV] + i * w->K, s * s + m, b * f->l[i][m]);
            put_coefficient(w->part[NOE_D_FQ] + i * w->K, s * s + m, b * f->I[i][m]);
        }
    }
    w->node_at_end = f->c[r - 1] == 1;
    for (int i = 0; i < r; i++)
        w->to_end[i] = f->kind == NOE_GALERKIN
                         ? (num)noe_legendre_polynomials_lagrange(r, f->c, i, 1)
                         : 0;
    for (int i = 0; i < r; i++) {
        w->at[i] = (num)f->c[i];
        for (int k = 0; k < r && w->kind == NOE_RUNGE_KUTTA; k++) w->A[i * r + k] = (num)f->A[i][k];
    }
    quad from = 0, gauss[NOE_MAX_DEGREE] = { 0 }, share[NOE_MAX_DEGREE] = { 0 };
    if (f->kind == NOE_GALERKIN) noe_quadrature_gauss(s, gauss, share);
    for (int k = 0; k < s; k++) {
        w->gauss_c[k] = (num)gauss[k];
        for (int m = 0; m < s; m++)
            w->gauss_l[k * s + m] = (num)(share[k] * at_point(f, m, gauss[k]));
    }
    for (int i = 0; i < w->parts; i++) {
        w->gamma[i] = f->parts ? (num)f->part[i] : 1;
        w->gamma_from[i] = (num)from;
        from += f->parts ? f->part[i] : 0;
    }
    for (int i = 0; i < w->flows; i++) w->flow[i] = (num)f->flow[i];
    for (int m = 0; m < s; m++) {
        w->w[m] = (num)f->w[m];
        w->at_begin[m] = (num)at_point(f, m, 0), w->at_end[m] = (num)at_point(f, m, 1);
        if (w->w[m] != 0) w->drift_modes = m + 1;
        for (int k = 0; k < s; k++) put_coefficient(w->E + k * w->S, m, f->E[m][k]);
        for (int i = 0; i < w->B * WIDE; i++) {
            quad sum = 0;
            for (int k = 0; k < s; k++) sum += f->l[i < r ? i : 0][k] * f->E[k][m];
            put_coefficient(w->E_V + m * w->B, i, sum);
        }
    }
}

/* Weights of all orders of the predictor. */
static void prediction_coefficients(work *w)
{
    const quad r = sqrtq(3) / 2; /* u = a_0 -+ r a_1 */
    w->half_step_factor = (num)r, w->to_mode = (num)(1 / (2 * r));
    for (int o = 0; o < how_many_orders(w); o++)
        extrapolation_weights(orders(w)[o], w->weights_of_order + o * HISTORY_STEPS);
    *w->weights_order = r_set(-1);
}

/* Is the basis orthonormal in the quadrature, sum_i b_i l_im l_ik = delta_mk?  (1e-28: rounding
 * of binary128.) */
static bool orthonormal(const noe_method *f)
{
    quad worst = 0;
    for (int m = 0; m < f->s; m++)
        for (int k = 0; k <= m; k++) {
            quad sum = m == k ? -1 : 0;
            for (int i = 0; i < f->r; i++) sum += f->b[i] * f->l[i][m] * f->l[i][k];
            worst = fmaxq(worst, fabsq(sum));
        }
    return worst < 1e-28;
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
            put_coefficient(w->A_V + j * w->B, i, on_grid(A));
            put_coefficient(w->Ahat + j * w->B, i, on_grid(Ahat));
        }
}

/* Nystrom form: H_ij = sum_k A_ik Ahat_kj, (E_F)_ij = l_j(1 + c_i) with Lagrange polynomials
 * l_j, and their product.  They affect only the iterates, not the solution, and are rounded one
 * by one; w->slope: see engine_state.h. */
static void forces_coefficients(work *w, const noe_method *f)
{
    const int r = w->r;
    quad      H[NOE_MAX_DEGREE][NOE_MAX_DEGREE], E[NOE_MAX_DEGREE][NOE_MAX_DEGREE];
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) {
            H[i][j] = E[i][j] = 0;
            for (int k = 0; k < r; k++) {
                quad A = 0, Ahat = 0;
                for (int m = 0; m < w->s; m++) {
                    A += f->I[i][m] * f->b[k] * f->l[k][m];
                    Ahat += f->l[k][m] * f->b[j] * f->X[j][m];
                }
                H[i][j] += A * Ahat;
            }
            for (int m = 0; m < w->s; m++)
                for (int k = 0; k < w->s; k++)
                    E[i][j] += f->l[i][k] * f->E[k][m] * f->b[j] * f->l[j][m];
        }
    for (const noe_entry *x = w->dyn->entry, *end = x + w->dyn->entries; x < end; x++)
        if (x->kind == NOE_D_FQ) w->slope[x->row * w->n + x->col] = x->output;
    for (int j = 0; j < r; j++)
        for (int i = 0; i < w->B * WIDE; i++) {
            const int at = i < r ? i : 0;
            quad      HE = 0;
            for (int k = 0; k < r; k++) HE += H[at][k] * E[k][j];
            put_coefficient(w->H + j * w->B, i, H[at][j]);
            put_coefficient(w->E_F + j * w->B, i, E[at][j]);
            put_coefficient(w->HE + j * w->B, i, HE);
        }
}

/* w->blocks and w->block_of: the sets of coordinates that L or forces couple, numbered in the
 * order of their first coordinates. */
static void find_blocks(work *w)
{
    const noe_dynamics *d = w->dyn;
    int *const          of = w->block_of;
    for (int j = 0; j < w->n; j++) of[j] = j;
    for (const noe_entry *x = d->entry; x < d->entry + d->entries; x++) {
        const int a = of[x->row], b = of[x->col], low = a < b ? a : b, high = a < b ? b : a;
        for (int j = 0; j < w->n && a != b; j++)
            if (of[j] == high) of[j] = low;
    }
    w->blocks = 0;
    for (int j = 0; j < w->n; j++) of[j] = of[j] == j ? w->blocks++ : of[of[j]];
}

/* One block of memory that is handed out piece by piece; with base NULL only the size is
 * counted. */
typedef struct {
    char  *base;
    size_t used;
} stretch;

/* Memory for n elements of this size, aligned to 64 bytes. */
static void *piece(stretch *x, size_t n, size_t size)
{
    void *p = x->base ? x->base + x->used : NULL;
    x->used += (n * size + 63) / 64 * 64;
    return p;
}

/* Layout of w->memory, all that a restart needs; every piece is a whole number of reals. */
static void lay_out_memory(work *w)
{
    real **const one[] = { &w->t0,
                           &w->h,
                           &w->count,
                           &w->history_length,
                           &w->matrix_reuse,
                           &w->iterations,
                           &w->refreshes,
                           &w->subdivided,
                           &w->residual,
                           &w->growth,
                           &w->newton_steps,
                           &w->solver,
                           &w->contracted,
                           &w->prediction_order,
                           &w->phase,
                           &w->newest_row,
                           &w->curvature,
                           &w->rounds,
                           &w->contraction,
                           &w->single,
                           &w->coupling_steps,
                           &w->seen };
    real **const n[MARKED] = { &w->q,
                               &w->p,
                               &w->dq,
                               &w->dp,
                               &w->v,
                               &w->last_end_velocity,
                               &w->velocity_max,
                               &w->velocity_min,
                               &w->half,
                               &w->doubled_at,
                               &w->origin,
                               &w->sum,
                               &w->square,
                               &w->jump,
                               &w->jump_at };
    real        *at = w->memory;
    w->all_last = w->last = at,
    at += w->parts * w->N_row; /* first, because these are read as whole batches */
    w->all_history = w->history = at,
    at += w->keeps_history ? w->parts * HISTORY_STEPS * w->N_row : 0;
    w->u = at, at += w->half_steps ? 2 * w->N_row : 0;
    w->last_forces = at, at += w->natural ? w->n * w->B * WIDE : 0;
    w->balance = at, at += BALANCE_ROWS;
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) *one[i] = at++;
    for (size_t i = 0; i < sizeof n / sizeof *n; i++, at += w->n) *n[i] = at;
    w->pivot = at, at += w->N;
    w->b0 = w->kick_jacobian = at, at += w->n * w->N;
    w->mass_bound = at, at += w->n * w->n;
    w->position_rounding = at, at += w->n;
    w->LU = at;
}

/* Layout of everything: called once to count, once to assign. */
static void lay_out(work *w, stretch *x)
{
    const noe_dynamics *d = w->dyn;
    const size_t        n = (size_t)w->n, N = (size_t)w->N, s = (size_t)w->s, r = (size_t)w->r;
    const size_t parts = (size_t)w->parts, B = (size_t)w->B, S = (size_t)w->S, K = (size_t)w->K;
    size_t       outputs = 2 * n + 1 + 4 * n * n, slots = 0;
    for (int k = GRADIENT; k < TAPES; k++)
        if (w->tape[k]) {
            const noe_tape *tape = w->tape[k];
            const size_t    o = (size_t)tape->outputs, most = (size_t)tape->slots;
            outputs = k == GRADIENT || o > outputs ? o : outputs;
            slots = most > slots ? most : slots;
            w->code[k] = piece(x, (size_t)tape->length, sizeof *w->code[k]);
            w->copy[k] = piece(x, o, sizeof *w->copy[k]);
        }
    w->plan = plan_frame(w, (int)outputs);
    w->frame = piece(x, (size_t)w->plan.size * B, sizeof(batch));
    w->map = piece(x, slots, sizeof *w->map);
    w->c = piece(x, B, sizeof(coef)), w->l = piece(x, s * B, sizeof(coef)),
    w->I = piece(x, s * B, sizeof(coef));
    w->l_m = piece(x, r * S, sizeof(coef)), w->X_m = piece(x, r * S, sizeof(coef));
    w->weight = piece(x, B, sizeof(coef));
    for (int p = 0; p < NOE_D_KINDS; p++)
        w->part[p] = piece(x, r * K, sizeof(coef)), w->scaled[p] = piece(x, r * K, sizeof(batch));
    w->block = piece(x, K, sizeof(batch)), w->scaled_h = piece(x, 1, sizeof(real));
    w->b = piece(x, r, sizeof(num)), w->w = piece(x, s, sizeof(num));
    w->gauss_c = piece(x, s, sizeof(num)), w->gauss_l = piece(x, s * s, sizeof(num));
    w->E = piece(x, s * S, sizeof(coef)), w->E_V = piece(x, s * B, sizeof(coef));
    w->at = piece(x, r, sizeof(num)),
    w->A = piece(x, w->kind == NOE_RUNGE_KUTTA ? r * r : 0, sizeof(num));
    const size_t forces = w->natural ? n * B : 0;
    w->numbers = BALANCE_ROWS + 22 + 16 * n
               + (parts * (w->keeps_history ? HISTORY_STEPS + 1 : 1) + (w->half_steps ? 2 : 0))
                     * (size_t)w->N_row
               + forces * WIDE + N + n * N + n * n + N * N;
    w->memory = piece(x, w->numbers, sizeof(real));
    w->a = piece(x, (size_t)w->N_row, sizeof(real)), w->d = piece(x, N + 2 * n, sizeof(real)),
    w->e = piece(x, N, sizeof(real));
    w->scale = piece(x, n, sizeof(real)), w->J = piece(x, N * N, sizeof(real)),
    w->x = piece(x, N, sizeof(real));
    w->new_kick_jacobian = piece(x, n * N, sizeof(real)),
    w->new_mass_bound = piece(x, n * n, sizeof(real));
    w->new_position_rounding = piece(x, n, sizeof(real));
    w->at_start = piece(x, n, sizeof(real)), w->speed = piece(x, n, sizeof(real));
    w->kick = piece(x, n, sizeof(real)), w->total = piece(x, 2 * n, sizeof(real));
    w->branch_modes = piece(x, N, sizeof(real)), w->branch_modes_before = piece(x, N, sizeof(real));
    w->end_velocities = piece(x, 2 * n, sizeof(real)), w->block_of = piece(x, n, sizeof(int));
    w->norm = piece(x, n, sizeof(real)), w->norm_before = piece(x, n, sizeof(real)),
    w->velocity_norm = piece(x, n, sizeof(real));
    w->most = piece(x, n, sizeof(real)), w->at_end = piece(x, s, sizeof(num));
    w->at_begin = piece(x, s, sizeof(num)), w->to_end = piece(x, r, sizeof(num));
    w->marked = piece(x, MARKED * n + BALANCE_ROWS + 1, sizeof(real));
    w->all_saved_states = w->saved_state = piece(x, parts * (5 * n + START), sizeof(real));
    w->gamma = piece(x, parts, sizeof(num)), w->gamma_from = piece(x, parts, sizeof(num));
    w->product = piece(x, parts > 1 ? 8 * n * n : 0, sizeof(quad));
    const size_t nodal = w->has_fixed_point && r == s ? r : 0, weights = !w->has_fixed_point ? 0
                                                                       : w->coupled          ? n * n
                                                                                             : n;
    w->A_V = piece(x, nodal * B, sizeof(coef)), w->Ahat = piece(x, nodal * B, sizeof(coef));
    w->H = piece(x, w->natural ? r * B : 0, sizeof(coef)),
    w->E_F = piece(x, w->natural ? r * B : 0, sizeof(coef));
    w->HE = piece(x, w->natural ? r * B : 0, sizeof(coef));
    w->X = piece(x, forces, sizeof(batch)), w->rest_momenta = piece(x, n, sizeof(real));
    w->W = piece(x, weights * B, sizeof(batch));
    w->U = piece(x, n * B, sizeof(batch)), w->rho = piece(x, n * B, sizeof(batch));
    w->G = w->corrects_coupling ? piece(x, n * n * B, sizeof(batch)) : NULL;
    w->mass_entry_bound = piece(x, (size_t)d->masses, sizeof(real));
    const size_t stages = w->kind == NOE_RUNGE_KUTTA ? r : 0;
    w->k_q = piece(x, stages * n, sizeof(real)), w->k_p = piece(x, stages * n, sizeof(real));
    const bool   split = w->kind == NOE_SPLITTING;
    const size_t slopes = split ? 1 : stages, full = split && w->damped && !w->diagonal ? n * n : 0;
    w->d_q = piece(x, slopes * 2 * n * n, sizeof(real)),
    w->d_p = piece(x, slopes * 2 * n * n, sizeof(real));
    w->flow = piece(x, (size_t)w->flows, sizeof(num)), w->V0 = piece(x, n, sizeof(real));
    w->velocities_before = piece(x, split ? n : 0, sizeof(real));
    w->C = piece(x, full, sizeof(real)), w->C_size = piece(x, 1, sizeof(real));
    w->Z = piece(x, full, sizeof(real)), w->phi = piece(x, full, sizeof(real));
    w->F0 = piece(x, split ? n : 0, sizeof(real)), w->G0 = piece(x,
                                                                 full    ? full
                                                                 : split ? n
                                                                         : 0,
                                                                 sizeof(real));
    w->power = piece(x, 2 * full, sizeof(real)),
    w->saved_aside = piece(x, split ? 5 * n : 0, sizeof(real));
    w->frozen = w->freezes ? piece(x, n, sizeof(real)) : NULL;
    w->stage_q = piece(x, n, sizeof(real)), w->stage_p = piece(x, n, sizeof(real));
    w->stage_dp = piece(x, n, sizeof(real)), w->stage_v = piece(x, n, sizeof(real));
    w->guess = piece(x, (size_t)w->N_row, sizeof(real)),
    w->weights_order = piece(x, 1, sizeof(real));
    w->fraction = piece(x, parts * (size_t)w->N_row, sizeof(real));
    w->differences = piece(x, (size_t)w->N_row, sizeof(real)),
    w->prediction_weights = piece(x, HISTORY_STEPS, sizeof(real));
    w->weights_of_order = piece(x, PREDICTION_ORDERS * HISTORY_STEPS, sizeof(num));
    w->unsolved = piece(x, 1, sizeof(real));
    w->t = w->frame, w->Q = w->t + B, w->V = w->Q + n * B, w->out = w->t + (size_t)w->plan.out * B;
    w->why = piece(x, MEMBERS, sizeof(noe_status));
    w->param = piece(x, (size_t)d->params, sizeof(double)), w->z = piece(x, 2 * n, sizeof(double));
    w->grad = piece(x, 2 * n, sizeof(double)), w->hess = piece(x, 4 * n * n, sizeof(double));
    w->dfdz = piece(x, 2 * n * n, sizeof(double));
    if (x->base) lay_out_memory(w);
}

/* Are all entries of D of this kind on the diagonal?  *any: are there any? */
static bool on_diagonal(const noe_dynamics *d, noe_d_kind kind, bool *any)
{
    bool yes = true;
    *any = false;
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++)
        if (y->kind == kind) yes &= y->row == y->col, *any = true;
    return yes;
}

/* Members of `work` that only splittings and compositions need. */
static void prepare_splitting(work *w, const noe_method *f)
{
    const noe_dynamics *d = w->dyn;
    bool                masses, forces;
    w->flows = f->kind == NOE_SPLITTING ? f->flows : 0;
    w->drift_first = f->drift_first;
    w->parts = f->parts ? f->parts : 1;
    w->diagonal = on_diagonal(d, NOE_D_PV, &masses);
    w->diagonal &= on_diagonal(d, NOE_D_FV, &forces);
    w->damped = (d->L ? d->f != NULL : forces) && f->kick == NOE_KICK_EXACT;
    w->kick_by_euler = f->kind == NOE_SPLITTING && f->kick == NOE_KICK_EULER;
    w->freezes = f->kind == NOE_SPLITTING && f->kick == NOE_KICK_FROZEN;
    w->reuses_last_kick = !f->drift_first && f->flows % 2 && d->autonomous && !w->damped
                       && !w->kick_by_euler && !w->freezes;
    quad c[KICK_NODES] = { 0 }, b[KICK_NODES] = { 0 };
    if (f->kind == NOE_SPLITTING) noe_quadrature_gauss(KICK_NODES, c, b);
    for (int i = 0; i < KICK_NODES; i++) w->kick_c[i] = (num)c[i], w->kick_b[i] = (num)b[i];
}

/* Writes the constants of a member's system into the frame, for every node. */
static void constants(work *w, int member, const noe_dynamics *d)
{
    for (int k = GRADIENT; k < TAPES && !d->L; k++)
        for (int i = 0; tape_of(d, k) && i < tape_of(d, k)->constants; i++) {
            const num x = (num)tape_of(d, k)->constant[i];
            for (int node = 0; node < WIDE * w->B; node++)
                r_put(element(w->frame, w->B, w->plan.constants[k] + i, node), member, x);
        }
}

/* Do two systems differ in constants at most? */
static bool same_tapes(const noe_dynamics *a, const noe_dynamics *b)
{
    const size_t entries = (size_t)a->entries * sizeof *a->entry,
                 masses = (size_t)a->masses * sizeof *a->mass;
    if (a == b) return true;
    if (a->n != b->n || a->entries != b->entries || a->masses != b->masses || a->L || b->L)
        return false;
    if (a->linear != b->linear || a->autonomous != b->autonomous
        || a->mass_constant != b->mass_constant)
        return false;
    if (memcmp(a->entry, b->entry, entries) || memcmp(a->mass, b->mass, masses)) return false;
    for (int k = GRADIENT; k < TAPES; k++)
        if (!noe_tape_same(tape_of(a, k), tape_of(b, k))) return false;
    return true;
}

/* Approximate cost of a tape in multiply-adds; an elementary function takes as long as eight of
 * them. */
static double tape_cost(const noe_tape *t)
{
    double cost = t->length;
    for (int k = 0; k < t->runs; k++)
        if (t->run[k].op != NOE_MULADD && t->run[k].op != NOE_SUBMUL) cost += 7 * t->run[k].count;
    return cost;
}

/* May an old Newton matrix be cheaper?  With a new matrix one evaluation may solve a step, with
 * an old one at least two gradients are needed, with 40 operations around each. */
static bool keeps_matrix(const work *w)
{
    const noe_dynamics *d = w->dyn;
    const double        solving = (double)w->N * w->N * w->N / 4;
    return d->L || tape_cost(d->hessian) + solving > 2 * tape_cost(d->gradient) + 40;
}

static void drop_work(void *self)
{
    work *w = self;
    noe_tape_compiler_free(w->machine);
    drop_tapes(w);
    noe_arena_free(w->arena);
}

/* A new engine state for this system and method; NULL without memory. */
static void *make_work(const noe_dynamics *d, const noe_method *f)
{
    work w = { .dyn = d,
               .n = d->n,
               .s = f->s,
               .r = f->r,
               .N = d->n * f->s,
               .kind = f->kind,
               .in_v = f->in_v,
               .B = blocks(f->r),
               .S = blocks(f->s),
               .K = blocks(f->s * f->s + f->s) };
    w.rows = blocks(w.N), w.N_row = w.rows * WIDE;
    prepare_splitting(&w, f);
    for (int k = 0; k < d->masses; k++) w.coupled |= d->mass[k].row != d->mass[k].col;
    w.may_reuse_matrix = keeps_matrix(&w);
    const bool legendre = f->kind == NOE_GALERKIN && orthonormal(f);
    w.half_steps = legendre && w.s == 2 && w.parts == 1;
    w.keeps_history = w.kind == NOE_GALERKIN && (w.s < FIXED_POINT_DEGREE || w.parts > 1);
    w.has_fixed_point = legendre && (!w.coupled || w.n <= COUPLED_MASS_MOST);
    if (!make_tapes(&w)) {
        drop_work(&w);
        return NULL;
    }
    bool turned;
    on_diagonal(d, NOE_D_PQ, &turned);
    w.corrects_coupling = w.has_fixed_point && w.s >= FIXED_POINT_DEGREE && w.r == w.s
                       && w.r <= LANE_NODES && w.n > 1 && w.n <= COFACTOR_MOST && turned;
    w.natural = d->natural && w.has_fixed_point && w.parts == 1 && w.s >= FIXED_POINT_DEGREE
             && w.r == w.s && w.n <= COFACTOR_MOST;
    stretch x = { NULL, 0 };
    work   *self = piece(&x, 1, sizeof w);
    lay_out(&w, &x);
    w.arena = noe_arena_new();
    x = (stretch){ noe_arena_take(w.arena, x.used), 0 };
    if (!x.base) {
        drop_work(&w);
        return NULL;
    }
    self = piece(&x, 1, sizeof w);
    lay_out(&w, &x);
    *self = w;
    coefficients(self, f);
    find_blocks(self);
    prediction_coefficients(self);
    self->simpson = is_simpson(self);
    if (w.has_fixed_point && w.r == w.s) nodal_coefficients(self, f);
    if (w.natural) forces_coefficients(self, f);
    for (int i = 0; i < MEMBERS; i++) constants(self, i, d);
    if (relocate_all(self)) return self;
    drop_work(self);
    return NULL;
}

/* noe_engine.adopt: the member gets the constants of d, if the tapes are the same. */
static bool adopt(void *self, int member, const noe_dynamics *d)
{
    if (!same_tapes(((work *)self)->dyn, d)) return false;
    constants(self, member, d);
    ((work *)self)->mass_known = false;
    return true;
}

/* noe_engine.clone: copies state and constants of one member to another. */
static void clone(void *self, int from, int to)
{
    work *w = self;
    for (size_t i = 0; i < w->numbers; i++) r_put(&w->memory[i], to, r_member(w->memory[i], from));
    for (int i = noe_tape_inputs(w->n) * w->B; i < w->plan.computed * w->B;
         i++) { /* the constants */
        real *x = (real *)&w->frame[i];
        r_put(x, to, r_member(*x, from));
    }
    w->v_known = w->F_known = w->mass_known = false;
}

#endif
