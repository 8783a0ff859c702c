/* The null space of a matrix, in binary128 from a factorization in double.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     M x = 0
 *
 * Rows and columns are equilibrated by powers of two.  A QR factorization with column pivoting
 * (Golub & Van Loan, Matrix Computations, 5.4) finds the columns that depend on the others:
 * candidates for null vectors.  They are refined with residuals in binary128; candidates that
 * keep a residual are removed by pivoting on the residuals.
 *
 * The factorization is not LAPACK's: OpenBLAS gives one of this size to all processors, and where
 * others work on them its threads wait for each other: a run took 12 s instead of 0.5. */
#include "matrix/nullspace.h"

#include "number/dot.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REFINEMENTS = 6, EQUILIBRATIONS = 3 };
static const double
    /* A column below this part of the difference between binary128 and double is 0. */
    ZERO_COLUMN = 1e-15,
    /* A diagonal entry of R below this part of the first is suspect: its column is a candidate.
     * Rounding leaves 1e-16 times the condition of the matrix. */
    SINGULAR_SUSPECT = 1e-6,
    /* Residuals, relative to |M| |x|: refined far enough; of a null vector at most; of a candidate
     * that is reported as nearly one. */
    RESIDUAL_DONE = 1e-30, NULL_BELOW = 1e-16, NEAR_BELOW = 1e-5,
    /* A norm that is carried on loses its digits where its square falls by this: it is taken anew
     * (LAPACK Working Note 176). */
    NORM_FALLS = 0x1p-26;

typedef struct {
    const quad *M;    /* [m][N] the matrix */
    int         m, N; /* rows, columns */
    int         r, k; /* columns surely independent; candidates k = count - r for null vectors */
    quad       *row, *col;     /* [m], [N] scales, powers of two */
    int        *active, count; /* [count] columns that are not zero */
    double     *A;             /* [count][m] the scaled matrix in double; R, reflections below */
    double     *tau;           /* [count] factors of the reflections I - tau v v', v_k = 1 */
    double     *left, *begun;  /* [count] norms of columns without their first rows: now, before */
    int        *pivot;         /* [count] column permutation */
    quad       *x;             /* [count] unscaled non-zero entries of one candidate, */
    int        *at;            /* and their columns */
    quad       *X, *R;         /* [k][count] candidates in pivoted order; [k][m] their residuals */
    double     *B;             /* [k][m] scaled residuals in double */
    double      norm;          /* norm of the scaled matrix */
} search;

static quad power_of_two(quad x) { return x > 0 ? ldexpq(1, -ilogbq(x)) : 1; }

/* Lists the columns that are not zero in s->active. */
static void find_zeros(search *s, const double *rough)
{
    for (int j = 0; j < s->N; j++) {
        double size = 0, noise = 0;
        for (int i = 0; i < s->m; i++) {
            const quad   x = s->M[(size_t)i * s->N + j];
            const double d = (double)(x - rough[(size_t)i * s->N + j]);
            size += (double)(x * x), noise += d * d;
        }
        if (size > ZERO_COLUMN * ZERO_COLUMN * noise && size != 0) s->active[s->count++] = j;
    }
}

/* A = the active columns of M rounded to double, scaled by powers of two, which is exact. */
static void equilibrate(search *s)
{
    const size_t m = (size_t)s->m;
    for (int i = 0; i < s->m; i++) s->row[i] = 1;
    for (int j = 0; j < s->N; j++) s->col[j] = 1;
    for (int a = 0; a < s->count; a++)
        for (size_t i = 0; i < m; i++)
            s->A[(size_t)a * m + i] = (double)s->M[i * (size_t)s->N + (size_t)s->active[a]];
    for (int pass = 0; pass < EQUILIBRATIONS; pass++) {
        for (size_t i = 0; i < m; i++) {
            double most = 0;
            for (int a = 0; a < s->count; a++) most = fmax(most, fabs(s->A[(size_t)a * m + i]));
            const double f = (double)power_of_two(most);
            for (int a = 0; a < s->count; a++) s->A[(size_t)a * m + i] *= f;
            s->row[i] *= f;
        }
        for (int a = 0; a < s->count; a++) {
            double sum = 0;
            for (size_t i = 0; i < m; i++) sum += s->A[(size_t)a * m + i] * s->A[(size_t)a * m + i];
            const double f = (double)power_of_two(sqrt(sum / s->m));
            for (size_t i = 0; i < m; i++) s->A[(size_t)a * m + i] *= f;
            s->col[s->active[a]] *= f;
        }
    }
}

/* x <- (I - tau v v') x, with v_0 = 1. */
static void reflect(const double *v, double tau, double *x, int n)
{
    const double f = tau * (x[0] + noe_dot(v + 1, x + 1, n - 1));
    x[0] -= f;
    for (int i = 1; i < n; i++) x[i] -= f * v[i];
}

