/* The matrices of Newton's method: evaluation from the terms, factorization, highest frequency.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     M + mu_j h^2 K = L D L^T for every mu_j of sums_newton.h,   K = U''(q) of an earlier step.
 *
 * A factorization is used over many steps; step length and a hash of the positions tell whether it
 * is still valid. */
#ifndef NOE_SUMS_SUMS_FACTORIZATION_H
#define NOE_SUMS_SUMS_FACTORIZATION_H

#include "base/hash.h"
#include "sums/sums_mass.h"
#include "method/stage_modes.h"
#include "sums/sums_stiffness.h"
#include "sums/tile_sweep.h"

/* Iterations of the power method for the highest frequency. */
enum { POWER_ITERATIONS = 40 };
/* |Re mu| + |Im mu| of a stage mode below which mu is 0.  538 methods: 0 is at most 6e-33, as they
 * are found in binary128, others are at least 0.0025. */
static const double ZERO_MODE = 1e-13;

/* Memory of Newton's method.  Unknown k is the k-th coordinate that is not fixed, in the order of
 * K->place. */
struct sums_newton_state {
    /* mu_j and the transformation that separates the equations of the modes */
    noe_stage_modes modes;
    /* K = U'' and M, pattern and values */
    noe_sums_stiffness *K;
    /* factors of M + mu_j h^2 K, one for each mu_j; factor of M, NULL if M is diagonal */
    noe_ldl *ldl, *mass;
    /* [places]: M^-1 p of a coupled M */
    double *velocity;
    /* [groups]: tapes of the second derivatives */
    term_memory *stiffness;
    /* [places]: modes y = h a, positions and forces at the implicit nodes, forces at the end of the
     * step */
    double *y[NOE_MAX_DEGREE], *Q[NOE_MAX_POINTS], *F[NOE_MAX_POINTS], *end;
    /* R: [n] residuals, then corrections of the modes; re, im: [entries] values of a matrix; v: [n]
     * scratch */
    double *R[NOE_MAX_DEGREE], *re, *im, *v;
    /* step length h of the factors; 0: there are no factors */
    double length;
    /* bound of omega^2 by row sums of M^-1 K; if M is coupled, twice the estimate by the power
     * method */
    double bound;
    /* largest omega h of the last K if it exceeds w->method.edge, else 0 */
    double unstable_angle;
    /* the state was accessible from outside since the factorization: compare `hash` before the
     * next use */
    bool accessible;
    /* hash of the positions at which the factors were computed */
    uint64_t hash;
};

static void newton_free(sums_newton_state *x)
{
    if (!x) return;
    noe_sums_stiffness_free(x->K);
    noe_ldl_free(x->ldl);
    noe_ldl_free(x->mass);
}

/* `count` doubles of the arena; NULL, and *ok = false, if there is no memory or *ok was false
 * before. */
static void *take(work *w, size_t count, bool *ok)
{
    void *p = *ok ? noe_arena_take(w->arena, (count + 1) * sizeof(double)) : NULL;
    *ok = p != NULL;
    return p;
}

/* Operations of a solve and of a factorization, in units of a tape operation on eight terms.  An
 * operation on a factor, which is scalar and indirectly addressed, takes as long as FACTOR_COST of
 * them; a complex one four times that. */
static void costs(work *w)
{
    enum { FACTOR_COST = 8 };
    const sums_newton_state *x = w->newton;
    const double             entries = (double)noe_ldl_entries(x->ldl);
    w->cost.solve = w->cost.matrix = 0;
    for (int j = 0; j < x->modes.shifts; j++) {
        const double parts = j < x->modes.real ? FACTOR_COST : 4 * FACTOR_COST;
        w->cost.solve += parts * (2 * entries + x->K->at.n);
        w->cost.matrix += parts * noe_ldl_work(x->ldl);
    }
    for (int k = 0; k < w->g->groups; k++) {
        const noe_sum_group *group = &w->g->group[k];
        if (group->stiffness)
            w->cost.matrix += (double)group->terms.terms
                            * (group->stiffness->length + FACTOR_COST * group->stiffness->outputs);
    }
}

/* Factorizes a mass matrix that is not diagonal.  False, with a message: not positive definite, or
 * out of memory. */
