/* M q'' + (C + alpha M + beta K) q' + K q = f(t):  a structure from a model's files.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run/matrices.h"

#include "base/status.h"
#include "linear/condense.h"
#include "linear/linear.h"
#include "linear/matrix_file.h"

#include <stdlib.h>
#include <string.h>

/* ---- the files ---- */

/* Beside the model, unless the name begins with a slash. */
static char *beside(const char *model, const char *file)
{
    const char  *slash = strrchr(model, '/');
    const size_t folder = *file == '/' || !slash ? 0 : (size_t)(slash - model) + 1;
    char        *path = noe_alloc(folder + strlen(file) + 1, 1);
    if (path) memcpy(path, model, folder), strcpy(path + folder, file);
    return path;
}

/* Rows and columns of the coordinates that move. */
static noe_sparse *moving(noe_sparse *A, const noe_model *m)
{
    if (m->n == m->rows) return A;
    int        *number = noe_alloc((size_t)A->n, sizeof *number);
    noe_sparse *B = number ? noe_sparse_new(m->n, A->start[A->n]) : NULL;
    if (B) {
        for (int i = 0; i < A->n; i++) number[i] = -1;
        for (int i = 0; i < m->n; i++) number[m->row[i]] = i;
        int64_t at = 0;
        for (int i = 0; i < m->n; i++) {
            for (int64_t k = A->start[m->row[i]]; k < A->start[m->row[i] + 1]; k++)
                if (number[A->col[k]] >= 0) B->col[at] = number[A->col[k]], B->value[at++] = A->value[k];
            B->start[i + 1] = at;
        }
    }
    free(number);
    noe_sparse_free(A);
    return B;
}

static bool read(const noe_model *m, noe_sparse *A[3])
{
    for (int k = NOE_MASS; k <= NOE_DAMPING; k++) {
        if (!m->matrix[k].path) continue;
        char *path = beside(m->name, m->matrix[k].path);
        A[k] = path ? noe_matrix_read(path, m->rows) : NULL;
        const bool fits = A[k] && A[k]->n == m->rows;
        if (A[k] && !fits)
            noe_fail(NOE_INVALID, "%s: %d rows, but %d coordinates are declared: one for every row, 'coordinate u[1..%d]'", path,
                     A[k]->n, m->rows, A[k]->n);
        free(path);
        if (!fits || !(A[k] = moving(A[k], m))) return false;
    }
    return true;
}

/* ---- what has no mass ---- */

/* A force on what follows acts on what it follows. */
static void pass_on(noe_model *m, const noe_condensed *x, const int *gone)
{
    const int own = m->forces;
    int       count = 0, room = own;
    for (int k = 0; k < own; k++) room += gone[m->force[k].index] >= 0 ? x->kept : 0;
    noe_acting *all = noe_arena_take(m->arena, (size_t)(room + 1) * sizeof *all);
    if (!all) longjmp(*m->graph.stop, 1);
    for (int k = 0; k < own; k++) {
        const int b = gone[m->force[k].index];
        if (b < 0) {
            all[count++] = m->force[k];
            continue;
        }
        for (int a = 0; a < x->kept; a++) {
            const double S = x->S[(size_t)b * (size_t)x->kept + (size_t)a];
            if (S != 0)
                all[count++] = (noe_acting){ x->keep[a], noe_make(&m->graph, NOE_MUL, noe_num(&m->graph, S), m->force[k].ex, 0) };
        }
    }
    m->force = all, m->forces = count;
}

static bool eliminate(noe_model *m, const noe_condensed *x)
{
    noe_ex *to = noe_alloc((size_t)m->n, sizeof *to);
    int    *gone = noe_alloc((size_t)m->n, sizeof *gone);
    jmp_buf stop;
    bool    ok = false;
    m->graph.stop = &stop;
    if (to && gone && !setjmp(stop)) {
        for (int i = 0; i < m->n; i++) to[i] = -1, gone[i] = -1;
        for (int b = 0; b < x->gone; b++) {
            noe_ex sum = noe_num(&m->graph, 0);
            gone[x->drop[b]] = b;
            for (int a = 0; a < x->kept; a++) {
                const double S = x->S[(size_t)b * (size_t)x->kept + (size_t)a];
                if (S == 0) continue;
                const noe_ex term = noe_make(&m->graph, NOE_MUL, noe_num(&m->graph, S), noe_leaf(&m->graph, NOE_Q, a), 0);
                sum = noe_make(&m->graph, NOE_ADD, sum, term, 0);
            }
            to[x->drop[b]] = sum;
        }
        pass_on(m, x, gone);
        ok = noe_model_eliminate(m, to);
    }
    m->graph.stop = NULL;
    free(to);
    free(gone);
    return ok;
}

