/* A file appears as a whole or not at all, and of standard output nothing is written to ask why.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "scratch.h"

#include "base/atomic_file.h"
#include "noether.h"

#include <fcntl.h>

/* A write that fails, of which nothing but the mark of the stream is left. */
static void fail_to_write(FILE *file, int fd, const char *text)
{
    const int kept = dup(fd), to = open("/dev/null", O_RDONLY);
    assert_true(kept >= 0 && to >= 0);
    fflush(file);
    dup2(to, fd);
    fputs(text, file);
    fflush(file);
    dup2(kept, fd);
    close(kept), close(to);
}

static void test_standard_output(void **state)
{
    (void)state;
    noe_atomic_file t;
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO),
              fd = open(in_scratch("out"), O_RDWR | O_CREAT | O_TRUNC, 0666);
    assert_true(kept >= 0 && fd >= 0);
    dup2(fd, STDOUT_FILENO);
    assert_int_equal(noe_atomic_file_open(&t, NULL), NOE_OK);
    fail_to_write(stdout, STDOUT_FILENO, "lost");
    const noe_status s = noe_atomic_file_keep(&t);
    clearerr(stdout);
    dup2(kept, STDOUT_FILENO);
    const off_t length = lseek(fd, 0, SEEK_END);
    close(kept), close(fd);
    assert_int_equal(s, NOE_IO);
    assert_non_null(strstr(noe_error(), "cannot write standard output: "));
    assert_int_equal(length, 0);
    noe_error_clear();
}

static void test_old_file_stays(void **state)
{
    (void)state;
    for (int failing = 1; failing >= 0; failing--) {
        noe_atomic_file t;
        put("result", "old");
        assert_int_equal(noe_atomic_file_open(&t, in_scratch("result")), NOE_OK);
        if (failing) fail_to_write(t.file, fileno(t.file), "lost");
        else fputs("new", t.file);
        assert_int_equal(noe_atomic_file_keep(&t), failing ? NOE_IO : NOE_OK);
        assert_int_equal(failing, noe_error() != NULL);
        noe_error_clear();
        char *text = slurp(in_scratch("result"));
        assert_string_equal(text, failing ? "old" : "new");
        free(text);
        assert_int_equal(count_scratch(), 2); /* with "out": nothing is left over */
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_standard_output),
                                        cmocka_unit_test(test_old_file_stays) };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
