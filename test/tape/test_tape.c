/* tape(z) = graph(z) = C(z):  three ways to the same L, dL, d2L, each within its rounding.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expressions.h"
#include "tape/lowering.h"
#include "tape/tape_double.h"
#include "scratch.h"

#include <dlfcn.h>

enum { MODELS = 60, LIBRARY = 40 }; /* random ones; those that are written as C */

/* |x - y| in units of the rounding errors that y can have. */
static double in_roundings(quad x, term y, double unit)
{
    if (x == y.value) return 0;
    return (double)(fabsq(x - y.value) / (unit * y.err));
}

static void put_input(const noe_model *m, const point *x, quad *input)
{
    memset(input, 0, (size_t)noe_tape_inputs(m->n) * sizeof *input);
    input[0] = x->t;
    memcpy(input + 1, x->q, (size_t)m->n * sizeof *input);
    memcpy(input + 1 + m->n, x->v, (size_t)m->n * sizeof *input);
}

/* A state that doubles hold exactly. */
static point rounded(point x)
{
    x.t = (double)x.t;
    for (int j = 0; j < DOFS; j++) x.q[j] = (double)x.q[j], x.v[j] = (double)x.v[j];
    return x;
}

static point anywhere(void)
{
    point x = { .t = random_number() };
    for (int j = 0; j < 3; j++) x.q[j] = 2 * random_number(), x.v[j] = 2 * random_number();
    return x;
}

/* ---- tape and graph ---- */

/* Nothing writes inputs or constants, reads what was not written, or leaves its slots. */
static void valid_tape(const noe_tape *t)
{
    const int fixed = t->inputs + t->constants;
    bool     *written = calloc((size_t)t->slots, sizeof *written);
    int       k = 0;
    for (int i = 0; i < fixed; i++) written[i] = true;
    for (int r = 0; r < t->runs; r++)
        for (int left = t->run[r].count; left > 0; left--, k++) {
            const noe_op  op = (noe_op)t->run[r].op;
            const noe_ins i = t->ins[k];
            const int     arity = noe_register_schedule_arity(op);
            assert_true(r == 0 || t->run[r].op != t->run[r - 1].op);
            assert_true(op != NOE_NEG && op != NOE_ADD && op != NOE_SUB && op != NOE_MUL);
            assert_true(written[i.a] && (arity < 2 || written[i.b]) && (arity < 3 || written[i.c]));
            assert_in_range(i.d, fixed, t->slots - 1);
            written[i.d] = true;
            if (op == NOE_SINCOS) {
                assert_in_range(i.c, fixed, t->slots - 1);
                assert_int_not_equal(i.c, i.d);
                written[i.c] = true;
            }
        }
    assert_int_equal(k, t->length);
    for (int i = 0; i < t->outputs; i++) assert_true(written[t->out[i]]);
    free(written);
}

/* In the order for registers it is as valid, does the same operations, and has the same bits. */
static void deep_is_same(const noe_tape *t, const quad *input, const quad *want)
{
    noe_tape *deep = noe_register_schedule_make(t);
    assert_non_null(deep);
    valid_tape(deep);
    assert_true(deep->length <= t->length && deep->outputs == t->outputs
                && deep->constants == t->constants);
    quad *slot = calloc((size_t)deep->slots, sizeof *slot),
         *out = calloc((size_t)t->outputs, sizeof *out);
    noe_tape_quad_run(deep, input, slot, out);
    for (int k = 0; k < t->outputs; k++) assert_true(out[k] == want[k]);
    free(slot), free(out), free(deep);
}

/* Two sets of inputs at once have the bits of one after the other, in double. */
static void two_are_same(const noe_tape *t, const quad *input)
{
    double          *slot = calloc((size_t)t->slots, sizeof *slot);
    noe_double_pair *two = calloc((size_t)t->slots, sizeof *two);
    for (int k = 0; k < t->constants; k++)
        two[t->inputs + k] = (noe_double_pair){ 1, 1 } * (double)t->constant[k];
    for (int i = 0; i < t->inputs; i++)
        for (int j = 0; j < 2; j++) two[i][j] = (double)input[i] * (1 + 0.25 * j);
    noe_tape_double_run_two(t, two);
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < t->inputs; i++) slot[i] = (double)input[i] * (1 + 0.25 * j);
        noe_tape_double_run(t, slot);
        for (int k = 0; k < t->outputs; k++) {
            const double x = slot[t->out[k]], y = two[t->out[k]][j];
            assert_true(equal_bits(x, y) || (isnan(x) && isnan(y)));
        }
    }
    free(slot), free(two);
}

/* The largest difference between a tape of the roots and the graph, in roundings of binary128.
 * Of the lowered graph, in which powers are products, the tape has the same bits. */
