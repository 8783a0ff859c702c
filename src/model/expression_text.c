/* An expression as text of the model language: names, numbers, operators by their precedence.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/expression_text.h"

#include "number/decimal.h"

#include <string.h>

/* What binds more tightly has a larger number. */
enum { LOOSE, SUM, PRODUCT, SIGN, POWER, TIGHT };

typedef struct {
    noe_text        *to;
    const noe_model *m;
    size_t           most;
    bool             ok;
} writer;

static const char *parameter_name(const noe_model *m, int index)
{
    for (int i = 0; i < m->symbols; i++)
        if (m->symbol[i]->what == NOE_IS_PARAMETER && m->symbol[i]->index == index)
            return m->symbol[i]->name;
    return NULL;
}

static const char *function_name(noe_op op)
{
    switch (op) {
#define FUNCTION(name, derivative) \
    case NOE_FN_##name:            \
        return #name;
#include "expr/functions.def"
#undef FUNCTION
    case NOE_ATAN2: return "atan2";
    case NOE_MOD: return "mod";
    case NOE_MIN: return "min";
    case NOE_MAX: return "max";
    case NOE_IF: return "if";
    default: return NULL;
    }
}

static void add(writer *w, const char *text)
{
    if (!text || w->to->length + strlen(text) > w->most) w->ok = false;
    else noe_text_add(w->to, "%s", text);
}

static void write_expression(writer *w, noe_ex i, int around);

static void write_call(writer *w, const noe_node *x, const char *name)
{
    const noe_ex operand[3] = { x->a, x->b, x->c };
    add(w, name), add(w, "(");
    for (int k = 0, n = noe_graph_arity((noe_op)x->op); k < n; k++) {
        if (k) add(w, ", ");
        write_expression(w, operand[k], LOOSE);
    }
    add(w, ")");
}

static void write_binary(writer *w, const noe_node *x, int around)
{
    static const struct {
        const char *sign;
        int         binds, left, right;
    } as[NOE_OPS] = { [NOE_ADD] = { " + ", SUM, SUM, SUM },
                      [NOE_SUB] = { " - ", SUM, SUM, PRODUCT },
                      [NOE_MUL] = { "*", PRODUCT, PRODUCT, PRODUCT + 1 },
                      [NOE_DIV] = { "/", PRODUCT, PRODUCT, PRODUCT + 1 },
                      [NOE_POW] = { "^", POWER, TIGHT, TIGHT },
                      [NOE_LT] = { " < ", LOOSE, SUM, SUM },
                      [NOE_LE] = { " <= ", LOOSE, SUM, SUM } };
    if (!as[x->op].sign) {
        w->ok = false;
        return;
    }
    if (as[x->op].binds < around) add(w, "(");
    write_expression(w, x->a, as[x->op].left);
    add(w, as[x->op].sign);
    write_expression(w, x->b, as[x->op].right);
    if (as[x->op].binds < around) add(w, ")");
}

static void write_number(writer *w, quad x, int around)
{
    char text[64];
    noe_decimal_write_double(text, (double)x);
    const bool signs = x < 0 && around > LOOSE;
    if (signs) add(w, "(");
    add(w, text);
    if (signs) add(w, ")");
}

static void write_expression(writer *w, noe_ex i, int around)
{
    const noe_node x = w->m->graph.node[i];
    const char    *name = function_name((noe_op)x.op);
    if (!w->ok) return;
    switch (x.op) {
    case NOE_NUM: write_number(w, x.value, around); return;
    case NOE_LITERAL: add(w, w->m->literal[x.a] ? w->m->literal[x.a] : "pi"); return;
    case NOE_PARAM: add(w, parameter_name(w->m, x.a)); return;
    case NOE_T: add(w, "t"); return;
    case NOE_Q: add(w, w->m->coordinate[x.a]->name); return;
    case NOE_V: add(w, w->m->coordinate[x.a]->name), add(w, "'"); return;
    case NOE_NEG:
        if (around > SUM) add(w, "(");
        add(w, "-");
        write_expression(w, x.a, SIGN);
        if (around > SUM) add(w, ")");
        return;
    default: break;
    }
    if (name) write_call(w, &x, name);
    else write_binary(w, &x, around);
}

bool noe_expression_text_add(noe_text *to, const noe_model *m, noe_ex i, size_t most)
{
    writer w = { to, m, to->length + most, true };
    write_expression(&w, i, LOOSE);
    return w.ok && to->data;
}
