/* Trees of many bodies: a band of equations in any order of the text, the same motion.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrator.h"

#include <math.h>

enum { BODIES = 14, SIZE = 6000 };

/* A tree of bodies, each hung by a joint on one of the two before it, declared in this order. */
typedef struct {
    int    parent[BODIES];               /* -1: the fixed point */
    double at[BODIES][3], to[BODIES][3]; /* centre; from the joint to it */
    double mass[BODIES], gravity[3];
    double inertia[BODIES]; /* a length squared */
} tree;

static tree random_tree(void)
{
    tree x;
    for (int d = 0; d < 3; d++) x.gravity[d] = 10 * (double)random_number();
    for (int i = 0; i < BODIES; i++) {
        x.parent[i] = i < 2 ? i - 1 : i - 1 - (int)(bits() % 2);
        x.mass[i] = 1 + 0.5 * (double)random_number();
        x.inertia[i] = 0.1 + 0.05 * (double)random_number();
        for (int d = 0; d < 3; d++) {
            x.to[i][d] = 0.5 + 0.4 * (double)random_number();
            x.at[i][d] = x.to[i][d]
                       + (x.parent[i] < 0 ? 0 : x.at[x.parent[i]][d] + x.to[x.parent[i]][d]);
        }
    }
    return x;
}

static noe_system *tree_system(const tree *x, const int *order)
{
    static char text[SIZE * 2];
    char       *to = text;
    for (int k = 0; k < BODIES; k++) {
        const int     i = order[k];
        const double *r = x->at[i], *l = x->to[i], J = x->mass[i] * x->inertia[i];
        to += sprintf(to, "body b%d: mass = %.17g, inertia = (%.17g, %.17g, %.17g)\n", i,
                      x->mass[i], J, 1.2 * J, 1.5 * J);
        to += sprintf(to, "point up%d on b%d = (%.17g, %.17g, %.17g)\n", i, i, -l[0], -l[1], -l[2]);
        to += sprintf(to, "point down%d on b%d = (%.17g, %.17g, %.17g)\n", i, i, l[0], l[1], l[2]);
        to += sprintf(to, "start b%d.r = (%.17g, %.17g, %.17g)\n", i, r[0], r[1], r[2]);
        to += sprintf(to, "potential %.17g*dot(b%d.r, (%.17g, %.17g, %.17g))\n", x->mass[i], i,
                      x->gravity[0], x->gravity[1], x->gravity[2]);
    }
    for (int k = 0; k < BODIES; k++) {
        const int i = order[k];
        if (x->parent[i] < 0) to += sprintf(to, "constraint joint%d: up%d = (0, 0, 0)\n", i, i);
        else to += sprintf(to, "constraint joint%d: up%d = down%d\n", i, i, x->parent[i]);
    }
    assert_true(to - text < (long)sizeof text);
    return parse(text);
}

/* The centres after some steps, to [BODIES][3], and what the steps took. */
static double moved(const noe_system *s, const char *method, int digits, double to[BODIES][3])
{
    noe_integrator *g = integrator(s, method, (quad)1 / 100, digits);
    steps(g, 20);
    for (int i = 0; i < BODIES; i++)
        for (int d = 0; d < 3; d++) {
            char name[20];
            snprintf(name, sizeof name, "b%d.r.%c", i, "xyz"[d]);
            to[i][d] = noe_get(g, name);
        }
    const double iterations = noe_get(g, "iterations");
    noe_integrator_free(g);
    return iterations;
}

/* In the order of the tree and in a random one, beside binary128; the band is there in both. */
static void test_order_of_the_text(void **unused)
{
    (void)unused;
    static const char *const method[] = { "simpson", "gauss 2", "lobatto 1", "lobatto 3" };
    for (int k = 0; k < 4; k++) {
        const tree x = random_tree();
        int        order[BODIES];
        double     exact[BODIES][3], at[BODIES][3], worst = 0, iterations[2];
        for (int i = 0; i < BODIES; i++) order[i] = i;
        for (int shuffled = 0; shuffled < 2; shuffled++) {
            for (int i = BODIES - 1; i > 0 && shuffled; i--) {
                const int o = (int)(bits() % (uint64_t)(i + 1)), kept = order[i];
                order[i] = order[o], order[o] = kept;
            }
            noe_system *s = tree_system(&x, order);
            if (!shuffled) moved(s, method[k], 33, exact);
            iterations[shuffled] = moved(s, method[k], 15, at);
            for (int i = 0; i < BODIES; i++)
                for (int d = 0; d < 3; d++) worst = fmax(worst, fabs(at[i][d] - exact[i][d]));
            noe_system_free(s);
        }
        printf("%s: %.2g, %g and %g iterations\n", method[k], worst, iterations[0], iterations[1]);
        small(worst, 10, 4e-15, method[k]);
        assert_true(iterations[0] <= 20 * 8 && iterations[1] <= 20 * 8);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_order_of_the_text) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
