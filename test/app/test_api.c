/* text or functions in C -> system -> integrator -> table: all of noether.h, as a program meets it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/optional_library.h"
#include "noether.h"
#include "scratch.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>

static const char kepler[] = "parameter  mu = 1, e = 0.5, b = sqrt(1 - e^2)\n"
                             "coordinate x, y\n"
                             "r = sqrt(x^2 + y^2)\n"
                             "kinetic    (x'^2 + y'^2)/2\n"
                             "potential  -mu/r\n"
                             "start      x = 1 - e, y' = sqrt(mu*(1 + e)/(1 - e))\n"
                             "observe    L = x*p(y) - y*p(x), axis = -mu/(2*energy)\n"
                             "suggest    method = \"gauss 4\", step = 2*pi/100\n";
static const char fall[] = "coordinate x\nkinetic x'^2/2\npotential -1/x\nstart x = 1\n";
static const char free_particle[] = "coordinate x\nkinetic x'^2/2\nstart x' = 1\n";

static bool same(double a, double b) { return !memcmp(&a, &b, sizeof a); }

static void no_error(void)
{
    if (noe_error()) fail_msg("%s", noe_error());
}

/* There is a message and it contains `text`; it is cleared. */
#define says(text) says_at(text, __LINE__)
static void says_at(const char *text, int line)
{
    if (!noe_error()) fail_msg("line %d: no message; expected '%s'", line, text);
    if (!strstr(noe_error(), text))
        fail_msg("line %d: '%s' instead of '%s'", line, noe_error(), text);
    noe_error_clear();
}

/* A system, a method and an integrator. */
typedef struct {
    noe_system     *s;
    noe_method     *f;
    noe_integrator *g;
} orbit;

static orbit begin(const char *text, const char *method, double step)
{
    noe_error_clear();
    orbit o = { .s = noe_system_parse(text), .f = noe_method_parse(method) };
    o.g = noe_integrator_new(o.s, o.f, step);
    no_error();
    assert_non_null(o.g);
    return o;
}

static void end(orbit o)
{
    noe_integrator_free(o.g);
    noe_method_free(o.f);
    noe_system_free(o.s);
}

/* ---- 1. what can go wrong ---- */

static void call_with_null(const orbit *o, const noe_table *t)
{
    const double x[2] = { 1, 1 };
    assert_null(noe_system_load(NULL));
    assert_null(noe_system_parse(NULL));
    assert_null(noe_system_with(NULL, "mu", 1));
    assert_null(noe_system_with(o->s, NULL, 1));
    assert_null(noe_system_let(NULL, "mu = 1"));
    assert_null(noe_system_let(o->s, NULL));
    assert_null(noe_system_new(1, 0, NULL, NULL, NULL));
    assert_int_equal(noe_system_dim(NULL), 0);
    assert_null(noe_system_name(NULL, 0));
    assert_true(isnan(noe_system_get(NULL, "mu")));
    assert_true(isnan(noe_system_get(o->s, NULL)));
    assert_null(noe_system_suggest(NULL, "step"));
    assert_null(noe_system_suggest(o->s, NULL));
    assert_null(noe_system_emit(NULL, "kepler"));
    noe_system_free(NULL);
    assert_null(noe_method_parse(NULL));
    assert_null(noe_method_name(NULL));
    assert_int_equal(noe_method_order(NULL), 0);
    noe_method_free(NULL);
    assert_null(noe_integrator_new(NULL, o->f, 0.1));
    assert_null(noe_integrator_new(o->s, NULL, 0.1));
    assert_int_equal(noe_start(NULL, 0, x, x), NOE_INVALID);
    assert_int_equal(noe_start(o->g, 0, NULL, x), NOE_INVALID);
    assert_int_equal(noe_start(o->g, 0, x, NULL), NOE_INVALID);
    assert_int_equal(noe_start_momentum(NULL, 0, x, x), NOE_INVALID);
    assert_int_equal(noe_start_momentum(o->g, 0, NULL, x), NOE_INVALID);
    assert_int_equal(noe_start_momentum(o->g, 0, x, NULL), NOE_INVALID);
    assert_int_equal(noe_step(NULL), NOE_INVALID);
    assert_int_equal(noe_step_jacobian(NULL, (double[4]){ 0 }), NOE_INVALID);
    assert_int_equal(noe_step_jacobian(o->g, NULL), NOE_INVALID);
    assert_int_equal(noe_rows(NULL, 1, 1, (double[8]){ 0 }), NOE_INVALID);
    assert_int_equal(noe_rows(o->g, 1, 1, NULL), NOE_INVALID);
    assert_int_equal(noe_at(NULL, 0, (double[4]){ 0 }, (double[4]){ 0 }), NOE_INVALID);
    assert_int_equal(noe_at(o->g, 0, NULL, (double[4]){ 0 }), NOE_INVALID);
    assert_int_equal(noe_at(o->g, 0, (double[4]){ 0 }, NULL), NOE_INVALID);
    assert_null(noe_next_event(NULL, 1));
    assert_int_equal(noe_watch(NULL, NULL, NULL), NOE_INVALID);
    assert_null(noe_event_name(NULL));
    assert_null(noe_event_name(o->g));
    assert_int_equal(noe_run(NULL, 1, NULL, NULL), NOE_INVALID);
    assert_true(isnan(noe_time(NULL)));
    assert_null(noe_q(NULL));
    assert_null(noe_v(NULL));
    assert_null(noe_p(NULL));
    assert_true(isnan(noe_get(NULL, "t")));
    assert_true(isnan(noe_get(o->g, NULL)));
    assert_int_equal(noe_set(NULL, "step", 0.1), NOE_INVALID);
    assert_int_equal(noe_set(o->g, NULL, 0.1), NOE_INVALID);
    assert_null(noe_option_name(-1, NULL, NULL));
    assert_null(noe_option_name(1000, NULL, NULL));
    noe_integrator_free(NULL);
    assert_null(noe_record(NULL, 1, 1, NULL));
    assert_int_equal(noe_table_rows(NULL), 0);
    assert_int_equal(noe_table_columns(NULL), 0);
    assert_null(noe_table_name(NULL, 0));
    assert_null(noe_table_label(NULL, 0));
    assert_null(noe_check(NULL, o->f, 0.1));
    assert_null(noe_check(o->s, NULL, 0.1));
    assert_null(noe_table_column(NULL, "t"));
    assert_null(noe_table_column(t, NULL));
    assert_int_equal(noe_table_write(NULL, "a.csv"), NOE_INVALID);
    assert_int_equal(noe_table_write(t, NULL), NOE_INVALID);
    noe_table_free(NULL);
}

