/* L -> separable, constant mass, linear, gyroscopic, blocks, cyclic: each verdict both ways.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "found.h"
#include "inspect/properties.h"

/* ---- the library of systems, known from their texts ---- */

static const struct {
    const char *name, *verdicts, *blocks, *cyclic;
    int         nonzeros, cancelled, bandwidth;
} library[] = {
    { "arenstorf", "nynyy", "x y", "", 10, 0, 1 }, /* L_qq 4, x y' - y x' twice 2, masses 2 */
    { "double_pendulum", "nnnyn", "q1 q2", "", 16, 0, 1 },
    { "double_well", "yynyn", "q", "", 2, 0, 0 },
    { "duffing", "yynyn", "x", "", 2, 0, 0 },
    { "elastic_pendulum", "nnnyn", "r q", "", 8, 8, 1 }, /* m (r'^2 + r^2 q'^2)/2 + V(r, q) */
    { "five_link_pendulum", "nnnyn", "q1 q2 q3 q4 q5", "", 100, 0, 4 },
    { "harmonic_oscillator", "yyyyn", "q", "", 2, 0, 0 },
    { "henon_heiles", "yynyn", "x y", "", 6, 0, 1 },
    { "kepler", "yynyn", "x y", "", 6, 0, 1 },
    { "lagrange_top", "nnnyn", "phi theta psi", "phi psi", 10, 0, 2 }, /* 1 + twice 2 + 5 */
    { "lagrange_top_cusps", "nnnyn", "phi theta psi", "phi psi", 10, 0, 2 },
    { "linear_double_pendulum", "yyyyn", "q1 q2", "", 6, 0, 1 },
    { "magnetic", "nyyyy", "x y|z", "z", 7, 0, 1 },
    { "moving_pivot", "nYnnn", "q", "", 4, 0, 0 }, /* m l^2 (cos^2 + sin^2) */
    { "pendulum", "yynyn", "q", "", 2, 0, 0 },
    { "pleiades", "yynyn", "x[1] x[2] x[3] x[4] x[5] x[6] x[7] y[1] y[2] y[3] y[4] y[5] y[6] y[7]",
      "", 210, 0, 13 }, /* 14^2 + 14 */
    { "relativistic", "ynnyn", "x y", "", 8, 0, 1 },
    { "spherical_pendulum", "nnnyn", "theta phi", "phi", 5, 0, 1 }, /* 1 + twice 1 + 2 */
};

static void test_library(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
        char path[64];
        snprintf(path, sizeof path, "systems/%s.lag", library[i].name);
        noe_system     *s = load(path);
        noe_properties *x = find(s, "simpson", (double)suggested_step(s));
        if (strcmp(verdicts_of(x), library[i].verdicts))
            fail_msg("%s: verdicts %s, not %s", path, verdicts_of(x), library[i].verdicts);
        assert_string_equal(blocks_of(x), library[i].blocks);
        assert_string_equal(cyclic_of(x), library[i].cyclic);
        assert_int_equal(x->cyclics > 0, library[i].cyclic[0] != 0);
        if (x->nonzeros != library[i].nonzeros || x->cancelled != library[i].cancelled)
            fail_msg("%s: %d non-zeros and %d cancelled", path, x->nonzeros, x->cancelled);
        assert_int_equal(x->bandwidth, library[i].bandwidth);
        assert_int_equal(x->states, 24);
        assert_int_equal(x->states_regular, 24);
        assert_false(x->functions || x->forces || x->kinks
                     || x->blocks_sampled != (x->cancelled > 100));
        assert_true(x->condition < 100 && x->finite && x->spectral && x->inside);
        noe_properties_free(x);
        noe_system_free(s);
    }
}

/* What holds must hold in the integrator's own tapes, at states near the motion, drawn anew each
 * time. */
static void tapes_law(const noe_system *s, const char *path)
{
    const noe_dynamics *d = &s->dyn;
    noe_properties     *x = find(s, "simpson", (double)suggested_step(s));
    const point         a = random_point(s), b = random_point(s);
    quad                at_a[d->hessian->outputs], at_b[d->hessian->outputs];
    jet_of(d->hessian, d->n, a.t, a.q, a.v, at_a);
    jet_of(d->hessian, d->n, b.t, b.q, b.v, at_b);
    bool mass_moves = false, moves = false, joins = false;
    for (int i = 0; i < d->entries; i++) {
        const noe_entry e = d->entry[i];
        const quad change = fabsq(at_a[e.output] - at_b[e.output]), size = fabsq(at_a[e.output]);
        const bool moved = change > size * 1e-28, none = size <= (quad)1e-28;
        moves |= moved && a.t == b.t;
        mass_moves |= moved && e.kind == NOE_D_PV;
        joins |= e.kind == NOE_D_PQ && !none;
        if (!none && x->block[e.row] != x->block[e.col]) fail_msg("%s: coupled blocks", path);
        if (x->cyclic[e.row] && (e.kind == NOE_D_FQ || e.kind == NOE_D_FV))
            fail_msg("%s: not cyclic", path);
    }
    if (x->constant_mass.holds) assert_false(mass_moves);
    if (x->quadratic.holds) assert_false(moves);
    assert_int_equal(x->separable.holds, !joins);
    noe_properties_free(x);
}