/* ---- the load ---- */

typedef struct {
    noe_tape *tape;
    int       n, count, *index;
} load;

enum { ROOM = 4096 };

/* Worked out in binary128 from t alone; several threads may ask at once. */
static void push(double t, double *f, void *ctx)
{
    const load *x = ctx;
    quad        few[ROOM], *slot = x->tape->slots + x->count + x->tape->inputs <= ROOM
                                 ? few : malloc((size_t)(x->tape->slots + x->count + x->tape->inputs) * sizeof *slot);
    memset(f, 0, (size_t)x->n * sizeof *f);
    if (!slot) {
        f[0] = __builtin_nan(""); /* the run ends there */
        return;
    }
    quad *input = slot + x->tape->slots, *out = input + x->tape->inputs;
    memset(input, 0, (size_t)x->tape->inputs * sizeof *input);
    input[0] = t;
    noe_tape_run(x->tape, input, slot, out);
    for (int k = 0; k < x->count; k++) f[x->index[k]] += (double)out[k];
    if (slot != few) free(slot);
}

static void drop_load(void *ctx)
{
    load *x = ctx;
    free(x->tape);
    free(x->index);
    free(x);
}

static bool make_load(noe_model *m, noe_linear *s)
{
    if (!m->forces) return true;
    load   *x = noe_alloc(1, sizeof *x);
    noe_ex *root = noe_alloc((size_t)m->forces, sizeof *root);
    bool    ok = false;
    if (x && root && (x->index = noe_alloc((size_t)m->forces, sizeof *x->index))) {
        x->n = m->n, x->count = m->forces;
        for (int k = 0; k < m->forces; k++) root[k] = m->force[k].ex, x->index[k] = m->force[k].index;
        /* t is all that it reads: one coordinate is enough of a place for the others */
        ok = (x->tape = noe_tape_new(&m->graph, m->param, 1, root, m->forces)) != NULL;
    }
    free(root);
    if (ok) s->load = push, s->ctx = x, s->drop = drop_load;
    else if (x) drop_load(x);
    return ok;
}

/* ---- the dynamics ---- */

static noe_tape *observed(noe_model *m)
{
    noe_ex   *seen = noe_alloc((size_t)m->observables + 1, sizeof *seen);
    noe_tape *tape = NULL;
    for (int i = 0; seen && i < m->observables; i++) seen[i] = m->observable[i]->ex;
    if (seen) tape = noe_tape_new(&m->graph, m->param, m->n, seen, m->observables);
    free(seen);
    return tape;
}

bool noe_matrices_make(noe_model *m, noe_arena *arena, noe_dynamics *d, noe_tape **observe)
{
    (void)arena;
    noe_sparse *A[3] = { NULL, NULL, NULL };
    noe_condensed x = { .n = 0 };
    const bool    there = read(m, A) && !noe_condense(&A[NOE_MASS], &A[NOE_DAMPING], &A[NOE_STIFFNESS], &x)
                       && (!x.gone || eliminate(m, &x));
    noe_condensed_free(&x);
    if (!there) {
        for (int k = 0; k < 3; k++) noe_sparse_free(A[k]);
        return false;
    }
    noe_linear *s = noe_linear_new(A[NOE_MASS], A[NOE_DAMPING], A[NOE_STIFFNESS]);
    if (!s) return false;
    s->massless = x.gone;
    s->hidden = x.gone && !x.axes;
    s->alpha += (double)m->alpha;
    s->beta += (double)m->beta;
    const bool damped = s->C || s->alpha != 0 || s->beta != 0;
    *d = (noe_dynamics){ .n = m->n, .linear = true, .constant = true, .forced = damped || m->forces,
                         .autonomous = !damped && !m->forces, .structure = s };
    jmp_buf       stop;
    volatile bool ok = false;
    m->graph.stop = &stop;
    if (!setjmp(stop)) ok = make_load(m, s) && (*observe = observed(m));
    m->graph.stop = NULL;
    return ok;
}
