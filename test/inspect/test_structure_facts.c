/* L -> separable, constant mass, linear, gyroscopic, blocks, cyclic, regular, frequencies.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each verdict both ways. */
#include "failing.h"
#include "laws.h"

#include "inspect/derivative_probe.h"
#include "inspect/properties.h"

static noe_properties *find(const noe_system *s, const char *name, double step)
{
    noe_error_clear();
    noe_method     *m = method(name);
    noe_properties *x = noe_properties_find(s, m, step);
    if (!x) fail_msg("%s", noe_error());
    if (noe_error()) fail_msg("a message is left: %s", noe_error());
    noe_method_free(m);
    return x;
}

static noe_properties *find_in(const char *text)
{
    noe_system     *s = parse(text);
    noe_properties *x = find(s, "simpson", 0.01);
    noe_system_free(s);
    return x;
}

/* "x y|z": the blocks, or the cyclic ones. */
static const char *blocks_of(const noe_properties *x)
{
    static char text[256];
    size_t      at = 0;
    text[0] = 0;
    for (int k = 0; k < x->blocks; k++)
        for (int i = 0, first = 1; i < x->n; i++) {
            if (x->block[i] != k) continue;
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s",
                                   !first ? " "
                                   : k    ? "|"
                                          : "",
                                   x->name[i]);
            first = 0;
        }
    return text;
}

static const char *cyclic_of(const noe_properties *x)
{
    static char text[256];
    size_t      at = 0;
    text[0] = 0;
    for (int i = 0; i < x->n; i++)
        if (x->cyclic[i])
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at ? " " : "", x->name[i]);
    return text;
}

/* Five letters: separable, constant mass, quadratic, autonomous, gyroscopic: y, n; Y, N on
 * sampled states. */
static const char *verdicts_of(const noe_properties *x)
{
    static char    text[6];
    const noe_fact fact[] = { x->separable, x->constant_mass, x->quadratic, x->autonomous,
                              x->gyroscopic };
    for (int i = 0; i < 5; i++) text[i] = "nyNY"[2 * fact[i].sampled + fact[i].holds];
    return text;
}

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
        assert_int_equal(x->regular, 24);
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

#define PLANE "coordinate x, y\n"
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
    { "coordinate x\nlagrangian x'^2/2 + t", "yyynn" },    /* v L_v - L is not constant */
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
        assert_int_equal(x->regular, model[i].regular);
        noe_properties_free(x);
    }
    noe_system *s = load("systems/spherical_pendulum.lag"), *pole = noe_system_let(s, "theta = 0");
    noe_properties *x = find(pole, "simpson", 0.01);
    assert_true(x->condition == INFINITY && x->regular == 24 && x->worst_condition < 2);
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

/* ---- frequencies ---- */

static void near(double x, double y, double bound, int line)
{
    small_at((quad)x - y, fmax(fabs(y), 1e-300), bound, "a frequency", line);
}
#define near(x, y, bound) near(x, y, bound, __LINE__)

static noe_quadratic_spectrum spectrum_in(const char *text, bool equilibrium)
{
    noe_properties *x = find_in(text);
    if (x->equilibrium != equilibrium) fail_msg("%s\nequilibrium: %d", text, x->equilibrium);
    assert_true(x->spectral);
    const noe_quadratic_spectrum s = x->start;
    noe_properties_free(x);
    return s;
}

#define CIRCLE "coordinate r, f\nkinetic (r'^2 + r^2*f'^2)/2\npotential -1/r\n"

