/* Redundant constraints: the motion without them, forces of least norm, loops in space.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrator.h"
#include "constraint/constraint_point.h"

static int left_out(const noe_integrator *g)
{
    const int m = g->system->dyn.constraints;
    quad      apart[m];
    int       count = 0;
    g->engine->get(g->work, NOE_AT_LEFT_OUT, 0, apart);
    for (int a = 0; a < m; a++) count += apart[a] == 1;
    return count;
}

/* ---- Bennett's linkage ---- */

/* Two rods with tips that turn about the ground's axes, and the coupler between them: 12
 * coordinates, 14 constraints, one degree of freedom. */
#define BENNETT                                                                                \
    "parameter alpha = %.17g, a = 1, b = %.17g, angle = %.17g\n"                               \
    "parameter beta = asin(b*sin(alpha)/a), K = sin((beta + alpha)/2)/sin((beta - alpha)/2)\n" \
    "parameter turn = 2*atan(K/tan(angle/2))\n"                                                \
    "u1 = (0, 0, 1)\nu4 = (0, sin(beta), cos(beta))\nP1 = (0, 0, 0)\nP4 = (-b, 0, 0)\n"        \
    "d1 = (cos(angle), sin(angle), 0)\nw2 = cos(alpha)*u1 + sin(alpha)*cross(d1, u1)\n"        \
    "d2 = cos(turn)*d1 + sin(turn)*cross(w2, d1)\n"                                            \
    "w3 = cos(beta)*w2 + sin(beta)*cross(d2, w2)\n"                                            \
    "coordinate vector P2, u2, P3, u3\n"                                                       \
    "kinetic (dot(P2', P2') + 0.3*dot(u2', u2') + 2*dot(P3', P3') + 0.4*dot(u3', u3'))/2\n"    \
    "potential 2*P2.x + 3*P3.y\n"                                                              \
    "constraint unit2: norm(u2) = 1\nconstraint unit3: norm(u3) = 1\n"                         \
    "constraint l12: norm(P2 - P1) = a\nconstraint l23: norm(P3 - P2) = b\n"                   \
    "constraint l34: norm(P4 - P3) = a\n"                                                      \
    "constraint n12: dot(u1, P2 - P1) = 0\nconstraint m12: dot(u2, P2 - P1) = 0\n"             \
    "constraint n23: dot(u2, P3 - P2) = 0\nconstraint m23: dot(u3, P3 - P2) = 0\n"             \
    "constraint n34: dot(u3, P4 - P3) = 0\nconstraint m34: dot(u4, P4 - P3) = 0\n"             \
    "constraint t12: dot(u1, u2) = cos(alpha)\nconstraint t23: dot(u2, u3) = cos(beta)\n"      \
    "constraint t34: dot(u3, u4) = cos(alpha)\n"                                               \
    "start P2 = a*d1, u2 = w2, P3 = a*d1 + b*d2, u3 = w3\n"                                    \
    "start P2' = %.17g*(-sin(angle), cos(angle), 0)\n"

/* Bennett's relation tan(theta1/2) tan(theta2/2) = sin((beta + alpha)/2)/sin((beta - alpha)/2) of
 * the angles at two joints (G. T. Bennett, A new mechanism, Engineering 76, 1903), and all 14
 * constraints, while the linkage turns. */
static void test_bennett(void **unused)
{
    (void)unused;
    char         text[4000];
    const double alpha = 0.6 + 0.1 * random_number(), b = 1.3 + 0.1 * random_number(),
                 angle = 1.5 + 0.5 * random_number(), spin = 2 + 0.5 * random_number(),
                 beta = asin(b * sin(alpha)), K = sin((beta + alpha) / 2) / sin((beta - alpha) / 2);
    snprintf(text, sizeof text, BENNETT, alpha, b, angle, spin);
    static const char *const name[] = { "simpson", "gauss 3", "lobatto 1" };
    for (int k = 0; k < 3; k++) {
        noe_system           *s = parse(text);
        noe_integrator       *g = integrator(s, name[k], k == 2 ? 0.0025 : 0.01, 15);
        noe_constraint_point *x = noe_constraint_point_new(&s->dyn);
        char                  said[600];
        quad                  q[12], v[12];
        assert_int_equal(left_out(g), 3);
        assert_int_equal(noe_redundant_constraints_name(g, said, sizeof said), 3);
        if (!strstr(said, "3 of 14 constraints follow from the others (")) fail_msg("%s", said);
        for (int i = 0; i < 30; i++) {
            steps(g, 10);
            noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_V, v);
            noe_constraint_point_at(x, 0, q, v, 1e-20);
            for (int a = 0; a < 14; a++) small(x->g[a], 1, 1e-13, "constraint");
            for (int a = 0; a < 14; a++) small(x->hidden[a], spin, 1e-12, "its rate");
            const quad   d[] = { (q[6] - q[0]) / b, (q[7] - q[1]) / b, (q[8] - q[2]) / b };
            const quad   cross[] = { q[1] * d[2] - q[2] * d[1], q[2] * d[0] - q[0] * d[2],
                                     q[0] * d[1] - q[1] * d[0] };
            const double one = (double)atan2q(q[1], q[0]),
                         two = (double)atan2q(q[3] * cross[0] + q[4] * cross[1] + q[5] * cross[2],
                                              q[0] * d[0] + q[1] * d[1] + q[2] * d[2]);
            /* sin sin - K cos cos: without poles */
            small(sin(one / 2) * sin(two / 2) - K * cos(one / 2) * cos(two / 2), K, 1e-12,
                  "Bennett's relation");
        }
        assert_true(isfinite(noe_get(g, "l23.force")));
        noe_constraint_point_free(x);
        noe_integrator_free(g), noe_system_free(s);
    }
}

