/* Symmetries of a block: the same alone and beside an independent one of any mass and speed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "generators.h"
#include "symmetry/symmetry.h"

#include <math.h>

typedef enum { ATTRACTOR, SPRING, FREE, KINDS } block_kind;

/* Writes a block with the coordinates x and y: L of mass m, and its start of size `far` with about
 * the speed given. */
static void block_text(char *L, char *start, size_t size, block_kind kind, const char *x,
                       const char *y, double m, double far, double speed)
{
    const double w = speed / far, part = 0.6 + 0.3 * random_number();
    int          used = snprintf(L, size, "kinetic %.6g*(%s'^2 + %s'^2)/2\n", m, x, y);
    char        *at = L + used;
    size -= (size_t)used;
    if (kind == ATTRACTOR)
        snprintf(at, size, "potential -%.6g/sqrt(%s^2 + %s^2)\n", m * speed * speed * far, x, y);
    if (kind == SPRING)
        snprintf(at, size, "potential %.6g*(%s^2 + %s^2) + %.6g*(%s^2 + %s^2)^2\n", m * w * w / 2,
                 x, y, m * w * w / 8 / far / far, x, y);
    snprintf(start, size, "start %s = %.6g, %s' = %.6g\n", x, far, y, speed * part);
}

static noe_symmetries *found(const char *text)
{
    noe_error_clear();
    noe_system     *s = noe_system_parse(text);
    noe_symmetries *y = noe_symmetry_find(s);
    if (!y) fail_msg("%s\n%s", text, noe_error());
    noe_system_free(s);
    return y;
}

/* What a generator moves: bit 0 for the coordinates first and first + 1, bit 1 for others, bit 2
 * where it depends on tau, bit 3 where tau depends on t. */
static int moves(const noe_symmetries *s, const noe_symmetry *y, int first)
{
    int found_in = 0;
    for (int a = 0; a < s->terms; a++) {
        const noe_basis_term *z = &s->term[a];
        if (y->coef[a] == 0 || z->kind == NOE_TERM_FT) continue;
        if (z->kind == NOE_TERM_TAU) found_in |= z->k ? 12 : 4;
        else found_in |= z->i >= first && z->i < first + 2 ? 1 : 2;
        if (z->kind == NOE_TERM_A || z->kind == NOE_TERM_FQQ)
            found_in |= z->j >= first && z->j < first + 2 ? 1 : 2;
    }
    return found_in;
}

/* Are the claims for the block alone those for the block beside another one, and no others?
 * follows: the energies of both are functions of their momenta. */
static void compare(const noe_symmetries *alone, const noe_symmetries *both, int first, bool mixed,
                    bool follows, const char *text)
{
    int same = 0, own = 0;
    for (int i = 0; i < both->count; i++) {
        const int at = moves(both, &both->found[i], first);
        if (at & 4 && at & 8) fail_msg("%s%s", text, both->found[i].momentum);
        if ((at & 3) == 3 && !mixed) fail_msg("%s%s", text, both->found[i].momentum);
        if (at == 4 && both->found[i].depends != follows)
            fail_msg("%sthe energy follows %d", text, !follows);
        if (at != 1) continue;
        int hits = 0;
        for (int k = 0; k < alone->count; k++)
            hits += !strcmp(alone->found[k].momentum, both->found[i].momentum);
        if (hits != 1) fail_msg("%s%s is no claim of the block", text, both->found[i].momentum);
        same++;
    }
    for (int k = 0; k < alone->count; k++) own += moves(alone, &alone->found[k], 0) == 1;
    if (same != own) fail_msg("%s%d claims for the block, %d alone", text, same, own);
}