static void test_tapes_agree(void **unused)
{
    (void)unused;
    every_system(tapes_law);
}

/* ---- each verdict both ways ---- */

#define TURN "X = x*cos(3*t) - y*sin(3*t)\nY = x*sin(3*t) + y*cos(3*t)\n"

static const struct {
    const char *text, *verdicts;
} small_models[] = {
    { "coordinate x\nkinetic x'^2/2\npotential x^4", "yynyn" },
    { "coordinate x\nkinetic x'^2/2\npotential x^2", "yyyyn" },
    { "coordinate x\nkinetic x'^2/2\npotential -x", "yyyyn" },
    { "coordinate x\nkinetic (1 + x^2)*x'^2/2", "nnnyn" },
    { "coordinate x\nkinetic x'^2/2 + x'^4", "ynnyn" },
    { "coordinate x\nkinetic x'^2/2\npotential x*cos(t)", "yyynn" }, /* forced, yet linear */
    { "coordinate x\nkinetic exp(t)*x'^2/2\npotential x^2", "ynynn" },
    { "coordinate x\nlagrangian x'^2/2 + t", "yyyyn" },    /* a term of t alone is left out */
    { "coordinate x\nlagrangian x'^2/2 + x*x'", "nyyyn" }, /* x x' = d(x^2/2)/dt: no force */
    { PLANE "lagrangian (x'^2 + y'^2)/2 + x*y' + y*x'", "nyyyn" },
    { PLANE "lagrangian (x'^2 + y'^2)/2 + x*y'", "nyyyy" },
    { PLANE "lagrangian (x'^2 + y'^2)/2 + x^3*y'", "nynyy" },
    { PLANE "kinetic (x'^2 + y'^2)/2 + x*x'*y'", "nnnyn" }, /* L_vq != 0 by the mass alone */
    /* Proved by no expression, seen at every state. */
    { "coordinate x\nkinetic x'^2/2*(sin(x)^2 + cos(x)^2)\npotential x^2", "YYYyn" },
    { "coordinate x\nkinetic x'^2/2\npotential x^2*(sin(t)^2 + cos(t)^2)", "yyyYn" },
    { PLANE TURN "kinetic (X'^2 + Y'^2)/2", "nYyYy" }, /* the Coriolis force */
    { PLANE TURN "kinetic (X'^2 + Y'^2)/2\npotential x^4", "nYnYy" },
    { PLANE "lagrangian (x'^2 + y'^2)/2 + (sin(y)^2 + cos(y)^2)*x*y' + y*x'", "nyYyN" },
    /* The smallest cubic term; the smallest term in t: 1e-20 of the rest is still seen. */
    { "coordinate x\nkinetic x'^2/2*(sin(x)^2 + cos(x)^2)\npotential x^2 + 1e-20*x^3", "YYnyn" },
    { "coordinate x\nkinetic x'^2/2\npotential x^2*(sin(t)^2 + cos(t)^2 + 1e-20*t)", "yyynn" },
    /* At kinks derivatives look constant. */
    { "coordinate x\nkinetic x'^2/2\npotential abs(x)", "yynyn" },
    { "coordinate x\nkinetic x'^2/2\npotential floor(x)", "yynyn" },
    { "coordinate x\nkinetic x'^2/2\npotential x*sign(x)", "yynyn" },
    { "coordinate x\nkinetic x'^2/2\npotential (x mod 2)^2", "yynyn" },
    { "coordinate x\nkinetic x'^2/2\npotential if(0 < x and x < 1, x, 1)", "yynyn" },
    { "coordinate x\nlagrangian x'^2/2 + x'*if(x < 0, 1, 2)", "nynyn" },
    { "coordinate x\nlagrangian x'^2/2 + abs(x')", "ynnyn" },
    { "coordinate x\nkinetic x'^2/2\npotential if(t < 1, x, 2*x)", "yyynn" },
};

static void test_verdicts(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof small_models / sizeof *small_models; i++) {
        noe_properties *x = find_in(small_models[i].text);
        if (strcmp(verdicts_of(x), small_models[i].verdicts))
            fail_msg("%s\nverdicts %s, not %s", small_models[i].text, verdicts_of(x),
                     small_models[i].verdicts);
        noe_properties_free(x);
    }
}

static void test_mass_depends(void **unused)
{
    static const struct {
        const char *text;
        unsigned    has;
    } model[] = {
        { "coordinate x\nkinetic x'^2", 0 },
        { "coordinate x\nkinetic x^2*x'^2", NOE_HAS_Q },
        { "coordinate x\nkinetic x'^4", NOE_HAS_V },
        { "coordinate x\nkinetic t*x'^2", NOE_HAS_T },
        { "coordinate x\nkinetic t*x*x'^3", NOE_HAS_Q | NOE_HAS_V | NOE_HAS_T },
    };
    (void)unused;
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        noe_properties *x = find_in(model[i].text);
        assert_int_equal(x->mass_has, model[i].has);
        noe_properties_free(x);
    }
}

