/* arena: zeroed, aligned, apart from each other; what is too large is refused, or leaves by a jump.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"
#include "random.h"

#include "noether.h"

#include <stdbool.h>

static void test_objects_are_zeroed_and_apart(void **unused)
{
    (void)unused;
    enum { OBJECTS = 300 };
    noe_arena     *a = noe_arena_new();
    unsigned char *object[OBJECTS];
    size_t         size[OBJECTS];
    for (int i = 0; i < OBJECTS; i++) {
        const size_t n = bits() % 40, one = 1 + bits() % (i % 10 ? 60 : 3000);
        size[i] = n * one;
        object[i] = noe_arena_array(a, n, one);
        assert_non_null(object[i]);
        assert_int_equal((uintptr_t)object[i] % 64, 0);
        for (size_t k = 0; k < size[i]; k++) assert_int_equal(object[i][k], 0);
        memset(object[i], 1 + i % 255, size[i]);
    }
    for (int i = 0; i < OBJECTS; i++)
        for (size_t k = 0; k < size[i]; k++) assert_int_equal(object[i][k], 1 + i % 255);
    noe_arena_free(a);
}

/* In a function of its own, so that no variable changes between setjmp and longjmp. */
static bool jumps(noe_arena *a, size_t n, size_t size)
{
    jmp_buf stop;
    if (setjmp(stop)) return true;
    assert_non_null(noe_arena_need(a, &stop, n, size));
    return false;
}

static void test_what_is_too_large(void **unused)
{
    (void)unused;
    noe_arena *a = noe_arena_new();
    for (int round = 0; round < 20; round++) {
        const size_t n = bits() % 1000, huge = SIZE_MAX / 4 + bits() % 1000;
        noe_error_clear();
        assert_false(jumps(a, n, 8));
        assert_null(noe_error());
        assert_true(jumps(a, 4 + bits() % 100, huge)); /* the product is beyond size_t */
        assert_non_null(noe_error());
        noe_error_clear();
        assert_null(noe_arena_array(a, 4 + bits() % 100, huge));
        assert_non_null(noe_error());
    }
    noe_error_clear();
    noe_arena_free(a);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_are_zeroed_and_apart),
        cmocka_unit_test(test_what_is_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
