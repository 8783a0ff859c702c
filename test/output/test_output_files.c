/* A file is whole or not there: refusals, replacement, links, full disks, memory that runs out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "table_file.h"
#include "failing.h"
#include "output/sink.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char *const endings[] = { ".csv", ".json", ".h5" };

static void expect_refusal(const char *path, noe_status status, const char *message)
{
    noe_sink *s;
    int       before = count_scratch();
    assert_int_equal(noe_sink_make(path, &head, &s), status);
    assert_null(s);
    if (!strstr(noe_error(), message)) fail_msg("%s", noe_error());
    assert_int_equal(count_scratch(), before);
    noe_error_clear();
}

static void test_refusals(void **state)
{
    (void)state;
    expect_refusal("out.txt", NOE_INVALID,
                   "cannot write 'out.txt': the name must end in .csv, .json or .h5");
    expect_refusal("csv", NOE_INVALID, "must end in");
    expect_refusal(".csv", NOE_INVALID, "must end in");
    expect_refusal("", NOE_INVALID, "must end in");
    mkdir(in_scratch("folder.csv"), 0777);
    expect_refusal(in_scratch("folder.csv"), NOE_IO, "it is a folder");
    mkfifo(in_scratch("pipe.json"), 0666);
    expect_refusal(in_scratch("pipe.json"), NOE_IO, "not a regular file");
    fclose(fopen(in_scratch("file"), "w"));
    for (int i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "nowhere/a%s", endings[i]);
        expect_refusal(in_scratch(name), NOE_IO, "No such file or directory");
        snprintf(name, sizeof name, "file/a%s", endings[i]);
        expect_refusal(in_scratch(name), NOE_IO, "Not a directory");
    }
    assert_null(noe_sink_open("a.csv", NULL));
    assert_int_equal(noe_sink_row(NULL, NULL), NOE_INVALID);
    assert_int_equal(noe_sink_close(NULL, NULL, 0), NOE_INVALID);
    noe_sink_drop(NULL);
    assert_null(noe_error());
}

static void test_drop_and_replace(void **state)
{
    (void)state;
    quad x[COLUMNS] = { 1, 2, 3, 4, 5 };
    for (int i = 0; i < 3; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/keep%s", scratch, endings[i]);
        fclose(fopen(path, "w"));
        chmod(path, 0600);
        int       before = count_scratch();
        noe_sink *s = noe_sink_open(path, &head);
        if (!s && strstr(noe_error(), "without HDF5")) {
            noe_error_clear();
            continue;
        }
        noe_sink_row(s, x);
        assert_int_equal(count_scratch(), before + 1);
        noe_sink_drop(s);
        assert_int_equal(count_scratch(), before);
        char *text = slurp(path);
        assert_string_equal(text, ""); /* the old file is untouched */
        free(text);

        mode_t      mask = umask(0027);
        struct stat status;
        write_rows(path, &head, x, 1);
        umask(mask);
        stat(path, &status);
        assert_int_equal(status.st_mode & 0777, 0640);
        assert_true(status.st_size > 0);
        assert_int_equal(count_scratch(), before);
    }
}

static void test_link_is_followed(void **state)
{
    (void)state;
    quad x[COLUMNS] = { 1, 2, 3, 4, 5 };
    char link[300];
    snprintf(link, sizeof link, "%s/link.csv", scratch);
    fclose(fopen(in_scratch("target.csv"), "w"));
    assert_int_equal(symlink("target.csv", link), 0);
    write_rows(link, &head, x, 1);
    struct stat s;
    lstat(link, &s);
    assert_true(S_ISLNK(s.st_mode));
    char *text = slurp(in_scratch("target.csv"));
    assert_non_null(strstr(text, "1,2,3,4,5"));
    free(text);
}

/* In a child whose files may not grow beyond 64 KB, as on a full disk. */
static int on_full_disk(const char *ending)
{
    struct rlimit limit = { 1 << 16, 1 << 16 };
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    char path[300];
    snprintf(path, sizeof path, "%s/full%s", scratch, ending);
    noe_sink *s = noe_sink_open(path, &head);
    quad      x[COLUMNS];
    if (!s) return strstr(noe_error(), "without HDF5") ? 0 : 1;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) x[j] = any_double();
        noe_sink_row(s, x);
    }
    if (noe_sink_close(s, NULL, 0) != NOE_IO) return 2;
    return noe_error() && strstr(noe_error(), "File too large") ? 0 : 3;
}

static int on_closed_pipe(const char *ending)
{
    int  end[2];
    quad x[COLUMNS] = { 1, 2, 3, 4, 5 };
    (void)ending;
    signal(SIGPIPE, SIG_IGN);
    if (pipe(end) || dup2(end[1], 1) < 0) return 1;
    close(end[0]);
    noe_sink *s = noe_sink_open(NULL, &head);
    noe_sink_row(s, x);
    if (noe_sink_close(s, NULL, 0) != NOE_IO) return 2;
    return strstr(noe_error(), "cannot write standard output: Broken pipe") ? 0 : 3;
}

