/* Gradients back over steps with constraints, against forward derivatives and differences.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J = sum of random weights times the rows.  The forward derivatives are those of step/
 * galerkin_sensitivity.h, which test/gradient/test_constrained_sensitivity.c compares with
 * differences. */
#include "../gradient/differences.h"
#include "../gradient/random_chain.h"

#include "adjoint/adjoint.h"
#include "between/fractional_step.h"
#include "rows/column_list.h"
#include "system/system.h"

enum { PARAMETERS = 7, STARTS = 8, BY = PARAMETERS + STARTS, COLUMNS = 10, ROWS = 7, STEPS = 6 };
static const char        all_columns[] = "x,y,u,v,x.p,v.p,u',y',energy,o";
static const char *const name[COLUMNS] = { "x",    "y",  "u",  "v",      "p(x)",
                                           "p(v)", "u'", "y'", "energy", "o" };
static const char *const by[2][BY] = {
    { "l", "m", "w", "a", "b", "c", "d", "x", "y", "u", "v", "x'", "y'", "u'", "v'" },
    { "l", "m", "w", "a", "b", "c", "d", "x", "y", "u", "v", "p(x)", "p(y)", "p(u)", "p(v)" }
};

typedef struct {
    const char   *scheme;
    int           kind; /* of random_chain */
    quad          h;
    long          every; /* or at the times: */
    double        time[ROWS];
    const double *weight; /* [ROWS][COLUMNS] */
} problem;

static void back(const problem *p, const noe_system *plain, int digits, quad *to)
{
    noe_system  *s = noe_system_adjoint(plain);
    noe_columns *c = s ? noe_column_list_parse(s, all_columns) : NULL;
    if (!c) fail_msg("%s", noe_error());
    noe_adjoint_run x = { .g = integrator(s, p->scheme, p->h, digits),
                          .columns = c,
                          .until = STEPS * p->h,
                          .every = p->every,
                          .time = p->time,
                          .times = p->every ? 0 : ROWS,
                          .memory = 1e9 };
    if (!noe_adjoint_forward_make(&x) || !noe_adjoint_back(&x, p->weight, to, to + PARAMETERS))
        fail_msg("%s: %s", p->scheme, noe_error());
    noe_adjoint_forward_drop(&x);
    noe_integrator_free(x.g);
    noe_system_free(s);
    free(c);
}

static void add_row(const problem *p, noe_integrator *y, const double **weight, quad *to)
{
    for (int i = 0; i < COLUMNS; i++, ++*weight)
        for (int b = 0; b < BY; b++)
            to[b] += **weight * slope(y, name[i], by[p->kind == CHAINS][b]);
}

static void forth(const problem *p, const noe_system *plain, int digits, quad *to)
{
    char list[200] = "";
    for (int b = 0; b < BY; b++) {
        if (b) strcat(list, ", ");
        strcat(list, by[p->kind == CHAINS][b]);
    }
    noe_system *s = noe_system_differentiated(plain, list);
    if (!s) fail_msg("%s", noe_error());
    noe_integrator *g = integrator(s, p->scheme, p->h, digits);
    const double   *weight = p->weight;
    memset(to, 0, BY * sizeof *to);
    if (p->every) add_row(p, g, &weight, to);
    for (int k = 1, r = 0; k <= STEPS; k++) {
        if (!p->every && noe_fractional_step_mark(g)) fail_msg("%s", noe_error());
        steps(g, 1);
        if (p->every && (k % p->every == 0 || k == STEPS)) add_row(p, g, &weight, to);
        for (; !p->every && r < ROWS && p->time[r] <= noe_time(g); r++)
            add_row(p, noe_fractional_step_at(g, p->time[r]), &weight, to);
    }
    noe_integrator_free(g);
    noe_system_free(s);
}

static const char *const of[] = { "simpson", "gauss 2", "lobatto 3", "lobatto 1", "gauss 4" };

