/* M + mu_j h^2 K = L D L^T,  K = U''(q) of an earlier step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrices of sums_newton.h: assembled from the terms, factored for each mu_j, kept with what tells their age. */
#ifndef NOE_SUMS_SUMS_FACTORIZATION_H
#define NOE_SUMS_SUMS_FACTORIZATION_H

#include "sums/sums_mass.h"
#include "method/stage_modes.h"
#include "sums/sums_stiffness.h"
#include "sums/tile_sweep.h"

enum { POWERS = 40 }; /* iterations for the fastest oscillation */

struct newton {
    noe_stage_modes     x;
    noe_sums_stiffness *K;
    noe_ldl            *ldl, *mass; /* mass: the factor of M, NULL where it is a diagonal */
    double             *moving;     /* velocities of all places, of a coupled M; where known */
    bool                known;
    term_memory        *stiff;                                                /* [groups] */
    double  *y[NOE_MAX_DEGREE], *Q[NOE_MAX_POINTS], *F[NOE_MAX_POINTS], *end; /* [places] */
    double  *R[NOE_MAX_DEGREE], *re, *im, *v; /* [n]; values of a matrix, re and im [entries] */
    double   length; /* of the step that the factors are for; 0: there are none */
    double   bound;  /* of omega^2, by the sums of the rows of M^-1 K */
    double   turn;   /* fastest omega h of the last K where it is beyond the edge, else 0 */
    bool     lent;  /* somebody may have written the state since: are the factors still of its K? */
    uint64_t print; /* of the positions that they are of */
};

static void newton_free(newton *x)
{
    if (!x) return;
    noe_sums_stiffness_free(x->K);
    noe_ldl_free(x->ldl);
    noe_ldl_free(x->mass);
}

static void *own(work *w, size_t count, bool *ok)
{
    void *p = *ok ? noe_arena_take(w->arena, (count + 1) * sizeof(double)) : NULL;
    *ok = p != NULL;
    return p;
}

/* Operations, in lanes: one of a factor, which goes from place to place, is as long as FACTOR_COST of a tape. */
static void costs(work *w)
{
    enum { FACTOR_COST = 8 };
    const newton *x = w->newton;
    const double  entries = (double)noe_ldl_entries(x->ldl);
    w->per_solve = w->per_matrix = 0;
    for (int j = 0; j < x->x.shifts; j++) {
        const double parts = j < x->x.real ? FACTOR_COST : 4 * FACTOR_COST;
        w->per_solve += parts * (2 * entries + x->K->at.n);
        w->per_matrix += parts * noe_ldl_work(x->ldl);
    }
    for (int k = 0; k < w->g->groups; k++) {
        const noe_sum_group *group = &w->g->group[k];
        if (group->stiff)
            w->per_matrix += (double)group->terms.terms
                           * (group->stiff->length + FACTOR_COST * group->stiff->outputs);
    }
}

static bool factor_mass(newton *x)
{
    x->mass = noe_ldl_new(&x->K->at, 1, 1);
    if (!x->mass) return false;
    if (noe_ldl_factor(x->mass, 0, x->K->M, NULL) && !noe_ldl_negative(x->mass, 0)) return true;
    noe_status_fail(
        NOE_SINGULAR,
        "the mass matrix of the kinetic energy is not positive definite: the velocities do not follow from the "
        "momenta");
    return false;
}

/* Kinetic energy of a coupled M in the state given; the velocities stay in x->v, by unknowns. */
static double coupled_energy(const work *w, double *state)
{
    const newton *x = w->newton;
    const double *p = array(w, state, A_P), *dp = array(w, state, A_DP);
    double        sum = 0, lost = 0;
    for (int k = 0; k < x->K->at.n; k++) x->v[k] = p[x->K->place[k]] + dp[x->K->place[k]];
    mass_divide(x->K, x->mass, x->v);
    for (int k = 0; k < x->K->at.n; k++)
        add_exactly(&sum, &lost, (p[x->K->place[k]] + dp[x->K->place[k]]) * x->v[k] / 2);
    return sum + lost;
}

