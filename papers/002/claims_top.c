/* (p(phi), p(psi), theta)(t):  what paper 002 says of the tops, against the states of noether.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * J. A. Rojas-Quintero, F. Dubois, F. Jourdan, Simpson variational integrator for nonlinear
 * systems: a tutorial on the Lagrange top, arXiv:2512.03330. */
#include "systems.h"

/* p(phi), p(psi) after so many nutation periods: how many of the rows differ from the first, bit
 * for bit. */
static void cyclic(const char *method, int periods, int N)
{
    static const char run[] = "%s --method '%s' --step '%s/%d' --until '%d*%s' "
                              "--columns phi.p,psi.p";
    char              what[100], test[100];
    for (int t = 1; t < 3; t++) {
        int          rows, differ = 0;
        const thing *x = &things[t];
        quad        *y = noether(2, &rows, run, x->file, method, text(x->length), N, periods,
                                 text(x->length));
        for (int k = 1; k < rows; k++) differ += y[2 * k] != y[0] || y[2 * k + 1] != y[1];
        free(y);
        snprintf(what, sizeof what, "p(phi) and p(psi) are conserved exactly: %s, %s", method,
                 x->file + 8);
        snprintf(test, sizeof test,
                 "double; states of %d periods of %d steps that differ in any bit", periods, N);
        claim(what, test, rows == periods * N + 1 ? differ : rows, 0);
    }
}

/* (18aa): P = (cos theta - beta) a/(2 I1) solves P'^2 = 4 (P - e1)(P - e2)(P - e3),
 * e1 + e2 + e3 = 0. */
static void weierstrass(void)
{
    const quad I1 = NUM(1.1125e-5), I3 = NUM(6.25e-6), a = NUM(0.003924);
    int        rows;
    quad      *y = states(&things[1], "gauss 8", 33, things[1].length / 100, 100, &rows), worst = 0,
         scale = 0;
    const quad pf = y[3], ps = y[5], c0 = cosq(y[1]);
    const quad H = (pf - ps * c0) * (pf - ps * c0) / (2 * I1 * (1 - c0 * c0)) + ps * ps / (2 * I3)
                 + a * c0,
               E = H - ps * ps / (2 * I3);
    const quad A = 2 * a / I1, B = -(2 * E / I1 + ps * ps / (I1 * I1)),
               C = 2 * pf * ps / (I1 * I1) - A, D = 2 * E / I1 - pf * pf / (I1 * I1);
    const quad beta = (2 * E * I1 + ps * ps) / (6 * a * I1), s = a / (2 * I1);
    /* roots of A u^3 + B u^2 + C u + D: c0 divided out, then a quadratic */
    const quad b = B + A * c0, c = C + b * c0, root = sqrtq(b * b - 4 * A * c);
    const quad e[3] = { ((-b + root) / (2 * A) - beta) * s, ((-b - root) / (2 * A) - beta) * s,
                        (c0 - beta) * s };
    for (int k = 0; k < rows; k++) {
        const quad theta = y[6 * k + 1], P = (cosq(theta) - beta) * s,
                   slope = -sinq(theta) * y[6 * k + 4] / I1 * s;
        worst = largest(worst, slope * slope - 4 * (P - e[0]) * (P - e[1]) * (P - e[2]));
        scale = largest(scale, slope * slope);
    }
    claim("(18aa) cos theta is Weierstrass' function: P'^2 = 4 (P - e1)(P - e2)(P - e3)",
          "101 states of gauss 8, loops, relative", worst / scale, 1e-28Q);
    claim("(18aa) e1 + e2 + e3 = 0 and D + .. = 0", "relative",
          largest(fabsq(e[0] + e[1] + e[2]) / e[0], (c0 * c + D) / D), 3e-32Q);
    claim("the nutation has the stated period",
          "theta and p(theta) after 100 steps of gauss 8, relative",
          largest(y[6 * 100 + 1] / y[1] - 1, y[6 * 100 + 4] / ps), 1e-28Q);
    free(y);
}

static void known_states(const char *path)
{
    char  line[512], name[16], method[16], what[80];
    FILE *f = fopen(path, "r");
    if (!f) exit(fprintf(stderr, "cannot read %s\n", path));
    while (fgets(line, sizeof line, f)) {
        int N, j, at, rows;
        if (sscanf(line, "%15s %15s %d %d %n", name, method, &N, &j, &at) != 4 || *name == '#')
            continue;
        const thing *x = &things[*name == 'd' ? 0 : *name == 'l' ? 1 : 2];
        if (strncmp(method, "rk4", 3))
            for (char *c = method; *c; c++) *c = *c == '-' ? ' ' : *c;
        quad *y = states(x, method, 33, x->length / N, N, &rows), worst = 0,
             scale[2 * MOST] = { 0 };
        char *s = line + at;
        for (int k = 0; k < rows; k++)
            for (int i = 0; i < 2 * x->n; i++) scale[i] = largest(scale[i], y[2 * x->n * k + i]);
        for (int i = 0; i < 2 * x->n; i++)
            worst = largest(worst, (strtoflt128(s, &s) - y[2 * x->n * j + i]) / scale[i]);
        free(y);
        snprintf(what, sizeof what, "state %d of %s, %s, N = %d", j, x->file + 8, method, N);
        claim(
            what,
            "22 digits computed by another program; noether in binary128, relative to the largest "
            "in a period",
            worst, 1e-21Q);
    }
    fclose(f);
}

