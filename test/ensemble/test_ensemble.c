/* a member = its own run, bit for bit:  every system, in lanes and alone, whole eights and parts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/verbs.h"
#include "ensemble/lane_batch.h"

#include "scratch.h"

#include <glob.h>
#include <math.h>

enum { COUNT = 11, TEXT = 4000 };

static char all[400], statistics[400], own[400], columns[TEXT], scatter[300];

static void name_files(void)
{
    strcpy(all, in_scratch("all.csv")), strcpy(statistics, in_scratch("statistics.csv")),
        strcpy(own, in_scratch("own.csv"));
}

/* A coordinate and a parameter that is a number. */
static void choose_names(const noe_system *s)
{
    const noe_model *m = s->model;
    const char      *q = noe_system_name(s, 0);
    const double     at = (double)m->begin[0].q,
                 c = m->params ? noe_system_get(s, m->symbol[0]->name) : 0;
    int used = snprintf(scatter, sizeof scatter, "%s ~ normal(%.3f, 0.1)", q, at);
    if (m->params && m->symbol[0]->what == NOE_IS_PARAMETER && !m->symbol[0]->family
        && (!m->shaped || c != floor(c)))
        snprintf(scatter + used, sizeof scatter - (size_t)used, "; %s ~ uniform(%.6g, %.6g)",
                 m->symbol[0]->name, fmin(0.9 * c, 1.2 * c), fmax(0.9 * c, 1.2 * c));
    /* With a monitor the errors of the last row are those of a step further in lanes; they then
     * stand behind the columns. */
    used = snprintf(columns, sizeof columns, "t,energy,work,dissipated%s",
                    noe_system_monitored(s) ? "" : ",local_error,energy_error");
    for (int i = 0; i < s->dyn.n && i < 12; i++) {
        const char *name = noe_system_name(s, i);
        used += snprintf(columns + used, sizeof columns - (size_t)used, ",%s,%s.v,%s.p", name, name,
                         name);
    }
}

/* The rows of one member: from behind the first cells of each line that begins with its number;
 * less: without so many of the last cells. */
