/* Random L(t, q, v) as text, and values of a graph with a running error bound.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * |fl(f) - f| <= u err(f), to first order in u (N. J. Higham, Accuracy and Stability of Numerical
 * Algorithms, section 3.3).  The derivative rules are written here once more. */
#ifndef EXPRESSIONS_H
#define EXPRESSIONS_H

#include "laws.h"

#include "expr/derivative.h"

/* ---- random text ---- */

typedef struct {
    char  *text;
    size_t length;
} writing;

static UNUSED void write_text(writing *w, const char *piece)
{
    const size_t n = strlen(piece);
    w->text = realloc(w->text, w->length + n + 1);
    assert_non_null(w->text);
    memcpy(w->text + w->length, piece, n + 1);
    w->length += n;
}

static UNUSED int below(int n) { return (int)((random_number() + 1) / 2 * n) % n; }

/* Leaves: numbers, parameters a and b, time, n of the coordinates x, y, z and, when allowed,
 * velocities. */
static UNUSED void write_leaf(writing *w, int n, bool velocities)
{
    static const char *const q[] = { "x", "y", "z" }, *const v[] = { "x'", "y'", "z'" };
    char number[16];
    switch (below(velocities ? 9 : 6)) {
    case 0:
        snprintf(number, sizeof number, "%d.%d", below(2), 1 + below(9));
        write_text(w, number);
        break;
    case 1: write_text(w, below(2) ? "a" : "b"); break;
    case 2: write_text(w, below(3) ? q[below(n)] : "t"); break;
    case 3:
    case 4:
    case 5: write_text(w, q[below(n)]); break;
    default: write_text(w, v[below(n)]);
    }
}

/* An expression of all functions, each with arguments from where it is smooth and not large.  In
 * a form, a '.' is an expression, a ':' one that is a base of a power or a divisor, in (1, 3). */
static UNUSED void write_expression(writing *w, int depth, int n, bool velocities)
{
    static const char *const forms[] = {
        ".+.",
        ".-.",
        ".*(.)",
        "(.)*.",
        "(.)/:",
        "-(.)",
        "(.)^2",
        "(.)^3",
        ":^-1",
        ":^-2",
        ":^0.5",
        ":^2.5",
        ":^-1.5",
        ":^b",
        ":^sin(.)",
        "2^cos(.)",
        "sin(.)",
        "cos(.)",
        "tan(cos(.))",
        "asin(0.9*sin(.))",
        "acos(0.9*cos(.))",
        "atan(.)",
        "sinh(sin(.))",
        "cosh(cos(.))",
        "tanh(.)",
        "exp(sin(.))",
        "log(:)",
        "sqrt(:)",
        "abs(.)",
        "atan2(., :)",
        "atan2(., cos(.) - 2)",
        "min(., .)",
        "max(., .)",
        "if(. < ., ., .)",
        "if(. >= ., ., .)",
        "if(. < . and . > . or . <= 1, ., .)",
        "if((. < . or . > .) and (.) <= ., ., .)",
        "floor(3.5 + 0.4*sin(.))*.",
        "sign(2 + sin(.))*.",
        "((7 + 0.2*sin(.)) mod (2 + 0.05*cos(.)))",
        "((-7 + 0.2*sin(.)) mod 2)",
    };
    if (depth == 0) {
        write_leaf(w, n, velocities);
        return;
    }
    for (const char *c = forms[below(sizeof forms / sizeof *forms)]; *c; c++) {
        const char one[2] = { *c, 0 };
        if (*c == ':') write_text(w, "(2 + sin(");
        if (*c == ':' || (*c == '.' && (c[1] < '0' || c[1] > '9')))
            write_expression(w, depth - 1 - (depth > 1 && below(3) == 0), n, velocities);
        else write_text(w, one);
        if (*c == ':') write_text(w, "))");
    }
}

/* A whole model of n = 1 .. 3 coordinates, with a definition, its rate, and kinetic energy. */
static UNUSED char *random_model(int n, int depth)
{
    static const char *const names[] = { "x", "x, y", "x, y, z" };
    writing                  w = { 0 };
    write_text(&w, "parameter a = 0.7, b = sqrt(2)/a\ncoordinate ");
    write_text(&w, names[n - 1]);
    write_text(&w, "\nu = ");
    write_expression(&w, depth > 2 ? 2 : depth, n, false);
    write_text(&w, "\nlagrangian ");
    write_expression(&w, depth, n, true);
    write_text(&w, " + u*a + u'/3\nkinetic 3*x'^2");
    write_text(&w, n == 1 ? "\n" : n == 2 ? " + 19*y'^2\n" : " + 19*y'^2 + 23*z'^2\n");
    return w.text;
}

/* ---- value and error bound of every node ---- */

typedef struct {
    quad value, err; /* err in units of u, the rounding of the arithmetic that is judged */
} term;

