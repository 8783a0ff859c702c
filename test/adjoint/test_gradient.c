/* Gradients by all parameters and starts: differences in binary128, forward derivatives, memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J = sum of random weights times the rows.  Differences as in test/gradient/test_sensitivity.c:
 * central, with 2^-12, 2^-13 and 2^-14, extrapolated twice.  NOE_LONG=1: all 300 systems. */
#include "../gradient/random_model.h"
#include "refused_gradient.h"

#include "adjoint/adjoint.h"
#include "between/fractional_step.h"
#include "rows/column_list.h"
#include "system/system.h"

enum { BY = 8, COLUMNS = 9, ROWS_MOST = 9, STEPS = 4, LONG = 200 };
static const char        all_columns[] = "t,x,y,x.p,y.p,x',y',energy,o";
static const char *const by[BY] = { "a", "b", "c", "d", "x", "y", "x'", "p(y)" };

/* What is differentiated: rows by steps or at times. */
typedef struct {
    const char   *scheme;
    quad          h;
    long          every;
    double        time[ROWS_MOST];
    long          times;
    const double *weight; /* [ROWS_MOST][COLUMNS] */
    double        memory;
} problem;

static noe_adjoint_run begin(const problem *p, const noe_system *s, noe_columns *c, int digits)
{
    return (noe_adjoint_run){ .g = integrator(s, p->scheme, p->h, digits),
                              .columns = c,
                              .until = (p->every == LONG / 4 ? LONG : STEPS) * p->h,
                              .every = p->every,
                              .time = p->time,
                              .times = p->times,
                              .memory = p->memory };
}

/* The gradient [BY] by the way back. */
static void gradient(const problem *p, const noe_system *plain, int digits, quad *to)
{
    noe_system  *s = noe_system_adjoint(plain);
    noe_columns *c = s ? noe_column_list_parse(s, all_columns) : NULL;
    quad         start[4];
    if (!c) fail_msg("%s", noe_error());
    noe_adjoint_run x = begin(p, s, c, digits);
    if (!noe_adjoint_forward_make(&x) || !noe_adjoint_back(&x, p->weight, to, start))
        fail_msg("%s: %s", p->scheme, noe_error());
    /* starts: by x, y, and by x' and p(y) as they are given */
    memcpy(to + 4, start, sizeof start);
    noe_adjoint_forward_drop(&x);
    noe_integrator_free(x.g);
    noe_system_free(s);
    free(c);
}

/* J of the plain system with one value changed, in binary128, by reading columns directly. */
static quad J_of(const problem *p, const noe_system *plain, const char *name, quad value_of)
{
    noe_system *s = name ? noe_system_with(plain, name, (double)value_of) : NULL;
    if (name && !s) fail_msg("%s", noe_error());
    noe_columns    *c = noe_column_list_parse(s ? s : plain, all_columns);
    noe_integrator *g = integrator(s ? s : plain, p->scheme, p->h, 33);
    quad            sum = 0;
    const double   *weight = p->weight;
#define ROW(y) \
    for (int i = 0; i < COLUMNS; i++) sum += *weight++ * noe_column_value(y, &c->column[i])
    if (p->every) {
        ROW(g);
        for (int k = 1; k <= STEPS; k++) {
            steps(g, 1);
            if (k % p->every == 0 || k == STEPS) ROW(g);
        }
    } else
        for (long r = 0; r < p->times; r++) {
            while (noe_time(g) + (double)p->h <= p->time[r]) steps(g, 1);
            if (noe_fractional_step_mark(g)) fail_msg("%s", noe_error());
            noe_integrator *y = noe_fractional_step_at(g, p->time[r]);
            if (!y) fail_msg("%s", noe_error());
            ROW(y);
        }
    noe_integrator_free(g);
    noe_system_free(s);
    free(c);
    return sum;
}

static quad difference(const problem *p, const noe_system *plain, const char *name, quad from)
{
    quad D[3];
    for (int k = 0; k < 3; k++) {
        const quad e = (quad)0x1p-12 / (1 << k);
        D[k] = (J_of(p, plain, name, from + e) - J_of(p, plain, name, from - e)) / (2 * e);
    }
    const quad a = D[1] + (D[1] - D[0]) / 3, b = D[2] + (D[2] - D[1]) / 3;
    return b + (b - a) / 15;
}

static void draw_weights(double *weight)
{
    for (int i = 0; i < ROWS_MOST * COLUMNS; i++) weight[i] = random_number();
}

/* All derivatives of one system: binary128 against differences, double against binary128. */
static void agree(const problem *p, const noe_system *plain)
{
    quad exact[BY], fast[BY];
    gradient(p, plain, 33, exact);
    gradient(p, plain, 15, fast);
    noe_integrator *start = integrator(plain, p->scheme, p->h, 33);
    for (int c = 0; c < BY; c++) {
        char what[99];
        snprintf(what, sizeof what, "%s by %s", p->scheme, by[c]);
        const quad from = value(start, by[c]), size = 1 + fabsq(exact[c]);
        small(fast[c] - exact[c], size, 5e-14, what);
        /* c, d and y follow others: what they are is no double, and so no base of a change. */
        if (c == 2 || c == 3 || c == 5) continue;
        small(exact[c] - difference(p, plain, by[c], from), size, 1e-20, what);
    }
    noe_integrator_free(start);
}

