/* The products K d on a few rows, and the operations of a stage on the same rows.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per instruction set.  The sum of a row has one order for any number of threads,
 * any height of strips and any instruction set, and so the same bits. */
#define NOE_REAL NOE_DOUBLE
#include "linear/chebyshev_stage.h"

#include "number/real.h"
#include "number/compensated_dot.h"

/* A state above this grows beyond bounds: the run ends while products of two or three numbers that
 * are not states, as h, alpha and m, have 1e58 left.  Tests of the room: 1e150 and 1e300, no
 * difference. */
static const double HUGE_STATE = 1e250;

typedef double  pair __attribute__((vector_size(16), aligned(8)));
typedef double  four __attribute__((vector_size(32), aligned(8)));
typedef int64_t pick __attribute__((vector_size(32)));

/* Blocks 1 x 1: four partial sums, as each addition waits for the one before. */
INLINE void rows_of_1(const noe_block_rows *A, int from, int to, const double *x, double *y)
{
    for (int i = from; i < to; i++) {
        int64_t       k = A->start[i];
        const int64_t end = A->start[i + 1];
        double        a = 0, b = 0, c = 0, e = 0;
        for (; k + 3 < end; k += 4) {
            a += A->value[k] * x[A->col[k]];
            b += A->value[k + 1] * x[A->col[k + 1]];
            c += A->value[k + 2] * x[A->col[k + 2]];
            e += A->value[k + 3] * x[A->col[k + 3]];
        }
        for (; k < end; k++) a += A->value[k] * x[A->col[k]];
        y[i - from] = (a + c) + (b + e);
    }
}

INLINE void rows_of_2(const noe_block_rows *A, int from, int to, const double *x, double *y)
{
    for (int i = from; i < to; i++) {
        four          sum[2] = { { 0 } };
        const int64_t start = A->start[i], end = A->start[i + 1];
        int64_t       k = start;
        for (; k + 1 < end; k += 2)
            for (int l = 0; l < 2; l++) {
                const pair z = *(const pair *)(x + 2 * A->col[k + l]);
                const four zz = { z[0], z[0], z[1], z[1] };
                sum[l] += *(const four *)(A->value + 4 * (k + l)) * zz;
            }
        if (k < end) {
            const pair z = *(const pair *)(x + 2 * A->col[k]);
            const four zz = { z[0], z[0], z[1], z[1] };
            sum[0] += *(const four *)(A->value + 4 * k) * zz;
        }
        const four all = sum[0] + sum[1];
        y[2 * (i - from)] = all[0] + all[2];
        y[2 * (i - from) + 1] = all[1] + all[3];
    }
}

INLINE void rows_of_3(const noe_block_rows *A, int from, int to, const double *x, double *y)
{
    for (int i = from; i < to; i++) {
        four a = { 0 }, b = a, c = a; /* the last elements are not used */
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
            const double *v = A->value + 9 * k, *z = x + 3 * A->col[k];
            a += *(const four *)v * z[0];
            b += *(const four *)(v + 3) * z[1];
            c += *(const four *)(v + 6) * z[2];
        }
        a = (a + b) + c;
        for (int l = 0; l < 3; l++) y[3 * (i - from) + l] = a[l];
    }
}

static void product(const noe_block_rows *A, int from, int to, const double *x, double *y)
{
    if (A->d == 1) rows_of_1(A, from, to, x, y);
    else if (A->d == 2) rows_of_2(A, from, to, x, y);
    else rows_of_3(A, from, to, x, y);
}

/* g_j of a complex shift: right sides, and the first term of the iteration. */
INLINE void begin_pair(noe_chebyshev_step *w, int s, int j, int from, int to)
{
    const noe_stage_pencil *x = w->x;
    const double P = cimag(x->P[j]), R = cimag(x->R[j]), a = w->c[j].first[0], b = w->c[j].first[1];
    double *restrict y = w->y[j], *restrict yi = w->yi[j], *restrict res = w->res,
                     *restrict resi = w->resi;
    double *restrict d = w->d[s % 2], *restrict di = w->di[s % 2];
    for (int i = from; i < to; i++) yi[i] = P * w->p[i] + R * w->r[i];
    for (int l = 0; w->f && l < x->r; l++) {
        const double F = w->h2 * cimag(x->F[j][l]);
        for (int i = from; i < to; i++) yi[i] += F * w->f[l][i];
    }
    for (int i = from; i < to; i++) {
        const double g = y[i], gi = yi[i] * w->inverse[i];
        res[i] = g, resi[i] = gi;
        d[i] = y[i] = a * g - b * gi;
        di[i] = yi[i] = a * gi + b * g;
    }
}

