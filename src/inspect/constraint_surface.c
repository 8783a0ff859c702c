/* Points of the surface g(t, q) = 0 near a given one, in binary128, and the tangents of motions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/constraint_surface.h"

#include "base/status.h"
#include "matrix/small_solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most iterations: from far away the method of Levenberg and Marquardt needs some twenty, and where
 * constraints follow from others the last ones gain 8 digits each.  In 8 of the 12 systems every
 * state is reached, in up to 35; in the other four 6 to 49 % of the states are not, and the caller
 * halves the way to the start (move_to_surface() of random_state.c). */
enum { ITERATIONS_MOST = 60 };
/* Part of a position, or of its scale, that a last correction may have: 2^9 units of binary128.
 * 2^-96: the same symmetries of the 12 systems. */
static const double ROUNDED = 0x1p-104;
/* The same of the last one in double: binary128 goes on from there. */
static const double NEAR = 1e-9;
/* Added to a diagonal of 1 it makes the matrix of redundant constraints regular: far above the
 * rounding of double, and far below the eigenvalues of independent ones.  1e-8, 1e-12: the same
 * symmetries of the 12 systems of systems/ with constraints. */
static const double RIDGE_LEAST = 1e-10;
/* Half the distance of the central differences that give the normals, in units of the scales of q.
 * Its error: the square of this, and the rounding of binary128 divided by it.  1e-9 and 1e-13: the
 * same symmetries. */
static const quad APART = 1e-11;

noe_constraint_surface *noe_constraint_surface_new(const noe_dynamics *d, const double *scale)
{
    const size_t            n = (size_t)d->n, m = (size_t)d->constraints;
    noe_constraint_surface *x = noe_status_alloc(1, sizeof *x);
    if (!x) return NULL;
    x->scale = scale;
    x->at = noe_constraint_point_new(d);
    x->G = noe_status_alloc(m * (n + m + 1), sizeof *x->G);
    if (d->constraint) x->slot = noe_status_alloc((size_t)d->constraint->slots, sizeof *x->slot);
    x->S = x->G + m * n;
    x->b = x->S + m * m;
    if (x->at && x->G && (x->slot || !d->constraint)) return x;
    noe_constraint_surface_free(x);
    return NULL;
}

void noe_constraint_surface_free(noe_constraint_surface *x)
{
    if (!x) return;
    noe_constraint_point_free(x->at);
    free(x->G), free(x->slot), free(x);
}

/* g, g_t, G and G v + g_t at (t, q, v) in x->at. */
static void evaluate(noe_constraint_surface *x, quad t, const quad *q, const quad *v)
{
    noe_constraint_point *at = x->at;
    const int             n = at->n, m = at->m;
    at->in[0] = t;
    for (int j = 0; j < n; j++) at->in[noe_tape_input(NOE_Q, j, n)] = q[j];
    noe_constraint_point_outputs(at);
    memcpy(at->g, at->out, (size_t)m * sizeof *at->g);
    memcpy(at->hidden, at->out + m, (size_t)m * sizeof *at->g);
    memset(at->G, 0, (size_t)m * (size_t)n * sizeof *at->G);
    for (int k = 0; k < at->d->G_entries; k++) {
        const noe_constraint_entry *y = &at->d->G_entry[k];
        at->G[y->constraint * n + y->row] = at->out[y->output];
        if (v) at->hidden[y->constraint] += at->out[y->output] * v[y->row];
    }
}

/* x->G and x->b = G and g at (t, q) in double. */
static void evaluate_double(noe_constraint_surface *x, double t, const double *q)
{
    const noe_dynamics   *d = x->at->d;
    const noe_tape *const tape = d->constraint;
    const int             n = x->at->n, m = x->at->m;
    memset(x->slot, 0, (size_t)tape->inputs * sizeof *x->slot);
    x->slot[0] = t;
    for (int j = 0; j < n; j++) x->slot[noe_tape_input(NOE_Q, j, n)] = q[j];
    noe_tape_double_run(tape, x->slot);
    for (int a = 0; a < m; a++) x->b[a] = x->slot[tape->out[a]];
    memset(x->G, 0, (size_t)m * (size_t)n * sizeof *x->G);
    for (const noe_constraint_entry *y = d->G_entry; y < d->G_entry + d->G_entries; y++)
        x->G[y->constraint * n + y->row] = x->slot[tape->out[y->output]];
}

/* to [n] = W G^T (G W G^T)^-1 b with x->G and x->b, in double, regularized by the size of b in
 * units of the scales: the steps of Levenberg and Marquardt, also where constraints are
 * redundant.  False: a gradient is 0, or a number not finite. */