/* The reflection that leaves of x its first entry alone; v below it, returns tau. */
static double reflection(double *x, int n)
{
    const double below = sqrt(noe_dot(x + 1, x + 1, n - 1)), alpha = x[0],
                 beta = -copysign(hypot(alpha, below), alpha);
    if (below == 0) return 0;
    for (int i = 1; i < n; i++) x[i] /= alpha - beta;
    x[0] = beta;
    return (beta - alpha) / beta;
}

/* The column of the largest norm comes first. */
static void swap_largest(search *s, int k)
{
    int p = k;
    for (int j = k + 1; j < s->count; j++)
        if (s->left[j] > s->left[p]) p = j;
    if (p == k) return;
    double *x = s->A + (size_t)k * (size_t)s->m, *y = s->A + (size_t)p * (size_t)s->m;
    for (int i = 0; i < s->m; i++) {
        const double t = x[i];
        x[i] = y[i], y[i] = t;
    }
    const int t = s->pivot[k];
    s->pivot[k] = s->pivot[p], s->pivot[p] = t;
    s->left[p] = s->left[k], s->begun[p] = s->begun[k];
}

/* A P = Q R, one reflection a column. */
static void decompose(search *s)
{
    const size_t m = (size_t)s->m;
    for (int j = 0; j < s->count; j++) {
        const double *x = s->A + (size_t)j * m;
        s->pivot[j] = j;
        s->left[j] = s->begun[j] = sqrt(noe_dot(x, x, s->m));
    }
    for (int k = 0; k < s->count; k++) {
        swap_largest(s, k);
        double *v = s->A + (size_t)k * m + k;
        s->tau[k] = reflection(v, s->m - k);
        for (int j = k + 1; j < s->count; j++) {
            double *x = s->A + (size_t)j * m + k;
            reflect(v, s->tau[k], x, s->m - k);
            if (s->left[j] == 0) continue;
            const double part = x[0] / s->left[j], rest = fmax(0, 1 - part * part),
                         all = s->left[j] / s->begun[j];
            if (rest * all * all > NORM_FALLS) s->left[j] *= sqrt(rest);
            else s->left[j] = s->begun[j] = sqrt(noe_dot(x + 1, x + 1, s->m - k - 1));
        }
    }
    s->norm = fabs(s->A[0]);
    for (s->r = 0; s->r < s->count; s->r++)
        if (!(fabs(s->A[(size_t)s->r * m + (size_t)s->r]) > SINGULAR_SUSPECT * s->norm)) break;
    s->k = s->count - s->r;
}

/* b <- (R11^-1 Q1' b, ..) */
static void solve(const search *s, double *b)
{
    const size_t m = (size_t)s->m;
    for (int k = 0; k < s->count; k++)
        reflect(s->A + (size_t)k * m + k, s->tau[k], b + k, s->m - k);
    for (int k = s->r - 1; k >= 0; k--) {
        const double *R = s->A + (size_t)k * m;
        b[k] /= R[k];
        for (int i = 0; i < k; i++) b[i] -= b[k] * R[i];
    }
}

/* Refines the candidates: X_l += (-R11^-1 Q1' residual, 0), first from the residual of the unit
 * vector e_l, then from that of X_l. */
static void refine(search *s)
{
    for (int l = 0; l < s->k; l++) s->X[(size_t)l * s->count + s->r + l] = 1;
    for (int pass = 0; pass <= REFINEMENTS; pass++) {
        double worst = 0;
        for (int l = 0; l < s->k; l++) {
            const quad *X = s->X + (size_t)l * s->count;
            quad        most = 0;
            int         used = 0;
            for (int a = 0; a < s->count; a++)
                if (X[a] != 0) {
                    s->at[used] = s->active[s->pivot[a]];
                    s->x[used] = X[a] * s->col[s->at[used]];
                    used++, most = fmaxq(most, fabsq(X[a]));
                }
            for (int i = 0; i < s->m; i++) {
                const quad *M = s->M + (size_t)i * s->N;
                quad        sum = 0;
                for (int b = 0; b < used; b++) sum += M[s->at[b]] * s->x[b];
                s->R[(size_t)l * s->m + i] = sum * s->row[i];
                worst = fmax(worst, (double)(fabsq(sum * s->row[i]) / most));
            }
        }
        if (worst <= RESIDUAL_DONE * s->norm) return;
        if (pass == REFINEMENTS || s->r == 0) return;
        /* Residuals are scaled to size 1 before rounding to double, as they may be as small as
         * 1e-33. */
        for (int l = 0; l < s->k; l++) {
            double *b = s->B + (size_t)l * (size_t)s->m;
            quad    most = 0;
            for (int i = 0; i < s->m; i++) most = fmaxq(most, fabsq(s->R[(size_t)l * s->m + i]));
            const quad up = power_of_two(most);
            for (int i = 0; i < s->m; i++) b[i] = (double)(s->R[(size_t)l * s->m + i] * up);
            solve(s, b);
            for (int a = 0; a < s->r; a++) s->X[(size_t)l * s->count + a] -= b[a] / up;
        }
    }
}

