/* The highest frequency of a structure: Lanczos iteration and Gershgorin's bound.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     K Q_k = M Q_k T_k + beta_k M q_{k+1} e_k^T
 *
 * The largest eigenvalue needs no reorthogonalisation: lost orthogonality repeats found
 * eigenvalues and makes no new ones (Parlett, The Symmetric Eigenvalue Problem, 13).
 * theta + |beta_k s_k| bounds an eigenvalue from above. */
#include "matrix/eigen_max.h"

#include "base/status.h"
#include "number/compensated_dot.h"
#include "number/random.h"

#include <math.h>
#include <stdlib.h>

enum { LANCZOS_STEPS = 300 /* most, a bound for matrices that are not positive */ };
/* Part of the largest eigenvalue by which its bound may be above it when the iteration ends. */
static const double LANCZOS_ERROR = 3e-4;
/* Part of the largest eigenvalue up to which the interval that holds it is rounding: 9 EPS, to
 * which some 50 bisections halve it; at most BISECTIONS_MOST of them, where the eigenvalue is 0. */
static const double INTERVAL_ROUNDING = 1e-15;
enum { BISECTIONS_MOST = 200 };
/* Added to random numbers from -1 to 1: a start that is not at a right angle to the sum of all
 * coordinates. */
static const double MEAN_START = 1e-3;
/* Part of theta up to which the next vector of Lanczos is rounding, 90 EPS: those so far span an
 * invariant subspace, and theta is an eigenvalue.  Tests of the room: from 1.1e-14 on there is
 * every size; what is cut off has an error of itself times theta. */
static const double INVARIANT = 1e-14;
/* What the bound is above theta + error for the rounding of theta: 9000 EPS, the sums of 300
 * steps.  A part of 1/300 million of LANCZOS_ERROR. */
static const double BOUND_ROUNDING = 1e-12;

/* Least left end and greatest right end of Gershgorin's intervals of D^-1/2 A D^-1/2, D =
 * diag(M). */
static void circles(const noe_sparse *A, const noe_sparse *M, double *least, double *most)
{
    *least = INFINITY, *most = -INFINITY;
    for (int i = 0; i < A->n; i++) {
        const double m = noe_sparse_at(M, i, i);
        double       centre = 0, radius = 0;
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            if (A->col[k] == i) centre = A->value[k] / m;
            else radius += fabs(A->value[k]) / sqrt(m * noe_sparse_at(M, A->col[k], A->col[k]));
        *least = fmin(*least, centre - radius), *most = fmax(*most, centre + radius);
        if (!(m > 0)) *most = INFINITY;
    }
}

double noe_eigen_max_bound(const noe_structure *s)
{
    double least = 1, most = 1, low, high;
    circles(s->K, s->M, &low, &high);
    if (!s->mass) circles(s->M, s->M, &least, &most);
    return least > 0 ? fmax(high, 0) / least : INFINITY;
}

/* Largest eigenvalue of the symmetric tridiagonal k x k matrix with diagonal a and off-diagonal
 * b, by bisection with Sturm sequences; *last: last entry of its unit eigenvector. */
static double largest(int k, const double *a, const double *b, double *last)
{
    double low = -INFINITY, high = -INFINITY;
    for (int i = 0; i < k; i++) {
        low = fmax(low, a[i]);
        high = fmax(high, a[i] + (i ? b[i - 1] : 0) + (i + 1 < k ? b[i] : 0));
    }
    for (int round = 0; round < BISECTIONS_MOST && high - low > INTERVAL_ROUNDING * fabs(high);
         round++) {
        const double x = (low + high) / 2;
        double       d = 1;
        /* all pivots of T - x are negative: x is above all eigenvalues */
        bool above = true;
        for (int i = 0; i < k && above; i++) {
            d = a[i] - x - (i ? b[i - 1] * b[i - 1] / d : 0);
            above = d < 0;
        }
        *(above ? &high : &low) = x;
    }
    double u = 1, before = 0, norm = 1; /* solves (T - high) s = 0 from the last row upwards */
    for (int i = k - 1; i > 0; i--) {
        const double next = ((high - a[i]) * u - (i + 1 < k ? b[i] : 0) * before) / b[i - 1];
        before = u, u = next;
        norm += u * u;
    }
    *last = 1 / sqrt(norm);
    return high;
}

double noe_eigen_max_lanczos(const noe_structure *s, noe_factorization *mass)
{
    const int n = s->n, rounds = n < LANCZOS_STEPS ? n : LANCZOS_STEPS;
    double   *v = noe_status_alloc(4 * (size_t)n, sizeof *v), a[LANCZOS_STEPS], b[LANCZOS_STEPS],
           theta = 0, last, error = INFINITY;
    if (!v) return NAN;
    double  *old = v + n, *w = old + n, *Mw = w + n; /* v: M q_k, old: M q_{k-1}, w: q_k */
    uint64_t seed = 1;
    for (int i = 0; i < n; i++)
        v[i] = (double)(int64_t)noe_random_irregular(&seed) * 0x1p-63 + MEAN_START;
    noe_factorization_solve(mass, v, w);
    double norm = sqrt(noe_compensated_dot(n, v, w));
    for (int i = 0; i < n; i++) v[i] /= norm, w[i] /= norm;
    for (int k = 0; k < rounds && error > LANCZOS_ERROR * theta; k++) {
        noe_sparse_times(s->K, w, Mw); /* here w = q_k */
        a[k] = noe_compensated_dot(n, w, Mw);
        for (int i = 0; i < n; i++) {
            const double next = Mw[i] - a[k] * v[i] - (k ? b[k - 1] * old[i] : 0);
            old[i] = v[i], v[i] = next;
        }
        noe_factorization_solve(mass, v, w);
        norm = noe_compensated_dot(n, v, w);
        b[k] = sqrt(fmax(norm, 0));
        theta = largest(k + 1, a, b, &last);
        error = k ? fabs(b[k] * last) : INFINITY;
        if (!(b[k] > INVARIANT * fabs(theta))) {
            error = 0;
            break;
        }
        for (int i = 0; i < n; i++) v[i] /= b[k], w[i] /= b[k];
    }
    free(v);
    return isfinite(error) ? (theta + error) * (1 + BOUND_ROUNDING) : theta;
}
