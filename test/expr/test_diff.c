/* dL, d2L = differences of L, dL in binary128;   operations of (L, dL) <= 5 operations of L.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expressions.h"
#include "tape/lowering.h"

/* ---- derivatives against differences ---- */

/* Does every kink, of nodes 0 .. count-1, show the same side at x and at y? */
static bool same_side(const noe_graph *g, const term *x, const term *y)
{
    for (int i = 0; i < g->count; i++) {
        const noe_node *k = &g->node[i];
        if ((k->op == NOE_LT || k->op == NOE_LE) && x[i].value != y[i].value) return false;
        if (k->op == NOE_FN_abs && (x[k->a].value < 0) != (y[k->a].value < 0)) return false;
        if ((k->op == NOE_MIN || k->op == NOE_MAX)
            && (x[k->a].value < x[k->b].value) != (y[k->a].value < y[k->b].value))
            return false;
    }
    return true;
}

/* max |df_k/dz_j - difference of fourth order|, relative to the terms in f_k and in the
 * derivative.  df holds 2n nodes for each of the f.  Negative when a kink is too near. */
static double worst_difference(const noe_graph *g, int n, const quad *param, const quad *input,
                               double step, const noe_ex *f, int count, const noe_ex *df)
{
    static const int weight[] = { 1, -8, 8, -1 }, at[] = { -2, -1, 1, 2 };
    const size_t     inputs = (size_t)noe_tape_inputs(n), nodes = (size_t)g->count;
    term            *x = calloc(nodes, sizeof *x), *y = calloc(nodes, sizeof *y);
    quad            *sum = calloc((size_t)count, sizeof *sum), z[2 + 3 * DOFS], worst = 0;
    evaluate(g, n, param, input, x);
    for (int j = 0; j < 2 * n && worst >= 0; j++) {
        const quad unit = 1 + fabsq(input[1 + j]), h = step * unit;
        for (int k = 0; k < count; k++) sum[k] = 0;
        for (int i = 0; i < 4 && worst >= 0; i++) {
            memcpy(z, input, inputs * sizeof *z);
            z[1 + j] += at[i] * h;
            evaluate(g, n, param, z, y);
            if (!same_side(g, x, y)) worst = -1;
            for (int k = 0; k < count; k++) sum[k] += weight[i] * y[f[k]].value;
        }
        for (int k = 0; k < count && worst >= 0; k++) {
            const term d = x[df[2 * n * k + j]];
            const quad error = fabsq(sum[k] / (12 * h) - d.value);
            const quad scale = (x[f[k]].err + fabsq(x[f[k]].value)) / unit + d.err;
            if (error > 0) worst = fmaxq(worst, error / scale);
        }
    }
    free(x);
    free(y);
    free(sum);
    return (double)worst;
}

static double worst_model(noe_model *m, const quad *input, double step)
{
    const int    n = m->n;
    const size_t N = 2 * (size_t)n;
    noe_ex      *root = calloc(1 + N + N * N, sizeof *root);
    derive_all(&m->graph, m->L, n, root);
    const double first = worst_difference(&m->graph, n, m->param, input, step, root, 1, root + 1);
    const double second = worst_difference(&m->graph, n, m->param, input, step, root + 1, 2 * n,
                                           root + 1 + 2 * n);
    free(root);
    return first < 0 ? first : fmax(first, second);
}

static void system_law(const noe_system *s, const char *path)
{
    const point x = random_point(s);
    quad        input[2 + 3 * DOFS] = { x.t };
    memcpy(input + 1, x.q, (size_t)s->dyn.n * sizeof(quad));
    memcpy(input + 1 + s->dyn.n, x.v, (size_t)s->dyn.n * sizeof(quad));
    noe_model *own = own_model(s);
    small(worst_model(own, input, 1e-9), 1, 1e-24, path); /* measured: 4e-26 */
    noe_model_free(own);
}

static void test_systems(void **state)
{
    (void)state;
    tightest = 0;
    every_system(system_law);
    printf("systems: the tightest at %.2g of the bound\n", tightest);
}

static void random_input(int n, quad *input)
{
    memset(input, 0, (size_t)noe_tape_inputs(n) * sizeof *input);
    for (int j = 0; j < 2 * n + 1; j++) input[j] = 2 * random_number();
}

