/* Members with events = their own runs: sections, stops, output times; first passages known.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event/event_step.h"
#include "ensemble/statistics.h"
#include "job/verbs.h"
#include "laws.h"
#include "scratch.h"

static char path[4][400];

static void name_files(void)
{
    static const char *const name[] = { "m.lag", "all.csv", "own.csv", "s.json" };
    for (int i = 0; i < 4; i++) strcpy(path[i], in_scratch(name[i]));
}

static void write_model(const char *text)
{
    FILE *f = fopen(path[0], "w");
    fputs(text, f);
    fclose(f);
}

/* The rows of member k of a table with one name: what follows the second comma of its lines. */
static char *rows_of(const char *table, int k, char value[40])
{
    char  *text = calloc(strlen(table) + 1, 1), head[16];
    size_t n = (size_t)sprintf(head, "%d,", k);
    for (const char *line = strchr(table, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        if (strncmp(line, head, n)) continue;
        const size_t given = strcspn(line + n, ",");
        snprintf(value, 40, "%.*s", (int)given, line + n);
        strncat(text, line + n + given + 1, strcspn(line + n + given + 1, "\n") + 1);
    }
    return text;
}

static int count_lines(const char *text)
{
    int n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

/* Every member has the rows of its own run, to the letter, whatever the threads. */
static void compare(noe_job j, int members, const char *all)
{
    int rows = 0, threads = 1 + (int)(bits() % 3);
    name_files();
    j.threads = threads, j.quiet = 1, j.model = path[0];
    *(all ? &j.all : &j.output) = path[1];
    if (all) j.output = path[3];
    const int status = noe_ensemble_run(&j);
    if (status) fail_msg("%d %s", status, noe_error());
    char *table = slurp(path[1]);
    for (int k = 1; k <= members; k++) {
        char        value[40] = "", let[60];
        char       *own, *text = rows_of(table, k, value);
        const char *lets[] = { let };
        noe_job     one = j;
        if (!*value) { /* a member without an event has no rows, and does not say its value */
            free(text);
            continue;
        }
        snprintf(let, sizeof let, "a=%s", value);
        one.let = lets, one.lets = 1, one.sweep = NULL, one.all = NULL, one.threads = 0,
        one.output = path[2];
        if (noe_run_job(&one)) fail_msg("%s: %s", let, noe_error());
        own = slurp(path[2]);
        if (strcmp(strchr(own, '\n') + 1, text)) {
            printf("own %s\nmember %d, %s\n%s", own, k, value, text);
            fail_msg("member %d differs from its own run", k);
        }
        rows += count_lines(text);
        free(own);
        free(text);
    }
    assert_true(rows > members);
    free(table);
}

static void test_members(void **unused)
{
    (void)unused;
    name_files();
    char text[900];
    snprintf(text, sizeof text,
             "parameter a = 1\ncoordinate x, y\nkinetic (1 + x^2/8)*x'^2/2 + y'^2/2\n"
             "potential x^2/2 + y^2 + %.6f*x^2*y\nstart x = a, y' = %.6f\n"
             "event plane: x = 0 rising\nevent high: y = 0.1\nevent far: x = -0.7 falling\n"
             "suggest method = \"gauss 3\", step = 0.05, until = 12\n",
             random_number() / 5, 0.4 + random_number() / 5);
    write_model(text);
    const char *sweep = "a = 0.4..1.1 in 7";
    compare((noe_job){ .sweep = sweep, .section = "plane", .columns = "t,x.v,y,y.v", .every = 1 },
            7, NULL);
    compare(
        (noe_job){
            .sweep = sweep, .section = "high", .columns = "t,x,energy", .stop = "far", .every = 1 },
        7, NULL);
    compare(
        (noe_job){ .sweep = sweep, .rows = 23, .columns = "t,x,y,energy,local_error,energy_error" },
        7, "all");
    compare((noe_job){ .sweep = sweep,
                       .times = "0.1, 1..11.93 in 30",
                       .columns = "t,x,y.p,local_error,energy_error" },
            7, "all");
}

/* On one energy: every point of the section of every member has it. */
static void test_one_energy(void **unused)
{
    (void)unused;
    char text[900];
    name_files();
    const double E = 0.1 + random_number() / 50;
    snprintf(text, sizeof text,
             "parameter E = %.17g\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
             "potential (x^2 + y^2)/2 + x^2*y - y^3/3\nevent plane: x = 0 rising\n"
             "start energy = E by x'\nsuggest method = \"gauss 6\", step = 0.1, until = 60\n",
             E);
    write_model(text);
    noe_job j = { .model = path[0],
                  .quiet = 1,
                  .every = 1,
                  .sweep = "y = -0.2..0.3 in 9",
                  .section = "plane",
                  .columns = "y,y.v,energy",
                  .output = path[1] };
    assert_int_equal(noe_ensemble_run(&j), 0);
    char *table = slurp(path[1]);
    int   points = 0;
    for (char *line = strchr(table, '\n') + 1; *line; line = strchr(line, '\n') + 1, points++) {
        double x[5];
        char  *at = line;
        for (int i = 0; i < 5; i++) x[i] = strtod(at, &at), at++;
        small(x[4] - E, E, 2e-9, "energy of a section"); /* the method's own error, order 12 */
    }
    assert_true(points > 9 * 5);
    free(table);
    /* A start outside is told, and the others are computed. */
    j.sweep = "y = 0.3..0.9 in 4";
    assert_int_equal(noe_ensemble_run(&j), 3);
    assert_non_null(strstr(noe_error(), "gives the energy"));
    noe_error_clear();
}

/* A free body that starts at -a with velocity v comes to 0 at a/v: mean, median, quantiles, and
 * those that never do. */
static void test_first_passage(void **unused)
{
    (void)unused;
    enum { N = 41 };
    name_files();
    const double v = 1 + random_number() / 4, most = 3 + random_number() / 2, until = 2;
    char         text[400], sweep[60];
    double       t[N], expected[NOE_STATISTICS];
    long         n = 0;
    snprintf(text, sizeof text,
             "parameter a = 1\ncoordinate x\nkinetic x'^2/2\nstart x = -a, x' = %.17g\n"
             "event home: x = 0\nevent away: x = -10\n"
             "suggest method = \"simpson\", step = 0.1, until = 2\n",
             v);
    write_model(text);
    snprintf(sweep, sizeof sweep, "a = 0.1..%.15g in %d", most, N);
    for (int i = 0; i < N; i++) {
        const double a = 0.1 + (most - 0.1) * i / (N - 1);
        if (a / v <= until) t[n++] = a / v;
    }
    assert_in_range(n, 5, N - 2);
    noe_statistics(t, n, expected);
    for (int section = 0; section < 2; section++) {
        noe_job j = { .model = path[0],
                      .quiet = 1,
                      .every = 1,
                      .sweep = sweep,
                      .stop = "home",
                      .output = path[3],
                      .columns = "t" };
        if (section) j.section = "home";
        assert_int_equal(noe_ensemble_run(&j), 0);
        char *json = slurp(path[3]);
        char *row = strstr(json, "\n[\"home\",");
        assert_non_null(row);
        row += 9;
        assert_int_equal(strtol(row, &row, 10), n);
        assert_int_equal(strtol(row + 1, &row, 10), N - n);
        for (int i = 0; i < NOE_STATISTICS; i++)
            small(strtod(row + 1, &row) - expected[i], until, 64 * 0x1p-53, "first passage");
        assert_non_null(strstr(json, "\n[\"away\",0,41,null,null,null,null,null,null,null]"));
        free(json);
    }
}

/* Impacts in members, with walls of their own. */
static void test_impacts(void **unused)
{
    (void)unused;
    name_files();
    write_model(
        "parameter a = 0.9\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential y + x^4/4\n"
        "start y = 1, x' = 0.3\nevent floor: y = 0 falling then bounce a\nevent top: y' = 0\n"
        "suggest method = \"gauss 2\", step = 1/16, until = 6\n");
    compare((noe_job){ .sweep = "a = 0.8..1 in 5",
                       .columns = "t,x,y,energy,balance,local_error,energy_error",
                       .every = 3 },
            5, "all");
    compare(
        (noe_job){
            .sweep = "a = 0.8..1 in 5", .columns = "t,x,y,y.v", .every = 3, .section = "top" },
        5, NULL);
    /* A ball that comes to rest is told. */
    noe_job j = { .model = path[0],
                  .quiet = 1,
                  .every = 1,
                  .sweep = "a = 0.4..1 in 3",
                  .output = path[1],
                  .columns = "t" };
    assert_int_equal(noe_ensemble_run(&j), 3);
    assert_non_null(strstr(noe_error(), "1 of 3 members stopped"));
    assert_non_null(strstr(noe_error(), "'floor' happens infinitely often"));
    noe_error_clear();
    compare((noe_job){ .sweep = "a = 0.8..1 in 3",
                       .columns = "t,x,y.v,balance,local_error,energy_error",
                       .rows = 7 },
            3, "all");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_one_energy),
        cmocka_unit_test(test_first_passage),
        cmocka_unit_test(test_impacts),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