static void test_frequencies(void **unused)
{
    (void)unused;
    noe_quadratic_spectrum s = spectrum_in(
        PLANE "kinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2 + (x - y)^2)/2", true);
    near(s.slowest, 1, 2e-14);
    near(s.fastest, sqrt(3), 2e-14);
    assert_true(s.growth == 0 && s.zeros == 0 && s.infinite == 0);
    /* Other units of mass, length and time. */
    s = spectrum_in(PLANE "kinetic 1e-9*(x'^2 + 1e12*y'^2)\n"
                          "potential 1e-15*(x^2 + 1e12*y^2 + (x - 1e6*y)^2)",
                    true);
    near(s.slowest, 1e-3, 2e-14);
    near(s.fastest, 1e-3 * sqrt(3), 2e-14);
    s = spectrum_in(PLANE "kinetic 1e-30*x'^2/2 + 1e30*y'^2/2\n"
                          "potential 1e-30*x^2/2 + 1e30*y^2/2 + x*y/2",
                    true);
    near(s.slowest, sqrt(0.5), 2e-14);
    near(s.fastest, sqrt(1.5), 2e-14);
    /* Hilltop; a moving one; a valley that is not the start. */
    s = spectrum_in("parameter g = 9.81, l = 0.3\ncoordinate q\nkinetic l^2*q'^2/2\n"
                    "potential g*l*(1 - cos(q))\nstart q = pi",
                    true);
    near(s.growth, sqrt(9.81 / 0.3), 2e-14);
    assert_true(s.fastest == 0 && s.slowest == 0 && s.zeros == 0);
    spectrum_in("coordinate q\nkinetic q'^2/2\npotential -cos(q)\nstart q = 3.141592653589793",
                true);
    spectrum_in("coordinate q\nkinetic q'^2/2\npotential -cos(q)\nstart q = 1e-6", false);
    spectrum_in("coordinate q\nkinetic q'^2/2\npotential -cos(q)\nstart q' = 1e-6", false);
    s = spectrum_in("coordinate q\nkinetic q'^2/2\npotential -cos(q)\nstart q = 1.5707963267948966",
                    false);
    assert_true(s.fastest == 0 && s.growth == 0 && s.zeros == 2); /* not sqrt(6e-17) */
    /* A circle in polar coordinates is steady motion; orbits near it close, too: its own
     * frequency. */
    s = spectrum_in(CIRCLE "start r = 4, p(f) = 2", true);
    near(s.fastest, 0.125, 2e-14);
    assert_int_equal(s.zeros, 2);
    spectrum_in(CIRCLE "start r = 4, p(f) = 2.001", false);
    spectrum_in("coordinate x\nkinetic x'^2/2\npotential x*cos(t)", false);
    /* A charge drifts across the fields; one that is pushed by a changing potential A(t). */
    spectrum_in(PLANE "lagrangian (x'^2 + y'^2)/2 - 2*y*x' + 3*x\nstart y' = -1.5", true);
    spectrum_in(PLANE "lagrangian (x'^2 + y'^2)/2 - 2*y*x' + 3*x\nstart y' = 1.5", false);
    spectrum_in("coordinate x\nlagrangian x'^2/2 + t*x' + x\nstart x' = 1", true);
    spectrum_in("coordinate x\nlagrangian x'^2/2 + t*x' - x\nstart x' = 1", false);
    /* x - y has no mass: two l at infinity. */
    s = spectrum_in(PLANE "kinetic (x' + y')^2/2\npotential x^2 + y^2", true);
    near(s.fastest, 1, 2e-14);
    assert_true(s.infinite == 2 && s.zeros == 0 && s.growth == 0);
}

/* A charge on a spring in a magnetic field: l^2 +- i B l + k = 0. */
static void test_gyroscopic_frequencies(void **unused)
{
    (void)unused;
    for (int i = 0; i < 20; i++) {
        char         text[256];
        const double B = 4 * random_number(), k = 2 * random_number();
        snprintf(text, sizeof text,
                 PLANE "kinetic (x'^2 + y'^2)/2\npotential %.17g*(x^2 + y^2)/2\n"
                       "lagrangian %.17g*(x*y' - y*x')/2",
                 k, B);
        const double inside = k + B * B / 4, root = sqrt(fabs(inside));
        /* two roots meet there */
        if (fabs(inside) < 0.01 || fabs(k) < 0.01 || fabs(B) < 0.01) continue;
        const noe_quadratic_spectrum s = spectrum_in(text, true);
        if (inside > 0) {
            near(s.fastest, root + fabs(B) / 2, 1e-13);
            near(s.slowest, fabs(root - fabs(B) / 2), 1e-12);
            assert_true(s.growth == 0);
        } else {
            near(s.growth, root, 1e-13);
            near(s.fastest, fabs(B) / 2, 1e-13);
        }
    }
}

