/* Prints the numbers of a method, the list of methods, the options of an integrator.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/exit_status.h"
#include "base/status.h"
#include "job/verbs.h"
#include "method/quadrature.h"
#include "method/stability.h"

#include <math.h>
#include <string.h>

enum { EDGES = 2 * NOE_MAX_DEGREE };

static void print(FILE *to, const char *label, const quad *x, int n)
{
    for (int i = 0; i < n; i++) {
        char text[64];
        quadmath_snprintf(text, sizeof text, "%.33Qf", x[i]);
        fprintf(to, "%-9s %s\n", i ? "" : label, text);
    }
}

static void windows(FILE *to, const noe_method *m)
{
    double       edge[EDGES];
    const int    n = noe_stability_windows(m, INFINITY, edge, EDGES);
    const double searched = noe_stability_searched(m);
    fprintf(to, "oscillator, w h: ");
    if (n == 0 && isfinite(searched))
        fprintf(to, "stable as far as was searched, to %.6g\n", searched);
    else if (n == 0) fprintf(to, "stable for every step\n");
    if (n && edge[0] == 0) {
        fprintf(to, "unstable for every step\n");
        return;
    }
    for (int i = 0; i < n; i++)
        fprintf(to, "%s%s %.6f%s", i ? "                 " : "",
                i % 2 ? "unstable to" : "stable to", edge[i], i + 1 < n ? "\n" : "");
    if (!n) return;
    fprintf(to, ", then %s", n % 2 ? "unstable" : "stable");
    if (isfinite(searched) && edge[n - 1] < searched)
        fprintf(to, " as far as was searched, to %.6g", searched);
    fprintf(to, "\n");
}

static void traits(FILE *to, const noe_method *m, const char *keeps)
{
    fprintf(to, "order %d, %s, %s, %s\n", m->order, m->symmetric ? "symmetric" : "not symmetric",
            m->symplectic ? "symplectic" : "not symplectic", keeps);
}

static void galerkin(FILE *to, const noe_method *m)
{
    fprintf(to, "%s: positions of degree %d, %d points, quadrature exact to degree %d\n", m->name,
            m->s, m->r, m->exact);
    traits(to, m, "preserves the momenta of affine symmetries");
    print(to, "nodes", m->c, m->r);
    print(to, "weights", m->b, m->r);
    if (m->parts) print(to, "steps", m->part, m->parts);
}

static void runge_kutta(FILE *to, const noe_method *m)
{
    fprintf(to, "%s: explicit Runge-Kutta method with %d stages in %s\n", m->name, m->r,
            m->in_v ? "positions and velocities" : "positions and momenta");
    traits(to, m,
           m->in_v ? "preserves no momentum exactly" : "preserves the momenta of translations");
    for (int i = 1; i < m->r; i++) {
        char label[24];
        snprintf(label, sizeof label, "a(%d,.)", i + 1);
        print(to, label, m->A[i], i);
    }
    print(to, "nodes", m->c, m->r);
    print(to, "weights", m->b, m->r);
}

static void splitting(FILE *to, const noe_method *m)
{
    int steps[2] = { 0, 0 };
    for (int i = 0; i < m->flows; i++) steps[(i + m->drift_first) % 2]++;
    fprintf(to, "%s: splitting for L = v.M v/2 - V(q, t), kicks (%d) and drifts (%d) in turn\n",
            m->name, steps[0], steps[1]);
    traits(to, m, "preserves the momenta of affine symmetries");
    static const char *const taken[] = {
        "",
        "forces that depend on velocities by Euler's method in every kick: order %d with them\n",
        ("what depends on velocities and on other coordinates as a stiffness F_j/q_j frozen "
         "over the step: order %d with it, none where a coordinate passes 0\n")
    };
    quad drifts = 0;
    for (int i = 0; i < m->flows; i++) drifts += (i + m->drift_first) % 2 ? m->flow[i] : 0;
    if (fabsq(drifts - 1) > 1e-20)
        fprintf(to, "INCONSISTENT: its drifts add up to %.6g steps\n", (double)drifts);
    if (m->kick) fprintf(to, taken[m->kick], m->damped_order);
    else if (m->damped_order < m->order)
        fprintf(to, "order %d with forces that depend on velocities\n", m->damped_order);
    for (int i = 0; i < m->flows; i++)
        print(to, (i + m->drift_first) % 2 ? "drift" : "kick", &m->flow[i], 1);
}

static int method(const char *name, FILE *to)
{
    noe_method *m = noe_method_parse(name);
    if (!m) return NOE_EXIT_BAD_USE;
    switch (m->kind) {
    case NOE_GALERKIN: galerkin(to, m); break;
    case NOE_RUNGE_KUTTA: runge_kutta(to, m); break;
    case NOE_SPLITTING: splitting(to, m); break;
    case NOE_NEWMARK:
        fprintf(
            to,
            "%s: order %d, %s; for linear systems\nq += h v + h^2 ((1/2 - beta) a + beta a_new),  "
            "v += h ((1 - gamma) a + gamma a_new),  M a = f - C v - K q\n",
            m->name, m->order,
            m->symmetric ? "symmetric, symplectic without damping"
                         : "neither symmetric nor symplectic");
        break;
    }
    windows(to, m);
    noe_method_free(m);
    return NOE_EXIT_DONE;
}

static int methods(FILE *to)
{
    fprintf(to, "newmark beta gamma  \"newmark 1/4 1/2\", \"newmark 1/6 1/2\": for linear systems; "
                "order 2 iff gamma = 1/2\n");
    fprintf(to,
            "gauss s             P_s x Gauss s: order 2s, stable for every step on the oscillator, "
            "s = 1 .. %d\n"
            "lobatto s           P_s x Lobatto s+1: order 2s, s = 1 .. %d\n"
            "simpson             lobatto 2, Simpson's variational integrator, order 4\n"
            "midpoint, newmark   gauss 1, order 2\n"
            "rk4, rk4-v          the classical Runge-Kutta method in (q, p), in (q, v): order 4, "
            "not symplectic\n"
            "verlet, verlet-drift, euler, ruth3, yoshida4, suzuki4, mclachlan4, blanes-moan4, "
            "blanes-moan6,\n"
            "sb3a-4, srkn6-4, srkn11-6, srkn14-6, yoshida6, kahan-li6, suzuki-umeno8, kahan-li8, "
            "sofroniou-spaletta8,\n"
            "sofroniou-spaletta10 explicit splittings, for L = v.M v/2 - V(q, t); the order ends "
            "the name\n"
            "luo-guo1, luo-guo4-printed, luo-guo4, luo-guo4-frozen, luo-guo4-drift  schemes of a "
            "paper, orders 1, 0, 1, 1, 1 with damping\n"
            "compose P METHOD    a symmetric method composed with itself to the even order P: "
            "\"compose 6 simpson\"\n"
            "compose SET METHOD  the same by the steps of a set: \"compose kahan-li8 midpoint\"\n"
            "Ps RULE r           degree s, r points of",
            NOE_MAX_DEGREE, NOE_MAX_DEGREE);
    for (const noe_quadrature *rule = noe_quadrature_rules; rule->name; rule++)
        fprintf(to, "%s %s", rule == noe_quadrature_rules ? "" : ",", rule->name);
    fprintf(to, "\n");
    return NOE_EXIT_DONE;
}

static int options(FILE *to)
{
    const char *name, *meaning;
    double      standard;
    for (int i = 0; (name = noe_option_name(i, &meaning, &standard)); i++)
        fprintf(to, "%-12s %s\n", name, meaning);
    return NOE_EXIT_DONE;
}

int noe_show_method(const char *what, FILE *to)
{
    if (!what || !to) return NOE_EXIT_BAD_USE;
    if (!strcmp(what, "methods")) return methods(to);
    if (!strcmp(what, "options")) return options(to);
    return method(what, to);
}