static bool correction(noe_constraint_surface *x, double *to)
{
    const int     n = x->at->n, m = x->at->m;
    double *const G = x->G, *const S = x->S, *const mu = x->b;
    double far = 0;
    for (int a = 0; a < m; a++) {
        double size = 0;
        for (int j = 0; j < n; j++) {
            G[a * n + j] *= x->scale[j];
            size += G[a * n + j] * G[a * n + j];
        }
        size = sqrt(size);
        if (!(size > 0 && isfinite(size))) return false;
        for (int j = 0; j < n; j++) G[a * n + j] /= size;
        mu[a] /= size;
        if (!isfinite(mu[a])) return false;
        far = fmax(far, fabs(mu[a]));
    }
    for (int a = 0; a < m; a++)
        for (int c = a; c < m; c++) {
            double sum = a == c ? fmin(1, fmax(RIDGE_LEAST, far)) : 0;
            for (int j = 0; j < n; j++) sum += G[a * n + j] * G[c * n + j];
            S[a * m + c] = S[c * m + a] = sum;
        }
    if (!noe_small_solve_doubles(S, m, mu, 1)) return false;
    for (int j = 0; j < n; j++) {
        to[j] = 0;
        for (int a = 0; a < m; a++) to[j] += x->scale[j] * G[a * n + j] * mu[a];
    }
    return true;
}

/* Subtracts the correction for b, at the present point of x->at, from z [n] of size `scale` [n]; 1:
 * it was rounding, 0: it was not, -1: it cannot be found. */
static int improve(noe_constraint_surface *x, const quad *b, const double *scale, quad *z)
{
    const int n = x->at->n, m = x->at->m;
    double    to[n];
    bool      small = true;
    for (int k = 0; k < m * n; k++) x->G[k] = (double)x->at->G[k];
    for (int a = 0; a < m; a++) x->b[a] = (double)b[a];
    if (!correction(x, to)) return -1;
    for (int j = 0; j < n; j++) {
        z[j] -= to[j];
        small &= fabs(to[j]) <= ROUNDED * (fabs((double)z[j]) + scale[j]);
    }
    return small;
}

/* Moves q [n] close to the surface in double; false: the iteration does not lead there. */
static bool come_near(noe_constraint_surface *x, quad t, quad *q)
{
    const int n = x->at->n;
    double    z[n], to[n];
    bool      near = false;
    for (int j = 0; j < n; j++) z[j] = (double)q[j];
    for (int it = 0; it < ITERATIONS_MOST && !near; it++) {
        evaluate_double(x, (double)t, z);
        if (!correction(x, to)) return false;
        near = true;
        for (int j = 0; j < n; j++) {
            z[j] -= to[j];
            near &= fabs(to[j]) <= NEAR * (fabs(z[j]) + x->scale[j]);
        }
    }
    for (int j = 0; j < n && near; j++) q[j] = z[j];
    return near;
}

bool noe_constraint_surface_approach(noe_constraint_surface *x, quad t, quad *q)
{
    int end = !x->slot || come_near(x, t, q) ? 0 : -1;
    for (int it = 0; it < ITERATIONS_MOST && !end; it++) {
        evaluate(x, t, q, NULL);
        end = improve(x, x->at->g, x->scale, q);
    }
    return end > 0;
}

bool noe_constraint_surface_velocities(noe_constraint_surface *x, quad t, const quad *q,
                                       const double *v_scale, quad *v)
{
    int end = 0;
    for (int it = 0; it < ITERATIONS_MOST && !end; it++) {
        evaluate(x, t, q, v);
        end = improve(x, x->at->hidden, v_scale, v);
    }
    return end > 0;
}

void noe_constraint_surface_normals(noe_constraint_surface *x, quad t, const quad *q, const quad *v,
                                    const double *v_scale, quad *normal)
{
    const noe_constraint_point *at = x->at;
    const int                   n = at->n, m = at->m, N = 2 * n;
    quad                        z[n];
    memset(normal, 0, 2 * (size_t)m * (size_t)N * sizeof *normal);
    memcpy(z, q, sizeof z);
    for (int j = 0; j < n; j++) {
        for (int side = -1; side <= 1; side += 2) {
            z[j] = q[j] + side * APART * x->scale[j];
            evaluate(x, t, z, v);
            for (int a = 0; a < m; a++)
                normal[(m + a) * N + j] += side * at->hidden[a] / (2 * APART);
        }
        z[j] = q[j];
    }
    evaluate(x, t, q, v);
    for (int a = 0; a < m; a++)
        for (int j = 0; j < n; j++) {
            normal[a * N + j] = at->G[a * n + j] * x->scale[j];
            normal[(m + a) * N + n + j] = at->G[a * n + j] * v_scale[j];
        }
}
