/* What a step can jump over: pulses, kinks and jumps of t, walls and kinks of x.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * |q(T) - true| <= 10 tolerance scale, or refused. */
#include "hidden_forces.h"
#include "accuracy/tolerance.h"

typedef struct {
    int runs, within, silent, refused, advised;
} tally;

static void judge(const problem *p, const noe_system *s, const noe_tolerance_choice *k, quad until,
                  tally *all)
{
    const double e = wrong(p, s, k, until);
    printf("  %-18s w = %8.2Lg to %-6g at %g: %s %8.0f steps, %.2g times the tolerance\n",
           p->is->name, p->w, (double)until, p->tolerance, k->method, k->steps, e);
    all->runs++;
    all->within += e <= 10;
    all->silent += !(e <= 100);
}

static void look(const problem *p, tally *all)
{
    noe_system          *s = noe_system_parse(p->text);
    noe_tolerance_choice k;
    quad                 until = (quad)p->T;
    assert_non_null(s);
    const noe_status status = noe_tolerance_pick(s, until, p->tolerance, 15, 1, NULL, &k);
    if (!status) judge(p, s, &k, until, all);
    else {
        if (status != NOE_NOT_CONVERGED) fail_msg("%s\n%s", p->text, noe_error());
        char        end[40] = "";
        const char *advice = strstr(noe_error(), "--until ");
        printf("  %-18s w = %8.2Lg to %-6g at %g: refused after t = %g%s: %s\n", p->is->name, p->w,
               p->T, p->tolerance, k.reached, advice ? "" : ", no advice", noe_error());
        if (advice) assert_int_equal(sscanf(advice, "--until %39[^,]", end), 1);
        noe_error_clear();
        all->refused++;
        if (advice) { /* what is advised is so */
            assert_true(noe_parse_model_value(s->model, "until", end, &until));
            assert_int_equal(noe_tolerance_pick(s, until, p->tolerance, 15, 1, NULL, &k), NOE_OK);
            judge(p, s, &k, until, all);
            all->advised++;
        }
    }
    fflush(stdout);
    noe_error_clear();
    noe_system_free(s);
}

static double part(void) { return (random_number() + 1) / 2; }

static void what_a_step_can_jump_over_is_met_or_refused(void **state)
{
    (void)state;
    const bool all = getenv("NOE_LONG") != NULL;
    const int  each = all ? EACH : 1;
    tally      t = { 0 };
    print_seed();
    for (int i = 0; i < KINDS; i++)
        for (int k = 0; k < each; k++) {
            problem      p = { .is = &kinds[i], .T = 10 };
            const double thinnest = all ? kinds[i].thinnest
                                        : (kinds[i].thinnest + kinds[i].widest) / 2;
            p.w = powl(10, (real)(thinnest + (kinds[i].widest - thinnest) * part()));
            p.a = (real)(0.2 + part()) * (i < 3 ? 1 / p.w : 1);
            p.b = (real)(3 + 5 * part());
            p.tolerance = k % 2 ? 1e-9 : 1e-6;
            if (k == 0) p.w = roundl(p.w * 1e6L) / 1e6L + 1e-6L, p.b = roundl(p.b * 10) / 10;
            kinds[i].write(&p);
            look(&p, &t);
        }
    printf("%d runs: %d within 10 times, %d above 100 times; %d systems refused, %d of them with "
           "advice\n",
           t.runs, t.within, t.silent, t.refused, t.advised);
    assert_int_equal(t.silent, 0);
    assert_true(t.within >= 0.95 * t.runs);
    assert_true(t.refused < KINDS * each / 2);
    assert_true(t.advised >= t.refused / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_step_can_jump_over_is_met_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