static char *rows_of(const char *table, int member, int names, char **let, int less)
{
    char  *text = calloc(strlen(table) + 1, 1), *to = text, head[16];
    size_t first = (size_t)sprintf(head, "%d,", member);
    for (const char *line = strchr(table, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        if (strncmp(line, head, first)) continue;
        const char *cell = line + first;
        for (int i = 0; i < names; i++) {
            const size_t n = strcspn(cell, ",");
            if (to == text) sprintf(strchr(let[i], '=') + 1, "%.*s", (int)n, cell);
            cell += n + 1;
        }
        size_t n = strcspn(cell, "\n");
        for (int i = 0; i < less; i++)
            while (cell[--n] != ',') continue;
        memcpy(to, cell, n), to += n, *to++ = '\n';
    }
    return text;
}

/* The first lines that differ of two texts; it cuts them. */
static const char *first_difference(char *a, char *b)
{
    static char both[TEXT];
    for (; *a && *b; a = strchr(a, '\n') + 1, b = strchr(b, '\n') + 1) {
        const size_t m = strcspn(a, "\n"), n = strcspn(b, "\n");
        if (m == n && !memcmp(a, b, m)) continue;
        snprintf(both, sizeof both, "%.*s\n%.*s", (int)m, a, (int)n, b);
        return both;
    }
    return *a ? a : b;
}

static long in_lanes, compared;

static void check(const char *path, const char *method, long drawn)
{
    noe_error_clear();
    noe_system *s = noe_system_load(path);
    noe_method *f = noe_method_parse(method);
    quad        h;
    char        until[64], *let[2], text[2][100];
    assert_true(noe_parse_model_value(s->model, "step", noe_system_suggest(s, "step"), &h));
    snprintf(until, sizeof until, "%.17g", (double)(s->model->t0 + 30 * h));
    choose_names(s);
    const int  names = strchr(scatter, ';') ? 2 : 1;
    const long every = noe_system_monitored(s) ? 0 : 7, rows_asked = every ? 0 : 9;
    snprintf(text[0], 100, "%s=", noe_system_name(s, 0)), let[0] = text[0];
    snprintf(text[1], 100, "%s=", s->model->symbols ? s->model->symbol[0]->name : ""),
        let[1] = text[1];
    noe_job   job = { .model = path,
                      .method = method,
                      .until = until,
                      .columns = columns,
                      .every = every,
                      .rows = rows_asked,
                      .quiet = 1,
                      .output = statistics,
                      .scatter = scatter,
                      .members = COUNT,
                      .seed = drawn,
                      .all = all };
    const int status = noe_ensemble_run(&job);
    if (status != 2) {
        char *table = slurp(all);
        for (int k = 1; k <= COUNT; k++) {
            char *rows = rows_of(table, k, names, let, every ? 0 : 2);
            if (!*rows) { /* it could not begin: an eccentricity above 1 */
                free(rows);
                continue;
            }
            noe_job alone = { .model = path,
                              .method = method,
                              .until = until,
                              .columns = columns,
                              .every = every,
                              .rows = rows_asked,
                              .quiet = 1,
                              .output = own,
                              .let = (const char *const *)let,
                              .lets = names };
            noe_error_clear();
            /* then its last good state is a row, too, at a time of its own */
            const int   stopped = noe_run_job(&alone) == 3;
            char       *mine = slurp(own), *body = strchr(mine, '\n') + 1;
            const char *more = body + strlen(rows);
            if (strncmp(body, rows, strlen(rows)) || (*more && (!stopped || strchr(more, '\n')[1])))
                fail_msg("%s, %s, scatter %s: member %d of seed %ld is not its own run:\n%s", path,
                         method, scatter, k, job.seed, first_difference(rows, body));
            compared++;
            free(mine);
            free(rows);
        }
        free(table);
        in_lanes += noe_lane_batch_applies(s, f);
    }
    noe_method_free(f);
    noe_system_free(s);
}

static void test_each_is_its_own_run(void **unused)
{
    (void)unused;
    static const char *const method[] = { "simpson",           "gauss 6",  "rk4",   "verlet",
                                          "compose 6 simpson", "midpoint", "rk4-v", "gauss 3" };
    glob_t                   files;
    name_files();
    assert_int_equal(glob("systems/*.lag", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        check(files.gl_pathv[i], method[bits() % 8], (long)(seed & 0xffff));
    globfree(&files);
    check("systems/double_pendulum.lag", "simpson", (long)(seed & 0xffff));
    check("systems/kepler.lag", "simpson", (long)(seed & 0xffff));
    print_message("%ld members compared, those of %ld systems in lanes\n", compared, in_lanes);
    assert_true(compared > 200 && in_lanes > 12);
}

/* Natural systems, whose members need now three, now two or four evaluations a step: who has
 * ended stays as it is. */
static void test_nobody_waits_in_motion(void **unused)
{
    (void)unused;
    static const char *const path[] = { "systems/kepler.lag", "systems/pendulum.lag",
                                        "systems/henon_heiles.lag" };
    name_files();
    for (int i = 0; i < 3; i++)
        for (long k = 0; k < 4; k++)
            check(path[i], k % 2 ? "gauss 8" : "gauss 6", k < 2 ? 12030 : (long)(bits() & 0xffff));
}

/* Members that follow a monitor, each with a time of its own: both forms, natural and not, with L
 * that depends on t. */
static void test_monitored(void **unused)
{
    (void)unused;
    static const char *const model[][2] = {
        { "gauss 8", "monitor r^1.5" },
        { "simpson", "monitor r" },
        { "gauss 3", "monitor r^1.5*(1 + 0.2*x/r)" },
        { "gauss 6", "monitor r*(1 + 0.3*sin(t))" },
        { "simpson", "monitor r*(1 + 0.3*sin(t))" },
        { "P4 gauss 5", "monitor r\nlagrangian (1 + sin(t))*(x*y' - y*x')/9" },
        { "verlet", "monitor r reversible" },
        { "simpson", "monitor r^1.5 reversible\nforce y = -1e-2*y'" },
        { "rk4", "monitor r reversible" },
        { "gauss 8", "monitor auto" },
    };
    char path[400];
    name_files();
    strcpy(path, in_scratch("comet.lag"));
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fprintf(f,
                "parameter e = 0.5\ncoordinate x, y\nr = sqrt(x^2 + y^2)\n"
                "kinetic (x'^2 + y'^2)/2\npotential -1/r\nstart x = 1 - e, y' = sqrt((1 + e)/(1 - "
                "e))\nsuggest step = 0.03, until = 9\n%s\n",
                model[i][1]);
        assert_int_equal(fclose(f), 0);
        const long before = in_lanes, rows = compared;
        for (int k = 0; k < 3; k++) check(path, model[i][0], (long)(bits() & 0xffff));
        if (in_lanes != before + 3 || compared != rows + 3 * COUNT)
            fail_msg("%s, %s: %ld of 3 ensembles in lanes, %ld members compared", model[i][0],
                     model[i][1], in_lanes - before, compared - rows);
    }
    assert_int_equal(remove(path), 0);
}

/* A singularity whose place is a parameter: each member stops at its own. */
static void test_own_singularity(void **unused)
{
    (void)unused;
    static const char *const name[] = { "gauss 6", "verlet", "simpson", "midpoint" };
    char                     path[400];
    name_files();
    strcpy(path, in_scratch("wall.lag"));
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "parameter c = 9\ncoordinate x\nkinetic x'^2/2\npotential 1e-3/abs(x - c)\n"
               "start x = 0, x' = 1\nsuggest method = \"gauss 6\", step = 0.41, until = 12.3\n");
    assert_int_equal(fclose(f), 0);
    for (int i = 0; i < 4; i++) check(path, name[i], (long)(bits() & 0xffff));
    assert_int_equal(remove(path), 0);
}

/* Long enough for crews to go from hand to hand, more threads than crews, a row in the middle of
 * every other slice. */
static void test_any_hands(void **unused)
{
    (void)unused;
    char *first = NULL;
    name_files();
    snprintf(scatter, sizeof scatter, "q1 ~ uniform(0.1, 2.9); q2 ~ normal(0, 1)");
    for (int threads = 1; threads <= 9; threads += threads < 4 ? 1 : 5) {
        noe_job job = { .model = "systems/double_pendulum.lag",
                        .method = "simpson",
                        .step = "0.01",
                        .until = "21",
                        .columns = "t,q1,q2,energy",
                        .every = 700,
                        .quiet = 1,
                        .output = statistics,
                        .scatter = scatter,
                        .members = 61,
                        .seed = (long)(seed & 0xffff),
                        .all = all,
                        .threads = threads };
        noe_error_clear();
        const int status = noe_ensemble_run(&job);
        assert_true(status == 0 || status == 3); /* a whip of a large start may stop */
        char *rows = slurp(all);
        if (first) assert_string_equal(rows, first), free(rows);
        else first = rows;
    }
    free(first);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_is_its_own_run, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(test_nobody_waits_in_motion, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(test_monitored, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(test_own_singularity, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(test_any_hands, make_scratch, remove_scratch)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