/* ---- random loops with constraints that follow from others ---- */

enum { POINTS = 5 };

/* A chain of POINTS points in space from the origin, closed by random rods; `more` constraints are
 * combinations c (rod_i) + d (rod_j) of two rods, squared lengths.  null [more][2] = c, d. */
static int random_loop(char *text, int more, int pair[][2], double null[][2])
{
    double at[POINTS][3];
    int    rods = 0;
    char  *to = text, rod[3 * POINTS][200];
    to += sprintf(to, "coordinate vector r[1..%d]\n", POINTS);
    to += sprintf(to, "kinetic sum(i in 1..%d) (1 + 0.2*i)*dot(r[i]', r[i]')/2\n", POINTS);
    to += sprintf(to, "potential sum(i in 1..%d) 3*r[i].y\n", POINTS);
    for (int i = 0; i < POINTS; i++)
        for (int d = 0; d < 3; d++) at[i][d] = (d == 0) * (i + 1) + 0.7 * random_number();
    for (int i = 0; i < POINTS; i++)
        for (int j = i - 1; j >= i - 2 && j >= -1; j--) {
            double length = 0;
            if (j < i - 1 && (j < 0 || random_number() < 0)) continue;
            for (int d = 0; d < 3; d++) {
                const double other = j < 0 ? 0 : at[j][d];
                length += (at[i][d] - other) * (at[i][d] - other);
            }
            if (j < 0) sprintf(rod[rods++], "(dot(r[1], r[1]) - %.17g)", length);
            else
                sprintf(rod[rods++], "(dot(r[%d] - r[%d], r[%d] - r[%d]) - %.17g)", i + 1, j + 1,
                        i + 1, j + 1, length);
        }
    for (int a = 0; a < rods; a++) to += sprintf(to, "constraint rod%d: %s = 0\n", a, rod[a]);
    for (int k = 0; k < more; k++) {
        pair[k][0] = (int)(rods / 2. * (1 + random_number())) % rods;
        pair[k][1] = (pair[k][0] + 1) % rods;
        null[k][0] = 1.5 + random_number(), null[k][1] = 2 * random_number();
        to += sprintf(to, "constraint more%d: %.17g*%s + %.17g*%s = 0\n", k, null[k][0],
                      rod[pair[k][0]], null[k][1], rod[pair[k][1]]);
    }
    for (int i = 0; i < POINTS; i++)
        to += sprintf(to, "start r[%d] = (%.17g, %.17g, %.17g), r[%d]' = (%.17g, %.17g, %.17g)\n",
                      i + 1, at[i][0], at[i][1], at[i][2], i + 1, random_number(), random_number(),
                      random_number());
    return rods;
}

/* The motion, the sum of the forces, and forces of least norm: sum_a S_aa lambda_a n_a = 0 for the
 * combinations G^T n = 0 that were put in. */
