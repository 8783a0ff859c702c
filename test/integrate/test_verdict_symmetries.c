/* Verdicts on steps have the symmetries of mechanics.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The same motion in other words has the same verdicts. */
#include "laws.h"
#include "integrate/energy_watch.h"

/* ---- systems, each in two halves: what it is, and how it starts ---- */

/* A double pendulum.  Before it: parameter c = .., a factor of L, a1 and a2, units of the
 * angles, and coordinate u1, u2. */
static const char pendulums[] =
    "q1 = a1*u1\nq2 = a2*u2\nx1 = sin(q1)\ny1 = 0 - cos(q1)\nx2 = x1 + sin(q2)\ny2 = y1 - cos(q2)\n"
    "T = (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2\nV = 9.81*(y1 + y2)\nkinetic c*T\npotential c*V\n"
    "observe E = T + V\n"
    "observe angle1 = q1\nobserve angle2 = q2\n";

/* The same on a cart that nothing holds, and three bodies of equal masses; E: in the frame that
 * moves with u. */
static const char cart[] =
    "coordinate X, q1, q2\nx1 = X + sin(q1)\ny1 = 0 - cos(q1)\nx2 = x1 + sin(q2)\n"
    "y2 = y1 - cos(q2)\n"
    "kinetic 1000*X'^2/2 + (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2\npotential 9.81*(y1 + y2)\n"
    "observe E = 1000*(X' - u)^2/2 + ((x1' - u)^2 + y1'^2 + (x2' - u)^2 + y2'^2)/2 + 9.81*(y1 + "
    "y2)\n";
static const char bodies[] =
    "coordinate x1, y1, x2, y2, x3, y3\n"
    "V = -1/sqrt((x1-x2)^2+(y1-y2)^2)-1/sqrt((x1-x3)^2+(y1-y3)^2)-1/sqrt((x2-x3)^2+(y2-y3)^2)\n"
    "kinetic (x1'^2 + y1'^2 + x2'^2 + y2'^2 + x3'^2 + y3'^2)/2\npotential V\n"
    "observe E = ((x1'-u)^2 + y1'^2 + (x2'-u)^2 + y2'^2 + (x3'-u)^2 + y3'^2)/2 + V\n";

static const char *const methods[] = { "simpson",   "midpoint", "gauss 2", "gauss 3",
                                       "lobatto 3", "gauss 6",  "gauss 8", "P2 gauss 3" };
enum { GUARDED = sizeof methods / sizeof *methods, STEPS = 60, OBSERVED = 3 };

typedef struct {
    int    done;                     /* steps until it stopped */
    double error, jump;              /* local error measure */
    bool   coarse, wrong;            /* by the local error; by the energy */
    double energy;                   /* its error, by what the motion exchanges */
    double absolute;                 /* |H - H0| by max(|H0|, largest kinetic energy): no measure */
    double x[OBSERVED], most, least; /* observed at the end; the energy E */
} outcome;

static outcome run_text(const char *text, const char *name, double h, const char *const *observed)
{
    noe_system     *s = parse(text);
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    outcome         y = { .most = noe_get(g, "E"), .least = noe_get(g, "E") };
    const double    H0 = noe_get(g, "energy");
    double          scale = fabs(H0), change = 0;
    while (y.done < STEPS && !noe_step(g)) {
        y.done++;
        noe_energy_error_look(g);
        y.most = fmax(y.most, noe_get(g, "E")), y.least = fmin(y.least, noe_get(g, "E"));
        double T = 0;
        for (int i = 0; i < s->dyn.n; i++) T += noe_v(g)[i] * noe_p(g)[i] / 2;
        scale = fmax(scale, T), change = fmax(change, fabs(noe_get(g, "energy") - H0));
    }
    y.absolute = change / scale;
    const noe_local_error  e = noe_local_error_of(g);
    const noe_energy_error w = noe_energy_error_look(g);
    y.wrong = w.large, y.energy = w.size;
    y.error = e.size, y.jump = e.jump, y.coarse = e.coarse;
    for (int i = 0; i < OBSERVED; i++) y.x[i] = noe_get(g, observed[i]);
    noe_error_clear();
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    return y;
}

/* The condition of a run: by what rounding in the last number of its start moves the end. */
static double condition(const char *text, const char *name, double h, const char *const *observed,
                        const outcome *y)
{
    double most = 1e-13;
    for (int k = 0; k < 3; k++) {
        char moved[4096];
        snprintf(moved, sizeof moved, "%s*(1 %c %.17g)\n", text, k % 2 ? '-' : '+',
                 (k + 1) * 4e-16 * STEPS);
        const outcome z = run_text(moved, name, h, observed);
        for (int i = 0; i < OBSERVED && z.done == y->done; i++)
            most = fmax(most, fabs(z.x[i] - y->x[i]));
    }
    return most;
}

