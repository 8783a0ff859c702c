/* Makes the tapes of a model: F = L_q + f, P = L_v, D = d(F, P)/d(q, v), and those for checks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/derivative.h"
#include "expr/singular_arguments.h"
#include "system/system.h"

#include "base/status.h"
#include "system/constraint_tapes.h"
#include "system/model_structure.h"

#include <stdlib.h>
#include <string.h>

enum {
    SINGULAR_MOST = 1024, /* expressions at whose zeros L is singular */
    PLACES_MOST = 256,    /* of these, at whose zeros L or F has a kink */
    KINK_MOST = 64        /* expressions at whose zeros a force has a kink */
};

/* Arguments at whose zeros something is singular, in the order in which they are the outputs of the
 * tape `singular` (tape/equations.h). */
typedef enum {
    KINKS,       /* L or F has a kink in positions */
    POLES,       /* L is singular */
    NARROW,      /* a term of L is nearly flat */
    PULSES,      /* so is a function of time */
    JUMP_TIMES,  /* a force jumps in time */
    JUMP_PLACES, /* a force that has no potential jumps in positions */
    ARGUMENT_KINDS
} argument_kind;

typedef struct {
    noe_model    *m;
    noe_arena    *arena;
    noe_dynamics *dyn;
    noe_ex       *root;     /* [roots] expressions that are the outputs of the tape in the making */
    int           roots;    /* number of these */
    int          *output;   /* [capacity] output number of the expression at a node, -1: none yet */
    int           capacity; /* nodes of the graph that `output` has memory for */
} lister;

static void *take(lister *x, size_t n, size_t size)
{
    return noe_arena_need(x->arena, x->m->graph.stop, n, size);
}

/* Begins a new tape, whose first `roots` outputs are in x->root already. */
static void restart(lister *x, int roots)
{
    x->roots = roots;
    for (int i = 0; i < x->capacity; i++) x->output[i] = -1;
}

/* Lists the nonzero entries of a Hessian of z = 2n (q and v) or n (v) rows, one pair of coordinates
 * after another; equal expressions share an output. */
static int entries(lister *x, const noe_ex *hess, int z, noe_entry *entry)
{
    const int    n = x->m->n;
    const noe_ex zero = noe_graph_number(&x->m->graph, 0);
    int          count = 0;
    for (int block = 0; block < n * n; block++)
        for (int i = block / n; i < z; i += n)
            for (int j = block % n; j < z; j += n) {
                const noe_ex e = hess[i * z + j];
                if (e == zero) continue;
                if (x->output[e] < 0) {
                    x->output[e] = x->roots;
                    x->root[x->roots++] = e;
                }
                if (x->m->graph.node[e].has & (NOE_HAS_Q | NOE_HAS_V)) x->dyn->linear = false;
                if (z == n && x->m->graph.node[e].has & NOE_HAS_Q) x->dyn->mass_moves = true;
                if (z == n && x->m->graph.node[e].has & NOE_HAS_V) x->dyn->momenta_linear = false;
                if (z == n && x->m->graph.node[e].has & ~NOE_HAS_PARAM)
                    x->dyn->mass_constant = false;
                if (x->m->graph.node[e].has & (NOE_HAS_Q | NOE_HAS_V | NOE_HAS_T))
                    x->dyn->constant = false;
                /* both false for a Hessian of v alone */
                const bool F = z > n && i<n, q = z> n && j < n;
                entry[count++] = (noe_entry){ (noe_d_kind)(2 * F + q), block / n, block % n,
                                              x->output[e] };
            }
    return count;
}

/* Fills d->at, the output number of each entry of D. */
static void places(noe_dynamics *d)
{
    for (int i = 0; i < d->n * d->n * NOE_D_KINDS; i++) d->at[i] = -1;
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++)
        d->at[(y->row * d->n + y->col) * NOE_D_KINDS + (int)y->kind] = y->output;
}