static double relative(const search *s, int l)
{
    const quad *x = s->X + (size_t)l * s->count, *R = s->R + (size_t)l * s->m;
    return (double)(sqrtq(noe_quad_dot(R, R, s->m) / noe_quad_dot(x, x, s->count)) / s->norm);
}

/* Removes the candidate with the largest residual and subtracts its multiples from the others,
 * until all residuals that remain are those of null vectors. gone[k]: removed. */
static void remove_candidates(search *s, noe_nullspace *out, bool *gone)
{
    for (;;) {
        int    worst = -1;
        double most = NULL_BELOW;
        for (int l = 0; l < s->k; l++)
            if (!gone[l] && relative(s, l) > most) {
                worst = l;
                most = relative(s, l);
            }
        if (worst < 0) return;
        gone[worst] = true;
        out->near += most < NEAR_BELOW;
        out->nearest = fmin(out->nearest, most);
        const quad *xw = s->X + (size_t)worst * s->count, *Rw = s->R + (size_t)worst * s->m;
        for (int l = 0; l < s->k; l++) {
            quad *x = s->X + (size_t)l * s->count, *R = s->R + (size_t)l * s->m;
            if (gone[l]) continue;
            const quad f = noe_quad_dot(R, Rw, s->m) / noe_quad_dot(Rw, Rw, s->m);
            for (int a = 0; a < s->count; a++) x[a] -= f * xw[a];
            for (int i = 0; i < s->m; i++) R[i] -= f * Rw[i];
        }
    }
}

static void collect(const search *s, noe_nullspace *out, const bool *gone)
{
    bool *zero = (bool *)s->left; /* the norms are no longer needed */
    memset(zero, 1, (size_t)s->N);
    for (int a = 0; a < s->count; a++) zero[s->active[a]] = false;
    for (int j = 0; j < s->N; j++) {
        out->unit[j] = s->col[j];
        if (zero[j]) out->vector[(size_t)out->dim++ * s->N + j] = 1;
    }
    for (int l = 0; l < s->k; l++) {
        if (gone[l]) continue;
        quad *v = out->vector + (size_t)out->dim * s->N;
        for (int a = 0; a < s->count; a++) {
            const int j = s->active[s->pivot[a]];
            v[j] = s->X[(size_t)l * s->count + a] * s->col[j];
        }
        out->residual[out->dim++] = relative(s, l);
    }
}

noe_nullspace *noe_nullspace_find(const quad *M, const double *rough, int m, int N)
{
    const size_t   mm = (size_t)m, n = (size_t)N;
    search         s = { .M = M, .m = m, .N = N };
    noe_nullspace *out = noe_status_alloc(1, sizeof *out);
    s.row = noe_status_alloc(mm, sizeof *s.row), s.col = noe_status_alloc(n, sizeof *s.col);
    s.active = noe_status_alloc(n, sizeof *s.active);
    s.pivot = noe_status_alloc(n, sizeof *s.pivot);
    s.A = noe_status_alloc(mm * n, sizeof *s.A), s.tau = noe_status_alloc(n, sizeof *s.tau);
    s.left = noe_status_alloc(n, sizeof *s.left), s.begun = noe_status_alloc(n, sizeof *s.begun);
    bool *gone = noe_status_alloc(n, sizeof *gone);
    bool  ok = out && s.row && s.col && s.active && s.pivot && s.A && s.tau && s.left && s.begun
           && gone;
    if (ok) {
        find_zeros(&s, rough);
        out->nearest = 1;
        out->vector = noe_status_alloc(n * n, sizeof *out->vector);
        out->unit = noe_status_alloc(n, sizeof *out->unit);
        out->residual = noe_status_alloc(n, sizeof *out->residual);
        equilibrate(&s);
        ok = out->vector && out->unit && out->residual;
        if (ok && s.count) decompose(&s);
    }
    s.x = noe_status_alloc(n, sizeof *s.x), s.at = noe_status_alloc(n, sizeof *s.at);
    ok = ok && s.x && s.at;
    if (ok && s.k) {
        s.X = noe_status_alloc((size_t)s.k * (size_t)s.count, sizeof *s.X);
        s.R = noe_status_alloc((size_t)s.k * mm, sizeof *s.R);
        s.B = noe_status_alloc((size_t)s.k * mm, sizeof *s.B);
        ok = s.X && s.R && s.B;
        if (ok) refine(&s), remove_candidates(&s, out, gone);
    }
    if (ok) collect(&s, out, gone);
    free(s.row), free(s.col), free(s.active), free(s.pivot), free(s.A), free(s.tau);
    free(s.left), free(s.begun);
    free(s.x), free(s.at), free(s.X), free(s.R), free(s.B), free(gone);
    if (ok) return out;
    noe_nullspace_free(out);
    return NULL;
}

void noe_nullspace_free(noe_nullspace *x)
{
    if (!x) return;
    free(x->vector);
    free(x->unit);
    free(x->residual);
    free(x);
}
