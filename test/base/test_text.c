/* A growing text: the pieces one after another, and a message when memory runs out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "failing.h"
#include "random.h"

#include "base/text.h"

enum { PIECES = 2000, MOST = 40 };

static void test_text(void **state)
{
    static char expected[PIECES * MOST + 1];
    int         failures = 0;
    bool        through = false;
    (void)state;
    for (long k = 0; !through; k++) {
        size_t length = 0;
        *expected = 0;
        noe_error_clear();
        calls_left = k;
        noe_text t = noe_text_new(NULL);
        for (int i = 0; i < PIECES; i++) {
            char      piece[MOST + 1];
            const int n = (int)(bits() % MOST);
            memset(piece, 'a' + i % 26, (size_t)n), piece[n] = 0;
            noe_text_add(&t, "%s", piece);
            strcpy(expected + length, piece);
            length += (size_t)n;
        }
        through = calls_left >= 0;
        calls_left = -1;
        failures += t.data == NULL;
        if (t.data) assert_true(t.length == length && !strcmp(t.data, expected));
        else assert_non_null(strstr(noe_error(), "out of memory"));
        assert_true(!through || t.data);
        free(t.data);
    }
    assert_true(failures > 3);
    noe_error_clear();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_text) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