/* F <- F + f, D <- D + f_z: rows of F alone, so that D is no longer symmetric. */
static void add_forces(lister *x, noe_ex *F, noe_ex *hess, noe_ex *row)
{
    noe_graph *g = &x->m->graph;
    const int  n = x->m->n, N = 2 * n;
    noe_ex    *f = take(x, 4 * (size_t)n, sizeof *f);
    noe_force_statement_forces(x->m, f, f + n);
    for (int i = 0; i < n; i++) {
        F[i] = noe_simplify_make(g, NOE_ADD, F[i], f[i], 0);
        noe_derivative_gradient(g, f[i], n, row);
        for (int j = 0; j < N; j++)
            hess[i * N + j] = noe_simplify_make(g, NOE_ADD, hess[i * N + j], row[j], 0);
    }
}

/* The tape of the power that changes the energy, where L depends on t or forces act. */
static bool make_power(lister *x)
{
    noe_graph *g = &x->m->graph;
    noe_ex     power[2], *scratch = take(x, 3 * (size_t)x->m->n, sizeof *scratch);
    if (x->dyn->autonomous) return true;
    noe_force_statement_power(x->m, power, scratch);
    return (x->dyn->power = noe_tape_new(g, x->m->param, x->m->n, power, 2)) != NULL;
}

static void derive(lister *x, noe_ex *gradient, noe_ex *hess, noe_ex *mass)
{
    noe_graph *g = &x->m->graph;
    const int  n = x->m->n;
    noe_ex    *row = take(x, 2 * (size_t)n, sizeof *row);
    noe_derivative_gradient(g, x->m->L, n, gradient);
    for (int i = 0; i < 2 * n; i++) {
        noe_derivative_gradient(g, gradient[i], n, row);
        for (int j = 0; j <= i; j++) hess[i * 2 * n + j] = hess[j * 2 * n + i] = row[j];
    }
    x->dyn->quadratic = !(g->node[x->m->L].has & NOE_HAS_T);
    for (int i = 0; i < 4 * n * n; i++)
        x->dyn->quadratic &= !(g->node[hess[i]].has & (NOE_HAS_Q | NOE_HAS_V));
    if (noe_force_statement_is_forced(x->m)) add_forces(x, gradient, hess, row);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) mass[i * n + j] = hess[(n + i) * 2 * n + n + j];
}

/* L_vt = d(L_v)/dt at fixed q and v. */
static noe_ex fixed_rate(noe_graph *g, noe_ex P, int n)
{
    noe_ex rate = noe_derivative_rate(g, P), by[2 * n];
    noe_derivative_gradient(g, P, n, by);
    for (int i = 0; i < n; i++)
        rate = noe_simplify_make(
            g, NOE_SUB, rate, noe_simplify_make(g, NOE_MUL, by[i], noe_graph_leaf(g, NOE_V, i), 0),
            0);
    return rate;
}

/* The tape of L_vt where some L_v depends on t. */
static bool make_rate(lister *x, const noe_ex *P)
{
    noe_graph *g = &x->m->graph;
    const int  n = x->m->n;
    noe_ex    *rate = take(x, (size_t)n, sizeof *rate);
    bool       some = false;
    for (int i = 0; i < n; i++) {
        const bool moves = g->node[P[i]].has & NOE_HAS_T;
        rate[i] = moves ? fixed_rate(g, P[i], n) : noe_graph_number(g, 0);
        some |= moves;
    }
    return !some || (x->dyn->rate = noe_tape_new(g, x->m->param, n, rate, n)) != NULL;
}

/* Is the mass constant, and do forces not depend on velocities, not even by jumps? */
static bool natural(const noe_graph *g, const noe_dynamics *d, const noe_ex *gradient)
{
    bool yes = d->mass_constant;
    for (int i = 0; i < d->n; i++)
        yes &= !(g->node[gradient[i]].has & NOE_HAS_V)
            && !(g->node[gradient[d->n + i]].has & (NOE_HAS_Q | NOE_HAS_T));
    return yes;
}