static void test_null(void **state)
{
    (void)state;
    orbit      o = begin(kepler, "simpson", 0.1);
    noe_table *t = noe_record(o.g, 1, 1, NULL);
    call_with_null(&o, t);
    assert_null(noe_error());
    noe_system_get(o.s, "nu");
    char first[256];
    snprintf(first, sizeof first, "%s", noe_error());
    call_with_null(&o, t);
    assert_string_equal(noe_error(), first);
    assert_true(same(noe_time(o.g), 1)); /* and the integrator is where it was */
    noe_error_clear();
    noe_table_free(t);
    end(o);
}

static void *errors_of_its_own(void *unused)
{
    (void)unused;
    if (noe_error()) return "a message of another thread";
    noe_method_parse("simson");
    return noe_error() && strstr(noe_error(), "simson") ? NULL : "no message of its own";
}

static void test_first_cause(void **state)
{
    (void)state;
    noe_error_clear();
    noe_system     *s = noe_system_load("no/such.lag");
    noe_method     *f = noe_method_parse("no such method");
    noe_integrator *g = noe_integrator_new(s, f, 0);
    noe_table      *t = noe_record(g, 1, 1, NULL);
    assert_int_equal(noe_table_write(t, "no.csv"), NOE_INVALID);
    assert_non_null(strstr(noe_error(), "no/such.lag"));
    pthread_t thread;
    void     *wrong;
    pthread_create(&thread, NULL, errors_of_its_own, NULL);
    pthread_join(thread, &wrong);
    if (wrong) fail_msg("%s", (char *)wrong);
    says("no/such.lag");
    assert_null(noe_error());
    assert_null(noe_system_parse("coordinate x\nkinetic x'^2/2 + y\n"));
    says("model:2:18: unknown name 'y'");
}

/* ---- 2. systems ---- */

static void test_system(void **state)
{
    (void)state;
    orbit o = begin(kepler, "simpson", 0.1);
    assert_int_equal(noe_system_dim(o.s), 2);
    assert_string_equal(noe_system_name(o.s, 0), "x");
    assert_string_equal(noe_system_name(o.s, 1), "y");
    assert_null(noe_system_name(o.s, 2));
    assert_null(noe_system_name(o.s, -1));
    assert_string_equal(noe_system_suggest(o.s, "method"), "gauss 4");
    assert_string_equal(noe_system_suggest(o.s, "step"), "2*pi/100");
    assert_null(noe_system_suggest(o.s, "until"));
    assert_null(noe_system_suggest(o.s, "else"));
    assert_true(same(noe_system_get(o.s, "b"), 0.8660254037844386468));
    assert_true(isnan(noe_system_get(o.s, "x")));
    says("unknown parameter 'x'");
    char *c = noe_system_emit(o.s, "planet"), *unnamed = noe_system_emit(o.s, NULL);
    assert_non_null(strstr(c, "double planet_lagrangian("));
    assert_non_null(strstr(unnamed, "double model_lagrangian("));
    assert_null(noe_system_emit(o.s, "a planet"));
    says("'a planet' is no name in C");
    free(c);
    free(unnamed);
    end(o);
}

static double at_start(const noe_system *s, const char *name)
{
    noe_method     *f = noe_method_parse("simpson");
    noe_integrator *g = noe_integrator_new(s, f, 0.1);
    const double    x = noe_get(g, name);
    noe_integrator_free(g);
    noe_method_free(f);
    return x;
}

static void test_with(void **state)
{
    (void)state;
    orbit       o = begin(kepler, "simpson", 0.1);
    noe_system *e = noe_system_with(o.s, "e", 0.6), *mu = noe_system_with(e, "mu", 4),
               *b = noe_system_let(mu, "b = e/mu");
    no_error();
    assert_true(same(noe_system_get(o.s, "e"), 0.5)); /* the old one stays */
    assert_true(same(noe_system_get(mu, "e"), 0.6));
    assert_true(same(noe_system_get(e, "b"),
                     0.8)); /* what depends on a parameter follows it, the start too */
    assert_true(same(at_start(mu, "x"), 0.4));
    assert_true(same(at_start(mu, "y'"), 4));
    assert_true(same(noe_system_get(b, "b"), 0.15));
    assert_true(same(noe_system_get(b, "e"), 0.6));
    for (int i = 0; i < 1000; i++) { /* to the bit, but for the sign of 0 */
        const double x = any_double() + 0;
        noe_system  *s = noe_system_with(o.s, "b", x);
        assert_true(same(noe_system_get(s, "b"), x));
        noe_system_free(s);
    }
    noe_system *fine = noe_system_parse(
        "parameter a = 1, b = (a - 1/10)*1e20\ncoordinate x\nkinetic x'^2/2\n");
    noe_system *tenth = noe_system_with(fine, "a",
                                        0.1); /* the double itself, not its first 17 digits */
    assert_true(fabs(noe_system_get(tenth, "b") - 555.11151231257827) < 1e-9);
    noe_system_free(fine);
    noe_system_free(tenth);
    static const char *const start[][2] = {
        { "x", "x" }, { "x'", "x.v" }, { "y.v", "y'" }, { "p(x)", "x.p" }, { "t", "t" }
    };
    for (int i = 0; i < 5; i++) {
        noe_system *s = noe_system_with(o.s, start[i][0], 0.7),
                   *last = noe_system_with(s, start[i][0], 0.8);
        assert_true(same(at_start(s, start[i][1]), 0.7));
        assert_true(same(at_start(last, start[i][1]), 0.8));
        noe_system_free(s);
        noe_system_free(last);
    }
    no_error();
    assert_null(noe_system_with(o.s, "nu", 1));
    says("unknown name 'nu'; did you mean 'mu'?");
    assert_null(noe_system_with(o.s, "mu", NAN));
    says("mu = nan: expected a finite number");
    assert_null(noe_system_let(o.s, "mu"));
    says("expected an assignment NAME=VALUE");
    assert_null(noe_system_let(o.s, "mu = (1\n)"));
    says("in one line");
    assert_null(noe_system_let(o.s, "x = y"));
    says("numbers and parameters only");
    noe_system_free(e);
    noe_system_free(mu);
    noe_system_free(b);
    end(o);
}

/* ---- 3. methods ---- */

