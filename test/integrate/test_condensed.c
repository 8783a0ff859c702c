/* Constant mass: steps by multipliers alone are those of Newton's method on all unknowns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/integrator.h"
#include "laws.h"
#include "mechanism.h"
#include "tape/elimination_order.h"
#include "constraint/constraint_point.h"

static noe_integrator *integrator(const noe_system *s, const char *name, double h, double solver)
{
    noe_method *f = method(name);
    noe_error_clear();
    noe_integrator *g = noe_integrator_new(s, f, h);
    noe_method_free(f);
    if (!g || noe_set(g, "solver", solver)) fail_msg("%s: %s", name, noe_error());
    return g;
}

/* A random mechanism with forces of all kinds: of positions, of velocities, magnetic, of time. */
static noe_system *forced_mechanism(char *text, bool forced)
{
    int         rods;
    noe_system *s = random_mechanism(text, true, &rods);
    if (!forced) return s;
    noe_system_free(s);
    char *to = text + strlen(text);
    to += sprintf(to, "potential 2*sin(x0 + %.3f)*y1^2 + x1*y0\n", random_number());
    to += sprintf(to, "lagrangian %.3f*(1 + x1^2)*(x0*y1' - y1*x0')\n", random_number());
    to += sprintf(to, "force x1 = -0.2*x1' + 0.3*sin(3*t), y0 = 0.1*x1'*y0\n");
    return parse(text);
}

/* The reciprocal of the least pivot of the normalized gradients: rods that are nearly parallel. */
static double condition(noe_constraint_point *x, const noe_integrator *g)
{
    const int n = x->n;
    quad      q[n], v[n];
    for (int j = 0; j < n; j++) q[j] = noe_q(g)[j], v[j] = noe_v(g)[j];
    noe_constraint_point_at(x, noe_time(g), q, v, 1e-20);
    return 1 / (double)x->root[(x->rank - 1) * (x->m + 1)];
}

/* The two steps from one state, STEPS times, in units of rounding; returns the share of them that
 * the condensed matrix solved. */
static double compare(const char *text, const noe_system *s, const char *name, double h)
{
    enum { STEPS = 60 };
    const int             n = s->dyn.n;
    noe_integrator       *fast = integrator(s, name, h, 1), *full = integrator(s, name, h, 2);
    double                steps = 0;
    noe_constraint_point *x = noe_constraint_point_new(&s->dyn);
    for (int i = 0; i < STEPS; i++, steps++) {
        const double worse = condition(x, full);
        double       length = 0, momentum = 0, speed = 0;
        size_t       bytes;
        if (noe_step(fast)) break; /* a dead point */
        if (noe_step(full)) fail_msg("%s: step %d: %s\n%s", name, i, noe_error(), text);
        for (int j = 0; j < n; j++)
            length = fmax(length, fabs(noe_q(full)[j])),
            momentum = fmax(momentum, fabs(noe_p(full)[j])),
            speed = fmax(speed, fabs(noe_v(full)[j]));
        /* Impulses that bring positions to the rods to rounding change momenta by so much of
         * mass length / h, also where the motion turns and momenta are small. */
        const double kick = momentum + momentum / speed * length / h;
        for (int j = 0; j < n; j++) {
            /* 300 seeds: at most 2.7e-15, seed 61318: 5.1e-15 */
            small(noe_q(fast)[j] - noe_q(full)[j], length * worse, 1e-14, text);
            small(noe_p(fast)[j] - noe_p(full)[j], kick * worse, 1e-15, text);
        }
        const void *memory = fast->engine->memory(fast->work, &bytes);
        assert_true(noe_integrator_start_restore(full, memory, bytes));
        noe_set(full, "solver", 2);
    }
    noe_error_clear();
    const double share = noe_get(fast, "contracted") / fmax(1, steps);
    noe_constraint_point_free(x);
    noe_integrator_free(fast), noe_integrator_free(full);
    return share;
}

static void test_same_steps(void **unused)
{
    (void)unused;
    static const char *const name[] = { "simpson", "lobatto 1", "lobatto 3",
                                        "gauss 2", "gauss 3",   "lobatto 5" };
    double                   share = 0;
    int                      count = 0;
    for (int k = 0; k < 24; k++, count++) {
        char        text[8000];
        noe_system *s = forced_mechanism(text, k % 2);
        share += compare(text, s, name[k % 6], k % 6 == 1 ? 0.002 : 0.01);
        noe_system_free(s);
    }
    print_message("condensed: %.3f of the steps, tightest %.3g of a bound\n", share / count,
                  tightest);
    assert_true(share > 0.9 * count);
}