static void test_loops(void **unused)
{
    (void)unused;
    enum { N = 3 * POINTS, MORE = 2 };
    for (int k = 0; k < 6; k++) {
        char      text[8000], plain[8000];
        int       pair[MORE][2];
        double    null[MORE][2];
        const int rods = random_loop(text, MORE, pair, null);
        strcpy(plain, text);
        char *cut = strstr(plain, "constraint more"), *rest = strstr(plain, "start r[1]");
        memmove(cut, rest, strlen(rest) + 1);
        noe_system     *s[2] = { parse(text), parse(plain) };
        noe_integrator *g[2];
        quad            q[2][N], v[2][N], force[2][N] = { 0 };
        const char     *name = k % 2 ? "gauss 3" : "simpson";
        for (int i = 0; i < 2; i++) {
            g[i] = integrator(s[i], name, 0.01, 15);
            assert_int_equal(left_out(g[i]), i ? 0 : MORE);
            steps(g[i], 50);
            noe_integrator_state_get(g[i], NOE_AT_Q, q[i]);
            noe_integrator_state_get(g[i], NOE_AT_V, v[i]);
        }
        quad size = 0, speed = 0;
        for (int j = 0; j < N; j++)
            size = fmaxq(size, fabsq(q[1][j])), speed = fmaxq(speed, fabsq(v[1][j]));
        for (int j = 0; j < N; j++) {
            small(q[0][j] - q[1][j], size, 1e-9, "position");
            small(v[0][j] - v[1][j], speed, 1e-8, "velocity");
        }
        quad lambda[2][rods + MORE], most = 0, worst = 0;
        for (int i = 0; i < 2; i++) { /* at the same state */
            noe_constraint_point *x = noe_constraint_point_new(&s[i]->dyn);
            noe_redundant_constraints_at(g[i], x, 0, q[1], v[1], 1e-30);
            noe_constraint_point_multipliers(x, lambda[i]);
            for (int a = 0; a < x->m; a++)
                for (int j = 0; j < N; j++) force[i][j] += x->G[a * N + j] * lambda[i][a];
            for (int c = 0; c < MORE && !i; c++) {
                const int one = pair[c][0], two = pair[c][1], all = rods + c;
                quad      term[] = { x->S[one * (x->m + 1)] * lambda[0][one] * null[c][0],
                                     x->S[two * (x->m + 1)] * lambda[0][two] * null[c][1],
                                     -x->S[all * (x->m + 1)] * lambda[0][all] };
                small(term[0] + term[1] + term[2], fabsq(term[0]) + fabsq(term[1]) + fabsq(term[2]),
                      1e-12, "least norm");
            }
            bool unique[rods + MORE];
            noe_constraint_point_unique(x, unique);
            for (int a = 0; a < x->m; a++) {
                bool in = a >= rods;
                for (int c = 0; c < MORE; c++) in = in || a == pair[c][0] || a == pair[c][1];
                assert_int_equal(unique[a], i || !in);
            }
            noe_constraint_point_free(x);
        }
        for (int j = 0; j < N; j++)
            most = fmaxq(most, fabsq(force[1][j])),
            worst = fmaxq(worst, fabsq(force[0][j] - force[1][j]));
        small(worst, most, 1e-12, "forces");
        for (int i = 0; i < 2; i++) noe_integrator_free(g[i]), noe_system_free(s[i]);
    }
}

/* A run that goes on from its memory leaves the same constraints out, and has the same bits. */
static void test_memory(void **unused)
{
    (void)unused;
    char            text[8000];
    int             pair[1][2];
    double          null[1][2];
    size_t          bytes;
    const int       rods = random_loop(text, 1, pair, null);
    noe_system     *s = parse(text);
    noe_integrator *one = integrator(s, "simpson", 0.01, 15),
                   *two = integrator(s, "simpson", 0.01, 15);
    quad none[rods + 1];
    for (int a = 0; a <= rods; a++) none[a] = 0;
    steps(one, 7);
    two->engine->set(two->work, NOE_AT_LEFT_OUT, 0, none);
    const void *memory = one->engine->memory(one->work, &bytes);
    assert_true(noe_integrator_start_restore(two, memory, bytes));
    steps(one, 20), steps(two, 20);
    assert_memory_equal(noe_q(one), noe_q(two), (size_t)s->dyn.n * sizeof(double));
    noe_integrator_free(one), noe_integrator_free(two);
    noe_system_free(s);
}

/* A planar four-bar linkage of bodies in space with hinges: three more constraints than it needs,
 * and the motion of the same bars in the plane. */
