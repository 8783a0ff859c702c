/* hamiltonian: L_v = p, L_q = -H_q, L_vv = H_pp^-1, ..; steps of H are those of L, to rounding.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expr/derivative.h"
#include "expr/evaluate_at.h"
#include "expressions.h"
#include "integrate/integrator.h"

enum { MOST = 5, LENGTH = 4000 };

static void add(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list      list;
    va_start(list, format);
    vsnprintf(text + used, LENGTH - used, format, list);
    va_end(list);
}

/* ---- the jet of L against differences of H ---- */

/* A matrix N of n rows, at random: positive, or indefinite with small diagonal entries; its entries
 * move with the first coordinate. */
static void add_form(char *text, int n, int first, bool indefinite, double shift)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const double c = i == j ? (indefinite ? 0.1 : 1.5 * n) : indefinite ? 2.5 : 0.9;
            add(text,
                "%s(%.9f + %.9f*sin(x[1]))*(p(x[%d]) - (%.9f)*x[%d])*(p(x[%d]) - (%.9f)*x[%d])",
                i || j ? " + " : "", c + 0.3 * random_number(), 0.1 * random_number(), first + i,
                shift * random_number(), 1 + j % n, first + j, shift, 1 + i % n);
        }
}

/* kind 0: quadratic; 1: indefinite; 2: a root; 3: a root, a square and a negative root; 4: what is
 * solved by Newton's method. */
static void random_hamiltonian(char *text, int n, int kind)
{
    snprintf(text, LENGTH, "parameter m = %.9f\ncoordinate x[1..%d]\n", 1.5 + random_number(), n);
    if (kind == 4) add(text, "K = "), add_form(text, n, 1, false, 0.4), add(text, "\n");
    add(text, "hamiltonian ");
    if (kind == 4)
        add(text, "K/m + (0.05 + x[1]^2)*K^2/m + cosh(p(x[1])/2) - log(3 + sin(p(x[%d])))", n);
    if (kind < 2) add(text, "("), add_form(text, n, 1, kind == 1, 0.4), add(text, ")/m");
    if (kind == 2)
        add(text, "(2 + cos(x[1]))*sqrt(m^2 + "), add_form(text, n, 1, false, 0.4), add(text, ")");
    if (kind == 3)
        add(text,
            "sqrt(m^2 + p(x[1])^2 + (p(x[2]) - x[1]*x[2])^2) + x[2]*p(x[1]) + p(x[3])^2/(2*m + "
            "x[3]^2) - sqrt((9 + x[1]^2)*(1 + x[4]^2) - p(x[4])^2)");
    for (int i = 1; i <= n; i++) add(text, " + %.9f*x[%d]*p(x[%d])*0.3", 1.0 * (kind != 3), i, i);
    add(text, " + t*x[1] + x[1]^4/4 + x[%d]^2 + cos(x[1]*x[%d])\n", n, n);
}

typedef struct {
    noe_model *m;
    noe_arena *arena;
    quad       t, q[MOST], v[MOST], p[MOST];
} place;

static quad of(place *a, noe_ex x)
{
    const noe_leaf_values at = { a->t, a->q, a->v, a->p };
    quad                  out;
    noe_evaluate_at(&a->m->graph, a->arena, &x, 1, a->m->param, &at, &out);
    return out;
}

/* dH/d*z by differences of fourth order. */
static quad slope(place *a, quad *z, quad h)
{
    static const int at[] = { -2, -1, 1, 2 }, weight[] = { 1, -8, 8, -1 };
    const quad       z0 = *z;
    quad             sum = 0;
    for (int k = 0; k < 4; k++) *z = z0 + at[k] * h, sum += weight[k] * of(a, a->m->hamiltonian.ex);
    *z = z0;
    return sum / (12 * h);
}

/* d2H/dy dz */
static quad bend(place *a, quad *y, quad *z)
{
    static const int at[] = { -2, -1, 1, 2 }, weight[] = { 1, -8, 8, -1 };
    const quad       y0 = *y, h = (quad)1e-6;
    quad             sum = 0;
    for (int k = 0; k < 4; k++) *y = y0 + at[k] * h, sum += weight[k] * slope(a, z, h);
    *y = y0;
    return sum / (12 * h);
}