static bool factor_mass(sums_newton_state *x)
{
    x->mass = noe_ldl_new(&x->K->at, 1, 1);
    if (!x->mass) return false;
    if (noe_ldl_factor(x->mass, 0, x->K->M, NULL) && !noe_ldl_negative(x->mass, 0)) return true;
    noe_status_fail(NOE_SINGULAR, "the mass matrix of the kinetic energy is not positive definite: "
                                  "the velocities do not follow from the "
                                  "momenta");
    return false;
}

/* Kinetic energy of a state if M is coupled; leaves the velocities in x->v [n]. */
static double coupled_energy(const work *w, double *state)
{
    const sums_newton_state *x = w->newton;
    const double            *p = array(w, state, A_P), *dp = array(w, state, A_DP);
    double                   sum = 0, lost = 0;
    for (int k = 0; k < x->K->at.n; k++) x->v[k] = p[x->K->place[k]] + dp[x->K->place[k]];
    mass_divide(x->K, x->mass, x->v);
    for (int k = 0; k < x->K->at.n; k++)
        noe_compensated_collect(&sum, &lost,
                                (p[x->K->place[k]] + dp[x->K->place[k]]) * x->v[k] / 2);
    return sum + lost;
}

/* The velocities of all places in the present state if M is coupled. */
static const double *coupled_velocities(work *w)
{
    sums_newton_state *x = w->newton;
    if (!w->state.velocity_known) {
        coupled_energy(w, w->state.now);
        for (int k = 0; k < x->K->at.n; k++) x->velocity[x->K->place[k]] = x->v[k];
    }
    w->state.velocity_known = true;
    return x->velocity;
}

/* p <- M v for all places if M is coupled. */
static void coupled_momenta(const work *w, const double *v, double *p)
{
    const sums_newton_state *x = w->newton;
    for (int k = 0; k < x->K->at.n; k++) x->v[k] = v[x->K->place[k]];
    mass_times(x->K, x->v, x->R[0]);
    for (int k = 0; k < x->K->at.n; k++) p[x->K->place[k]] = x->R[0][k];
}

/* Allocates the memory of Newton's method at its first use.  False: out of memory, or M is not
 * positive definite. */
static bool newton_ready(work *w)
{
    if (w->newton) return w->newton->re != NULL;
    const noe_sums    *g = w->g;
    const size_t       places = w->state.stride, n = (size_t)g->n;
    sums_newton_state *x = w->newton = noe_arena_take(w->arena, sizeof *x);
    bool               ok = x != NULL;
    if (!ok) return false;
    x->modes = w->method.modes;
    x->stiffness = noe_arena_take(w->arena, (size_t)(g->groups + 1) * sizeof *x->stiffness);
    ok = x->stiffness != NULL;
    for (int k = 0; ok && k < g->groups; k++)
        if (g->group[k].stiffness)
            ok = make_term_memory(&x->stiffness[k], w->arena, g->group[k].stiffness);
    ok = ok && (x->K = noe_sums_stiffness_new(g))
      && (x->ldl = noe_ldl_new(&x->K->at, x->modes.shifts, x->modes.real));
    for (int m = 0; m < x->modes.s; m++) x->y[m] = take(w, places, &ok), x->R[m] = take(w, n, &ok);
    for (int i = w->method.lo; i < w->method.hi; i++) {
        x->Q[i] = take(w, places, &ok);
        x->F[i] = take(w, places, &ok);
    }
    x->end = take(w, places, &ok);
    x->v = take(w, n, &ok);
    const size_t entries = ok ? (size_t)x->K->at.start[n] : 0;
    if (ok) costs(w);
    if (g->coupled) ok = ok && factor_mass(x), x->velocity = take(w, places, &ok);
    x->im = take(w, entries, &ok), x->re = take(w, entries, &ok);
    return ok;
}

