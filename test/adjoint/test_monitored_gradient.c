/* Gradients back over steps that follow a monitor: differences in binary128, forward derivatives.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J = sum of random weights times the rows, at given times or at the ends of steps and at `until`.
 * A row is reached by some whole steps and a part of one; the changed runs of a difference make as
 * many whole steps and a part to the time of the row, so that what is differenced is what is
 * differentiated.  Differences as in test/gradient/differences.h.  NOE_LONG=1: 300 systems, not 20.
 */
#include "../gradient/differences.h"
#include "../gradient/random_monitored.h"
#include "refused_gradient.h"

#include "adjoint/adjoint.h"
#include "between/fractional_step.h"
#include "rows/column_list.h"
#include "system/system.h"

enum { BY = 8, COLUMNS = 9, ROWS_MOST = 8, LONG = 200 };
static const char        all_columns[] = "t,x,y,x.p,y.p,x',y',energy,o";
static const char *const by[BY] = { "a", "b", "c", "d", "x", "y", "x'", "p(y)" };

/* What is differentiated: rows by steps up to `until`, or at times. */
typedef struct {
    const char   *scheme;
    quad          h, until;
    long          every;
    double        time[ROWS_MOST];
    long          times;
    const double *weight; /* [ROWS_MOST][COLUMNS] */
    double        memory;
} problem;

/* Where the rows of a run are: whole steps before each, and its time. */
typedef struct {
    size_t rows;
    long   step[ROWS_MOST];
    quad   time[ROWS_MOST];
} places;

static void note_places(const problem *p, const noe_adjoint_run *x, const noe_system *plain,
                        places *to)
{
    noe_integrator *g = integrator(plain, p->scheme, p->h, 33);
    long            made = 0;
    to->rows = x->rows;
    assert_true(to->rows <= ROWS_MOST);
    for (size_t r = 0; r < x->rows; r++) {
        to->step[r] = x->place[r].step;
        steps(g, (int)(to->step[r] - made)), made = to->step[r];
        if (!p->every) to->time[r] = p->time[r];
        else if (x->place[r].within) to->time[r] = p->until;
        else g->engine->get(g->work, NOE_AT_T, 0, &to->time[r]);
    }
    noe_integrator_free(g);
}

/* The gradient [BY] by the way back; NULL: the places of the rows are not wanted. */
static void back(const problem *p, const noe_system *plain, int digits, quad *to, places *at)
{
    noe_system  *s = noe_system_adjoint(plain);
    noe_columns *c = s ? noe_column_list_parse(s, all_columns) : NULL;
    quad         start[4];
    if (!c) fail_msg("%s", noe_error());
    noe_adjoint_run x = { .g = integrator(s, p->scheme, p->h, digits),
                          .columns = c,
                          .until = p->until,
                          .every = p->every,
                          .time = p->time,
                          .times = p->times,
                          .memory = p->memory };
    if (!noe_adjoint_forward_make(&x) || !noe_adjoint_back(&x, p->weight, to, start))
        fail_msg("%s: %s", p->scheme, noe_error());
    if (at) note_places(p, &x, plain, at);
    memcpy(to + 4, start, sizeof start);
    noe_adjoint_forward_drop(&x);
    noe_integrator_free(x.g);
    noe_system_free(s);
    free(c);
}

/* The state of a row, some steps after the last one; it belongs to g. */
static noe_integrator *row_of(noe_integrator *g, const places *at, size_t r)
{
    steps(g, (int)(at->step[r] - (r ? at->step[r - 1] : 0)));
    if (noe_fractional_step_mark(g)) fail_msg("%s", noe_error());
    noe_integrator *y = noe_fractional_step_at(g, at->time[r]);
    if (!y) fail_msg("%s", noe_error());
    return y;
}

/* The gradient by the forward equations. */
static void forth(const problem *p, const noe_system *plain, const places *at, quad *to)
{
    noe_system *s = noe_system_differentiated(plain, "a, b, c, d, x, y, x', p(y)");
    if (!s) fail_msg("%s", noe_error());
    noe_columns    *c = noe_column_list_parse(s, all_columns);
    noe_integrator *g = integrator(s, p->scheme, p->h, 33);
    memset(to, 0, BY * sizeof *to);
    for (size_t r = 0; r < at->rows; r++) {
        noe_integrator *y = row_of(g, at, r);
        for (int i = 1; i < COLUMNS; i++)
            for (int b = 0; b < BY; b++)
                to[b] += p->weight[r * COLUMNS + (size_t)i] * slope(y, c->name[i], by[b]);
        noe_fractional_step_leave(g);
    }
    noe_integrator_free(g);
    noe_system_free(s);
    free(c);
}

