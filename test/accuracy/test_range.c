/* f(x) lies in the range of f over a box that contains x.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * And f changes there no faster than the bounds of its slopes. */
#include "accuracy/enclosure.h"
#include "accuracy/operation_range.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

enum { BOXES = 4000, POINTS = 40 };

static double apply(noe_op op, const noe_tables *t, double a, double b, double c)
{
    return (double)noe_evaluate_apply(op, t, a, b, c);
}

/* Of many sizes, wide and narrow, about 0 and beside it. */
static noe_interval box(void)
{
    const double width = pow(10, 3 * random_number() - 1.5),
                 middle = 3 * random_number() * pow(10, random_number());
    return (noe_interval){ middle - width / 2, middle + width / 2 };
}

static double inside(noe_interval x)
{
    return fmin(x.hi, fmax(x.lo, x.lo + (random_number() + 1) / 2 * (x.hi - x.lo)));
}

/* Points of the box; how many had a value. */
static int check(noe_op op, const noe_tables *t, noe_interval a, noe_interval b, noe_interval c)
{
    const noe_operation_range r = noe_operation_range_apply(op, t, a, b, c);
    int                       seen = 0;
    for (int k = 0; k < POINTS; k++) {
        const double x = inside(a), y = inside(b), z = inside(c), f = apply(op, t, x, y, z);
        if (!isfinite(f)) continue;
        const double slack = 1e-9 * (1 + fabs(f)), to = inside(a), g = apply(op, t, to, y, z);
        if (!(f >= r.y.lo - slack && f <= r.y.hi + slack))
            fail_msg("op %d: f(%.17g, %.17g, %.17g) = %.17g is not in [%.17g, %.17g]", op, x, y, z,
                     f, r.y.lo, r.y.hi);
        /* What is hidden is no slope. */
        if (isfinite(g)
            && fabs(g - f) > r.partial[0] * fabs(to - x) * (1 + 1e-9) + r.hidden + slack)
            fail_msg("op %d: from %.17g to %.17g by %.17g, slope at most %.17g, hidden %g", op, x,
                     to, g - f, r.partial[0], r.hidden);
        seen++;
    }
    return seen;
}

static void ranges_contain_what_they_are_ranges_of(void **state)
{
    (void)state;
    static const noe_op ops[] = {
        NOE_MULADD,
        NOE_SUBMUL,
        NOE_DIV,
        NOE_MOD,
        NOE_ATAN2,
        NOE_LT,
        NOE_LE,
        NOE_MIN,
        NOE_MAX,
        NOE_IF,
#define FUNCTION(name, derivative) NOE_FN_##name,
#include "expr/functions.def"
#undef FUNCTION
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        int seen = 0, narrow = 0;
        for (int k = 0; k < BOXES; k++) {
            const noe_interval a = box(), b = box(), c = box();
            seen += check(ops[i], NULL, a, b, c);
            narrow += noe_interval_width(noe_operation_range_apply(ops[i], NULL, a, b, c).y)
                    < INFINITY;
        }
        if (narrow <= BOXES / 10 || seen <= BOXES)
            fail_msg("op %d: %d ranges are known, %d points have values", ops[i], narrow, seen);
    }
}

static void powers(void **state)
{
    (void)state;
    static const double e[] = { -3, -2, -0.5, 0.5, 1.5, 2, 3, 4, 7.3, 40 };
    for (int k = 0; k < BOXES; k++) {
        const noe_interval a = box(), b = { e[k % 10], e[k % 10] };
        check(NOE_POW, NULL, a, b, b);
        check(NOE_POW, NULL, (noe_interval){ 0.1, 0.1 + fabs(a.hi) }, box(), b);
    }
}

/* A constant period, which the box lies in or not. */
static void periods(void **state)
{
    (void)state;
    int within = 0;
    for (int k = 0; k < BOXES; k++) {
        const noe_interval a = box(), b = { 3 * random_number(), 0 }, period = { b.lo, b.lo };
        check(NOE_MOD, NULL, a, period, period);
        within += noe_operation_range_apply(NOE_MOD, NULL, a, period, period).hidden == 0;
    }
    assert_true(within > BOXES / 10 && within < BOXES);
}

/* Splines and straight lines through random points, and their derivatives; held, zero outside,
 * or none. */
static void samples(void **state)
{
    (void)state;
    noe_tables *t = calloc(1, sizeof *t);
    for (int k = 0; k < BOXES / 10; k++) {
        noe_arena    *arena = noe_arena_new();
        noe_tabulated s = { .cubic = k % 2, .outside = (noe_outside)(k % 3), .pieces = 1 + k % 7 };
        quad          x[9] = { -3 }, y[9];
        for (int i = 0; i <= s.pieces; i++)
            x[i] = i ? x[i - 1] + (quad)(1.1 + random_number()) : -3, y[i] = random_number();
        assert_true(noe_tabulated_make(&s, arena, x, y));
        t->item[0] = &s, t->count = 1;
        for (int order = 0; order < (s.cubic ? 4 : 2); order++)
            for (int i = 0; i < 10; i++)
                check(NOE_TABLE, t, box(), (noe_interval){ order, order }, box());
        noe_arena_free(arena);
    }
    free(t);
}

/* What of F is hidden in a box: nothing of what is smooth there, all of what is narrow, and
 * nothing of it far away. */
static void what_is_narrow_is_told_from_what_is_smooth(void **state)
{
    (void)state;
    noe_system *s = noe_system_parse(
        "coordinate x\nkinetic x'^2/2\n"
        "potential cos(x) + exp(-((x - 1)/1e-5)^2) + max(x - 3, 0)^2\nforce x = if(t < 2, 0, 5)\n");
    noe_enclosure *e;
    assert_non_null(s);
    assert_true(noe_enclosure_make(s, &e) && e);
    static const struct {
        double t, x, to;
        int    op;
    } at[] = {
        { 0, 0, 0.5, -1 },       { 0, 0.99, 1.01, NOE_FN_exp }, { 0, 1.1, 1.6, -1 },
        { 1.9, 0, 0.5, NOE_LT }, { 0, 2.9, 3.1, NOE_LT },
    };
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const noe_interval t = { at[i].t, at[i].t + 0.2 }, x = { at[i].x, at[i].to },
                           v = { 1, 1.1 };
        const double               weight[3] = { 1e3, 1e3, 1e3 };
        const noe_hidden_variation o = noe_enclosure_look(e, t, &x, &v, weight);
        if (at[i].op < 0) assert_true(o.part < 1e-6);
        else {
            assert_true(o.part > 1 && (o.op == at[i].op || o.op == NOE_IF));
            assert_int_equal(o.of_state, i != 3);
        }
    }
    noe_enclosure_free(e);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_contain_what_they_are_ranges_of),
        cmocka_unit_test(powers),
        cmocka_unit_test(periods),
        cmocka_unit_test(samples),
        cmocka_unit_test(what_is_narrow_is_told_from_what_is_smooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
