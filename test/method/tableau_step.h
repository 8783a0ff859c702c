/* A step by a tableau written plainly: the formula of method.h, Newton, elimination.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TABLEAU_STEP_H
#define TABLEAU_STEP_H

#include "method/stability.h"
#include "random.h"

#include <string.h>

enum { S = NOE_MAX_DEGREE };

static UNUSED noe_method *parse(const char *name)
{
    noe_method *m = noe_method_parse(name);
    if (!m) fail_msg("%s", noe_error());
    return m;
}

/* L, and its derivatives: f[0] = L_q, f[1] = L_v, f[2] = L_qq, f[3] = L_qv, f[4] = L_vv. */
typedef void lagrangian(quad q, quad v, quad *f);

static UNUSED void eliminate(int n, quad A[S][S], quad *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabsq(A[i][k]) > fabsq(A[best][k])) best = i;
        for (int j = 0; j < n; j++) {
            quad swap = A[k][j];
            A[k][j] = A[best][j], A[best][j] = swap;
        }
        quad swap = x[k];
        x[k] = x[best], x[best] = swap;
        for (int i = k + 1; i < n; i++) {
            quad f = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
            x[i] -= f * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) x[k] -= A[k][j] * x[j];
        x[k] /= A[k][k];
    }
}

static UNUSED void step(const noe_method *t, lagrangian *L, quad h, quad *q, quad *p)
{
    quad a[S] = { 0 }, kick = 0, moved = HUGE_VAL, before = HUGE_VAL;
    for (int it = 0; it < 20 && (it < 2 || moved < before); it++) { /* until round-off stops it */
        quad A[S][S] = { { 0 } }, rest[S];
        for (int m = 0; m < t->s; m++) rest[m] = t->w[m] * *p;
        kick = 0;
        for (int i = 0; i < t->r; i++) {
            quad V = 0, Q = *q, f[5];
            for (int m = 0; m < t->s; m++) V += t->l[i][m] * a[m], Q += h * t->I[i][m] * a[m];
            L(Q, V, f);
            kick += h * t->b[i] * f[0];
            for (int m = 0; m < t->s; m++) {
                quad l = t->b[i] * t->l[i][m], X = t->b[i] * h * t->X[i][m];
                rest[m] -= l * f[1] - X * f[0];
                for (int k = 0; k < t->s; k++)
                    A[m][k] += (l * f[4] - X * f[3]) * t->l[i][k]
                             + (l * f[3] - X * f[2]) * h * t->I[i][k];
            }
        }
        eliminate(t->s, A, rest);
        before = moved;
        moved = 0;
        for (int m = 0; m < t->s; m++) a[m] += rest[m], moved = fmaxq(moved, fabsq(rest[m]));
    }
    for (int m = 0; m < t->s; m++) *q += h * t->w[m] * a[m];
    *p += kick;
}

static UNUSED const struct method_row {
    const char *name;
    int         order;
    bool        symmetric;
} methods[] = {
    { "midpoint", 2, true },          { "lobatto 1", 2, true },
    { "simpson", 4, true },           { "gauss 2", 4, true },
    { "gauss 3", 6, true },           { "lobatto 3", 6, true },
    { "gauss 4", 8, true },           { "lobatto 4", 8, true },
    { "P4 gauss 6", 8, true },        { "P2 lobatto 2", 2, true },
    { "P3 lobatto 3", 4, true },      { "P2 gauss 3", 4, true },
    { "P1 gauss 4", 2, true },        { "P2 clenshaw 2", 2, true },
    { "P4 clenshaw 5", 6, true },     { "P3 clenshaw 6", 6, true },
    { "P1 radau-left 1", 1, false },  { "P1 radau-right 1", 1, false },
    { "P2 radau-left 2", 3, false },  { "P3 radau-left 3", 5, false },
    { "P3 radau-right 4", 6, false },
};

enum { METHODS = sizeof methods / sizeof *methods };

#endif
