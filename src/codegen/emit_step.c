/* Writes the step of a Galerkin method or a splitting for L as C99 that needs libm alone.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "codegen/emit_action.h"
#include "codegen/emit_declarations.h"
#include "codegen/emit_constant_mass.h"
#include "codegen/emitted_numbers.h"
#include "job/verbs.h"
#include "method/method_rounding.h"
#include "codegen/galerkin_text.h"
#include "codegen/mass_text.h"
#include "codegen/monitored_text.h"
#include "codegen/predictor_text.h"
#include "codegen/simpson_text.h"
#include "codegen/linear_solve_text.h"
#include "codegen/splitting_text.h"
#include "expr/derivative.h"
#include "number/digits.h"
#include "system/monitored_dynamics.h"
#include "tape/lowering.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNKNOWNS_MOST = 200, /* n s: the state holds their matrix */
    WRITTEN_OUT = 6      /* most equations whose solution is written without loops */
};

/* The expressions F, P, then d(F, P)/d(q, v) row by row, as in system/dynamics.c.  With a monitor G
 * those of the transformed Lagrangian, and after them G and L. */
static noe_ex *derive(noe_model *m, noe_arena *a)
{
    noe_graph *g = &m->graph;
    const int  n = m->n, N = 2 * n, more = m->monitor.given ? 2 : 0;
    noe_ex *root = noe_arena_need(a, m->graph.stop, (size_t)N * (size_t)(N + 1) + 2, sizeof *root),
           *f = noe_arena_need(a, m->graph.stop, 4 * (size_t)n, sizeof *f);
    noe_derivative_gradient(g, more ? noe_monitored_dynamics_transformed(m) : m->L, n, root);
    if (noe_force_statement_is_forced(m)) {
        noe_force_statement_forces(m, f, f + n);
        for (int i = 0; i < n; i++) root[i] = noe_simplify_make(g, NOE_ADD, root[i], f[i], 0);
    }
    for (int i = 0; i < N; i++) noe_derivative_gradient(g, root[i], n, root + N + i * N);
    if (more) root[N + N * N] = m->monitor.G, root[N + N * N + 1] = m->L;
    noe_lowering_apply(g, root, N + N * N + more);
    return root;
}

/* A table of rows of s numbers; in a step they are called as in method/method.h. */
static void table(noe_text *t, const char *as, const char *name, const quad *x, int rows,
                  int length, int s, bool grid)
{
    noe_text_add(t, "static const double %s_%s[%d][%d] = {\n", as, name, rows, s);
    for (int i = 0; i < rows; i++) {
        noe_text_add(t, "    { ");
        for (int m = 0; m < s; m++)
            noe_text_add(t, "%s%.17g", m ? ", " : "",
                         (double)(grid ? noe_emit_action_round_to_grid(x[i * length + m])
                                       : x[i * length + m]));
        noe_text_add(t, " },\n");
    }
    noe_text_add(t, "};\n");
}

static void list(noe_text *t, const char *as, const char *name, const quad *x, int count)
{
    noe_text_add(t, "static const double %s_%s[%d] = { ", as, name, count);
    for (int i = 0; i < count; i++) noe_text_add(t, "%s%.17g", i ? ", " : "", (double)x[i]);
    noe_text_add(t, " };\n");
}

/* Lines with the C name in the place of each @, and numbers in that of their $NAME. */
static void text(noe_text *t, const char *const *line, const char *as)
{
    for (; *line; line++) {
        for (const char *c = *line; *c;) {
            const char *end = c + strcspn(c, "@$");
            noe_text_add(t, "%.*s%s", (int)(end - c), c, *end == '@' ? as : "");
            c = *end == '$' ? noe_emitted_numbers_write(t, end + 1) : end + (*end == '@');
        }
        noe_text_add(t, "\n");
    }
}

static void binomials(noe_text *t, const char *as)
{
    noe_text_add(t, "static const double %s_binomial[%s_HISTORY + 1][%s_HISTORY] = {\n    { 0 },\n",
                 as, as, as);
    for (int order = 1; order <= NOE_EMIT_PAST; order++) {
        double c = -1;
        for (int k = 0; k < order; k++)
            noe_text_add(t, "%s%g", k ? ", " : "    { ", c = -c * (order - k) / (k + 1));
        noe_text_add(t, " },\n");
    }
    noe_text_add(t, "};\n\n");
}

/* Writes NAME(A, row, x), the solution of equations of one size; without loops if the size is
 * small. */
static void solution(noe_text *t, const char *as, const char *name, int k)
{
    noe_text_add(t, "static void %s_%s(const double *A, const int *row, double *x)\n{\n", as, name);
    if (k > WRITTEN_OUT) noe_text_add(t, "    %s_solve_k(A, row, %d, x);\n", as, k);
    else {
        noe_text_add(t, k == 1 ? "    (void)row;\n" : "    double y;\n");
        for (int j = 0; j + 1 < k; j++)
            noe_text_add(t, "    y = x[row[%d]], x[row[%d]] = x[%d], x[%d] = y;\n", j, j, j, j);
        for (int i = 1; i < k; i++) {
            noe_text_add(t, "    x[%d] -= ", i);
            for (int j = 0; j < i; j++)
                noe_text_add(t, "%sA[%d] * x[%d]", j ? " + " : "", i * k + j, j);
            noe_text_add(t, ";\n");
        }
        for (int i = k - 1; i >= 0; i--) {
            noe_text_add(t, "    x[%d] = A[%d] * (x[%d]", i, i * k + i, i);
            for (int j = i + 1; j < k; j++) noe_text_add(t, " - A[%d] * x[%d]", i * k + j, j);
            noe_text_add(t, ");\n");
        }
    }
    noe_text_add(t, "}\n\n");
}

