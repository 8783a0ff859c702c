/* After every call of noether.h the upper halves of the vector registers are unused.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * And in what it calls back.
 * Needs: x86_64. */
#include "noether.h"
#include "scratch.h"
#include "upper.h"

#include <ctype.h>
#include <math.h>

#if defined __x86_64__
#include "upper_calls.h"
#include "upper_functions.h"

/* All that can be asked of an integrator. */
static void all_of(noe_integrator *g, int n)
{
    static const char *const ask[] = { "t",          "energy",   "balance", "work",
                                       "dissipated", "residual", "steps",   "nothing" };
    double                   x, J[4 * n * n];
    const double            *z;
    noe_status               s;
    const char              *text;
    noe_table               *rows;
    size_t                   size;
    int                      seen = 0;
    for (int i = 0; i < 3; i++) GET(s, noe_step, g);
    if (n < 40) GET(s, noe_step_jacobian, g, J);
    GET(x, noe_time, g);
    GET(s, noe_run, g, x + 20 * noe_get(g, "step"), NULL, NULL);
    GET(s, noe_run, g, x + 30 * noe_get(g, "step"), observe, &seen);
    if (seen != 4) fail_msg("%d steps were seen: %s; %s", seen, model, noe_error());
    GET(z, noe_q, g);
    double q[n], p[n], v[n];
    memcpy(q, z, sizeof q);
    GET(z, noe_p, g);
    memcpy(p, z, sizeof p);
    GET(z, noe_v, g);
    memcpy(v, z, sizeof v);
    for (size_t i = 0; i < sizeof ask / sizeof *ask; i++) GET(x, noe_get, g, ask[i]);
    double two[2 * (1 + 2 * n)];
    GET(s, noe_rows, g, 4, 2, two);
    if (s) fail_msg("rows: %s; %s", model, noe_error());
    GET(x, noe_time, g);
    GET(s, noe_at, g, x + noe_get(g, "step") / 3, q, p);
    if (s) fail_msg("between two steps: %s; %s", model, noe_error());
    memcpy(q, noe_q(g), sizeof q), memcpy(p, noe_p(g), sizeof p);
    memcpy(v, noe_v(g), sizeof v);
    GET(s, noe_start, g, 0, q, v);
    GET(s, noe_start_momentum, g, 0, q, p);
    GET(rows, noe_record, g, 20 * noe_get(g, "step"), 2, NULL);
    GET(size, noe_table_rows, rows);
    GET(size, noe_table_columns, rows);
    GET(text, noe_table_name, rows, 0);
    GET(z, noe_table_column, rows, "energy");
    GET(text, noe_table_label, rows, 0);
    static const char *const file[] = { "rows.csv", "rows.json", "rows.h5" };
    for (int i = 0; i < 3; i++) {
        GET(s, noe_table_write, rows, in_scratch(file[i]));
        unlink(in_scratch(file[i]));
    }
    DO(noe_table_free, rows);
    GET(s, noe_set, g, "solver", 3);
    GET(s, noe_step, g);
    GET(s, noe_set, g, "step", 0.011);
    GET(text, noe_error);
    DO(noe_error_clear);
}

static void derivatives(noe_system *s, const char *method)
{
    noe_method *f;
    noe_status  status;
    GET(f, noe_method_parse, method);
    noe_integrator *g;
    GET(g, noe_integrator_new, s, f, 0.01);
    if (!g) fail_msg("%s: %s", model, noe_error());
    double S[2 * noe_system_dim(s)];
    GET(status, noe_step, g);
    GET(status, noe_sensitivity, g, S);
    DO(noe_integrator_free, g);
    DO(noe_method_free, f);
}

/* A fit to three data; without cminpack its message. */
static void estimates(noe_system *s)
{
    put("three.csv", "t,q\n0.1,1\n0.2,0.9\n0.305,0.8\n");
    const char *const  path = in_scratch("three.csv");
    const noe_measured to = { .data = &path, .files = 1, .vary = "k" };
    noe_method        *f;
    noe_table         *t;
    GET(f, noe_method_parse, "simpson");
    GET(t, noe_estimate, s, f, 0.01, &to);
    DO(noe_table_free, t);
    DO(noe_method_free, f);
    DO(noe_error_clear);
}

static int last_row(void *ctx, size_t rows, const double *row, double *weight)
{
    (void)ctx, (void)row;
    called_back("a function of weights");
    for (size_t i = 0; i < rows; i++) weight[i] = i + 1 == rows;
    return 0;
}

/* A gradient, and an optimum; without Ipopt its message. */
static void gradients(noe_system *s)
{
    const noe_gradient_rows rows = { .until = 0.1, .every = 5, .columns = "q" };
    noe_optimum             o = { .steps = 2, .until = NAN };
    noe_method             *f;
    noe_table              *t;
    noe_system             *move;
    GET(f, noe_method_parse, "simpson");
    GET(t, noe_gradient_of, s, f, 0.01, &rows, last_row, NULL);
    if (!t) fail_msg("%s: %s", model, noe_error());
    DO(noe_table_free, t);
    GET(move, noe_system_load, "systems/block_move.lag");
    GET(t, noe_optimize, move, f, &o);
    DO(noe_table_free, t);
    DO(noe_system_free, move);
    DO(noe_method_free, f);
    DO(noe_error_clear);
}

