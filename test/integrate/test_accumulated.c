/* What the local errors of all steps add up to, against closed forms and against the true error.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"
#include "accuracy/coarse_run.h"
#include "integrate/energy_watch.h"

#include <complex.h>

typedef double complex wave;

static noe_accumulated_error after(const char *text, const char *name, double h, int steps,
                                   noe_integrator **keep)
{
    noe_system     *s = parse(text);
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    if (!g) fail_msg("%s: %s", name, noe_error());
    for (int k = 0; k < steps; k++)
        if (noe_step(g)) fail_msg("%s, step %g of\n%s%s", name, h, text, noe_error());
    const noe_accumulated_error e = noe_accumulated_error_of(g);
    noe_method_free(m);
    if (keep) *keep = g;
    else noe_integrator_free(g), noe_system_free(s);
    return e;
}

/* ---- oscillations ---- */

/* One step of x = omega h on (q, v/omega): [2][2]. */
static void matrix_of(const char *name, double x, double M[2][2])
{
    if (!strcmp(name, "verlet")) {
        M[0][0] = M[1][1] = 1 - x * x / 2, M[0][1] = x, M[1][0] = -x * (1 - x * x / 4);
        return;
    }
    const wave z = I * x;
    wave       R = 0;
    if (!strcmp(name, "midpoint")) R = (1 + z / 2) / (1 - z / 2);
    else if (!strcmp(name, "gauss 2")) R = (1 + z / 2 + z * z / 12) / (1 - z / 2 + z * z / 12);
    else if (!strcmp(name, "gauss 3"))
        R = (1 + z / 2 + z * z / 10 + z * z * z / 120) / (1 - z / 2 + z * z / 10 - z * z * z / 120);
    else R = 1 + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24;
    M[0][0] = M[1][1] = creal(R), M[0][1] = cimag(R), M[1][0] = -cimag(R);
}

/* What N steps of an oscillation add up to: rms of the error of a step by that of the velocity. */
static double closed_form(const char *name, double x, int p, int N)
{
    double W[2][2], H[2][2], D[2][2], sum = 0;
    matrix_of(name, x, W), matrix_of(name, x / 2, H);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) D[i][j] = W[i][j] - (H[i][0] * H[0][j] + H[i][1] * H[1][j]);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) sum += D[i][j] * D[i][j] / 2;
    return N * sqrt(sum) / (1 - pow(2, -p));
}

/* Beside nothing, beside a wall that is far away, with and without a matrix: the closed form but
 * for the samples' mean squares and (omega h)^2/48, the error of omega^2. */
static void test_oscillations(void **unused)
{
    (void)unused;
    static const char *const name[] = { "verlet", "midpoint", "gauss 2", "gauss 3", "rk4" };
    static const int         order[] = { 2, 2, 4, 6, 4 };
    for (int k = 0; k < 30; k++) {
        const int    i = k % 5, steps = 4000;
        const bool   linear = k % 2;
        const double omega = pow(10, 2 * random_number()), m = pow(10, 3 * random_number()),
                     x = (i == 3 ? 0.8 : 0.2) + 0.1 * random_number();
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x\nkinetic %.17g*x'^2/2\npotential %.17g*(x^2/2 + %g*x^4)\n"
                 "start x = %.17g, x' = %.17g\n",
                 m, m * omega * omega, linear ? 0 : 1e-9, random_number(), omega * random_number());
        const double told = after(text, name[i], x / omega, steps, NULL).size,
                     closed = closed_form(name[i], x, order[i], steps);
        small(told / closed - 1, 1, 0.4, name[i]);
    }
    printf("oscillations: tightest %.2g\n", tightest);
}

/* ---- other motions ---- */