/* J of the plain system with one value changed. */
static quad J_of(const problem *p, const noe_system *plain, const places *at, const char *name,
                 quad value_of)
{
    noe_system *s = noe_system_with(plain, name, (double)value_of);
    if (!s) fail_msg("%s", noe_error());
    noe_columns    *c = noe_column_list_parse(s, all_columns);
    noe_integrator *g = integrator(s, p->scheme, p->h, 33);
    quad            sum = 0;
    for (size_t r = 0; r < at->rows; r++) {
        noe_integrator *y = row_of(g, at, r);
        for (size_t i = 0; i < COLUMNS; i++)
            sum += p->weight[r * COLUMNS + i] * noe_column_value(y, &c->column[i]);
        noe_fractional_step_leave(g);
    }
    noe_integrator_free(g);
    noe_system_free(s);
    free(c);
    return sum;
}

static quad difference(const problem *p, const noe_system *plain, const places *at,
                       const char *name, quad from)
{
    quad D[CHANGES][FOLLOWED_MOST], found;
    for (int k = 0; k < CHANGES; k++) {
        const quad e = (quad)0x1p-12 / (1 << k);
        D[k][0] = (J_of(p, plain, at, name, from + e) - J_of(p, plain, at, name, from - e))
                / (2 * e);
    }
    extrapolate(D, 1, &found);
    return found;
}

/* The largest errors over their bounds of each comparison. */
enum { TO_FORWARD, IN_DOUBLE, TO_DIFFERENCES, COMPARISONS };
static double worst[COMPARISONS];

static void compare(int which, const problem *p, int c, quad error, quad size)
{
    static const char *const of[] = { "forward", "in double", "differences" };
    static const double      bound[] = { 5e-31, 5e-13, 1e-26 };
    char                     what[99];
    snprintf(what, sizeof what, "%s: %s by %s", of[which], p->scheme, by[c]);
    tightest = worst[which];
    small(error, size, bound[which], what);
    worst[which] = tightest;
}

static void print_worst(int systems)
{
    print_message("%d systems; largest errors over their bounds: to forward derivatives %.3g, in "
                  "double %.3g, to differences %.3g\n",
                  systems, worst[TO_FORWARD], worst[IN_DOUBLE], worst[TO_DIFFERENCES]);
    memset(worst, 0, sizeof worst);
}

/* All derivatives of one system: in binary128 against forward ones and differences, in double
 * against binary128.  c, d and y follow others: what they are is no double, and so no base of a
 * change. */
static void agree(const problem *p, const noe_system *plain, int k)
{
    static const bool follows[BY] = { [2] = true, [3] = true, [5] = true };
    quad              exact[BY], fast[BY], forward[BY];
    places            at;
    back(p, plain, 33, exact, &at);
    back(p, plain, 15, fast, NULL);
    forth(p, plain, &at, forward);
    noe_integrator *start = integrator(plain, p->scheme, p->h, 33);
    for (int c = 0; c < BY; c++) {
        const quad size = 1 + fabsq(forward[c]);
        compare(TO_FORWARD, p, c, exact[c] - forward[c], size);
        compare(IN_DOUBLE, p, c, fast[c] - forward[c], size);
        if (follows[c] || (c + k) % 2) continue;
        const quad found = difference(p, plain, &at, by[c], value(start, by[c]));
        compare(TO_DIFFERENCES, p, c, exact[c] - found, size);
    }
    noe_integrator_free(start);
}

/* Rows: at times, on and between steps, several in one; or at ends of steps and at `until`; forward
 * and back in time. */
static void draw(problem *p, double *weight, int k)
{
    const double h = (k & 2 ? -1 : 1) / 20.0;
    for (int i = 0; i < ROWS_MOST * COLUMNS; i++) weight[i] = random_number();
    p->h = h, p->weight = weight, p->memory = 1e9;
    p->every = k % 3 ? 0 : 1 + k / 3 % 2;
    p->until = (quad)(h * (3.2 + 0.5 * random_number()));
    p->times = 6;
    p->time[0] = k % 2 ? 0 : h * 0.2;
    for (int r = 1; r < 6; r++) p->time[r] = h * (0.6 * r + 0.25 * random_number());
    p->time[3] = p->time[2];
}

static int count_of(int whole) { return getenv("NOE_LONG") ? whole : whole / 15; }