/* sin .. floor by libquadmath, in the order of functions.def, and the size of their derivatives. */
static UNUSED term function_term(noe_op op, term a)
{
    const quad x = a.value;
    quad       y = 0, slope = 0;
    switch (op) {
    case NOE_FN_sin: y = sinq(x), slope = cosq(x); break;
    case NOE_FN_cos: y = cosq(x), slope = sinq(x); break;
    case NOE_FN_tan: y = tanq(x), slope = 1 / (cosq(x) * cosq(x)); break;
    case NOE_FN_asin: y = asinq(x), slope = 1 / sqrtq(1 - x * x); break;
    case NOE_FN_acos: y = acosq(x), slope = 1 / sqrtq(1 - x * x); break;
    case NOE_FN_atan: y = atanq(x), slope = 1 / (1 + x * x); break;
    case NOE_FN_sinh: y = sinhq(x), slope = coshq(x); break;
    case NOE_FN_cosh: y = coshq(x), slope = sinhq(x); break;
    case NOE_FN_tanh: y = tanhq(x), slope = 1 / (coshq(x) * coshq(x)); break;
    case NOE_FN_exp: y = expq(x), slope = y; break;
    case NOE_FN_log: y = logq(x), slope = 1 / x; break;
    case NOE_FN_sqrt: y = sqrtq(x), slope = x == 0 ? 0 : 1 / (2 * y); break;
    case NOE_FN_sign: y = x < 0 ? -1 : x > 0; break;
    case NOE_FN_floor: y = floorq(x); break;
    case NOE_FN_abs: y = x < 0 ? -x : x, slope = 1; break;
    default: fail_msg("operation %d is no function", op);
    }
    return (term){ y, fabsq(slope) * a.err + fabsq(y) };
}

static UNUSED term operation_term(noe_op op, term a, term b, term c)
{
    const quad x = a.value, y = b.value, ex = a.err, ey = b.err, X = fabsq(x), Y = fabsq(y);
    switch (op) {
    case NOE_NEG: return (term){ -x, ex };
    case NOE_ADD: return (term){ x + y, ex + ey + fabsq(x + y) };
    case NOE_SUB: return (term){ x - y, ex + ey + fabsq(x - y) };
    case NOE_MUL: return (term){ x * y, ex * Y + ey * X + X * Y };
    case NOE_DIV: return (term){ x / y, ex / Y + ey * X / (Y * Y) + X / Y };
    case NOE_ATAN2:
        return (term){ atan2q(x, y), (ex * Y + ey * X) / (x * x + y * y) + fabsq(atan2q(x, y)) };
    case NOE_MOD: {
        const quad whole = floorq(x / y);
        return (term){ x - y * whole,
                       ex + fabsq(whole) * ey + fabsq(y * whole) + fabsq(x - y * whole) };
    }
    case NOE_MIN: return x < y ? a : b;
    case NOE_MAX: return x < y ? b : a;
    case NOE_LT: return (term){ x < y, 0 };
    case NOE_LE: return (term){ x <= y, 0 };
    case NOE_IF: return x != 0 ? b : c;
    case NOE_POW: { /* also as a chain of |y| products */
        const quad z = powq(x, y), logarithm = ey == 0 ? 0 : fabsq(logq(X)) * ey;
        return (term){ z, fabsq(z) * (x == 0 ? 1 : Y * ex / X + logarithm + Y + 1) };
    }
    default: return function_term(op, a);
    }
}

/* The terms of nodes 0 .. count-1; input as for a tape.  Constants carry one rounding, inputs
 * none. */
static UNUSED void evaluate(const noe_graph *g, int n, const quad *param, const quad *input,
                            term *x)
{
    for (int i = 0; i < g->count; i++) {
        const noe_node *node = &g->node[i];
        const noe_op    op = (noe_op)node->op;
        if (op == NOE_NUM) x[i] = (term){ node->value, fabsq(node->value) };
        else if (op == NOE_PARAM) x[i] = (term){ param[node->a], fabsq(param[node->a]) };
        else if (op <= NOE_H) x[i] = (term){ input[noe_tape_input(op, node->a, n)], 0 };
        else x[i] = operation_term(op, x[node->a], x[node->b], x[node->c]);
    }
}

/* L, its gradient, its Hessian row by row: 1 + 2n + 4n^2 roots. */
static UNUSED void derive_all(noe_graph *g, noe_ex L, int n, noe_ex *root)
{
    root[0] = L;
    noe_derivative_gradient(g, L, n, root + 1);
    for (int i = 0; i < 2 * n; i++)
        noe_derivative_gradient(g, root[1 + i], n, root + 1 + 2 * n * (i + 1));
}

/* A model of one's own with a stop for the graph: derivatives add to it. */
static UNUSED noe_model *model_of(const char *text)
{
    noe_error_clear();
    noe_model *m = noe_parse_model_text("model", text, strlen(text), NULL, 0);
    if (!m) fail_msg("%s\n%s", noe_error(), text);
    return m;
}

/* The value of an expression of numbers, in binary128. */
static UNUSED quad value(const char *expression)
{
    writing w = { 0 };
    write_text(&w, "parameter r = ");
    write_text(&w, expression);
    write_text(&w, "\ncoordinate q\nkinetic q'^2/2\n");
    noe_model *m = model_of(w.text);
    const quad r = m->param[0];
    noe_model_free(m);
    free(w.text);
    return r;
}

#endif
