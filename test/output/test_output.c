/* read(write(x)) = x, for every double, every quad and every format.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * And a file is whole or not there. */
#include "failing.h"
#include "number/decimal.h"
#include "output/sink.h"
#include "base/utf8.h"
#include "scratch.h"

#include <locale.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- numbers ---- */

static int significant(const char *s)
{
    int n = 0, zeros = 0;
    for (; *s && *s != 'e'; s++)
        if (*s >= '0' && *s <= '9' && (n || *s != '0')) n++, zeros = *s == '0' ? zeros + 1 : 0;
    return n - zeros;
}

static bool same(double a, double b) { return !memcmp(&a, &b, sizeof a); }

static void check_double(double x)
{
    char text[NOE_NUMBER_SIZE], printed[64];
    int  n = noe_decimal_write(text, x, 15), digits = 1;
    assert_int_equal(n, strlen(text));
    assert_true(same(strtod(text, NULL), x));
    do snprintf(printed, sizeof printed, "%.*g", digits, x);
    while (strtod(printed, NULL) != x && digits++ < 17);
    if (significant(text) > significant(printed)) fail_msg("%s is longer than %s", text, printed);
    quad a, b; /* printf's decimal is the nearest of its length */
    if (noe_decimal_read(text, &a) && noe_decimal_read(printed, &b)
        && significant(text) == significant(printed) && finiteq(a)
        && fabsq(a - x) > fabsq(b - x) * (1 + (quad)1e-9))
        fail_msg("%s is farther from %.17g than %s", text, x, printed);
}

static void test_doubles(void **state)
{
    (void)state;
    static const double special[] = { 0.0,
                                      -0.0,
                                      1,
                                      -1,
                                      0.1,
                                      0.01,
                                      8115043742445503488.0,
                                      1e15,
                                      1e16,
                                      1e22,
                                      1e23,
                                      9007199254740992.0,
                                      5e-324,
                                      2.2250738585072014e-308,
                                      2.225073858507201e-308,
                                      1.7976931348623157e308,
                                      5.684341886080801e-14,
                                      999999999999999.9,
                                      1e-5,
                                      1e-6,
                                      4503599627370495.5 };
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) check_double(special[i]);
    for (int i = 0; i < 100000; i++) check_double(any_double());
    for (int k = 0; k < 2000; k++) check_double(k * 0.01);
}

static void check_quad(quad x)
{
    char text[NOE_NUMBER_SIZE];
    quad y;
    int  n = noe_decimal_write(text, x, 33);
    assert_int_equal(n, strlen(text));
    assert_true(significant(text) <= 36);
    assert_true(noe_decimal_read(text, &y));
    assert_memory_equal(&x, &y, sizeof x);
}

/* Between 10^31 and 2^103 = 1.0141 10^31 quads are densest among decimals: only there 36 digits
 * are needed. */
static void test_quads(void **state)
{
    (void)state;
    for (int i = 0; i < 5000; i++) {
        quad fraction = scalbnq((quad)bits(), -64) + scalbnq((quad)bits(), -128);
        quad x = scalbnq((quad)any_double() * (1 + fraction), (int)(bits() % 30000) - 15000);
        if (x - x == 0) check_quad(x);
        check_quad((quad)1e31 * (1 + fraction / 71));
    }
}

static void expect_number(const char *expected, quad x, int digits)
{
    char text[NOE_NUMBER_SIZE];
    noe_decimal_write(text, x, digits);
    assert_string_equal(text, expected);
}

static void test_looks(void **state)
{
    (void)state;
    expect_number("nan", NAN, 15);
    expect_number("inf", INFINITY, 33);
    expect_number("-inf", -INFINITY, 15);
    expect_number("inf", scalbnq(1, 16000), 15);
    expect_number("-0", -0.0, 33);
    expect_number("0", (quad)1 / 10 - (quad)1 / 10, 33);
    expect_number("-12", -12, 15);
    expect_number("1000000", 1e6, 15);
    expect_number("1e+23", 1e23, 15);
    expect_number("0.00001", 1e-5, 15);
    expect_number("-1.5e-7", -1.5e-7, 15);
    expect_number("5e-324", 5e-324, 15);
    expect_number("0.1", (quad)1 / 10, 33);
    expect_number("0.1", (quad)1 / 10, 15);
    expect_number("0.3333333333333333333333333333333333", (quad)1 / 3, 33);
    expect_number("0.010000000000000000208166817117216851", 0.01, 33);
    quad x;
    assert_false(noe_decimal_read("", &x));
    assert_false(noe_decimal_read("1.5x", &x));
    assert_false(noe_decimal_read("x", &x));
}

/* With a decimal comma in force nothing changes.  The locale is made here; systems rarely have
 * it. */
