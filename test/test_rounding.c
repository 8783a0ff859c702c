/* X + I = w and Ahat_ij/b_j + A_ji/b_i = 1 of rounded numbers; the energy of a long run walks at random.
 * SPDX-License-Identifier: BSD-3-Clause */
#define NOE_REAL NOE_LANES
#include "core/instance.h"

#include "laws.h"
#include "run/integrator.h"

static const noe_core core = INSTANCE;

/* How many of the relations that make rounded coefficients those of a discrete action do not hold to the last bit. */
static int broken(const work *w, bool nodal)
{
    int count = 0;
    for (int i = 0; i < w->r; i++)
        for (int m = 0; m < w->s; m++) count += (quad)w->X_m[i * w->S + m] + (quad)w->I[m * w->B + i] != (quad)w->w[m];
    for (int i = 0; i < w->r && nodal; i++)
        for (int j = 0; j < w->r; j++) count += (quad)w->A_V[i * w->B + j] + (quad)w->Ahat[j * w->B + i] != 1;
    return count;
}

static void test_coefficients_are_those_of_an_action(void **unused)
{
    (void)unused;
    static const char *const name[] = { "gauss 2", "gauss 4", "gauss 6", "gauss 8", "gauss 12", "simpson", "lobatto 5", "P4 gauss 6",
                                        "P3 radau-left 3", "P4 clenshaw 5" };
    noe_system *s = load("systems/kepler.lag");
    int         alone = 0;
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        noe_method *m = method(name[k]);
        run         r = make_run(&core, s, m, (quad)1 / 10);
        work       *w = r.work;
        const bool  nodal = w->contracts && w->r == w->s;
        assert_int_equal(broken(w, nodal), 0);
        for (int i = 0; i < w->r; i++) { /* rounded one by one */
            for (int m_ = 0; m_ < w->s; m_++)
                w->X_m[i * w->S + m_] = (double)m->X[i][m_], w->I[m_ * w->B + i] = (double)m->I[i][m_];
            for (int j = 0; j < w->r && nodal; j++) w->Ahat[j * w->B + i] *= 1 + 0x1p-52;
        }
        alone += broken(w, nodal) > 0;
        core.drop(r.work);
        noe_method_free(m);
    }
    assert_true(alone >= 5);
    noe_system_free(s);
}

/* H/omega^2 of the pendulum, from q and p with what their sums carry. */
static quad energy_at(noe_integrator *g)
{
    const quad w = noe_get(g, "omega");
    quad       q, p;
    noe_integrator_get(g, NOE_AT_Q, &q);
    noe_integrator_get(g, NOE_AT_P, &p);
    return p * p / (2 * w * w) + 1 - cosq(q);
}

/* Eight starts, 3 10^5 steps of 0.1: what the energy gained, squared, against the sum of the squares of its steps, the variance
 * of a random walk: one on average.  Of coefficients rounded one by one it was 10 after 10^5 steps and grew like t. */
static void test_energy_walks_at_random(void **unused)
{
    (void)unused;
    enum { STARTS = 8, STEPS = 300000, SEEN = 1000 };
    noe_system *s = load("systems/pendulum.lag");
    noe_method *m = method("gauss 8");
    double      ratio = 0;
    for (int k = 0; k < STARTS; k++) {
        noe_integrator *g = noe_integrator_new(s, m, 0.1);
        const double    q = 0.8 + 0.2 * k, v = 0;
        assert_int_equal(noe_start(g, 0, &q, &v), NOE_OK);
        const quad start = energy_at(g);
        quad       before = start;
        double     squares = 0;
        for (int i = 0; i < STEPS; i++) {
            assert_int_equal(noe_step(g), NOE_OK);
            if (i >= SEEN) continue;
            const quad now = energy_at(g);
            squares += (double)((now - before) * (now - before)), before = now;
        }
        const double gained = (double)(energy_at(g) - start);
        ratio += gained * gained / (squares * STEPS / SEEN) / STARTS;
        noe_integrator_free(g);
    }
    printf("gained, squared, against a random walk: %.2f\n", ratio);
    assert_true(ratio < 4);
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_coefficients_are_those_of_an_action),
                                        cmocka_unit_test(test_energy_walks_at_random) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
