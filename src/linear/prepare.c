/* h -> shifts, factors or polynomials;  a step that some mode does not stand is refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "linear/large.h"
#include "method/stability.h"

#include <math.h>
#include <string.h>

static const double FEW = 2e6; /* bytes of K that one thread reads in less time than several take to meet */

void noe_large_forget(noe_large *w)
{
    for (int j = 0; j < NOE_PENCIL; j++) noe_shift_free(w->shift[j]), w->shift[j] = NULL;
    noe_shift_free(w->whole);
    w->whole = NULL;
    w->h = 0;
}

/* Largest modulus of the eigenvalues of one mode's step; k is h^2 omega^2/24. */
static double growth(const noe_pencil *x, double alpha, double k)
{
    double complex M[2][2];
    for (int c = 0; c < 2; c++) { /* q = 1 - c, p = c, mass 1 */
        double complex d = 0, u = 0, r = c ? 0 : k;
        for (int j = 0; j < x->count; j++) {
            const double complex y = (x->P[j] * c + x->R[j] * r) / (1 + x->lambda[j] * k);
            d += x->part[j] * creal(x->V[j] * y), u += x->part[j] * creal(x->U[j] * y);
        }
        M[0][c] = !c + d, M[1][c] = c - NOE_UNIT * r - k * u - alpha * d;
    }
    const double trace = creal(M[0][0] + M[1][1]), det = creal(M[0][0] * M[1][1] - M[0][1] * M[1][0]);
    const double root = trace * trace / 4 - det;
    return root > 0 ? fabs(trace) / 2 + sqrt(root) : sqrt(fabs(det));
}

static noe_status refuse(const noe_large *w, double stable)
{
    const double omega = sqrt(w->omega2);
    return noe_fail(NOE_INVALID, "the step %.6g is beyond the largest stable one of %s, %.6g: the fastest mode has "
                    "frequency %.6g (period %.4g); take a smaller step, or a method that is stable at every step, as gauss 2",
                    *w->at.h, w->method.name, stable, omega, 8 * atan(1) / omega);
}

/* How many modes are faster than mu/h: by Sylvester's law of inertia; -1 with a message. */
static int faster(const noe_large *w, double mu)
{
    const double h = *w->at.h;
    noe_shift   *x = noe_shift_new(w->s, -1, h * h / (mu * mu));
    const int    count = x ? noe_shift_negative(x) : -1;
    noe_shift_free(x);
    return count;
}

/* All modes inside the first `window` windows, of which every gap must be empty. */
static noe_status windows(const noe_large *w, const double *edge, int edges, double mu)
{
    int i = 0;
    while (i < edges && edge[i] <= mu) i++;
    if (i % 2 || w->window < 1 + i / 2) return refuse(w, edge[0] / sqrt(w->omega2));
    for (int k = 0; k < i; k += 2) {
        const int above = faster(w, edge[k]), beyond = faster(w, edge[k + 1]);
        if (above < 0 || beyond < 0) return NOE_SINGULAR;
        if (above > beyond)
            return noe_fail(NOE_INVALID, "the step %.6g puts %d mode%s of the structure into the gap of %s from %.6g to %.6g "
                            "radians a step, where motions grow; take another step", *w->at.h, above - beyond,
                            above - beyond > 1 ? "s" : "", w->method.name, edge[k], edge[k + 1]);
    }
    return NOE_OK;
}

/* Undamped: by the windows of the method; damped: by the modes' own growth, on a fine grid up to the fastest. */
static noe_status stable(const noe_large *w)
{
    enum { GRID = 4000, EDGES = 2 * NOE_MAX_DEGREE };
    double       edge[EDGES];
    const double h = fabs(*w->at.h), mu = h * sqrt(w->omega2);
    const int    edges = noe_stability_windows(&w->method, INFINITY, edge, EDGES);
    const bool   damped = w->s->alpha != 0 || w->s->beta != 0;
    if (!edges) return NOE_OK;
    if (w->s->C || w->method.kind == NOE_NEWMARK || !damped) return mu < edge[0] ? NOE_OK : windows(w, edge, edges, mu);
    for (int i = 0; i <= GRID; i++)
        if (growth(&w->x, h * w->s->alpha, mu * mu / NOE_UNIT * i / GRID) > 1 + 1e-10)
            return refuse(w, edge[0] / sqrt(w->omega2));
    return NOE_OK;
}

static noe_status fastest(noe_large *w)
{
    if (w->omega2 == w->omega2) return NOE_OK;
    const double bound = noe_omega2_bound(w->s), found = noe_omega2_lanczos(w->s, w->mass);
    if (found != found) return NOE_NO_MEMORY;
    w->omega2 = fmin(bound, fmax(found, 0));
    return NOE_OK;
}

/* The stages of a step, when every shift is a polynomial of M^-1 K of moderate degree. */
static bool polynomial(noe_large *w)
{
    noe_poly    *y = &w->poly;
    const double h2 = *w->at.h * *w->at.h;
    int          s = 0;
    if (!w->s->mass) return false;
    for (int j = 0; j < w->x.count; j++)
        if (cimag(w->x.lambda[j]) != 0 || !noe_chebyshev_make(&y->c[j], creal(w->x.lambda[j]), h2 / NOE_UNIT * w->omega2)) return false;
    y->shift[s] = 0, y->term[s++] = -1;
    for (int j = 0; j < w->x.count; j++)
        for (int k = 0; k < y->c[j].degree; k++) {
            if (s + 2 >= NOE_PENCIL * NOE_DEGREE) return false;
            y->shift[s] = j, y->term[s++] = k;
        }
    y->stages = s + 1; /* and the momenta */
    y->x = &w->x;
    y->h2 = h2;
    y->f = w->f;
    y->alpha = *w->at.h * w->s->alpha;
    return true;
}

static noe_status factors(noe_large *w)
{
    for (int j = 0; j < w->x.count; j++) {
        if (w->x.lambda[j] == 0) continue;
        w->shift[j] = noe_shift_new(w->s, w->x.lambda[j], *w->at.h * *w->at.h / NOE_UNIT);
        if (!w->shift[j]) return NOE_SINGULAR;
    }
    return NOE_OK;
}

noe_status noe_large_prepare(noe_large *w)
{
    const double h = *w->at.h;
    noe_status   s;
    const int threads = w->threads ? w->threads : noe_blocked_bytes(w->k) < FEW ? 1 : noe_team_processors();
    if (!w->team && !(w->team = noe_team_new(threads))) return NOE_NO_MEMORY;
    if (w->h == h) return NOE_OK;
    noe_large_forget(w);
    const bool newmark = w->method.kind == NOE_NEWMARK;
    if (!newmark && !noe_pencil_make(&w->x, &w->method, h * w->s->alpha, w->s->beta / h))
        return noe_fail(NOE_SINGULAR, "'%s' at step %g: its modes do not separate", w->method.name, h);
    if (!w->mass && !(w->mass = noe_shift_new(w->s, 0, 1))) return NOE_SINGULAR;
    if ((s = fastest(w)) || (s = stable(w))) return s;
    noe_blocked_scale(w->k, w->s->K, h * h / NOE_UNIT);
    w->polynomial = !newmark && !w->s->C && !w->factorise && polynomial(w);
    if (newmark) s = noe_large_effective(w);
    else if (w->s->C) s = noe_large_whole(w);
    else if (!w->polynomial) s = factors(w);
    if (s) {
        noe_large_forget(w);
        return s;
    }
    w->h = h;
    return NOE_OK;
}
