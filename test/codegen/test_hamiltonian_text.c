/* show --hamiltonian: its text runs, and has the L of the model, for every system of the library.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expressions.h"
#include "job/verbs.h"
static int seen, refused, resized;

/* |L' - L| of the text's system at a point, and of their derivatives. */
static void law(const noe_system *s, const char *path)
{
    if (s->changes) { /* its text is that of more coordinates */
        resized++;
        return;
    }
    char *text = noe_hamiltonian_text(s);
    if (!text) {
        assert_non_null(strstr(noe_error(), "no Hamiltonian as text"));
        noe_error_clear();
        refused++;
        return;
    }
    noe_system *other = noe_system_parse(text);
    if (!other) fail_msg("%s: %s\n%s", path, noe_error(), text);
    const int    n = s->dyn.n;
    const point  x = random_point(s);
    const size_t outputs = (size_t)s->dyn.gradient->outputs;
    quad         a[outputs], b[outputs];
    assert_int_equal(other->dyn.n, n);
    assert_int_equal(other->dyn.gradient->outputs, outputs);
    assert_true(other->model->hamiltonian.given);
    jet_of(s->dyn.gradient, n, x.t, x.q, x.v, a);
    jet_of(other->dyn.gradient, n, x.t, x.q, x.v, b);
    quad scale[2] = { 1, 1 };
    for (size_t i = 0; i < outputs; i++)
        scale[i / (size_t)n] = fmaxq(scale[i / (size_t)n], fabsq(a[i]));
    for (size_t i = 0; i < outputs; i++) small(a[i] - b[i], scale[i / (size_t)n], 1e-31, path);
    seen++;
    noe_system_free(other);
    free(text);
}

static void test_systems(void **state)
{
    (void)state;
    every_system(law);
    printf("%d systems, %d more have none, %d are too large\n", seen, refused, resized);
    assert_true(seen >= 25);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_systems) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