static int compared;

/* Would |H - H0| by max(|H0|, largest kinetic energy) keep the law that same() asks of the energy
 * error? */
static bool same_by_totals(const outcome *y, const outcome *z, double bound)
{
    return fabs(y->absolute - z->absolute) <= 1e-6 * y->absolute + 1e4 * bound + 1e-7;
}

static void same(const outcome *y, const outcome *z, double bound, const char *what)
{
    /* A verdict may turn on the last bit where the motion itself does. */
    if (bound > 1e-6) return;
    compared++;
    if (y->done != z->done || y->coarse != z->coarse || y->wrong != z->wrong)
        fail_msg("%s: %d steps, coarse %d, wrong %d instead of %d, %d, %d", what, z->done,
                 z->coarse, z->wrong, y->done, y->coarse, y->wrong);
    if (!(fabs(y->energy - z->energy)
          <= 1e-6 * y->energy + 1e4 * bound + 1e-7)) /* in a frame that moves at 100, rounding */
        fail_msg("%s: energy error %.17g instead of %.17g, bound %g", what, z->energy, y->energy,
                 bound);
    /* 2^10 roundings of a velocity of 100, as that of such a frame, are no jump */
    if (!(fabs(y->jump - z->jump) <= 1e-6 * y->jump + 100 * bound + 0x1p-43 * 100))
        fail_msg("%s: largest jump %.17g instead of %.17g, bound %g", what, z->jump, y->jump,
                 bound);
    for (int i = 0; i < OBSERVED; i++)
        if (!(fabs(z->x[i] - y->x[i]) <= 500 * bound))
            fail_msg("%s: observed %d: %.17g instead of %.17g, bound %.3g", what, i, z->x[i],
                     y->x[i], 500 * bound); /* measured: 90 */
}

/* An orbit beside something else that is heavy, slow, or a constant: what is wrong of it is told
 * as if it were alone. */
static void test_neighbours(void **unused)
{
    (void)unused;
    static const char *const others[] = {
        "",
        "potential 1e15\n",
        "coordinate a\nkinetic 1e8*a'^2/2\npotential 1e8*a^2/2\nstart a = 1\n",
        "coordinate a\nkinetic 1e8*a'^2/2\npotential 1e8*a^2/2\nforce a = 1e8*cos(2.5*t)\n",
        "coordinate a, b\nkinetic 1e8*(a'^2 + b'^2)/2\npotential 1e8*(a - b)^2/2\n"
        "dissipation 1e7*b'^2\nstart a' = 1\n",
    };
    static const char *const orbits[] = { "rk4",       "simpson", "gauss 2", "gauss 3",
                                          "lobatto 3", "verlet",  "gauss 6" };
    int                      told = 0;
    for (size_t i = 0; i < sizeof orbits / sizeof *orbits; i++)
        for (int k = 0; k < 6; k++) {
            const double e = 0.85 + 0.12 * fabs(random_number()),
                         h = k % 2 ? 0.3 * fabs(random_number()) + 0.02 : 0.001;
            int first = -1;
            for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
                char text[1024];
                snprintf(text, sizeof text,
                         "coordinate x, y\nr = sqrt(x^2 + y^2)\nkinetic (x'^2 + y'^2)/2\n"
                         "potential -1/r\n"
                         "observe E = (x'^2 + y'^2)/2 - 1/r\n"
                         "start x = -1 - %.17g, y' = -sqrt((1 - %.17g)/(1 + %.17g))\n%s",
                         e, e, e, others[o]);
                noe_system     *s = parse(text);
                noe_method     *m = method(orbits[i]);
                noe_integrator *g = noe_integrator_new(s, m, h);
                noe_status      failed = NOE_OK;
                double          worst = 0;
                while (noe_time(g) < 14 && !(failed = noe_step(g))) {
                    noe_energy_error_look(g);
                    worst = fmax(worst, fabs(noe_get(g, "E") + 0.5));
                }
                const int is = failed || noe_local_error_of(g).coarse
                            || noe_energy_error_look(g).large;
                if (k % 2 == 0 && is && worst < 1e-4)
                    fail_msg("%s, e = %g beside %zu, step %g: a false alarm, E to %g", orbits[i], e,
                             o, h, worst);
                if (!is && worst > 0.05)
                    fail_msg("%s, e = %g beside %zu, step %g: E = %g in silence", orbits[i], e, o,
                             h, worst);
                if (first < 0) first = is;
                if (is != first)
                    fail_msg("%s, e = %g beside %zu, step %g: told %d, alone %d", orbits[i], e, o,
                             h, is, first);
                told += is;
                noe_error_clear();
                noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
            }
        }
    printf("%d of them told\n", told);
    assert_true(told >= 50);
}