/* u = S x hides the frequencies w in full matrices. */
static void test_hidden_frequencies(void **unused)
{
    (void)unused;
    enum { N = 7 };
    char   text[4096];
    double w[N], fastest = 0, slowest = INFINITY;
    size_t at = (size_t)snprintf(text, sizeof text, "coordinate x1, x2, x3, x4, x5, x6, x7\n");
    for (int i = 0; i < N; i++) {
        w[i] = i ? exp(2 * random_number()) : 0; /* one drifts: a double root, the worst case */
        fastest = fmax(fastest, w[i]), slowest = i ? fmin(slowest, w[i]) : slowest;
        at += (size_t)snprintf(text + at, sizeof text - at, "u%d = 3*x%d", i + 1, i + 1);
        for (int j = 0; j < N; j++)
            at += (size_t)snprintf(text + at, sizeof text - at, " + (%.15f)*x%d", random_number(),
                                   j + 1);
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "\nkinetic u%d'^2/2\npotential (%.17g*u%d)^2/2\n", i + 1, w[i],
                               i + 1);
    }
    noe_properties *x = find_in(text);
    near(x->start.fastest, fastest, 1e-13);
    near(x->start.slowest, slowest, 2e-12);
    assert_true(x->equilibrium && x->quadratic.holds && x->blocks == 1 && x->nonzeros == 2 * N * N);
    assert_true(x->start.zeros == 2 && x->start.growth == 0);
    noe_properties_free(x);
}

/* w^2 = (2 +- sqrt 2) w0^2, and for any ratio of masses (Axioms 13 (2024) 255, section 5). */
static void test_linear_double_pendulum(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/linear_double_pendulum.lag");
    for (int i = 0; i < 5; i++) {
        const double    mu = i ? exp(2 * random_number()) : 1, r = sqrt(1 + 1 / mu), w0 = 2 * M_PI;
        noe_system     *other = noe_system_with(s, "mu", mu);
        noe_properties *x = find(other, "simpson", 0.01);
        near(x->start.fastest, w0 * sqrt(r / (r - 1)), 2e-14);
        near(x->start.slowest, w0 * sqrt(r / (r + 1)), 2e-14);
        if (!i) near(x->start.fastest, w0 * sqrt(2 + sqrt(2)), 2e-14);
        assert_true(!x->equilibrium && x->visited == 0); /* linear: no trial run is needed */
        noe_properties_free(x);
        noe_system_free(other);
    }
    noe_system_free(s);
    s = load("systems/magnetic.lag"); /* charge B/m */
    noe_properties *x = find(s, "simpson", 0.01);
    near(x->start.fastest, 2, 2e-14);
    near(x->start.slowest, 2, 2e-14);
    assert_int_equal(x->start.zeros, 4);
    noe_properties_free(x);
    noe_system_free(s);
}

/* From pi/2 a pendulum shows its frequency only on the way. */
static void test_trial_run(void **unused)
{
    (void)unused;
    noe_system     *s = load("systems/pendulum.lag");
    noe_properties *x = find(s, "simpson", 0.01);
    assert_true(!x->equilibrium && x->start.fastest == 0 && x->visited == 100);
    near(x->fastest_visited, 2 * M_PI, 1e-3); /* it passes the bottom between two steps */
    assert_true(x->fastest == x->fastest_visited);
    noe_properties_free(x);
    noe_system_free(s);
    /* A run that fails ends there: 1/x is reached. */
    s = parse("coordinate x\nkinetic x'^2/2\npotential log(x)\nstart x = 0.1, x' = -1");
    x = find(s, "simpson", 0.03);
    assert_true(x->visited < 100);
    noe_properties_free(x);
    noe_system_free(s);
}

/* ---- the step ---- */