/* Writes the functions that solve linear equations; mass: size of a mass matrix that is solved
 * in addition, 0: none. */
static void algebra(noe_text *t, const char *as, int M, bool solved, int mass)
{
    text(t, step_sum, as);
    text(t, M == 1 ? step_inverse : step_factor, as);
    if (M > WRITTEN_OUT && solved) text(t, step_solve, as);
    if (solved) solution(t, as, "solve", M);
    if (mass) solution(t, as, "solve_mass", mass);
}

static void step_of_constant_mass(noe_text *t, noe_model *m, noe_arena *a, const noe_ex *root,
                                  const noe_method *f, const char *as)
{
    const int     n = m->n;
    const noe_ex *F = noe_emit_constant_mass_roots(m, a, root);
    noe_c_nodes   c = noe_c_code_nodes_new(m, a);
    noe_c_code_keep(&c, F, n + 2 * n * n);
    /* a new matrix in every step pays if F_q and the factors of the matrix take fewer operations
     * than F */
    const double force = noe_c_code_cost(&c, F, n),
                 slope = noe_c_code_cost(&c, F, n + n * n) - force;
    noe_emit_declarations_write(t, &c, f, as, true, n <= 3 || slope + n * n * n / 3 < force);
    binomials(t, as);
    noe_emit_constant_mass_functions(t, &c, F, as, true);
    text(t, step_curvature, as);
    algebra(t, as, n, true, 0);
    text(t, step_mass, as);
    text(t, step_extrapolation, as);
    text(t, step_simpson, as);
}

/* Writes kicks and drifts in turn; a force that an earlier kick computed at the same position is
 * used again. */
static void flows(noe_text *t, const noe_method *f, const char *as)
{
    quad moved = 0;
    /* the last kick of the step before was at the initial position of this step */
    bool known = !f->drift_first && f->flows % 2;
    for (int i = 0; i < f->flows; i++) {
        const double share = (double)f->flow[i];
        if ((i + f->drift_first) % 2) {
            noe_text_add(t, "    %s_drift(x, %.17g, Q, R, P, S);\n", as, share);
            moved += f->flow[i];
            known = false;
            continue;
        }
        if (!known) noe_text_add(t, "    %s_force_at(x, %.17g, Q, param, F);\n", as, (double)moved);
        noe_text_add(t, "    %s_kick(x, %.17g, F, P, S);\n", as, share);
        known = true;
    }
}

static void step_of_flows(noe_text *t, noe_model *m, noe_arena *a, const noe_ex *root,
                          const noe_method *f, const char *as)
{
    const noe_ex *F = noe_emit_constant_mass_roots(m, a, root);
    noe_c_nodes   c = noe_c_code_nodes_new(m, a);
    noe_c_code_keep(&c, F, m->n + 2 * m->n * m->n);
    noe_emit_declarations_write(t, &c, f, as, true, false);
    const bool coupled = noe_emit_constant_mass_functions(t, &c, F, as, false);
    algebra(t, as, m->n, coupled, 0);
    text(t, step_mass, as);
    text(t, step_flows, as);
    flows(t, f, as);
    text(t, step_flows_end, as);
}

static void step_of_nodes(noe_text *t, noe_model *m, noe_arena *a, const noe_ex *root,
                          const noe_method *f, const char *as)
{
    const bool        follows = m->monitor.given;
    const int         N = 2 * m->n, M = m->n * f->s, all = N + N * N + (follows ? 2 : 0);
    const noe_c_array out[] = { { "f", root, N }, { "D", root + N, N * N } };
    noe_c_nodes       c = noe_c_code_nodes_new(m, a);
    noe_c_code_keep(&c, root, all);
    const double once = noe_c_code_cost(&c, root, N), both = noe_c_code_cost(&c, root, N + N * N);
    noe_emit_declarations_write(
        t, &c, f, as, false,
        f->s < 4 && f->r * (both + M * M) + M * M * M / 3 < 2 * f->r * once + 600);
    list(t, as, "w", f->w, f->s);
    if (f->s < 4) binomials(t, as);
    else table(t, as, "E", f->E[0], f->s, NOE_MAX_DEGREE, f->s, false);
    noe_text_add(t, "\n");
    noe_c_code_constants(t, &c, root, all, as);
    if (follows) noe_c_code_value(t, &c, as, "monitor", root[N + N * N], false);
    if (follows) noe_c_code_value(t, &c, as, "lagrangian", root[N + N * N + 1], true);
    noe_text_add(t, "/* f = (F, P), F = L_q and the forces, P = L_v; D = d(F, P)/d(q, v). */\n");
    noe_c_code_fill(t, &c, as, "terms", out, 1);
    noe_c_code_fill(t, &c, as, "slopes", out, 2);
    text(t, step_curvature, as);
    algebra(t, as, M, true, m->n);
    text(t, f->s < 4 ? step_extrapolation : step_polynomial, as);
    const bool loops = !noe_emit_action_write(t, &c, root, f, as);
    if (loops || follows) {
        list(t, as, "b", f->b, f->r);
        table(t, as, "I", f->I[0], f->r, NOE_MAX_DEGREE, f->s, true);
        noe_text_add(t, "\n");
    }
    if (loops) {
        list(t, as, "c", f->c, f->r);
        table(t, as, "l", f->l[0], f->r, NOE_MAX_DEGREE, f->s, false);
        table(t, as, "X", f->X[0], f->r, NOE_MAX_DEGREE, f->s, true);
        noe_text_add(t, "\n");
        text(t, step_loops, as);
    }
    text(t, step_renewal, as);
    text(t, follows ? monitored_begin : step_begin, as);
    text(t, step_velocity, as);
    text(t, follows ? monitored_velocity : step_head, as);
    text(t, step_solver, as);
    if (follows) text(t, monitored_step, as);
}

