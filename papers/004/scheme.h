/* p <- p - s tau (C p + K q),  q <- q + r tau p:  the schemes of paper 004 by hand, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * And its two examples. */
#ifndef SCHEME_H
#define SCHEME_H

#include "../claim.h"

typedef struct {
    quad q[2], p[2];
} state; /* of unit masses: p = q' */

typedef struct { /* q'' + C q' + K q = 0 with diagonal K, the rest of it in hat; all depend on q */
    int n;
    void (*terms)(const quad *q, const quad *p, quad *Cp, quad *Kq, quad *hat);
} oscillator;

static quad mu = 10;
static void van_der_pol_terms(const quad *q, const quad *p, quad *Cp, quad *Kq, quad *hat)
{
    Cp[0] = mu * (q[0] * q[0] - 1) * p[0], Kq[0] = q[0], hat[0] = 0;
}
static void duffing_terms(const quad *q, const quad *p, quad *Cp, quad *Kq,
                          quad *hat) /* (26) divided by its masses */
{
    Cp[0] = NUM(0.1) * p[0] / 2, Kq[0] = (2 + NUM(0.1) * q[0] * q[0]) * q[0] / 2, hat[0] = q[1] / 2;
    Cp[1] = NUM(0.2) * p[1] / 3, Kq[1] = (2 + NUM(0.2) * q[1] * q[1]) * q[1] / 3, hat[1] = q[0] / 3;
}
static const oscillator van_der_pol = { 1, van_der_pol_terms }, duffing = { 2, duffing_terms };

static void coefficients(int printed, quad s[4], quad r[4])
{
    const quad z = cbrtq(2) + 1 / cbrtq(2);
    s[0] = s[3] = (2 + z) / 6, s[1] = s[2] = (1 - z) / 6;
    r[0] = r[2] = (2 + z) / 3, r[1] = printed ? -(2 + z) / 3 : -(1 + 2 * z) / 3, r[3] = 0;
}

/* (23), (24) with K~ of every stage, or with that of the step's beginning, C p/q + K^ q/q as
 * (20); (22): drifts first. */
typedef enum { EVERY_STAGE, FROZEN, DRIFT_FIRST } reading;

static state step(const oscillator *x, state y, quad tau, const quad *s, const quad *r, int stages,
                  reading how)
{
    quad Cp[2], Kq[2], hat[2], K[2];
    x->terms(y.q, y.p, Cp, Kq, hat);
    for (int j = 0; j < x->n; j++) K[j] = (Cp[j] + hat[j]) / y.q[j];
    for (int i = 0; i < stages; i++) {
        for (int j = 0; j < x->n && how == DRIFT_FIRST; j++) y.q[j] += r[i] * tau * y.p[j];
        x->terms(y.q, y.p, Cp, Kq, hat);
        for (int j = 0; j < x->n; j++)
            y.p[j] -= s[i] * tau * (Kq[j] + (how == FROZEN ? K[j] * y.q[j] : Cp[j] + hat[j]));
        for (int j = 0; j < x->n && how != DRIFT_FIRST; j++) y.q[j] += r[i] * tau * y.p[j];
    }
    return y;
}

#endif
