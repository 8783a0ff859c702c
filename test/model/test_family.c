/* sum(i in 1..3) f(i) = f(1) + f(2) + f(3): texts with families and texts written out, bit for bit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "laws.h"

#include <unistd.h>

/* Pairs of one model: with families, and by hand in the language without them; and, where it has
 * some, the names of its observables, those of the second text behind a bar. */
static const struct {
    const char *name, *family, *plain, *observed;
} pairs[] = {
    { "a chain with held ends",
      "parameter N = 3, k = 2\ncoordinate x[0..N+1]\nfix x[0] = 0, x[N+1] = 1/3\n"
      "kinetic sum(i in 1..N) x[i]'^2/2\npotential sum(i in 0..N) k/2*(x[i+1] - x[i])^4\n"
      "start x[i] = 0.1*i, x[2]' = 1",
      "parameter k = 2\ncoordinate a, b, c\nkinetic a'^2/2 + b'^2/2 + c'^2/2\n"
      "potential k/2*(a - 0)^4 + k/2*(b - a)^4 + k/2*(c - b)^4 + k/2*(1/3 - c)^4\n"
      "start a = 0.1, b = 0.2, c = 0.1*3, b' = 1",
      NULL },
    { "a ring",
      "parameter N = 4\ncoordinate x[0..N-1]\nkinetic sum(i in 0..N-1) x[i]'^2/2\n"
      "potential sum(i in 0..N-1) exp(x[(i+1) mod N] - x[i])\n"
      "start x[i] = sin(i), x[(0-1) mod N]' = 1",
      "coordinate a, b, c, d\nkinetic a'^2/2 + b'^2/2 + c'^2/2 + d'^2/2\n"
      "potential exp(b - a) + exp(c - b) + exp(d - c) + exp(a - d)\n"
      "start a = sin(0), b = sin(1), c = sin(2), d = sin(3), d' = 1",
      NULL },
    { "pairs of bodies, a triangular sum, a list of masses",
      "parameter m[1..3] = (1, 2, 3)\ncoordinate x[1..3], y[1..3]\n"
      "kinetic sum(i in 1..3) m[i]/2*(x[i]'^2 + y[i]'^2)\n"
      "potential -sum(i in 1..3, j in i+1..3) m[i]*m[j]/sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2)\n"
      "start x[i] = i, y[i] = i^2, p(x[i in 2..3]) = 1, y[1]' = 2",
      "parameter a = 1, b = 2, c = 3\ncoordinate x, u, w, y, v, z\n"
      "kinetic a/2*(x'^2 + y'^2) + b/2*(u'^2 + v'^2) + c/2*(w'^2 + z'^2)\n"
      "potential -(a*b/sqrt((x - u)^2 + (y - v)^2) + a*c/sqrt((x - w)^2 + (y - z)^2) + "
      "b*c/sqrt((u - w)^2 + (v - z)^2))\n"
      "start x = 1, u = 2, w = 3, y = 1, v = 4, z = 9, p(u) = 1, p(w) = 1, y' = 2",
      NULL },
    { "a recurrence",
      "parameter n = 3\ncoordinate q[1..n]\nX[0] = 0\nX[i] = X[i-1] + sin(q[i])\n"
      "Y[n] = -cos(q[n])\n"
      "Y[i] = Y[i+1] - cos(q[i])\nkinetic sum(i in 1..n) (X[i]'^2/2 + Y[i]'^2)\n"
      "potential sum(i in 1..n) Y[i]\n"
      "start q[i] = 1",
      "coordinate a, b, c\nA = 0 + sin(a)\nB = A + sin(b)\nC = B + sin(c)\nZ = -cos(c)\n"
      "V = Z - cos(b)\nU = V - cos(a)\n"
      "kinetic A'^2/2 + U'^2 + (B'^2/2 + V'^2) + (C'^2/2 + Z'^2)\npotential U + V + Z\n"
      "start a = 1, b = 1, c = 1",
      NULL },
    { "a moving end",
      "coordinate x[0..2]\nkinetic sum(i in 0..2) x[i]'^2\n"
      "potential sum(i in 1..2) (x[i] - x[i-1])^2*x[i]^2\n"
      "fix x[0] = sin(3*t)\nstart x[i] = 1/2",
      "coordinate a, b\nf = sin(3*t)\nkinetic f'^2 + a'^2 + b'^2\n"
      "potential (a - f)^2*a^2 + (b - a)^2*b^2\n"
      "start a = 1/2, b = 1/2",
      NULL },
    { "forces on all of them",
      "coordinate x[0..2]\nfix x[0] = 0\nkinetic sum(i in 0..2) x[i]'^2\n"
      "potential sum(i in 1..2) (x[i] - x[i-1])^4\n"
      "force x[i] = -i*x[i]' + sin(t)\nforce x[2] = x[0]' + 1\n"
      "dissipation sum(i in 1..2) (x[i]' - x[i-1]')^2/9\n"
      "start x[i] = i",
      "coordinate a, b\nkinetic a'^2 + b'^2\npotential (a - 0)^4 + (b - a)^4\n"
      "force a = -a' + sin(t)\n"
      "force b = -2*b' + sin(t), b = 1\ndissipation (a' - 0)^2/9 + (b' - a')^2/9\n"
      "start a = 1, b = 2",
      NULL },
    { "three coordinates per body, masses by a rule, a sum in a start, sums observed",
      "parameter N = 2, m[i in 0..2] = 3 - i\ncoordinate x[0..N], y[0..N], z[0..N]\n"
      "kinetic sum(i in 0..N) m[i]/2*(x[i]'^2 + y[i]'^2 + z[i]'^2)\n"
      "potential sum(i in 0..N, j in i+1..N) m[i]*m[j]*((x[i] - x[j])^2 + (y[i] - y[j])^2*(z[i] "
      "- z[j])^2)\n"
      "observe Lz = sum(i in 0..N) (x[i]*p(y[i]) - y[i]*p(x[i])), centre = sum(i in 0..N) "
      "m[i]*x[i]/6\n"
      "observe d[i in 1..N] = x[i] - x[i-1], spread = sqrt(sum(i in 0..N) sum(j in 0..N) (x[i] - "
      "y[j])^2)\n"
      "start x[i] = i, y[i] = i^2, z[i] = 1/(i + 1), x[i in 1..N]' = i/2, x[0]' = -sum(i in "
      "1..N) m[i]*i/2/m[0]",
      "parameter a = 3, b = 2, c = 1\ncoordinate x, u, w, y, v, r, z, s, k\n"
      "kinetic a/2*(x'^2 + y'^2 + z'^2) + b/2*(u'^2 + v'^2 + s'^2) + c/2*(w'^2 + r'^2 + k'^2)\n"
      "potential a*b*((x - u)^2 + (y - v)^2*(z - s)^2) + a*c*((x - w)^2 + (y - r)^2*(z - k)^2)"
      " + b*c*((u - w)^2 + (v - r)^2*(s - k)^2)\n"
      "observe Lz = x*p(y) - y*p(x) + (u*p(v) - v*p(u)) + (w*p(r) - r*p(w)), centre = a*x/6 + "
      "b*u/6 + c*w/6\n"
      "observe d1 = u - x, d2 = w - u, spread = sqrt((x - y)^2 + (x - v)^2 + (x - r)^2"
      " + ((u - y)^2 + (u - v)^2 + (u - r)^2) + ((w - y)^2 + (w - v)^2 + (w - r)^2))\n"
      "start u = 1, w = 2, v = 1, r = 4, z = 1, s = 1/2, k = 1/3, u' = 1/2, w' = 1, x' = "
      "-(b*1/2/a + c*2/2/a)",
      "Lz centre d.1 d.2 spread | Lz centre d1 d2 spread" },
    { "two rows of three, rings, a sum inside a sum, a start by the index",
      "parameter n = 3\ncoordinate u[0..2*n-1]\nkinetic sum(i in 0..2*n-1) u[i]'^2/2\n"
      "potential sum(i in 0..1, j in 0..n-1) (1 - cos(u[n*i+j] - u[n*i+(j+1) mod n]))\n"
      "potential sum(i in 0..1) (i + 1)*sum(j in 0..i) u[n*i+j]^4\n"
      "observe row[i in 0..1] = sum(j in 0..n-1) u[n*i+j]*j\n"
      "start u[i] = sin(pi*i/(2*n + 1)), u[(0-1) mod 6]' = 1",
      "coordinate a, b, c, d, e, f\nkinetic a'^2/2 + b'^2/2 + c'^2/2 + d'^2/2 + e'^2/2 + f'^2/2\n"
      "potential (1 - cos(a - b)) + (1 - cos(b - c)) + (1 - cos(c - a)) + (1 - cos(d - e)) + (1 "
      "- cos(e - f)) + (1 - cos(f - d))\n"
      "potential 1*a^4 + 2*(d^4 + e^4)\nobserve r = a*0 + b*1 + c*2, s = d*0 + e*1 + f*2\n"
      "start a = 0, b = sin(pi/7), c = sin(pi*2/7), d = sin(pi*3/7), e = sin(pi*4/7), f = "
      "sin(pi*5/7), f' = 1",
      "row.0 row.1 | r s" },
    { "bodies in space by vectors, a pair sum, forces, friction, a fixed one, vectors observed",
      "parameter m[1..3] = (1, 2, 3), g = (0, 0.5, -9.81)\ncoordinate vector r[0..3]\n"
      "fix r[0] = (t, 0, t^2)\nkinetic sum(i in 1..3) m[i]/2*dot(r[i]', r[i]')\n"
      "potential (sum(i in 0..2, j in i+1..3) 1/norm(r[i] - r[j])) - sum(i in 1..3) m[i]*dot(g, "
      "r[i])\n"
      "force r[2] = cross((0, 0, 2), r[2]') - r[2]'/3, r[1].y = t\n"
      "dissipation dot(r[3]', r[3]')/9\n"
      "start r[i] = (i, -i, i^2), r[i in 1..2]' = (0, 1/i, 0), p(r[3]) = (1, 2, 3), r[1].z = 1/3\n"
      "observe L = sum(i in 1..3) cross(r[i], p(r[i])), d[i] = r[i] - r[i-1]\n",
      "parameter m[1..3] = (1, 2, 3), h = 0.5, g = -9.81\ncoordinate x[0..3], y[0..3], z[0..3]\n"
      "fix x[0] = t, y[0] = 0, z[0] = t^2\n"
      "kinetic sum(i in 1..3) m[i]/2*(x[i]'^2 + y[i]'^2 + z[i]'^2)\n"
      "potential (sum(i in 0..2, j in i+1..3) 1/sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - "
      "z[j])^2))"
      " - sum(i in 1..3) m[i]*(0*x[i] + h*y[i] + g*z[i])\n"
      "force x[2] = 0*z[2]' - 2*y[2]' - x[2]'/3, y[2] = 2*x[2]' - 0*z[2]' - y[2]'/3, z[2] = 0 - "
      "z[2]'/3, y[1] = t\n"
      "dissipation (x[3]'^2 + y[3]'^2 + z[3]'^2)/9\n"
      "start x[i] = i, y[i] = -i, z[i] = i^2, y[i in 1..2]' = 1/i, p(x[3]) = 1, p(y[3]) = 2, "
      "p(z[3]) = 3, z[1] = 1/3\n"
      "observe L = sum(i in 1..3) (y[i]*p(z[i]) - z[i]*p(y[i])), M = sum(i in 1..3) "
      "(x[i]*p(y[i]) - y[i]*p(x[i]))\n"
      "observe d[i] = x[i] - x[i-1], e[i] = z[i] - z[i-1]\n",
      "L.x L.z d.x.2 d[3].z | L M d.2 e[3]" },
    { "a chain of vectors by a recurrence, downwards, too",
      "parameter n = 3\ncoordinate a[1..n], b[1..n]\nR[0] = (0, 0, 0)\n"
      "R[i] = R[i-1] + (sin(a[i])*cos(b[i]), sin(a[i])*sin(b[i]), -cos(a[i]))\n"
      "S[n] = R[n]\nS[i in 1..2] = S[i+1] + cross((1, 2, 3), R[i])\n"
      "kinetic sum(i in 1..n) dot(R[i]', R[i]')/2\n"
      "potential (sum(i in 1..n) R[i].z) + dot(S[1], (0, 1, 0))/9\n"
      "start a[i] = i, b[i] = 1, b[i]' = i\nobserve c = R[2]\n",
      "parameter n = 3\ncoordinate a[1..n], b[1..n]\nX[0] = 0\n"
      "X[i] = X[i-1] + sin(a[i])*cos(b[i])\n"
      "Y[0] = 0\nY[i] = Y[i-1] + sin(a[i])*sin(b[i])\nZ[0] = 0\nZ[i] = Z[i-1] + -cos(a[i])\n"
      "S[n] = Y[n]\nS[i in 1..2] = S[i+1] + (3*X[i] - 1*Z[i])\n"
      "kinetic sum(i in 1..n) (X[i]'^2 + Y[i]'^2 + Z[i]'^2)/2\n"
      "potential (sum(i in 1..n) Z[i]) + S[1]/9\n"
      "start a[i] = i, b[i] = 1, b[i]' = i\nobserve x = X[2], z = Z[2]\n",
      "c.x c.z | x z" },
    { "a chain in space, its sums as they stand",
      "parameter N = 30, m[i in 1..N] = 1 + 1/i\ncoordinate vector r[0..N+1]\n"
      "fix r[0] = (0, 0, 0), r[N+1] = (N + 1, 0, 0)\n"
      "D[i in 0..N] = r[i+1] - r[i]\nkinetic sum(i in 1..N) m[i]/2*dot(r[i]', r[i]')\n"
      "potential sum(i in 0..N) (norm(D[i]) - 1)^2/2\n"
      "start r[i] = (i, sin(i)/9, 0), r[i]' = (0, 0, 1/i)\n"
      "observe centre = sum(i in 1..N) m[i]*r[i], L = sum(i in 1..N) cross(r[i], p(r[i]))\n",
      "parameter N = 30, m[i in 1..N] = 1 + 1/i\ncoordinate x[0..N+1], y[0..N+1], z[0..N+1]\n"
      "fix x[0] = 0, y[0] = 0, z[0] = 0, x[N+1] = N + 1, y[N+1] = 0, z[N+1] = 0\n"
      "kinetic sum(i in 1..N) m[i]/2*(x[i]'^2 + y[i]'^2 + z[i]'^2)\n"
      "potential sum(i in 0..N) (sqrt((x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 + (z[i+1] - z[i])^2) "
      "- 1)^2/2\n"
      "start x[i] = i, y[i] = sin(i)/9, z[i]' = 1/i\n"
      "observe c = sum(i in 1..N) m[i]*z[i], L = sum(i in 1..N) (x[i]*p(y[i]) - y[i]*p(x[i]))\n",
      "centre.z L.z | c L" },
};

