/* q(t) in closed form  =  q(t) by Gauss's method of order 16 in binary128:  two computations, thirty digits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "exact/closed.h"
#include "laws.h"
#include "run/integrator.h"

/* The system of a text with changes, one after another. */
static noe_system *with(noe_system *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static noe_system *with(noe_system *s, const char *format, ...)
{
    char    text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    noe_system *next = noe_system_let(s, text);
    if (!next) fail_msg("%s", noe_error());
    noe_system_free(s);
    return next;
}

/* max |q - q.exact| / max |q| and the same of p, along a run in binary128. */
static double difference(const noe_system *s, quad h, int steps)
{
    noe_error_clear();
    noe_method     *m = method("gauss 8");
    noe_integrator *g = noe_integrator_make(s, m, h, 33);
    const int       n = s->dyn.n;
    quad            worst[2] = { 0 }, size[2] = { 0 };
    for (int k = 0; k <= steps; k++) {
        for (int i = 0; i < 2 * n; i++) {
            noe_column   c = { NOE_COL_AT, i < n ? NOE_AT_Q : NOE_AT_P, i % n, false };
            const quad   x = noe_column_value(g, &c);
            c.exact = true;
            const quad y = noe_column_value(g, &c);
            if (noe_error()) fail_msg("%s", noe_error());
            worst[i / n] = fmaxq(worst[i / n], fabsq(x - y));
            size[i / n] = fmaxq(size[i / n], fabsq(x));
            if (!(fabsq(x - y) < 1)) fail_msg("off at step %d: %g against %g", k, (double)x, (double)y);
        }
        if (k < steps && noe_step(g)) fail_msg("%s", noe_error());
    }
    noe_integrator_free(g);
    noe_method_free(m);
    return (double)fmaxq(worst[0] / size[0], worst[1] / size[1]);
}

static void test_pendulum(void **unused)
{
    (void)unused;
    for (int i = 0; i < 12; i++) {
        /* Swings of every size, turns to both sides, any phase and any number of whole turns before. */
        noe_system *s = with(load("systems/pendulum.lag"), "q = %.17g", 12 * random_number());
        s = with(s, "q' = %.17g", 20 * random_number());
        s = with(s, "m = %.17g", 1.5 + random_number());
        small(difference(s, (quad)1 / 200, 200), 1, 1e-29, "pendulum"); /* measured: 4e-31 */
        noe_system_free(s);
    }
}

/* Random M > 0 and K of n coordinates, n_free of them without a force; turn: coupling of x_i' to x_j. */
static noe_system *random_linear(int n, int free, double sign, double turn)
{
    char text[4000] = "coordinate x1", *at = text + strlen(text);
    for (int i = 2; i <= n; i++) at += sprintf(at, ", x%d", i);
    at += sprintf(at, "\nkinetic");
    for (int i = 1; i <= n; i++) /* a sum of squares: G G^T is positive definite */
        for (int j = 1; j <= i; j++)
            at += sprintf(at, "%s%.17g*x%d'", j == 1 ? i == 1 ? " (" : " + (" : " + ", i == j ? 1.5 + random_number() : random_number(), j),
            at += sprintf(at, "%s", j == i ? ")^2/2" : "");
    at += sprintf(at, "\npotential 0.3*x1");
    for (int i = free + 1; i <= n; i++)
        at += sprintf(at, " + %.17g*(x%d + %.17g*x%d)^2", sign * (2 + random_number()), i, random_number(), n);
    at += sprintf(at, "\nlagrangian %.17g*x1*x%d'\nexact linear\nstart", turn * (2 + random_number()), n);
    for (int i = 1; i <= n; i++)
        at += sprintf(at, "%s x%d = %.17g, x%d' = %.17g", i > 1 ? "," : "", i, random_number(), i, random_number());
    return parse(text);
}

static void test_linear(void **unused)
{
    (void)unused;
    static const struct {
        int    n, free;
        double sign, turn;
    } kinds[] = { { 1, 0, 1, 0 }, { 3, 0, 1, 0 }, { 4, 2, 1, 0 }, { 3, 0, -1, 0 }, { 2, 1, -1, 0 }, { 3, 1, 1, 1 }, { 2, 2, 1, 1 } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        noe_system *s = random_linear(kinds[i].n, kinds[i].free, kinds[i].sign, kinds[i].turn);
        small(difference(s, (quad)1 / 50, 100), 1, 2e-30, "linear"); /* measured: 2e-31 */
        noe_system_free(s);
    }
    noe_system *s = with(load("systems/harmonic_oscillator.lag"), "q' = %.17g", 9 * random_number());
    small(difference(s, (quad)1 / 100, 200), 1, 2e-30, "harmonic"); /* measured: 1e-31 */
    noe_system_free(s);
    s = load("systems/linear_double_pendulum.lag");
    small(difference(s, (quad)1 / 200, 400), 1, 2e-30, "linear double pendulum"); /* measured: 1e-31 */
    noe_system_free(s);
}

/* A column at time t, to 33 digits. */
static quad at(const noe_system *s, const char *column, const char *t)
{
    noe_column  c;
    noe_wide   *w = noe_wide_new();
    noe_exact  *x = noe_exact_new(s->model, 40, NULL);
    if (!x) fail_msg("%s", noe_error());
    assert_true(noe_column_find(s, column, &c));
    noe_wide_set(w, number(t));
    assert_true(noe_exact_get(x, w, c.kind == NOE_COL_OBSERVABLE ? NOE_AT_OBSERVABLE : (int)c.at, c.index, w));
    const quad y = noe_wide_get(w);
    noe_wide_free(w);
    noe_exact_free(x);
    return y;
}

/* Periods from outside: another program, 40 to 50 digits. */
static void test_periods(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/pendulum.lag");
    const quad  half = acosq(0);
    small(at(s, "q", "1.18034059901609622604533794056") - half, 1, 1e-29, "a period of the pendulum");
    small(at(s, "q", "0.59017029950804811302266897028") + half, 1, 1e-29, "half a period");
    small(at(s, "q'", "0.29508514975402405651133448514") + 4 * half * sqrtq(2), 1, 1e-27, "fastest below");
    noe_system_free(s);
}

static void refused(const char *text, const char *why)
{
    noe_system *s = parse(text);
    noe_error_clear();
    noe_exact *x = noe_exact_new(s->model, 20, NULL);
    if (x) fail_msg("not refused: %s", text);
    if (!strstr(noe_error(), why)) fail_msg("'%s' without '%s'", noe_error(), why);
    noe_system_free(s);
}

static void test_refused(void **unused)
{
    (void)unused;
    refused("coordinate x\nkinetic x'^2/2\npotential x^2/2 + x^4/4\nexact pendulum\nstart x = 1", "does not solve the equations");
    refused("coordinate x\nkinetic x'^2/2\npotential x^2/2 + 1e-20*x^4\nexact harmonic\nstart x = 1", "does not solve the equations");
    refused("coordinate x\nkinetic x'^2/2\npotential 1 - cos(x) + 1e-22*x^2\nexact pendulum\nstart x = 1", "does not solve the equations");
    refused("coordinate x\nkinetic x'^2/2\npotential 1 - cos(x)*(1 + 1e-9*t)\nexact pendulum\nstart x = 1", "does not solve the equations");
    refused("coordinate x, y\nkinetic x'^2/2 + y'^2/2\npotential x^2\nexact pendulum", "one coordinate");
    refused("coordinate x, y\nkinetic x'^2/2 - y'^2/2\npotential x^2\nexact linear", "not positive definite");
    refused("coordinate x\nkinetic x'^2/2\npotential -x^2\nexact harmonic", "stiffness is not positive");
    refused("coordinate x\nkinetic x'^2/2\npotential x^2", "names no exact solution");
    /* The same models with the right name, or the perturbation below what matters, are not. */
    noe_system *s = parse("coordinate x\nkinetic x'^2/2\npotential 1 - cos(x) + 1e-32*x^2\nexact pendulum\nstart x = 1");
    noe_exact  *x = noe_exact_new(s->model, 20, NULL);
    assert_non_null(x);
    noe_exact_free(x);
    noe_system_free(s);
}

/* A closed form with another amplitude, frequency or phase is found out. */
static const noe_family *honest;
static int               spoil;
static void spoiled_at(noe_exact *x, const arb_t s, arb_ptr q, arb_ptr v)
{
    arb_t y;
    arb_init(y);
    arb_mul_2exp_si(y, s, -80), arb_add(y, y, s, x->prec);
    honest->at(x, spoil == 0 ? y : s, q, v); /* faster */
    if (spoil == 1) arb_mul_2exp_si(y, q, -80), arb_add(q, q, y, x->prec); /* wider, and from elsewhere */
    if (spoil == 2) arb_mul_2exp_si(y, v, -80), arb_add(v, v, y, x->prec); /* another velocity */
    arb_clear(y);
}

static void test_saboteur(void **unused)
{
    (void)unused;
    for (spoil = 0; spoil < 4; spoil++) {
        noe_system *s = load("systems/pendulum.lag");
        noe_exact  *x = noe_exact_new(s->model, 20, NULL);
        honest = x->family;
        const noe_family spoiled = { honest->name, honest->derive, spoiled_at, honest->drop };
        x->family = &spoiled;
        noe_error_clear();
        assert_int_equal(noe_exact_verify(x), spoil == 3); /* 3: untouched */
        assert_int_equal(noe_error() == NULL, spoil == 3);
        x->family = honest;
        noe_exact_free(x);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum), cmocka_unit_test(test_linear), cmocka_unit_test(test_periods),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_saboteur),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