static int count_of(int whole) { return getenv("NOE_LONG") ? whole : whole / 10; }

static void against_differences(void **state)
{
    static const char *const of[] = { "simpson",           "gauss 2", "lobatto 3",
                                      "P3 radau-left 3",   "gauss 6", "rk4",
                                      "compose 6 simpson", "verlet",  "mclachlan4" };
    double                   weight[ROWS_MOST * COLUMNS];
    (void)state;
    tightest = 0;
    for (int k = 0; k < count_of(300); k++) {
        const int   scheme = k % 9;
        noe_system *s = random_system(scheme > 6 || k % 3 == 0, scheme < 6 && k % 2);
        problem     p = { of[scheme], (quad)1 / 20, 1 + k % 3, { 0 }, 0, weight, 1e9 };
        draw_weights(weight);
        agree(&p, s);
        noe_system_free(s);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* Rows at times, on and between grid points, two in one step. */
static void at_times(void **state)
{
    static const char *const of[] = { "simpson", "gauss 3", "rk4", "verlet", "compose 6 gauss 2" };
    double                   weight[ROWS_MOST * COLUMNS];
    (void)state;
    tightest = 0;
    for (int k = 0; k < count_of(60); k++) {
        noe_system  *s = random_system(k % 5 == 3, k % 5 < 3);
        problem      p = { of[k % 5], (quad)1 / 16, 0, { 0 }, 6, weight, 1e9 };
        const double t[6] = { k % 2 ? 0 : 0.013,
                              0.0625,
                              0.085 + 0.02 * random_number(),
                              0.1125,
                              0.1875,
                              0.1875 + 0.03 * (1.1 + random_number()) };
        memcpy(p.time, t, sizeof t);
        draw_weights(weight);
        agree(&p, s);
        noe_system_free(s);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* The same numbers by records of all steps and by states from which steps are made again. */
static void made_again(void **state)
{
    double weight[ROWS_MOST * COLUMNS];
    (void)state;
    tightest = 0;
    for (int k = 0; k < 30; k++) {
        static const char *const of[] = { "simpson", "rk4", "gauss 6" };
        noe_system              *s = random_system(false, true), *own = noe_system_adjoint(s);
        problem                  p = { of[k % 3], (quad)1 / 50, LONG / 4, { 0 }, 0, weight, 1e9 };
        quad                     once[BY], twice[BY];
        draw_weights(weight);
        gradient(&p, s, 15, once);
        noe_integrator *g = integrator(own, p.scheme, p.h, 15);
        size_t          state_bytes;
        const double    record = (double)g->engine->adjoint->bytes(g->work);
        g->engine->memory(g->work, &state_bytes);
        p.memory = 2.2 * sqrt(LONG * record * (double)state_bytes) + 2 * (double)state_bytes;
        assert_true(p.memory < LONG * record);
        gradient(&p, s, 15, twice);
        for (int c = 0; c < BY; c++) small(twice[c] - once[c], 1 + fabsq(once[c]), 5e-14, by[c]);
        noe_integrator_free(g);
        noe_system_free(own);
        noe_system_free(s);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* Derivatives of the rows by the forward equations, summed with the weights. */
static void against_forward(void **state)
{
    static const char list[] = "a, b, c, d, x, y, x', p(y)";
    double            weight[ROWS_MOST * COLUMNS];
    (void)state;
    tightest = 0;
    for (int k = 0; k < 60; k++) {
        static const char *const of[] = { "simpson", "gauss 2", "rk4", "lobatto 4" };
        noe_system              *plain = random_system(k % 3 == 0, k % 2),
                   *s = noe_system_differentiated(plain, list);
        problem p = { of[k % 4], (quad)1 / 20, 1, { 0 }, 0, weight, 1e9 };
        quad    back[BY], forth[BY] = { 0 };
        draw_weights(weight);
        gradient(&p, plain, 33, back);
        noe_columns    *c = noe_column_list_parse(s, all_columns);
        noe_integrator *g = integrator(s, p.scheme, p.h, 33);
        for (int r = 0; r <= STEPS; r++) {
            for (int i = 1; i < COLUMNS; i++)
                for (int b = 0; b < BY; b++)
                    forth[b] += weight[r * COLUMNS + i] * slope(g, c->name[i], by[b]);
            if (r < STEPS) steps(g, 1);
        }
        for (int b = 0; b < BY; b++) small(back[b] - forth[b], 1 + fabsq(forth[b]), 1e-31, by[b]);
        noe_integrator_free(g);
        free(c);
        noe_system_free(s);
        noe_system_free(plain);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* Published digits of test/gradient/test_sensitivity.c: d(a + 2 p_b) by the starts. */
static const char *const pendulum =
    "parameter g = 9.81, m = 0.7, l = 0.9\ncoordinate a, b\n"
    "lagrangian (1 + m)/2*l^2*a'^2 + m/2*l^2*b'^2 + m*l^2*a'*b'*cos(a - b)"
    " + (1 + m)*g*l*cos(a) + m*g*l*cos(b)\n"
    "start a = 1, b = -0.4, p(a) = 0.2, p(b) = -0.1\n";

static int last_row(void *ctx, size_t rows, const double *row, double *weight)
{
    (void)row;
    memset(weight, 0, rows * 4 * sizeof *weight);
    weight[4 * rows - 4] = 1, weight[4 * rows - 1] = 2; /* a, p(a), b, p(b) */
    return ctx != NULL;
}

static void published_digits(void **state)
{
    static const struct {
        const char *label;
        double      gradient;
    } known[] = { { "m", -0.2207768664564558110888 - 2 * 0.1842272867486674693745 },
                  { "l", 0.7825480648041302391395 + 2 * 0.249070671332757792628 },
                  { "a", -0.1263879026166273878608 },
                  { "b", -2.963323089308112480649 },
                  { "p(a)", 0.623506192584796369538 },
                  { "p(b)", 0.03487735865675657352139 } };
    const noe_gradient_rows rows = { .until = 0.4, .every = 4 };
    (void)state;
    noe_system *s = parse(pendulum);
    noe_method *m = method("simpson");
    noe_table  *t = noe_gradient_of(s, m, 0.05, &rows, last_row, NULL);
    if (!t) fail_msg("%s", noe_error());
    assert_int_equal(noe_table_rows(t), 7);
    for (size_t r = 0, k = 0; r < 7; r++) {
        if (!strcmp(noe_table_label(t, r), "g")) continue;
        assert_string_equal(noe_table_label(t, r), known[k].label);
        small(noe_table_column(t, "gradient")[r] - known[k].gradient, 1, 2e-14, known[k].label);
        k++;
    }
    assert_true(noe_table_column(t, "value")[3] == 1);
    noe_table_free(t);
    assert_null(noe_gradient_of(s, m, 0.05, &rows, last_row, s));
    assert_non_null(strstr(noe_error(), "gave up"));
    noe_method_free(m);
    noe_system_free(s);
}

static void refusals(void **state)
{
    static const double nan_time[] = { NAN };
    static const double backward[3][3] = {
        { 0.1, 0.3, 0.2 },
        { 0.3, 0.3, 0.2 }, /* two rows at one time, then one before it */
        { 0.3, 0.2, 0.1 }, /* an order, but that of a negative step */
    };
    const noe_gradient_rows         fine = { .until = 0.4, .every = 4 };
    static const char *const        free_fall = "coordinate x\nkinetic x'^2/2\n",
                             *const monitored = "coordinate x\nkinetic x'^2/2\npotential x^2\n"
                                                "monitor 1 + x^2\nstart x = 1\n";
    static const double             both_sides[] = { -1, 1, 2 };
    char                            text[300];
    (void)state;
    refused(pendulum, "simpson", (noe_gradient_rows){ .until = 1 }, "either `every`");
    refused(pendulum, "simpson", (noe_gradient_rows){ .until = NAN, .every = 1 }, "until");
    refused(pendulum, "simpson", (noe_gradient_rows){ .until = -1, .every = 1 }, "until");
    for (int k = 0; k < 3; k++)
        refused(pendulum, "simpson", (noe_gradient_rows){ .time = backward[k], .times = 3 },
                "order of the run");
    refused(pendulum, "simpson", (noe_gradient_rows){ .time = both_sides, .times = 2 },
            "time -1 lies behind the start, t = 0");
    refused(monitored, "simpson", (noe_gradient_rows){ .time = both_sides, .times = 3 },
            "time -1 lies behind the start, t = 0");
    refused(pendulum, "simpson", (noe_gradient_rows){ .time = nan_time, .times = 1 }, "finite");
    refused(pendulum, "simpson", (noe_gradient_rows){ .until = 1, .every = 1, .columns = "a,c" },
            "'c'");
    refused(pendulum, "simpson", (noe_gradient_rows){ .until = 1, .every = 1, .columns = "work" },
            "'work' has no derivative");
    refused(pendulum, "simpson", (noe_gradient_rows){ .until = 1, .every = 1, .memory = 100 },
            "bytes of memory");
    refused(pendulum, "rk4-v", fine, "Runge-Kutta methods in (q, v)");
    snprintf(text, sizeof text, "%sevent a: x = 1 stop\nstart x' = 9\n", free_fall);
    refused(text, "simpson", fine, "stops the run at t = 0.111");
    refused("coordinate x, y\nkinetic x'^2/2 + y'^2/2\nstart x = 1, y = 1, x' = -5, y' = -5\n"
            "event a: x = 0 falling then bounce 1\nevent b: y = 0 falling then bounce 1\n",
            "simpson", fine, "two events change the motion at the same time");
    refused("parameter c = 1\ncoordinate x\nkinetic x'^2/2\nstart t = c\n", "simpson", fine,
            "time of the start");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_digits),    cmocka_unit_test(against_forward),
        cmocka_unit_test(against_differences), cmocka_unit_test(at_times),
        cmocka_unit_test(made_again),          cmocka_unit_test(refusals)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