/* The values of the observables whose names are the words of a text up to a bar or its end. */
static int observed(noe_integrator *g, const char *names, double *x)
{
    int  n = 0, used = 0;
    char name[32];
    for (; names && sscanf(names, "%31s%n", name, &used) == 1 && *name != '|'; names += used)
        x[n++] = noe_get(g, name);
    return n;
}

static void alike(const char *name, const char *family, const char *plain, const char *names)
{
    noe_system *s[2] = { parse(family), parse(plain) };
    noe_method *m = method(
        "P4 gauss 6"); /* by gradients alone: second derivatives of the two round differently */
    noe_integrator *g[2];
    double          x[2][8];
    const int       n = noe_system_dim(s[0]);
    assert_int_equal(n, noe_system_dim(s[1]));
    for (int i = 0; i < 2; i++) {
        g[i] = noe_integrator_new(s[i], m, 0.01);
        if (noe_run(g[i], 0.2, NULL, NULL)) fail_msg("%s: %s", name, noe_error());
    }
    if (memcmp(noe_q(g[0]), noe_q(g[1]), (size_t)n * sizeof(double))
        || memcmp(noe_p(g[0]), noe_p(g[1]), (size_t)n * sizeof(double)))
        fail_msg("%s: the two texts do not move alike", name);
    const int count = observed(g[0], names, x[0]);
    assert_int_equal(observed(g[1], names ? strchr(names, '|') + 1 : NULL, x[1]), count);
    for (int i = 0; i < count; i++)
        if (!(x[0][i] == x[1][i]))
            fail_msg("%s: observable %d is %.17g and %.17g", name, i, x[0][i], x[1][i]);
    for (int i = 0; i < 2; i++) noe_integrator_free(g[i]), noe_system_free(s[i]);
    noe_method_free(m);
}

