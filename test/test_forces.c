/* error = C h^2s with forces and damping;  I_new - I = h sum b_i f.xi;  energy + dissipated - work = const.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "forced.h"

/* ---- order ---- */

/* Errors of (q, v), of the work and the dissipated energy, and the ledger after so many steps. */
typedef struct {
    double state, work, dissipated, ledger;
} errors;

static errors after(const forced *x, const noe_system *s, const noe_method *m, int steps, const quad *y)
{
    run         r = make_run(noe_core_quad(), s, m, x->until / steps);
    const point start = model_start(s);
    quad        v[DOFS];
    errors      e = { 0 };
    start_run(r, &start, false);
    for (int i = 0; i < steps; i++) step_run(r);
    const point end = get_point(r, 0);
    r.core->get(r.work, NOE_AT_V, 0, v);
    for (int j = 0; j < r.n; j++)
        e.state = fmax(e.state, (double)fmaxq(fabsq(end.q[j] - y[j]), fabsq(v[j] - y[r.n + j])));
    e.work = (double)fabsq(get_one(r, 0, NOE_AT_WORK) - y[2 * r.n]);
    e.dissipated = (double)fabsq(get_one(r, 0, NOE_AT_DISSIPATED) - y[2 * r.n + 1]);
    e.ledger = (double)fabsq(get_one(r, 0, NOE_AT_LEDGER));
    r.core->drop(r.work);
    return e;
}

static double order_of(double coarse, double fine) { return log2(coarse / fine); }

static void test_orders(void **unused)
{
    (void)unused;
    static const char *const name[] = { "gauss 1", "gauss 2", "gauss 3", "gauss 4", "lobatto 1", "simpson", "lobatto 3",
                                        "lobatto 4", "P3 radau-left 3", "P3 radau-right 4" };
    const struct {
        const forced *x;
        const char   *what;
        int           steps;
    } system[] = { { &driven_pendulum, "driven pendulum", 40 }, { &van_der_pol, "Van der Pol", 80 },
                   { &damped_double_pendulum, "damped double pendulum", 80 }, { &seven_masses, "seven masses", 40 } };
    for (size_t k = 0; k < sizeof system / sizeof *system; k++) {
        const forced *x = system[k].x;
        noe_system   *s = parse(x->text);
        quad          y[NUMBERS], z[NUMBERS];
        reference(x, 40, y);
        reference(x, 80, z);
        for (int i = 0; i < 2 * x->n + 2; i++) small(y[i] - z[i], 1, 2e-20, "the reference");
        for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
            noe_method  *m = method(name[i]);
            const errors a = after(x, s, m, system[k].steps, z), b = after(x, s, m, 2 * system[k].steps, z);
            const double state = order_of(a.state, b.state), lost = order_of(a.dissipated, b.dissipated);
            printf("%-24s %-18s %8.1e %8.1e %6.2f of %d  dissipated %6.2f\n", system[k].what, m->name, a.state, b.state,
                   state, m->order, lost);
            small(state - m->order, 1, 0.1, m->name);
            if (lost < m->order - 0.3) fail_msg("dissipated: order %g of %d", lost, m->order);
            assert_true(b.work <= 1000 * b.state && b.ledger <= 1000 * b.state);
            noe_method_free(m);
        }
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
