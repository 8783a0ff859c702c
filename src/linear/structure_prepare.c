/* Prepares the structure engine for a step length: shifts, factors or polynomials.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "linear/structure_engine.h"
#include "linear/mode_stability.h"

#include <math.h>

/* Bytes of K that one thread reads in less time than several threads need for a barrier. */
static const double ONE_THREAD_BYTES = 2e6;

void noe_structure_prepare_forget(noe_structure_engine *w)
{
    for (int j = 0; j < NOE_PENCIL; j++)
        noe_factorization_free(w->prepared.shift[j]), w->prepared.shift[j] = NULL;
    noe_factorization_free(w->prepared.whole);
    w->prepared.whole = NULL;
    w->prepared.h = 0;
}

static noe_status fastest(noe_structure_engine *w)
{
    if (w->matrix.omega2 == w->matrix.omega2) return NOE_OK;
    if (w->s->share) {
        w->matrix.omega2 = w->s->share->omega2;
        return NOE_OK;
    }
    const double bound = noe_eigen_max_bound(w->s),
                 found = noe_eigen_max_lanczos(w->s, w->matrix.mass);
    if (found != found) return NOE_NO_MEMORY;
    w->matrix.omega2 = fmin(bound, fmax(found, 0));
    return NOE_OK;
}

/* Prepares the stages of a step if every shift is a polynomial of M^-1 K of moderate degree. */
static bool polynomial(noe_structure_engine *w)
{
    noe_chebyshev_step *y = &w->prepared.poly;
    const double        h2 = *w->at.h * *w->at.h;
    int                 s = 0;
    if (!w->s->mass) return false;
    for (int j = 0; j < w->prepared.x.count; j++)
        if (!noe_chebyshev_polynomial_make(&y->c[j], w->prepared.x.lambda[j],
                                           h2 / NOE_STIFFNESS_DIVISOR * w->matrix.omega2))
            return false;
    for (int j = 0, last = w->method.s; j < w->prepared.x.count; j++)
        y->yi[j] = y->c[j].pair ? w->scratch.y[--last] : NULL; /* count + pairs = s */
    y->shift[s] = 0, y->term[s++] = -1;
    for (int j = 0; j < w->prepared.x.count; j++)
        for (int k = 0; k < y->c[j].degree; k++) {
            if (s + 2 >= NOE_PENCIL * NOE_CHEBYSHEV_DEGREE_MOST) return false;
            y->shift[s] = j, y->term[s++] = k;
        }
    y->stages = s + 1; /* one more for the momenta */
    y->x = &w->prepared.x;
    y->h2 = h2;
    y->f = w->scratch.f;
    y->alpha = *w->at.h * w->s->alpha;
    return true;
}

static noe_status factor_shifts(noe_structure_engine *w)
{
    for (int j = 0; j < w->prepared.x.count; j++) {
        if (w->prepared.x.lambda[j] == 0) continue;
        w->prepared.shift[j] = noe_factorization_new(w->s, w->prepared.x.lambda[j],
                                                     *w->at.h * *w->at.h / NOE_STIFFNESS_DIVISOR,
                                                     w->option.bits);
        if (!w->prepared.shift[j]) return NOE_SINGULAR;
    }
    return NOE_OK;
}

noe_status noe_structure_prepare_make(noe_structure_engine *w)
{
    const double h = *w->at.h;
    noe_status   s;
    const int    threads = w->option.threads ? w->option.threads
                         : noe_block_rows_bytes(w->matrix.k) < ONE_THREAD_BYTES
                             ? 1
                             : noe_thread_team_processors();
    if (!w->team && !(w->team = noe_thread_team_new(threads))) return NOE_NO_MEMORY;
    if (w->prepared.h == h) return NOE_OK;
    noe_structure_prepare_forget(w);
    const bool newmark = w->method.kind == NOE_NEWMARK, galerkin = w->method.kind == NOE_GALERKIN;
    if (galerkin
        && !noe_stage_pencil_make(&w->prepared.x, &w->method, h * w->s->alpha, w->s->beta / h))
        return noe_status_fail(NOE_SINGULAR, "'%s' at step %g: its modes do not separate",
                               w->method.name, h);
    if (!w->matrix.mass && !(w->matrix.mass = noe_factorization_new(w->s, 0, 1, w->option.bits)))
        return NOE_SINGULAR;
    if ((s = fastest(w))
        || (s = noe_mode_stability_check(w->s, &w->method, h, w->matrix.omega2,
                                         w->s->share ? 1 : w->option.window)))
        return s;
    noe_block_rows_scale(w->matrix.k, w->s->K, h * h / NOE_STIFFNESS_DIVISOR);
    w->prepared.polynomial = galerkin && !w->s->C && !w->option.factorise && polynomial(w);
    for (int i = 0; i < w->method.r && w->method.kind == NOE_RUNGE_KUTTA; i++)
        w->prepared.x.b[i] = (double)w->method.b[i];
    if (newmark) s = noe_structure_newmark_factorise(w);
    else if (galerkin && w->s->C) s = noe_coupled_solve_factorise(w);
    else if (galerkin && !w->prepared.polynomial) s = factor_shifts(w);
    if (s) {
        noe_structure_prepare_forget(w);
        return s;
    }
    w->prepared.h = h;
    return NOE_OK;
}
