/* The least of random functions of one variable, which is known, and where a search ends early.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "number/golden_section.h"
#include "random.h"

#include <math.h>

/* f(x) = base + size |x - least|^power, steeper on one side. */
typedef struct {
    double base, size, least, power, steeper;
    int    calls;
} valley;

static double height(const void *of, double x)
{
    valley *y = (valley *)of;
    y->calls++;
    const double d = x - y->least;
    return y->base + (d > 0 ? y->steeper : 1) * y->size * pow(fabs(d), y->power);
}

static valley any_valley(double power)
{
    return (valley){ .base = random_number(),
                     .size = exp(4 * random_number()),
                     .least = random_number(),
                     .power = power,
                     .steeper = exp(random_number()) };
}

/* Values are rounded to eps (|base| + ..), so that places differ by (eps / size)^(1/power). */
static void test_least(void **state)
{
    (void)state;
    double tightest = 0;
    for (int k = 0; k < 3000; k++) {
        const int    power = 1 + k % 3;
        valley       y = any_valley(power);
        const double low = y.least - exp(3 * random_number()),
                     high = y.least + exp(3 * random_number());
        double       place;
        const double least = noe_golden_section_least(height, &y, low, high, -INFINITY, &place),
                     width = high - low,
                     rounding = pow(0x1p-52 * (fabs(y.base) + y.size * pow(width, power)) / y.size,
                                    1.0 / power),
                     bound = 4 * rounding + 1e-12 * width;
        assert_true(equal_bits(least, height(&y, place)));
        tightest = fmax(tightest, fabs(place - y.least) / bound);
        if (!(fabs(place - y.least) <= bound))
            fail_msg("the least is at %.17g, found at %.17g, bound %.3g", y.least, place, bound);
    }
    printf("  least of 3000 functions: up to %.2g of the bound\n", tightest);
}

/* The first value of `enough` or less ends the search, and is returned. */
static void test_enough(void **state)
{
    (void)state;
    for (int k = 0; k < 1000; k++) {
        valley       y = any_valley(2);
        const double low = y.least - exp(random_number()), high = y.least + exp(random_number()),
                     enough = y.base + y.size * exp(-12 + 4 * random_number());
        double       place;
        const double least = noe_golden_section_least(height, &y, low, high, enough, &place);
        assert_true(least <= enough && equal_bits(least, height(&y, place)));
        assert_true(y.calls < 40); /* all 64 sections take 66 */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_least),
                                        cmocka_unit_test(test_enough) };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
