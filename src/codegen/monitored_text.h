/* The text in C99 of steps that follow a monitor; @ is the name.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The step of galerkin_text.h, for L = G (L(q, q'/G) + E), is one of the fictitious time.  What
 * stands here begins it with the energy E of the start, which is k[@_LEVEL], and integrates
 * dt = G d tau by the quadrature of the step. */
#ifndef NOE_CODEGEN_MONITORED_TEXT_H
#define NOE_CODEGEN_MONITORED_TEXT_H

static const char *const monitored_begin[] = {
    "/* H(q, p) = v.p - L(q, v): an error of it would let the time drift. */",
    "static double @_energy(const @_state *x, const double *v)",
    "{",
    "    enum { N = @_N };",
    "    long double z[2 * N], H = 0;",
    "    for (int j = 0; j < N; j++) {",
    "        z[j] = (long double)x->q[j] + x->dq[j];",
    "        z[N + j] = v[j];",
    "        H += z[N + j] * ((long double)x->p[j] + x->dp[j]);",
    "    }",
    "    return (double)(H - @_lagrangian(z, x->param, x->k));",
    "}",
    "",
    "void @_start(@_state *x, double t, const double *q, const double *v, const double *param)",
    "{",
    "    enum { N = @_N, S = @_S };",
    "    double z[2 * N], f[2 * N];",
    "    memset(x, 0, sizeof *x);",
    "    for (int j = 0; j < N; j++) z[j] = x->q[j] = q[j];",
    "    @_renew(x, param);",
    "    x->G = @_monitor(z, param, x->k);",
    "    for (int j = 0; j < N; j++) x->history[0][j * S] = z[N + j] = v[j] * x->G;",
    "    @_terms(t, z, param, x->k, f);",
    "    for (int j = 0; j < N; j++) x->p[j] = f[N + j];",
    "    x->k[@_LEVEL] = @_energy(x, v);",
    "    x->t0 = t;",
    "    x->known = x->order = 1;",
    "}",
    "",
    "double @_time(const @_state *x) { return x->t0; }",
    "",
    "/* dq/dtau. */",
    "static int @_rate(const @_state *x, const double *param, double *v)",
    0
};

static const char *const monitored_velocity[] = {
    "int @_velocity(const @_state *x, const double *param, double *v)",
    "{",
    "    enum { N = @_N };",
    "    double k[@_K];",
    "    @_constants(param, k);",
    "    const double G = @_monitor(x->q, param, k);",
    "    if (@_rate(x, param, v)) return 1;",
    "    for (int j = 0; j < N; j++) v[j] /= G;",
    "    return 0;",
    "}",
    "",
    "/* One step of the fictitious time. */",
    "static int @_advance(@_state *x, double h, const double *param)",
    0
};

static const char *const monitored_step[] = {
    "",
    "int @_step(@_state *x, double h, const double *param)",
    "{",
    "    enum { N = @_N, S = @_S, R = @_R };",
    "    const double tau = h / x->G, upper = @_upper(tau), rest = tau - upper;",
    "    double       q[N], p[N], dq[N], dp[N], z[2 * N] = { 0 }, sum = 0;",
    "    if (memcmp(param, x->param, sizeof x->param)) { /* the energy is another one */",
    "        double v[N];",
    "        @_renew(x, param);",
    "        if (@_velocity(x, param, v)) return 1;",
    "        x->k[@_LEVEL] = @_energy(x, v);",
    "    }",
    "    memcpy(q, x->q, sizeof q), memcpy(dq, x->dq, sizeof dq);",
    "    memcpy(p, x->p, sizeof p), memcpy(dp, x->dp, sizeof dp);",
    "    if (@_advance(x, tau, param)) return 1;",
    "    for (int i = 0; i < R; i++) {",
    "        for (int j = 0; j < N; j++) {",
    "            double y = 0;",
    "            for (int m = 0; m < S; m++) y += @_I[i][m] * x->history[x->at][j * S + m];",
    "            z[j] = q[j] + ((dq[j] + rest * y) + upper * y);",
    "        }",
    "        const double G = @_monitor(z, param, x->k);",
    "        if (!(G > 0 && G < HUGE_VAL)) { /* the time stands still */",
    "            memcpy(x->q, q, sizeof q), memcpy(x->dq, dq, sizeof dq);",
    "            memcpy(x->p, p, sizeof p), memcpy(x->dp, dp, sizeof dp);",
    "            return 1;",
    "        }",
    "        sum += @_b[i] * G;",
    "    }",
    "    @_add(&x->t0, &x->dt, rest * sum + upper * sum);",
    "    return 0;",
    "}",
    0
};

#endif