static void test_random(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i < 300; i++) {
        const int  n = 1 + i % 3;
        char      *text = random_model(n, 1 + i % 5);
        noe_model *m = model_of(text);
        quad       input[2 + 3 * 3];
        double     now = -1;
        while (now < 0) {
            random_input(n, input);
            now = worst_model(m, input, 1e-9);
        }
        /* Measured: 2.5e-25 in 30000 models; but sin(x^32) wants a smaller step. */
        if (now > 1e-23 && !(worst_model(m, input, 1e-14) <= 1e-17))
            fail_msg("derivatives differ by %.3g:\n%s", now, text);
        worst = fmax(worst, now);
        noe_model_free(m);
        free(text);
    }
    printf("300 random models: %.2g\n", worst);
}

/* ---- the same check finds a wrong rule ---- */

/* One wrong rule for each function; u is the argument, y the function. */
static noe_ex wrong_rule(noe_graph *g, noe_op op, noe_ex u, noe_ex y)
{
    const noe_ex one = noe_graph_number(g, 1), uu = noe_simplify_make(g, NOE_MUL, u, u, 0),
                 yy = noe_simplify_make(g, NOE_MUL, y, y, 0);
    const noe_ex less = noe_simplify_make(g, NOE_SUB, one, uu, 0),
                 root = noe_simplify_make(g, NOE_FN_sqrt, less, 0, 0);
    switch (op) {
    /* sign */
    case NOE_FN_sin:
        return noe_simplify_make(g, NOE_NEG, noe_simplify_make(g, NOE_FN_cos, u, 0, 0), 0, 0);
    case NOE_FN_cos: return noe_simplify_make(g, NOE_FN_sin, u, 0, 0);    /* sign */
    case NOE_FN_tan: return noe_simplify_make(g, NOE_SUB, one, yy, 0);    /* 1 - y^2 */
    case NOE_FN_asin: return noe_simplify_make(g, NOE_DIV, one, less, 0); /* no root */
    case NOE_FN_acos: return noe_simplify_make(g, NOE_DIV, one, root, 0); /* sign */
    case NOE_FN_atan: return noe_simplify_make(g, NOE_DIV, one, less, 0); /* 1 - u^2 */
    case NOE_FN_sinh: return y;                                           /* itself */
    case NOE_FN_cosh:
        return noe_simplify_make(g, NOE_NEG, noe_simplify_make(g, NOE_FN_sinh, u, 0, 0), 0, 0);
    case NOE_FN_tanh: return noe_simplify_make(g, NOE_ADD, one, yy, 0); /* 1 + y^2 */
    case NOE_FN_exp: return u;                                          /* the argument */
    case NOE_FN_log: return noe_simplify_make(g, NOE_DIV, one, y, 0);   /* 1/y */
    case NOE_FN_sqrt: return noe_simplify_make(g, NOE_DIV, one, y, 0);  /* no half */
    case NOE_FN_abs: return one;                                        /* no kink */
    default: return noe_graph_number(g, 0);
    }
}

/* f = op(u(x)): the rule passes, the wrong one does not. */
static void test_saboteur(void **state)
{
    (void)state;
    noe_model *m = model_of("coordinate x\nkinetic x'^2\nu = sin(3*x)*2/3 - 1/9\nw = 2 + u");
    noe_graph *g = &m->graph;
    for (int op = NOE_FN_sin; op <= NOE_FN_abs; op++) {
        const bool   positive = op == NOE_FN_log || op == NOE_FN_sqrt;
        const noe_ex u = noe_model_find(m, positive ? "w" : "u", 1)->ex,
                     f = noe_simplify_make(g, (noe_op)op, u, 0, 0);
        noe_ex right[2], wrong[2], du[2];
        quad   input[5] = { 0, (quad)-2 / 3 };
        noe_derivative_gradient(g, u, 1, du);
        noe_derivative_gradient(g, f, 1, right);
        wrong[0] = noe_simplify_make(g, NOE_MUL, wrong_rule(g, (noe_op)op, u, f), du[0], 0);
        wrong[1] = right[1];
        assert_true(worst_difference(g, 1, m->param, input, 1e-9, &f, 1, right) < 1e-24);
        const double seen = worst_difference(g, 1, m->param, input, 1e-9, &f, 1, wrong);
        if (!(seen > 1e-3))
            fail_msg("a wrong rule of function %d passes: %.3g", op - NOE_FN_sin, seen);
    }
    noe_model_free(m);
}