/* Two chains that do not know of each other, in the plane, with their coordinates by turns: one of
 * `rods` rods and a shorter one, of any length and mass, each from a direction of its own. */
static noe_system *two_chains(char *text, int rods)
{
    char *to = text;
    to += sprintf(to, "parameter n = %d, m = %d\ncoordinate x[1..n], u[1..m], y[1..n], w[1..m]\n",
                  rods, (rods + 2) / 3);
    for (int c = 0; c < 2; c++) {
        const char x = "xu"[c], y = "yw"[c];
        double     last_x = 0, last_y = 0;
        for (int i = 1; i <= (c ? (rods + 2) / 3 : rods); i++) {
            const double mass = 1.5 + random_number(), length = 1.5 + random_number(),
                         angle = 1.5 * random_number(), at_x = last_x + length * sin(angle),
                         at_y = last_y - length * cos(angle);
            to += sprintf(to, "kinetic %.17g*(%c[%d]'^2 + %c[%d]'^2)/2\n", mass, x, i, y, i);
            to += sprintf(to, "potential %.17g*%c[%d]\n", 3 * mass, y, i);
            to += sprintf(to, "start %c[%d] = %.17g, %c[%d] = %.17g\n", x, i, at_x, y, i, at_y);
            to += sprintf(to, "constraint %c%d: (%c[%d]", x, i, x, i);
            if (i > 1) to += sprintf(to, " - %c[%d]", x, i - 1);
            to += sprintf(to, ")^2 + (%c[%d]", y, i);
            if (i > 1) to += sprintf(to, " - %c[%d]", y, i - 1);
            to += sprintf(to, ")^2 = %.17g^2\n", length);
            last_x = at_x, last_y = at_y;
        }
    }
    return parse(text);
}

/* Chains that are factored from one end and from both, at one, two, three and four nodes; and parts
 * of the full matrix. */
static void test_chains(void **unused)
{
    (void)unused;
    static const char *const name[] = { "lobatto 1", "gauss 2", "gauss 3", "simpson", "gauss 4" };
    double                   share = 0;
    int                      count = 0;
    for (int k = 0; k < 15; k++, count++) {
        char        text[16000];
        noe_system *s = two_chains(text, 2 + k);
        share += compare(text, s, name[k % 5], k % 5 ? 0.01 : 0.002);
        noe_system_free(s);
    }
    print_message("condensed: %.3f of the steps, tightest %.3g of a bound\n", share / count,
                  tightest);
    assert_true(share > 0.9 * count);
}

/* A chain and a ring of rods: constraints that share a coordinate stand close together, and every
 * constraint has a place of its own. */
static void test_order(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int         half_band;
    } known[] = {
        { "parameter n = 40\ncoordinate x[1..n], y[1..n]\n"
          "kinetic sum(i in 1..n) (x[i]'^2 + y[i]'^2)/2\n"
          "constraint rod[i in 1..n-1]: (x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 = 1\n"
          "start x[i] = i\n",
          1 },
        { "parameter n = 40\ncoordinate x[1..n], y[1..n]\n"
          "kinetic sum(i in 1..n) (x[i]'^2 + y[i]'^2)/2\n"
          "constraint rod[i in 1..n-1]: (x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 = 4*sin(pi/n)^2\n"
          "constraint last: (x[1] - x[n])^2 + (y[1] - y[n])^2 = 4*sin(pi/n)^2\n"
          "start x[i] = cos(2*pi*i/n), y[i] = sin(2*pi*i/n)\n",
          2 },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        noe_system *s = parse(known[k].text);
        const int   m = s->dyn.constraints;
        int         place[m], first_entry[s->dyn.n + 1], sorted_entry[s->dyn.G_entries], most = 0;
        bool        taken[m];
        for (int a = 0; a < m; a++) taken[a] = false;
        noe_elimination_order_sort(&s->dyn, first_entry, sorted_entry);
        assert_int_equal(
            noe_elimination_order_constraints(&s->dyn, first_entry, sorted_entry, place),
            known[k].half_band);
        for (int a = 0; a < m; a++) {
            assert_in_range(place[a], 0, m - 1);
            assert_false(taken[place[a]]);
            taken[place[a]] = true;
        }
        for (int i = 0; i < s->dyn.G_entries; i++)
            for (int j = 0; j < i; j++) {
                const noe_constraint_entry *x = s->dyn.G_entry + i, *y = s->dyn.G_entry + j;
                const int apart = abs(place[x->constraint] - place[y->constraint]);
                if (x->row == y->row && apart > most) most = apart;
            }
        assert_int_equal(most, known[k].half_band);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_order),
                                        cmocka_unit_test(test_same_steps),
                                        cmocka_unit_test(test_chains) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g\n", tightest);
    return failed;
}
