/* Construction of an engine state for a system and a method, constants of a member, copies of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENGINE_ENGINE_SETUP_H
#define NOE_ENGINE_ENGINE_SETUP_H

#include "tape/coupled_blocks.h"
#include "tape/driven_blocks.h"
#include "engine/constraint_setup.h"
#include "engine/engine_coefficients.h"
#include "engine/engine_layout.h"
#include "step/runge_kutta_step.h"
#include "step/splitting_step.h"
#include "method/quadrature.h"

/* Are all entries of D of this kind on the diagonal?  *any: are there any? */
static bool on_diagonal(const noe_dynamics *d, noe_d_kind kind, bool *any)
{
    bool yes = true;
    *any = false;
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++)
        if (y->kind == kind) yes &= y->row == y->col, *any = true;
    return yes;
}

/* Fields of `work` that only splittings need. */
static void prepare_splitting(work *w, const noe_method *f)
{
    const noe_dynamics *d = w->dyn;
    bool                masses, forces;
    w->method.flows = f->kind == NOE_SPLITTING ? f->flows : 0;
    w->split.drift_first = f->drift_first;
    w->split.diagonal = on_diagonal(d, NOE_D_PV, &masses);
    w->split.diagonal &= on_diagonal(d, NOE_D_FV, &forces);
    w->split.damped = (d->L ? d->f != NULL : forces) && f->kick == NOE_KICK_EXACT;
    w->split.kick_by_euler = f->kind == NOE_SPLITTING && f->kick == NOE_KICK_EULER;
    w->split.freezes = f->kind == NOE_SPLITTING && f->kick == NOE_KICK_FROZEN;
    w->split.reuses_last_kick = !f->drift_first && f->flows % 2 && d->autonomous && !w->split.damped
                             && !w->split.kick_by_euler && !w->split.freezes;
    quad c[NOE_POWER_NODES] = { 0 }, b[NOE_POWER_NODES] = { 0 };
    if (f->kind == NOE_SPLITTING) noe_quadrature_gauss(NOE_POWER_NODES, c, b);
    for (int i = 0; i < NOE_POWER_NODES; i++)
        w->method.kick_c[i] = (num)c[i], w->method.kick_b[i] = (num)b[i];
}

/* Writes the constants of a member's system into the frame, for every node. */
static void constants(work *w, int member, const noe_dynamics *d)
{
    for (int k = GRADIENT; k < TAPES && !d->L; k++)
        for (int i = 0; tape_of(d, k) && i < tape_of(d, k)->constants; i++) {
            const num x = (num)tape_of(d, k)->constant[i];
            for (int node = 0; node < WIDE * w->B; node++)
                r_put(element(w->eval.frame, w->B, w->eval.plan.constants[k] + i, node), member, x);
        }
}

/* Does any P_c, a derivative of L_v by a parameter, differ from 0? */
static bool momenta_vary(const work *w)
{
    const noe_tape *t = w->eval.tape[MIXED];
    for (int c = 0; c < w->dyn->columns; c++)
        for (int j = 0, at = w->dyn->mixed_at[c]; j < w->n && at >= 0; j++) {
            const int  constant = t->out[at + w->n + j] - t->inputs;
            const bool is_one = constant >= 0 && constant < t->constants;
            if (!is_one) return true;
            const real x = *element(w->eval.frame, w->B, w->eval.plan.constants[MIXED] + constant,
                                    0);
            if (m_any(r_less(r_set(0), r_abs(x)))) return true;
        }
    return false;
}

/* Do two systems differ in constants at most? */
static bool same_tapes(const noe_dynamics *a, const noe_dynamics *b)
{
    const size_t entries = (size_t)a->entries * sizeof *a->entry,
                 masses = (size_t)a->masses * sizeof *a->mass;
    if (a == b) return true;
    if (a->n != b->n || a->entries != b->entries || a->masses != b->masses || a->L || b->L)
        return false;
    if (a->constraints != b->constraints || a->G_entries != b->G_entries
        || a->G_q_entries != b->G_q_entries)
        return false;
    if (a->linear != b->linear || a->autonomous != b->autonomous
        || a->mass_constant != b->mass_constant)
        return false;
    if (memcmp(a->entry, b->entry, entries) || memcmp(a->mass, b->mass, masses)) return false;
    for (int k = GRADIENT; k < TAPES; k++)
        if (!noe_tape_same(tape_of(a, k), tape_of(b, k))) return false;
    return true;
}

/* Approximate cost of a tape in multiply-adds; an elementary function takes as long as
 * FUNCTION_OPERATIONS of them. */
static double tape_cost(const noe_tape *t)
{
    double cost = t->length;
    for (int k = 0; k < t->runs; k++)
        if (t->run[k].op != NOE_MULADD && t->run[k].op != NOE_SUBMUL)
            cost += (FUNCTION_OPERATIONS - 1) * t->run[k].count;
    return cost;
}

