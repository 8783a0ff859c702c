/* Random Lagrangians and random structures, sound by construction.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No law of theirs may fail, and no saboteur pass. Units of length, time and mass, constants in
 * V, distant origins, free and resting coordinates, rotating frames, short waves and uncoupled
 * parts of other sizes change nothing of what a certificate says.  NOE_LONG=1: two hundred of
 * each kind, NOE_SOUND=n: n. */
#include "linear.h"

#include "app/certificate.h"

enum { SAMPLE = 10, LONG = 200, TEXT = 8000 };

static int wanted(void)
{
    const char *count = getenv("NOE_SOUND");
    return count ? atoi(count) : getenv("NOE_LONG") ? LONG : SAMPLE;
}

/* ---- Lagrangians: written in X_i = (x_i - c_i)/U_i, of size 1 with frequencies of about 1,
 * then given units ---- */

typedef struct {
    char   text[TEXT];
    double step;    /* a tenth of a radian of the fastest motion, or less */
    bool   free;    /* nothing oscillates */
    double damping; /* a coefficient of x0'^2 that damps x0 at a rate of about 1 */
    bool   separable;
} lagrangian;

__attribute__((format(printf, 2, 3))) static void say(lagrangian *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t used = strlen(x->text);
    vsnprintf(x->text + used, TEXT - used, format, args);
    va_end(args);
}

/* To be multiplied by the square of `second`, as X'^2 is. */
static void kinetic(lagrangian *x, int n, double second, double *fastest)
{
    const int kind = below(4);
    x->separable = kind == 0;
    for (int i = 0; i < n; i++) say(x, "%s%.3g*X%d'^2/2", i ? " + " : "", between(0.5, 2), i);
    for (int i = 0; i + 1 < n && kind == 1; i++)
        say(x, " + 0.2*cos(X%d - X%d)*X%d'*X%d'", i, i + 1, i, i + 1);
    for (int i = 0; i < n && kind == 2; i++) say(x, " + 0.3*cos(X%d)*X%d'^2/2", (i + 1) % n, i);
    for (int i = 0; i + 1 < n && kind == 3; i += 2)
        say(x, " + %.3g*(X%d*X%d' - X%d*X%d')/%.17g", between(-0.5, 0.5), i, i + 1, i + 1, i,
            second);
    *fastest = 1;
}

static void potential(lagrangian *x, int n, double *fastest)
{
    for (int i = 0; i < n; i++) {
        const int kind = below(6);
        if (kind == 0) say(x, " + %.3g*X%d^2/2", between(0.5, 2), i);
        if (kind == 1) say(x, " + X%d^2/2 + X%d^4/4", i, i);
        if (kind == 2) say(x, " - %.3g*cos(X%d)", between(0.5, 1.5), i);
        if (kind == 3) say(x, " + sqrt(1 + X%d^2)", i);
        if (kind == 4) say(x, " + X%d^2/2 - 0.2*exp(-X%d^2)", i, i);
    }
    for (int i = 0; i + 1 < n; i++) {
        if (chance(3)) say(x, " + (X%d - X%d)^2/4", i, i + 1);
        if (chance(4)) say(x, " - 0.3*cos(X%d - 2*X%d)", i, i + 1);
        if (chance(5)) say(x, " + (X%d - X%d)^4/8", i, i + 1);
    }
    if (chance(6)) { /* a short wave */
        const double k = pow(10, between(1, 6));
        say(x, " + 1e-3*sin(%.6g*X%d)", k, below(n));
        *fastest = fmax(*fastest, k * 0.04);
    }
}

