/* Writes L, dL, d2L and the forces f, df as C99.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/c_code.h"
#include "expr/derivative.h"
#include "tape/lowering.h"
#include "system/system.h"

#include <string.h>

static void header(noe_text *t, const noe_model *m, const char *as)
{
    noe_text_add(t, "/* %s_lagrangian: L(t, q, v) of %.200s and its derivatives, C99.\n", as,
                 strpbrk(m->name, "*\n?") ? "a model" : m->name);
    noe_text_add(t, " * Written by noether " NOE_VERSION
                    " from the model text; change that, not this.\n *\n");
    noe_text_add(t, " * z = (q, v): ");
    for (int i = 0; i < m->n; i++)
        noe_text_add(t, "%s%.100s", i ? ", " : "", m->coordinate[i]->name);
    noe_text_add(t, ", then their velocities.\n");
    for (int i = 0, k = 0; i < m->symbols; i++)
        if (m->symbol[i]->what == NOE_IS_PARAMETER)
            noe_text_add(t, " * param[%d] = %.100s, in the model %.17g\n", k, m->symbol[i]->name,
                         (double)m->param[k]),
                k++;
    noe_c_code_events(t, m);
    noe_text_add(
        t,
        " * Returns L.  Fills grad[%d] = (L_q, L_v) and hess[%d][%d], symmetric, unless they are\n"
        " * NULL. */\n",
        2 * m->n, 2 * m->n, 2 * m->n);
    noe_text_add(t, "#include <math.h>\n#include <stddef.h>\n\n");
    for (int i = 0; i < 2; i++) /* declared, then defined */
        noe_text_add(
            t,
            "double %s_lagrangian(double t, const double *z, const double *param, double *grad,\n"
            "                     double *hess, void *ctx)%s\n",
            as, i ? "\n{" : ";\n");
    noe_text_add(t, "    (void)t, (void)z, (void)param, (void)ctx;\n");
}

static void emit(noe_text *t, noe_model *m, noe_arena *a, const char *as)
{
    noe_graph *g = &m->graph;
    const int  n = m->n, N = 2 * n;
    char       s[64];
    noe_ex    *root = noe_arena_take(a, ((size_t)N * (size_t)N + (size_t)N + 1) * sizeof *root);
    if (!root) longjmp(*g->stop, 1);
    noe_ex *grad = root + 1, *hess = grad + N;
    root[0] = m->L;
    noe_derivative_gradient(g, m->L, n, grad);
    for (int i = 0; i < N; i++) noe_derivative_gradient(g, grad[i], n, hess + i * N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) hess[j * N + i] = hess[i * N + j];
    noe_lowering_apply(g, root, 1 + N + N * N);
    noe_c_nodes c = noe_c_code_nodes_new(m, a);
    c.kept = NULL;
    header(t, m, as);
    noe_c_code_section(t, &c, root, 1);
    noe_text_add(t, "    if (!grad && !hess) return %s;\n\n", noe_c_code_name(&c, root[0], s));
    noe_c_code_section(t, &c, root, 1 + N);
    noe_text_add(t, "    if (grad) {\n");
    for (int i = 0; i < N; i++)
        noe_text_add(t, "        grad[%d] = %s;\n", i, noe_c_code_name(&c, grad[i], s));
    noe_text_add(t, "    }\n    if (!hess) return %s;\n\n", noe_c_code_name(&c, root[0], s));
    noe_c_code_section(t, &c, root, 1 + N + N * N);
    for (int i = 0; i < N * N; i++)
        noe_text_add(t, "    hess[%d] = %s;\n", i, noe_c_code_name(&c, hess[i], s));
    noe_text_add(t, "    return %s;\n}\n", noe_c_code_name(&c, root[0], s));
}

/* f and df/dz, a noe_force beside L. */
static void emit_force(noe_text *t, noe_model *m, noe_arena *a, const char *as)
{
    noe_graph *g = &m->graph;
    const int  n = m->n, N = 2 * n;
    char       s[64];
    noe_ex    *f = noe_arena_take(a, ((size_t)n * (size_t)N + 4 * (size_t)n) * sizeof *f),
           *slope = f + n;
    if (!f) longjmp(*g->stop, 1);
    noe_force_statement_forces(m, f, slope);
    for (int i = 0; i < n; i++) noe_derivative_gradient(g, f[i], n, slope + i * N);
    noe_lowering_apply(g, f, n + n * N);
    noe_c_nodes c = noe_c_code_nodes_new(m, a);
    c.kept = NULL;
    noe_text_add(
        t,
        "\n"
        "/* %s_force: the generalized forces, with those of the dissipation; param as above.\n"
        " * Fills f[%d], and dfdz[%d][%d] = df/d(q, v) unless it is NULL. */\n",
        as, n, n, N);
    for (int i = 0; i < 2; i++)
        noe_text_add(t,
                     "void %s_force(double t, const double *z, const double *param, double *f,\n"
                     "              double *dfdz, void *ctx)%s\n",
                     as, i ? "\n{" : ";\n");
    noe_text_add(t, "    (void)t, (void)z, (void)param, (void)ctx;\n");
    noe_c_code_section(t, &c, f, n);
    for (int i = 0; i < n; i++)
        noe_text_add(t, "    f[%d] = %s;\n", i, noe_c_code_name(&c, f[i], s));
    noe_text_add(t, "    if (!dfdz) return;\n\n");
    noe_c_code_section(t, &c, f, n + n * N);
    for (int i = 0; i < n * N; i++)
        noe_text_add(t, "    dfdz[%d] = %s;\n", i, noe_c_code_name(&c, slope[i], s));
    noe_text_add(t, "}\n");
}

/* Writes the functions of noe_system_emit: L, and the forces if there are any. */
static void functions(noe_text *t, noe_model *m, noe_arena *a, const char *as, const void *ctx)
{
    (void)ctx;
    emit(t, m, a, as);
    if (noe_force_statement_is_forced(m)) emit_force(t, m, a, as);
}

char *noe_system_emit(const noe_system *s, const char *as)
{
    return noe_c_code_write(s, as, functions, NULL);
}