/* Begins shift j: y_j = M^-1 g_j, or the first term of its iteration. */
INLINE void begin(noe_chebyshev_step *w, int s, int j, int from, int to)
{
    const noe_stage_pencil         *x = w->x;
    const noe_chebyshev_polynomial *c = &w->c[j];
    const double                    P = creal(x->P[j]), R = creal(x->R[j]);
    double *restrict y = w->y[j], *restrict res = w->res, *restrict d = w->d[s % 2];
    for (int i = from; i < to; i++) y[i] = P * w->p[i] + R * w->r[i];
    for (int l = 0; w->f && l < x->r; l++) {
        const double F = w->h2 * creal(x->F[j][l]);
        for (int i = from; i < to; i++) y[i] += F * w->f[l][i];
    }
    for (int i = from; i < to; i++) y[i] *= w->inverse[i];
    if (c->degree && !c->pair)
        for (int i = from; i < to; i++) {
            res[i] = y[i];
            d[i] = y[i] = c->first[0] * y[i];
        }
    if (c->pair) begin_pair(w, s, j, from, to);
}

/* Term k of the iteration of shift j.  Stage s reads d of the stage before and writes its own d
 * to the other of the two arrays. */
INLINE void iterate(noe_chebyshev_step *w, int s, int j, int k, int from, int to, const double *t)
{
    const noe_chebyshev_polynomial *c = &w->c[j];
    const double lambda = c->lambda[0], keep = c->keep[k][0], take = c->take[k][0];
    const double *restrict d = w->d[1 - s % 2], *restrict inverse = w->inverse;
    double *restrict next = w->d[s % 2], *restrict res = w->res, *restrict y = w->y[j];
    for (int i = from; i < to; i++) {
        const double rest = res[i] - (d[i] + lambda * (inverse[i] * t[i - from]));
        const double e = keep * d[i] + take * rest;
        res[i] = rest;
        next[i] = e;
        y[i] += e;
    }
}

/* The same for a complex shift; ti = K times the imaginary part of d. */
INLINE void iterate_pair(noe_chebyshev_step *w, int s, int j, int k, int from, int to,
                         const double *t, const double *ti)
{
    const noe_chebyshev_polynomial *c = &w->c[j];
    const double a = c->lambda[0], b = c->lambda[1], keep = c->keep[k][0], keepi = c->keep[k][1];
    const double take = c->take[k][0], takei = c->take[k][1];
    const double *restrict d = w->d[1 - s % 2], *restrict di = w->di[1 - s % 2],
                           *restrict inverse = w->inverse;
    double *restrict next = w->d[s % 2], *restrict nexti = w->di[s % 2], *restrict res = w->res,
                     *restrict resi = w->resi;
    double *restrict y = w->y[j], *restrict yi = w->yi[j];
    for (int i = from; i < to; i++) {
        const double x = inverse[i] * t[i - from], xi = inverse[i] * ti[i - from];
        const double rest = res[i] - (d[i] + (a * x - b * xi)),
                     resti = resi[i] - (di[i] + (a * xi + b * x));
        const double e = (keep * d[i] - keepi * di[i]) + (take * rest - takei * resti);
        const double ei = (keep * di[i] + keepi * d[i]) + (take * resti + takei * rest);
        res[i] = rest, resi[i] = resti;
        next[i] = e, nexti[i] = ei;
        y[i] += e, yi[i] += ei;
    }
}

