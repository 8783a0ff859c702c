/* The list of laws: without memory for one more it stays as it is, and can be continued.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "failing.h"
#include "laws.h"

#include "certify/laws.h"

static void check(const noe_laws *s, const double *value, int count)
{
    assert_int_equal(s->count, count);
    for (int i = 0; i < count; i++) {
        char name[20];
        snprintf(name, sizeof name, "law %d", i);
        assert_string_equal(s->law[i].name, name);
        assert_true(s->law[i].value == value[i]);
        assert_int_equal(s->law[i].verdict, value[i] <= 0 ? NOE_HOLDS : NOE_FAILS);
    }
}

/* Memory fails wherever the list has to grow, once or twice, before it does. */
static void test_no_memory(void **state)
{
    (void)state;
    enum { LAWS = 300 };
    double   value[LAWS];
    noe_laws s = { 0 };
    int      refused = 0;
    for (int i = 0; i < LAWS; i++) {
        value[i] = random_number();
        for (int tries = 1 + (int)(bits() % 2); tries > 0; tries--) {
            const int  room = s.capacity;
            const bool full = s.count == room;
            noe_error_clear();
            calls_left = 0;
            const noe_law *x = noe_law_list_add(&s, "none", value[i], 0, "memory fails");
            const bool     failed = calls_left < 0;
            calls_left = -1;
            assert_true(failed == full && (x == NULL) == full);
            if (x) s.count--;
            else refused++, assert_non_null(strstr(noe_error(), "out of memory"));
            assert_int_equal(s.capacity, room);
        }
        char name[20];
        snprintf(name, sizeof name, "law %d", i);
        assert_non_null(noe_law_list_add(&s, name, value[i], 0, "%d", i));
        assert_true(s.capacity >= s.count);
        check(&s, value, i + 1);
    }
    assert_true(refused >= 5);
    noe_law_list_free(&s);
    noe_error_clear();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_no_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
