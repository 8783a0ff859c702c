/* Sections: denser ones contain the others, of random systems and by all kinds of methods.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event_record.h"

static const char *const names[] = { "simpson", "gauss 3", "verlet", "rk4", "yoshida6", "gauss 8" };
enum { NAMES = sizeof names / sizeof *names };

/* Two oscillators with random frequencies, coupled by random cubic terms, held by quartic ones; x
 * with a random event. */
static void system_text(char *text, size_t size, double a[6])
{
    for (int i = 0; i < 6; i++) a[i] = random_number();
    snprintf(text, size,
             "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
             "potential %.17g*x^2 + %.17g*y^2 + %.17g*x^2*y + %.17g*y^3 + x^4/4 + y^4/4\n"
             "start x = 0.3, y = 0.2, x' = %.17g, y' = 0.7\n"
             "g = x + %.17g*y\n",
             1 + a[0] / 2, 1 + a[1] / 2, a[2] / 2, a[3] / 4, a[4], a[5] / 3);
}

static void record_of(const char *model, const char *events, const char *name, double h,
                      double until, record *r)
{
    char text[1200];
    snprintf(text, sizeof text, "%s%s", model, events);
    noe_system *s = parse(text);
    if (!pass(s, name, h, until, r)) fail_msg("%s: %s", name, noe_error());
    noe_system_free(s);
}

/* Is event k of the one record event j of the other, bit for bit? */
static bool same(const record *r, int k, const record *o, int j)
{
    return r->exact[k] == o->exact[j] && !memcmp(r->q[k], o->q[j], 2 * sizeof(double))
        && !memcmp(r->p[k], o->p[j], 2 * sizeof(double));
}

/* A section in both directions has that in one as every second point; a section of twice the time
 * has that of the time as its beginning; beside other events it is what it is alone. */
static void test_more_directions_time_and_events(void **unused)
{
    (void)unused;
    static record one, both, longer, beside;
    for (int i = 0; i < 2 * NAMES; i++) {
        char         model[800];
        double       a[6];
        const double h = 0.04 + 0.03 * random_number();
        const char  *name = names[i % NAMES];
        system_text(model, sizeof model, a);
        record_of(model, "event e: g = 0 rising\n", name, h, 60, &one);
        record_of(model, "event e: g = 0\n", name, h, 60, &both);
        record_of(model, "event e: g = 0 rising\n", name, h, 120, &longer);
        record_of(model, "event f: x' = y'\nevent e: g = 0 rising\nevent c: cos(3*t) = 0.2\n", name,
                  h, 60, &beside);
        assert_in_range(one.count, 5, 200);
        const int first = same(&one, 0, &both, 0) ? 0 : 1;
        for (int k = 0; k < one.count; k++)
            if (!same(&one, k, &both, first + 2 * k))
                fail_msg("%s: point %d of the section in one direction is not that in both", name,
                         k);
        assert_true(abs(both.count - 2 * one.count) <= 1);
        assert_true(longer.count > one.count);
        for (int k = 0; k < one.count; k++) assert_true(same(&one, k, &longer, k));
        int k = 0;
        for (int j = 0; j < beside.count; j++)
            if (beside.event[j] == 1) assert_true(k < one.count && same(&one, k++, &beside, j));
        assert_int_equal(k, one.count);
    }
}

/* Every point of the sparse record has one in the dense record: its time to rounding, its state to
 * what this rounding makes of it. */
static int contained(const record *sparse, const record *dense, const char *name)
{
    int j = 0;
    for (int k = 0; k < sparse->count; k++) {
        while (j < dense->count && dense->t[j] < sparse->t[k] - 1e-9) j++;
        if (j == dense->count) fail_msg("%s: the event at %.17g is missing", name, sparse->t[k]);
        const double size = 1 + sparse->t[k], speed = 8; /* bounds |q'|, |p'| of these motions */
        small(sparse->exact[k] - dense->exact[j], size, 16 * 0x1p-53, "time in a denser section");
        for (int c = 0; c < 2; c++) {
            small(sparse->q[k][c] - dense->q[j][c], speed * size, 16 * 0x1p-53, "position");
            small(sparse->p[k][c] - dense->p[j][c], speed * size, 16 * 0x1p-53, "momentum");
        }
        j++;
    }
    return dense->count - sparse->count;
}

/* Has one record an event within `apart` of one of the other?  A product of two functions then
 * comes and goes between them. */
static bool near(const record *x, const record *y, double apart)
{
    for (int k = 0; k < x->count; k++)
        for (int j = 0; j < y->count; j++)
            if (fabs(x->t[k] - y->t[j]) < apart) return true;
    return false;
}

/* A stroboscopic section of half the period contains that of the period; a section of a product
 * those of its factors, and nothing else, if they are not within a twentieth of a step
 * (doc/events.md). */
static void test_products_and_periods(void **unused)
{
    (void)unused;
    static record sparse, dense, other, all;
    int           compared = 0;
    for (int i = 0; i < 2 * NAMES; i++) {
        char         model[800], event[200];
        double       a[6];
        const double h = 0.04 + 0.03 * random_number(), period = 1 + random_number() / 2;
        const char  *name = names[i % NAMES];
        system_text(model, sizeof model, a);
        snprintf(event, sizeof event, "event e: sin(pi*t/%.17g) = 0\n", period);
        record_of(model, event, name, h, 40, &sparse);
        snprintf(event, sizeof event, "event e: sin(2*pi*t/%.17g) = 0\n", period);
        record_of(model, event, name, h, 40, &dense);
        for (int k = 0; k < sparse.count; k++)
            small(sparse.exact[k] - (quad)period * (k + 1), 40, 4 * 0x1p-53,
                  "multiple of a period");
        assert_in_range(contained(&sparse, &dense, name), sparse.count - 1, sparse.count + 1);

        record_of(model, "event e: g = 0\n", name, h, 40, &sparse);
        record_of(model, "event e: y' = 0.1\n", name, h, 40, &other);
        if (near(&sparse, &other, h / 20)) continue;
        compared++;
        record_of(model, "event e: g*(y' - 0.1) = 0\n", name, h, 40, &all);
        assert_int_equal(contained(&sparse, &all, name), other.count);
        assert_int_equal(contained(&other, &all, name), sparse.count);
    }
    assert_true(compared >= NAMES);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_directions_time_and_events),
        cmocka_unit_test(test_products_and_periods),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
