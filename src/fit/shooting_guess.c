/* First guesses of the states between the pieces of a motion: parabolas fitted to data.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/shooting.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

enum { NEIGHBOURS = 3 }; /* data on each side of a state that is guessed */

/* Position and velocity of a measured coordinate at time T, by the parabola that is nearest
 * to its six nearest data; false: there are too few. */
static bool parabola(const noe_fit *s, int column, int file, double T, double *q, double *v)
{
    int    near[2 * NEIGHBOURS], count = 0;
    double A[3][4] = { { 0 } };
    for (int i = 0; i < s->data; i++) {
        if (s->datum[i].column != column || s->datum[i].file != file) continue;
        int at = count;
        while (at && fabs(s->datum[near[at - 1]].t - T) > fabs(s->datum[i].t - T)) at--;
        if (at == 2 * NEIGHBOURS) continue;
        if (count < 2 * NEIGHBOURS) count++;
        memmove(near + at + 1, near + at, (size_t)(count - at - 1) * sizeof *near);
        near[at] = i;
    }
    for (int i = 0; i < count; i++) {
        const double t = s->datum[near[i]].t - T, power[] = { 1, t, t * t };
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) A[a][b] += power[a] * power[b];
            A[a][3] += power[a] * s->datum[near[i]].y;
        }
    }
    for (int k = 0; k < 3; k++) { /* Gauss and Jordan: A is positive definite */
        const double pivot = A[k][k];
        if (!(pivot > 0) || count < 3) return false;
        for (int b = 0; b < 4; b++) A[k][b] /= pivot;
        for (int a = 0; a < 3; a++) {
            const double factor = a == k ? 0 : A[a][k];
            for (int b = 0; b < 4; b++) A[a][b] -= factor * A[k][b];
        }
    }
    *q = A[0][3], *v = A[1][3];
    return isfinite(*q) && isfinite(*v);
}

/* A first guess z of the state at time T from the data, and where there are none from the motion of
 * the model g, which has come to T. */
static bool guess(const noe_shooting *h, noe_integrator *g, noe_integrator *other, int file,
                  double T, double *z)
{
    const noe_fit *s = h->s;
    const int      n = h->n;
    double         q[n], v[n];
    for (int i = 0; i < n; i++) {
        q[i] = noe_q(g)[i], v[i] = noe_v(g)[i];
        for (int c = 0; c < s->compareds; c++) {
            const noe_column *x = &s->compared[c].value;
            double            at_T, rate;
            if (x->kind != NOE_COL_AT || x->index != i) continue;
            if (x->at != NOE_AT_Q || !parabola(s, c, file, T, &at_T, &rate)) continue;
            q[i] = at_T, v[i] = rate;
        }
        for (int c = 0; c < s->compareds; c++) {
            const noe_column *x = &s->compared[c].value;
            double            at_T, rate;
            if (x->kind == NOE_COL_AT && x->index == i && x->at == NOE_AT_V
                && parabola(s, c, file, T, &at_T, &rate))
                v[i] = at_T;
        }
    }
    if (noe_start(other, T, q, v) || !noe_p(other)) return false;
    memcpy(z, q, (size_t)n * sizeof *z);
    memcpy(z + n, noe_p(other), (size_t)n * sizeof *z);
    return true;
}

/* The pieces of a file in time and the states between them. */
bool noe_shooting_guess_states(noe_shooting *h, int file, double *u)
{
    noe_fit        *s = h->s;
    double         *T = h->T + file * (h->pieces + 1), last = -INFINITY;
    noe_system     *own = noe_fitted_run_system(s, s->plain, file, s->x);
    noe_integrator *g = own ? noe_integrator_new(own, s->method, s->step) : NULL,
                   *other = own ? noe_integrator_new(own, s->method, s->step) : NULL;
    bool ok = g && other && !noe_integrator_start_ready(g);
    for (int i = 0; i < s->data; i++)
        if (s->datum[i].file == file) last = fmax(last, s->datum[i].t);
    for (int k = 0; k <= h->pieces; k++) {
        const double t0 = (double)s->plain->model->t0;
        T[k] = t0 + (last - t0) * k / h->pieces;
    }
    for (int k = 1; ok && k < h->pieces; k++) {
        double *z = u + noe_shooting_state(h, file, k);
        while (noe_time(g) < T[k] && !noe_step(g)) {
        }
        noe_error_clear(); /* where the model's motion ends, its last state is the guess */
        ok = guess(h, g, other, file, T[k], z);
        for (int i = 0; ok && i < 2 * h->n; i++) h->size[i] = fmax(h->size[i], fabs(z[i]));
    }
    noe_integrator_free(g);
    noe_integrator_free(other);
    noe_system_free(own);
    return ok;
}