/* Ahead of a front in a chain everything is new, and raises no alarm. */
static void test_fronts(void **unused)
{
    (void)unused;
    static const char *const chains[] = { "simpson", "gauss 3", "gauss 8",
                                          "rk4",     "verlet",  "midpoint" };
    char                     text[2048] = "coordinate x0";
    for (int k = 1; k < 14; k++) snprintf(text + strlen(text), 20, ", x%d", k);
    for (int k = 0; k < 14; k++) snprintf(text + strlen(text), 40, "\nkinetic x%d'^2/2", k);
    for (int k = 0; k < 13; k++)
        snprintf(text + strlen(text), 80, "\npotential (x%d - x%d)^2/2 + (x%d - x%d)^4/4", k + 1, k,
                 k + 1, k);
    snprintf(text + strlen(text), 20, "\nstart x0' = 1\n");
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        const double    h = 0.02 + 0.03 * fabs(random_number());
        noe_system     *s = parse(text);
        noe_method     *m = method(chains[i]);
        noe_integrator *g = noe_integrator_new(s, m, h);
        for (int k = 1; k <= 400; k++) {
            assert_int_equal(noe_step(g), NOE_OK);
            const noe_local_error e = noe_local_error_of(g);
            if (k >= 32 && (e.coarse || noe_energy_error_look(g).large))
                fail_msg("%s, step %g: after %d steps %g at %d", chains[i], h, k, e.size, e.place);
        }
        noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    }
}

/* A motion that the numbers of its positions hardly show has an energy of rounding, no wrong
 * one. */
static void test_small_motions(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "coordinate a\nkinetic (1 + a^2)*a'^2/2\npotential a\nstart a = 1e8\n",
        "coordinate a, b\nkinetic a'^2/2 + (1 + b^2)*b'^2 + sin(a - b)*a'*b'/2\n"
        "potential 0 - a^4 - b^4\nstart a = 1e-9\n",
        "coordinate a\nkinetic a'^2/2\npotential 1e12*a + a^2/2\nstart a = -1e12\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int k = 0; k < GUARDED; k++) {
            noe_system     *s = parse(texts[i]);
            noe_method     *m = method(methods[k]);
            noe_integrator *g = noe_integrator_new(s, m, 0.01 + 0.1 * fabs(random_number()));
            for (int step = 0; step < 64; step++) {
                assert_int_equal(noe_step(g), NOE_OK);
                const noe_energy_error e = noe_energy_error_look(g);
                if (e.large) fail_msg("%zu, %s: %g after %d steps", i, methods[k], e.size, step);
            }
            noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
        }
}

/* Chaotic starts, steps from fine to far too long: with each addition the same verdict, local
 * error and motion. */
