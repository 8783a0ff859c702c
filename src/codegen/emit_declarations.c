/* Writes what stands before a step in C99: comment, sizes, the struct of its state, prototypes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/emit_declarations.h"

#include "noether.h"

#include <string.h>

/* The comment at the head of the file. */
static void heading(noe_text *t, const noe_model *m, const noe_method *f, const char *as)
{
    const bool plain = !strpbrk(m->name, "*\n?");
    int        param = 0;
    noe_text_add(t, "/* %s_step: one step of \"%s\" for %.200s, C99.\n", as, f->name,
                 plain ? m->name : "a model");
    noe_text_add(t, " * Written by noether " NOE_VERSION
                    " from the model text; change that, not this.\n *\n");
    noe_text_add(
        t,
        " * No memory is allocated, nothing but libm is called; a state belongs to one thread.\n"
        " * #define %s_HEADER before #include of this file gives the declarations alone.\n"
        " *\n",
        as);
    noe_text_add(t, " * q: ");
    for (int i = 0; i < m->n; i++)
        noe_text_add(t, "%s%.100s", i ? ", " : "", m->coordinate[i]->name);
    noe_text_add(t, "\n");
    for (int i = 0; i < m->symbols; i++)
        if (m->symbol[i]->what == NOE_IS_PARAMETER)
            noe_text_add(t, " * param[%d] = %.100s\n", param++, m->symbol[i]->name);
    noe_c_code_events(t, m);
    if (m->monitor.given)
        noe_text_add(
            t, " *\n * The steps follow the monitor of the model: h is the length of a step at\n"
               " * the start, _time tells how long the steps were.\n");
    noe_text_add(t, f->kind == NOE_SPLITTING
                        ? " *\n"
                          " * _step returns 0; or 1 when a number is not finite: the state is\n"
                          " * then that before. */\n"
                        : " *\n"
                          " * _step returns 0; or 1 when its equations were not solved: the state\n"
                          " * is then that before.  Unlike the library it solves them once, from\n"
                          " * the prediction, and does not continue from smaller steps: choose a\n"
                          " * step at which 'noether run' subdivides no step. */\n");
}

/* The enum of sizes and the struct NAME_state. */
static void state_type(noe_text *t, const noe_c_nodes *c, const noe_method *f, const char *as,
                       bool constant_mass, bool fresh, int slots)
{
    const bool       splits = f->kind == NOE_SPLITTING;
    const noe_model *m = c->model;
    const bool       follows = m->monitor.given;
    const int        constants = c->count ? c->count : 1, history = f->s < 4 ? 16 : 1;
    if (splits) noe_text_add(t, "enum { %s_N = %d, %s_K = %d };\n", as, m->n, as, constants);
    else
        noe_text_add(
            t,
            "enum {\n    %s_N = %d, /* coordinates */\n    %s_S = %d, /* degree */\n"
            "    %s_R = %d, /* nodes */\n    %s_M = %d, /* unknowns */\n"
            "    %s_K = %d, /* constants computed from parameters */\n"
            "    %s_FRESH = %d, /* 1: a new matrix in every step */\n"
            "    %s_ITERATIONS = 30,\n    %s_HISTORY = %d /* earlier steps for the prediction */\n"
            "};\n",
            as, m->n, as, f->s, as, f->r, as, constant_mass ? m->n : m->n * f->s, as, constants, as,
            fresh, as, as, NOE_EMIT_PAST);
    if (follows)
        noe_text_add(t, "enum { %s_LEVEL = %d }; /* place of the energy in k */\n", as, c->level);
    noe_text_add(t, "typedef struct {\n");
    noe_text_add(t, follows
                        ? "    double t0, dt; /* the time, and compensation of rounding */\n"
                          "    double count, h; /* steps; their length in the fictitious time */\n"
                          "    double G; /* the monitor at the start */\n"
                        : "    double t0, count, h; /* the time is t0 + count h */\n");
    noe_text_add(t,
                 "    double q[%s_N], p[%s_N]; /* the state is q + dq, p + dp */\n"
                 "    double dq[%s_N], dp[%s_N]; /* compensation of rounding */\n",
                 as, as, as, as);
    noe_text_add(t, "    double param[%d], k[%s_K]; /* parameters; constants from them */\n", slots,
                 as);
    if (!splits)
        noe_text_add(
            t,
            "    double history[%d][%s_M]; /* the modes of earlier steps */\n"
            "    double misfit[%s_HISTORY + 1]; /* errors of the prediction by order */\n"
            "    double curvature;\n"
            "    unsigned at;\n    int    known, order, countdown, kept, renew, row[%s_M];\n",
            history, as, as, as);
    if (constant_mass)
        noe_text_add(t,
                     "    double F[%s_N], M[%s_N * %s_N]; /* force and mass matrix */\n"
                     "    double mass[%s_N * %s_N]; /* factors of the mass matrix */\n"
                     "    int    bad, massrow[%s_N];\n",
                     as, as, as, as, as, as);
    if (!constant_mass)
        noe_text_add(t, "    double LU[%s_M * %s_M], kick_slope[%s_N * %s_M];\n", as, as, as, as);
    else if (!splits)
        noe_text_add(t,
                     "    double K[%s_N * %s_N]; /* dF/dq in the middle of the step */\n"
                     "    double A[%s_N * %s_N]; /* Newton's matrix, M - h^2/24 K, factored */\n",
                     as, as, as, as);
    noe_text_add(t, "} %s_state;\n", as);
}

/* Prototypes, and the values of the parameters in the model. */
static void prototypes(noe_text *t, const noe_model *m, const char *as, int params, int slots)
{
    noe_text_add(t, "extern const double %s_param[%d]; /* the parameters' values in the model */\n",
                 as, slots);
    noe_text_add(t,
                 "void   %s_start(%s_state *, double t, const double *q, const double *v,\n"
                 "                const double *param);\n",
                 as, as);
    noe_text_add(t,
                 "/* Fastest while h stays the same. */\n"
                 "int    %s_step(%s_state *, double h, const double *param);\n",
                 as, as);
    noe_text_add(t,
                 "/* v from L_v(t, q, v) = p; 1: not found. */\n"
                 "int    %s_velocity(const %s_state *, const double *param, double *v);\n",
                 as, as);
    noe_text_add(t, "double %s_time(const %s_state *);\n#endif\n\n#ifndef %s_HEADER\n", as, as, as);
    noe_text_add(
        t, "#include <float.h>\n#include <math.h>\n#include <stddef.h>\n#include <string.h>\n\n");
    noe_text_add(t, "const double %s_param[%d] = { ", as, slots);
    for (int i = 0; i < params; i++) noe_text_add(t, "%s%.17g", i ? ", " : "", (double)m->param[i]);
    noe_text_add(t, "%s };\n\n", params ? "" : "0");
}

void noe_emit_declarations_write(noe_text *t, const noe_c_nodes *c, const noe_method *f,
                                 const char *as, bool constant_mass, bool fresh)
{
    const noe_model *m = c->model;
    int              params = 0;
    for (int i = 0; i < m->symbols; i++) params += m->symbol[i]->what == NOE_IS_PARAMETER;
    const int slots = params ? params : 1;
    heading(t, m, f, as);
    noe_text_add(t, "#ifndef %s_DECLARED\n#define %s_DECLARED\n", as, as);
    state_type(t, c, f, as, constant_mass, fresh, slots);
    prototypes(t, m, as, params, slots);
}