/* q += sum_j V_j y_j and u = sum_j U_j y_j. */
INLINE void positions(noe_chebyshev_step *w, int from, int to)
{
    const noe_stage_pencil *x = w->x;
    double *restrict u = w->u;
    double V[NOE_PENCIL], U[NOE_PENCIL];
    double Vi[NOE_PENCIL], Ui[NOE_PENCIL];
    bool   pairs = false;
    for (int j = 0; j < x->count; j++) {
        V[j] = x->multiplicity[j] * creal(x->V[j]), U[j] = x->multiplicity[j] * creal(x->U[j]);
        Vi[j] = x->multiplicity[j] * cimag(x->V[j]), Ui[j] = x->multiplicity[j] * cimag(x->U[j]);
        pairs |= w->c[j].pair;
    }
    for (int i = from; i < to; i++) {
        double d = V[0] * w->y[0][i], e = U[0] * w->y[0][i];
        for (int j = 1; j < x->count; j++) d += V[j] * w->y[j][i], e += U[j] * w->y[j][i];
        for (int j = 0; pairs && j < x->count; j++)
            if (w->c[j].pair) {
                d -= Vi[j] * w->yi[j][i];
                e -= Ui[j] * w->yi[j][i];
            }
        u[i] = e;
        noe_compensated_add(&w->q[i], &w->dq[i], d);
    }
}

/* The new momenta, pi -= 24 rho + k u + alpha M d - h^2 sum_i b_i f_i, and the new rho = k q. */
INLINE bool momenta(noe_chebyshev_step *w, int from, int to, const double *ku, const double *kq)
{
    const noe_stage_pencil *x = w->x;
    double                  most = 0;
    for (int i = from; i < to; i++) {
        double kick = -(NOE_STIFFNESS_DIVISOR * w->r[i] + ku[i - from]);
        if (w->alpha != 0) {
            double d = 0;
            for (int j = 0; j < x->count; j++) {
                d += x->multiplicity[j] * creal(x->V[j]) * w->y[j][i];
                if (w->c[j].pair) d -= x->multiplicity[j] * cimag(x->V[j]) * w->yi[j][i];
            }
            kick -= w->alpha * w->mass[i] * d;
        }
        for (int l = 0; w->f && l < x->r; l++) kick += w->h2 * x->b[l] * w->f[l][i];
        noe_compensated_add(&w->p[i], &w->dp[i], kick);
        w->r[i] = kq[i - from];
        const double size = __builtin_fabs(w->p[i]) + __builtin_fabs(w->q[i])
                          + __builtin_fabs(w->r[i]);
        most = size > most ? size : most;
        most = size == size ? most : __builtin_inf();
    }
    return most > HUGE_STATE;
}

static void stage(noe_chebyshev_step *w, int s, int from, int to, int me)
{
    enum { ROWS = 128, NUMBERS_MOST = 3 * ROWS };
    const int d = w->k->d, last = w->stages - 1;
    double    t[NUMBERS_MOST], z[NUMBERS_MOST];
    for (int a = from; a < to; a += ROWS) {
        const int b = a + ROWS < to ? a + ROWS : to, i = a * d, e = b * d, j = w->shift[s],
                  k = w->term[s];
        if (s == last) {
            product(w->k, a, b, w->u, t);
            product(w->k, a, b, w->q, z);
            if (momenta(w, i, e, t, z)) w->huge[me] = true;
            continue;
        }
        if (k >= 0) {
            product(w->k, a, b, w->d[1 - s % 2], t);
            if (w->c[j].pair) {
                product(w->k, a, b, w->di[1 - s % 2], z);
                iterate_pair(w, s, j, k, i, e, t, z);
            } else iterate(w, s, j, k, i, e, t);
        }
        /* Shift j is finished.  The next shifts begin, up to the first that needs products;
         * after the last shift the positions are updated. */
        if (k + 1 < w->c[j].degree && k >= 0) continue;
        int l = k < 0 ? 0 : j + 1;
        for (; l < w->x->count; l++) {
            begin(w, s, l, i, e);
            if (w->c[l].degree) break;
        }
        if (l == w->x->count) positions(w, i, e);
    }
}

const noe_chebyshev_stage NOE_BUILD(noe_chebyshev_stage_) = { product, stage };