static void test_method(void **state)
{
    (void)state;
    static const struct {
        const char *asked, *name;
        int         order;
    } known[] = { { "simpson", "simpson", 4 },
                  { " GAUSS3 ", "gauss 3", 6 },
                  { "lobatto 2", "simpson", 4 },
                  { "P4 gauss 6", "P4 gauss 6", 8 },
                  { "P3 radau-left 3", "P3 radau-left 3", 5 } };
    for (int i = 0; i < 5; i++) {
        noe_method *f = noe_method_parse(known[i].asked);
        assert_string_equal(noe_method_name(f), known[i].name);
        assert_int_equal(noe_method_order(f), known[i].order);
        noe_method_free(f);
    }
    no_error();
    assert_null(noe_method_parse("simson"));
    says("did you mean 'simpson'?");
}

/* ---- 4. integrators ---- */

static void test_get(void **state)
{
    (void)state;
    orbit o = begin(kepler, "gauss 3", 0.05);
    assert_int_equal(noe_run(o.g, 3, NULL, NULL), NOE_OK);
    const double *q = noe_q(o.g), *v = noe_v(o.g), *p = noe_p(o.g), t = noe_time(o.g);
    const struct {
        const char *name;
        double      value;
    } known[] = { { "t", t },      { "x", q[0] },    { "y", q[1] },   { "x'", v[0] },
                  { "x.v", v[0] }, { "y'", v[1] },   { "y.v", v[1] }, { "p(x)", p[0] },
                  { "x.p", p[0] }, { "p(y)", p[1] }, { "y.p", p[1] }, { "mu", 1 },
                  { "e", 0.5 },    { "step", 0.05 }, { "steps", 60 }, { "subdivided", 0 } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!same(noe_get(o.g, known[i].name), known[i].value))
            fail_msg("%s is %.17g", known[i].name, known[i].value);
    assert_true(same(v[0], p[0]) && same(v[1], p[1])); /* of this L */
    const double H = (v[0] * v[0] + v[1] * v[1]) / 2 - 1 / sqrt(q[0] * q[0] + q[1] * q[1]);
    assert_true(fabs(noe_get(o.g, "energy") - H) < 1e-15);
    assert_true(fabs(noe_get(o.g, "L") - (q[0] * p[1] - q[1] * p[0])) < 1e-15);
    assert_true(fabs(noe_get(o.g, "axis") + 1 / (2 * noe_get(o.g, "energy"))) < 1e-15);
    no_error();
    assert_true(isnan(noe_get(o.g, "energi")));
    says("unknown column or option 'energi'; did you mean 'energy'?");
    assert_true(isnan(noe_get(o.g, "simpson_enery")));
    says("did you mean 'simpson_energy'?");
    assert_true(isnan(noe_get(o.g, "")));
    says("unknown");
    assert_true(isnan(noe_get(o.g, "r")));
    says("'r' is a definition: observe it");
    assert_int_equal(noe_step(o.g), NOE_OK); /* nothing read before is taken for the new state */
    assert_true(same(noe_get(o.g, "x"), noe_q(o.g)[0]) && noe_q(o.g)[0] != known[1].value);
    assert_true(noe_v(o.g)[0] != known[3].value && noe_p(o.g)[0] != known[7].value
                && noe_time(o.g) > t);
    end(o);
}

static void test_options(void **state)
{
    (void)state;
    orbit       o = begin(kepler, "simpson", 0.1);
    const char *name, *meaning;
    double      standard;
    int         i = 0;
    for (; (name = noe_option_name(i, &meaning, &standard)); i++) {
        assert_true(*name && strlen(meaning) > 10);
        assert_true(isfinite(noe_get(o.g, name)));
        no_error();
        const noe_status s = noe_set(o.g, name, isnan(standard) ? 1 : standard);
        assert_int_equal(s, isnan(standard) ? NOE_INVALID : NOE_OK);
        if (s) says("cannot be set");
        else assert_true(same(noe_get(o.g, name), standard));
    }
    assert_true(i >= 6);
    assert_string_equal(noe_option_name(0, NULL, NULL), "step");
    end(o);
}

static void test_set(void **state)
{
    (void)state;
    orbit o = begin(kepler, "simpson", 0.05), other = begin(kepler, "simpson", 0.02);
    assert_int_equal(noe_set(o.g, "step", 0.02), NOE_OK); /* before the start: as if made with it */
    assert_int_equal(noe_run(o.g, 1, NULL, NULL), NOE_OK);
    assert_int_equal(noe_run(other.g, 1, NULL, NULL), NOE_OK);
    assert_memory_equal(noe_q(o.g), noe_q(other.g), 2 * sizeof(double));
    assert_int_equal(noe_set(o.g, "step", -0.02), NOE_OK); /* a step of -h undoes a step of h */
    assert_true(same(noe_time(o.g), 1) && noe_get(o.g, "steps") == 0);
    assert_int_equal(noe_run(o.g, 0, NULL, NULL), NOE_OK);
    assert_true(fabs(noe_time(o.g)) < 1e-15 && noe_get(o.g, "steps") == 50);
    assert_true(fabs(noe_q(o.g)[0] - 0.5) < 1e-14 && fabs(noe_q(o.g)[1]) < 1e-14);
    no_error();
    static const struct {
        const char *name;
        double      value;
        const char *message;
    } wrong[] = { { "step", 0, "the step is 0" },  { "step", NAN, "finite" },
                  { "step", INFINITY, "finite" },  { "stepp", 1, "did you mean 'step'?" },
                  { "t", 1, "'t' cannot be set" }, { "x", 1, "'x' cannot be set" },
                  { "mu", 1, "noe_system_with" },  { "L", 1, "'L' cannot be set" } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(noe_set(o.g, wrong[i].name, wrong[i].value), NOE_INVALID);
        says(wrong[i].message);
    }
    assert_true(same(noe_get(o.g, "step"), -0.02));
    static const double steps[] = { 0, NAN, INFINITY };
    for (int i = 0; i < 3; i++) {
        assert_null(noe_integrator_new(o.s, o.f, steps[i]));
        says("expected a finite number that is not zero");
    }
    end(o);
    end(other);
}

static int count(void *ctx, const noe_integrator *g)
{
    int *left = ctx;
    assert_true(same(noe_get(g, "t"), noe_time(g)));
    return --*left == 0;
}