static void test_planar(void **unused)
{
    (void)unused;
    char         text[2][4000];
    const double ground = 2 + 0.2 * random_number(), crank = 0.8 + 0.1 * random_number(),
                 first = 1.2 + 0.3 * random_number(), spin = 1 + 0.5 * random_number(), coupler = 2,
                 rocker = 1.6;
    /* The other end of the rocker, from the two circles. */
    const double ax = crank * cos(first), ay = crank * sin(first), ex = ground - ax, ey = -ay,
                 D = sqrt(ex * ex + ey * ey),
                 along = (coupler * coupler - rocker * rocker + D * D) / (2 * D),
                 up = sqrt(coupler * coupler - along * along), bx = ax + (along * ex - up * ey) / D,
                 by = ay + (along * ey + up * ex) / D;
    const double angle[] = { first, atan2(by - ay, bx - ax), atan2(by, bx - ground) },
                 length[] = { crank, coupler, rocker },
                 at[][2] = { { ax / 2, ay / 2 },
                             { (ax + bx) / 2, (ay + by) / 2 },
                             { (ground + bx) / 2, by / 2 } };
    char *to = text[0], *flat = text[1];
    for (int i = 0; i < 3; i++) {
        to += sprintf(to, "body b%d: mass = %d, inertia = (0.3, 0.4, 0.5)\n", i, i + 1);
        to += sprintf(to, "point A%d on b%d = (%.17g, 0, 0)\npoint B%d on b%d = (%.17g, 0, 0)\n", i,
                      i, -length[i] / 2, i, i, length[i] / 2);
        to += sprintf(
            to, "start b%d.attitude = rotation((0, 0, 1), %.17g), b%d.r = (%.17g, %.17g, 0)\n", i,
            angle[i], i, at[i][0], at[i][1]);
        to += sprintf(to, "potential %d*3*b%d.r.y\n", i + 1, i);
        flat += sprintf(flat, "coordinate x%d, y%d, f%d\n", i, i, i);
        flat += sprintf(flat, "kinetic %d/2*(x%d'^2 + y%d'^2) + 0.25*f%d'^2\npotential %d*3*y%d\n",
                        i + 1, i, i, i, i + 1, i);
        flat += sprintf(flat, "start x%d = %.17g, y%d = %.17g, f%d = %.17g\n", i, at[i][0], i,
                        at[i][1], i, angle[i]);
    }
    to += sprintf(to, "start b0.omega = (0, 0, %.17g)\n", spin);
    flat += sprintf(flat, "start f0' = %.17g\n", spin);
    const char *const joint[][2] = { { "A0", "(0, 0, 0)" }, { "B0", "A1" }, { "B1", "B2" } };
    const int         turns[][2] = { { 0, -1 }, { 0, 1 }, { 1, 2 } };
    for (int k = 0; k < 3; k++) {
        to += sprintf(to, "constraint joint%d: %s = %s\n", k, joint[k][0], joint[k][1]);
        for (int axis = 1; axis <= 2 && turns[k][1] >= 0; axis++)
            to += sprintf(to, "constraint hinge%d%d: dot(b%d.e3, b%d.e%d) = 0\n", k, axis,
                          turns[k][0], turns[k][1], axis);
        if (turns[k][1] < 0)
            to += sprintf(to, "constraint ground1: b0.e3.x = 0\nconstraint ground2: b0.e3.y = 0\n");
    }
    to += sprintf(to,
                  "constraint joint3: A2 = (%.17g, 0, 0)\nconstraint last1: b2.e3.x = 0\n"
                  "constraint last2: b2.e3.y = 0\n",
                  ground);
    flat += sprintf(flat,
                    "constraint a: x0 - %.17g*cos(f0) = 0\nconstraint b: y0 - %.17g*sin(f0) = 0\n"
                    "constraint c: x0 + %.17g*cos(f0) = x1 - cos(f1)\n"
                    "constraint d: y0 + %.17g*sin(f0) = y1 - sin(f1)\n"
                    "constraint e: x1 + cos(f1) = x2 + 0.8*cos(f2)\n"
                    "constraint f: y1 + sin(f1) = y2 + 0.8*sin(f2)\n"
                    "constraint g: x2 - 0.8*cos(f2) = %.17g\nconstraint h: y2 - 0.8*sin(f2) = 0\n",
                    crank / 2, crank / 2, crank / 2, crank / 2, ground);
    noe_system     *s[2] = { parse(text[0]), parse(text[1]) };
    noe_integrator *g[2];
    for (int i = 0; i < 2; i++) {
        g[i] = integrator(s[i], "gauss 4", 0.01, 15);
        assert_int_equal(left_out(g[i]), i ? 0 : 3);
        steps(g[i], 30);
    }
    for (int i = 0; i < 3; i++) {
        char name[20];
        snprintf(name, sizeof name, "b%d.r.x", i);
        const double X = noe_get(g[0], name);
        snprintf(name, sizeof name, "x%d", i);
        small(X - noe_get(g[1], name), ground, 1e-9, "x");
    }
    for (int i = 0; i < 2; i++) noe_integrator_free(g[i]), noe_system_free(s[i]);
}