static void all_with(noe_system *s, const char *method, double step, bool laws_too)
{
    noe_method     *f;
    noe_integrator *g;
    noe_table      *laws;
    const char     *text;
    int             n, order;
    GET(f, noe_method_parse, method);
    GET(text, noe_method_name, f);
    GET(order, noe_method_order, f);
    GET(n, noe_system_dim, s);
    GET(g, noe_integrator_new, s, f, step);
    if (!g) fail_msg("%s, %s: %s", model, method, noe_error());
    all_of(g, n);
    if (n < 40 && laws_too) {
        GET(laws, noe_check, s, f, step);
        DO(noe_table_free, laws);
    }
    DO(noe_integrator_free, g);
    DO(noe_method_free, f);
    DO(noe_error_clear);
}

static void all_methods(noe_system *s)
{
    static const char *const method[] = { "simpson", "midpoint",  "gauss 3",
                                          "gauss 8", "lobatto 3", "compose 6 simpson" };
    for (size_t i = 0; i < sizeof method / sizeof *method; i++) all_with(s, method[i], 0.01, i < 1);
}

/* Sines as instructions; functions that are called; both; sums of many terms with and without
 * functions. */
static const char *const text[] = {
    "parameter k = 1\ncoordinate q\nkinetic q'^2/2\npotential k*(1 - cos(q))\nstart q = 1\n"
    "observe s = sin(q)\n",
    "parameter k = 1\ncoordinate q\nkinetic q'^2/2\npotential k*(1 - exp(-q))^2\nstart q = 1\n"
    "observe s = exp(q)\n",
    "parameter k = 1\ncoordinate q, r\nkinetic (2 + cos(q - r))*q'*r'/3 + q'^2/2 + r'^2/2\n"
    "potential k*log(1 + q^2) + exp(sin(r)) + 1e9*cos(1e-9*q)\n"
    "dissipation q'^2/100\nforce r = sin(t)\nstart q = 1, r = 0.3\nobserve s = tanh(q)\n",
    "parameter k = 1\ncoordinate q\nkinetic q'^2/2\npotential k*cos(1e7*q)/1e14 + q^4\n"
    "start q = 1\nobserve s = sin(1e7*q)\n",
    "parameter N = 64, k = 1\ncoordinate x[0..N]\nfix x[0] = 0, x[N] = 0\n"
    "kinetic sum(i in 0..N) x[i]'^2/2\n"
    "potential sum(i in 0..N-1) ((x[i+1] - x[i])^2/2 + k*(x[i+1] - x[i])^4)\n"
    "start x[i in 1..N-1] = sin(pi*i/N)\nobserve s = x[1]\n",
    "parameter N = 64, k = 1\ncoordinate x[0..N]\nfix x[0] = 0, x[N] = 0\n"
    "kinetic sum(i in 0..N) x[i]'^2/2\n"
    "potential sum(i in 0..N-1) (k*exp(x[i+1] - x[i]) - cos(x[i])*sin(x[i+1]))\n"
    "start x[i in 1..N-1] = sin(pi*i/N)\nobserve s = x[1]\n",
};

static void models(void)
{
    static const char *const explicit[] = { "verlet", "yoshida6", "rk4" };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        noe_system *s, *other;
        double      x;
        const char *name;
        char       *source;
        model = text[i];
        GET(s, noe_system_parse, text[i]);
        if (!s) fail_msg("%s%s", text[i], noe_error());
        GET(other, noe_system_with, s, "k", 1.1);
        DO(noe_system_free, s);
        GET(s, noe_system_let, other, "k = 0.9");
        DO(noe_system_free, other);
        GET(x, noe_system_get, s, "k");
        GET(other, noe_system_differentiated, s, "k");
        DO(noe_error_clear); /* not of sums */
        if (other) derivatives(other, "simpson"), estimates(s), gradients(s);
        DO(noe_system_free, other);
        GET(name, noe_system_name, s, 0);
        GET(name, noe_system_warning, s);
        GET(name, noe_system_suggest, s, "step");
        GET(source, noe_system_emit, s, "it");
        free(source);
        DO(noe_error_clear);
        all_methods(s);
        for (size_t k = 0; i != 2 && k < sizeof explicit / sizeof *explicit; k++)
            all_with(s, explicit[k], 0.01, k < 1);
        DO(noe_system_free, s);
    }
    noe_system *s;
    GET(s, noe_system_load, "systems/double_pendulum.lag");
    model = "systems/double_pendulum.lag";
    all_methods(s);
    DO(noe_system_free, s);
}

static void functions_in_c(void)
{
    noe_system *s;
    model = "functions in C";
    for (int damped = 0; damped < 2; damped++) {
        if (damped) GET(s, noe_system_driven, 1, 1, anharmonic, NULL, drag, NULL);
        else GET(s, noe_system_new, 1, 1, anharmonic, NULL, NULL);
        all_methods(s);
        DO(noe_system_free, s);
    }
}