static void test_run(void **state)
{
    (void)state;
    static const struct {
        double step, until;
        int    steps;
    } rule[] = { { 0.1, 0.3, 3 },        { 0.1, 0.35, 3 },       { 0.1, 0.04, 0 },
                 { 0.1, 0, 0 },          { 0.1, 1 + 5e-11, 10 }, { 0.1, 1 - 5e-11, 10 },
                 { 0.1, 1 + 5e-10, 10 }, { 0.1, 1 - 5e-10, 9 },  { -0.1, -1, 10 },
                 { -0.1, -0.35, 3 },     { 0.3, 30000, 100000 } };
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
        orbit o = begin(free_particle, "simpson", rule[i].step);
        assert_int_equal(noe_run(o.g, rule[i].until, NULL, NULL), NOE_OK);
        assert_int_equal((int)noe_get(o.g, "steps"), rule[i].steps);
        assert_true(same(noe_time(o.g), rule[i].steps * rule[i].step));
        assert_int_equal(noe_run(o.g, noe_time(o.g), NULL, NULL), NOE_OK); /* it is there */
        assert_int_equal((int)noe_get(o.g, "steps"), rule[i].steps);
        end(o);
    }
    orbit o = begin(free_particle, "simpson", 0.125);
    int   left = 3;
    assert_int_equal(noe_run(o.g, 1, count, &left), NOE_STOPPED);
    assert_true(same(noe_time(o.g), 0.375));
    assert_int_equal(noe_run(o.g, 1, count, &left), NOE_OK); /* and goes on */
    assert_true(same(noe_time(o.g), 1) && left == -5);
    no_error();
    assert_int_equal(noe_run(o.g, 0.5, NULL, NULL), NOE_INVALID);
    says("until 0.5 lies behind the start, t = 1");
    assert_int_equal(noe_run(o.g, NAN, NULL, NULL), NOE_INVALID);
    says("expected a finite time");
    assert_int_equal(noe_run(o.g, INFINITY, NULL, NULL), NOE_INVALID);
    says("expected a finite time");
    assert_true(same(noe_time(o.g), 1));
    end(o);
}

/* A fall into the centre ends at t = 1.11: the state is that before the step, and a smaller step
 * gets nearer. */
static void test_failure(void **state)
{
    (void)state;
    orbit            o = begin(fall, "simpson", 0.05);
    const noe_status s = noe_run(o.g, 2, NULL, NULL);
    assert_true(s == NOE_NOT_CONVERGED || s == NOE_NOT_FINITE);
    const double t = noe_time(o.g), x = noe_q(o.g)[0], v = noe_v(o.g)[0];
    char         place[64];
    snprintf(place, sizeof place, "step %.0f from t = %.12g", noe_get(o.g, "steps") + 1, t);
    says(place);
    assert_int_equal(noe_step(o.g), s); /* again */
    says(place);
    assert_true(same(noe_time(o.g), t) && same(noe_q(o.g)[0], x) && same(noe_v(o.g)[0], v));
    assert_true(t > 0.9 && t < 1.12
                && fabs(noe_get(o.g, "energy") + 1) < 2); /* the last step is far too long: 1.4 */
    assert_int_equal(noe_set(o.g, "step", 0.001), NOE_OK);
    assert_int_equal(noe_run(o.g, t + 0.005, NULL, NULL), NOE_OK);
    assert_true(noe_q(o.g)[0] < x);
    no_error();
    end(o);
}

static void test_starts(void **state)
{
    (void)state;
    orbit o = begin("coordinate x, y\nkinetic (x'^2 + x'*y' + y'^2)/2\npotential cos(x - y)\n"
                    "start x = 1, x' = 1, p(y) = 2\n",
                    "simpson", 0.1);
    const double q[2] = { 1, 0 }, v[2] = { 1, 1.5 }, p[2] = { 1.75, 2 };
    /* a velocity and a momentum, solved together */
    assert_true(same(noe_v(o.g)[1], 1.5) && same(noe_p(o.g)[0], 1.75));
    assert_true(same(noe_v(o.g)[0], 1) && same(noe_p(o.g)[1], 2));
    orbit other = begin("coordinate x, y\nkinetic (x'^2 + x'*y' + y'^2)/2\npotential cos(x - y)\n",
                        "simpson", 0.1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(i ? noe_start(o.g, 2, q, v) : noe_start_momentum(o.g, 2, q, p), NOE_OK);
        assert_true(same(noe_time(o.g), 2) && noe_get(o.g, "steps") == 0);
        assert_memory_equal(noe_q(o.g), q, sizeof q);
        assert_memory_equal(noe_v(o.g), v, sizeof v);
        assert_memory_equal(noe_p(o.g), p, sizeof p);
        assert_int_equal(noe_run(o.g, 3, NULL, NULL), NOE_OK);
    }
    assert_int_equal(noe_start(o.g, NAN, q, v), NOE_INVALID);
    says("expected a finite time");
    const double bad[2] = { 1, NAN };
    assert_int_equal(noe_start(o.g, 0, bad, v), NOE_NOT_FINITE);
    says("not finite");
    assert_int_equal(noe_start_momentum(o.g, 0, q, bad), NOE_NOT_FINITE);
    says("not finite");
    end(o);
    end(other);
    static const struct {
        const char *text;
        noe_status  status;
        const char *message;
    } wrong[] = { { "coordinate x\nkinetic x'^2/2\npotential 1/x\n", NOE_NOT_FINITE,
                    "not finite at the start" },
                  { "coordinate x\nkinetic x'^2/2\npotential log(x - 1)\n", NOE_NOT_FINITE,
                    "not finite at the start" },
                  { "coordinate x\nkinetic x*x'^2/2\n", NOE_SINGULAR,
                    "the mass matrix L_vv is singular at the start" },
                  { "coordinate x, y\nkinetic (x' + y')^2/2\n", NOE_SINGULAR, "singular" } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        o = begin(wrong[i].text, "simpson", 0.1);
        assert_int_equal(noe_step(o.g), wrong[i].status);
        says(wrong[i].message);
        assert_int_equal(noe_run(o.g, 1, NULL, NULL), wrong[i].status); /* it stays so */
        assert_null(noe_record(o.g, 1, 1, NULL));
        end(o);
    }
    o = begin(wrong[2].text, "simpson", 0.1); /* elsewhere it starts */
    assert_int_equal(noe_step(o.g), NOE_SINGULAR);
    noe_error_clear();
    assert_int_equal(noe_start(o.g, 0, q, v), NOE_OK);
    assert_int_equal(noe_step(o.g), NOE_OK);
    no_error();
    end(o);
}

/* ---- 5. tables ---- */

