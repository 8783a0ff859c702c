/* Many coordinates of many stems that a constant mass couples: the boosts of each stem.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"
#include "symmetry/symmetry.h"

/* L = sum_i m_i q_i'^2/2 + e/2 (sum_i q_i')^2 - V, V of differences within each stem: each stem
 * may be moved and boosted.  In each boost f = P_stem has all coordinates, more than
 * EACH_MOST = 200. */
static void test_boosts(void **unused)
{
    (void)unused;
    enum { STEMS = 13, BODIES = 17, ROOM = 20000 };
    static char text[ROOM];
    int         used = 0;
#define ADD(...) used += snprintf(text + used, sizeof text - (size_t)used, __VA_ARGS__)
    for (int k = 0; k < STEMS; k++) ADD("coordinate %c[1..%d]\n", 'A' + k, BODIES);
    ADD("speed = 0");
    for (int k = 0; k < STEMS; k++) ADD(" + (sum(i in 1..%d) %c[i]')", BODIES, 'A' + k);
    ADD("\nkinetic %.9g*speed^2\n", 0.01 + 0.005 * random_number());
    for (int k = 0; k < STEMS; k++) {
        ADD("kinetic sum(i in 1..%d) %.9g*%c[i]'^2/2\n", BODIES, 1.5 + random_number(), 'A' + k);
        ADD("potential sum(i in 1..%d) %.9g*(%c[i+1] - %c[i])^4\n", BODIES - 1,
            1.5 + random_number(), 'A' + k, 'A' + k);
        ADD("start %c[i] = sin(%.9g*i), %c[1]' = 1\n", 'A' + k, 2 + random_number(), 'A' + k);
    }
    assert_true(used < ROOM);
    noe_system     *s = parse(text);
    noe_symmetries *y = noe_symmetry_find(s);
    if (!y) fail_msg("%s", noe_error());
    int count[NOE_ENERGY + 1] = { 0 };
    for (int i = 0; i < y->count; i++) count[y->found[i].kind]++;
    assert_int_equal(count[NOE_TRANSLATION], STEMS);
    assert_int_equal(count[NOE_BOOST], STEMS);
    assert_int_equal(count[NOE_ENERGY], 1);
    noe_symmetry_free(y);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_boosts) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
