/* malloc fails at the k-th call, k = 0, 1, ..: a study says so or has every number.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "failing.h"
#include "job/verbs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char shown[1 << 16]; /* standard output of a study, without an allocation of its own */

static int study(const char *kind)
{
    static const noe_study_option word[] = { { "methods", "", "simpson, rk4", 0 },
                                             { "until", "", "0.2", 0 },
                                             { "steps", "", "0.1, 0.05", 0 } };
    const noe_study_job           job = { .kind = kind,
                                          .model = "systems/henon_heiles.lag",
                                          .option = word,
                                          .options = 3,
                                          .threads = 1,
                                          .quiet = 1 };
    FILE                         *to = fmemopen(shown, sizeof shown, "w");
    memset(shown, 0, sizeof shown);
    setvbuf(to, NULL, _IONBF, 0);
    const int status = noe_study_run(&job, to);
    fclose(to);
    return status;
}

static void all_or_a_message(const char *kind)
{
    char *whole;
    assert_int_equal(study(kind), 0);
    assert_null(noe_error());
    whole = strdup(shown);
    long failed = 0;
    bool through = false;
    for (long k = 0; !through && k < 100000; k++) {
        calls_left = k;
        const int status = study(kind);
        through = calls_left >= 0;
        calls_left = -1;
        if (status == 0) assert_string_equal(shown, whole);
        else if (status == 2) assert_non_null(noe_error());
        else {
            assert_int_equal(status, 3);
            assert_non_null(strstr(shown, "memory"));
        }
        failed += status != 0;
        noe_error_clear();
    }
    assert_true(through && failed > 20);
    free(whole);
}

static void a_study_of_convergence(void **state)
{
    (void)state;
    all_or_a_message("convergence");
}

static void a_study_of_drift(void **state)
{
    (void)state;
    all_or_a_message("drift");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_study_of_convergence),
                                        cmocka_unit_test(a_study_of_drift) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