static lagrangian random_lagrangian(void)
{
    lagrangian   x = { .text = "" };
    const int    n = 1 + below(4);
    const double second = pow(10, between(-3, 3)), mass = pow(10, between(-4, 4)),
                 one = pow(10, between(-3, 3));
    double     U[4], c[4], fastest = 1;
    const bool units = chance(2), far = chance(3), rest = chance(4);
    say(&x, "coordinate ");
    for (int i = 0; i < n; i++) {
        U[i] = units ? pow(10, between(-3, 3)) : one;
        c[i] = far ? U[i] * (double)below(1000) : 0;
        say(&x, "%sx%d", i ? ", " : "", i);
    }
    for (int i = 0; i < n; i++) say(&x, "\nX%d = (x%d - (%.17g))/%.17g", i, i, c[i], U[i]);
    say(&x, "\nkinetic %.17g*(", mass * second * second);
    kinetic(&x, n, second, &fastest);
    say(&x, ")\npotential %.17g*(0", mass);
    if (chance(4)) say(&x, " + %.3g", pow(10, between(-1, 4)));
    potential(&x, n, &fastest);
    if (rest) say(&x, " + X0^2/2"); /* where nothing moves there is nothing to see */
    say(&x, ")\n");
    if (chance(6))
        say(&x, "dissipation %.3g*X%d'^2\n", 0.1 * mass * second, below(n)), x.separable = false;
    if (chance(6)) say(&x, "force x0 = %.17g*cos(%.17g*t)\n", 0.3 * mass / U[0], 0.7 / second);
    say(&x, "start ");
    for (int i = 0; i < n; i++) {
        const bool still = rest && i;
        say(&x, "%sx%d = %.17g, x%d' = %.17g", i ? ", " : "", i,
            c[i] + (still ? 0 : U[i] * between(-1, 1)), i,
            rest ? 0 : U[i] / second * between(-1, 1));
    }
    say(&x, "\n");
    x.free = fastest == 0;
    x.step = between(0.02, 0.1) * second / (x.free ? 1 : fastest);
    x.damping = mass * second / (U[0] * U[0]);
    return x;
}

static noe_method *random_method(bool separable)
{
    static const char *const name[] = {
        "simpson",   "midpoint",   "gauss 2",         "gauss 3", "gauss 4",
        "lobatto 3", "P2 gauss 3", "P3 radau-left 3", "gauss 6", "compose 4 midpoint",
        "rk4",       "verlet",     "yoshida4"
    };
    return method(name[below(separable ? 13 : 11)]);
}

/* ---- certificates ---- */

static int alarms, stopped; /* of sound systems; runs that the core ended */

/* A step that is not done is no law's matter here. */
static bool alarmed(const noe_certificate *c)
{
    bool run = false, other = false;
    for (int i = 0; i < c->laws.count; i++) {
        if (c->laws.law[i].verdict != NOE_FAILS) continue;
        if (!strcmp(c->laws.law[i].name, "run")) run = true;
        else other = true;
    }
    stopped += run;
    return other;
}

static void tell(const noe_certificate *c, const char *text)
{
    for (int i = 0; i < c->laws.count; i++) {
        const noe_law *x = &c->laws.law[i];
        if (x->verdict == NOE_FAILS)
            printf("  %s: %s %.3g > %.3g: %s\n", noe_method_name(c->method), x->name, x->value,
                   x->bound, x->what);
    }
    printf("step %.17g\n%s\n", (double)c->step, text);
}

/* How near every kind of law comes to its bound where it holds. */
static struct {
    char   name[24];
    double share, sum;
    int    count;
} nearest[40];

static void note(const noe_certificate *c)
{
    for (int i = 0; i < c->laws.count; i++) {
        const noe_law *x = &c->laws.law[i];
        char           name[24];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(x->name, "{_"), x->name);
        for (int k = 0; k < 40 && x->verdict == NOE_HOLDS && x->bound > 0; k++) {
            if (nearest[k].name[0] && strcmp(nearest[k].name, name)) continue;
            strcpy(nearest[k].name, name);
            nearest[k].share = fmax(nearest[k].share, x->value / x->bound);
            nearest[k].sum += log10(fmax(x->value / x->bound, 1e-10)), nearest[k].count++;
            break;
        }
    }
}