static void test_record(void **state)
{
    (void)state;
    orbit             o = begin(kepler, "simpson", 0.125), twin = begin(kepler, "simpson", 0.125);
    noe_table        *t = noe_record(o.g, 1.25, 3, NULL);
    const char *const name[] = { "t", "x", "y", "p(x)", "p(y)", "energy", "L", "axis" };
    no_error();
    assert_int_equal(noe_table_rows(t), 5);
    assert_int_equal(noe_table_columns(t), 8);
    for (size_t j = 0; j < 8; j++) assert_string_equal(noe_table_name(t, j), name[j]);
    assert_null(noe_table_name(t, 8));
    for (int i = 0, k = 0; k <= 10;
         k++) { /* rows 0, 3, 6, 9 and the last, as stepping by hand has them */
        if (k) noe_step(twin.g);
        if (k % 3 && k != 10) continue;
        for (int j = 0; j < 8; j++)
            assert_true(same(noe_table_column(t, name[j])[i], noe_get(twin.g, name[j])));
        i++;
    }
    assert_ptr_equal(noe_table_column(t, "x.p"), noe_table_column(t, "p(x)"));
    assert_null(noe_table_column(t, "z"));
    says("no column 'z'");
    noe_table *more = noe_record(o.g, 2.5, 1,
                                 "x.v, y', e ,t"); /* goes on; its first row is where it was */
    assert_int_equal(noe_table_rows(more), 11);
    assert_string_equal(noe_table_name(more, 0), "x.v");
    assert_true(same(noe_table_column(more, "t")[0], 1.25)
                && same(noe_table_column(more, "t")[10], 2.5));
    assert_true(same(noe_table_column(more, "e")[5], 0.5)
                && same(noe_table_column(more, "y.v")[10], noe_v(o.g)[1]));
    noe_table *still = noe_record(o.g, 2.5, 1, "t");
    assert_int_equal(noe_table_rows(still), 1);
    no_error();
    static const struct {
        double      until;
        int         every;
        const char *columns, *message;
    } wrong[] = { { 3, 0, NULL, "expected 1 or more" },
                  { 3, -1, NULL, "expected 1 or more" },
                  { 3, 1, "t,z", "unknown column or option 'z'" },
                  { 3, 1, "", "an empty name" },
                  { 1, 1, NULL, "lies behind the start" },
                  { NAN, 1, NULL, "a finite time" },
                  { INFINITY, 1, NULL, "a finite time" } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(noe_record(o.g, wrong[i].until, wrong[i].every, wrong[i].columns));
        says(wrong[i].message);
    }
    noe_table_free(t);
    noe_table_free(more);
    noe_table_free(still);
    end(o);
    end(twin);
    o = begin(fall, "simpson", 0.05); /* what was recorded before a failure is kept */
    t = noe_record(o.g, 2, 1, "t,x");
    says("the state before the step is kept");
    assert_true(noe_table_rows(t) > 10);
    assert_int_equal(noe_table_rows(t), noe_get(o.g, "steps") + 1);
    assert_true(same(noe_table_column(t, "t")[noe_table_rows(t) - 1], noe_time(o.g)));
    noe_table_free(t);
    end(o);
}

static void test_write(void **state)
{
    (void)state;
    orbit           o = begin(kepler, "simpson", 0.125);
    noe_system     *s = noe_system_with(o.s, "e", 0.25);
    noe_integrator *g = noe_integrator_new(s, o.f, 0.125);
    noe_table      *t = noe_record(g, 0.25, 1, "t,e");
    assert_int_equal(noe_table_write(t, in_scratch("a.csv")), NOE_OK);
    assert_int_equal(noe_table_write(t, in_scratch("a.json")), NOE_OK);
    char *csv = slurp(in_scratch("a.csv")), *json = slurp(in_scratch("a.json"));
    assert_string_equal(csv, "t,e\n0,0.25\n0.125,0.25\n0.25,0.25\n");
    static const char *const holds[] = { "\"method\": \"simpson\"", "\"step\": 0.125", "e = 2.5",
                                         "kinetic", "[0.125,0.25]" };
    for (int i = 0; i < 5; i++)
        if (!strstr(json, holds[i])) fail_msg("no %s in %s", holds[i], json);
    no_error();
    assert_int_equal(noe_table_write(t, in_scratch("a.txt")), NOE_INVALID);
    says("the name must end in");
    assert_int_equal(noe_table_write(t, in_scratch("none/a.csv")), NOE_IO);
    says("No such file");
    free(csv);
    free(json);
    noe_table_free(t);
    noe_integrator_free(g);
    noe_system_free(s);
    end(o);
}

/* ---- 6. functions in C ---- */

/* A bead on y = x^2/2: L = m (1 + x^2) v^2/2 - m g x^2/2; param = m, g. */
static double bead(double t, const double *z, const double *param, double *grad, double *hess,
                   void *ctx)
{
    const double x = z[0], v = z[1], m = param[0] * (1 + x * x), g = param[0] * param[1];
    (void)t, (void)ctx;
    if (grad) grad[0] = param[0] * x * v * v - g * x, grad[1] = m * v;
    if (hess) hess[0] = param[0] * v * v - g, hess[1] = hess[2] = 2 * param[0] * x * v, hess[3] = m;
    return m * v * v / 2 - g * x * x / 2;
}

static void test_callback(void **state)
{
    (void)state;
    static const char *const methods[] = { "simpson", "gauss 4", "lobatto 3", "midpoint",
                                           "P3 radau-left 3" };
    double                   worst = 0;
    for (int i = 0; i < 20; i++) {
        const double m = 1.5 + random_number(), q = random_number(), v = 3 * random_number();
        orbit o = begin("parameter m = 1, g = 9.81\ncoordinate x\nkinetic m*(1 + x^2)*x'^2/2\n"
                        "potential m*g*x^2/2\n",
                        methods[i % 5], 0.01);
        noe_system *s = noe_system_with(o.s, "m", m), *c = noe_system_new(1, 2, bead, NULL, NULL);
        noe_integrator *a = noe_integrator_new(s, o.f, 0.01), *b = noe_integrator_new(c, o.f, 0.01);
        assert_int_equal(noe_set(b, "c.1", m), NOE_OK);
        assert_int_equal(noe_set(b, "c.2", 9.81), NOE_OK);
        assert_true(same(noe_get(b, "c.1"), m));
        assert_int_equal(noe_start(a, 0, &q, &v), NOE_OK);
        assert_int_equal(noe_start(b, 0, &q, &v), NOE_OK);
        assert_int_equal(noe_run(a, 5, NULL, NULL), NOE_OK);
        assert_int_equal(noe_run(b, 5, NULL, NULL), NOE_OK);
        worst = fmax(worst, fabs(noe_q(a)[0] - noe_q(b)[0]));
        worst = fmax(worst, fabs(noe_p(a)[0] - noe_p(b)[0]) / 3);
        worst = fmax(worst, fabs(noe_get(a, "energy") - noe_get(b, "energy")) / 15);
        noe_integrator_free(a);
        noe_integrator_free(b);
        noe_system_free(s);
        noe_system_free(c);
        end(o);
    }
    no_error();
    print_message("text and C differ by %.2g\n", worst);
    assert_true(worst < 1e-13);
}