static void test_limits(void **unused)
{
    static const struct {
        const char *method;
        double      edge;
    } known[] = { { "simpson", 2.8284271247461903 },
                  { "lobatto 1", 2 },
                  { "gauss 2", INFINITY },
                  { "midpoint", INFINITY } };
    (void)unused;
    noe_system *s = parse(
        PLANE "kinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2 + (x - y)^2)/2\nstart x = 1");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int k = 0; k < 4; k++) {
            static const double part[] = { 0.5, -0.5, 1.01, -1.01 };
            const double        limit = fmin(known[i].edge, 100) / sqrt(3), h = limit * part[k];
            noe_properties     *x = find(s, known[i].method, h);
            if (x->edge != known[i].edge) near(x->edge, known[i].edge, 4e-16);
            if (x->edge < INFINITY) near(x->stable_step, limit, 2e-14);
            near(x->fine_step, M_PI / (20 * sqrt(3)), 2e-14);
            assert_int_equal(x->inside, k < 2 || known[i].edge == INFINITY);
            /* The integrator says the same. */
            noe_method     *m = method(known[i].method);
            noe_integrator *g = noe_integrator_new(s, m, h);
            double          most = 0;
            for (int steps = 0; steps < 300 && most < 1e6;
                 steps++) /* a step that gains energy is refused */
                most = noe_step(g) ? INFINITY : fmax(most, fabs(noe_get(g, "x")));
            noe_error_clear();
            if ((most > 100) == x->inside)
                fail_msg("%s at %.3g: up to %.3g, said to be %s", x->method, h, most,
                         x->inside ? "inside" : "beyond");
            noe_integrator_free(g);
            noe_method_free(m);
            noe_properties_free(x);
        }
    noe_system_free(s);
}

/* ---- functions in C ---- */

/* (x'^2 + y'^2)/2 + B (x y' - y x')/2 - k (x^2 + y^2)/2 + z'^2/2;  ctx: B, k, what t adds */
static double charge(double t, const double *z, const double *param, double *grad, double *hess,
                     void *ctx)
{
    (void)param;
    const double *c = ctx, B = c[0], k = c[1] + c[2] * t;
    const double  x = z[0], y = z[1], vx = z[3], vy = z[4], vz = z[5];
    if (grad) {
        const double g[6] = { B * vy / 2 - k * x, -B * vx / 2 - k * y, 0,
                              vx - B * y / 2,     vy + B * x / 2,      vz };
        memcpy(grad, g, sizeof g);
    }
    if (hess) {
        memset(hess, 0, 36 * sizeof *hess);
        hess[0] = hess[7] = -k;
        hess[21] = hess[28] = hess[35] = 1;
        hess[4] = hess[24] = B / 2, hess[9] = hess[19] = -B / 2;
    }
    return (vx * vx + vy * vy + vz * vz) / 2 + B * (x * vy - y * vx) / 2 - k * (x * x + y * y) / 2;
}

/* v^2/2 - (1 - cos q), and -c v */
static double hanging(double t, const double *z, const double *param, double *grad, double *hess,
                      void *ctx)
{
    (void)t, (void)param, (void)ctx;
    if (grad) grad[0] = -sin(z[0]), grad[1] = z[1];
    if (hess) hess[0] = -cos(z[0]), hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 - 1 + cos(z[0]);
}

static void friction(double t, const double *z, const double *param, double *f, double *dfdz,
                     void *ctx)
{
    (void)t, (void)param;
    const double c = *(double *)ctx;
    f[0] = -c * z[1];
    if (dfdz) dfdz[0] = 0, dfdz[1] = -c;
}

/* v^2/2 + 1/|q|: not finite at the only start that functions have; or nowhere */
static double attracting(double t, const double *z, const double *param, double *grad, double *hess,
                         void *ctx)
{
    (void)t, (void)param;
    const double r = ctx ? NAN : fabs(z[0]);
    if (grad) grad[0] = -z[0] / (r * r * r), grad[1] = z[1];
    if (hess) hess[0] = 2 / (r * r * r), hess[1] = hess[2] = 0, hess[3] = 1;
    return z[1] * z[1] / 2 + 1 / r;
}

/* (s^2 + c^2) v^2/2 + cos q + s(t)^2 + c(t)^2, L_qv with what rounding leaves of 0 */
static double noisy(double t, const double *z, const double *param, double *grad, double *hess,
                    void *ctx)
{
    (void)param, (void)ctx;
    const double q = z[0], v = z[1], s = sin(q), c = cos(q), m = s * s + c * c,
                 none = 2 * s * c - sin(2 * q);
    if (grad) grad[0] = -s, grad[1] = m * v;
    if (hess) hess[0] = -c, hess[1] = hess[2] = none * v, hess[3] = m;
    return m * v * v / 2 + c + sin(t) * sin(t) + cos(t) * cos(t);
}