static void agree(bool timed)
{
    double weight[ROWS * COLUMNS];
    tightest = 0;
    for (int k = 0; k < 40; k++) {
        problem     p = { of[k % 5],    (k + k / 5) % (CHAINS + 1),
                          (quad)1 / 32, timed ? 0 : 1 + k % 3,
                          { 0 },        weight };
        quad        forward[BY], rounded[BY], exact[BY], fast[BY], grown = 0;
        noe_system *s = random_chain(p.kind);
        for (int r = 0; r < ROWS; r++) p.time[r] = (r + 0.4 + 0.3 * random_number()) / 40;
        p.time[2] = 2.0 / 32;
        for (int i = 0; i < ROWS * COLUMNS; i++) weight[i] = random_number();
        forth(&p, s, 33, forward);
        forth(&p, s, 15, rounded);
        back(&p, s, 33, exact);
        back(&p, s, 15, fast);
        for (int b = 0; b < BY; b++) grown = fmaxq(grown, fabsq(rounded[b] - forward[b]));
        for (int b = 0; b < BY; b++) {
            char       what[99];
            const quad size = 1 + fabsq(forward[b]);
            snprintf(what, sizeof what, "%s by %s, kind %d", p.scheme, by[p.kind == CHAINS][b],
                     p.kind);
            small(exact[b] - forward[b], size, 1e-31, what);
            /* and 10 times what the roundings of a run in double become on the way forward */
            small(fast[b] - forward[b], size + 2e14 * grown, 5e-14, what);
        }
        noe_system_free(s);
    }
    print_message("40 systems; largest error over its bound: %.3g\n", tightest);
}

static void at_steps(void **state)
{
    (void)state;
    agree(false);
}

static void at_times(void **state)
{
    (void)state;
    agree(true);
}

/* J of the plain system with a parameter changed, in binary128. */
static quad J_of(const problem *p, const noe_system *plain, const char *parameter, quad value_of)
{
    noe_system *s = noe_system_with(plain, parameter, (double)value_of);
    if (!s) fail_msg("%s", noe_error());
    noe_integrator *g = integrator(s, p->scheme, p->h, 33);
    const double   *weight = p->weight;
    quad            sum = 0;
    for (int k = 0; k <= STEPS; k++) {
        if (k) steps(g, 1);
        for (int i = 0; i < COLUMNS; i++) sum += *weight++ * value(g, name[i]);
    }
    noe_integrator_free(g);
    noe_system_free(s);
    return sum;
}

/* By the parameters that the model gives as numbers; the start is projected anew for each change,
 * of 2^-21 and less, by which it may miss the constraints. */
static void against_differences(void **state)
{
    static const int given[] = { 0, 1, 2, 3, 6 }; /* l, m, w, a, d */
    double           weight[ROWS * COLUMNS];
    (void)state;
    tightest = 0;
    const int systems = getenv("NOE_LONG") ? 300 : 20;
    for (int k = 0; k < systems; k++) {
        const problem p = { of[k % 5], (k + k / 5) % (CHAINS + 1), (quad)1 / 32, 1, { 0 }, weight };
        quad          exact[BY], D[CHANGES][FOLLOWED_MOST], found;
        noe_system   *s = random_chain(p.kind);
        for (int i = 0; i < ROWS * COLUMNS; i++) weight[i] = random_number();
        back(&p, s, 33, exact);
        for (int i = k % 2; i < 5; i += 2) {
            const char *parameter = by[0][given[i]];
            const quad  from = noe_system_get(s, parameter);
            for (int change = 0; change < CHANGES; change++) {
                const quad e = (quad)0x1p-21 / (1 << change);
                D[change][0] = (J_of(&p, s, parameter, from + e) - J_of(&p, s, parameter, from - e))
                             / (2 * e);
            }
            extrapolate(D, 1, &found);
            small(exact[given[i]] - found, 1 + fabsq(found), 5e-24, parameter);
        }
        noe_system_free(s);
    }
    print_message("%d systems; largest error over its bound: %.3g\n", systems, tightest);
}

static int no_weights(void *ctx, size_t rows, const double *row, double *weight)
{
    (void)ctx, (void)rows, (void)row, (void)weight;
    return 0;
}

static void refused(const char *more, const char *scheme, const char *why)
{
    const noe_gradient_rows rows = { .until = 0.4, .every = 4 };
    char                    text[400];
    snprintf(text, sizeof text,
             "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential 9*y\n"
             "constraint rod: x^2 + y^2 = 1\nstart x = 1\n%s",
             more);
    noe_system *s = parse(text);
    noe_method *m = method(scheme);
    noe_table  *t = noe_gradient_of(s, m, 0.05, &rows, no_weights, NULL);
    if (t || !strstr(noe_error(), why)) fail_msg("expected '%s', not '%s'", why, noe_error());
    noe_error_clear();
    noe_method_free(m);
    noe_system_free(s);
}

static void refusals(void **state)
{
    (void)state;
    refused("event floor: y = -1/2 falling then bounce 1\n", "simpson",
            "constraints and events that change the motion");
    refused("start p(x) = 0\n", "simpson", "velocities of all coordinates, or momenta of all");
    refused("", "compose 6 simpson", "not known for compositions");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(at_steps), cmocka_unit_test(at_times),
                                        cmocka_unit_test(against_differences),
                                        cmocka_unit_test(refusals) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
