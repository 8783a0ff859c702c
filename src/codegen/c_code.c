/* Writes expressions as statements of C99, x = a op b.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/c_code.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 100 };

/* A node as C: a variable of the model, a number, or the C variable that holds the node's value. */
const char *noe_c_code_name(const noe_c_nodes *c, noe_ex x, char out[64])
{
    const noe_graph *g = &c->model->graph;
    const noe_node  *node = &g->node[x];
    if (c->kept && c->kept[x] >= 0) {
        snprintf(out, 64, "k[%d]", c->kept[x]);
        return out;
    }
    switch (node->op) {
    case NOE_NUM:
        if (!isfinite((double)node->value)) /* 1e400, log(-1) */
            return isnan((double)node->value) ? "NAN"
                 : node->value < 0            ? "(-HUGE_VAL)"
                                              : "HUGE_VAL";
        snprintf(out, 60, node->value < 0 ? "(%.17g" : "%.17g", (double)node->value);
        if (!strpbrk(out, ".e")) strcat(out, ".0"); /* 1/2 must not be an integer division */
        if (node->value < 0) strcat(out, ")");
        break;
    case NOE_T: return "t";
    case NOE_PARAM: snprintf(out, 64, "param[%d]", node->a); break;
    case NOE_Q: snprintf(out, 64, "z[%d]", node->a); break;
    case NOE_V: snprintf(out, 64, "z[%d]", c->model->n + node->a); break;
    default: snprintf(out, 64, "x%d", x);
    }
    return out;
}

static void assign(noe_text *t, const noe_c_nodes *nodes, noe_ex x)
{
    static const char *const function[NOE_OPS] = {
        [NOE_POW] = "pow",
        [NOE_ATAN2] = "atan2",
#define FUNCTION(name, derivative) [NOE_FN_##name] = #name,
#include "expr/functions.def"
#undef FUNCTION
    };
    const noe_node *node = &nodes->model->graph.node[x];
    char            as[64], bs[64], cs[64];
    const char *a = noe_c_code_name(nodes, node->a, as), *b = noe_c_code_name(nodes, node->b, bs),
               *c = noe_c_code_name(nodes, node->c, cs);
    const char *type = nodes->wide ? "long double" : "double", *l = nodes->wide ? "l" : "";
    if (node->op == NOE_MOD)
        noe_text_add(t,
                     "    const %s rest%d = %s - %s * floor%s(%s / %s),\n"
                     "                 turned%d = (rest%d < 0 && %s > 0) || (rest%d > 0 && %s < 0) "
                     "? rest%d + %s : rest%d;\n",
                     type, x, a, b, l, a, b, x, x, b, x, b, x, b, x);
    noe_text_add(t, "    const %s x%d = ", type, x);
    switch (node->op) {
    case NOE_NEG: noe_text_add(t, "-%s;\n", a); break;
    case NOE_ADD: noe_text_add(t, "%s + %s;\n", a, b); break;
    case NOE_SUB: noe_text_add(t, "%s - %s;\n", a, b); break;
    case NOE_MUL: noe_text_add(t, "%s * %s;\n", a, b); break;
    case NOE_DIV: noe_text_add(t, "%s / %s;\n", a, b); break;
    case NOE_LT: noe_text_add(t, "%s < %s;\n", a, b); break;
    case NOE_LE: noe_text_add(t, "%s <= %s;\n", a, b); break;
    case NOE_MIN: noe_text_add(t, "%s < %s ? %s : %s;\n", a, b, a, b); break;
    case NOE_MAX: noe_text_add(t, "%s < %s ? %s : %s;\n", a, b, b, a); break;
    case NOE_IF: noe_text_add(t, "%s != 0 ? %s : %s;\n", a, b, c); break;
    case NOE_POW:
    case NOE_ATAN2: noe_text_add(t, "%s%s(%s, %s);\n", function[node->op], l, a, b); break;
    case NOE_MOD:
        noe_text_add(t, "fabs%s(turned%d) >= fabs%s(%s) ? 0 : turned%d;\n", l, x, l, b, x);
        break;
    case NOE_FN_sign: noe_text_add(t, "%s < 0 ? -1.0 : %s > 0 ? 1.0 : %s;\n", a, a, a); break;
    case NOE_FN_abs: noe_text_add(t, "fabs%s(%s);\n", l, a); break;
    default: noe_text_add(t, "%s%s(%s);\n", function[node->op], l, a);
    }
}