static void tell_nearest(void)
{
    for (int k = 0; k < 40 && nearest[k].name[0]; k++)
        printf("  %-20s at most %8.1e, typically %8.1e of its bound, %d times\n", nearest[k].name,
               nearest[k].share, pow(10, nearest[k].sum / nearest[k].count), nearest[k].count);
    memset(nearest, 0, sizeof nearest);
}

static noe_certificate certify(const noe_system *s, const noe_method *m, double step,
                               const char *text)
{
    noe_certificate c;
    noe_error_clear();
    if (!noe_certificate_make(&c, s, m, step, 0))
        fail_msg("%s: %s\n%s", noe_method_name(m), noe_error(), text);
    if (alarmed(&c)) alarms++, tell(&c, text);
    note(&c);
    return c;
}

static void test_lagrangians(void **unused)
{
    (void)unused;
    alarms = stopped = 0;
    for (int k = 0; k < wanted(); k++) {
        lagrangian      x = random_lagrangian();
        noe_system     *s = parse(x.text);
        noe_method     *m = random_method(x.separable);
        noe_certificate c = certify(s, m, x.step, x.text);
        noe_certificate_drop(&c);
        noe_method_free(m);
        noe_system_free(s);
    }
    printf("%d Lagrangians, %d false alarms, %d runs stopped\n", wanted(), alarms, stopped);
    tell_nearest();
    assert_int_equal(alarms, 0);
}

/* The members of a batch end at different iterations: what is asked of the last one of each must be
 * its own.  Of a random Lagrangian whose step was tried anew by itself, and not in lanes. */
static void test_a_member_that_ends_before_others(void **unused)
{
    (void)unused;
    static const char text[] =
        "coordinate x0, x1, x2, x3\n"
        "X0 = (x0 - 17600.406131326159)/19.932509775001314\n"
        "X1 = (x1 - 3.5200276414564948)/0.015238214898080063\n"
        "X2 = (x2 - 315.27809583057319)/0.33755684778433959\n"
        "X3 = (x3 - 3640.5544723130752)/31.384090278560993\n"
        "kinetic 53.671280342397885*(1.53*X0'^2/2 + 1.15*X1'^2/2 + 1.59*X2'^2/2 + 0.511*X3'^2/2"
        " + 0.3*cos(X1)*X0'^2/2 + 0.3*cos(X2)*X1'^2/2 + 0.3*cos(X3)*X2'^2/2"
        " + 0.3*cos(X0)*X3'^2/2)\n"
        "potential 14.296746963095478*(0.946*X0^2/2 - 0.501*cos(X1) + X2^2/2 - 0.2*exp(-X2^2)"
        " + X3^2/2 - 0.2*exp(-X3^2) + (X0 - X1)^4/8 + (X2 - X3)^2/4 - 0.3*cos(X2 - 2*X3)"
        " + 1e-3*sin(108542*X0))\n"
        "force x0 = 0.21517732274275836*cos(0.36128146187171301*t)\n"
        "start x0 = 17605.763982108736, x0' = 2.0698547136356917, x1 = 3.5256235038610857,"
        " x1' = 0.006429102681697595, x2 = 315.60088340998351, x2' = -0.093766401674465163,"
        " x3 = 3654.4041240250508, x3' = 3.8556467653496402\n";
    noe_system *s = parse(text);
    noe_method *m = noe_method_parse("simpson");
    alarms = 0;
    noe_certificate c = certify(s, m, 3.7645889551435086e-05, text);
    noe_certificate_drop(&c);
    noe_method_free(m);
    noe_system_free(s);
    assert_int_equal(alarms, 0);
}

/* ---- saboteurs: of the same Lagrangians, free of forces ---- */

/* A weight, the forces, a node, a damping that nobody owns up to: what each of them breaks. */
static const struct {
    const char *method, *law;
} sabotage[] = { { "simpson", "order" },
                 { "gauss 3", "symplectic" },
                 { "P2 gauss 3", "reversible" },
                 { "gauss 6", "symplectic" },
                 { "gauss 6", "symplectic" } };
enum { SABOTEURS = sizeof sabotage / sizeof *sabotage };

