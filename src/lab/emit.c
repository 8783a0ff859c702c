/* L, dL, d2L; f, df -> C99.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "lab/text.h"
#include "lang/diff.h"
#include "run/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 100 };

/* A child as C: a leaf or a number by itself, else the variable that holds it. */
static const char *name(const noe_graph *g, noe_ex x, int n, char out[64])
{
    const noe_node *node = &g->node[x];
    switch (node->op) {
    case NOE_NUM:
        if (!isfinite((double)node->value)) /* 1e400, log(-1) */
            return isnan((double)node->value) ? "NAN" : node->value < 0 ? "(-HUGE_VAL)" : "HUGE_VAL";
        snprintf(out, 60, node->value < 0 ? "(%.17g" : "%.17g", (double)node->value);
        if (!strpbrk(out, ".e")) strcat(out, ".0"); /* 1/2 must not be an integer division */
        if (node->value < 0) strcat(out, ")");
        break;
    case NOE_T: return "t";
    case NOE_PARAM: snprintf(out, 64, "param[%d]", node->a); break;
    case NOE_Q: snprintf(out, 64, "z[%d]", node->a); break;
    case NOE_V: snprintf(out, 64, "z[%d]", n + node->a); break;
    default: snprintf(out, 64, "x%d", x);
    }
    return out;
}

static void assign(noe_text *t, const noe_graph *g, noe_ex x, int n)
{
    static const char *const function[NOE_OPS] = { [NOE_POW] = "pow", [NOE_ATAN2] = "atan2",
#define FUNCTION(name, derivative) [NOE_FN_##name] = #name,
#include "lang/functions.def"
#undef FUNCTION
    };
    const noe_node *node = &g->node[x];
    char            as[64], bs[64], cs[64];
    const char     *a = name(g, node->a, n, as), *b = name(g, node->b, n, bs), *c = name(g, node->c, n, cs);
    noe_say(t, "    const double x%d = ", x);
    switch (node->op) {
    case NOE_NEG: noe_say(t, "-%s;\n", a); break;
    case NOE_ADD: noe_say(t, "%s + %s;\n", a, b); break;
    case NOE_SUB: noe_say(t, "%s - %s;\n", a, b); break;
    case NOE_MUL: noe_say(t, "%s * %s;\n", a, b); break;
    case NOE_DIV: noe_say(t, "%s / %s;\n", a, b); break;
    case NOE_LT: noe_say(t, "%s < %s;\n", a, b); break;
    case NOE_LE: noe_say(t, "%s <= %s;\n", a, b); break;
    case NOE_MIN: noe_say(t, "%s < %s ? %s : %s;\n", a, b, a, b); break;
    case NOE_MAX: noe_say(t, "%s < %s ? %s : %s;\n", a, b, b, a); break;
    case NOE_IF: noe_say(t, "%s != 0 ? %s : %s;\n", a, b, c); break;
    case NOE_POW:
    case NOE_ATAN2: noe_say(t, "%s(%s, %s);\n", function[node->op], a, b); break;
    case NOE_FN_abs: noe_say(t, "fabs(%s);\n", a); break;
    default: noe_say(t, "%s(%s);\n", function[node->op], a);
    }
}

static void header(noe_text *t, const noe_model *m, const char *as)
{
    noe_say(t, "/* %s_lagrangian: L(t, q, v) of %.200s and its derivatives, C99.\n", as,
            strpbrk(m->name, "*\n?") ? "a model" : m->name);
    noe_say(t, " * Written by noether " NOE_VERSION " from the model text; change that, not this.\n *\n");
    noe_say(t, " * z = (q, v): ");
    for (int i = 0; i < m->n; i++) noe_say(t, "%s%.100s", i ? ", " : "", m->coordinate[i]->name);
    noe_say(t, ", then their velocities.\n");
    for (int i = 0, k = 0; i < m->symbols; i++)
        if (m->symbol[i]->what == NOE_IS_PARAMETER)
            noe_say(t, " * param[%d] = %.100s, in the model %.17g\n", k, m->symbol[i]->name, (double)m->param[k]),
            k++;
    noe_say(t, " * Returns L.  Fills grad[%d] = (L_q, L_v) and hess[%d][%d] (symmetric) unless they are NULL. */\n",
            2 * m->n, 2 * m->n, 2 * m->n);
    noe_say(t, "#include <math.h>\n#include <stddef.h>\n\n");
    for (int i = 0; i < 2; i++) /* declared, then defined */
        noe_say(t, "double %s_lagrangian(double t, const double *z, const double *param, double *grad, double *hess, "
                "void *ctx)%s\n", as, i ? "\n{" : ";\n");
    noe_say(t, "    (void)t, (void)z, (void)param, (void)ctx;\n");
}

