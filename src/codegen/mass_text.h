/* The text in C99 that steps share where M is constant; @ is the name.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * P = M v,  F = F(t, q). */
#ifndef NOE_CODEGEN_MASS_TEXT_H
#define NOE_CODEGEN_MASS_TEXT_H

static const char *const step_mass[] = {
    "/* M, its factors and the force at (t, q) for these parameters.  1: M is singular. */",
    "static int @_begin(@_state *x, const double *param)",
    "{",
    "    memcpy(x->param, param, sizeof x->param);",
    "    @_constants(param, x->k);",
    "    @_mass(param, x->k, x->M);",
    "    memcpy(x->mass, x->M, sizeof x->M);",
    "    @_force(@_time(x), x->q, param, x->k, x->F);",
    "    return !@_factor(x->mass, x->massrow, @_N);",
    "}",
    "",
    "double @_time(const @_state *x) { return x->t0 + x->count * x->h; }",
    "",
    "void @_start(@_state *x, double t, const double *q, const double *v, const double *param)",
    "{",
    "    enum { N = @_N };",
    "    memset(x, 0, sizeof *x);",
    "    memcpy(x->q, q, sizeof x->q);",
    "    x->t0 = t;",
    "    x->bad = @_begin(x, param);",
    "    for (int j = 0; j < N; j++)",
    "        for (int k = 0; k < N; k++) x->p[j] += x->M[j * N + k] * v[k];",
    "}",
    "",
    "int @_velocity(const @_state *x, const double *param, double *v)",
    "{",
    "    enum { N = @_N };",
    "    double M[N * N], k[@_K];",
    "    int    row[N];",
    "    @_constants(param, k);",
    "    @_mass(param, k, M);",
    "    if (!@_factor(M, row, N)) return 1;",
    "    for (int j = 0; j < N; j++) v[j] = x->p[j] + x->dp[j];",
    "    @_inverse_mass(M, row, v);",
    "    return 0;",
    "}",
    "",
    0
};

#endif
