/* Frames of a family in a plane: times, cells and their places, one scale of colours for all.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/table.h"
#include "plot/frames.h"
#include "random.h"
#include "scratch.h"

#include <math.h>

/* x[1] .. x[members] at irregular times, of random numbers; one member is not there. */
static noe_table *plane(int members, int missing, int rows)
{
    static char name[100][12];
    const char *list[100] = { "t" };
    double      row[100] = { 0 };
    int         columns = 1;
    for (int k = 1; k <= members; k++)
        if (k != missing) {
            snprintf(name[columns], sizeof *name, "x[%d]", k);
            list[columns] = name[columns], columns++;
        }
    noe_table *t = noe_table_new(columns, list);
    for (int r = 0; r < rows; r++) {
        for (int k = 1; k < columns; k++) row[k] = random_number();
        assert_int_equal(noe_table_add(t, row), NOE_OK);
        row[0] += 0.1 + fabs(random_number());
    }
    return t;
}

/* The row whose time stands above the frame, which is the nearest to k of `count` equal times. */
static size_t row_of(const noe_table *t, const char *label, int k, int count)
{
    const double *now = noe_table_column(t, "t"), said = strtod(label, NULL),
                 end = now[noe_table_rows(t) - 1], want = count > 1 ? end * k / (count - 1) : 0;
    size_t nearest = 0;
    for (size_t i = 0; i < noe_table_rows(t); i++)
        if (fabs(now[i] - want) < fabs(now[nearest] - want)) nearest = i;
    assert_true(fabs(said - now[nearest]) <= 1e-5 * now[nearest]);
    return nearest;
}

static void test_cells(void **state)
{
    (void)state;
    for (int trial = 0; trial < 60; trial++) {
        const int across = 2 + (int)(bits() % 7), members = across + 1 + (int)(bits() % 50),
                  missing = 1 + (int)(bits() % (uint64_t)members), rows = 1 + (int)(bits() % 40),
                  count = rows < 6 ? rows : 6, last = missing == members ? members - 1 : members,
                  down = (last + across - 1) / across;
        noe_table *t = plane(members, missing, rows);
        noe_arena *memory = noe_arena_new();
        noe_panel  p = { 0 };
        char       pattern[32];
        FILE      *f = fopen(in_scratch("frames"), "w");
        snprintf(pattern, sizeof pattern, "x[*] by %d from 1", across);
        assert_int_equal(noe_frames_panel(&p, memory, t, pattern), NOE_OK);
        p.left = 0.1, p.right = 0.9, p.bottom = 0.1, p.top = 0.9, p.height = 600;
        noe_panel_measure(&p);
        assert_int_equal(noe_panel_draw(&p, f, memory), NOE_OK);
        fclose(f);
        char  *text = slurp(in_scratch("frames")), *at = text;
        double lo, hi, most = 0;
        assert_non_null(at = strstr(at, "set cbrange ["));
        assert_int_equal(sscanf(at, "set cbrange [%lf:%lf]", &lo, &hi), 2);
        for (int k = 0; k < count; k++) {
            assert_non_null(at = strstr(at, "set label 12 't = "));
            const size_t row = row_of(t, at + 18, k, count);
            assert_non_null(at = strstr(at, "with image notitle\n"));
            at += strlen("with image notitle\n");
            for (int i = 0; i < down * across; i++) {
                char   name[12];
                double x = strtod(at, &at);
                snprintf(name, sizeof name, "x[%d]", i + 1);
                assert_true(isnan(x) == (i + 1 == missing || i >= last));
                if (isnan(x)) continue;
                most = fmax(most, fabs(noe_table_column(t, name)[row]));
                /* five digits are written */
                assert_true(fabs(x - noe_table_column(t, name)[row]) <= 5.1e-5 * fabs(x));
            }
            assert_int_equal(strncmp(at, " \ne\n", 4), 0);
        }
        assert_null(strstr(at, "with image"));
        assert_true(lo >= 0 || fabs(lo + hi) <= 1e-12 * hi);
        assert_true(fabs(hi - most) <= 1e-12 * most || (rows == 1 && hi >= most));
        free(text);
        noe_arena_free(memory);
        noe_table_free(t);
    }
    remove(in_scratch("frames"));
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cells) };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