static void test_blocks(void **unused)
{
    static const struct {
        const char *text, *blocks, *cyclic;
        int         bandwidth;
        bool        sampled;
    } model[] = {
        { "coordinate a, b, c, d, e\nkinetic a'^2 + b'^2 + c'^2 + d'^2 + e'^2\n"
          "potential a*c^2 + b*d + e^2",
          "a c|b d|e", "", 2, false },
        { "coordinate a, b, c, d\nkinetic a'^2 + b'^2 + c'^2 + d'^2 + a'*d'\npotential b*c",
          "a d|b c", "a d", 3, false },
        { "coordinate a, b, c\nkinetic a'^2 + b'^2 + c'^2\npotential c^2*b\nlagrangian a*c'^3",
          "a b c", "", 2, false },
        { PLANE "kinetic x'^2 + y'^2\npotential x*y*(sin(x)^2 + cos(x)^2 - 1)", "x|y", "", 0,
          true },
        { PLANE "kinetic x'^2 + y'^2\npotential x*if(y < 0, 1, 2)", "x y", "", 1,
          false }, /* a jump */
        { PLANE "kinetic x'^2 + y'^2\npotential y*if(x < 0, 1, 2)", "x y", "", 1, false },
        { PLANE "kinetic x'^2 + y'^2\npotential abs(x)", "x|y", "y", 0, false },
        { PLANE "kinetic x'^2 + y'^2\npotential x^2 + 0*y", "x|y", "y", 0, false },
    };
    (void)unused;
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        noe_properties *x = find_in(model[i].text);
        assert_string_equal(blocks_of(x), model[i].blocks);
        assert_string_equal(cyclic_of(x), model[i].cyclic);
        assert_int_equal(x->bandwidth, model[i].bandwidth);
        assert_int_equal(x->blocks_sampled, model[i].sampled);
        noe_properties_free(x);
    }
}

/* ---- the mass matrix ---- */

static void test_mass(void **unused)
{
    static const struct {
        const char *text;
        double      condition, bound;
        int         regular;
    } model[] = {
        { PLANE "kinetic x'^2/2 + y'^2/2 + x'*y'/2", 3, 1e-14, 24 },
        { PLANE "kinetic 1e-20*x'^2/2 + 1e20*y'^2/2 + x'*y'/2", 3, 1e-14,
          24 },                                  /* units do not matter */
        { PLANE "kinetic x'*y'", 1, 1e-14, 24 }, /* indefinite, yet regular */
        { PLANE "kinetic x'^2/2 + y'^2/2 + (1 - 1e-10)*x'*y'", 2e10, 1e-6, 24 },
        { PLANE "kinetic (x' + y')^2/2", INFINITY, 0, 0 },
        { "coordinate x, y, z\nkinetic (x' + 2*y')^2/2 + (y' + 0.3*z')^2/2", INFINITY, 0, 0 },
        { PLANE "kinetic x'^2/2 + sin(x)^2*y'^2/2", INFINITY, 0, 24 }, /* singular at x = 0 alone */
        { PLANE "kinetic x'^2/2 + sin(x)^2*y'^2/2\nstart x = 1e-8", 1, 1e-14, 24 },
    };
    (void)unused;
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        noe_properties *x = find_in(model[i].text);
        if (x->condition != model[i].condition)
            small(x->condition - model[i].condition, model[i].condition, model[i].bound,
                  model[i].text);
        assert_int_equal(x->states_regular, model[i].regular);
        noe_properties_free(x);
    }
    noe_system *s = load("systems/spherical_pendulum.lag"), *pole = noe_system_let(s, "theta = 0");
    noe_properties *x = find(pole, "simpson", 0.01);
    assert_true(x->condition == INFINITY && x->states_regular == 24 && x->worst_condition < 2);
    noe_properties_free(x);
    noe_system_free(pole);
    /* A momentum that no velocity has: the start cannot be solved, and that is said without a
     * message. */
    pole = noe_system_let(s, "theta = 0");
    noe_system *pushed = noe_system_let(pole, "p(phi) = 1");
    x = find(pushed, "simpson", 0.01);
    assert_true(x->condition == INFINITY);
    noe_properties_free(x);
    noe_system_free(pushed);
    noe_system_free(pole);
    noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library),  cmocka_unit_test(test_tapes_agree),
        cmocka_unit_test(test_verdicts), cmocka_unit_test(test_mass_depends),
        cmocka_unit_test(test_blocks),   cmocka_unit_test(test_mass),
    };
    print_seed();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("largest part of a bound used: %.2g\n", tightest);
    return failed;
}
