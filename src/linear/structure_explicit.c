/* Splitting and Runge-Kutta steps of a structure, as products with K.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     pi += s (h^2 f - 24 rho),   q += r M^-1 pi,   rho = k q
 *
 * Damping alpha M is in the exact kick: pi' = g - a pi, a = h alpha, so pi <- e^(-a s) pi + phi
 * s g, phi = (1 - e^(-a s))/(a s).  Other damping is for Euler's kick, and for Runge-Kutta. */
#include "linear/structure_engine.h"

#include "number/compensated_dot.h"

#include <math.h>

/* Work of the load and dissipation along the kick of g, int_0^s of e^(-a t) and phi(a t) t and
 * their products: from pi, with v = M^-1 pi in v and M^-1 g in `acceleration`. */
static void balance_exact_kick(noe_structure_engine *w, double s, double a, const double *g,
                               const double *v, const double *acceleration)
{
    double       work = 0, lost = 0;
    const double fv = w->scratch.f ? noe_structure_share_part(w->s, w->scratch.f[0], v) : 0,
                 fa = w->scratch.f ? noe_structure_share_part(w->s, w->scratch.f[0], acceleration)
                                   : 0;
    const double vv = noe_structure_share_part(w->s, v, w->state.p),
                 va = noe_structure_share_part(w->s, v, g),
                 aa = noe_structure_share_part(w->s, acceleration, g);
    for (int i = 0; i < 8; i++) {
        const double t = w->balance.node[i] * s, e = exp(-a * t),
                     push = a == 0 ? t : -expm1(-a * t) / a, b = w->balance.weight[i] * s;
        work += b * (e * fv + push * fa);
        lost += b * a * (e * e * vv + 2 * e * push * va + push * push * aa);
    }
    noe_linear_state_add(w->at.work, work);
    noe_linear_state_add(w->at.lost, lost / (*w->at.h * *w->at.h));
}

/* The same for Euler's kick, along which the velocity is v + t a:  e = h C v is given and
 * already subtracted from g. */
static void balance_euler_kick(noe_structure_engine *w, double s)
{
    double *v = w->scratch.d, *a = w->scratch.y[0],
           lost = s * noe_structure_share_part(w->s, v, w->scratch.e), work = 0;
    noe_factorization_solve(w->matrix.mass, w->scratch.g, a);
    if (w->scratch.f)
        work = s * noe_structure_share_part(w->s, w->scratch.f[0], v)
             + s * s / 2 * noe_structure_share_part(w->s, w->scratch.f[0], a);
    noe_structure_newmark_damping(w, a);
    lost += s * s * noe_structure_share_part(w->s, v, w->scratch.e)
          + s * s * s / 3 * noe_structure_share_part(w->s, a, w->scratch.e);
    noe_linear_state_add(w->at.work, work);
    noe_linear_state_add(w->at.lost, lost / (*w->at.h * *w->at.h));
}

static bool kick(noe_structure_engine *w, double s, double c)
{
    const noe_structure *x = w->s;
    const int            n = w->at.n;
    const double         h2 = *w->at.h * *w->at.h, a = *w->at.h * x->alpha;
    const bool euler = w->method.kick == NOE_KICK_EULER && (x->C || x->alpha != 0 || x->beta != 0);
    if (w->scratch.f && !noe_load_at_node(w, c, w->scratch.f[0])) return false;
    for (int i = 0; i < n; i++)
        w->scratch.g[i] = -NOE_UNIT * w->state.r[i] + (w->scratch.f ? h2 * w->scratch.f[0][i] : 0);
    if (euler) {
        noe_factorization_solve(w->matrix.mass, w->state.p, w->scratch.d);
        noe_structure_newmark_damping(w, w->scratch.d);
        for (int i = 0; i < n; i++) w->scratch.g[i] -= w->scratch.e[i];
        balance_euler_kick(w, s);
    } else if (w->balance.kept) {
        noe_factorization_solve(w->matrix.mass, w->state.p, w->scratch.d);
        noe_factorization_solve(w->matrix.mass, w->scratch.g, w->scratch.e);
        balance_exact_kick(w, s, a, w->scratch.g, w->scratch.d, w->scratch.e);
    }
    const double decay = euler ? 0 : -expm1(-a * s), push = decay == 0 ? s : decay / a;
    for (int i = 0; i < n; i++)
        noe_add(&w->state.p[i], &w->state.dp[i], push * w->scratch.g[i] - decay * w->state.p[i]);
    return true;
}

static bool split(noe_structure_engine *w)
{
    const noe_method *f = &w->method;
    quad              c = 0;
    for (int i = 0; i < f->flows; i++) {
        const double s = (double)f->flow[i];
        if ((i + f->drift_first) % 2 == 0) {
            if (!kick(w, s, (double)c)) return false;
            continue;
        }
        noe_factorization_solve(w->matrix.mass, w->state.p, w->scratch.d);
        for (int k = 0; k < w->at.n; k++)
            noe_add(&w->state.q[k], &w->state.dq[k], s * w->scratch.d[k]);
        noe_chebyshev_sweep_product(w, w->state.q, w->state.r);
        c += f->flow[i];
    }
    return true;
}

static bool runge_kutta(noe_structure_engine *w)
{
    const noe_method *f = &w->method;
    const int         n = w->at.n;
    const double      h2 = *w->at.h * *w->at.h;
    for (int i = 0; i < f->r; i++) {
        if (w->scratch.f && !noe_load_at_node(w, (double)f->c[i], w->scratch.f[i])) return false;
        for (int k = 0; k < n; k++) {
            w->scratch.d[k] = w->state.q[k];
            w->scratch.g[k] = w->state.p[k];
        }
        for (int l = 0; l < i; l++) {
            const double a = (double)f->A[i][l];
            for (int k = 0; k < n && a != 0; k++) {
                w->scratch.d[k] += a * w->scratch.hv[l][k];
                w->scratch.g[k] += a * w->scratch.kick[l][k];
            }
        }
        noe_factorization_solve(w->matrix.mass, w->scratch.g, w->scratch.hv[i]);
        noe_chebyshev_sweep_product(w, w->scratch.d, w->scratch.kick[i]);
        for (int k = 0; k < n; k++)
            w->scratch.kick[i][k] = -NOE_UNIT * w->scratch.kick[i][k]
                                  + (w->scratch.f ? h2 * w->scratch.f[i][k] : 0);
        if (!w->balance.kept) continue;
        noe_structure_newmark_damping(w, w->scratch.hv[i]);
        for (int k = 0; k < n; k++) w->scratch.kick[i][k] -= w->scratch.e[k];
    }
    for (int k = 0; k < n; k++) {
        double q = 0, p = 0;
        for (int i = 0; i < f->r; i++) {
            q += (double)f->b[i] * w->scratch.hv[i][k];
            p += (double)f->b[i] * w->scratch.kick[i][k];
        }
        noe_add(&w->state.q[k], &w->state.dq[k], q), noe_add(&w->state.p[k], &w->state.dp[k], p);
    }
    noe_chebyshev_sweep_product(w, w->state.q, w->state.r);
    return true;
}

bool noe_structure_explicit_step(noe_structure_engine *w)
{
    return w->method.kind == NOE_SPLITTING ? split(w) : runge_kutta(w);
}