/* Systems whose motions are regular: text with %1$.17g .. %4$.17g, random in (0, 1). */
static const char *const regular[] = {
    "coordinate x\nkinetic x'^2/2\npotential x^2/2 + %1$.17g*x^4\n"
    "start x = %2$.17g, x' = %3$.17g\n",
    "coordinate x\nkinetic x'^2/2\npotential 1 - cos(x)\nstart x = 2*%1$.17g, x' = %2$.17g/2\n",
    "coordinate x\nkinetic x'^2/2\npotential (1 - exp(-x))^2/2\nstart x = %1$.17g - 0.3\n",
    "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\n"
    "start x = 1 + %1$.17g/2, y' = sqrt(1 - %1$.17g/3)\n",
    "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nlagrangian 5*%4$.17g*(x*y' - y*x')\n"
    "potential (x^2 + 2*y^2)/2 + x^2*y/4\nstart x = %1$.17g/2, y' = %2$.17g/2, y = 0.1\n",
    "coordinate a, x\nkinetic (1 + x)^2*a'^2/2 + x'^2/2\npotential 3*x^2 - (1 + x)*cos(a)\n"
    "start a = %1$.17g, x = %2$.17g/5\n",
};
enum { REGULAR = sizeof regular / sizeof *regular };

/* rms over the last steps of the error of a velocity, by its standard deviation, the largest. */
static double true_error(const char *text, const char *name, double h, int steps,
                         noe_accumulated_error *told)
{
    enum { LAST = 40, FINE = 3, PLACES = 2 };
    noe_system     *s = parse(text);
    noe_method     *m = method(name), *f = method("gauss 10");
    noe_integrator *g = noe_integrator_new(s, m, h), *r = noe_integrator_new(s, f, h / FINE);
    double          sum[PLACES] = { 0 }, most = 0;
    quad            sd[PLACES];
    for (int k = 0; k < steps; k++) {
        if (noe_step(g)) fail_msg("%s, step %g of\n%s%s", name, h, text, noe_error());
        for (int i = 0; i < FINE; i++) assert_int_equal(noe_step(r), NOE_OK);
        for (int j = 0; j < s->dyn.n && k >= steps - LAST; j++)
            sum[j] += pow(noe_v(g)[j] - noe_v(r)[j], 2) / LAST;
    }
    r->engine->guard->spread(r->work, 0, sd, NULL);
    for (int j = 0; j < s->dyn.n; j++) most = fmax(most, sqrt(sum[j]) / (double)sd[j]);
    *told = noe_accumulated_error_of(g);
    noe_integrator_free(g), noe_integrator_free(r);
    noe_method_free(m), noe_method_free(f), noe_system_free(s);
    return most;
}

/* Errors that add up in other ways, or grow with the shear of the flow: between a hundredth and
 * ten times what is told; measured 0.029 to 6.8. */
static void test_true_errors(void **unused)
{
    (void)unused;
    static const char *const name[] = {
        "verlet", "simpson", "midpoint", "gauss 2", "gauss 3", "rk4"
    };
    enum { METHODS = sizeof name / sizeof *name, SEPARABLE = 4 };
    double least = INFINITY, most = 0, sum = 0;
    int    count = 0;
    for (int k = 0; k < METHODS * REGULAR; k++) {
        char         text[500];
        const int    i = k % METHODS, which = k / METHODS;
        const double h = 0.1 + 0.05 * random_number();
        const int    steps = 400 + (int)(150 * random_number());
        if (i == 0 && which >= SEPARABLE) continue; /* not for splittings */
        snprintf(text, sizeof text, regular[which], fabs(random_number()), fabs(random_number()),
                 fabs(random_number()), fabs(random_number()));
        noe_accumulated_error told;
        const double          part = true_error(text, name[i], h, steps, &told) / told.size;
        /* rk4 loses energy in every step, and the period of a Kepler orbit goes by its energy: the
         * phase error is the sum of sums of the local errors, 3/4 of the time in rad more */
        const bool   shear = strstr(text, "-1/sqrt") && !strcmp(name[i], "rk4");
        const double bound = fmax(10, shear ? 0.75 * h * steps : 0);
        if (!(part > 1e-3 && part < bound)) /* errors that cancel are told as if they added up */
            fail_msg("%s, step %g, %d steps, %g told: %g times that\n%s", name[i], h, steps,
                     told.size, part, text);
        least = fmin(least, part), most = fmax(most, part);
        sum += log(part), count++;
    }
    const double mean = exp(sum / count);
    printf("true errors: %.2g to %.2g of what is told, in the mean %.2g\n", least, most, mean);
    assert_true(mean > 0.2 && mean < 1.6); /* measured: 0.48 .. 0.76 */
}

/* ---- the same motion in other words ---- */

