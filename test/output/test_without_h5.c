/* Built without HDF5: results and files to go on from are refused with what is missing.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/optional_library.h"
#include "output/restart.h"
#include "output/sink.h"
#include "scratch.h"

static void test_without(void **state)
{
    (void)state;
#ifdef NOE_HDF5
    skip();
#endif
    static const char *const name[] = { "t" };
    static const char        missing[] = "a.h5: this build is without HDF5; install libhdf5-dev";
    noe_restart              r;
    assert_null(
        noe_sink_open(in_scratch("a.h5"), &(noe_head){ .columns = 1, .name = name, .digits = 15 }));
    assert_non_null(strstr(noe_error(), missing));
    noe_error_clear();
    assert_int_equal(noe_restart_read("a.h5", &r), NOE_INVALID);
    assert_non_null(strstr(noe_error(), missing));
    noe_error_clear();
    assert_int_equal(count_scratch(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_without) };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