/* RK4 on (q, p) cannot but keep p(phi), as p' = 0; RK4 on (q, v) loses it. */
static void runge_kutta(void)
{
    quad lost[2] = { 0, 0 };
    for (int form = 0; form < 2; form++) {
        int          rows;
        const thing *x = &things[1];
        quad
            *y = noether(
                2, &rows,
                "%s --method %s --step '%s/40' --until '1000*%s' --every 100 --columns phi.p,psi.p",
                x->file, form ? "rk4-v" : "rk4", text(x->length), text(x->length)),
            drift = 0;
        for (int k = 1; k < rows; k++)
            drift = largest(drift, largest(fabsq(y[2 * k] / y[0] - 1), y[2 * k + 1] / y[1] - 1));
        free(y);
        lost[form] = drift;
        if (form)
            recomputed(
                "Momenta of the top with loops (theta = pi/3, phi' = 25, psi' = 100) by RK4 in (q, "
                "v)",
                "relative drift, 1000 periods, N = 40", "5e-4", drift);
        else
            claim("RK4 in (q, p) keeps p(phi), p(psi): only the (q, v) form loses them",
                  "relative drift, 1000 periods, N = 40, double", drift, 0);
    }
    char seen[100];
    snprintf(seen, sizeof seen, "%.2g in (q, v), %.2g in (q, p)", (double)lost[1], (double)lost[0]);
    remark("momenta-of-rk4", "relative drift of the momenta by RK4, 1000 periods, N = 40", seen,
           lost[0] == 0 && lost[1] > 1e-4Q);
}

/* Steps commensurate with the nutation: where N steps make a period, N = 10 or 11, the energy
 * error is ten times that of N = 10.1 .. 10.5, and stays bounded. */
static void resonance(void)
{
    static const char *const        N[] = { "10", "11", "10.1", "10.2", "10.3", "10.5" },
                             *const other[] = { "7.1e-4", "8.7e-4" };
    char                            row[60];
    quad                            most = 0;
    for (int i = 0; i < 6; i++) {
        int   rows;
        quad *y = noether(
                 1, &rows,
                 "%s --step '%s/%s' --until '2000*%s/%s' --method simpson --columns energy",
                 things[1].file, text(things[1].length), N[i], text(things[1].length), N[i]),
             e = 0;
        for (int k = 1; k < rows; k++) e = largest(e, y[k] / y[0] - 1);
        free(y);
        snprintf(row, sizeof row, "N = %s steps a period", N[i]);
        if (i < 2)
            recomputed(
                "Resonance of the step with the nutation, top with loops (theta = pi/3, phi' = 25, "
                "psi' = 100): relative energy error of Simpson, 2000 steps",
                row, other[i], e);
        else most = largest(most, e);
    }
    claim("a step that is no whole part of the nutation period has no resonance",
          "2000 steps, N = 10.1, 10.2, 10.3, 10.5: largest relative energy error", most, 1e-4Q);
}

/* Section 4.2: no artificial dissipation.  The largest energy error of 1000 periods is that of
 * the first. */
static void bounded(const char *method, int promised)
{
    quad      first = 0, all = 0;
    char      what[100];
    const int N = 20;
    int       rows;
    quad *y = noether(1, &rows, "%s --method %s --step '%s/%d' --until '1000*%s' --columns energy",
                      things[1].file, method, text(things[1].length), N, text(things[1].length));
    for (int k = 1; k < rows; k++) {
        all = largest(all, y[k] / y[0] - 1);
        if (k <= N) first = all;
    }
    free(y);
    if (promised) {
        snprintf(what, sizeof what, "the energy is not dissipated: %s", method);
        claim(
            what,
            "largest error of 1000 nutation periods over that of the first, less 1; loops, N = 20",
            all / first - 1, 0.01Q);
    } else {
        snprintf(what, sizeof what, "but it is by %s", method);
        claim(what, "largest error of the first nutation period over that of 1000", first / all,
              0.1Q);
    }
}

int main(void)
{
    begin();
    cyclic("simpson", 1000, 20);
    cyclic("midpoint", 1000, 20);
    weierstrass();
    known_states("papers/002/states.txt");
    runge_kutta();
    resonance();
    bounded("simpson", 1);
    bounded("midpoint", 1);
    bounded("rk4", 0);
    return failures != 0;
}