static double tape_against_graph(noe_model *m, const point *at, const noe_ex *root, int roots)
{
    noe_ex *lowered = calloc((size_t)roots, sizeof *lowered);
    memcpy(lowered, root, (size_t)roots * sizeof *root);
    noe_lowering_apply(&m->graph, lowered, roots);
    noe_tape *tape = noe_tape_new(&m->graph, m->param, m->n, root, roots);
    assert_non_null(tape);
    valid_tape(tape);
    term *x = calloc((size_t)m->graph.count, sizeof *x);
    quad *slot = calloc((size_t)tape->slots, sizeof *slot),
         *out = calloc((size_t)roots, sizeof *out);
    quad   input[2 + 3 * DOFS];
    double worst = 0;
    put_input(m, at, input);
    evaluate(&m->graph, m->n, m->param, input, x);
    noe_tape_quad_run(tape, input, slot, out);
    deep_is_same(tape, input, out), two_are_same(tape, input);
    for (int k = 0; k < roots; k++) {
        worst = fmax(worst, in_roundings(out[k], x[root[k]], QUAD_EPS));
        assert_true(out[k] == x[lowered[k]].value);
    }
    free(lowered);
    free(x);
    free(slot);
    free(out);
    free(tape);
    return worst;
}

static double model_tape(noe_model *m, const point *at)
{
    const int N = 2 * m->n, roots = 1 + N + N * N;
    noe_ex   *root = calloc((size_t)roots, sizeof *root);
    derive_all(&m->graph, m->L, m->n, root);
    const double worst = tape_against_graph(m, at, root, roots);
    free(root);
    return worst;
}

static void system_law(const noe_system *s, const char *path)
{
    const point x = rounded(random_point(s));
    noe_model  *own = own_model(s);
    small(model_tape(own, &x), 1, 4, path);
    noe_model_free(own);
}

static void test_systems(void **state)
{
    (void)state;
    tightest = 0;
    every_system(system_law);
    printf("systems: %.2g of the bound\n", tightest);
}

static void test_random(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i < 5 * MODELS; i++) {
        char        *text = random_model(1 + i % 3, 1 + i % 6);
        noe_model   *m = model_of(text);
        const point  x = anywhere();
        const double now = model_tape(m, &x);
        if (!(now <= 4)) fail_msg("tape and graph differ by %.3g roundings:\n%s", now, text);
        worst = fmax(worst, now);
        noe_model_free(m);
        free(text);
    }
    printf("random models: %.2f roundings\n", worst);
}

/* Outputs that are inputs, constants, or one another. */
static void test_plain_outputs(void **state)
{
    (void)state;
    noe_model   *m = model_of("parameter a = 2, b = a/3\ncoordinate x, y\nkinetic x'^2 + y'^2\n"
                                "u = sin(x)\nw = sin(b)*2");
    noe_graph   *g = &m->graph;
    const noe_ex u = noe_model_find(m, "u", 1)->ex, w = noe_model_find(m, "w", 1)->ex;
    const noe_ex root[] = { noe_graph_leaf(g, NOE_T, 0),
                            noe_graph_leaf(g, NOE_Q, 1),
                            noe_graph_leaf(g, NOE_V, 0),
                            noe_graph_number(g, 7),
                            noe_graph_leaf(g, NOE_PARAM, 1),
                            w,
                            u,
                            u,
                            noe_simplify_make(g, NOE_NEG, u, 0, 0),
                            noe_graph_number(g, 0),
                            noe_graph_leaf(g, NOE_P, 1),
                            noe_graph_leaf(g, NOE_H, 0),
                            noe_graph_number(g, 1) };
    const point  x = anywhere();
    assert_true(tape_against_graph(m, &x, root, sizeof root / sizeof *root) <= 2);
    noe_tape *none = noe_tape_new(g, m->param, m->n, root, 0);
    assert_int_equal(none->length, 0);
    free(none);
    noe_tape *few = noe_tape_new(g, m->param, m->n, root, 6);
    assert_int_equal(few->length, 0); /* nothing of this moves but what is given */
    free(few);
    noe_model_free(m);
}

/* What the tape saves: an operation is a b + c, signs and constant factors cost nothing, and
 * equal ones stand together (the change of operation is what an interpreter pays for). */