static void test_beside(void **state)
{
    (void)state;
    for (int k = 0; k < 60; k++) {
        const block_kind kind = (block_kind)(k % 3 % KINDS), with = (block_kind)(k / 3 % KINDS);
        char             L[400], start[200], M[400], begin[200], text[1400];
        const double     mass = pow(10, 12 * random_number()), speed = pow(10, 3 * random_number());
        block_text(L, start, sizeof start, kind, "x", "y", 1 + (k % 4) * 0.25, 1.9, 0.7);
        block_text(M, begin, sizeof begin, with, "a", "c", mass, 1 + 0.5 * random_number(), speed);
        snprintf(text, sizeof text, "coordinate x, y\n%s%s", L, start);
        noe_symmetries *alone = found(text);
        const bool      first = k % 2;
        snprintf(text, sizeof text, "coordinate %s\n%s%s%s%s", first ? "x, y, a, c" : "a, c, x, y",
                 first ? L : M, first ? M : L, start, begin);
        noe_symmetries *both = found(text);
        if (kind != FREE || with != FREE) {
            compare(alone, both, first ? 0 : 2, false, false, text);
            assert_int_equal(both->near, 0);
        } else { /* two free particles: translations, boosts, rotations, tau = t, t^2, the energy */
            int exact = 0;
            for (int i = 0; i < both->count; i++) exact += both->found[i].verdict == NOE_EXACT;
            if (both->count != 4 + 4 + 6 + 3 || exact != both->count)
                fail_msg("%s%d, %d exact", text, both->count, exact);
        }
        noe_symmetry_free(alone), noe_symmetry_free(both);
    }
}

/* A constant in V, and a common factor of L, make no difference. */
static void test_constant(void **state)
{
    (void)state;
    static const double factor[] = { 1e-12, 1, 1e12 };
    for (int k = 0; k < 9; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate x, y, Z\nlagrangian %g*((x'^2 + y'^2 + 3*Z'^2)/2 + 1/sqrt(x^2 + y^2) "
                 "+ %g)\nstart x = 1.9, y' = 0.23, Z' = 2\n",
                 factor[k / 3], factor[k % 3] * 1e6);
        const counts c = count(text);
        if (c.strict != 2 || c.gauge != 3 || c.energy != 1 || c.depends + c.near + c.rounding)
            fail_msg("%s%d strict, %d gauge, %d energy, %d follow", text, c.strict, c.gauge,
                     c.energy, c.depends);
        snprintf(text, sizeof text,
                 "coordinate x, y\nlagrangian %g*((x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2) + %g)\n"
                 "start x = 1.9, y' = 0.23\n",
                 factor[k / 3], factor[k % 3] * 1e18);
        const counts d = count(text);
        if (d.strict != 1 || d.gauge != 1 || d.energy != 1 || d.depends + d.near + d.rounding)
            fail_msg("%s%d strict, %d gauge, %d energy, %d follow, %d near", text, d.strict,
                     d.gauge, d.energy, d.depends, d.near);
    }
}

/* A mass on a circle or an ellipse, with and without gravity, beside what nothing couples to it. */
static void test_constrained(void **state)
{
    (void)state;
    for (int k = 0; k < 24; k++) {
        char         L[400], M[400], begin[200], text[1400];
        const double light = pow(10, -6 + 6 * random_number()),
                     mass = pow(10, 6 + 9 * random_number());
        block_text(M, begin, sizeof begin, k / 4 % 2 ? SPRING : FREE, "a", "c", mass, 1,
                   0.5 + 0.3 * random_number());
        snprintf(
            L, sizeof L,
            "kinetic %.6g*(x'^2 + y'^2)/2\npotential %.6g*y\nconstraint ring: x^2 + %s*y^2 = 1\n"
            "start x = 1, y' = 0.7\n",
            light, k & 1 ? 9.81 * light : 0, k & 2 ? "1.3" : "1");
        snprintf(text, sizeof text, "coordinate x, y\n%s", L);
        noe_symmetries *alone = found(text);
        snprintf(text, sizeof text, "coordinate x, y, a, c\n%s%s%s", L, M, begin);
        noe_symmetries *both = found(text);
        /* J^2/2m on a circle without gravity, and (p_a^2 + p_c^2)/2m */
        compare(alone, both, 0, false, k % 4 == 0 && k / 4 % 2 == 0, text);
        if (alone->near || both->near) fail_msg("%s%d, %d near", text, alone->near, both->near);
        assert_int_equal(alone->count, k & 3 ? 1 : 2);
        noe_symmetry_free(alone), noe_symmetry_free(both);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_beside),
                                        cmocka_unit_test(test_constant),
                                        cmocka_unit_test(test_constrained) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
