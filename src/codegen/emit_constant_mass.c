/* Writes force and mass of a Lagrangian with P = M v, M constant, as C99.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * L has this form if F does not depend on v, P not on q and t, every P_j is 0 at v = 0, P_v depends
 * on parameters alone, and M = P_v is positive definite for the present ones. */
#include "codegen/emit_constant_mass.h"

#include <math.h>

/* Is the expression 0 at v = 0 for all parameters? True for products with v and sums of such
 * products. */
static bool at_rest(noe_model *m, noe_arena *a, noe_ex root)
{
    noe_graph *g = &m->graph;
    bool      *zero = noe_arena_need(a, g->stop, (size_t)g->count, sizeof *zero);
    const int  count = noe_evaluate_reach(g, &root, 1);
    for (int i = 0; i < count; i++) {
        const noe_ex   e = g->list[i];
        const noe_node x = g->node[e];
        switch (x.op) {
        case NOE_V: zero[e] = true; break;
        case NOE_NUM: zero[e] = x.value == 0; break;
        case NOE_NEG: zero[e] = zero[x.a]; break;
        case NOE_ADD:
        case NOE_SUB: zero[e] = zero[x.a] && zero[x.b]; break;
        case NOE_MUL: zero[e] = zero[x.a] || zero[x.b]; break;
        case NOE_DIV: zero[e] = zero[x.a]; break;
        default: zero[e] = false;
        }
    }
    return zero[root];
}

/* Are the pivots of M positive for the present parameters? */
static bool positive(noe_model *m, noe_arena *a, const noe_ex *root)
{
    const int n = m->n, N = 2 * n;
    quad     *M = noe_arena_need(a, m->graph.stop, (size_t)n * (size_t)n, sizeof *M);
    for (int i = 0; i < n * n; i++)
        M[i] = noe_evaluate_constant(&m->graph, root[N + (n + i / n) * N + n + i % n], m->param);
    for (int j = 0; j < n; j++) {
        if (!(M[j * n + j] > 0)) return false;
        for (int i = j + 1; i < n; i++)
            for (int k = j + 1; k < n; k++)
                M[i * n + k] -= M[i * n + j] / M[j * n + j] * M[j * n + k];
    }
    return true;
}

bool noe_emit_constant_mass_applies(noe_model *m, noe_arena *a, const noe_ex *root)
{
    const noe_node *node = m->graph.node;
    const int       n = m->n, N = 2 * n;
    for (int j = 0; j < n; j++) {
        if (node[root[j]].has & NOE_HAS_V || node[root[n + j]].has & (NOE_HAS_Q | NOE_HAS_T))
            return false;
        for (int k = 0; k < n; k++)
            if (noe_graph_moves(&m->graph, root[N + (n + j) * N + n + k])) return false;
        if (!at_rest(m, a, root[n + j])) return false;
    }
    return positive(m, a, root);
}

noe_ex *noe_emit_constant_mass_roots(noe_model *m, noe_arena *a, const noe_ex *root)
{
    const int n = m->n, N = 2 * n;
    noe_ex   *F = noe_arena_need(a, m->graph.stop, (size_t)n * (size_t)(N + 1), sizeof *F),
           *K = F + n, *M = K + n * n;
    for (int i = 0; i < n; i++) F[i] = root[i];
    for (int i = 0; i < n * n; i++) {
        K[i] = root[N + (i / n) * N + i % n];
        M[i] = root[N + (n + i / n) * N + n + i % n];
    }
    return F;
}

bool noe_emit_constant_mass_functions(noe_text *t, noe_c_nodes *c, const noe_ex *F, const char *as,
                                      bool slope)
{
    const int         n = c->model->n;
    const noe_ex     *K = F + n, *M = K + n * n;
    const noe_c_array out[] = { { "F", F, n }, { "K", K, n * n } };
    char              s[64];
    noe_c_code_constants(t, c, F, n + 2 * n * n, as);
    noe_text_add(t, "/* F = L_q and the forces at (t, z), z = q%s. */\n", slope ? "; K = F_q" : "");
    noe_c_code_fill(t, c, as, "force", out, 1);
    if (slope) noe_c_code_fill(t, c, as, "slope", out, 2);
    noe_text_add(t,
                 "static void %s_mass(const double *param, const double *k, double *M)\n{\n"
                 "    (void)param, (void)k;\n",
                 as);
    for (int i = 0; i < n * n; i++)
        noe_text_add(t, "    M[%d] = %s;\n", i, noe_c_code_name(c, M[i], s));
    noe_text_add(t, "}\n\n");
    bool diagonal = true;
    for (int i = 0; i < n * n; i++) diagonal &= i / n == i % n || noe_c_code_zero(c, M[i]);
    if (!diagonal)
        noe_text_add(t, "static void %s_solve(const double *A, const int *row, double *x);\n\n",
                     as);
    noe_text_add(
        t,
        "/* x <- M^-1 x; A has the factors of M. */\n"
        "static inline void %s_inverse_mass(const double *A, const int *row, double *x)\n{\n",
        as);
    if (diagonal)
        noe_text_add(t,
                     "    (void)row;\n    for (int j = 0; j < %d; j++) x[j] *= A[j * %d];\n}\n\n",
                     n, n + 1);
    else noe_text_add(t, "    %s_solve(A, row, x);\n}\n\n", as);
    return !diagonal;
}