static void test_written_out(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        alike(pairs[k].name, pairs[k].family, pairs[k].plain, pairs[k].observed);
}

static double value(const char *text, const char *name)
{
    char whole[1000];
    snprintf(whole, sizeof whole,
             "coordinate q[1..3], r\nkinetic sum(i in 1..3) q[i]'^2 + r'^2\nstart q[i] = 10^i\n%s",
             text);
    noe_system     *s = parse(whole);
    noe_method     *m = method("simpson");
    noe_integrator *g = noe_integrator_new(s, m, 1);
    const double    x = noe_get(g, name);
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
    return x;
}

/* The grammar: what an index may be, how far a sum goes, who comes first. */
static void test_grammar(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *name;
        double      value;
    } says[] = {
        { "observe a = sum(i in 1..3) i + 1", "a", 9 },         /* to the end of the line */
        { "observe a = (sum(i in 1..3) i) + 1", "a", 7 },       /* to the end of its parentheses */
        { "observe a = 2*sum(i in 1..3) i*2, b = 1", "a", 24 }, /* to the comma */
        { "observe a = sum(i in 1..3) sum(j in i..3) i*j", "a", 25 },
        { "observe a = sum(i in 1..3, j in i..3) i*j", "a", 25 },
        { "observe a = sum(i in 1..3, j in i+1..3) i*j", "a",
          11 }, /* one of its inner ranges is empty */
        { "observe a = sum(i in -1..1) q[(i - 5) mod 3 + 1]", "a", 1110 },
        { "observe a = q[1 + 7 mod 3]", "a", 100 }, /* mod binds like times */
        { "observe a = q[6/2]", "a", 1000 },
        { "observe a = sum(i in 1..1) q[2*(i + 1) - 1]", "a", 1000 },
        { "observe a = sum(i in 1..3) (-1)^i*q[i]", "a", -910 },
        { "parameter N = 2\nobserve a = q[N]", "a", 100 },
        { "two = 2\nobserve a = q[two]", "a", 100 },
        { "observe a[i] = 2*q[i]", "a.3", 2000 },
        { "observe a[i] = q[i+1]", "a[2]", 1000 }, /* i runs over 0..2 */
        { "observe a[i] = q[2*i]", "a[1]", 100 },
        { "observe a[i] = q[4-i]", "a[1]", 1000 },
        { "observe a[i in 2..4] = q[i-1] + i", "a.4", 1004 },
        { "parameter w[1..1] = (1 + 2)*4\nobserve a = w[1]", "a", 12 }, /* no list of one */
        { "parameter w[2..2] = (1 + 2)\nobserve a = w[2]", "a", 3 },
        { "parameter w[1..3] = 7\nobserve a = sum(i in 1..3) w[i]*i", "a", 42 },
        { "parameter w[i in 0..3] = i^2\nobserve a = w[3]", "a", 9 },
        { "parameter w[0..2] = (3, 4,\n 5)\nobserve a = w[2]", "a", 5 },
        { "F[0] = 1\nF[1] = 1\nF[i in 2..20] = F[i-1] + F[i-2]\nobserve a = F[20]", "a", 10946 },
        { "start q[3] = 5\nobserve a = q[3]", "a", 5 },      /* one member before all of them */
        { "in = 3\nobserve a = sum(i in in..3) i", "a", 3 }, /* `in` is a name like others */
    };
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        const double x = value(says[i].text, says[i].name);
        if (x != says[i].value) fail_msg("%s: %.17g, expected %g", says[i].text, x, says[i].value);
    }
}