static void test_callback_names(void **state)
{
    (void)state;
    noe_system     *c = noe_system_new(1, 2, bead, NULL, NULL);
    noe_method     *f = noe_method_parse("simpson");
    noe_integrator *g = noe_integrator_new(c, f, 0.01);
    const double    q = 1, v = 2;
    assert_int_equal(noe_system_dim(c), 1);
    assert_string_equal(noe_system_name(c, 0), "x.1");
    assert_int_equal(noe_set(g, "step", 0.02), NOE_OK); /* this needs no start */
    assert_true(same(noe_get(g, "step"), 0.02));
    no_error();
    assert_int_equal(noe_start(g, 0, &q, &v), NOE_SINGULAR); /* m is still 0 */
    says("singular at the start");
    for (int i = 0; i < 3; i++) { /* said again, however often it is cleared */
        noe_error_clear();
        assert_int_equal(i == 0   ? noe_step(g)
                         : i == 1 ? noe_run(g, 1, NULL, NULL)
                                  : noe_step_jacobian(g, (double[4]){ 0 }),
                         NOE_SINGULAR);
        says("singular at the start");
    }
    assert_int_equal(noe_set(g, "c.1", 3), NOE_OK);
    assert_int_equal(noe_set(g, "c.2", 10), NOE_OK);
    assert_int_equal(noe_step(g), NOE_SINGULAR); /* and it does not begin elsewhere by itself */
    assert_int_equal(noe_start(g, 0, &q, &v), NOE_OK);
    assert_true(same(noe_get(g, "x.1"), 1) && same(noe_get(g, "x.1.v"), 2)
                && same(noe_get(g, "p(x.1)"), 12));
    assert_true(same(noe_get(g, "energy"), 6 * 4.0 / 2 + 15) && same(noe_v(g)[0], 2));
    assert_int_equal(noe_set(g, "c.1", 6), NOE_OK); /* the momentum stays, the velocity follows */
    assert_true(same(noe_v(g)[0], 1) && same(noe_p(g)[0], 12)
                && same(noe_get(g, "energy"), 12.0 / 2 + 30));
    noe_table *t = noe_record(g, 0.1, 5, NULL);
    assert_int_equal(noe_table_columns(t), 4);
    assert_string_equal(noe_table_name(t, 2), "p(x.1)");
    noe_table_free(t);
    noe_error_clear();
    static const char *const unknown[] = {
        "c.0", "c.3", "c.1x", "c. 1", "c.", "x.2", "x", "x.1.w"
    };
    for (int i = 0; i < 8; i++) {
        assert_true(isnan(noe_get(g, unknown[i])));
        says("unknown column or option");
    }
    assert_null(noe_system_with(c, "c.1", 1));
    says("use noe_set and noe_start");
    assert_null(noe_system_emit(c, "bead"));
    says("functions in C");
    assert_null(noe_system_new(0, 0, bead, NULL, NULL));
    says("0 coordinates");
    assert_null(noe_system_new(1, -1, bead, NULL, NULL));
    says("-1 parameters");
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(c);
}

static double oscillator(double t, const double *z, const double *param, double *grad, double *hess,
                         void *ctx)
{
    (void)t, (void)param, (void)ctx;
    if (grad) grad[0] = -4 * z[0], grad[1] = z[1];
    if (hess) hess[0] = -4, hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 - 2 * z[0] * z[0];
}

static void damping(double t, const double *z, const double *param, double *f, double *dfdz,
                    void *ctx)
{
    const double d = *(const double *)ctx;
    (void)t, (void)param;
    f[0] = -2 * d * z[1];
    if (dfdz) dfdz[0] = 0, dfdz[1] = -2 * d;
}

/* q'' + 2 d q' + 4 q = 0:  q = e^(-d t) cos(w t), w^2 = 4 - d^2, at t = 5.  Returns the error. */
static double damped(const char *method, double step)
{
    double          d = 0.25, w = sqrt(4 - d * d), q = 1, v = -d;
    noe_system     *s = noe_system_new(1, 0, oscillator, damping, &d);
    noe_method     *f = noe_method_parse(method);
    noe_integrator *g = noe_integrator_new(s, f, step);
    noe_start(g, 0, &q, &v);
    assert_int_equal(noe_run(g, 5, NULL, NULL), NOE_OK);
    const double e = exp(-5 * d), exact = e * cos(5 * w), speed = -d * exact - e * w * sin(5 * w);
    const double error = fmax(fabs(noe_q(g)[0] - exact), fabs(noe_v(g)[0] - speed) / 2);
    assert_true(
        fabs(noe_get(g, "energy") - noe_v(g)[0] * noe_v(g)[0] / 2 - 2 * noe_q(g)[0] * noe_q(g)[0])
        < 1e-15);
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
    no_error();
    return error;
}

static void test_force(void **state)
{
    (void)state;
    const double coarse = damped("gauss 4", 0.25), middle = damped("gauss 4", 0.125),
                 fine = damped("gauss 4", 0.025);
    print_message("damped oscillator, gauss 4: %.2g, %.2g, %.2g\n", coarse, middle, fine);
    assert_true(fine < 5e-15);
    assert_true(coarse > 150 * middle && coarse < 400 * middle); /* order 8 */
    assert_true(damped("simpson", 0.25) > 8 * damped("simpson", 0.125));
}

/* L = v^2/2 - x^2/2 + x cos t, ctx[0] of it; L_t = -x sin t. */
static double driven(double t, const double *z, const double *param, double *grad, double *hess,
                     void *ctx)
{
    const double c = *(const double *)ctx * cos(t);
    (void)param;
    if (grad) grad[0] = c - z[0], grad[1] = z[1];
    if (hess) hess[0] = -1, hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 - z[0] * z[0] / 2 + c * z[0];
}

static double driven_rate(double t, const double *z, const double *param, void *ctx)
{
    (void)param;
    return -*(const double *)ctx * sin(t) * z[0];
}