static bool is_simpson(const noe_method *f)
{
    return f->s == 2 && f->r == 3 && f->c[0] == 0 && f->c[2] == 1
        && fabsq(6 * f->b[0] - 1) < COEFFICIENTS_EQUAL;
}

static void step(noe_text *t, noe_model *m, noe_arena *a, const char *as, const void *ctx)
{
    const noe_method *f = ctx;
    const noe_ex     *root = derive(m, a);
    const bool constant_mass = !m->monitor.given && noe_emit_constant_mass_applies(m, a, root),
               splits = f->kind == NOE_SPLITTING;
    if (splits && !constant_mass) {
        noe_status_fail(
            NOE_INVALID,
            "a step of '%s' in C is for L = v.M v/2 - V(q, t) with constant M > 0 and forces "
            "without velocities",
            f->name);
        longjmp(*m->graph.stop, 1);
    }
    (splits                           ? step_of_flows
     : constant_mass && is_simpson(f) ? step_of_constant_mass
                                      : step_of_nodes)(t, m, a, root, f, as);
    noe_text_add(t, "#endif\n");
}

/* Steps that follow a monitor: of L and G without t, by the transformed Lagrangian. */
static bool follows_monitor(const noe_system *s, const noe_method *f)
{
    const char *why = s->model->monitor.reversible
                        ? "'monitor .. reversible' changes the length of ordinary steps"
                    : s->stepped.clocked ? "L or the monitor depends on t"
                                         : NULL;
    if (!why) return noe_monitored_dynamics_check(s, f, NOE_DIGITS_DOUBLE);
    noe_status_fail(NOE_INVALID,
                    "%s: %s, and a step in C follows the transformed Lagrangian of an L and a "
                    "monitor without t: leave the monitor out, 'monitor=none' after the model",
                    s->source, why);
    return false;
}

/* With the monitor that `monitor auto` stands for. */
static char *with_found_monitor(const noe_system *s, const noe_method *f, const char *as)
{
    const char  *G = s->model->monitor.text;
    const size_t length = G ? strlen(G) + 16 : 1;
    char        *line = G ? noe_status_alloc(length, 1) : NULL, *text = NULL;
    if (!G)
        noe_status_fail(NOE_INVALID,
                        "%s: a step in C needs the monitor as text, and that of 'monitor auto' is "
                        "too long to be written: write one",
                        s->source);
    if (line) snprintf(line, length, "monitor = %s", G);
    noe_system *found = line ? noe_system_let(s, line) : NULL;
    if (found) text = noe_emit_step(found, f, as);
    noe_system_free(found);
    free(line);
    return text;
}

char *noe_emit_step(const noe_system *s, const noe_method *f, const char *as)
{
    if (!s || !f) return NULL;
    if (noe_system_monitored(s)) {
        if (!follows_monitor(s, f)) return NULL;
        if (s->model->monitor.automatic) return with_found_monitor(s, f, as);
    }
    const bool splits = f->kind == NOE_SPLITTING && f->kick != NOE_KICK_FROZEN;
    if (!splits && (f->kind != NOE_GALERKIN || f->parts)) {
        noe_status_fail(NOE_INVALID,
                        "a step in C is written for Galerkin methods (\"simpson\", \"gauss 3\", "
                        "\"P4 gauss 6\") and splittings (\"verlet\"), and \"%s\" is none",
                        f->name);
        return NULL;
    }
    if (noe_system_dim(s) * f->s > UNKNOWNS_MOST) {
        noe_status_fail(
            NOE_INVALID,
            "a step in C holds a matrix of %d unknowns, %d coordinates times the degree %d; "
            "at most %d",
            noe_system_dim(s) * f->s, noe_system_dim(s), f->s, UNKNOWNS_MOST);
        return NULL;
    }
    return noe_c_code_write(s, as, step, f);
}
