/* Gradients back over events that change the motion, against the forward derivatives.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J = sum of random weights times the rows.  The forward derivatives are those of event/
 * event_sensitivity.c, which test/gradient/test_event_sensitivity.c compares with differences. */
#include "../gradient/random_box.h"

#include "adjoint/adjoint.h"
#include "event/event_step.h"
#include "between/fractional_step.h"
#include "rows/column_list.h"
#include "system/system.h"

enum { BY = 8, COLUMNS = 7, ROWS_MOST = 17, STEPS = 16, LONG = 256, STARTS = 4 };
static const char        all_columns[] = "x,y,x.p,y.p,x',y',energy";
static const char        list[] = "a, e, w, c, x, y, x', p(y)";
static const char *const by[BY] = { "a", "e", "w", "c", "x", "y", "x'", "p(y)" };

/* What is differentiated: rows by steps or at times. */
typedef struct {
    const char   *scheme;
    quad          h;
    long          every;
    double        time[ROWS_MOST];
    long          times, steps;
    const double *weight; /* [ROWS_MOST][COLUMNS] */
    double        memory;
    bool          again; /* `memory` is too little for the records of all steps */
} problem;

/* The gradient [BY] by the way back; the number of changes of the motion. */
static size_t back(const problem *p, const noe_system *plain, int digits, quad *to)
{
    noe_system  *s = noe_system_adjoint(plain);
    noe_columns *c = s ? noe_column_list_parse(s, all_columns) : NULL;
    if (!c) fail_msg("%s", noe_error());
    noe_adjoint_run x = { .g = integrator(s, p->scheme, p->h, digits),
                          .columns = c,
                          .until = p->steps * p->h,
                          .every = p->every,
                          .time = p->time,
                          .times = p->times,
                          .memory = p->memory };
    assert_int_equal(noe_event_step_attach(x.g), NOE_OK);
    if (!noe_adjoint_forward_make(&x) || !noe_adjoint_back(&x, p->weight, to, to + BY - STARTS))
        fail_msg("%s: %s", p->scheme, noe_error());
    const size_t changes = x.changes;
    assert_true((x.span < x.steps) == p->again);
    noe_adjoint_forward_drop(&x);
    noe_integrator_free(x.g);
    noe_system_free(s);
    free(c);
    return changes;
}

typedef struct {
    const problem *p;
    const double  *weight; /* of the next row */
    long           row;    /* its number */
    quad          *to,     /* [BY] */
        *size;             /* of the terms [BY] */
} sums;

static void add_row(sums *x, noe_integrator *y)
{
    static const char *const name[COLUMNS] = { "x", "y", "p(x)", "p(y)", "x'", "y'", "energy" };
    for (int i = 0; i < COLUMNS; i++, x->weight++)
        for (int b = 0; b < BY; b++) {
            const quad term = *x->weight * slope(y, name[i], by[b]);
            x->to[b] += term, x->size[b] += fabsq(term);
        }
    x->row++;
}

static noe_status pass(void *ctx, noe_integrator *g, quad from, quad to)
{
    sums *x = ctx;
    (void)from;
    while (x->row < x->p->times && x->p->time[x->row] <= to) {
        noe_integrator *y = noe_fractional_step_at(g, x->p->time[x->row]);
        if (!y) fail_msg("%s", noe_error());
        add_row(x, y);
    }
    noe_fractional_step_leave(g);
    return NOE_OK;
}

/* The same by derivatives of the rows, forward; size: the sizes of what is added. */
static void forth(const problem *p, const noe_system *plain, quad *to, quad *size)
{
    noe_system *s = noe_system_differentiated(plain, list);
    if (!s) fail_msg("%s", noe_error());
    noe_integrator *g = integrator(s, p->scheme, p->h, 33);
    sums            x = { p, p->weight, 0, to, size };
    assert_int_equal(noe_event_step_attach(g), NOE_OK);
    for (int b = 0; b < BY; b++) to[b] = 0, size[b] = 1;
    if (!p->every) g->events->passage = pass, g->events->passage_ctx = &x;
    if (p->every) add_row(&x, g);
    for (int k = 1; k <= p->steps; k++) {
        steps(g, 1);
        if (p->every && (k % p->every == 0 || k == p->steps)) add_row(&x, g);
    }
    if (!p->every) assert_int_equal(x.row, p->times);
    noe_integrator_free(g);
    noe_system_free(s);
}