/* K <- U'' at time t and positions Q of all places, added up term by term. */
static void assemble(const work *w, double t, const double *Q)
{
    const noe_sums           *g = w->g;
    const sums_newton_state  *x = w->newton;
    const noe_sums_stiffness *K = x->K;
    const sources             from = { .q = Q };
    memset(K->K, 0, (size_t)K->at.start[K->at.n] * sizeof *K->K);
    for (int k = 0; k < g->groups; k++) {
        const noe_sum_group *group = &g->group[k];
        const noe_terms     *list = &group->terms;
        if (!group->stiffness) continue;
        set_time(&x->stiffness[k], t);
        for (int64_t r = 0; r < list->runs; r++)
            for (int64_t e = 0; e < list->count[r]; e += NOE_TERM_BLOCK) {
                const int64_t left = list->count[r] - e;
                const int     count = left < NOE_TERM_BLOCK ? (int)left : NOE_TERM_BLOCK;
                set_inputs(g, list, r, e, count, &x->stiffness[k], &from);
                interpret_program(&x->stiffness[k], count);
                for (int o = 0; o < group->stiffness->outputs; o++) {
                    const int      a = group->stiffness_pair[o].a, b = group->stiffness_pair[o].b;
                    const int32_t *A = K->unknown, *B = A;
                    const noe_block_program *out = x->stiffness[k].program;
                    const double            *value = x->stiffness[k].slot[out->out[o]],
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

/* v <- M^-1 K u; returns the largest element.  u = NULL: the row sums of |K| over the diagonal of M
 * instead, of which the largest bounds omega^2 if M is diagonal. */
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

/* Estimate from below of the largest omega^2, the Rayleigh quotient u.K u/u.M u after
 * POWER_ITERATIONS steps of the power method.  The signs of the first u come from a multiplicative
 * hash. */
static double fastest(const sums_newton_state *x)
{
    const noe_sums_stiffness *K = x->K;
    const int                 n = K->at.n;
    double                   *u = x->R[0], *v = x->v, ratio = 0;
    for (int i = 0; i < n; i++) u[i] = 1 - 2 * (double)(((uint32_t)i * 2654435761u) >> 31);
    for (int round = 0; round < POWER_ITERATIONS; round++) {
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

/* Hash of x[count]: FNV-1a, on 64-bit words instead of bytes. */
static uint64_t positions_hash(const double *x, size_t count)
{
    uint64_t hash = NOE_HASH_BEGIN;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

/* Whether mu_j is 0 (up to rounding): the matrix is M itself and needs no factorization here. */
static bool mass_alone(const noe_stage_modes *x, int j)
{
    return fabs(x->mu_re[j]) + fabs(x->mu_im[j]) < ZERO_MODE;
}

/* Evaluates K at the positions in array A_K of the state, factorises M + mu_j h^2 K, and estimates
 * the highest frequency. False: a pivot is 0 or not finite. */
static bool factorise(work *w, double h, double t)
{
    sums_newton_state *x = w->newton;
    const double      *at = array(w, w->state.now, A_K);
    const int64_t      entries = x->K->at.start[x->K->at.n];
    bool               ok = true;
    assemble(w, t, at);
    x->bound = x->mass ? 2 * fmax(fastest(x), 0) : stiff_times(x->K, NULL, NULL, x->v);
    x->unstable_angle = 0;
    if (sqrt(x->bound) * fabs(h) > w->method.edge) {
        const double unstable_angle = sqrt(fmax(fastest(x), 0)) * fabs(h);
        if (unstable_angle > w->method.edge) x->unstable_angle = unstable_angle;
    }
    for (int j = 0; ok && j < x->modes.shifts; j++) {
        if (mass_alone(&x->modes, j)) continue;
        const double re = h * h * x->modes.mu_re[j], im = h * h * x->modes.mu_im[j];
        for (int64_t e = 0; e < entries; e++) x->re[e] = x->K->M[e] + re * x->K->K[e];
        for (int64_t e = 0; e < entries && im != 0; e++) x->im[e] = im * x->K->K[e];
        ok = noe_ldl_factor(x->ldl, j, x->re, im != 0 ? x->im : NULL);
    }
    x->length = ok ? h : 0;
    x->hash = positions_hash(at, (size_t)w->g->places);
    x->accessible = false;
    return ok;
}

/* Stores the positions Q in array A_K and factorises there. */
static bool refresh(work *w, double h, double t, const double *Q)
{
    memcpy(array(w, w->state.now, A_K), Q, (size_t)w->g->places * sizeof *Q);
    w->state.now[FROZEN] = 1;
    w->state.now[REFRESHES]++;
    w->state.now[SPENT] += w->cost.matrix;
    return factorise(w, h, t);
}

#endif