/* ---- rates ---- */

/* d/dt of f(t, q) along q + v s is the difference of f there. */
static void test_rate(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i < 300; i++) {
        const int    n = 1 + i % 3;
        char        *text = random_model(n, 2);
        noe_model   *m = model_of(text);
        noe_graph   *g = &m->graph;
        const noe_ex f = noe_model_find(m, "u", 1)->ex, rate = noe_derivative_rate(g, f);
        const quad   h = (quad)1e-9;
        quad         input[2 + 3 * 3], z[2 + 3 * 3], sum = 0;
        term *x = calloc((size_t)g->count, sizeof *x), *y = calloc((size_t)g->count, sizeof *y);
        bool  smooth = true;
        random_input(n, input);
        evaluate(g, n, m->param, input, x);
        for (int k = -1; k <= 1; k += 2) {
            memcpy(z, input, sizeof z);
            z[0] += k * h;
            for (int j = 0; j < n; j++) z[1 + j] += k * h * input[1 + n + j];
            evaluate(g, n, m->param, z, y);
            smooth = smooth && same_side(g, x, y);
            sum += k * y[f].value;
        }
        const quad error = fabsq(sum / (2 * h) - x[rate].value);
        if (smooth && error > 0)
            worst = fmax(worst, (double)(error / (1 + x[f].err + x[rate].err)));
        free(x);
        free(y);
        noe_model_free(m);
        free(text);
    }
    printf("300 rates: %.2g\n", worst);
    assert_true(worst < 1e-14); /* the difference is of second order: (1e-9)^2 f''' */
}

/* ---- cost ---- */

/* Operations of the roots as they are written in the graph. */
static int written_operations(noe_graph *g, const noe_ex *root, int roots)
{
    int count = 0;
    for (int k = 0, n = noe_evaluate_reach(g, root, roots); k < n; k++)
        count += noe_graph_arity(g->node[g->list[k]].op) > 0;
    return count;
}

/* Operations of the roots as a tape or C would compute them. */
static int operations(noe_graph *g, const noe_ex *root, int roots)
{
    noe_ex own[1 + 2 * DOFS];
    memcpy(own, root, (size_t)roots * sizeof *own);
    noe_lowering_apply(g, own, roots);
    return written_operations(g, own, roots);
}

/* Derivatives are those of L as it is written: if(c, x^2, x*x) is x*x once it is lowered, and c is
   gone, but the gradient decides by c. L costs what is written, or what is computed if that is
   more. */
static double cost_ratio(noe_model *m)
{
    noe_ex root[1 + 2 * DOFS];
    root[0] = m->L;
    const int written = written_operations(&m->graph, root, 1);
    const int computed = operations(&m->graph, root, 1);
    noe_derivative_gradient(&m->graph, m->L, m->n, root + 1);
    return operations(&m->graph, root, 1 + 2 * m->n) / fmax(written, computed);
}

static void cost_law(const noe_system *s, const char *path)
{
    noe_model   *own = own_model(s);
    const double ratio = cost_ratio(own);
    if (!(ratio <= 5)) fail_msg("%s: L and its gradient cost %.2f times L", path, ratio);
    tightest = fmax(tightest, ratio);
    noe_model_free(own);
}

static void test_cost(void **state)
{
    (void)state;
    double worst = 0, sum = 0;
    tightest = 0;
    every_system(cost_law);
    for (int i = 0; i < 1000; i++) {
        char        *text = random_model(1 + i % 3, 1 + i % 6);
        noe_model   *m = model_of(text);
        const double ratio = cost_ratio(m);
        if (!(ratio <= 5)) fail_msg("L and its gradient cost %.2f times L:\n%s", ratio, text);
        worst = fmax(worst, ratio), sum += ratio / 1000;
        noe_model_free(m);
        free(text);
    }
    printf("cost of L and dL by that of L: systems <= %.2f, random <= %.2f, on average %.2f\n",
           tightest, worst, sum);
}

/* ---- one expression, one node ---- */