static void transformed_lagrangians(void **state)
{
    static const char *const of[] = { "simpson",          "gauss 2",    "lobatto 3",
                                      "P3 radau-left 3",  "gauss 4",    "gauss 6",
                                      "midpoint",         "P2 gauss 3", "compose 4 midpoint",
                                      "compose 6 simpson" };
    double                   weight[ROWS_MOST * COLUMNS];
    (void)state;
    for (int k = 0; k < count_of(300); k++) {
        problem     p = { .scheme = of[k % 10] };
        noe_system *s = random_monitored(random_number() < 0, bits() % DEPENDENCES, "");
        draw(&p, weight, (int)(bits() % 12));
        agree(&p, s, k);
        noe_system_free(s);
    }
    print_worst(count_of(300));
}

static void densities_of_steps(void **state)
{
    static const char *const of[] = { "verlet",  "simpson",   "mclachlan4", "rk4",
                                      "gauss 4", "lobatto 3", "midpoint",   "compose 6 simpson" };
    double                   weight[ROWS_MOST * COLUMNS];
    (void)state;
    for (int k = 0; k < count_of(300); k++) {
        problem     p = { .scheme = of[k % 8] };
        const bool  splits = k % 8 == 0 || k % 8 == 2;
        noe_system *s = random_monitored(splits || random_number() < 0, bits() % DEPENDENCES,
                                         splits || k % 3
                                             ? " reversible"
                                             : " reversible\nforce x = a*cos(2*t) - b*x*y'\n"
                                               "dissipation c/5*x'^2 + a*x^2*y'^2/8\n");
        draw(&p, weight, (int)(bits() % 12));
        agree(&p, s, k);
        noe_system_free(s);
    }
    print_worst(count_of(300));
}

/* The same numbers by records of all steps and by states from which steps are made again. */
static void made_again(void **state)
{
    double weight[ROWS_MOST * COLUMNS];
    (void)state;
    tightest = 0;
    for (int k = 0; k < 24; k++) {
        static const char *const of[] = { "simpson", "gauss 6", "gauss 3" };
        noe_system *s = random_monitored(k % 2, k / 2 % DEPENDENCES, k % 3 ? "" : " reversible");
        problem     p = { of[k % 3], (quad)1 / 50, 4, LONG / 4, { 0 }, 0, weight, 1e9 };
        quad        once[BY], twice[BY];
        places      at;
        for (int i = 0; i < ROWS_MOST * COLUMNS; i++) weight[i] = random_number();
        noe_system     *own = noe_system_adjoint(s);
        noe_integrator *g = integrator(own, p.scheme, p.h, 15);
        steps(g, LONG);
        p.until = noe_time(g) - 0.3 * (double)p.h;
        back(&p, s, 15, once, &at);
        size_t       state_bytes;
        const double record = (double)g->engine->adjoint->bytes(g->work),
                     all = (double)at.step[at.rows - 1] * record;
        g->engine->memory(g->work, &state_bytes);
        p.memory = 2.2 * sqrt(all * (double)state_bytes) + 2 * (double)state_bytes;
        assert_true(p.memory < all);
        back(&p, s, 15, twice, NULL);
        for (int c = 0; c < BY; c++) small(twice[c] - once[c], 1 + fabsq(once[c]), 5e-14, by[c]);
        noe_integrator_free(g);
        noe_system_free(own);
        noe_system_free(s);
    }
    print_message("largest error over its bound: %.3g\n", tightest);
}

/* The same of an oscillator with more statements. */
static void refused_with(const char *more, const char *scheme, noe_gradient_rows r, const char *why)
{
    char text[300];
    snprintf(text, sizeof text, "coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n%s\n",
             more);
    refused(text, scheme, r, why);
}

static void refusals(void **state)
{
    static const double     early[] = { -0.1 };
    const noe_gradient_rows fine = { .until = 0.4, .every = 4 };
    (void)state;
    refused_with("monitor 1 + x^2\nevent a: x = 1/2 then bounce 1", "simpson", fine,
                 "a monitor and events that change the motion");
    refused_with("monitor 1 + x^2\nevent a: x = 0.95 stop", "simpson", fine,
                 "stops the run at t = 0.3");
    refused_with("monitor 1 + x^2", "verlet", fine, "monitor .. reversible");
    refused_with("monitor 1 + x^2", "simpson", (noe_gradient_rows){ .until = -1, .every = 1 },
                 "behind the start");
    refused_with("monitor 1 + x^2", "simpson", (noe_gradient_rows){ .time = early, .times = 1 },
                 "behind the start");
    refused_with("monitor 1 + x^2", "simpson",
                 (noe_gradient_rows){ .until = 1, .every = 1, .memory = 100 }, "bytes of memory");
    refused_with("monitor x - 0.9", "simpson", (noe_gradient_rows){ .until = 9, .every = 1 }, "");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(transformed_lagrangians),
                                        cmocka_unit_test(densities_of_steps),
                                        cmocka_unit_test(made_again), cmocka_unit_test(refusals) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
