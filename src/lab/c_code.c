/* x <- a op b: expressions as statements of C99.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "lab/c_code.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 100 };

/* A child as C: a leaf or a number by itself, else the variable that holds it. */
const char *noe_c_name(const noe_graph *g, noe_ex x, int n, char out[64])
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
    const char     *a = noe_c_name(g, node->a, n, as), *b = noe_c_name(g, node->b, n, bs), *c = noe_c_name(g, node->c, n, cs);
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

/* Nodes that `roots` need and that are not written yet, in order. */
void noe_c_section(noe_text *t, noe_model *m, const noe_ex *root, int roots, bool *written)
{
    noe_graph *g = &m->graph;
    for (int k = 0, count = noe_reach(g, root, roots); k < count; k++) {
        const noe_ex x = g->list[k];
        if (!written[x] && noe_arity(g->node[x].op)) assign(t, g, x, m->n);
        written[x] = true;
    }
}

static bool identifier(const char *as)
{
    const size_t n = strspn(as, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return !as[n] && n <= NAME_MOST && (*as < '0' || *as > '9');
}

char *noe_c_write(const noe_system *s, const char *as, noe_c_body *body, const void *ctx)
{
    if (!s) return NULL;
    if (s->dyn.groups) {
        noe_system *written = noe_system_written(s, "C source");
        char       *text = noe_c_write(written, as, body, ctx);
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
    if (s->model->graph.tables) {
        noe_fail(NOE_INVALID, "%s: a table has no C source: write its values as a function", s->source);
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
        if (!setjmp(stop)) body(&t, m, a, as && *as ? as : "model", ctx);
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