/* May an old Newton matrix be cheaper?  With a new matrix one evaluation may solve a step, with
 * an old one at least two gradients are needed, with operations around them. */
static bool may_reuse_matrix(const work *w)
{
    const noe_dynamics *d = w->dyn;
    const double        solving = (double)w->N * w->N * w->N / ELIMINATION_SHARE;
    return d->L
        || tape_cost(d->hessian) + solving > 2 * tape_cost(d->gradient) + ITERATION_OPERATIONS;
}

/* What step/nodal_newton.h knows of D: the entries of L_vv among the outputs of the Hessian's tape,
 * numbered as mass_entry() reads them, and which coordinates other derivatives join. */
static void prepare_nodal_newton(work *w)
{
    for (const noe_entry *x = w->dyn->entry; x < w->dyn->entry + w->dyn->entries; x++) {
        w->nodal.force_varies[x->row] |= x->kind == NOE_D_FQ || x->kind == NOE_D_FV;
        w->nodal.is_argument[x->col] |= x->kind == NOE_D_FQ || x->kind == NOE_D_PQ;
    }
    for (int k = 0; k < w->dyn->masses; k++) {
        noe_entry *const x = &w->nodal.derived_mass[k];
        *x = w->dyn->mass[k];
        /* mass_entry() adds n - 1, from an output of the tape LEGENDRE to one of INERTIAL. */
        x->output = w->dyn->at[(x->row * w->n + x->col) * NOE_D_KINDS + NOE_D_PV] - (w->n - 1);
    }
    w->nodal.mass = w->nodal.derived_mass;
}

/* The pairs of coordinates that the entries of D belong to. */
static void find_coordinate_pairs(work *w)
{
    const noe_entry *x = w->dyn->entry, *const first = x, *const end = x + w->dyn->entries;
    for (; x < end; x++)
        if (x == first || x->row != x[-1].row || x->col != x[-1].col)
            w->newton.pair[w->newton.pairs++] = (coordinate_pair){ x->row, x->col };
}

static void drop_work(void *self)
{
    work *w = self;
    noe_tape_compiler_free(w->eval.machine);
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
               .method.parts = f->parts ? f->parts : 1,
               .in_v = f->in_v,
               .B = blocks(f->r),
               .S = blocks(f->s),
               .K = blocks(f->s * f->s + f->s) };
    w.rows = blocks(w.N), w.N_row = w.rows * WIDE;
    prepare_splitting(&w, f);
    for (int k = 0; k < d->masses; k++) w.nodal.coupled |= d->mass[k].row != d->mass[k].col;
    w.newton.may_reuse_matrix = may_reuse_matrix(&w);
    const bool legendre = f->kind == NOE_GALERKIN && orthonormal(f);
    w.constraint.condensed = d->constraints && legendre && d->mass_constant && !w.nodal.coupled
                          && NOE_REAL != NOE_QUAD;
    w.history.half_steps = legendre && w.s == 2 && w.method.parts == 1;
    w.history.keeps_many = w.kind == NOE_GALERKIN
                        && (w.s < FIXED_POINT_DEGREE || w.method.parts > 1);
    w.nodal.has_fixed_point = legendre && !d->constraints
                           && (!w.nodal.coupled || w.n <= COUPLED_MASS_MOST);
    w.arena = noe_arena_new();
    w.block_of = noe_arena_array(w.arena, (size_t)w.n, sizeof *w.block_of);
    if (w.block_of) w.blocks = noe_coupled_blocks_find(d, w.block_of);
    if (!w.block_of || ((w.nodal.coupled || d->constraints) && !place_masses(&w))
        || (d->constraints && !set_up_constraints(&w)) || !make_tapes(&w)) {
        drop_work(&w);
        return NULL;
    }
    w.nodal.uses_nystrom = d->natural && w.nodal.has_fixed_point && w.method.parts == 1
                        && w.s >= FIXED_POINT_DEGREE && w.r == w.s && w.n <= COFACTOR_MOST;
    w.nodal.uses_canonical = d->canonical && w.nodal.has_fixed_point && w.method.parts == 1
                          && w.s >= FIXED_POINT_DEGREE && w.r == w.s;
    w.nodal.uses_canonical_newton = w.nodal.uses_canonical && w.n <= COFACTOR_MOST && !d->clocked;
    w.nodal.uses_nodal_newton = w.nodal.has_fixed_point && !w.nodal.uses_nystrom
                             && !w.nodal.uses_canonical && w.s >= FIXED_POINT_DEGREE && w.r == w.s
                             && w.n <= COFACTOR_MOST
                             && !d->clocked; /* t and E at the nodes have no derivatives here */
    w.nodal.mass = w.nodal.uses_canonical ? d->own->mass : d->mass;
    /* Laid out twice: without memory, which counts the bytes, then in the arena. */
    memory_block x = { NULL, 0 };
    work        *self = piece(&x, 1, sizeof w);
    lay_out(&w, &x);
    x = (memory_block){ noe_arena_take(w.arena, x.used), 0 };
    if (!x.base) {
        drop_work(&w);
        return NULL;
    }
    self = piece(&x, 1, sizeof w);
    lay_out(&w, &x);
    *self = w;
    coefficients(self, f);
    find_coordinate_pairs(self);
    noe_driven_blocks_find(d, self->block_of, self->blocks, self->driven);
    prediction_coefficients(self);
    constraint_coefficients(self, f);
    self->method.simpson = has_simpson_zeros(self);
    if (w.nodal.has_fixed_point && w.r == w.s) nodal_coefficients(self, f);
    if (keeps_forces(&w)) prediction_of_forces(self, f);
    if (w.nodal.uses_nystrom) forces_coefficients(self, f);
    if (w.nodal.uses_nodal_newton) prepare_nodal_newton(self);
    for (int i = 0; i < MEMBERS; i++) constants(self, i, d);
    self->split.momenta_vary = momenta_vary(self);
    if (relocate_all(self)) return self;
    drop_work(self);
    return NULL;
}