/* Nodes that `roots` need and that are not written yet, in order. */
static void section(noe_text *t, noe_model *m, const noe_ex *root, int roots, bool *written)
{
    noe_graph *g = &m->graph;
    for (int k = 0, count = noe_reach(g, root, roots); k < count; k++) {
        const noe_ex x = g->list[k];
        if (!written[x] && noe_arity(g->node[x].op)) assign(t, g, x, m->n);
        written[x] = true;
    }
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
    noe_gradient(g, m->L, n, grad);
    for (int i = 0; i < N; i++) noe_gradient(g, grad[i], n, hess + i * N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) hess[j * N + i] = hess[i * N + j];
    noe_lower(g, root, 1 + N + N * N);
    bool *written = noe_arena_take(a, (size_t)g->count);
    if (!written) longjmp(*g->stop, 1);
    header(t, m, as);
    section(t, m, root, 1, written);
    noe_say(t, "    if (!grad && !hess) return %s;\n\n", name(g, root[0], n, s));
    section(t, m, root, 1 + N, written);
    noe_say(t, "    if (grad) {\n");
    for (int i = 0; i < N; i++) noe_say(t, "        grad[%d] = %s;\n", i, name(g, grad[i], n, s));
    noe_say(t, "    }\n    if (!hess) return %s;\n\n", name(g, root[0], n, s));
    section(t, m, root, 1 + N + N * N, written);
    for (int i = 0; i < N * N; i++) noe_say(t, "    hess[%d] = %s;\n", i, name(g, hess[i], n, s));
    noe_say(t, "    return %s;\n}\n", name(g, root[0], n, s));
}

/* f and df/dz, a noe_force beside L. */
static void emit_force(noe_text *t, noe_model *m, noe_arena *a, const char *as)
{
    noe_graph *g = &m->graph;
    const int  n = m->n, N = 2 * n;
    char       s[64];
    noe_ex    *f = noe_arena_take(a, ((size_t)n * (size_t)N + 4 * (size_t)n) * sizeof *f), *slope = f + n;
    if (!f) longjmp(*g->stop, 1);
    noe_model_force(m, f, slope);
    for (int i = 0; i < n; i++) noe_gradient(g, f[i], n, slope + i * N);
    noe_lower(g, f, n + n * N);
    bool *written = noe_arena_take(a, (size_t)g->count);
    if (!written) longjmp(*g->stop, 1);
    noe_say(t, "\n/* %s_force: the generalized forces, those of the dissipation among them; param as above.\n"
            " * Fills f[%d], and dfdz[%d][%d] = df/d(q, v) unless it is NULL. */\n", as, n, n, N);
    for (int i = 0; i < 2; i++)
        noe_say(t, "void %s_force(double t, const double *z, const double *param, double *f, double *dfdz, void *ctx)%s\n",
                as, i ? "\n{" : ";\n");
    noe_say(t, "    (void)t, (void)z, (void)param, (void)ctx;\n");
    section(t, m, f, n, written);
    for (int i = 0; i < n; i++) noe_say(t, "    f[%d] = %s;\n", i, name(g, f[i], n, s));
    noe_say(t, "    if (!dfdz) return;\n\n");
    section(t, m, f, n + n * N, written);
    for (int i = 0; i < n * N; i++) noe_say(t, "    dfdz[%d] = %s;\n", i, name(g, slope[i], n, s));
    noe_say(t, "}\n");
}

static bool identifier(const char *as)
{
    const size_t n = strspn(as, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return !as[n] && n <= NAME_MOST && (*as < '0' || *as > '9');
}

char *noe_system_emit(const noe_system *s, const char *as)
{
    if (!s) return NULL;
    if (s->dyn.groups) {
        noe_system *written = noe_system_written(s, "C source");
        char       *text = noe_system_emit(written, as);
        noe_system_free(written);
        return text;
    }
    if (!s->model) {
        noe_fail(NOE_INVALID, "a system of functions in C has no text to write as C");
        return NULL;
    }
    if (s->dyn.structure) {
        noe_fail(NOE_INVALID, "%s is given by matrices: it has no Lagrangian to write as C", s->source);
        return NULL;
    }
    if (as && *as && !identifier(as)) {
        noe_fail(NOE_INVALID, "'%.60s' is no name in C: expected letters, digits and underscores, at most %d", as,
                 NAME_MOST);
        return NULL;
    }
    noe_text t = noe_text_new();
    /* A model of its own: the system is immutable, and derivatives add expressions. */
    noe_model *m = t.data ? noe_model_parse_as(NOE_MODEL_WRITTEN, s->source, s->model->text, strlen(s->model->text), s->change, s->changes)
                          : NULL;
    noe_arena *a = m ? noe_arena_new() : NULL;
    jmp_buf    stop;
    if (a) {
        m->graph.stop = &stop;
        if (!setjmp(stop)) {
            emit(&t, m, a, as && *as ? as : "model");
            if (noe_model_forced(m)) emit_force(&t, m, a, as && *as ? as : "model");
        }
        else free(t.data), t.data = NULL;
        if (!t.data) noe_fail(NOE_NO_MEMORY, "out of memory: the C text of %s", s->source);
    } else {
        free(t.data);
        t.data = NULL;
    }
    noe_arena_free(a);
    noe_model_free(m);
    return t.data;
}