static void jet_law(place *a, const char *text)
{
    const int n = a->m->n, N = 2 * n;
    noe_ex    root[1 + 2 * MOST + 4 * MOST * MOST];
    quad      Hpp[MOST][MOST], Hpq[MOST][MOST], Hqq[MOST][MOST], Hq[MOST], L[MOST * 2][MOST * 2];
    for (int i = 0; i < n; i++) {
        a->q[i] = (quad)0.6 * random_number(), a->p[i] = (quad)0.6 * random_number();
        a->v[i] = 0;
    }
    a->t = random_number();
    for (int i = 0; i < n; i++) {
        Hq[i] = slope(a, &a->q[i], (quad)1e-7);
        a->v[i] = slope(a, &a->p[i], (quad)1e-7);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Hpp[i][j] = bend(a, &a->p[i], &a->p[j]);
            Hpq[i][j] = bend(a, &a->p[i], &a->q[j]);
            Hqq[i][j] = bend(a, &a->q[i], &a->q[j]);
        }
    derive_all(&a->m->graph, a->m->L, n, root);
    for (int i = 0; i < n; i++) {
        small(of(a, root[1 + i]) + Hq[i], 1 + fabsq(Hq[i]), 1e-22, text);
        small(of(a, root[1 + n + i]) - a->p[i], 1 + fabsq(a->p[i]), 1e-22, text);
    }
    for (int i = 0; i < N * N; i++) L[i / N][i % N] = of(a, root[1 + N + i]);
    /* with A = L_vv:  A H_pp = 1,  L_vq = -A H_pq,  L_qq = -H_qq - H_qp L_vq */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            quad one = -(quad)(i == j), vq = L[n + i][j], qq = L[i][j] + Hqq[i][j], size = 1;
            for (int k = 0; k < n; k++) {
                one += L[n + i][n + k] * Hpp[k][j];
                vq += L[n + i][n + k] * Hpq[k][j];
                qq += Hpq[k][i] * L[n + k][j];
                size += fabsq(L[n + i][n + k]) * (fabsq(Hpp[k][j]) + fabsq(Hpq[k][j]))
                      + fabsq(Hpq[k][i] * L[n + k][j]);
            }
            small(one, size, 1e-17, text), small(vq, size, 1e-17, text),
                small(qq, size, 1e-17, text);
        }
}

static void test_jet(void **state)
{
    (void)state;
    for (volatile int k = 0; k < 30; k++) {
        char      text[LENGTH];
        const int kind = k % 5, n = kind == 3 ? 4 : 1 + (int)(bits() % (kind == 4 ? 3 : MOST));
        random_hamiltonian(text, n, kind);
        place   a = { .m = model_of(text), .arena = noe_arena_new() };
        jmp_buf stop;
        a.m->graph.stop = &stop;
        if (setjmp(stop)) fail_msg("%s", noe_error());
        jet_law(&a, text);
        noe_arena_free(a.arena);
        noe_model_free(a.m);
    }
}

/* ---- steps ---- */

static noe_integrator *after(const noe_system *s, const char *name, quad h, int digits, int steps)
{
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_make(s, m, h, digits);
    noe_method_free(m);
    if (!g || noe_integrator_start_ready(g)) fail_msg("%s: %s", name, noe_error());
    for (int k = 0; k < steps; k++)
        if (noe_smooth_step(g)) fail_msg("%s: %s\n%s", name, noe_error(), s->model->text);
    return g;
}

/* 20 steps of both lead to the same state, momenta and energy. */
static void same_motion(const noe_system *H, const noe_system *L, const char *name, quad h,
                        int digits, double bound)
{
    noe_integrator *a = after(H, name, h, digits, 20), *b = after(L, name, h, digits, 20);
    quad            gap = 0, size = 0;
    for (int i = 0; i < H->dyn.n; i++) {
        gap += fabsq((quad)noe_q(a)[i] - noe_q(b)[i]) + fabsq((quad)noe_p(a)[i] - noe_p(b)[i]);
        size += fabsq((quad)noe_q(a)[i]) + fabsq((quad)noe_p(a)[i]);
    }
    small(gap, size, bound, name);
    small(noe_get(a, "energy") - noe_get(b, "energy"), fabs(noe_get(b, "energy")) + size, bound,
          name);
    noe_integrator_free(a);
    noe_integrator_free(b);
}

static void same_texts(const char *H, const char *L, const char *name, int digits, double bound)
{
    noe_system *a = parse(H), *b = parse(L);
    same_motion(a, b, name, (quad)1 / 32, digits, bound);
    noe_system_free(a);
    noe_system_free(b);
}