static void test_names(void **unused)
{
    (void)unused;
    noe_system *s = parse(
        "parameter m[1..2] = (1, 2)\ncoordinate x[0..2], y\nfix x[0] = 0\n"
        "kinetic sum(i in 1..2) m[i]*x[i]'^2 + y'^2\nobserve d[i] = x[i+1] - x[i]");
    noe_system *t1 = noe_system_let(s, "x.2 = 4"), *t = noe_system_let(t1, "x.1.v = 3");
    noe_system *u1 = noe_system_let(t, "m[2] = 5"), *u = noe_system_let(u1, "x[i in 1..2] = i + 1");
    noe_method *m = method("simpson");
    assert_non_null(u);
    assert_int_equal(noe_system_dim(s), 3);
    assert_string_equal(noe_system_name(s, 0), "x[1]");
    noe_integrator *g = noe_integrator_new(t, m, 0.1), *f = noe_integrator_new(u, m, 0.1);
    assert_true(noe_get(g, "x.2") == 4 && noe_get(g, "x[1]'") == 3 && noe_get(g, "p(x[1])") == 6
                && noe_get(g, "d.1") == 4);
    assert_true(noe_get(f, "x.2") == 3 && noe_get(f, "m.2") == 5 && noe_get(f, "x.1.p") == 6);
    noe_table *r = noe_record(g, 0.2, 1, "t, x, x', p(x), y, d, m");
    if (!r) fail_msg("%s", noe_error());
    assert_int_equal(noe_table_columns(r), 1 + 2 + 2 + 2 + 1 + 2 + 2);
    assert_string_equal(noe_table_name(r, 6), "p(x[2])");
    assert_true(noe_table_column(r, "x[2]")[0] == 4 && noe_table_column(r, "x.2")[0] == 4);
    noe_table_free(r);
    noe_integrator_free(g), noe_integrator_free(f);
    noe_method_free(m);
    noe_system_free(s), noe_system_free(t), noe_system_free(u), noe_system_free(t1),
        noe_system_free(u1);
}