/* x'^2/2 + y'^2 - 3 x^2 x' y' + sin(t) y' + x y + cos(x);  force (0, -c x' y) */
static double twin(double t, const double *z, const double *param, double *grad, double *hess,
                   void *ctx)
{
    (void)param, (void)ctx;
    const double x = z[0], y = z[1], u = z[2], v = z[3];
    if (grad) {
        const double g[4] = { -6 * x * u * v + y - sin(x), x, u - 3 * x * x * v,
                              2 * v - 3 * x * x * u + sin(t) };
        memcpy(grad, g, sizeof g);
    }
    if (hess) {
        const double xu = -6 * x * v, xv = -6 * x * u, uv = -3 * x * x;
        const double h[16] = {
            -6 * u * v - cos(x), 1, xu, xv, 1, 0, 0, 0, xu, 0, 1, uv, xv, 0, uv, 2
        };
        memcpy(hess, h, sizeof h);
    }
    return u * u / 2 + v * v - 3 * x * x * u * v + sin(t) * v + x * y + cos(x);
}

static void push(double t, const double *z, const double *param, double *f, double *dfdz, void *ctx)
{
    (void)t, (void)param, (void)ctx;
    f[0] = 0, f[1] = -5 * z[2] * z[1];
    if (dfdz) memset(dfdz, 0, 8 * sizeof *dfdz), dfdz[5] = -5 * z[2], dfdz[6] = -5 * z[1];
}

/* The same L as functions in C and as a text shows the same numbers to a probe. */
static void test_probes_agree(void **unused)
{
    (void)unused;
    noe_error_clear();
    noe_system *s = noe_system_new(2, 0, twin, push, NULL);
    noe_system *m = parse(
        PLANE
        "lagrangian x'^2/2 + y'^2 - 3*x^2*x'*y' + sin(t)*y' + x*y + cos(x)\nforce y = -5*x'*y");
    noe_derivative_probe a, b;
    assert_true(noe_derivative_probe_open(&a, s, 1e-4) && noe_derivative_probe_open(&b, m, 1e-4));
    for (int k = 0; k < 20; k++) {
        const quad t = random_number(), q[2] = { random_number(), random_number() };
        const quad v[2] = { random_number(), random_number() };
        quad       x[a.outputs], y[b.outputs], rounded[b.outputs];
        assert_true(noe_derivative_probe_at(&a, t, q, v, false, x)
                    && noe_derivative_probe_at(&b, t, q, v, false, y));
        assert_true(noe_derivative_probe_at(&b, t, q, v, true, rounded));
        small(x[noe_derivative_probe_L(&a)] - y[noe_derivative_probe_L(&b)], 1, 2e-15, "L");
        for (int i = 0; i < b.outputs; i++) {
            assert_true(rounded[i] == (double)rounded[i]);
            small(rounded[i] - y[i], 10, 1e-15, "rounded");
        }
        for (int i = 0; i < 2; i++) {
            small(x[noe_derivative_probe_r(&a, i)] - y[noe_derivative_probe_r(&b, i)], 10, 1e-9,
                  "r"); /* a difference in t */
            small(x[noe_derivative_probe_F(&a, i)] - y[noe_derivative_probe_F(&b, i)], 10, 2e-15,
                  "F");
        }
        for (int i = 0; i < 16; i++)
            small(x[a.hess[i]] - (b.hess[i] < 0 ? 0 : y[b.hess[i]]), 10, 2e-15, "the Hessian");
        /* L_vq is 0 at rest, though not in motion */
        assert_true(x[a.gyro[1]] == 0 && b.gyro[1] == -1);
        for (int i = 0; i < 8; i++)
            small(x[a.force[i]] - (b.force[i] < 0 ? 0 : y[b.force[i]]), 5, 2e-15,
                  "the force's derivatives");
    }
    noe_derivative_probe_close(&a);
    noe_derivative_probe_close(&b);
    noe_system_free(s);
    noe_system_free(m);
    /* Functions are rounded like sums: L_q = e^q. */
    m = parse("coordinate q\nkinetic q'^2/2\npotential -exp(q)");
    const quad q = 0.3, v = 0;
    quad       y[16];
    assert_true(noe_derivative_probe_open(&b, m, 1) && b.outputs <= 16
                && noe_derivative_probe_at(&b, 0, &q, &v, true, y));
    assert_true(y[noe_derivative_probe_F(&b, 0)] == exp(0.3));
    noe_derivative_probe_close(&b);
    noe_system_free(m);
}