/* The velocities of all places, of a coupled M. */
static const double *coupled_velocities(work *w)
{
    newton *x = w->newton;
    if (!x->known) {
        coupled_energy(w, w->now);
        for (int k = 0; k < x->K->at.n; k++) x->moving[x->K->place[k]] = x->v[k];
    }
    x->known = true;
    return x->moving;
}

/* p <- M v of all places, of a coupled M. */
static void coupled_momenta(const work *w, const double *v, double *p)
{
    const newton *x = w->newton;
    for (int k = 0; k < x->K->at.n; k++) x->v[k] = v[x->K->place[k]];
    mass_times(x->K, x->v, x->R[0]);
    for (int k = 0; k < x->K->at.n; k++) p[x->K->place[k]] = x->R[0][k];
}

/* Made when it is first wanted. */
static bool newton_ready(work *w)
{
    if (w->newton) return w->newton->re != NULL;
    const noe_sums *g = w->g;
    const size_t    places = w->stride, n = (size_t)g->n;
    newton         *x = w->newton = noe_arena_take(w->arena, sizeof *x);
    bool            ok = x != NULL;
    if (!ok) return false;
    x->x = w->modes;
    x->stiff = noe_arena_take(w->arena, (size_t)(g->groups + 1) * sizeof *x->stiff);
    ok = x->stiff != NULL;
    for (int k = 0; ok && k < g->groups; k++)
        if (g->group[k].stiff) ok = make_term_memory(&x->stiff[k], w->arena, g->group[k].stiff);
    ok = ok && (x->K = noe_sums_stiffness_new(g))
      && (x->ldl = noe_ldl_new(&x->K->at, x->x.shifts, x->x.real));
    for (int m = 0; m < x->x.s; m++) x->y[m] = own(w, places, &ok), x->R[m] = own(w, n, &ok);
    for (int i = w->lo; i < w->hi; i++)
        x->Q[i] = own(w, places, &ok), x->F[i] = own(w, places, &ok);
    x->end = own(w, places, &ok);
    x->v = own(w, n, &ok);
    const size_t entries = ok ? (size_t)x->K->at.start[n] : 0;
    if (ok) costs(w);
    if (g->coupled) ok = ok && factor_mass(x), x->moving = own(w, places, &ok);
    x->im = own(w, entries, &ok), x->re = own(w, entries, &ok);
    return ok;
}

/* K = U'' at Q. */
static void assemble(const work *w, double t, const double *Q)
{
    const noe_sums           *g = w->g;
    const newton             *x = w->newton;
    const noe_sums_stiffness *K = x->K;
    const sources             from = { .q = Q };
    memset(K->K, 0, (size_t)K->at.start[K->at.n] * sizeof *K->K);
    for (int k = 0; k < g->groups; k++) {
        const noe_sum_group *group = &g->group[k];
        const noe_terms     *list = &group->terms;
        if (!group->stiff) continue;
        set_time(&x->stiff[k], t);
        for (int64_t r = 0; r < list->runs; r++)
            for (int64_t e = 0; e < list->count[r]; e += NOE_TERM_BLOCK) {
                const int64_t left = list->count[r] - e;
                const int     count = left < NOE_TERM_BLOCK ? (int)left : NOE_TERM_BLOCK;
                set_inputs(g, list, r, e, count, &x->stiff[k], &from);
                interpret_program(&x->stiff[k], count);
                for (int o = 0; o < group->stiff->outputs; o++) {
                    const int                a = group->pair[o].a, b = group->pair[o].b;
                    const int32_t           *A = K->unknown, *B = A;
                    const noe_block_program *out = x->stiff[k].program;
                    const double            *value = x->stiff[k].slot[out->out[o]],
                                 sign = out->minus[o] ? -1 : 1;
                    A += list->base[r * list->slots + a] + list->stride[a] * e;
                    B += list->base[r * list->slots + b] + list->stride[b] * e;
                    for (int i = 0; i < count; i++) {
                        const int32_t row = A[list->stride[a] * i], col = B[list->stride[b] * i];
                        if (row >= 0 && col >= 0)
                            K->K[noe_sums_stiffness_at(K, row, col)] +=
                                sign * (row == col && a != b ? 2 * value[i] : value[i]);
                    }
                }
            }
    }
}