/* M = N^-1 by Gauss and Jordan; N is diagonally dominant. */
static void invert(int n, quad N[MOST][MOST], quad M[MOST][MOST])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) M[i][j] = i == j;
    for (int k = 0; k < n; k++) {
        const quad pivot = N[k][k];
        for (int j = 0; j < n; j++) N[k][j] /= pivot, M[k][j] /= pivot;
        for (int i = 0; i < n; i++) {
            const quad f = i == k ? 0 : N[i][k];
            for (int j = 0; j < n; j++) N[i][j] -= f * N[k][j], M[i][j] -= f * M[k][j];
        }
    }
}

static void add_number(char *text, quad x)
{
    char out[64];
    quadmath_snprintf(out, sizeof out, "%.34Qe", x);
    add(text, "(%s)", out);
}

/* H = (p - A).N (p - A)/2 s(q) + V and L = v.M v/2/s(q) + A.v - V, in two texts. */
static void two_texts(char *H, char *L, int n, bool natural)
{
    quad N[MOST][MOST], M[MOST][MOST];
    char V[LENGTH] = "", A[MOST][80];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            N[i][j] = N[j][i] = i == j ? 1.5 + n / 2.0 + 0.5 * random_number()
                                       : 0.5 * random_number();
    for (int i = 0; i < n; i++) {
        if (natural) snprintf(A[i], sizeof A[i], "0");
        else snprintf(A[i], sizeof A[i], "%.9f*x[%d]*cos(x[1])", random_number(), 1 + (i + 1) % n);
        add(V, "%s%.9f*x[%d]^2 + x[%d]^4/4 + %.9f*x[%d]*x[1]", i ? " + " : "",
            1 + 0.5 * random_number(), i + 1, i + 1, 0.3 * random_number(), i + 1);
    }
    const char *scale = natural ? "1" : "(2 + sin(x[1]))";
    snprintf(H, LENGTH, "coordinate x[1..%d]\nhamiltonian %s/2*(", n, scale);
    snprintf(L, LENGTH, "coordinate x[1..%d]\nkinetic 1/(2*%s)*(", n, scale);
    quad kept[MOST][MOST];
    memcpy(kept, N, sizeof kept);
    invert(n, N, M);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            add(H, i || j ? " + " : ""), add(L, i || j ? " + " : "");
            add_number(H, kept[i][j]), add_number(L, M[i][j]);
            add(H, "*(p(x[%d]) - %s)*(p(x[%d]) - %s)", i + 1, A[i], j + 1, A[j]);
            add(L, "*x[%d]'*x[%d]'", i + 1, j + 1);
        }
    add(H, ") + %s\nstart x[1] = 0.3, p(x[%d]) = 0.7\n", V, n);
    add(L, ")\npotential %s\nlagrangian 0", V);
    for (int i = 0; i < n; i++) add(L, " + (%s)*x[%d]'", A[i], i + 1);
    add(L, "\nstart x[1] = 0.3, p(x[%d]) = 0.7\n", n);
}

static void test_steps(void **state)
{
    (void)state;
    static const char *const name[] = { "simpson",         "gauss 4", "lobatto 1",
                                        "P3 radau-left 3", "rk4",     "compose 6 simpson",
                                        "gauss 8" };
    char                     H[LENGTH], L[LENGTH];
    for (int k = 0; k < 14; k++) {
        two_texts(H, L, 1 + (int)(bits() % MOST), false);
        same_texts(H, L, name[k % 7], 15, 2e-14);
        if (k < 4) same_texts(H, L, name[k], 33, 1e-16); /* as rounded to double */
    }
    for (int k = 0; k < 4; k++) { /* splittings, where H = p.N p/2 + V(q) */
        two_texts(H, L, 1 + k, true);
        same_texts(H, L, k % 2 ? "verlet" : "blanes-moan4", 15, 2e-14);
    }
}