static void test_same_in_other_words(void **unused)
{
    (void)unused;
    static const char *const seen[] = { "angle1", "angle2", "E" };
    static const struct {
        const char *what, *parameters, *coordinates, *more;
    } addition[] = {
        { "plain", "c = 1, a1 = 1, a2 = 1", "u1, u2", "" },
        { "a constant in V", "c = 1, a1 = 1, a2 = 1", "u1, u2", "potential 1e5\n" },
        { "a total derivative", "c = 1, a1 = 1, a2 = 1", "u1, u2",
          "lagrangian 3*u1*u1' + 2*(u1*u2' + u1'*u2)\n" },
        { "a heavy free coordinate", "c = 1, a1 = 1, a2 = 1", "u1, u2",
          "coordinate z\nkinetic 1e5*z'^2/2\nstart z' = 1\n" },
        { "a driven neighbour", "c = 1, a1 = 1, a2 = 1", "u1, u2",
          "coordinate z\nkinetic 1e5*z'^2/2\nforce z = 1e5\ndissipation 1e5*z'^2/2\n"
          "start z' = 1\n" },
        { "a shaken neighbour", "c = 1, a1 = 1, a2 = 1", "u1, u2",
          "coordinate z\nkinetic 1e5*z'^2/2\nforce z = 1e5*cos(t/1000)\n" },
        { "a force of nothing", "c = 1, a1 = 1, a2 = 1", "u1, u2", "force u1 = 1e-30*cos(t)\n" },
        { "a function of time in V", "c = 1, a1 = 1, a2 = 1", "u1, u2",
          "potential 1e5*cos(300*t) + 2*(if(t > 0.04, 1e3, 0) - t)\n" },
        { "the same beside a force", "c = 1, a1 = 1, a2 = 1", "u1, u2",
          "force u1 = 1e-30*cos(t)\nlagrangian 1e5*cos(300*t) - if(t > 0.04, 1e3, 0)/2\n" },
        { "a factor of L", "c = 4096, a1 = 1, a2 = 1", "u1, u2", "" },
        { "other units", "c = 1, a1 = 1024, a2 = 1/1024", "u1, u2", "" },
        { "another order", "c = 1, a1 = 1, a2 = 1", "u2, u1", "" },
    };
    enum { ADDITIONS = sizeof addition / sizeof *addition, CONSTANT = 1, DERIVATIVE, HEAVY };
    int broken[ADDITIONS] = { 0 };
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < GUARDED; i++) {
            const double h = pow(10, -2.5 + 1.8 * fabs(random_number())), q1 = 3 * random_number(),
                         q2 = 3 * random_number();
            outcome y = { 0 };
            double  bound = 0;
            for (int a = 0; a < ADDITIONS; a++) {
                char text[4096];
                snprintf(
                    text, sizeof text,
                    "parameter %s\ncoordinate %s\n%s%sstart u1 = %.17g/a1\nstart u2 = %.17g/a2",
                    addition[a].parameters, addition[a].coordinates, pendulums, addition[a].more,
                    q1, q2);
                outcome z = run_text(text, methods[i], h, seen);
                if (strstr(addition[a].what, "shaken")) z.jump = y.jump; /* it has its own */
                if (a == 0) y = z, bound = condition(text, methods[i], h, seen, &y);
                else same(&y, &z, bound, addition[a].what);
                broken[a] += bound <= 1e-6 && !same_by_totals(&y, &z, bound);
            }
        }
    printf("%d comparisons; by total energies another error with", compared);
    for (int a = 1; a < ADDITIONS; a++) printf(" %s: %d,", addition[a].what, broken[a]);
    printf("\n");
    assert_true(compared > 200);
    /* Total energies, the scale before this one, break these laws, so the laws can fail. */
    assert_true(broken[CONSTANT] > 20 && broken[DERIVATIVE] > 20 && broken[HEAVY] > 20);
}

/* A common velocity: the same motion in another frame.  On the cart it adds d/dt u sin(q) to L,
 * which quadrature does not integrate exactly: the motion is the same but for the method's
 * error, and what judges it is. */
static void test_boosts(void **unused)
{
    (void)unused;
    static const char *const of_cart[] = { "q1", "q2", "E" }, *const of_bodies[] = { "y1", "y2",
                                                                                     "E" };
    int broken = 0;
    compared = 0;
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < GUARDED; i++) {
            char         text[2][4096];
            const bool   three = k % 2;
            const double h = pow(10, -2.5 + (three ? 1.5 : 0.8) * fabs(random_number())),
                         a = 3 * random_number(), b = 3 * random_number();
            for (int moves = 0; moves < 2; moves++)
                if (three)
                    snprintf(text[moves], sizeof *text,
                             "parameter u = %d\n"
                             "%sstart x1 = 1, y1 = 3, x2 = -2, x3 = 1, x1' = u, x2' = u, x3' = u\n"
                             "start y3 = %.17g\nstart y2 = %.17g",
                             10 * moves, bodies, -1 + a / 20, -1 + b / 20);
                else
                    snprintf(text[moves], sizeof *text,
                             "parameter u = %d\n%sstart X' = u, q1 = %.17g\nstart q2 = %.17g",
                             10 * moves, cart, a, b);
            const char *const *seen = three ? of_bodies : of_cart;
            const outcome      y = run_text(text[0], methods[i], h, seen),
                          z = run_text(text[1], methods[i], h, seen);
            if (three) {
                const double bound = fmax(condition(text[0], methods[i], h, seen, &y),
                                          condition(text[1], methods[i], h, seen, &z));
                same(&y, &z, bound, "bodies that move together");
                broken += bound <= 1e-6 && !same_by_totals(&y, &z, bound);
            } else if (y.done != STEPS || z.done != STEPS || y.coarse || z.coarse)
                fail_msg(
                    "%s, step %g: a cart that moves: %d steps, local error %g instead of %d, %g",
                    methods[i], h, z.done, z.error, y.done, y.error);
        }
    printf("%d comparisons; by total energies %d other errors\n", compared, broken);
    assert_true(compared > 10);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_in_other_words), cmocka_unit_test(test_boosts),
        cmocka_unit_test(test_neighbours),          cmocka_unit_test(test_fronts),
        cmocka_unit_test(test_small_motions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