static void constraint_in_c(void)
{
    noe_system *s;
    model = "a constraint in C";
    GET(s, noe_system_constrained, 2, 1, 1, bead, NULL, NULL, parabola, NULL);
    all_with(s, "simpson", 0.01, false), all_with(s, "gauss 3", 0.01, false);
    DO(noe_system_free, s);
}

/* A chain of n masses: by one matrix, by polynomials, by factors. */
static void structures(void)
{
    enum { MOST = 200 };
    static const int size[] = { 5, MOST };
    model = "a structure";
    for (int k = 0; k < 4; k++) {
        const int n = size[k / 2];
        size_t    start[MOST + 1], diagonal[MOST + 1];
        int       row[2 * MOST], own[MOST];
        double    value[2 * MOST], one[MOST];
        for (int j = 0; j <= n; j++) start[j] = (size_t)(2 * j - (j == n)), diagonal[j] = (size_t)j;
        for (int j = 0; j < n; j++) {
            row[2 * j] = own[j] = j, value[2 * j] = 2, one[j] = 1;
            if (j < n - 1) row[2 * j + 1] = j + 1, value[2 * j + 1] = -1;
        }
        const noe_csc M = { diagonal, own, one }, K = { start, row, value };
        noe_system   *s;
        GET(s, noe_system_structure, n, &M, NULL, &K, k % 2 ? load : NULL, NULL);
        all_with(s, "simpson", 0.1, true), all_with(s, "gauss 3", 0.1, false),
            all_with(s, "verlet", 0.1, false);
        if (n == MOST) {
            noe_method     *f = noe_method_parse("simpson");
            noe_integrator *g = noe_integrator_new(s, f, 0.1);
            noe_status      set;
            double          x;
            GET(set, noe_set, g, "factorise", 1);
            GET(set, noe_run, g, 3, NULL, NULL);
            GET(x, noe_get, g, "energy");
            noe_integrator_free(g), noe_method_free(f);
        }
        DO(noe_system_free, s);
    }
}

/* A ball that bounces: the calls of events. */
static void events(void)
{
    static const char     ball[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
                                   "event floor: y = 0 falling then bounce 1\n"
                                   "start y = 1, x' = 1\n";
    noe_system           *s;
    const noe_integrator *at;
    const char           *text;
    noe_status            status;
    int                   seen = 0;
    model = "a ball";
    GET(s, noe_system_parse, ball);
    assert_non_null(s);
    noe_method     *f = noe_method_parse("simpson");
    noe_integrator *g = noe_integrator_new(s, f, 0.01);
    GET(status, noe_watch, g, observe, &seen);
    assert_int_equal(status, NOE_OK);
    GET(status, noe_run, g, 1, NULL, NULL);
    assert_int_equal(status, NOE_OK);
    assert_int_equal(seen, 1);
    noe_watch(g, NULL, NULL);
    GET(at, noe_next_event, g, 5);
    assert_non_null(at);
    GET(text, noe_event_name, at);
    assert_string_equal(text, "floor");
    noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
}

/* The calls of the header are those that were made. */
static void all_were_made(void)
{
    char  line[400];
    FILE *header = fopen("include/noether.h", "r");
    int   functions = 0;
    assert_non_null(header);
    while (fgets(line, sizeof line, header)) {
        char *at = strstr(line, "noe_"), *name;
        if (line[0] == ' ' || line[0] == '/' || !strncmp(line, "typedef", 7)) continue;
        for (; at && (name = at); at = strstr(at, "noe_")) {
            while (isalnum((unsigned char)*at) || *at == '_') at++;
            if (*at == '(') break;
        }
        if (!at) continue;
        int i = 0;
        *at = '\0', functions++;
        while (i < CALLS && strcmp(called[i].name, name)) i++;
        if (i == CALLS) fail_msg("%s was not called", name);
    }
    fclose(header);
    assert_in_range(functions, 40, CALLS);
}

static void unused_after_every_call(void **state)
{
    (void)state;
    static const char *const set[] = { NULL, "avx2", "sse2" };
    const char              *given = getenv("NOETHER_ISA");
    if (!upper_told()) {
        print_message(
            "this processor does not tell which registers are in use (XGETBV with ECX = 1): "
            "skipped\n");
        return;
    }
    if (__builtin_cpu_supports("avx")) {
        upper_spoil();
        const unsigned seen = upper_used();
        upper_clear();
        assert_int_equal(seen, 1 << 2);
    }
    assert_int_equal(upper_used(), 0);
    for (int i = 0; i < 3; i++) {
        if (set[i]) setenv("NOETHER_ISA", set[i], 1);
        else if (given) continue;
        models();
        functions_in_c();
        constraint_in_c();
        structures();
        events();
    }
    if (given) setenv("NOETHER_ISA", given, 1);
    else unsetenv("NOETHER_ISA");
    const char *meaning;
    double      standard;
    GET(what, noe_option_name, 0, &meaning, &standard);
    all_were_made();
}
#else
static void unused_after_every_call(void **state)
{
    (void)state;
    print_message("no x86-64: skipped\n");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(
        unused_after_every_call, make_scratch, remove_scratch) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