/* t in L: without L_t the energy balance is unknown, with it that of the same text. */
static void test_rate(void **state)
{
    (void)state;
    double one = 1, none = 0, x = 0.5, v = 0.25;
    orbit  o = begin("coordinate x\nkinetic x'^2/2\npotential x^2/2 - x*cos(t)\n", "gauss 3", 0.05);
    noe_system     *s[] = { noe_system_new(1, 0, driven, NULL, &one),
                            noe_system_driven(1, 0, driven, driven_rate, NULL, &one),
                            noe_system_new(1, 0, driven, NULL, &none),
                            noe_system_driven(1, 0, driven, driven_rate, damping, &one) };
    noe_integrator *g[4];
    for (int i = 0; i < 4; i++) {
        g[i] = noe_integrator_new(s[i], o.f, 0.05);
        assert_int_equal(noe_start(g[i], 0, &x, &v), NOE_OK);
        assert_int_equal(noe_run(g[i], 10, NULL, NULL), NOE_OK);
    }
    assert_int_equal(noe_start(o.g, 0, &x, &v), NOE_OK);
    assert_int_equal(noe_run(o.g, 10, NULL, NULL), NOE_OK);
    assert_true(isnan(noe_get(g[0], "balance")) && isnan(noe_get(g[0], "work")));
    assert_true(fabs(noe_get(g[0], "x.1") - noe_get(o.g, "x")) < 1e-13);
    assert_true(fabs(noe_get(o.g, "work")) > 0.1
                && fabs(noe_get(g[1], "work") - noe_get(o.g, "work")) < 1e-13);
    assert_true(fabs(noe_get(g[1], "balance")) < 1e-9
                && fabs(noe_get(g[1], "balance") - noe_get(o.g, "balance")) < 1e-13);
    assert_true(same(noe_get(g[2], "work"), 0)
                && fabs(noe_get(g[2], "balance")) < 1e-9); /* free of t: energy alone */
    assert_true(fabs(noe_get(g[3], "balance")) < 1e-9
                && fabs(noe_get(g[3], "work") - noe_get(g[1], "work")) > 0.1);
    for (int i = 0; i < 4; i++) noe_integrator_free(g[i]), noe_system_free(s[i]);
    end(o);
    no_error();
}

/* What a sum takes in by mistake is told, with its place, and nothing else is. */
static void test_warning(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int         line, column; /* 0: there is no warning */
    } table[] = {
        { "sum(i in 1..3) x[i]^2 + a", 3, 33 },
        { "(sum(i in 1..3) x[i]^2) + a", 0, 0 },
        { "sum(i in 1..3) (x[i]^2 + a)", 0, 0 },
        { "sum(i in 1..3) x[i]^2 - 2*x[1]", 3, 33 },
        { "sum(i in 1..3) x[i]^2 + a*i", 0, 0 },
        { "sum(i in 1..3) -x[i] + x[i]^2", 0, 0 },
        { "sum(i in 1..3, j in i..3) x[i] + x[j]^2", 0, 0 },
        { "sum(i in 1..N) x[i] + N", 3, 31 },
        { "a + sum(i in 1..3) x[i]*-a", 0, 0 },
        { "sum(i in 1..3) x[i]^2 + sum(j in 1..3) x[j]", 3, 33 },
        { "max(sum(i in 1..3) x[i], a + 1)", 0, 0 },
        { "if(sum(i in 1..3) x[i] < a + 1, 0, 1)", 0, 0 },
        { "sum(i in 1..3) x[(i + 1 - 1)]^2*(a + 1)", 0, 0 },
        { "sum(i in 1..3) sin(x[i] + a)", 0, 0 },
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        for (int many = 0; many < 2; many++) {
            char text[300], place[40];
            snprintf(text, sizeof text,
                     "parameter a = 1, N = 3\ncoordinate x[1..%d]\npotential %s\n"
                     "kinetic sum(i in 1..%d) x[i]'^2/2\n",
                     many ? 100 : 3, table[k].text, many ? 100 : 3);
            noe_system *s = noe_system_parse(text);
            const char *warning = noe_system_warning(s);
            if (!s) fail_msg("%s\n%s", noe_error(), text);
            snprintf(place, sizeof place, ":%d:%d: the sum before", table[k].line, table[k].column);
            if (table[k].line ? !warning || !strstr(warning, place) || strchr(warning, '\n')
                              : warning != NULL)
                fail_msg("%s\nwarning %s", text, warning ? warning : "none");
            noe_system_free(s);
        }
    assert_null(noe_system_warning(NULL));
    no_error();
}

/* One thread is what every run has; back in time as forth. */
static void test_backwards(void **state)
{
    (void)state;
    orbit o = begin("coordinate x\nkinetic x'^2/2\npotential 1 - cos(x)\nstart x = 1\n", "simpson",
                    -0.01);
    const double x = 1, v = 0;
    assert_int_equal(noe_set(o.g, "threads", 1), NOE_OK);
    assert_int_equal(noe_set(o.g, "threads", 2), NOE_INVALID);
    says("stepped by one thread");
    noe_error_clear();
    assert_int_equal(noe_run(o.g, 1, NULL, NULL), NOE_INVALID);
    says("lies behind the start, t = 0, for a step of -0.01");
    noe_error_clear();
    noe_table *t = noe_record(o.g, -1.005, 50, "t,x");
    assert_int_equal(noe_table_rows(t), 3);
    assert_true(fabs(noe_table_column(t, "t")[2] + 1) < 1e-15);
    assert_int_equal(noe_set(o.g, "step", 0.01), NOE_OK);
    assert_int_equal(noe_run(o.g, 0, NULL, NULL), NOE_OK);
    assert_true(fabs(noe_get(o.g, "x") - x) < 1e-14 && fabs(noe_get(o.g, "x.v") - v) < 1e-14);
    noe_table_free(t);
    end(o);
    no_error();
}

/* A force that becomes infinite: the state before the step is kept. */
static void cliff(double t, const double *z, const double *param, double *f, double *dfdz,
                  void *ctx)
{
    (void)z, (void)param, (void)ctx;
    f[0] = t > 1 ? INFINITY : 0;
    if (dfdz) dfdz[0] = dfdz[1] = 0;
}