/* ---- what is refused ---- */

static void refused(const char *text, const char *words)
{
    noe_error_clear();
    noe_system     *s = parse(text);
    noe_method     *f = method("simpson");
    noe_integrator *g = noe_integrator_make(s, f, 0.01, 15);
    noe_status      status = noe_integrator_start_ready(g);
    for (int k = 0; k < 20 && !status; k++) status = noe_step(g);
    if (!status || !strstr(noe_error(), words)) fail_msg("'%s' not in '%s'", words, noe_error());
    noe_error_clear();
    noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
}

static void test_refused(void **unused)
{
    (void)unused;
#define PLANE "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
    refused(PLANE "constraint rod: x^2 + y^2 = 1\n"
                  "constraint twice: 2*x^2 + 2*y^2 = 2.00001\nstart x = 1",
            "the constraint 'twice' does not hold");
    refused(PLANE "constraint one: x = t\nconstraint two: x = 2*t\nstart y' = 1",
            "which follows from the others at the start, does not at t = ");
    /* lengths that agree to ten digits do not contradict each other, whatever fails later */
    refused(PLANE "potential y*sqrt(0.05 - t)\nconstraint rod: x^2 + y^2 = 1\n"
                  "constraint twice: 2*x^2 + 2*y^2 = 2.0000000001\nstart x = 1",
            "a value of L or of its derivatives is not finite");
    refused("coordinate x, y, u, v\nkinetic (x'^2 + y'^2 + u'^2 + v'^2)/2\n"
            "constraint crank: x^2 + y^2 = 1\nconstraint coupler: (u - x)^2 + (v - y)^2 = 1\n"
            "constraint rocker: (u - 3)^2 + v^2 = 1\nstart x = 1, u = 2",
            "(a dead point): its force is not determined there");
    refused(PLANE "constraint flat: y = 0\nconstraint parabola: y = x^2\nstart x' = 1",
            "(a dead point): its force is not determined there");
    /* starts at singular places */
    refused(PLANE "constraint rod: sqrt(x^2 + y^2) = 0\nstart x = 0",
            "'rod' or its derivatives are not finite at the start");
    refused(PLANE "constraint cross: x*y = 0\nstart x' = 1",
            "'cross' has the gradient 0 at the start");
    refused(
        "coordinate x, y, s\nkinetic (x'^2 + y'^2 + s'^2)/2\nconstraint crank: x^2 + y^2 = 1\n"
        "constraint rod: (x - s)^2 + y^2 = 1\nstart y = 1, x' = 1", /* crank and rod are equal */
        "'rod' follows from the others at the start, and not near it (a dead point)");
}

/* Constraints that contradict each other after t = 10, and L that is not finite from 0 to 0.5:
 * the failure of one step says nothing of the next one, from another start. */
static void test_two_failures(void **unused)
{
    (void)unused;
    static const char *const name[] = { "simpson", "gauss 3", "lobatto 1" };
    for (int k = 0; k < 6; k++) {
        noe_system     *s = parse(PLANE "constraint one: x = t\n"
                                            "constraint two: x = t + max(t - 10, 0)\n"
                                            "potential y*sqrt(t*(t - 0.5))\n"
                                            "start t = 1, x = 1, x' = 1\n");
        noe_integrator *g = integrator(s, name[k % 3], 0.1, k / 3 ? 33 : 15);
        const double    v[] = { 1, random_number() }, late = 9.95 + random_number() / 40,
                     q[2][2] = { { late, random_number() }, { 0, random_number() } };
        assert_int_equal(noe_start(g, late, q[0], v), NOE_OK);
        assert_int_equal(noe_step(g), NOE_SINGULAR);
        assert_non_null(strstr(noe_error(), "which follows from the others at the start"));
        noe_error_clear();
        assert_int_equal(noe_start(g, 0, q[1], v), NOE_OK);
        assert_int_equal(g->engine->step(g->work), 1);
        assert_int_not_equal(g->engine->why(g->work, 0), NOE_SINGULAR);
        assert_int_equal(noe_step(g), NOE_NOT_FINITE);
        if (strstr(noe_error(), "which follows")) fail_msg("%s", noe_error());
        noe_integrator_free(g), noe_system_free(s);
    }
    noe_error_clear();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bennett), cmocka_unit_test(test_loops),
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_planar),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_two_failures)
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g\n", tightest);
    return failed;
}