static void test_same_in_other_words(void **unused)
{
    (void)unused;
    static const struct {
        const char *parameters, *coordinates, *more;
    } words[] = {
        { "c = 1, a1 = 1, a2 = 1, U = 0", "u1, u2", "" },
        { "c = 1, a1 = 1, a2 = 1, U = 0", "u1, u2", "potential 1e5\n" },
        { "c = 1, a1 = 1, a2 = 1, U = 0", "u1, u2",
          "coordinate z\nkinetic 1e8*z'^2/2\npotential 1e4*z^2/2\nstart z = 1e-3\n" }, /* slow */
        { "c = 4096, a1 = 1, a2 = 1, U = 0", "u1, u2", "" },
        { "c = 1, a1 = 1024, a2 = 1/1024, U = 0", "u1, u2", "" },
        { "c = 1, a1 = 1, a2 = 1, U = 0", "u2, u1", "" },
        { "c = 1, a1 = 1, a2 = 1, U = 4", "u1, u2", "" },
        { "c = 1, a1 = 1, a2 = 1, U = 0", "u1, u2", "lagrangian 3*u1*u1' + 2*(u1*u2' + u1'*u2)\n" },
        { "c = 1, a1 = 1, a2 = 1, U = 0", "u1, u2", "lagrangian 3*(u1'*t + u1)\n" },
        { "c = 1, a1 = 1, a2 = 1, U = 0", "u1, u2", "force u1 = 1e-30*cos(t)\n" },
        { "c = 1, a1 = 1, a2 = 1, U = 0", "u1, u2", "dissipation 1e-30*u2'^2\n" },
        { "c = 1, a1 = 1, a2 = 1, U = 0", "u1, u2", /* slow, driven and with friction */
          "coordinate z\nkinetic 1e8*z'^2/2\npotential 1e4*z^2/2\nforce z = sin(0.01*t)\n"
          "dissipation 1e7*z'^2\nstart z = 1e-3\n" },
    };
    static const char *const name[] = {
        "verlet", "midpoint", "simpson", "gauss 3", "gauss 6", "rk4"
    };
    for (int k = 0; k < 12; k++) {
        const double h = 0.1 + 0.05 * random_number(), q = 2 * random_number(), v = random_number();
        double       plain = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            char text[1000];
            if (strstr(words[i].more, "lagrangian") && k % 6 == 0) continue; /* no splitting */
            snprintf(text, sizeof text,
                     "parameter %s\ncoordinate %s\nq1 = a1*u1\nq2 = a2*u2\n"
                     "kinetic c*(q1'^2 + 3*q2'^2)/2\npotential 0 - c*2*cos(q1 - q2)\n%s"
                     "start u1 = %.17g/a1, u1' = (U + %.17g)/a1, u2' = (U - %.17g/3)/a2\n",
                     words[i].parameters, words[i].coordinates, words[i].more, q, v, v);
            const noe_accumulated_error e = after(text, name[k % 6], h, 300, NULL);
            const double                size = e.size;
            /* rounding of a motion that goes on to 120 */
            if (fabs(size - 0.1) > 1e-3) assert_int_equal(e.large, size > 0.1);
            if (i == 0) plain = size;
            else small(size - plain, plain, 1e-6 + 1e-10 / plain, words[i].more);
        }
    }
}

/* ---- friction ---- */

/* A motion that t and friction rule forgets its errors: after 8 times as many steps they are the
 * same, and what the closed form makes of the steps within 2/c.  A force of t alone lets it
 * remember all. */
