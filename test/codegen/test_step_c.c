/* NAME_step = noe_step: the step as a C99 file of its own moves as the core does.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expressions.h"
#include "integrate/integrator.h"
#include "job/verbs.h"
#include "system/system.h"
#include "emitted.h"

enum { STEPS = 40 };

static const char *const methods[] = { "simpson",   "midpoint",   "gauss 3",
                                       "lobatto 4", "P4 gauss 6", "gauss 6" };
static int               written, splittings;

/* The largest difference of q, p, v after the steps, relative to the largest of each; what is
 * emitted is all of L written out. */
static double apart(const noe_system *s, const noe_method *f, go *C, double h)
{
    const int       n = noe_system_dim(s);
    noe_system     *whole = s->model->summed ? noe_system_written(s, "a test") : NULL;
    noe_integrator *g = noe_integrator_make(whole ? whole : s, f, h, 15); /* heeds no events */
    double         *to = calloc(3 * (size_t)n + 1, sizeof *to), length[STEPS], worst = 0;
    for (int i = 0; i < STEPS; i++) length[i] = h;
    const double *q = noe_q(g), *v = noe_v(g), t = noe_time(g);
    if (!q || !v) fail_msg("%s", noe_error());
    const int status = C(t, q, v, NULL, length, STEPS, to);
    for (int i = 0; i < STEPS; i++)
        if (noe_step(g)) fail_msg("%s", noe_error());
    if (status) fail_msg("%s: stopped with %d", s->source, status);
    const double *end[] = { noe_q(g), noe_p(g), noe_v(g) };
    for (int k = 0; k < 3; k++) {
        double size = 1e-300, error = 0;
        for (int i = 0; i < n; i++) {
            size = fmax(size, fabs(end[k][i]));
            error = fmax(error, fabs(end[k][i] - to[k * n + i]));
        }
        worst = fmax(worst, error / size);
    }
    /* of steps that follow a monitor a sum */
    const double rounding = noe_system_monitored(s) ? 1e-14 : 1e-15;
    if (fabs(to[3 * n] - noe_time(g)) > rounding * fabs(noe_time(g)))
        fail_msg("time %g, not %g", to[3 * n], noe_time(g));
    free(to);
    noe_integrator_free(g);
    noe_system_free(whole);
    return worst;
}

static double compare(const noe_system *s, const char *method, double h, const char *what)
{
    char        name[16];
    void       *library;
    noe_method *f = noe_method_parse(method);
    snprintf(name, sizeof name, "s%d", written++);
    char *text = noe_emit_step(s, f, name);
    if (!text) fail_msg("%s", noe_error());
    go          *C = compile(name, text, &library);
    const double error = apart(s, f, C, h);
    printf("%-40s %-12s h %-8.3g %.2g\n", what, method, h, error);
    dlclose(library);
    free(text);
    noe_method_free(f);
    return error;
}

static void one_system(const noe_system *s, const char *path)
{
    const int    m = written % (int)(sizeof methods / sizeof *methods);
    const double error = compare(s, methods[m], (double)suggested_step(s), strrchr(path, '/') + 1);
    const bool fast = strstr(path, "moving_pivot"); /* t to rounding, times the pivot's frequency */
    assert_true(error < (fast ? 5e-11 : 1.4e-13));
}

static void test_systems(void **state)
{
    (void)state;
    every_system(one_system);
}

static void test_methods(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        noe_system *s = noe_system_load("systems/damped_double_pendulum.lag");
        assert_true(compare(s, methods[i], 0.01, "damped double pendulum") < 6e-14);
        noe_system_free(s);
    }
}

/* What is wrong in the text must show. */
static void sabotaged(const char *path, const char *name, const char *right, int at, char wrong)
{
    void       *library;
    noe_system *s = noe_system_load(path);
    noe_method *f = noe_method_parse("simpson");
    char       *text = noe_emit_step(s, f, name), *term = strstr(text, right);
    assert_non_null(term);
    term[at] = wrong;
    assert_true(apart(s, f, compile(name, text, &library), 0.01) > 1e-7);
    dlclose(library);
    free(text);
    noe_method_free(f);
    noe_system_free(s);
}

static void test_saboteur(void **state)
{
    (void)state;
    sabotaged("systems/double_pendulum.lag", "broken", "0.5 * a[0] - 0.4330127", 11, '+');
    sabotaged("systems/pendulum.lag", "bent", "b24 = b - 1. / 8", 15, '9'); /* not 1/24 */
}

/* The mean energies of two windows that see nothing of what oscillates, their difference a step:
 * of the pendulum's scale. */
