/* A finite-element structure from a model's files: M q'' + (C + alpha M + beta K) q' + K q = f(t).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "system/model_structure.h"

#include "base/hash.h"
#include "base/status.h"
#include "matrix/static_condensation.h"
#include "matrix/structure.h"
#include "matrixfile/matrix_file.h"
#include "system/divided_matrices.h"
#include "system/structure_load.h"
#include "system/start_projection.h"

#include <stdlib.h>
#include <string.h>

/* ---- the files ---- */

/* The path of a file named in a model: in the folder of the model, unless the name begins with a
 * slash. */
static char *beside(const char *model, const char *file)
{
    const char  *slash = strrchr(model, '/');
    const size_t folder = *file == '/' || !slash ? 0 : (size_t)(slash - model) + 1;
    char        *path = noe_status_alloc(folder + strlen(file) + 1, 1);
    if (path) memcpy(path, model, folder), strcpy(path + folder, file);
    return path;
}

/* The rows and columns of the coordinates that are not fixed, of the rows of A from `row` on. */
static noe_sparse *moving(noe_sparse *A, const noe_model *m, int row)
{
    if (m->n == m->rows) return A;
    int from = 0, n = 0, *number = noe_status_alloc((size_t)m->rows, sizeof *number);
    while (from < m->n && m->row[from] < row) from++;
    while (from + n < m->n && m->row[from + n] < row + A->n) n++;
    noe_sparse *B = number ? noe_sparse_new(n, A->start[A->n]) : NULL;
    if (B) {
        for (int i = 0; i < m->rows; i++) number[i] = -1;
        for (int i = 0; i < m->n; i++) number[m->row[i]] = i;
        int64_t at = 0;
        for (int i = 0; i < n; i++) {
            const int64_t *start = A->start + (m->row[from + i] - row);
            for (int64_t k = start[0]; k < start[1]; k++)
                if (number[A->col[k]] >= 0) {
                    B->col[at] = number[A->col[k]];
                    B->value[at++] = A->value[k];
                }
            B->start[i + 1] = at;
        }
    }
    free(number);
    noe_sparse_free(A);
    return B;
}

/* Hash of the matrix, not of the file: blanks, comments and compression do not change it. */
static uint64_t hash_of(const noe_sparse *A)
{
    const size_t   n = (size_t)A->n, entries = (size_t)A->start[n];
    const uint64_t rows = noe_hash(NOE_HASH_BEGIN, A->start, (n + 1) * sizeof *A->start);
    return noe_hash(noe_hash(rows, A->col, entries * sizeof *A->col), A->value,
                    entries * sizeof *A->value);
}

/* A matrix of the model, or the own rows of it, and its hash. */
static noe_sparse *read_one(noe_model *m, const char *path, noe_divided_matrices *x, uint64_t *hash)
{
    if (x->p) return noe_divided_matrices_read(x, m, path, hash);
    noe_sparse *A = noe_matrix_file_read(path, m->rows);
    if (A) *hash = hash_of(A);
    return A;
}

static bool read(noe_model *m, noe_sparse *A[3], noe_structure_load *load, noe_divided_matrices *x)
{
    const int row = x->p ? x->read[x->p->rank] : 0;
    for (int k = NOE_MASS; k <= NOE_DAMPING; k++) {
        if (!m->matrix[k].path) continue;
        char    *path = beside(m->name, m->matrix[k].path);
        uint64_t hash = 0;
        A[k] = path ? read_one(m, path, x, &hash) : NULL;
        const char *name = m->matrix[k].path;
        const bool  set = A[k] && noe_input_files_add(m, name, strlen(name), hash)
                      && noe_matrix_scaling_apply(m, (noe_matrix)k, path, A[k]);
        free(path);
        if (!set || (k == NOE_MASS && !noe_structure_load_ground(load, m, A[k]))
            || !(A[k] = moving(A[k], m, row)))
            return false;
    }
    return true;
}

/* ---- coordinates without mass ---- */

/* Marks the coordinates that observables and definitions read. */
static __attribute__((noinline)) bool *read_by_others(noe_model *m)
{
    bool   *read = noe_status_alloc((size_t)m->n, sizeof *read);
    noe_ex *root = noe_status_alloc((size_t)(m->symbols + m->events) + 1, sizeof *root);
    int     roots = 0;
    for (int k = 0; root && k < m->events; k++) root[roots++] = m->event[k].g;
    for (int i = 0; root && i < m->symbols; i++) {
        const noe_symbol *s = m->symbol[i];
        if (!s->family && (s->what == NOE_IS_DEFINITION || s->what == NOE_IS_OBSERVABLE))
            root[roots++] = s->ex;
    }
    for (int k = 0, count = read && root ? noe_evaluate_reach(&m->graph, root, roots) : 0;
         k < count; k++) {
        const noe_node *x = &m->graph.node[m->graph.list[k]];
        if (x->op == NOE_Q || x->op == NOE_V || x->op == NOE_P) read[x->a] = true;
    }
    free(root);
    return root ? read : (free(read), NULL);
}

/* Replaces massless coordinates that something reads by q_b = S q_a + G f: they follow the others
 * and the forces without delay. */