static void test_frugal(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int         operations, runs;
    } table[] = {
        { "x*y + y*z + z*x", 3, 1 },
        { "x*y", 1, 1 },
        { "-(x*y)", 1, 1 },
        { "x - 3*y", 1, 1 },
        { "-3*x - a*y", 2, 1 },
        { "x/4 + y/a", 2, 1 },
        { "2*a*x*3/a", 1, 1 },
        { "a*(3*(x/b))", 1, 1 },
        { "sin(x)*cos(x)", 2, 2 },
        { "x^4", 2, 1 },
        { "x^9", 4, 1 },
        { "x^2.5", 3, 2 },
        { "sin(x) + sin(y) + sin(z) + x*y", 6, 2 },
        { "x - y*z", 1, 1 },
        { "(x*y + z)*(x*y - 2*z)", 4, 1 },
        { "sin(a)*b", 0, 0 },
        { "x*y + 0*z", 1, 1 },
        { "x/y", 1, 1 },
        { "x/y + z/y + x*z/y", 5, 2 },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[200];
        snprintf(
            text, sizeof text,
            "parameter a = 2, b = a/3\ncoordinate x, y, z\nkinetic x'^2 + y'^2 + z'^2\nu = %s\n",
            table[i].text);
        noe_model *m = model_of(text);
        noe_tape *tape = noe_tape_new(&m->graph, m->param, m->n, &noe_model_find(m, "u", 1)->ex, 1);
        if (tape->length != table[i].operations || tape->runs != table[i].runs)
            fail_msg("%s: %d operations in %d runs, not %d in %d", table[i].text, tape->length,
                     tape->runs, table[i].operations, table[i].runs);
        free(tape);
        noe_model_free(m);
    }
}

/* ---- graph and C ---- */

typedef struct {
    noe_system *s;
    point       at;
} written;

static written list_written[LIBRARY + 64];
static int     count_written;

/* Writes the system as C, warnings being errors. */
static void write_c(noe_system *s, point at)
{
    char name[16], file[20];
    snprintf(name, sizeof name, "s%d", count_written);
    snprintf(file, sizeof file, "%s.c", name);
    char *text = noe_system_emit(s, name);
    if (!text) fail_msg("%s", noe_error());
    put(file, text);
    free(text);
    shell("${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror -ffp-contract=off -fPIC -c %s",
          file);
    list_written[count_written++] = (written){ s, at };
}

static void write_system(const noe_system *s, const char *path)
{
    write_c(load_small(path), rounded(random_point(s)));
}

/* The largest difference between C and graph, in roundings of a double. */
static double c_against_graph(noe_lagrangian *L, const written *w)
{
    noe_model *m = own_model(w->s);
    const int  n = m->n, N = 2 * n;
    double  z[2 * DOFS], param[64], grad[2 * DOFS], *hess = calloc((size_t)(N * N), sizeof *hess);
    quad    input[2 + 3 * DOFS];
    noe_ex *root = calloc((size_t)(1 + N + N * N), sizeof *root);
    derive_all(&m->graph, m->L, n, root);
    term *x = calloc((size_t)m->graph.count, sizeof *x);
    put_input(m, &w->at, input);
    evaluate(&m->graph, n, m->param, input, x);
    for (int j = 0; j < n; j++) z[j] = (double)w->at.q[j], z[n + j] = (double)w->at.v[j];
    for (int k = 0; k < m->params; k++) param[k] = (double)m->param[k];
    const double t = (double)w->at.t, value = L(t, z, param, grad, hess, NULL);
    double       worst = in_roundings(value, x[root[0]], 0x1p-53);
    for (int i = 0; i < N; i++) worst = fmax(worst, in_roundings(grad[i], x[root[1 + i]], 0x1p-53));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            worst = fmax(worst, in_roundings(hess[i * N + j], x[root[1 + N + i * N + j]], 0x1p-53));
            assert_true(hess[i * N + j] == hess[j * N + i]);
        }
    double again[2 * DOFS];
    assert_true(L(t, z, param, NULL, NULL, NULL) == value
                && L(t, z, param, again, NULL, NULL) == value);
    assert_memory_equal(again, grad, (size_t)N * sizeof *grad);
    assert_true(L(t, z, param, NULL, hess, NULL) == value);
    free(x);
    free(hess);
    free(root);
    noe_model_free(m);
    return worst;
}

static void test_emitted(void **state)
{
    (void)state;
    every_system(write_system);
    for (int i = 0; i < LIBRARY; i++) {
        char *text = random_model(1 + i % 3, 1 + i % 5);
        write_c(parse(text), rounded(anywhere()));
        free(text);
    }
    shell("${CC:-cc} -shared *.o -lm -o all.so");
    void *all = dlopen(in_scratch("all.so"), RTLD_NOW);
    if (!all) fail_msg("%s", dlerror());
    double worst = 0;
    for (int i = 0; i < count_written; i++) {
        char            name[32];
        noe_lagrangian *L;
        snprintf(name, sizeof name, "s%d_lagrangian", i);
        *(void **)&L = dlsym(all, name);
        assert_non_null(L);
        const double now = c_against_graph(L, &list_written[i]);
        if (!(now <= 4))
            fail_msg("C and graph differ by %.3g roundings:\n%s", now,
                     list_written[i].s->model->text);
        worst = fmax(worst, now);
        noe_system_free(list_written[i].s);
    }
    printf("%d models as C: %.2f roundings\n", count_written, worst);
    dlclose(all);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_systems), cmocka_unit_test(test_random),
        cmocka_unit_test(test_plain_outputs), cmocka_unit_test(test_frugal),
        cmocka_unit_test_setup_teardown(test_emitted, make_scratch, remove_scratch)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
