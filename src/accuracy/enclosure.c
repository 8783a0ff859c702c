/* Encloses F = L_q + forces and P = L_v over a box of (t, q, v), and bounds their hidden variation.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Forward sweep: ranges of all values; reverse sweep: bounds of |d(F, P)/d(value)|,
 * multiplied by the hidden variation of the value. */
#include "accuracy/enclosure.h"

#include "base/status.h"
#include "accuracy/operation_range.h"
#include "expr/derivative.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int32_t op, a, b, c; /* indices of the operands in `value` */
    bool    of_state;    /* the result depends on q or v */
} step;

struct noe_enclosure {
    noe_model *own;  /* of a system of sums: the model with all sums written out; or NULL; owned */
    noe_tape  *tape; /* of F, P and, where L may jump, L */
    const noe_tables *tables; /* samples of tabulated functions */
    /* n coordinates; inputs = 1 + 2n; first = inputs + constants; length: operations; outputs */
    int           n, inputs, first, length, outputs;
    int           loads; /* of a structure: number of loads, the outputs; else 0 */
    step         *step;  /* [length] operation k gives value[first + k] */
    int          *out;   /* [outputs] indices in `value` of F, P and, where L may jump, L */
    noe_interval *value; /* [first + length] ranges of t, q, v, constants, results */
    double       *bound; /* [first + length] bounds of sum weight |d(F, P)/d(value)| */
    /* [length] of operations: |partial derivatives| by a, b, c; hidden variation; is it a kink? */
    double (*partial)[3], *hidden;
    bool *kink; /* see above */
};

void noe_enclosure_free(noe_enclosure *e)
{
    if (!e) return;
    free(e->step), free(e->out), free(e->value), free(e->bound), free(e->partial), free(e->hidden),
        free(e->kink);
    free(e->tape);
    noe_model_free(e->own);
    free(e);
}

static bool jumps(int op)
{
    return op == NOE_IF || op == NOE_LT || op == NOE_LE || op == NOE_MOD || op == NOE_FN_sign
        || op == NOE_FN_floor;
}

/* Does L contain a condition or a step function of q or v?  The derivatives of L do not show a jump
 * of L. */
static bool may_jump(noe_graph *g, noe_ex L)
{
    for (int k = 0, count = noe_evaluate_reach(g, &L, 1); k < count; k++) {
        const noe_node *x = &g->node[g->list[k]];
        if (jumps(x->op) && x->has & (NOE_HAS_Q | NOE_HAS_V)) return true;
    }
    return false;
}

/* Tape of F = L_q + forces, P = L_v and, where L may jump, L. */
static noe_tape *derive(noe_model *m)
{
    noe_graph *g = &m->graph;
    const int  n = m->n;
    noe_ex    *root = noe_status_alloc(6 * (size_t)n, sizeof *root);
    noe_tape *volatile tape = NULL;
    jmp_buf stop;
    if (!root) return NULL;
    g->stop = &stop;
    if (!setjmp(stop)) {
        noe_derivative_gradient(g, m->L, n, root);
        if (noe_force_statement_is_forced(m)) {
            noe_force_statement_forces(m, root + 2 * n, root + 3 * n);
            for (int i = 0; i < n; i++)
                root[i] = noe_simplify_make(g, NOE_ADD, root[i], root[2 * n + i], 0);
        }
        root[2 * n] = m->L;
        tape = noe_tape_new(g, m->param, n, root, 2 * n + may_jump(g, m->L));
    }
    g->stop = NULL;
    free(root);
    return tape;
}

/* Tape of the loads of a structure: forces and ground accelerations, functions of t alone. */
static noe_tape *list_loads(noe_model *m)
{
    noe_graph *g = &m->graph;
    noe_ex    *root = noe_status_alloc((size_t)(m->forces + m->grounds) + 1, sizeof *root);
    noe_tape *volatile tape = NULL;
    jmp_buf stop;
    if (!root) return NULL;
    g->stop = &stop;
    for (int k = 0; k < m->forces; k++) root[k] = m->force[k].ex;
    for (int k = 0; k < m->grounds; k++) root[m->forces + k] = m->ground[k].ex;
    if (!setjmp(stop)) tape = noe_tape_new(g, m->param, m->n, root, m->forces + m->grounds);
    g->stop = NULL;
    free(root);
    return tape;
}