static int to_standard_output(const char *path)
{
    quad x[COLUMNS] = { 1, 2, 3, 4, 0.1 };
    if (!freopen(path, "w", stdout)) return 1;
    noe_sink *s = noe_sink_open(NULL, &head);
    noe_sink_row(s, x);
    _exit(noe_sink_close(s, NULL, 0) ? 2 : 0); /* flushed by the close: _exit does not */
}

static void expect_child(int (*run)(const char *), const char *argument)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    /* not _exit: HDF5 must survive its clean-up after a full disk */
    if (!child) exit(run(argument));
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

static void test_failing_writes(void **state)
{
    (void)state;
    int before = count_scratch();
    for (int i = 0; i < 3; i++) expect_child(on_full_disk, endings[i]);
    expect_child(on_closed_pipe, NULL);
    assert_int_equal(count_scratch(), before);
    expect_child(to_standard_output, in_scratch("stdout"));
    char *text = slurp(in_scratch("stdout"));
    assert_non_null(strstr(text, "\n1,2,3,4,0.1\n"));
    free(text);
}

static void test_no_memory(void **state)
{
    (void)state;
    quad row[COLUMNS] = { 1, 2, 3, 4, 5 };
    for (int i = 0; i < 3; i++) {
        char path[300];
        int  failures = 0, before = count_scratch();
        snprintf(path, sizeof path, "%s/memory%s", scratch, endings[i]);
        noe_head h = head;
        h.digits = 33;
        for (long k = 0, whole = 0; !whole; k++, failures++) {
            noe_error_clear();
            calls_left = k;
            noe_sink *s = noe_sink_open(path, &h);
            if (s) noe_sink_row(s, row);
            noe_status status = s ? noe_sink_close(s, "state", 5) : NOE_NO_MEMORY;
            whole = calls_left >= 0;
            calls_left = -1;
            if (!whole) assert_int_equal(status, NOE_NO_MEMORY);
            if (!whole) assert_int_equal(count_scratch(), before);
            if (noe_error() && strstr(noe_error(), "without HDF5")) break;
        }
        if (!noe_error()) assert_true(failures >= 3 && access(path, R_OK) == 0);
        noe_error_clear();
    }
}

/* Rows and events of a sink in memory, also where the sink is dropped and where memory runs out. */
static void test_memory(void **state)
{
    (void)state;
    quad             *x = random_rows();
    const char *const event[] = { "floor", "top" };
    noe_head          h = head;
    h.event_columns = 2, h.event_column = names, h.events = 2, h.event = event;
    long failures = 0;
    for (bool whole = false; !whole; failures++) {
        noe_results got = { 0 };
        calls_left = failures;
        noe_sink *s = noe_sink_open_memory(&got, &h);
        size_t    rows = 0, events = 0;
        while (s && rows < 100 && !noe_sink_row(s, x + rows * COLUMNS)) rows++;
        while (s && rows == 100 && events < 40 && !noe_sink_event(s, x + 2 * events)) events++;
        noe_sink_ended(s, "interrupted");
        const noe_status status = !s           ? NOE_NO_MEMORY
                                : failures % 2 ? noe_sink_close(s, NULL, 0)
                                               : (noe_sink_drop(s), NOE_OK);
        whole = calls_left >= 0 && failures % 2; /* an odd number of calls: it was closed */
        calls_left = -1;
        for (size_t i = 0; i < (got.rows ? noe_table_rows(got.rows) : 0); i++)
            for (size_t j = 0; j < COLUMNS; j++)
                assert_true(equal_bits(noe_table_at(got.rows, j)[i], (double)x[i * COLUMNS + j]));
        for (size_t i = 0; i < (got.events ? noe_table_rows(got.events) : 0); i++)
            for (size_t j = 0; j < 2; j++)
                assert_true(equal_bits(noe_table_at(got.events, j)[i], (double)x[2 * i + j]));
        if (whole) {
            assert_int_equal(status, NOE_OK);
            assert_int_equal(noe_table_rows(got.rows), 100);
            assert_int_equal(noe_table_rows(got.events), 40);
            assert_string_equal(noe_table_about(got.rows)->ended, "interrupted");
            assert_string_equal(noe_table_about(got.rows)->method, "simpson");
        }
        noe_table_free(got.rows);
        noe_table_free(got.events);
        noe_error_clear();
    }
    assert_true(failures > 6);
    free(x);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),         cmocka_unit_test(test_drop_and_replace),
        cmocka_unit_test(test_link_is_followed), cmocka_unit_test(test_failing_writes),
        cmocka_unit_test(test_no_memory),        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
