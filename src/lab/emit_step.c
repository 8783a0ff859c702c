/* L, a Galerkin method -> its step, C99 that needs nothing but libm.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "lab/emit_simple.h"
#include "lab/lab.h"
#include "lab/step_c.h"
#include "lab/step_simpson.h"
#include "lang/diff.h"

#include <string.h>

enum { UNKNOWNS_MOST = 200 }; /* n s: the state holds their matrix */

static noe_ex *take(noe_model *m, noe_arena *a, size_t n)
{
    noe_ex *p = noe_arena_take(a, n * sizeof *p);
    if (!p) longjmp(*m->graph.stop, 1);
    return p;
}

/* F, P, then D = d(F, P)/d(q, v) row by row: as in run/dynamics.c. */
static noe_ex *derive(noe_model *m, noe_arena *a)
{
    noe_graph *g = &m->graph;
    const int  n = m->n, N = 2 * n;
    noe_ex    *root = take(m, a, (size_t)N * (size_t)(N + 1)), *f = take(m, a, 4 * (size_t)n);
    noe_gradient(g, m->L, n, root);
    if (noe_model_forced(m)) {
        noe_model_force(m, f, f + n);
        for (int i = 0; i < n; i++) root[i] = noe_make(g, NOE_ADD, root[i], f[i], 0);
    }
    for (int i = 0; i < N; i++) noe_gradient(g, root[i], n, root + N + i * N);
    noe_lower(g, root, N + N * N);
    return root;
}

static void terms(noe_text *t, noe_model *m, noe_arena *a, const noe_ex *root, const char *as)
{
    noe_graph *g = &m->graph;
    const int  N = 2 * m->n;
    char       s[64];
    bool      *written = noe_arena_take(a, (size_t)g->count);
    if (!written) longjmp(*g->stop, 1);
    noe_say(t, "/* f = (F, P), F = L_q and the forces, P = L_v; D = d(F, P)/d(q, v) unless it is NULL. */\n"
            "static void %s_terms(double t, const double *z, const double *param, double *f, double *D)\n{\n", as);
    noe_say(t, "    (void)t, (void)z, (void)param;\n");
    noe_c_section(t, m, root, N, written);
    for (int i = 0; i < N; i++) noe_say(t, "    f[%d] = %s;\n", i, noe_c_name(g, root[i], m->n, s));
    noe_say(t, "    if (!D) return;\n\n");
    noe_c_section(t, m, root, N + N * N, written);
    for (int i = 0; i < N * N; i++) noe_say(t, "    D[%d] = %s;\n", i, noe_c_name(g, root[N + i], m->n, s));
    noe_say(t, "}\n\n");
}

static void declarations(noe_text *t, const noe_model *m, const noe_method *f, const char *as, bool simple)
{
    const bool plain = !strpbrk(m->name, "*\n?");
    noe_say(t, "/* %s_step: one step of \"%s\" for %.200s, C99.\n", as, f->name, plain ? m->name : "a model");
    noe_say(t, " * Written by noether " NOE_VERSION " from the model text; change that, not this.\n *\n");
    noe_say(t, " * No memory is asked for, nothing but libm is called; a state belongs to one thread.\n"
            " * #define %s_HEADER before #include of this file gives the declarations alone.\n *\n", as);
    noe_say(t, " * q: ");
    for (int i = 0; i < m->n; i++) noe_say(t, "%s%.100s", i ? ", " : "", m->coordinate[i]->name);
    noe_say(t, "\n");
    int params = 0;
    for (int i = 0; i < m->symbols; i++)
        if (m->symbol[i]->what == NOE_IS_PARAMETER)
            noe_say(t, " * param[%d] = %.100s\n", params++, m->symbol[i]->name);
    noe_say(t, " *\n * _step returns 0; or 1 when its equations were not solved, the state being that before.  Unlike the\n"
            " * library it tries once, from the steps before, and does not look for roots far away: choose a length at\n"
            " * which 'noether run' subdivides no step. */\n");
    noe_say(t, "#ifndef %s_DECLARED\n#define %s_DECLARED\n", as, as);
    noe_say(t, "enum { %s_N = %d, %s_S = %d, %s_R = %d, %s_ITERATIONS = 30 };\n", as, m->n, as, f->s, as, f->r, as);
    noe_say(t, "typedef struct {\n    double t0, count, h; /* the time is t0 + count h */\n"
            "    double q[%s_N], p[%s_N], dq[%s_N], dp[%s_N]; /* what rounding lost stands in dq and dp */\n", as, as, as, as);
    if (simple) noe_say(t, "    double F[%s_N], M[%s_N * %s_N], K[%s_N * %s_N]; /* the force at q, the mass, the slope of the force in the middle */\n"
            "    double mass[%s_N * %s_N], A[%s_N * %s_N], past[6][%s_N], param[%d];\n"
            "    int    known, kept, renew, bad, massrow[%s_N], row[%s_N];\n} %s_state;\n",
            as, as, as, as, as, as, as, as, as, as, params ? params : 1, as, as, as);
    else
        noe_say(t, "    double past[6][%s_N * %s_S]; /* modes of the velocity over the steps before */\n"
            "    double LU[%s_N * %s_S * %s_N * %s_S], push[%s_N * %s_N * %s_S];\n"
            "    int    known, kept, renew, row[%s_N * %s_S];\n} %s_state;\n",
            as, as, as, as, as, as, as, as, as, as, as, as);
    noe_say(t, "extern const double %s_param[%d]; /* the parameters' values in the model */\n", as, params ? params : 1);
    noe_say(t, "void   %s_start(%s_state *, double t, const double *q, const double *v, const double *param);\n", as, as);
    noe_say(t, "int    %s_step(%s_state *, double h, const double *param); /* fastest while h stays the same */\n", as, as);
    noe_say(t, "int    %s_velocity(const %s_state *, const double *param, double *v); /* of L_v = p; 1: none found */\n", as, as);
    noe_say(t, "double %s_time(const %s_state *);\n#endif\n\n#ifndef %s_HEADER\n", as, as, as);
    noe_say(t, "#include <float.h>\n#include <math.h>\n#include <stddef.h>\n#include <string.h>\n\n");
    noe_say(t, "const double %s_param[%d] = { ", as, params ? params : 1);
    for (int i = 0; i < params; i++) noe_say(t, "%s%.17g", i ? ", " : "", (double)m->param[i]);
    noe_say(t, "%s };\n\n", params ? "" : "0");
}