static void test_functions(void **unused)
{
    (void)unused;
    double          c[3] = { 1.5, 2, 0 };
    noe_system     *s = noe_system_new(3, 0, charge, NULL, c);
    noe_properties *x = find(s, "simpson", 0.1);
    assert_string_equal(verdicts_of(x), "NYYYY");
    assert_string_equal(blocks_of(x), "x.1 x.2|x.3");
    assert_string_equal(cyclic_of(x), "x.3");
    assert_true(x->functions && x->blocks_sampled && x->equilibrium && x->regular == 24
                && x->nonzeros == 9);
    near(x->start.fastest, sqrt(2 + 0.5625) + 0.75, 2e-14);
    near(x->start.slowest, sqrt(2 + 0.5625) - 0.75, 2e-14);
    noe_properties_free(x);
    c[0] = 0, c[2] = 1e-6;
    x = find(s, "simpson", 0.1);
    assert_string_equal(verdicts_of(x), "YYYNN");
    assert_string_equal(blocks_of(x), "x.1|x.2|x.3");
    noe_properties_free(x);
    noe_system_free(s);

    s = noe_system_new(1, 0, hanging, friction, c);
    c[0] = 0.8; /* l = -0.4 +- i sqrt(1 - 0.16) */
    x = find(s, "simpson", 0.1);
    assert_string_equal(verdicts_of(x), "YYNYN");
    near(x->start.fastest, sqrt(0.84), 2e-14);
    assert_true(x->forces && x->equilibrium && x->start.growth == 0);
    noe_properties_free(x);
    noe_system_free(s);

    s = noe_system_new(1, 0, noisy, NULL, NULL);
    x = find(s, "simpson", 0.1);
    assert_string_equal(verdicts_of(x), "YYNYN");
    assert_true(x->nonzeros == 2 && x->cancelled == 2);
    noe_properties_free(x);
    noe_system_free(s);

    s = noe_system_new(1, 2, attracting, NULL, NULL);
    x = find(s, "simpson", 0.1);
    assert_true(!x->finite && !x->spectral && !x->equilibrium && x->condition == 1
                && x->regular == 24);
    assert_string_equal(verdicts_of(x), "YYNYN");
    noe_properties_free(x);
    noe_system_free(s);
}

/* ---- text ---- */

static char *written(const noe_properties *x, void write(const noe_properties *, FILE *))
{
    char  *text;
    size_t length;
    FILE  *f = open_memstream(&text, &length);
    write(x, f);
    fclose(f);
    return text;
}

/* Brackets match outside strings, and no number is nan or inf. */
static void assert_json(const char *p)
{
    char open[32];
    int  depth = 0;
    for (bool string = false; *p; p++) {
        if (*p == '"') string = !string;
        if (string) continue;
        if (*p == '{' || *p == '[') open[depth++] = *p;
        if (*p == '}' || *p == ']') assert_true(depth > 0 && open[--depth] == *p - 2);
        if (strchr("}]", *p) && p[-1] == ',') fail_msg("a comma before %s", p);
        assert_false(!strncmp(p, "nan", 3) || !strncmp(p, "inf", 3));
    }
    assert_int_equal(depth, 0);
}

static void text_law(const noe_system *s, const char *path)
{
    const double    h = (double)suggested_step(s);
    noe_properties *x = find(s, "simpson", h), *y = find(s, "simpson", h);
    char           *text = written(x, noe_properties_text), *json = written(x, noe_properties_json);
    char           *again = written(y, noe_properties_json);
    assert_string_equal(json, again); /* the seed is fixed */
    assert_json(json);
    for (int i = 0; i < x->n && i < 12; i++)
        if (!strstr(text, x->name[i]) || !strstr(json, x->name[i]))
            fail_msg("%s: %s is not named", path, x->name[i]);
    for (const char *p = text; *p; p = strchr(p, '\n') + 1)
        if (p[19] != ' ' || p[20] == ' ' || strcspn(p, "\n") > 160)
            fail_msg("%s: a line not aligned:\n%s", path, p);
    free(text);
    free(json);
    free(again);
    noe_properties_free(x);
    noe_properties_free(y);
}