/* The number of changes of the motion over which all agrees. */
static size_t agree(const problem *p, const noe_system *s)
{
    quad forward[BY], size[BY], exact[BY], fast[BY];
    forth(p, s, forward, size);
    const size_t changes = back(p, s, 33, exact), other = back(p, s, 15, fast);
    for (int b = 0; b < BY; b++) {
        char what[99];
        snprintf(what, sizeof what, "%s by %s, %zu changes", p->scheme, by[b], changes);
        small(exact[b] - forward[b], size[b], 2e-31, what);
        /* 100 seeds: at most 4.5e-13 */
        if (other == changes) small(fast[b] - forward[b], size[b], 5e-12, what);
    }
    return changes;
}

static void draw_weights(double *weight)
{
    for (int i = 0; i < ROWS_MOST * COLUMNS; i++) weight[i] = random_number();
}

static const char *const of[] = { "simpson",           "gauss 2", "lobatto 3",
                                  "compose 6 simpson", "rk4",     "verlet" };

static int kind_of(int k) { return k % 6 == 5 ? 2 * (k / 6 % 3) : k / 2 % KINDS; }

/* Random systems with rows at steps or, timed, at times: before and after a change in the same
 * step. */
static void compare_many(bool timed)
{
    double weight[ROWS_MOST * COLUMNS];
    size_t changes = 0;
    tightest = 0;
    for (int k = 0; k < 48; k++) {
        noe_system *s = random_box(kind_of(k));
        problem     p = { of[k % 6],
                          (quad)1 / (timed ? 4 : 8),
                      timed ? 0 : 1 + k % 3,
                          { 0 },
                      timed ? ROWS_MOST : 0,
                          STEPS,
                          weight,
                          1e9,
                          false };
        for (int r = 0; r < p.times; r++) p.time[r] = (r + 0.4 * random_number() + 0.45) / 4.5;
        if (timed) p.time[3] = 0.75;
        draw_weights(weight);
        changes += agree(&p, s);
        noe_system_free(s);
    }
    print_message("48 systems, %zu changes; largest error over its bound: %.3g\n", changes,
                  tightest);
    assert_true(changes >= 24); /* 100 seeds: 46 .. 95 */
}

static void at_steps(void **state) { (void)state, compare_many(false); }
static void at_times(void **state) { (void)state, compare_many(true); }

/* The same numbers by states from which steps are made again. */
static void made_again(void **state)
{
    double weight[ROWS_MOST * COLUMNS];
    size_t changes = 0;
    (void)state;
    tightest = 0;
    for (int k = 0; k < 18; k++) {
        noe_system *s = random_box(kind_of(k)), *own = noe_system_adjoint(s);
        problem     p = { of[k % 6], (quad)1 / 128, LONG / 8, { 0 }, 0, LONG, weight, 1e9, false };
        quad        once[BY], twice[BY];
        draw_weights(weight);
        changes += back(&p, s, 15, once);
        noe_integrator *g = integrator(own, p.scheme, p.h, 15);
        const double    record = (double)g->engine->adjoint->bytes(g->work);
        size_t          state_bytes;
        g->engine->memory(g->work, &state_bytes);
        p.memory = 2.2 * sqrt(LONG * record * (double)state_bytes) + 2 * (double)state_bytes;
        p.again = true;
        back(&p, s, 15, twice);
        for (int b = 0; b < BY; b++) small(twice[b] - once[b], 1 + fabsq(once[b]), 2e-14, by[b]);
        noe_integrator_free(g);
        noe_system_free(own);
        noe_system_free(s);
    }
    print_message("18 systems, %zu changes; largest error over its bound: %.3g\n", changes,
                  tightest);
    assert_true(changes >= 9);
}

static int no_weights(void *ctx, size_t rows, const double *row, double *weight)
{
    (void)ctx, (void)rows, (void)row, (void)weight;
    return 0;
}

/* A body that goes to and fro between two walls, thirty times a step: the changes need more memory
 * than the steps. */
static void too_many_changes(void **state)
{
    static const char       columns[] = "x";
    const noe_gradient_rows rows = {
        .until = 0.2, .every = 4, .columns = columns, .memory = 20000
    };
    (void)state;
    noe_system *s = parse("coordinate x\nkinetic x'^2/2\nstart x = 0.003, x' = 8\n"
                          "event left: x = 0 falling then bounce 1\n"
                          "event right: x = 0.01 rising then bounce 1\n");
    noe_method *m = method("simpson");
    assert_null(noe_gradient_of(s, m, 0.05, &rows, no_weights, NULL));
    if (!strstr(noe_error(), "changes of the motion needs more than 2e+04 bytes"))
        fail_msg("%s", noe_error());
    noe_error_clear();
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(at_steps), cmocka_unit_test(at_times),
                                        cmocka_unit_test(made_again),
                                        cmocka_unit_test(too_many_changes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