static void test_friction_forgets(void **unused)
{
    (void)unused;
    static const char *const name[] = { "midpoint", "simpson", "gauss 2", "rk4", "gauss 3" };
    for (int k = 0; k < 10; k++) {
        const double h = 0.2 + 0.1 * random_number(), c = 0.3 + 0.2 * random_number(),
                     m = pow(10, 3 * random_number()), a = pow(10, 3 * random_number());
        char   text[2][500];
        double size[2][2];
        for (int rubs = 0; rubs < 2; rubs++) {
            snprintf(
                text[rubs], sizeof *text,
                "coordinate u, w\nx = %.17g*(u + w)\ny = %.17g*w\nkinetic %.17g*(x'^2 + y'^2)/2\n"
                "potential %.17g*(x^2 + y^2 + x^4/100)/2\nforce u = %.17g*cos(0.7*t)\n%s",
                a, a, m, m, 0.1 * m * a, rubs ? "" : "start u = 1e-3\n");
            if (rubs)
                snprintf(text[1] + strlen(text[1]), 100, "dissipation %.17g*(x'^2 + y'^2)/2\n",
                         c * m);
            for (int far = 0; far < 2; far++)
                size[rubs][far] = after(text[rubs], name[k % 5], h, far ? 32000 : 4000, NULL).size;
        }
        /* of 60 samples, random by 0.06 and 0.08 */
        small(size[0][1] / size[0][0] / 8 - 1, 1, 0.4, text[0]);
        small(size[1][1] / size[1][0] - 1, 1, 0.4, text[1]);
        small(size[1][0] / size[0][0] * 4000 * h * c / 2 - 1, 1, 3, text[1]);
    }
    printf("friction: tightest %.2g\n", tightest);
}

/* ---- what was silent ---- */

static bool warned(noe_integrator *g, const char *name)
{
    noe_coarse_run c;
    noe_method    *m = method(name);
    noe_coarse_run_find(&c, g, m);
    noe_method_free(m);
    return *c.warning;
}

/* rk4 takes the motion of a light body on a heavy one, which is so small a part of the energy that
 * it does not show there: it is told.  With a step that keeps it, nothing is said. */
static void test_light_bodies(void **unused)
{
    (void)unused;
    static const char *const spring[] = { "(x - X)^2/2", "1 - cos(x - X)",
                                          "(x - X)^2/2 + (x - X)^4/4" };
    int                      lost = 0;
    for (int k = 0; k < 24; k++) {
        const double M = pow(10, 6 + 3 * random_number()), slow = pow(10, -1 + random_number()),
                     fast = 6 + 3 * random_number(), A = pow(10, -1 + random_number()),
                     part = k % 2 ? 0.08 : 0.5 + 0.1 * random_number(),
                     v = A * slow * fast * pow(10, -0.3 + 0.3 * random_number());
        const int steps = k % 2 ? 1000 : (int)(2.5 * 144 / pow(part, 6));
        char      text[500];
        snprintf(text, sizeof text,
                 "coordinate X, x\nkinetic %.17g*X'^2/2 + x'^2/2\nV = %.17g*(%s)\n"
                 "potential %.17g*X^2/2 + V\nobserve E = (x' - X')^2/2 + V\n"
                 "start X = %.17g, x = %.17g, x' = %.17g\n",
                 M, pow(slow * fast, 2), spring[k % 3], M * slow * slow, A, A, v);
        noe_integrator *g;
        noe_system     *s;
        after(text, "rk4", part / (slow * fast), steps, &g);
        s = (noe_system *)g->system;
        const bool told = warned(g, "rk4"), gone = noe_get(g, "E") < v * v / 8;
        if (k % 2 && told) fail_msg("a false alarm, of\n%s", text);
        if (k % 2 == 0 && !told)
            fail_msg("%d steps: E = %g of %g in silence, of\n%s", steps, noe_get(g, "E"), v * v / 2,
                     text);
        lost += gone;
        noe_integrator_free(g), noe_system_free(s);
    }
    printf("%d motions of a light body lost\n", lost);
    assert_true(lost >= 4);
}

/* Phases: a magnetic field at 3.8 rad a step, whose jumps of velocity are small; oscillators at 1
 * rad a step.  At 0.05 rad nothing is said. */
static void test_phases(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *method;
        double      rad; /* a step */
    } wrong[] = {
        { "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nlagrangian %.17g*(x*y' - y*x')/2\n"
          "potential (x^2 + y^2)/2 + x^4/10\nstart x = 1, y' = 1\n",
          "gauss 3", 3.8 },
        { "coordinate x\nkinetic x'^2/2\npotential %1$.17g^2*x^2/2\nstart x = 1\n", "simpson", 1 },
        { "coordinate x\nkinetic x'^2/2\npotential %1$.17g^2*(x^2/2 + x^4/9)\nstart x = 1\n",
          "simpson", 1 },
        { "coordinate x\nkinetic x'^2/2\npotential %1$.17g^2*(1 - cos(x))\nstart x = 1\n", "verlet",
          1 },
    };
    for (int k = 0; k < 16; k++)
        for (int fine = 0; fine < 2; fine++) {
            const double omega = 60 + 20 * random_number(),
                         h = (fine ? 0.05 : wrong[k % 4].rad) / omega;
            char text[400];
            snprintf(text, sizeof text, wrong[k % 4].text, omega);
            const noe_accumulated_error e = after(text, wrong[k % 4].method, h, 300, NULL);
            if (e.large == fine || !(e.size > 0))
                fail_msg("%s, %g rad: %g, of\n%s", wrong[k % 4].method, h * omega, e.size, text);
        }
}

