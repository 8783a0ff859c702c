/* The text of a splitting's step in C99; @ is the name.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * p <- p + x h F(q),  q <- q + x h M^-1 p, alternately.
 *
 * emit_step.c writes the calls of the flows between step_flows and step_flows_end. */
#ifndef NOE_CODEGEN_SPLITTING_TEXT_H
#define NOE_CODEGEN_SPLITTING_TEXT_H

static const char *const step_flows[] = {
    "/* F is the force at Q, at the time `moved` h after the beginning of the step. */",
    "static inline void @_force_at(const @_state *x, double moved, const double *Q,",
    "                              const double *param, double *F)",
    "{",
    "    @_force(x->t0 + (x->count + moved) * x->h, Q, param, x->k, F);",
    "}",
    "",
    "/* p <- p + share h F; S is the compensation of P. */",
    "static inline void @_kick(const @_state *x, double share, const double *F, double *P,",
    "                          double *S)",
    "{",
    "    for (int j = 0; j < @_N; j++) @_add(&P[j], &S[j], share * x->h * F[j]);",
    "}",
    "",
    "/* q <- q + share h M^-1 p; R is the compensation of Q. */",
    "static inline void @_drift(const @_state *x, double share, double *Q, double *R,",
    "                           const double *P, const double *S)",
    "{",
    "    double v[@_N];",
    "    for (int j = 0; j < @_N; j++) v[j] = P[j] + S[j];",
    "    @_inverse_mass(x->mass, x->massrow, v);",
    "    for (int j = 0; j < @_N; j++) @_add(&Q[j], &R[j], share * x->h * v[j]);",
    "}",
    "",
    "int @_step(@_state *x, double h, const double *param)",
    "{",
    "    enum { N = @_N };",
    "    double Q[N], R[N], P[N], S[N], F[N], finite = 0;",
    "    if (x->bad || memcmp(param, x->param, sizeof x->param)) {",
    "        x->bad = @_begin(x, param);",
    "        if (x->bad) return 1;",
    "    }",
    "    if (x->h != h) {",
    "        x->t0 = @_time(x);",
    "        x->count = 0;",
    "        x->h = h;",
    "    }",
    "    memcpy(Q, x->q, sizeof Q);",
    "    memcpy(R, x->dq, sizeof R);",
    "    memcpy(P, x->p, sizeof P);",
    "    memcpy(S, x->dp, sizeof S);",
    "    memcpy(F, x->F, sizeof F);",
    0
};

static const char *const step_flows_end[] = {
    "    for (int j = 0; j < N; j++) finite += Q[j] + P[j];",
    "    if (!(fabs(finite) < HUGE_VAL)) return 1;",
    "    memcpy(x->q, Q, sizeof Q);",
    "    memcpy(x->dq, R, sizeof R);",
    "    memcpy(x->p, P, sizeof P);",
    "    memcpy(x->dp, S, sizeof S);",
    "    memcpy(x->F, F, sizeof F);",
    "    x->count++;",
    "    return 0;",
    "}",
    0
};

#endif