/* Clears the flags of linearity where L or a force has a kink or jump.  |x| is not linear though
 * its second derivative is 0: the derivatives of F and P do not show their jumps, and F and P do
 * not show jumps of L such as floor(x). */
static void kinks(lister *x, const noe_ex *gradient)
{
    const uint8_t has = noe_evaluate_kinks(&x->m->graph, gradient, 2 * x->m->n)
                      | noe_evaluate_kinks(&x->m->graph, &x->m->L, 1);
    x->dyn->kinks = has;
    if (has & (NOE_HAS_Q | NOE_HAS_V))
        x->dyn->linear = x->dyn->constant = x->dyn->quadratic = false;
    if (has & NOE_HAS_V) x->dyn->mass_constant = false;
}

/* The tape of arguments u: those at whose zeros L or F has a kink in positions (*places of them),
 * those at whose zeros L is singular, those that tell where a narrow term of L or a function of
 * time is nearly flat, and those at whose zeros forces jump: of all terms in time, of what is no
 * potential in positions, too. */
static bool make_singular(lister *x, const noe_ex *gradient, int *places)
{
    noe_graph *g = &x->m->graph;
    noe_ex     found[SINGULAR_MOST];
    const int  n = x->m->n, forces = x->m->forces;
    noe_ex    *force = take(x, (size_t)forces + 1, sizeof *force),
           *bent = take(x, 2 * (size_t)n + 1, sizeof *bent);
    int first[ARGUMENT_KINDS + 1] = { 0 }; /* of each kind; the last: how many there are */
    for (int i = 0; i < forces; i++) force[i] = x->m->force[i].ex;
    memcpy(bent, gradient, 2 * (size_t)n * sizeof *bent);
    bent[2 * n] = x->m->L; /* whose jumps its derivatives do not show */
    if (places) *places = noe_singular_arguments_places(g, bent, 2 * n + 1, found, PLACES_MOST);
    first[POLES] = places ? *places : 0;
    for (argument_kind kind = POLES; kind < ARGUMENT_KINDS; kind++) {
        const int     from = first[kind], room = SINGULAR_MOST - from;
        noe_ex *const to = found + from;
        first[kind + 1] = from;
        switch (kind) {
        case POLES:
            first[kind + 1] += noe_singular_arguments_divisors(g, &x->m->L, 1, to, room);
            break;
        case NARROW:
            first[kind + 1] += noe_singular_arguments_narrow(g, gradient, 2 * n, to, room);
            break;
        case PULSES:
            first[kind + 1] += noe_singular_arguments_pulses(g, gradient, 2 * n, to, room);
            break;
        case JUMP_TIMES:
            first[kind + 1] += noe_singular_arguments_times(g, gradient, 2 * n, to, room);
            break;
        default: first[kind + 1] += noe_singular_arguments_places(g, force, forces, to, room);
        }
    }
    x->dyn->narrow = first[PULSES] - first[NARROW];
    x->dyn->pulses = first[JUMP_TIMES] - first[PULSES];
    x->dyn->times = first[ARGUMENT_KINDS] - first[JUMP_TIMES];
    const int all = first[ARGUMENT_KINDS];
    return !all || (x->dyn->singular = noe_tape_new(g, x->m->param, x->m->n, found, all)) != NULL;
}

/* The tape of the expressions at whose zeros forces or momenta have kinks in the velocities. */
static bool make_kink(lister *x, const noe_ex *gradient)
{
    noe_graph *g = &x->m->graph;
    noe_ex     found[KINK_MOST];
    const int  count = noe_singular_arguments_kinks(g, gradient, 2 * x->m->n, found, KINK_MOST);
    return !count || (x->dyn->kink = noe_tape_new(g, x->m->param, x->m->n, found, count)) != NULL;
}