static void test_text(void **unused)
{
    static const struct {
        const char *text, *print[3], *json;
    } model[] = {
        { "coordinate q\nkinetic q'^2/2\npotential 2*q^2",
          { "equations           linear, L is quadratic", "start               an equilibrium",
            "2 radians per unit time: fastest period 3.14159" },
          "\"equilibrium\": true" },
        { "coordinate q\nkinetic q'^2/2*(sin(q)^2 + cos(q)^2)\npotential -cos(q)\nstart q = pi",
          { "constant on sampled states", "growth              1 per unit time: unstable",
            "not known: nothing oscillates" },
          "\"constant_mass\": {\"holds\": true, \"sampled\": true}" },
        { PLANE "kinetic (x' + y')^2/2\npotential 1e6*(x - y)^2 + abs(x)",
          { "mass at the start   singular", "mass elsewhere      nonsingular at 0 of 24",
            "kinks               abs" },
          "\"singular\": true" },
        { PLANE "kinetic 1e-6*(x'^2 + y'^2)\npotential x^2 + y^2",
          { "{x} {y}: each moves independently", "BEYOND IT", "1000 radians per unit time" },
          "\"inside\": false" },
    };
    (void)unused;
    every_system(text_law);
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        noe_properties *x = find_in(model[i].text);
        char *text = written(x, noe_properties_text), *json = written(x, noe_properties_json);
        for (int k = 0; k < 3; k++)
            if (!strstr(text, model[i].print[k]))
                fail_msg("'%s' is not in\n%s", model[i].print[k], text);
        if (!strstr(json, model[i].json)) fail_msg("'%s' is not in\n%s", model[i].json, json);
        assert_json(json);
        free(text);
        free(json);
        noe_properties_free(x);
    }
}

/* ---- refusals ---- */

static void test_refusals(void **unused)
{
    (void)unused;
    noe_error_clear();
    noe_system *s = parse("coordinate x\nkinetic x'^2/2");
    noe_method *m = method("simpson");
    assert_null(noe_properties_find(NULL, m, 1));
    assert_null(noe_properties_find(s, NULL, 1));
    noe_properties_free(NULL);
    noe_properties_text(NULL, stdout);
    noe_properties_json(NULL, stdout);
    assert_null(noe_error());
    for (int i = 0; i < 3; i++) {
        noe_error_clear();
        assert_null(noe_properties_find(s, m, i == 0 ? 0 : i == 1 ? NAN : INFINITY));
        assert_non_null(strstr(noe_error(), "the step is"));
    }
    noe_system_free(s);
    noe_error_clear();
    int nowhere = 1;
    s = noe_system_new(1, 0, attracting, NULL, &nowhere);
    assert_null(noe_properties_find(s, m, 1));
    assert_non_null(strstr(noe_error(), "not finite"));
    noe_system_free(s);
    noe_error_clear();
    s = parse("coordinate x\nkinetic sqrt(-1 - x^2)*x'^2/2");
    assert_null(noe_properties_find(s, m, 1));
    assert_non_null(strstr(noe_error(), "not finite"));
    noe_system_free(s);
    noe_error_clear();
    /* Where only a small neighbourhood of the start is good, states are drawn there. */
    s = parse("coordinate x\nkinetic x'^2/2\npotential sqrt(1e-6 - (x - 1)^2)\nstart x = 1");
    noe_properties *x = noe_properties_find(s, m, 1);
    assert_true(x && x->states == 24);
    noe_properties_free(x);
    noe_system_free(s);
    noe_method_free(m);
}

static void test_memory(void **unused)
{
    (void)unused;
    noe_system     *s = load("systems/lagrange_top.lag");
    noe_method     *m = method("simpson");
    noe_properties *x = NULL;
    for (long k = 0; !x; k++) {
        noe_error_clear();
        calls_left = k;
        x = noe_properties_find(s, m, 0.0005);
        calls_left = -1;
        if (!x && (!noe_error() || !strstr(noe_error(), "memory")))
            fail_msg("call %ld failed without a message", k);
        assert_true(k < 10000);
    }
    noe_properties_free(x);
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_tapes_agree),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_mass_depends),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_frequencies),
        cmocka_unit_test(test_gyroscopic_frequencies),
        cmocka_unit_test(test_hidden_frequencies),
        cmocka_unit_test(test_linear_double_pendulum),
        cmocka_unit_test(test_trial_run),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_probes_agree),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory),
    };
    print_seed();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("largest part of a bound used: %.2g\n", tightest);
    return failed;
}