/* v = tanh p, p = log((1 + v)/(1 - v))/2: by Newton's method and by hand. */
static void test_newton(void **state)
{
    (void)state;
    static const char *const name[] = { "simpson", "gauss 4", "rk4", "lobatto 3" };
    for (int k = 0; k < 8; k++) {
        char         H[LENGTH], L[LENGTH], rest[400];
        const double a = 1 + 0.5 * random_number(), v = 0.8 * random_number();
        snprintf(rest, sizeof rest, "start x' = %.9f, y' = %.9f, x = 0.2\n", v, -v / 2);
        snprintf(
            H, LENGTH,
            "coordinate x, y\nhamiltonian log(cosh(p(x))) + 2*log(cosh(p(y) - %.9f*x)) + x^2/2 + "
            "x*y/4 + y^4\n%s",
            a, rest);
        snprintf(
            L, LENGTH,
            "coordinate x, y\nw = y'/2\nlagrangian x'*log((1 + x')/(1 - x'))/2 + log(1 - x'^2)/2 + "
            "w*log((1 + w)/(1 - w)) + log(1 - w^2) + %.9f*x*y'\n"
            "potential x^2/2 + x*y/4 + y^4\n%s",
            a, rest);
        same_texts(H, L, name[k % 4], 15, 2e-14);
        if (k < 2) same_texts(H, L, name[k], 33, 1e-16); /* as rounded to double */
    }
}

/* ---- the library and the same systems by L ---- */

static void test_library(void **state)
{
    (void)state;
    static const struct {
        const char *model, *lagrangian, *second;
        double      h;
    } pair[] = {
        { "systems/dipole_field.lag", NULL,
          "coordinate vector r\nA = cross((0, 0, 1), r)/norm(r)^3\nkinetic dot(r', r')/2\n"
          "lagrangian dot(A, r')\nstart r = (1, 0, 0), r' = (0, 0.02, 0.015)\n",
          0.03125 },
        { "systems/relativistic_kepler.lag", NULL,
          "parameter c = 10\ncoordinate x, y\nlagrangian -c^2*sqrt(1 - (x'^2 + y'^2)/c^2)\n"
          "potential -1/sqrt(x^2 + y^2)\nstart x = 1.5, p(y) = 0.55\n",
          0.03125 },
        { "systems/henon_heiles_canonical.lag", "systems/henon_heiles.lag", NULL, 0.03125 },
        /* near the moon, where the force is 20000 times that on the way */
        { "systems/three_bodies_canonical.lag", "systems/arenstorf.lag", NULL, 1e-4 },
    };
    for (int k = 0; k < 4; k++) {
        noe_system *s = load(pair[k].model),
                   *second = pair[k].second ? parse(pair[k].second) : load(pair[k].lagrangian);
        same_motion(s, second, "gauss 4", (quad)pair[k].h, 15, 5e-15);
        same_motion(s, second, "gauss 4", (quad)pair[k].h, 33, 1e-16);
        noe_system_free(s), noe_system_free(second);
    }
}

/* ---- what stands beside it ---- */

static void test_beside(void **state)
{
    (void)state;
    /* a definition of momenta, a force, a start by a velocity, a fixed coordinate, an event */
    const char *H = "coordinate x, y, z\nfix z = 0.5\nk = p(x) - y*z\n"
                    "hamiltonian k^2/2 + p(y)^2 + x^2 + z*y^2\nforce x = -0.1*x'\n"
                    "start x' = 0.4, y = 0.2\nevent turn: k = 0\nobserve speed = k\n",
               *L = "coordinate x, y\nkinetic x'^2/2 + y'^2/4 + x'*y/2\npotential x^2 + y^2/2\n"
                    "force x = -0.1*x'\nstart x' = 0.4, y = 0.2\n";
    same_texts(H, L, "gauss 3", 15, 2e-15);
    noe_system     *s = parse(H);
    noe_integrator *g = after(s, "gauss 3", (quad)1 / 32, 15, 20);
    small(noe_get(g, "speed") - noe_v(g)[0], 1, 1e-15, "x' = p(x) - y z");
    noe_integrator_free(g);
    noe_system_free(s);
    /* a parameter may have another value later */
    s = parse("parameter m = 1\ncoordinate x\nhamiltonian p(x)^2/(2*m) + x^4\nstart x = 1\n");
    noe_system *heavy = noe_system_with(s, "m", 4),
               *L4 = parse("coordinate x\nkinetic 2*x'^2\npotential x^4\nstart x = 1\n");
    same_motion(heavy, L4, "simpson", (quad)1 / 32, 15, 1e-18);
    noe_system_free(s), noe_system_free(heavy), noe_system_free(L4);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_jet), cmocka_unit_test(test_steps),
                                        cmocka_unit_test(test_newton),
                                        cmocka_unit_test(test_library),
                                        cmocka_unit_test(test_beside) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
