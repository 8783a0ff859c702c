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
static void balance_exact_kick(noe_structure_engine *w, double s, double a, const double *f,
                               const double *g, const double *v, const double *acceleration)
{
    double       work = 0, lost = 0;
    const double fv = f ? noe_structure_share_part(w->s, f, v) : 0,
                 fa = f ? noe_structure_share_part(w->s, f, acceleration) : 0;
    const double vv = noe_structure_share_part(w->s, v, w->state.p),
                 va = noe_structure_share_part(w->s, v, g),
                 aa = noe_structure_share_part(w->s, acceleration, g);
    for (int i = 0; i < NOE_POWER_NODES; i++) {
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
static void balance_euler_kick(noe_structure_engine *w, double s, const double *f)
{
    double *v = w->scratch.d, *a = w->scratch.y[0],
           lost = s * noe_structure_share_part(w->s, v, w->scratch.e), work = 0;
    noe_factorization_solve(w->matrix.mass, w->scratch.g, a);
    if (f)
        work = s * noe_structure_share_part(w->s, f, v)
             + s * s / 2 * noe_structure_share_part(w->s, f, a);
    noe_structure_product_damping(w, a);
    lost += s * s * noe_structure_share_part(w->s, v, w->scratch.e)
          + s * s * s / 3 * noe_structure_share_part(w->s, a, w->scratch.e);
    noe_linear_state_add(w->at.work, work);
    noe_linear_state_add(w->at.lost, lost / (*w->at.h * *w->at.h));
}

/* f[n]: the load, or NULL. */
static void kick(noe_structure_engine *w, double s, const double *f)
{
    const noe_structure *x = w->s;
    const int            n = w->at.n;
    const double         h2 = *w->at.h * *w->at.h, a = *w->at.h * x->alpha;
    const bool euler = w->method.kick == NOE_KICK_EULER && (x->C || x->alpha != 0 || x->beta != 0);
    for (int i = 0; i < n; i++)
        w->scratch.g[i] = -NOE_STIFFNESS_DIVISOR * w->state.r[i] + (f ? h2 * f[i] : 0);
    if (euler) {
        noe_factorization_solve(w->matrix.mass, w->state.p, w->scratch.d);
        noe_structure_product_damping(w, w->scratch.d);
        for (int i = 0; i < n; i++) w->scratch.g[i] -= w->scratch.e[i];
        balance_euler_kick(w, s, f);
    } else if (w->balance.kept) {
        noe_factorization_solve(w->matrix.mass, w->state.p, w->scratch.d);
        noe_factorization_solve(w->matrix.mass, w->scratch.g, w->scratch.e);
        balance_exact_kick(w, s, a, f, w->scratch.g, w->scratch.d, w->scratch.e);
    }
    const double decay = euler ? 0 : -expm1(-a * s), push = decay == 0 ? s : decay / a;
    for (int i = 0; i < n; i++)
        noe_compensated_add(&w->state.p[i], &w->state.dp[i],
                            push * w->scratch.g[i] - decay * w->state.p[i]);
}

/* The loads of all kicks, before the first flow changes the state.  False: one is not finite. */
static bool loads_of_kicks(noe_structure_engine *w)
{
    const noe_method *f = &w->method;
    quad              c = 0;
    bool              ok = true;
    for (int i = 0, kicks = 0; i < f->flows && w->scratch.f; i++)
        if ((i + f->drift_first) % 2) c += f->flow[i];
        else ok &= noe_load_at_node(w, (double)c, w->scratch.f[kicks++]);
    return ok;
}

static bool split(noe_structure_engine *w)
{
    const noe_method *f = &w->method;
    if (!loads_of_kicks(w)) return false;
    for (int i = 0, kicks = 0; i < f->flows; i++) {
        const double s = (double)f->flow[i];
        if ((i + f->drift_first) % 2 == 0) {
            kick(w, s, w->scratch.f ? w->scratch.f[kicks++] : NULL);
            continue;
        }
        noe_factorization_solve(w->matrix.mass, w->state.p, w->scratch.d);
        for (int k = 0; k < w->at.n; k++)
            noe_compensated_add(&w->state.q[k], &w->state.dq[k], s * w->scratch.d[k]);
        noe_structure_product_stiffness(w, w->state.q, w->state.r);
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
        noe_structure_product_stiffness(w, w->scratch.d, w->scratch.kick[i]);
        for (int k = 0; k < n; k++)
            w->scratch.kick[i][k] = -NOE_STIFFNESS_DIVISOR * w->scratch.kick[i][k]
                                  + (w->scratch.f ? h2 * w->scratch.f[i][k] : 0);
        if (!w->balance.kept) continue;
        noe_structure_product_damping(w, w->scratch.hv[i]);
        for (int k = 0; k < n; k++) w->scratch.kick[i][k] -= w->scratch.e[k];
    }
    for (int k = 0; k < n; k++) {
        double q = 0, p = 0;
        for (int i = 0; i < f->r; i++) {
            q += (double)f->b[i] * w->scratch.hv[i][k];
            p += (double)f->b[i] * w->scratch.kick[i][k];
        }
        noe_compensated_add(&w->state.q[k], &w->state.dq[k], q),
            noe_compensated_add(&w->state.p[k], &w->state.dp[k], p);
    }
    noe_structure_product_stiffness(w, w->state.q, w->state.r);
    return true;
}

bool noe_structure_explicit_step(noe_structure_engine *w)
{
    return w->method.kind == NOE_SPLITTING ? split(w) : runge_kutta(w);
}