static void test_locale(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
             scratch);
    int made = system(command);
    setenv("LOCPATH", scratch, 1);
    bool comma = made != -1 && setlocale(LC_ALL, "de_DE.UTF-8")
              && localeconv()->decimal_point[0] == ',';
    if (comma) {
        quad x;
        expect_number("1.5", 1.5, 15);
        expect_number("1e+23", 1e23, 15);
        expect_number("0.3333333333333333333333333333333333", (quad)1 / 3, 33);
        assert_true(noe_decimal_read("-2.25", &x) && x == -2.25);
        assert_int_equal(localeconv()->decimal_point[0], ','); /* and it is as it was */
    }
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -rf %s/de_DE.*", scratch);
    if (system(command) || !comma) {
        print_message("no German locale here\n");
        skip();
    }
}

static void test_utf8(void **state)
{
    (void)state;
    for (long c = 1; c < 0x120000; c += c < 0x3000 ? 1 : 7) { /* an independent encoder */
        char s[5] = { 0 };
        int  n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        for (long k = n - 1, rest = c; k > 0; k--, rest >>= 6) s[k] = (char)(0x80 | (rest & 63));
        s[0] = n == 1 ? (char)c : (char)((0xF00 >> n & 0xFF) | c >> 6 * (n - 1));
        assert_int_equal(noe_utf8(s), c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) ? 0 : n);
        if (n > 1) s[n - 1] = 0; /* cut short */
        if (n > 1) assert_int_equal(noe_utf8(s), 0);
    }
    assert_int_equal(noe_utf8(""), 0);
    assert_int_equal(noe_utf8("\xC0\x80"), 0); /* overlong */
    assert_int_equal(noe_utf8("\xE0\x80\x80"), 0);
    assert_int_equal(noe_utf8("\xFF"), 0);
}

/* ---- csv and json ---- */

enum { COLUMNS = 5, ROWS = 3000 };
static const char *const names[COLUMNS] = { "t", "p(q1)", "a,b", "say \"q\"", "\xCE\xB8'" };

static const noe_head head = { .columns = COLUMNS,
                               .name = names,
                               .digits = 15,
                               .system = "pendulum",
                               .source = "pen\tdulum.lag",
                               .changes = "g = 1\n\nl = \"2\"\n",
                               .method = "simpson",
                               .step = 0.01,
                               .model = "# \x01 \xFF back\\slash\r\ncoordinate \xCE\xB8" };

static quad *random_rows(void)
{
    quad *x = calloc(ROWS * COLUMNS, sizeof *x);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) x[i] = any_double();
    x[7] = NAN;
    x[8] = INFINITY;
    x[11] = -INFINITY;
    return x;
}

static void write_rows(const char *path, const noe_head *h, const quad *x, size_t rows)
{
    noe_sink *s = noe_sink_open(path, h);
    assert_non_null(s);
    for (size_t i = 0; i < rows; i++) assert_int_equal(noe_sink_row(s, x + i * COLUMNS), NOE_OK);
    assert_int_equal(noe_sink_close(s, NULL, 0), NOE_OK);
    assert_null(noe_error());
}

static void test_csv(void **state)
{
    (void)state;
    quad *x = random_rows();
    write_rows(in_scratch("a.csv"), &head, x, ROWS);
    char *text = slurp(in_scratch("a.csv")), *s = strchr(text, '\n');
    *s++ = 0;
    assert_string_equal(text, "t,p(q1),\"a,b\",\"say \"\"q\"\"\",\xCE\xB8'");
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        double y = strtod(s, &s);
        assert_true(i == 7 ? isnan(y) : same(y, (double)x[i]));
        assert_int_equal(*s++, i % COLUMNS == COLUMNS - 1 ? '\n' : ',');
    }
    assert_int_equal(*s, 0);
    free(text);
    free(x);
}

/* A reader of JSON just large enough: every value is checked, numbers and nulls of "rows" are
 * kept. */
typedef struct {
    const char *s;
    quad        x[ROWS * COLUMNS];
    size_t      count;
    int         depth;
} json;

static void blank(json *j) { j->s += strspn(j->s, " \n"); }

static void read_string(json *j)
{
    assert_int_equal(*j->s++, '"');
    while (*j->s != '"') {
        int n = noe_utf8(j->s);
        assert_true(n > 0 && (unsigned char)*j->s >= ' ');
        if (*j->s == '\\') {
            assert_non_null(strchr("\"\\/bfnrtu", j->s[1]));
            if (j->s[1] == 'u') assert_int_equal(strspn(j->s + 2, "0123456789abcdef") >= 4, 1);
            n = 2;
        }
        j->s += n;
    }
    j->s++;
}

static void read_value(json *j)
{
    blank(j);
    char open = *j->s;
    if (open == '"') {
        read_string(j);
    } else if (open == '{' || open == '[') {
        j->s++;
        j->depth++;
        blank(j);
        while (*j->s != open + 2) { /* ] and } come two after [ and { */
            if (open == '{') {
                blank(j);
                read_string(j);
                blank(j);
                assert_int_equal(*j->s++, ':');
            }
            read_value(j);
            blank(j);
            if (*j->s != ',') assert_int_equal(*j->s, open + 2);
            else assert_int_not_equal(*++j->s, open + 2);
        }
        j->s++;
        j->depth--;
    } else if (!strncmp(j->s, "true", 4)) {
        j->s += 4;
    } else {
        char   number[64];
        size_t n = strcspn(j->s, ",] \n}");
        bool   null = n == 4 && !strncmp(j->s, "null", 4);
        assert_true(n < sizeof number);
        snprintf(number, sizeof number, "%.*s", (int)n, j->s);
        quad x = 0;
        assert_true(null || (noe_decimal_read(number, &x) && strchr("-0123456789", *number)));
        if (j->depth == 3) j->x[j->count++] = null ? (quad)NAN : x;
        j->s += n;
    }
}

