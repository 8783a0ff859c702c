/* The energy of a row against that of its state in binary128: nothing of it is lost but rounding.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "noether.h"
#include "integrate/integrator.h"
#include "laws.h"

enum { ROWS = 8200, APART = 41, COORDINATES_MOST = 12 };

/* H = p v - L at (t, q, p), and the size of what it is the difference of. */
static quad exact_energy(noe_integrator *wide, const double *row, int n, quad *size)
{
    quad v[COORDINATES_MOST], p[COORDINATES_MOST], H, work = 0;
    if (noe_start_momentum(wide, row[0], row + 1, row + 1 + n)) fail_msg("%s", noe_error());
    noe_integrator_state_get(wide, NOE_AT_ENERGY, &H);
    noe_integrator_state_get(wide, NOE_AT_V, v);
    noe_integrator_state_get(wide, NOE_AT_P, p);
    for (int j = 0; j < n; j++) work += fabsq(p[j] * v[j]);
    *size = work + fabsq(H);
    return H;
}

/* The rows of a run, computed eight at a time where that is possible, and the energy of the
 * summary: both are compared, since an energy error of 1e-16 of the energy is to be seen. */
static double worst_of(const noe_system *s, const char *name)
{
    const int n = s->dyn.n;
    char      list[1000] = "t";
    double    worst = 0;
    for (int part = 0; part < 2; part++)
        for (int j = 0; j < n; j++)
            sprintf(list + strlen(list), part ? ",p(%s)" : ",%s", noe_system_name(s, j));
    strcat(list, ",energy");
    noe_method     *m = method(name);
    const quad      h = suggested_step(s);
    noe_integrator *g = noe_integrator_new(s, m, (double)h),
                   *wide = noe_integrator_make(s, m, h, 33);
    noe_error_clear();
    const double  until = strstr(s->source, "bouncing_ball") ? 4 : (double)(ROWS * h); /* rests */
    noe_table    *t = g && wide ? noe_record(g, until, 1, list) : NULL;
    const double *column[2 * COORDINATES_MOST + 2];
    for (int c = 0; t && c < 2 * n + 2; c++) {
        char        name_of[100];
        const char *q = noe_system_name(s, c ? (c - 1) % n : 0);
        snprintf(name_of, sizeof name_of,
                 !c           ? "t"
                 : c <= n     ? "%s"
                 : c <= 2 * n ? "p(%s)"
                              : "energy",
                 q);
        column[c] = noe_table_column(t, name_of);
        assert_non_null(column[c]);
    }
    for (size_t i = 0; t && i < noe_table_rows(t); i += APART) {
        double row[2 * COORDINATES_MOST + 2];
        quad   size;
        for (int c = 0; c < 2 * n + 2; c++) row[c] = column[c][i];
        const quad H = exact_energy(wide, row, n, &size);
        worst = fmax(worst, (double)(fabsq(row[2 * n + 1] - H) / size));
    }
    noe_error_clear();
    noe_table_free(t);
    noe_integrator_free(g), noe_integrator_free(wide);
    noe_method_free(m);
    return worst;
}

static double worst;
static int    compared;

static void energy_law(const noe_system *s, const char *path)
{
    static const char *const names[] = { "simpson", "gauss 4", "verlet" };
    const noe_dynamics      *d = &s->dyn;
    if (!d->autonomous) return; /* the time of a row is rounded, and with it what depends on it */
    if (d->n > COORDINATES_MOST || d->structure || d->groups || d->constraints) return;
    for (int i = 0; i < 3; i++) {
        const double of = worst_of(s, names[i]);
        if (getenv("NOE_SHOW")) printf("%s, %s: %.3g\n", path, names[i], of * 0x1p52);
        /* measured: 16 units, of five_link_pendulum */
        small(of, 1, 32 * 0x1p-53, path);
        worst = fmax(worst, of);
        compared++;
    }
}

static void test_energy_of_rows(void **unused)
{
    (void)unused;
    every_system(energy_law);
    assert_true(compared > 60 && worst > 0);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_energy_of_rows) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