void noe_c_code_section(noe_text *t, noe_c_nodes *c, const noe_ex *root, int roots)
{
    noe_graph *g = &c->model->graph;
    for (int k = 0, count = noe_evaluate_reach(g, root, roots); k < count; k++) {
        const noe_ex x = g->list[k];
        if (c->written[x] || (c->kept && !noe_graph_moves(g, x))) continue;
        if (noe_graph_arity(g->node[x].op)) assign(t, c, x);
        c->written[x] = true;
    }
}

static void begin_function(noe_c_nodes *c)
{
    memset(c->written, 0, (size_t)c->model->graph.count * sizeof *c->written);
}

/* Is the node stored in k[]: an operation that depends on parameters only? */
static bool constant(const noe_graph *g, noe_ex x)
{
    return noe_graph_arity(g->node[x].op) && !noe_graph_moves(g, x);
}

void noe_c_code_keep(noe_c_nodes *c, const noe_ex *root, int roots)
{
    noe_graph *g = &c->model->graph;
    const int  reached = noe_evaluate_reach(g, root, roots);
    for (noe_ex x = 0; x < g->count; x++) c->kept[x] = -1;
    for (int i = 0; i < reached; i++) { /* constants that a node outside k[] uses */
        const noe_node *node = &g->node[g->list[i]];
        const noe_ex    child[3] = { node->a, node->b, node->c };
        for (int j = 0; j < noe_graph_arity(node->op) && noe_graph_moves(g, g->list[i]); j++)
            if (constant(g, child[j]) && c->kept[child[j]] < 0) c->kept[child[j]] = c->count++;
    }
    for (int i = 0; i < roots; i++)
        if (constant(g, root[i]) && c->kept[root[i]] < 0) c->kept[root[i]] = c->count++;
    for (int i = 0; i < reached; i++)
        if (g->node[g->list[i]].op == NOE_H) c->level = c->kept[g->list[i]] = c->count++;
}

void noe_c_code_constants(noe_text *t, noe_c_nodes *c, const noe_ex *root, int roots,
                          const char *as)
{
    noe_graph *g = &c->model->graph;
    int *const kept = c->kept;
    char       s[64];
    c->kept = NULL;
    noe_text_add(t,
                 "/* k: constants computed from parameters alone. */\n"
                 "static void %s_constants(const double *param, double *k)\n"
                 "{\n"
                 "    (void)param, (void)k;\n",
                 as);
    for (int i = 0, reached = noe_evaluate_reach(g, root, roots); i < reached; i++)
        if (constant(g, g->list[i])) assign(t, c, g->list[i]);
    for (noe_ex x = 0; x < g->count; x++)
        if (kept[x] >= 0 && g->node[x].op != NOE_H)
            noe_text_add(t, "    k[%d] = %s;\n", kept[x], noe_c_code_name(c, x, s));
    noe_text_add(t, "}\n\n");
    c->kept = kept;
}

void noe_c_code_fill(noe_text *t, noe_c_nodes *c, const char *as, const char *name,
                     const noe_c_array *out, int arrays)
{
    char s[64];
    noe_text_add(
        t,
        "static inline void %s_%s(double t, const double *z, const double *param, const double *k",
        as, name);
    for (int i = 0; i < arrays; i++) noe_text_add(t, ", double *%s", out[i].name);
    noe_text_add(t, ")\n{\n    (void)t, (void)z, (void)param, (void)k;\n");
    begin_function(c);
    for (int i = 0; i < arrays; i++) noe_c_code_section(t, c, out[i].root, out[i].count);
    for (int i = 0; i < arrays; i++)
        for (int j = 0; j < out[i].count; j++)
            noe_text_add(t, "    %s[%d] = %s;\n", out[i].name, j,
                         noe_c_code_name(c, out[i].root[j], s));
    noe_text_add(t, "}\n\n");
}