/* v <- M^-1 K u, and with absolute values the largest sum of a row. */
static double stiff_times(const noe_sums_stiffness *K, const noe_ldl *mass, const double *u,
                          double *v)
{
    const int n = K->at.n;
    double    most = 0;
    for (int i = 0; i < n; i++) v[i] = 0;
    for (int i = 0; i < n; i++)
        for (int64_t e = K->at.start[i]; e < K->at.start[i + 1]; e++) {
            const int j = K->at.col[e];
            v[i] += u ? K->K[e] * u[j] : fabs(K->K[e]);
            if (j != i) v[j] += u ? K->K[e] * u[i] : fabs(K->K[e]);
        }
    mass_divide(K, u ? mass : NULL, v);
    for (int i = 0; i < n; i++) most = v[i] > most ? v[i] : most;
    return most;
}

/* omega^2 of the fastest oscillation, from below: u.K u/u.M u after some powers. */
static double fastest(const newton *x)
{
    const noe_sums_stiffness *K = x->K;
    const int                 n = K->at.n;
    double                   *u = x->R[0], *v = x->v, ratio = 0;
    for (int i = 0; i < n; i++) u[i] = 1 - 2 * (double)(((uint32_t)i * 2654435761u) >> 31);
    for (int round = 0; round < POWERS; round++) {
        double uMv = 0, uMu = 0, vMv = 0;
        stiff_times(K, x->mass, u, v);
        mass_times(K, v, x->re);
        for (int i = 0; i < n; i++) uMv += u[i] * x->re[i], vMv += v[i] * x->re[i];
        mass_times(K, u, x->re);
        for (int i = 0; i < n; i++) uMu += u[i] * x->re[i];
        if (!(vMv > 0)) return 0;
        ratio = uMv / uMu;
        for (int i = 0; i < n; i++) u[i] = v[i] / sqrt(vMv);
    }
    return ratio;
}

static uint64_t print_of(const double *x, size_t count)
{
    uint64_t hash = 1469598103934665603u; /* FNV-1a, by words */
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

/* mu = 0: M itself, a diagonal. */
static bool mass_alone(const noe_stage_modes *x, int j)
{
    return fabs(x->mu_re[j]) + fabs(x->mu_im[j]) < 1e-13;
}

/* Factors of M + mu h^2 K, K at the positions that the state remembers. */
static bool factorise(work *w, double h, double t)
{
    newton       *x = w->newton;
    const double *at = array(w, w->now, A_K);
    const int64_t entries = x->K->at.start[x->K->at.n];
    bool          ok = true;
    assemble(w, t, at);
    x->bound = x->mass ? 2 * fmax(fastest(x), 0) : stiff_times(x->K, NULL, NULL, x->v);
    x->turn = 0;
    if (sqrt(x->bound) * fabs(h) > w->edge) {
        const double turn = sqrt(fmax(fastest(x), 0)) * fabs(h);
        if (turn > w->edge) x->turn = turn;
    }
    for (int j = 0; ok && j < x->x.shifts; j++) {
        if (mass_alone(&x->x, j)) continue;
        const double re = h * h * x->x.mu_re[j], im = h * h * x->x.mu_im[j];
        for (int64_t e = 0; e < entries; e++) x->re[e] = x->K->M[e] + re * x->K->K[e];
        for (int64_t e = 0; e < entries && im != 0; e++) x->im[e] = im * x->K->K[e];
        ok = noe_ldl_factor(x->ldl, j, x->re, im != 0 ? x->im : NULL);
    }
    x->length = ok ? h : 0;
    x->print = print_of(at, (size_t)w->g->places);
    x->lent = false;
    return ok;
}

/* A matrix at Q. */
static bool refresh(work *w, double h, double t, const double *Q)
{
    memcpy(array(w, w->now, A_K), Q, (size_t)w->g->places * sizeof *Q);
    w->now[FROZEN] = 1;
    w->now[REFRESHES]++;
    w->now[SPENT] += w->per_matrix;
    return factorise(w, h, t);
}

#endif
