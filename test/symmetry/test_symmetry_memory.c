/* Memory that runs out while declared symmetries are read: a message, nothing lost.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "failing.h"
#include "laws.h"
#include "leaks.h"

#include "symmetry/symmetry.h"

static const noe_system *of;
static bool              failed, made;

/* The call of malloc of this number fails. */
static void find_declared(const void *number)
{
    noe_error_clear();
    calls_left = *(const long *)number;
    noe_symmetries *s = noe_symmetry_declared(of);
    failed = calls_left < 0;
    calls_left = -1;
    made = s != NULL;
    noe_symmetry_free(s);
}

/* For k = 0, 1, .. until nothing fails any more.  The list of so many symmetries is a block of the
 * arena by itself, so that the memory of the first tape is the beginning of another. */
static void test_declared(void **unused)
{
    (void)unused;
    enum { ROOM = 6000, COUNT = 80 };
    assert_true(COUNT * sizeof(noe_symmetry) > 1 << 14);
    static char text[ROOM];
    int         used = snprintf(text, sizeof text,
                                "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                                        "potential (x^2 + y^2)^2\nstart x = 1\n");
    for (int i = 0; i < COUNT; i++) {
        const double c = 2 + random_number();
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "symmetry turn%d = (-%.9g*y, %.9g*x)\n", i, c, c);
    }
    assert_true(used < ROOM);
    noe_system *s = parse(text);
    of = s;
    long k = 0;
    for (failed = true; failed; k++) {
        const size_t lost = bytes_lost(find_declared, &k);
        if (lost) fail_msg("call %ld: %zu bytes are lost", k, lost);
        assert_true(made == !failed);
        if (failed) assert_non_null(strstr(noe_error(), "memory"));
        assert_true(k < 10000);
    }
    assert_true(k > 5);
    noe_error_clear();
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_declared) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