static void test_file(void **unused)
{
    (void)unused;
    char      path[] = "/tmp/noether-family-XXXXXX", text[300];
    const int fd = mkstemp(path);
    FILE     *f = fdopen(fd, "w");
    fputs("\xEF\xBB\xBF# masses\n1.5, \"2.5e0\"\n\n  -3, # the last but one\n4\r\n", f);
    fclose(f);
    snprintf(text, sizeof text,
             "parameter m[1..4] = \"%s\"\nobserve a = m[1], b = m[2], c = m[3], d = m[4]", path);
    assert_true(value(text, "a") == 1.5 && value(text, "b") == 2.5 && value(text, "c") == -3
                && value(text, "d") == 4);
    snprintf(
        text, sizeof text,
        "parameter m[1..4] = \"%s\"\ncoordinate q[1..4]\nkinetic sum(i in 1..4) m[i]^2*q[i]'^2\n"
        "potential sum(i in 2..4) m[i]*q[i]^2*q[i-1]^2\nstart q[i] = i",
        path);
    alike("masses from a file", text,
          "coordinate a, b, c, d\nkinetic 1.5^2*a'^2 + 2.5^2*b'^2 + (-3)^2*c'^2 + 4^2*d'^2\n"
          "potential 2.5*b^2*a^2 + (-3)*c^2*b^2 + 4*d^2*c^2\nstart a = 1, b = 2, c = 3, d = 4",
          NULL);
    static const char *const wrong[][2] = { { "1 2 3", "has 3 numbers, the family has 4 members" },
                                            { "1 2 3 4 5", "has 5 numbers" },
                                            { "1\n2\nx 3 4", "line 3" },
                                            { "1 2 3 0x4", "found '0x4'" },
                                            { "1 2 3 nan", "found 'nan'" } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        f = fopen(path, "w");
        fputs(wrong[i][0], f);
        fclose(f);
        noe_error_clear();
        assert_null(noe_system_parse(text));
        if (!strstr(noe_error(), wrong[i][1])) fail_msg("'%s': %s", wrong[i][0], noe_error());
    }
    noe_error_clear();
    unlink(path);
}

/* The tape of a recurrence grows with n, not with its square. */
static void test_linear(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/n_link_pendulum.lag"), *a = noe_system_with(s, "n", 20),
               *b = noe_system_with(s, "n", 40);
    assert_non_null(b);
    assert_true(b->dyn.gradient->length < 2.1 * a->dyn.gradient->length);
    assert_true(b->dyn.hessian->length < 4.2 * a->dyn.hessian->length);
    noe_system_free(s), noe_system_free(a), noe_system_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_written_out),
                                        cmocka_unit_test(test_grammar),
                                        cmocka_unit_test(test_names), cmocka_unit_test(test_file),
                                        cmocka_unit_test(test_linear) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