/* The model with all terms of L: for a system of sums the text is read again, with all sums written
 * out. */
static noe_model *whole(noe_enclosure *e, const noe_system *s)
{
    const noe_model *m = s->model;
    if (!s->dyn.groups) return s->model;
    return e->own = noe_parse_model_text_as(NOE_MODEL_WRITTEN, m->name, m->text, m->length,
                                            m->change, m->changes);
}

/* Converts the tape, which uses slots again, to operations with one value for each result; a
 * NOE_SINCOS becomes sin, then cos.  False: out of memory. */
static bool unroll(noe_enclosure *e, const noe_tape *t)
{
    int k = 0, ins = 0, *at = noe_status_alloc((size_t)t->slots, sizeof *at);
    e->tables = t->tables;
    e->inputs = t->inputs;
    e->first = t->inputs + t->constants;
    e->outputs = t->outputs;
    for (int r = 0; r < t->runs; r++)
        e->length += t->run[r].count * (t->run[r].op == NOE_SINCOS ? 2 : 1);
    const size_t length = (size_t)e->length + 1, values = (size_t)e->first + length;
    e->step = noe_status_alloc(length, sizeof *e->step);
    e->out = noe_status_alloc((size_t)t->outputs + 1, sizeof *e->out);
    e->value = noe_status_alloc(values, sizeof *e->value);
    e->bound = noe_status_alloc(values, sizeof *e->bound);
    e->partial = noe_status_alloc(length, sizeof *e->partial);
    e->hidden = noe_status_alloc(length, sizeof *e->hidden);
    e->kink = noe_status_alloc(length, sizeof *e->kink);
    if (!at || !e->step || !e->out || !e->value || !e->bound || !e->partial || !e->hidden
        || !e->kink) {
        free(at);
        return false;
    }
    for (int i = 0; i < e->first; i++) at[i] = i;
    for (int i = 0; i < t->constants; i++)
        e->value[t->inputs + i] = (noe_interval){ (double)t->constant[i], (double)t->constant[i] };
    for (int r = 0; r < t->runs; r++)
        for (int left = t->run[r].count; left > 0; left--, ins++) {
            const noe_ins *i = &t->ins[ins];
            const int op = t->run[r].op, arity = noe_register_schedule_arity(op), zero = t->inputs;
            const int a = at[i->a], b = arity > 1 ? at[i->b] : zero,
                      c = arity > 2 ? at[i->c] : zero;
            e->step[k] = (step){ op == NOE_SINCOS ? NOE_FN_sin : op, a, b, c, false };
            at[i->d] = e->first + k++;
            if (op != NOE_SINCOS) continue;
            e->step[k] = (step){ NOE_FN_cos, a, zero, zero, false };
            at[i->c] = e->first + k++;
        }
    for (int i = 0; i < t->outputs; i++) e->out[i] = at[t->out[i]];
    free(at);
    return true;
}

/* Is there an operation with a possible hidden variation: any but a + b c and a - b c? */
static bool sharp(const noe_enclosure *e)
{
    bool some = false;
    for (int k = 0; k < e->length; k++)
        some |= e->step[k].op != NOE_MULADD && e->step[k].op != NOE_SUBMUL;
    return some;
}

/* Sets of_state of all operations; false: out of memory. */
static bool mark_state(noe_enclosure *e)
{
    bool *moves = noe_status_alloc((size_t)(e->first + e->length) + 1, sizeof *moves);
    if (!moves) return false;
    for (int i = 1; i <= 2 * e->n; i++) moves[i] = true;
    for (int k = 0; k < e->length; k++) {
        step *s = &e->step[k];
        moves[e->first + k] = s->of_state = moves[s->a] || moves[s->b] || moves[s->c];
    }
    free(moves);
    return true;
}

bool noe_enclosure_make(const noe_system *s, noe_enclosure **to)
{
    *to = NULL;
    if (!s->model || s->dyn.n > NOE_COORDINATES_MOST) return true;
    noe_enclosure *e = noe_status_alloc(1, sizeof *e);
    if (!e) return false;
    e->n = s->dyn.n;
    noe_model *m = whole(e, s);
    const bool structure = s->dyn.structure || s->model->matrix[NOE_MASS].path;
    if (structure && m) e->loads = m->forces + m->grounds;
    if (m && (structure || m->n == e->n)) e->tape = structure ? list_loads(m) : derive(m);
    const bool ok =
        m && ((!structure && m->n != e->n) || (e->tape && unroll(e, e->tape) && mark_state(e)));
    if (ok && e->tape && sharp(e)) *to = e;
    else noe_enclosure_free(e);
    return ok;
}