static void test_json(void **state)
{
    (void)state;
    for (int digits = 15; digits <= 33; digits += 18) {
        noe_head h = head;
        h.digits = digits;
        quad *x = random_rows();
        for (size_t i = 20; i < ROWS * COLUMNS && digits == 33; i++) x[i] /= 3;
        write_rows(in_scratch("a.json"), &h, x, ROWS);
        char *text = slurp(in_scratch("a.json"));
        json *j = calloc(1, sizeof *j);
        j->s = text;
        read_value(j);
        assert_string_equal(j->s, "\n");
        assert_int_equal(j->count, ROWS * COLUMNS);
        for (size_t i = 0; i < ROWS * COLUMNS; i++) {
            if (x[i] - x[i] != 0) assert_true(isnanq(j->x[i]));
            else if (digits == 33) assert_memory_equal(&x[i], &j->x[i], sizeof *x);
            else assert_true(same((double)x[i], (double)j->x[i]));
        }
        assert_non_null(strstr(
            text,
            "{\"noether\": \"" NOE_VERSION "\",\n\"system\": \"pendulum\",\n"
            "\"source\": \"pen\\tdulum.lag\",\n\"changes\": [\"g = 1\", \"l = \\\"2\\\"\"],\n"));
        assert_non_null(strstr(
            text, "\"model\": \"# \\u0001 \\ufffd back\\\\slash\\r\\ncoordinate \xCE\xB8\""));
        assert_non_null(strstr(
            text, "\"columns\": [\"t\", \"p(q1)\", \"a,b\", \"say \\\"q\\\"\", \"\xCE\xB8'\"]"));
        assert_non_null(strstr(text, "],\n\"complete\": true}"));
        free(text);
        free(j);
        free(x);
    }
}

static void test_empty_json(void **state)
{
    (void)state;
    const noe_head h = { .columns = 1, .name = names, .digits = 15 };
    write_rows(in_scratch("empty.json"), &h, NULL, 0);
    char *text = slurp(in_scratch("empty.json"));
    json *j = calloc(1, sizeof *j);
    j->s = text;
    read_value(j);
    assert_string_equal(j->s, "\n");
    assert_non_null(strstr(text, "\"changes\": [],\n\"method\": null"));
    free(text);
    free(j);
}

static void test_table_write(void **state)
{
    (void)state;
    noe_table *t = noe_table_new(COLUMNS, names);
    noe_table_head(t, &head);
    for (int i = 0; i < 40; i++) {
        double row[COLUMNS];
        for (int k = 0; k < COLUMNS; k++) row[k] = any_double();
        noe_table_add(t, row);
    }
    assert_int_equal(noe_table_write(t, in_scratch("t.csv")), NOE_OK);
    char *text = slurp(in_scratch("t.csv")), *s = strchr(text, '\n') + 1;
    for (size_t i = 0; i < 40; i++)
        for (size_t k = 0; k < COLUMNS; k++, s++)
            assert_true(same(strtod(s, &s), noe_table_at(t, k)[i]));
    free(text);
    assert_int_equal(noe_table_write(t, in_scratch("t.json")), NOE_OK);
    text = slurp(in_scratch("t.json"));
    assert_non_null(strstr(text, "\"method\": \"simpson\",\n\"step\": 0.01,"));
    free(text);
    assert_int_equal(noe_table_write(NULL, "t.csv"), NOE_INVALID);
    assert_int_equal(noe_table_write(t, NULL), NOE_INVALID);
    assert_null(noe_error());
    assert_int_equal(noe_table_write(t, in_scratch("no/folder/t.csv")), NOE_IO);
    noe_error_clear();
    assert_int_equal(noe_table_write(t, in_scratch("t.xml")), NOE_INVALID);
    noe_error_clear();
    noe_table_free(t);
}

/* ---- files ---- */

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
                assert_true(same(noe_table_at(got.rows, j)[i], (double)x[i * COLUMNS + j]));
        for (size_t i = 0; i < (got.events ? noe_table_rows(got.events) : 0); i++)
            for (size_t j = 0; j < 2; j++)
                assert_true(same(noe_table_at(got.events, j)[i], (double)x[2 * i + j]));
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
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_quads),
        cmocka_unit_test(test_looks),
        cmocka_unit_test(test_locale),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_empty_json),
        cmocka_unit_test(test_table_write),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_drop_and_replace),
        cmocka_unit_test(test_link_is_followed),
        cmocka_unit_test(test_failing_writes),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