/* noe_engine.adopt: the member gets the constants of d, if the tapes are the same. */
static bool adopt(void *self, int member, const noe_dynamics *d)
{
    if (!same_tapes(((work *)self)->dyn, d)) return false;
    work *w = self;
    constants(w, member, d);
    w->nodal.mass_known = w->split.kick_known = false;
    w->split.momenta_vary = momenta_vary(w);
    return true;
}

/* noe_engine.clone: copies state and constants of one member to another. */
static void clone(void *self, int from, int to)
{
    work *w = self;
    for (size_t i = 0; i < w->state.numbers; i++)
        r_put(&w->state.memory[i], to, r_member(w->state.memory[i], from));
    for (int i = noe_tape_inputs(w->n) * w->B; i < w->eval.plan.computed * w->B;
         i++) { /* the constants */
        real *x = (real *)&w->eval.frame[i];
        r_put(x, to, r_member(*x, from));
    }
    w->state.v_known = w->split.F_known = w->split.V_known = w->nodal.mass_known = false;
    w->split.kick_known = false;
}

/* ---- what the steps to come depend on ---- */

typedef struct {
    real  *at;    /* the first number */
    size_t count; /* numbers */
} state_piece;
enum { STATE_PIECES = 5, WITHOUT_MATRIX = 3 };

/* The pieces of w->state.memory in the order of a copy: those of the Newton matrix, which are
 * nothing until a step uses it again, come last.  A splitting keeps factors there that never
 * change. */
static void state_pieces(const work *w, state_piece to[STATE_PIECES])
{
    const newton_solver *x = &w->newton;
    real *const all = w->state.memory, *const end = all + w->state.numbers,
                *const after = w->constraint.left_out;
    to[0] = (state_piece){ all, (size_t)(x->pivot - all) };
    to[1] = (state_piece){ x->mass_bound, (size_t)(x->LU - x->mass_bound) };
    to[2] = (state_piece){ after, (size_t)(end - after) };
    to[3] = (state_piece){ x->pivot, (size_t)(x->mass_bound - x->pivot) };
    to[4] = (state_piece){ x->LU, (size_t)(after - x->LU) };
}

static int pieces_used(const work *w)
{
    const mask kept = r_less(r_set(0), *w->newton.matrix_reuse);
    return w->kind == NOE_GALERKIN && m_any(kept) ? STATE_PIECES : WITHOUT_MATRIX;
}

static size_t snapshot_bytes_work(const void *self, bool most)
{
    const work *w = self;
    state_piece piece[STATE_PIECES];
    size_t      count = 1; /* are the velocities known? */
    state_pieces(w, piece);
    for (int i = 0; i < (most ? STATE_PIECES : pieces_used(w)); i++) count += piece[i].count;
    return count * sizeof(real);
}

static void take_snapshot_work(const void *self, void *to)
{
    const work *w = self;
    state_piece piece[STATE_PIECES];
    char       *at = to;
    const real  known = r_set(w->state.v_known);
    state_pieces(w, piece);
    memcpy(at, &known, sizeof known), at += sizeof known;
    for (int i = 0; i < pieces_used(w); i++) {
        memcpy(at, (const void *)piece[i].at, piece[i].count * sizeof(real));
        at += piece[i].count * sizeof(real);
    }
}

static void restore_snapshot_work(void *self, const void *from)
{
    work       *w = self;
    state_piece piece[STATE_PIECES];
    const char *at = from;
    real        known;
    int         used = WITHOUT_MATRIX;
    state_pieces(w, piece);
    memcpy((void *)&known, at, sizeof known), at += sizeof known;
    for (int i = 0; i < used; i++) {
        memcpy((void *)piece[i].at, at, piece[i].count * sizeof(real));
        at += piece[i].count * sizeof(real);
        if (!i) used = pieces_used(w);
    }
    w->state.v_known = r_member(known, 0) > 0, w->split.F_known = w->split.V_known = false;
}

#endif