/* A table of rows of s numbers; in a step they are called as in method/method.h. */
static void table(noe_text *t, const char *as, const char *name, const quad *x, int rows, int length, int s)
{
    noe_say(t, "static const double %s_%s[%d][%d] = {\n", as, name, rows, s);
    for (int i = 0; i < rows; i++) {
        noe_say(t, "    { ");
        for (int m = 0; m < s; m++) noe_say(t, "%s%.17g", m ? ", " : "", (double)x[i * length + m]);
        noe_say(t, " },\n");
    }
    noe_say(t, "};\n");
}

static void list(noe_text *t, const char *as, const char *name, const quad *x, int count)
{
    noe_say(t, "static const double %s_%s[%d] = { ", as, name, count);
    for (int i = 0; i < count; i++) noe_say(t, "%s%.17g", i ? ", " : "", (double)x[i]);
    noe_say(t, " };\n");
}

static void text(noe_text *t, const char *const *line, const char *as)
{
    for (; *line; line++) {
        for (const char *c = *line, *end; *c; c = *end ? end + 1 : end) {
            end = c + strcspn(c, "@");
            noe_say(t, "%.*s%s", (int)(end - c), c, *end ? as : "");
        }
        noe_say(t, "\n");
    }
}

static void step(noe_text *t, noe_model *m, noe_arena *a, const char *as, const void *ctx)
{
    const noe_method *f = ctx;
    const noe_ex     *root = derive(m, a);
    const bool        simple = noe_emit_is_simple(m, a, root, f);
    declarations(t, m, f, as, simple);
    if (simple) {
        noe_emit_force_and_mass(t, m, a, root, as);
        text(t, step_c_linear, as);
        text(t, step_simpson, as);
    } else {
        list(t, as, "c", f->c, f->r);
        list(t, as, "b", f->b, f->r);
        list(t, as, "w", f->w, f->s);
        table(t, as, "l", f->l[0], f->r, NOE_MAX_DEGREE, f->s);
        table(t, as, "I", f->I[0], f->r, NOE_MAX_DEGREE, f->s);
        table(t, as, "X", f->X[0], f->r, NOE_MAX_DEGREE, f->s);
        table(t, as, "E", f->E[0], f->s, NOE_MAX_DEGREE, f->s);
        noe_say(t, "\n");
        terms(t, m, a, root, as);
        text(t, step_c_linear, as);
        text(t, step_c, as);
    }
    noe_say(t, "#endif\n");
}

char *noe_system_emit_step(const noe_system *s, const noe_method *f, const char *as)
{
    if (!s || !f) return NULL;
    if (f->kind != NOE_GALERKIN || f->parts || f->variant) {
        noe_fail(NOE_INVALID, "a step in C is written for Galerkin methods (\"simpson\", \"gauss 3\", \"P4 gauss 6\"), "
                 "and \"%s\" is none", f->name);
        return NULL;
    }
    if (noe_system_dim(s) * f->s > UNKNOWNS_MOST) {
        noe_fail(NOE_INVALID, "a step in C holds a matrix of %d unknowns, %d coordinates times the degree %d; at most %d",
                 noe_system_dim(s) * f->s, noe_system_dim(s), f->s, UNKNOWNS_MOST);
        return NULL;
    }
    return noe_c_write(s, as, step, f);
}