static const char long_run[] =
    "#include <math.h>\n#include \"%s.c\"\n"
    "double %s_drift(long steps, double h);\n"
    "double %s_drift(long steps, double h)\n{\n"
    "    static %s_state x;\n"
    "    double q = 1, v = 0, mean[2] = { 0 }, weights = 0;\n"
    "    %s_start(&x, 0, &q, &v, %s_param);\n"
    "    for (long i = 0; i < steps; i++) {\n"
    "        const long   part = steps / 4, k = i %% part;\n"
    "        const double s = sin(3.141592653589793 * (double)(k + 1) / (double)part), s2 = s * s, "
    "s4 = s2 * s2, w = s4 * s4;\n"
    "        if (%s_step(&x, h, %s_param)) return HUGE_VAL;\n"
    "        if (i < part) weights += w;\n"
    "        if (i / part %% 3 == 0) mean[i > part] += w * (x.p[0] * x.p[0] / 2 - "
    "39.478417604357434 * cos(x.q[0]));\n"
    "    }\n"
    "    return (mean[1] - mean[0]) / weights / 39.478417604357434 / (0.75 * (double)steps);\n}\n";

static double drift(const char *text, const char *name, const char *file)
{
    char  all[6000], other[100];
    void *library;
    double (*run)(long, double);
    save(file, "", text);
    snprintf(all, sizeof all, long_run, file, name, name, name, name, name, name, name);
    save(file, "_long", all);
    shell("${CC:-cc} -std=c99 -O2 -fPIC -shared %s_long.c -lm -o %s_long.so", file, file);
    snprintf(other, sizeof other, "%s_long", file);
    *(void **)&run = function(other, name, "_drift", &library);
    const double a = run(2000000, 0.01);
    dlclose(library);
    return fabs(a);
}

/* No drift but the random walk of rounding, some 1e-20 a step here: nothing that has one sign is
 * rounded away.  The kick of the last correction is, when it is added to the whole kick. */
static void test_drift(void **state)
{
    (void)state;
    static const char *const method[] = { "simpson", "gauss 3" };
    noe_system              *s = noe_system_load("systems/pendulum.lag");
    for (int i = 0; i < 2; i++) {
        noe_method  *f = noe_method_parse(method[i]);
        char        *text = noe_emit_step(s, f, i ? "g" : "l");
        const double right = drift(text, i ? "g" : "l", i ? "g" : "l");
        printf("%s: %.1e of the energy a step\n", method[i], right);
        assert_true(right < 1e-19);
        if (i) {
            char *late = strstr(text, "correction[j] -= x->kick_slope");
            assert_non_null(late);
            memcpy(late, "      kick", 10);
            assert_true(drift(text, "g", "w") > 1e-19);
        }
        free(text);
        noe_method_free(f);
    }
    noe_system_free(s);
}

/* Another length from step 20 on, another parameter: as the core started anew there.  What
 * cannot be solved is told. */
static void controlled(const char *path, const char *method, const char *parameter, double value,
                       double far, const char *name)
{
    enum { AT = 20, ALL = 50, MOST = 64, PARAMETERS = 8 };
    void           *library;
    noe_system     *s = noe_system_load(path), *other = noe_system_with(s, parameter, value);
    noe_method     *f = noe_method_parse(method);
    char           *text = noe_emit_step(s, f, name), symbol[40];
    go             *C = compile(name, text, &library);
    const double    H = (double)suggested_step(s);
    noe_integrator *a = noe_integrator_new(other, f, H), *b = noe_integrator_new(other, f, 0.4 * H);
    const int       n = noe_system_dim(s);
    double          h[ALL], to[3 * MOST + 1], own[PARAMETERS], q[MOST], v[MOST], size = 0;
    snprintf(symbol, sizeof symbol, "%s_param", name);
    const double *param = dlsym(library, symbol), *end[2];
    int           changed = 0, count = 0;
    for (const char *c = text; (c = strstr(c, " * param[")); c++) count++;
    assert_in_range(count, 1, PARAMETERS);
    for (int i = 0; i < count; i++) {
        own[i] = param[i];
        snprintf(symbol, sizeof symbol, "param[%d] = %s\n", i, parameter);
        if (strstr(text, symbol)) changed++, own[i] = value;
    }
    assert_int_equal(changed, 1);
    for (int i = 0; i < ALL; i++) h[i] = i < AT ? H : 0.4 * H;
    assert_int_equal(C(0, noe_q(a), noe_v(a), own, h, ALL, to), 0);
    memcpy(q, noe_q(a), (size_t)n * sizeof *q);
    memcpy(v, noe_v(a), (size_t)n * sizeof *v);
    for (int i = 0; i < AT; i++) assert_int_equal(noe_step(a), NOE_OK);
    assert_int_equal(noe_start_momentum(b, noe_time(a), noe_q(a), noe_p(a)), NOE_OK);
    for (int i = AT; i < ALL; i++) assert_int_equal(noe_step(b), NOE_OK);
    end[0] = noe_q(b), end[1] = noe_p(b);
    for (int k = 0; k < 2; k++, size = 0) {
        for (int j = 0; j < n; j++) size = fmax(size, fabs(end[k][j]));
        for (int j = 0; j < n; j++) assert_true(fabs(to[k * n + j] - end[k][j]) < 1e-13 * size);
    }
    assert_true(fabs(to[3 * n] - noe_time(b)) < 1e-15 * fabs(noe_time(b)));
    h[3] = far;
    assert_int_equal(C(0, q, v, NULL, h, ALL, to), 4);
    h[0] = NAN;
    assert_int_equal(C(0, q, v, NULL, h, ALL, to), 1);
    dlclose(library);
    free(text);
    noe_integrator_free(a);
    noe_integrator_free(b);
    noe_method_free(f);
    noe_system_free(other);
    noe_system_free(s);
}