void noe_c_code_value(noe_text *t, noe_c_nodes *c, const char *as, const char *name, noe_ex x,
                      bool wide)
{
    char        s[64];
    const char *type = wide ? "long double" : "double";
    noe_text_add(t,
                 "static %s %s_%s(const %s *z, const double *param, const double *k)\n"
                 "{\n"
                 "    (void)z, (void)param, (void)k;\n",
                 type, as, name, type);
    begin_function(c);
    c->wide = wide;
    noe_c_code_section(t, c, &x, 1);
    c->wide = false;
    noe_text_add(t, "    return %s;\n}\n\n", noe_c_code_name(c, x, s));
}

bool noe_c_code_zero(const noe_c_nodes *c, noe_ex x)
{
    const noe_node *node = &c->model->graph.node[x];
    return node->op == NOE_NUM && node->value == 0;
}

double noe_c_code_cost(const noe_c_nodes *c, const noe_ex *root, int roots)
{
    noe_graph *g = &c->model->graph;
    double     sum = 0;
    for (int i = 0, count = noe_evaluate_reach(g, root, roots); i < count; i++) {
        const int op = g->node[g->list[i]].op;
        if (noe_graph_arity(op) && noe_graph_moves(g, g->list[i]))
            sum += op <= NOE_MUL ? 1 : op == NOE_DIV ? 4 : op >= NOE_MIN && op <= NOE_IF ? 2 : 20;
    }
    return sum;
}

noe_c_nodes noe_c_code_nodes_new(noe_model *m, noe_arena *a)
{
    const size_t count = (size_t)m->graph.count;
    noe_c_nodes  c = { .model = m,
                       .written = noe_arena_take(a, count * sizeof *c.written),
                       .kept = noe_arena_take(a, count * sizeof *c.kept),
                       .level = -1 };
    if (!c.written || !c.kept) longjmp(*m->graph.stop, 1);
    return c;
}

static bool identifier(const char *as)
{
    const size_t n = strspn(as, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return !as[n] && n <= NAME_MOST && (*as < '0' || *as > '9');
}

void noe_c_code_events(noe_text *t, const noe_model *m)
{
    for (int k = 0; k < m->events; k++)
        noe_text_add(t, " * Not part of this code: the event %.60s of the model.\n",
                     m->event[k].name);
}

char *noe_c_code_write(const noe_system *s, const char *as, noe_c_body *body, const void *ctx)
{
    if (s && s->dyn.constraints) {
        noe_status_fail(
            NOE_INVALID,
            "%s: C without the library is not written for systems with constraints: its step "
            "would not keep '%.60s'",
            s->source, noe_system_constraint(s, 0));
        return NULL;
    }
    if (!s) return NULL;
    if (s->dyn.groups) {
        noe_system *written = noe_system_written(s, "C source");
        char       *text = noe_c_code_write(written, as, body, ctx);
        noe_system_free(written);
        return text;
    }
    if (!s->model) {
        noe_status_fail(NOE_INVALID, "a system of functions in C has no text to write as C");
        return NULL;
    }
    if (s->dyn.structure) {
        noe_status_fail(NOE_INVALID, "%s is given by matrices: it has no Lagrangian to write as C",
                        s->source);
        return NULL;
    }
    if (as && *as && !identifier(as)) {
        noe_status_fail(
            NOE_INVALID,
            "'%.60s' is no name in C: expected letters, digits and underscores, at most %d", as,
            NAME_MOST);
        return NULL;
    }
    if (s->model->graph.tables) {
        noe_status_fail(NOE_INVALID, "%s: a table has no C source: write its values as a function",
                        s->source);
        return NULL;
    }
    noe_text t = noe_text_new(NULL);
    /* a copy of the model: the system is immutable, and derivatives add expressions */
    noe_model *m = t.data ? noe_parse_model_text_as(NOE_MODEL_WRITTEN, s->source, s->model->text,
                                                    strlen(s->model->text), s->change, s->changes)
                          : NULL;
    noe_arena *a = m ? noe_arena_new() : NULL;
    jmp_buf    stop;
    if (a) {
        m->graph.stop = &stop;
        if (!setjmp(stop)) body(&t, m, a, as && *as ? as : "model", ctx);
        else free(t.data), t.data = NULL;
        if (!t.data) noe_status_fail(NOE_NO_MEMORY, "out of memory: the C text of %s", s->source);
    } else {
        free(t.data);
        t.data = NULL;
    }
    noe_arena_free(a);
    noe_model_free(m);
    return t.data;
}