static void test_not_finite(void **state)
{
    (void)state;
    noe_system     *s = noe_system_new(1, 0, oscillator, cliff, NULL);
    noe_method     *f = noe_method_parse("gauss 2");
    noe_integrator *g = noe_integrator_new(s, f, 0.125);
    const double    q = 1, v = 0;
    noe_start(g, 0, &q, &v);
    const noe_status why = noe_run(g, 2, NULL, NULL);
    assert_true(why == NOE_NOT_FINITE || why == NOE_NOT_CONVERGED);
    says("step 9 from t = 1: ");
    assert_true(same(noe_time(g), 1) && fabs(noe_q(g)[0] - cos(2)) < 1e-4
                && isfinite(noe_get(g, "energy")));
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
}

/* ---- 7. threads ---- */

enum { THREADS = 6 };
typedef struct {
    const noe_system *system;
    const noe_method *method;
    int               number;
    double            q[2], v[2], energy, L, axis;
    const char       *wrong;
} task;

static void *work(void *of)
{
    task           *x = of;
    noe_integrator *g = noe_integrator_new(x->system, x->method, 0.02);
    x->wrong = noe_start(g, 0, x->q, x->v) || noe_run(g, 20, NULL, NULL) ? "the run failed" : NULL;
    memcpy(x->q, noe_q(g), sizeof x->q);
    memcpy(x->v, noe_v(g), sizeof x->v);
    x->energy = noe_get(g, "energy"), x->L = noe_get(g, "L"), x->axis = noe_get(g, "axis");
    noe_table  *t = noe_record(g, 21, 10, NULL);
    noe_system *other = noe_system_with(x->system, "e", 0.1 * x->number);
    noe_method *own = noe_method_parse("gauss 5");
    char       *c = noe_system_emit(other, "planet"), name[64], path[400];
    snprintf(path, sizeof path, "%s/%d.%s", scratch, x->number,
             x->number % 2 && noe_optional_library_has(NOE_OF_HDF5) ? "h5" : "json");
    if (!x->wrong && (!c || !own || noe_table_write(t, path) || noe_error()))
        x->wrong = "something failed beside the run";
    snprintf(name, sizeof name, "unknown_%d", x->number);
    noe_get(g, name); /* a message of its own */
    if (!noe_error() || !strstr(noe_error(), name)) x->wrong = "no message, or another's";
    free(c);
    noe_table_free(t);
    noe_method_free(own);
    noe_system_free(other);
    noe_integrator_free(g);
    noe_error_clear();
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    orbit     o = begin(kepler, "gauss 3", 0.1);
    task      alone[THREADS], together[THREADS];
    pthread_t thread[THREADS];
    memset(alone, 0, sizeof alone);
    for (int i = 0; i < THREADS; i++) {
        alone[i] = (task){ o.s,
                           o.f,
                           i,
                           { 0.75 + 0.25 * random_number(), 0.1 * random_number() },
                           { 0, 1 + 0.2 * random_number() },
                           0,
                           0,
                           0,
                           NULL };
        together[i] = alone[i];
    }
    for (int i = 0; i < THREADS; i++) work(&alone[i]);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, &together[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        if (alone[i].wrong || together[i].wrong)
            fail_msg("%s, %s", alone[i].wrong, together[i].wrong);
        assert_memory_equal(alone[i].q, together[i].q, sizeof alone[i].q);
        assert_memory_equal(alone[i].v, together[i].v, sizeof alone[i].v);
        assert_true(same(alone[i].energy, together[i].energy) && same(alone[i].L, together[i].L));
        assert_true(same(alone[i].axis, together[i].axis));
    }
    no_error();
    end(o);
}

/* M q'' + C q' + K q = f(t) by columns, with its mistakes. */
static void constant_load(double t, double *f, void *ctx)
{
    (void)t;
    f[1] = *(double *)ctx;
}

static void a_structure(void **state)
{
    (void)state;
    const size_t start[] = { 0, 1, 3 }, diagonal[] = { 0, 1, 2 }, late[] = { 1, 1, 2 };
    const int row[] = { 0, 0, 1 }, off[] = { 0, 1 }, far[] = { 0, 2 }, utmost[] = { 0, INT32_MAX };
    const double  k[] = { 2, -1, 1 }, m[] = { 1, 1 }, bad[] = { 1, NAN };
    const noe_csc K = { start, row, k },
                  M = { diagonal, off, m }; /* the upper triangle of K stands for both */
    double          load = 3;
    noe_system     *s = noe_system_structure(2, &M, NULL, &K, constant_load, &load);
    noe_method     *f = noe_method_parse("gauss 2");
    noe_integrator *g = noe_integrator_new(s, f, 0.01);
    const double    rest[] = { 3, 6 }, still[] = { 0, 0 }; /* K rest = (0, 3) */
    no_error();
    assert_int_equal(noe_system_dim(s), 2);
    assert_string_equal(noe_system_name(s, 1), "x.2");
    assert_int_equal(noe_start(g, 0, rest, still), NOE_OK);
    assert_int_equal(noe_run(g, 1, NULL, NULL), NOE_OK);
    assert_true(fabs(noe_get(g, "x.1") - 3) < 1e-14 && fabs(noe_get(g, "x.2") - 6) < 1e-14);
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
    assert_null(noe_system_structure(2, NULL, NULL, &K, NULL, NULL));
    assert_null(noe_system_structure(0, &M, NULL, &K, NULL, NULL));
    says("at least 1");
    const noe_csc     wrong[] = { { late, off, m },
                                  { diagonal, far, m },
                                  { diagonal, off, bad },
                                  { NULL, off, m },
                                  { diagonal, utmost, m } };
    const char *const why[] = { "begins at entry 1", "row 3 of 2", "not a finite number", "missing",
                                "row 2147483648 of 2" };
    for (int i = 0; i < 5; i++) {
        assert_null(noe_system_structure(2, &M, NULL, &wrong[i], NULL, NULL));
        says(why[i]);
    }
    const size_t  full[] = { 0, 2, 4 };
    const int     all[] = { 0, 1, 0, 1 };
    const double  skew[] = { 2, -1, 1, 2 };
    const noe_csc unsymmetric = { full, all, skew };
    assert_null(noe_system_structure(2, &M, NULL, &unsymmetric, NULL, NULL));
    says("not symmetric: 1 in row 1, column 2, but -1 in row 2, column 1");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_structure),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_warning),
        cmocka_unit_test(test_backwards),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_first_cause),
        cmocka_unit_test(test_system),
        cmocka_unit_test(test_with),
        cmocka_unit_test(test_method),
        cmocka_unit_test(test_get),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_callback),
        cmocka_unit_test(test_callback_names),
        cmocka_unit_test(test_force),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