static void test_controller(void **state)
{
    (void)state;
    controlled("systems/double_pendulum.lag", "gauss 2", "m2", 3, 1e9, "c");
    controlled("systems/fput_alpha.lag", "simpson", "alpha", 0.4, INFINITY,
               "d"); /* constant mass: a text of its own */
    controlled("systems/pendulum.lag", "simpson", "m", 3, INFINITY, "e"); /* another mass, too */
}

/* A singular mass, a velocity in the potential, friction, a mass that moves: not the text of
 * constant mass. */
static void test_which_text(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        int         simple;
    } one[] = {
        { "parameter m = 2, k = 3\ncoordinate x, y\nkinetic m/2*x'^2 + (x' + 2*y')^2\n"
          "potential k*x^4 + y^2*cos(t)\n",
          1 },
        { "coordinate x, y\nkinetic (x' + y')^2\npotential x^4 + y^2\n", 0 },
        { "parameter b = 0\ncoordinate x\nlagrangian x'^2/2 + b*x' - x^4\n", 0 },
        { "coordinate x, y\nlagrangian (x'^2 + y'^2)/2 + x*y' - x^4\n", 0 },
        { "coordinate x\nkinetic x'^2/2\npotential x^4\ndissipation x'^2\n", 0 },
        { "coordinate x\nkinetic (1 + x^2)*x'^2/2\npotential x^4\n", 0 },
        { "coordinate x\nkinetic (2 + sin(t))*x'^2/2\npotential x^4\n", 0 },
    };
    noe_method *f = noe_method_parse("simpson");
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        noe_system *s = noe_system_parse(one[i].model);
        char       *text = noe_emit_step(s, f, "x");
        if (!text) fail_msg("%s", noe_error());
        if ((strstr(text, "x_mass(") != NULL) != one[i].simple)
            fail_msg("the wrong text for\n%s", one[i].model);
        free(text);
        noe_system_free(s);
    }
    noe_system *s = noe_system_parse(one[0].model), *t = noe_system_let(s, "x=0.4"),
               *u = noe_system_let(t, "y=0.3");
    assert_true(compare(u, "simpson", 0.02, "consistent mass, a force of t") < 1e-13);
    noe_system_free(s), noe_system_free(t), noe_system_free(u);
    noe_method_free(f);
}

/* Splittings: of every system with constant mass and forces without velocities; the others are
 * refused, with the reason. */
static void one_splitting(const noe_system *s, const char *path)
{
    static const char *const methods[] = { "verlet", "verlet-drift", "blanes-moan6", "kahan-li8" };
    if (noe_system_monitored(s)) return; /* test_monitored_step_c.c */
    noe_method *f = noe_method_parse("verlet");
    char       *text = noe_emit_step(s, f, "x");
    noe_method_free(f);
    if (text)
        assert_true(
            compare(s, methods[splittings++ % 4], (double)suggested_step(s), strrchr(path, '/') + 1)
            < 1e-14);
    else assert_non_null(strstr(noe_error(), "with constant M > 0 and forces without velocities"));
    noe_error_clear();
    free(text);
}

static void test_splittings(void **state)
{
    (void)state;
    every_system(one_splitting);
    assert_in_range(splittings, 10, 40);
    noe_system *s = noe_system_parse(
        "parameter m = 2\ncoordinate x, y\nkinetic m/2*x'^2 + (x' + 2*y')^2\n"
        "potential x^4 + y^2*cos(t)\nstart x = 0.4, y = 0.3\n");
    assert_true(compare(s, "blanes-moan6", 0.02, "consistent mass, a force of t") < 1e-14);
    noe_system_free(s);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const none[] = { "rk4", "compose 6 simpson" };
    noe_system              *s = noe_system_load("systems/pendulum.lag");
    for (int i = 0; i < 2; i++) {
        noe_method *f = noe_method_parse(none[i]);
        noe_error_clear();
        assert_null(noe_emit_step(s, f, "x"));
        assert_non_null(strstr(noe_error(), "written for Galerkin methods"));
        noe_method_free(f);
    }
    noe_error_clear();
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_systems),    cmocka_unit_test(test_methods),
        cmocka_unit_test(test_saboteur),   cmocka_unit_test(test_drift),
        cmocka_unit_test(test_splittings), cmocka_unit_test(test_controller),
        cmocka_unit_test(test_which_text), cmocka_unit_test(test_refused)
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