static noe_ex defined(const noe_model *m, const char *name)
{
    const noe_symbol *s = noe_model_find(m, name, strlen(name));
    if (!s) fail_msg("no '%s'", name);
    return s->ex;
}

static void test_one_node(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        { "sin(x)*y", "y*sin(x)" },
        { "x + y", "y + x" },
        { "x + -y", "x - y" },
        { "-(x - y)", "y - x" },
        { "x - x", "0" },
        { "x*0", "0" },
        { "0/x", "0" },
        { "x^1", "x" },
        { "x^0", "1" },
        { "1*x", "x" },
        { "x/1", "x" },
        { "-(-x)", "x" },
        { "x + x", "2*x" },
        { "x + 0", "x" },
        { "0 - x", "-x" },
        { "x^0.5", "sqrt(x)" },
        { "x*(1/y)", "x/y" },
        { "x^-1", "1/x" },
        { "2*(3*x)", "6*x" },
        { "a*(b*x)", "(a*b)*x" },
        { "a*x/b", "(a/b)*x" },
        { "x/4", "x*0.25" },
        { "2 + 3", "5" },
        { "2^3^2", "512" },
        { "if(1 < 2, x, y)", "x" },
        { "if(x < y, a, a)", "a" },
        { "(-x)*y", "-(x*y)" },
        { "(-x)*(-y)", "x*y" },
        { "x/(-y)", "-(x/y)" },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "parameter a = 2, b = 3\ncoordinate x, y\nkinetic x'^2 + y'^2\nu = %s\nw = %s\n",
                 pairs[i][0], pairs[i][1]);
        noe_model *m = model_of(text);
        if (defined(m, "u") != defined(m, "w"))
            fail_msg("'%s' and '%s' are two nodes", pairs[i][0], pairs[i][1]);
        noe_model_free(m);
    }
    noe_model *m = model_of(
        "coordinate x, y\nkinetic x'^2 + y'^2\nu = x - y\nw = y - x\nd = 1/0\ne = x^y\n"
        "f = y^x");
    assert_int_not_equal(defined(m, "u"), defined(m, "w"));
    assert_int_not_equal(defined(m, "e"), defined(m, "f"));
    assert_int_equal(m->graph.node[defined(m, "d")].op,
                     NOE_DIV); /* what is not finite is not folded */
    noe_model_free(m);
}

/* Terms of t alone in sums whose parts are shared: each node is looked at once, not 2^60 times. */
static void test_shared_sums(void **state)
{
    (void)state;
    writing w = { 0 };
    write_text(&w, "coordinate x\nkinetic x'^2\na0 = x + t\nb0 = x^2 - 2*t\n");
    for (int i = 1; i <= 60; i++) {
        char line[99];
        snprintf(line, sizeof line, "a%d = a%d + b%d/3\nb%d = a%d/7 - b%d\n", i, i - 1, i - 1, i,
                 i - 1, i - 1);
        write_text(&w, line);
    }
    write_text(&w, "potential a60\n");
    noe_model *m = model_of(w.text);
    assert_false(m->graph.node[m->L].has & NOE_HAS_T);
    noe_model_free(m);
    free(w.text);
}

/* Written out, d60 has 2^60 terms; as a graph it has 120 nodes. */
static void test_shared(void **state)
{
    (void)state;
    writing w = { 0 };
    write_text(&w, "coordinate x\nkinetic x'^2\nd0 = sin(x) + t*x\n");
    for (int i = 1; i <= 60; i++) {
        char line[64];
        snprintf(line, sizeof line, "d%d = d%d*d%d + d%d\n", i, i - 1, i - 1, i - 1);
        write_text(&w, line);
    }
    write_text(&w, "potential d60\n");
    noe_model *m = model_of(w.text);
    noe_ex     root[3] = { m->L };
    noe_derivative_gradient(&m->graph, m->L, 1, root + 1);
    assert_true(operations(&m->graph, root, 1) <= 130 && operations(&m->graph, root, 3) <= 400);
    noe_model_free(m);
    free(w.text);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_systems),     cmocka_unit_test(test_random),
        cmocka_unit_test(test_saboteur),    cmocka_unit_test(test_rate),
        cmocka_unit_test(test_one_node),    cmocka_unit_test(test_shared),
        cmocka_unit_test(test_shared_sums), cmocka_unit_test(test_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