static bool make(lister *x, noe_tape **observe, int *bends)
{
    noe_model    *m = x->m;
    noe_dynamics *d = x->dyn;
    noe_graph    *g = &m->graph;
    const size_t  n = (size_t)m->n;
    noe_ex *gradient = take(x, 2 * n, sizeof *gradient), *hess = take(x, 4 * n * n, sizeof *hess);
    noe_ex *mass = take(x, n * n, sizeof *mass);
    derive(x, gradient, hess, mass);
    x->root = take(x, 4 * n * n + 2 * n + 1, sizeof *x->root);
    x->capacity = g->count;
    x->output = take(x, (size_t)x->capacity, sizeof *x->output);
    d->model = m;
    d->n = m->n;
    /* until an entry of the Hessian disproves it */
    d->linear = d->constant = d->mass_constant = d->momenta_linear = true;
    d->forced = noe_force_statement_is_forced(m);
    d->autonomous = !(g->node[m->L].has & NOE_HAS_T) && !d->forced;
    d->entry = take(x, 4 * n * n, sizeof *d->entry);
    d->mass = take(x, n * n, sizeof *d->mass);
    memcpy(x->root, gradient, 2 * n * sizeof *gradient);
    if (!(d->gradient = noe_tape_new(g, m->param, m->n, gradient, 2 * m->n))) return false;
    restart(x, 2 * m->n);
    d->entries = entries(x, hess, 2 * m->n, d->entry);
    d->at = take(x, NOE_D_KINDS * n * n, sizeof *d->at);
    places(d);
    if (!(d->hessian = noe_tape_new(g, m->param, m->n, x->root, x->roots))) return false;
    memcpy(x->root, gradient + n, n * sizeof *gradient);
    x->root[n] = m->L;
    restart(x, m->n + 1);
    d->masses = entries(x, mass, m->n, d->mass);
    kinks(x, gradient);
    d->natural = natural(g, d, gradient);
    if (!noe_constraint_tapes_make(m, x->arena, d)) return false;
    if (!(d->legendre = noe_tape_new(g, m->param, m->n, x->root, x->roots))) return false;
    memmove(x->root + 2 * m->n, x->root + m->n + 1,
            (size_t)(x->roots - m->n - 1) * sizeof *x->root);
    memcpy(x->root, gradient, 2 * n * sizeof *gradient);
    if (!(d->inertial = noe_tape_new(g, m->param, m->n, x->root, x->roots + m->n - 1)))
        return false;
    if (!make_power(x) || !make_rate(x, gradient + n) || !make_singular(x, gradient, bends)
        || !make_kink(x, gradient))
        return false;
    noe_ex *seen = take(x, (size_t)m->observables, sizeof *seen);
    for (int i = 0; i < m->observables; i++) seen[i] = m->observable[i]->ex;
    return (*observe = noe_tape_new(g, m->param, m->n, seen, m->observables)) != NULL;
}

bool noe_dynamics_make(noe_model *m, noe_arena *arena, noe_dynamics *d, noe_tape **observe,
                       int *places)
{
    if (m->matrix[NOE_MASS].path) return noe_model_structure_make(m, arena, d, observe);
    if (m->n > NOE_COORDINATES_MOST) {
        noe_status_fail(
            NOE_INVALID,
            "%s: %d coordinates: this version solves dense equations, for up to %d of them",
            m->name, m->n, NOE_COORDINATES_MOST);
        return false;
    }
    lister        x = { .m = m, .arena = arena, .dyn = d };
    jmp_buf       stop;
    volatile bool ok = false;
    m->graph.stop = &stop;
    if (!setjmp(stop)) ok = make(&x, observe, places);
    m->graph.stop = NULL;
    return ok;
}

void noe_dynamics_drop(noe_dynamics *d)
{
    noe_sums_setup_drop(d->groups);
    free(d->gradient);
    free(d->hessian);
    free(d->legendre);
    free(d->power);
    free(d->rate);
    free(d->inertial);
    free(d->clock);
    free(d->canonical);
    free(d->constraint);
    free(d->velocity_terms);
    free(d->constraint_times);
    free(d->singular);
    free(d->kink);
}