/* Ranges of all values; true: some operation has a hidden variation. */
static bool forwards(noe_enclosure *e)
{
    bool some = false;
    for (int k = 0; k < e->length; k++) {
        const step         *s = &e->step[k];
        const noe_interval  a = e->value[s->a], b = e->value[s->b], c = e->value[s->c];
        noe_operation_range r = noe_operation_range_apply((noe_op)s->op, e->tables, a, b, c);
        if (s->a == s->b && s->op == NOE_MULADD) r.y = noe_interval_add(noe_interval_square(a), c);
        if (s->a == s->b && s->op == NOE_SUBMUL)
            r.y = noe_interval_add(c, noe_interval_negative(noe_interval_square(a)));
        e->value[e->first + k] = r.y;
        memcpy(e->partial[k], r.partial, sizeof r.partial);
        e->hidden[k] = r.hidden;
        e->kink[k] = r.kink;
        some |= r.hidden > 0;
    }
    return some;
}

static void raise(double *bound, double by)
{
    if (by > 0 || isnan(by)) *bound += isnan(by) ? INFINITY : by;
}

/* Reverse sweep.  wall: hidden variation of L by conditions of the state alone; else of F and P,
 * or of the loads. */
static noe_hidden_variation backwards(noe_enclosure *e, const double *weight, bool wall)
{
    noe_hidden_variation found = { .wall = wall };
    double               most = 0;
    memset(e->bound, 0, (size_t)(e->first + e->length) * sizeof *e->bound);
    const int forces = e->loads ? e->loads : 2 * e->n;
    for (int i = wall ? forces : 0; i < (wall ? e->outputs : forces); i++)
        e->bound[e->out[i]] += weight[i];
    for (int k = e->length; k-- > 0;) {
        const step  *s = &e->step[k];
        const double by = e->bound[e->first + k];
        const double part = wall && !(s->of_state && jumps(s->op))
                              ? 0
                              : noe_interval_times(by, e->hidden[k]);
        if (!(by > 0)) continue;
        found.part += part;
        if (part > most) {
            most = part;
            found.op = s->op;
            found.of_state = s->of_state;
            found.kink = e->kink[k];
        }
        raise(&e->bound[s->a], noe_interval_times(by, e->partial[k][0]));
        raise(&e->bound[s->b], noe_interval_times(by, e->partial[k][1]));
        raise(&e->bound[s->c], noe_interval_times(by, e->partial[k][2]));
    }
    return found;
}

noe_hidden_variation noe_enclosure_look(noe_enclosure *e, noe_interval t, const noe_interval *q,
                                        const noe_interval *v, const double *weight)
{
    const size_t n = e->loads ? 0 : (size_t)e->n;
    e->value[0] = t;
    if (n) {
        memcpy(e->value + 1, q, n * sizeof *q);
        memcpy(e->value + 1 + n, v, n * sizeof *v);
    }
    if (!forwards(e)) return (noe_hidden_variation){ 0 };
    const noe_hidden_variation found = backwards(e, weight, false);
    return found.part > 1 || e->loads || e->outputs == 2 * e->n ? found
                                                                : backwards(e, weight, true);
}

int noe_enclosure_loads(const noe_enclosure *e) { return e->loads; }

noe_interval noe_enclosure_load(const noe_enclosure *e, int k) { return e->value[e->out[k]]; }

const char *noe_enclosure_operation(int op)
{
    static const char *const name[NOE_OPS] = {
        [NOE_DIV] = "a quotient",
        [NOE_POW] = "a power",
        [NOE_ATAN2] = "atan2",
        [NOE_MOD] = "mod",
        [NOE_TABLE] = "table",
        [NOE_MIN] = "min",
        [NOE_MAX] = "max",
        [NOE_LT] = "if",
        [NOE_LE] = "if",
        [NOE_IF] = "if",
#define FUNCTION(name, derivative) [NOE_FN_##name] = #name,
#include "expr/functions.def"
#undef FUNCTION
    };
    return op >= 0 && op < NOE_OPS && name[op] ? name[op] : "a term";
}