/* ---- samples are taken late ---- */

/* State, measures and counts after `steps` steps from a start, to [2n + 3]; asked: at random on the
 * way, too. */
static void run_to_end(noe_integrator *g, const double *start, int n, int steps, bool asked,
                       double *to)
{
    if (noe_start(g, 0, start, start + n)) fail_msg("%s", noe_error());
    for (int k = 0; k < steps; k++) {
        if (asked && random_number() < 0.01) noe_get(g, "accumulated_error");
        if (noe_step(g)) fail_msg("%s", noe_error());
    }
    to[2 * n] = noe_get(g, "accumulated_error");
    to[2 * n + 1] = noe_get(g, "local_error"), to[2 * n + 2] = noe_get(g, "energy_error");
    memcpy(to, noe_q(g), (size_t)n * sizeof *to), memcpy(to + n, noe_p(g), (size_t)n * sizeof *to);
}

/* Steps are repeated when somebody asks: when that is, and what the integrator did before, changes
 * no bit. */
static void test_asked_at_any_time(void **unused)
{
    (void)unused;
    static const char *const text[] = {
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\nstart x = 1, y' = "
        "1.1\n",
        "coordinate a, b\nkinetic a'^2 + b'^2/2 + a'*b'*cos(a - b)\npotential -2*cos(a) - cos(b)\n"
        "start a = 1, b = 0.5\n",
        "coordinate x\nkinetic x'^2/2\npotential x^2/2 + x^4/4\nforce x = cos(2*t)/5 - x'/100\n"
        "start x = 1\n",
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential y\nconstraint length: x^2 + y^2 = 1\n"
        "start x = 1, y = 0\n",
    };
    static const char *const name[] = { "simpson", "gauss 8", "verlet", "rk4", "gauss 3" };
    int                      told = 0;
    for (int k = 0; k < 20 || (k < 200 && told <= 4); k++) {
        const int steps = 20 + (int)(4500 * random_number());
        if ((k % 4 == 1 && k % 5 == 2) || (k % 4 == 3 && k % 5 != 0)) continue; /* not suited */
        noe_system     *s = parse(text[k % 4]);
        noe_method     *m = method(name[k % 5]);
        noe_integrator *g = noe_integrator_new(s, m, 0.02 + 0.02 * random_number()),
                       *other = noe_integrator_new(s, m, noe_get(g, "step"));
        if (!g || !other) fail_msg("%s: %s", name[k % 5], noe_error());
        const int n = noe_system_dim(s);
        double    start[4], once[7], asked[7], again[7];
        memcpy(start, noe_q(g), (size_t)n * sizeof *start);
        memcpy(start + n, noe_v(g), (size_t)n * sizeof *start);
        run_to_end(g, start, n, steps, false, once);
        run_to_end(other, start, n, steps, true, asked);
        run_to_end(g, start, n, steps, false, again);
        told += once[2 * n] > 0;
        for (int i = 0; i < 2 * n + 3; i++)
            if (memcmp(&once[i], &asked[i], sizeof *once)
                || memcmp(&once[i], &again[i], sizeof *once))
                fail_msg("%s, %d steps, number %d: %.17g, asked %.17g, again %.17g, of\n%s",
                         name[k % 5], steps, i, once[i], asked[i], again[i], text[k % 4]);
        noe_integrator_free(g), noe_integrator_free(other), noe_method_free(m), noe_system_free(s);
    }
    assert_true(told > 4);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oscillations),        cmocka_unit_test(test_true_errors),
        cmocka_unit_test(test_same_in_other_words), cmocka_unit_test(test_friction_forgets),
        cmocka_unit_test(test_light_bodies),        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_asked_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