static noe_law_verdict verdict(const noe_certificate *c, const char *name)
{
    for (int i = 0; i < c->laws.count; i++)
        if (!strcmp(c->laws.law[i].name, name)) return c->laws.law[i].verdict;
    return NOE_DOES_NOT_APPLY;
}

static void test_saboteurs(void **unused)
{
    (void)unused;
    int seen = 0, blind = 0, passed = 0;
    for (int k = 0; k < wanted(); k++) {
        const int  which = k % SABOTEURS;
        lagrangian x = random_lagrangian();
        if (x.free || strstr(x.text, "force") || strstr(x.text, "dissipation")
            || strstr(x.text, "1e-3*sin")) { /* forces answer for it; waves hide the order */
            k--;
            continue;
        }
        noe_method *m = method(sabotage[which].method);
        if (which == 0) m->b[0] += (quad)1e-3;
        for (int i = 0; i < m->r && which == 1; i++) m->X[i][0] *= 1 + (quad)1e-6;
        if (which == 2) m->c[1] += (quad)1e-6, m->I[1][0] += (quad)1e-6, m->X[1][0] -= (quad)1e-6;
        const double rate = which == 3 ? 1e-6 : 1e-13;
        if (which > 2) say(&x, "force x0 = -%.3g*%.17g*x0'\n", rate, x.damping);
        noe_system *s = parse(x.text);
        if (s->dyn.linear) { /* matrices, that have no damping then; at rest nothing shows */
            noe_method_free(m), noe_system_free(s);
            k--;
            continue;
        }
        s->dyn.forced = false, s->dyn.autonomous = true;
        noe_certificate c;
        noe_error_clear();
        if (!noe_certificate_make(&c, s, m, x.step, 0)) fail_msg("%s\n%s", noe_error(), x.text);
        const noe_law_verdict v = verdict(&c, sabotage[which].law);
        if (v == NOE_FAILS) seen++;
        else if (v == NOE_HOLDS)
            passed++, printf("  saboteur %d passed:\n", which), noe_certificate_print(&c, stdout),
                printf("step %.17g\n%s\n", x.step, x.text);
        else blind++;
        noe_certificate_drop(&c);
        noe_method_free(m);
        noe_system_free(s);
    }
    printf("%d saboteurs: %d seen, %d not measurable, %d passed\n", wanted(), seen, blind, passed);
    assert_int_equal(passed, 0);
    assert_true(seen > 3 * blind);
}

/* ---- structures ---- */

static void test_structures(void **unused)
{
    static const char *const name[] = { "simpson", "gauss 2",         "gauss 3", "lobatto 3",
                                        "verlet",  "newmark 1/4 1/2", "rk4",     "midpoint" };
    (void)unused;
    alarms = stopped = 0;
    for (int k = 0; k < wanted(); k++) {
        const int    n = 1 + below(40), kind = below(4);
        const double fastest = random_matrices(n), step = between(0.1, 1.5) / fastest;
        const bool   damped = kind == 1;
        char         text[200];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) x.C[i][j] = kind == 1 ? 0.02 * fastest * x.M[i][j] : 0;
        noe_system *s = structure(&x, damped, kind == 2 ? shaker : NULL, &x);
        if (!s) fail_msg("%s", noe_error());
        noe_method *m = method(name[below(8)]);
        snprintf(text, sizeof text, "structure %d of kind %d, %d coordinates, omega h = %.3g\n", k,
                 kind, n, step * fastest);
        noe_certificate c = certify(s, m, step, text);
        noe_certificate_drop(&c);
        noe_method_free(m);
        noe_system_free(s);
    }
    printf("%d structures, %d false alarms, %d runs stopped\n", wanted(), alarms, stopped);
    tell_nearest();
    assert_int_equal(alarms, 0);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lagrangians),
        cmocka_unit_test(test_a_member_that_ends_before_others),
        cmocka_unit_test(test_structures),
        cmocka_unit_test(test_saboteurs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