static bool eliminate(noe_model *m, const noe_condensation *x, const noe_structure_load *load)
{
    noe_ex       *to = noe_status_alloc((size_t)m->n, sizeof *to);
    double       *G = noe_status_alloc((size_t)x->n, sizeof *G);
    bool         *wanted = read_by_others(m);
    jmp_buf       stop, *outer = m->graph.stop;
    volatile bool ok = to && G && wanted;
    m->graph.stop = &stop;
    if (ok && setjmp(stop)) ok = false;
    else if (ok) {
        for (int i = 0; i < m->n; i++) to[i] = -1;
        for (int b = 0; b < x->eliminated; b++) {
            noe_ex sum = to[x->eliminated_index[b]] = noe_graph_number(&m->graph, 0);
            if (!wanted[x->eliminated_index[b]]) continue;
            if (x->axes && load->count && noe_static_condensation_static(x, b, G)) longjmp(stop, 1);
            for (int k = 0; k < load->count && x->axes; k++) {
                const double g = G[load->term[k].row] * load->term[k].w;
                if (g == 0) continue;
                const noe_ex term = noe_simplify_make(&m->graph, NOE_MUL,
                                                      noe_graph_number(&m->graph, g),
                                                      load->g[load->term[k].of], 0);
                sum = noe_simplify_make(&m->graph, NOE_ADD, sum, term, 0);
            }
            for (int a = 0; a < x->kept; a++) {
                const double S = x->S[(size_t)b * (size_t)x->kept + (size_t)a];
                if (S == 0) continue;
                const noe_ex term = noe_simplify_make(&m->graph, NOE_MUL,
                                                      noe_graph_number(&m->graph, S),
                                                      noe_graph_leaf(&m->graph, NOE_Q, a), 0);
                sum = noe_simplify_make(&m->graph, NOE_ADD, sum, term, 0);
            }
            to[x->eliminated_index[b]] = sum;
        }
        ok = noe_parse_model_eliminate(m, to);
    }
    m->graph.stop = outer;
    free(to);
    free(G);
    free(wanted);
    return ok;
}

/* ---- the dynamics ---- */

static noe_tape *observed(noe_model *m)
{
    noe_ex   *seen = noe_status_alloc((size_t)m->observables + 1, sizeof *seen);
    noe_tape *tape = NULL;
    for (int i = 0; seen && i < m->observables; i++) seen[i] = m->observable[i]->ex;
    if (seen) tape = noe_tape_new(&m->graph, m->param, m->n, seen, m->observables);
    free(seen);
    return tape;
}

/* Reads the matrices; *s: the structure where each process keeps its rows, else NULL. */
static bool read_structure(noe_model *m, noe_sparse *A[3], noe_structure_load *load,
                           noe_structure **s)
{
    noe_divided_matrices x;
    bool                 ok = noe_divided_matrices_plan(&x, m) && read(m, A, load, &x);
    if (ok && x.p) ok = noe_divided_matrices_keep(&x, A, s);
    noe_divided_matrices_drop(&x);
    return ok;
}

/* Makes the whole dynamics; a lack of memory in the graph leaves by longjmp. */
static bool make(noe_model *m, noe_dynamics *d, noe_structure_load *load, noe_condensation *x,
                 noe_sparse *A[3], noe_tape **observe)
{
    noe_structure *s = NULL;
    noe_graph_number(&m->graph, 1); /* so that no load adds this node */
    if (!read_structure(m, A, load, &s) || !noe_structure_load_forces(load, m)
        || (!s
            && noe_static_condensation_make(&A[NOE_MASS], &A[NOE_DAMPING], &A[NOE_STIFFNESS], x)))
        return noe_structure_free(s), false;
    const bool loaded = load->count > 0;
    if (x->eliminated
        && (!noe_start_projection_apply(m, x, loaded) || !eliminate(m, x, load)
            || !noe_structure_load_condense(load, x)))
        return false;
    if (!s) s = noe_structure_new(A[NOE_MASS], A[NOE_DAMPING], A[NOE_STIFFNESS]);
    memset(A, 0, 3 * sizeof *A); /* now owned by the structure */
    if (!s) return false;
    s->massless = x->eliminated;
    s->oblique_massless = x->eliminated && !x->axes;
    s->nearly_singular = x->nearly_singular;
    s->blas = x->blas;
    s->alpha += (double)m->alpha;
    s->beta += (double)m->beta;
    const bool damped = s->C || s->alpha != 0 || s->beta != 0;
    *d = (noe_dynamics){ .n = m->n,
                         .linear = true,
                         .constant = true,
                         .forced = damped || loaded,
                         .autonomous = !damped && !loaded,
                         .structure = s };
    return noe_structure_load_hang(load, m, s) && (*observe = observed(m));
}

bool noe_model_structure_make(noe_model *m, noe_arena *arena, noe_dynamics *d, noe_tape **observe)
{
    (void)arena;
    noe_sparse        *A[3] = { NULL, NULL, NULL };
    noe_condensation   x = { .n = 0 };
    noe_structure_load load = { .count = 0 };
    jmp_buf            stop;
    volatile bool      ok = false;
    m->graph.stop = &stop;
    if (!setjmp(stop)) ok = make(m, d, &load, &x, A, observe);
    m->graph.stop = NULL;
    noe_structure_load_free(&load);
    noe_static_condensation_free(&x);
    for (int k = 0; k < 3; k++) noe_sparse_free(A[k]);
    return ok;
}
