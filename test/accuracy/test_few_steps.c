/* Runs of a few steps that are wrong are told, also in other words.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"
#include "accuracy/coarse_run.h"
#include "accuracy/repeated_run.h"

static const char *const methods[] = { "verlet", "kahan-li8", "sofroniou-spaletta8", "blanes-moan4",
                                       "rk4",    "gauss 3",   "lobatto 3",           "gauss 6" };

/* A body that comes to a wall or over a narrow bump; more of the text behind it. */
static void random_text(char *text, size_t room, bool wall, double strength, const char *more)
{
    char potential[100];
    if (wall) snprintf(potential, sizeof potential, "%.10g*max(-x, 0)^2.5", strength);
    else snprintf(potential, sizeof potential, "%.10g*exp(-x^2/1e-3)", strength);
    snprintf(text, room, "coordinate x\nkinetic x'^2/2\npotential %s\nstart x = 1, x' = -1\n%s\n",
             potential, more);
}

/* Runs; v [1] = the velocity of x at the end, a warning or a note, and how far half the step is
 * apart.  False: the run stopped. */
static bool run_few(const char *text, const char *name, double h, int steps, double *v,
                    noe_coarse_run *c, double *apart)
{
    noe_system     *s = parse(text);
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    bool            ok = g != NULL;
    noe_error_clear();
    for (int k = 0; k < steps && ok; k++) ok = !noe_step(g);
    if (ok) {
        noe_coarse_run_find(c, g, m), noe_coarse_run_note(c, g, m);
        *v = noe_v(g)[0], *apart = noe_repeated_run_make(g, m, 1e6).apart;
    }
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    return ok;
}

/* What says nothing of the motion of x. */
static const char *const others[] = {
    "potential 1e5",
    "coordinate z\nkinetic 5e4*z'^2\nstart z' = 1",
    "force x = 1e-30*cos(t)",
};

static void test_few_steps(void **unused)
{
    (void)unused;
    int wrong = 0, right = 0, stopped = 0, silent = 0;
    for (int k = 0; k < 96 || (k < 400 && right < 2); k++) {
        char         text[600];
        const char  *name = methods[k % 8];
        const int    steps = 3 + (int)(bits() % 12);
        const bool   wall = k / 8 % 2;
        const double h = 2.5 / steps,
                     strength = wall ? pow(10, 2 + 2 * random_number()) : pow(10, random_number());
        double         v, exact, fine, apart;
        noe_coarse_run c, ignored;
        random_text(text, sizeof text, wall, strength, "");
        if (!run_few(text, name, h, steps, &v, &c, &apart)
            || !run_few(text, "gauss 8", h / 500, 500 * steps, &exact, &ignored, &fine)) {
            stopped++;
            continue;
        }
        const bool told = *c.warning || *c.note;
        /* the body may also turn at the bump by the height alone: then nothing is certain */
        if (!(fine < 1e-3)) continue;
        if (fabs(v - exact) > 0.2) {
            wrong++;
            if (!told) silent++, printf("%s, %d steps: %s", name, steps, text);
        } else if (fabs(v - exact) < 1e-3) {
            right++;
        }
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            double         other, w;
            noe_coarse_run d;
            random_text(text, sizeof text, wall, strength, others[i]);
            if (!run_few(text, name, h, steps, &w, &d, &other)) continue;
            const bool also = *d.warning || *d.note;
            if (told != also)
                fail_msg("%s, %d steps of %.3g: '%s' '%s', but alone '%s' '%s':\n%s", name, steps,
                         h, d.warning, d.note, c.warning, c.note, text);
        }
    }
    printf("%d wrong, %d of them in silence; %d right; %d stopped\n", wrong, silent, right,
           stopped);
    assert_true(wrong > 10 && right > 1);
    assert_int_equal(silent, 0);
}

/* Two steps a turn around an attracting centre: the velocities at the ends of a step differ by all
 * that they vary, also where the step is right.  Told is what is wrong. */
static void test_steps_of_half_a_turn(void **unused)
{
    (void)unused;
    static const char *const name[] = { "gauss 6", "lobatto 6", "gauss 4", "lobatto 4", "gauss 5" };
    enum { NAMES = sizeof name / sizeof *name };
    int right = 0, wrong = 0;
    for (int k = 0; k < 16 * NAMES; k++) {
        const double X = pow(10, 6 * random_number()), T = pow(10, 6 * random_number()),
                     h = 3.14159265358979 * (1 + 1e-4 * random_number()),
                     turn = 3 * random_number();
        char text[600];
        snprintf(text, sizeof text,
                 "parameter X = %.17g, T = %.17g\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                 "potential -X^3/T^2/sqrt(x^2 + y^2)\n"
                 "start x = X*cos(%.17g), y = X*sin(%.17g), x' = -X/T*sin(%.17g), "
                 "y' = X/T*cos(%.17g)\n",
                 X, T, turn, turn, turn, turn);
        noe_system     *s = parse(text);
        noe_method     *m = method(name[k % NAMES]);
        noe_integrator *g = noe_integrator_new(s, m, h * T);
        noe_coarse_run  c;
        double          most = 0;
        for (int i = 1; i <= 20; i++) {
            assert_int_equal(noe_step(g), NOE_OK);
            most = fmax(most, hypot(noe_q(g)[0] / X - cos(i * h + turn),
                                    noe_q(g)[1] / X - sin(i * h + turn)));
        }
        noe_coarse_run_find(&c, g, m), noe_coarse_run_note(&c, g, m);
        const bool told = *c.warning || *c.note;
        right += most < 0.002 && !told, wrong += most > 0.2 && told;
        if (most < 0.002 ? told : most > 0.2 && !told)
            fail_msg("%s, wrong by %.2g: '%s' '%s'\n%s", name[k % NAMES], most, c.warning, c.note,
                     text);
        noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    }
    printf("%d right and %d wrong\n", right, wrong);
    assert_true(right > 8 && wrong > 8);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_few_steps),
                                        cmocka_unit_test(test_steps_of_half_a_turn) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
