/* Extreme eigenvalues of the matrices of many processes, by SLEPc (Krylov-Schur).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     K x = omega^2 M x,   D^-1 A x = lambda x
 *
 * The start vector is the same for any number of processes, and a bound is rounded away to 20 bits,
 * which hides the rounding of the sums: the steps have the same coefficients then. */
#include "share.h"

#include "base/status.h"

#include <math.h>
#include <slepceps.h>
#include <stdlib.h>
#include <string.h>

static const double GAP = 1e-4; /* relative error of an extreme eigenvalue, as estimated */

/* |x| rounded up (to > 0) or down to 20 bits. */
static double coarse(double x, int to)
{
    enum { BITS = 20 };
    int          e;
    const double m = ldexp(frexp(x, &e), BITS);
    return ldexp(to > 0 ? ceil(m) : floor(m), e - BITS);
}

/* Sets the start vector: numbers that depend on the coordinate alone. */
static int begin(EPS eps, Mat A, const share *s)
{
    Vec     v;
    double *x;
    int     error = MatCreateVecs(A, &v, NULL);
    if (!error) error = VecGetArray(v, &x);
    for (int i = 0; i < halo_owned(s->halo) && !error; i++) {
        uint64_t bits = (uint64_t)s->global[halo_own(s->halo)[i]] + 1;
        bits *= 0x9e3779b97f4a7c15u, bits ^= bits >> 29, bits *= 0xbf58476d1ce4e5b9u;
        bits ^= bits >> 32;
        x[i] = (double)(int64_t)bits * 0x1p-63 + 1e-3;
    }
    if (!error) error = VecRestoreArray(v, &x);
    if (!error) error = EPSSetInitialSpace(eps, 1, &v);
    if (!error) error = VecDestroy(&v);
    return error;
}

/* The largest (end > 0) or least eigenvalue of A x = lambda B x, with its error added away. */
static noe_status extreme(const share *s, Mat A, Mat B, int end, double *lambda)
{
    EPS         eps;
    ST          st;
    KSP         ksp;
    PC          pc;
    PetscInt    found = 0;
    PetscReal   gap = 0;
    PetscScalar value = 0;
    int         error = EPSCreate(MPI_COMM_WORLD, &eps);
    if (!error) error = EPSSetOperators(eps, A, B);
    if (!error) error = EPSSetProblemType(eps, B ? EPS_GHEP : EPS_HEP);
    if (!error) error = EPSSetWhichEigenpairs(eps, end > 0 ? EPS_LARGEST_REAL : EPS_SMALLEST_REAL);
    if (!error) error = EPSSetTolerances(eps, GAP, 2000);
    if (!error && B) {
        error = EPSGetST(eps, &st);
        if (!error) error = STGetKSP(st, &ksp);
        if (!error) error = KSPSetType(ksp, KSPCG);
        if (!error) error = KSPGetPC(ksp, &pc);
        if (!error) error = PCSetType(pc, PCJACOBI);
        if (!error) error = KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 1000);
    }
    if (!error) error = begin(eps, A, s);
    if (!error) error = EPSSolve(eps);
    if (!error) error = EPSGetConverged(eps, &found);
    if (!error && found > 0) error = EPSGetEigenvalue(eps, 0, &value, NULL);
    if (!error && found > 0) error = EPSGetErrorEstimate(eps, 0, &gap);
    EPSDestroy(&eps);
    if (!error && !found)
        return noe_status_fail(NOE_NOT_CONVERGED, "the fastest mode was not found by SLEPc");
    const double x = PetscRealPart(value);
    *lambda = coarse(x + end * fmax(gap, GAP / 10) * fabs(x), end);
    return together_petsc(error, "the fastest mode");
}

/* D^-1/2 A D^-1/2, d[n] the diagonal D. */
static noe_status scaled(const share *s, const noe_sparse *A, const double *d, Mat *to)
{
    noe_sparse *B = noe_sparse_new(A->n, A->start[A->n]);
    if (!B) return NOE_NO_MEMORY;
    memcpy(B->start, A->start, ((size_t)A->n + 1) * sizeof *A->start);
    memcpy(B->col, A->col, (size_t)A->start[A->n] * sizeof *A->col);
    for (int i = 0; i < A->n; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            B->value[k] = A->value[k] / sqrt(d[i] * d[A->col[k]]);
    const noe_status status = shared_matrix_make(s, B, 1, to);
    noe_sparse_free(B);
    return status;
}

/* Gershgorin's bound of omega^2 over the own rows of all processes; lumped mass. */
static double circles(const share *s)
{
    const noe_sparse *K = s->own.K;
    double            most = 0;
    for (int j = 0; j < halo_owned(s->halo); j++) {
        const int i = halo_own(s->halo)[j];
        double    sum = 0;
        for (int64_t k = K->start[i]; k < K->start[i + 1]; k++)
            sum += K->col[k] == i
                     ? K->value[k] / s->own.mass[i]
                     : fabs(K->value[k]) / sqrt(s->own.mass[i] * s->own.mass[K->col[k]]);
        most = fmax(most, sum);
    }
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return coarse(most, 1);
}

noe_status fastest_mode(const share *s, double *omega2)
{
    Mat        K = NULL, M = NULL;
    noe_status status = s->own.mass ? scaled(s, s->own.K, s->own.mass, &K)
                                    : shared_matrix_make(s, s->own.K, 1, &K);
    if (!status && !s->own.mass) status = shared_matrix_make(s, s->own.M, 1, &M);
    if (!status) status = extreme(s, K, M, 1, omega2);
    if (K) MatDestroy(&K);
    if (M) MatDestroy(&M);
    if (!status && s->own.mass) *omega2 = fmin(*omega2, circles(s));
    if (!status) *omega2 = fmax(*omega2, 0);
    return status;
}

noe_status fastest_ends(const share *s, const noe_sparse *A, double *least, double *most)
{
    Mat        matrix = NULL;
    double    *d = noe_status_alloc((size_t)A->n + 1, sizeof *d);
    bool       positive = d != NULL;
    noe_status status = d ? NOE_OK : NOE_NO_MEMORY;
    for (int i = 0; i < A->n && d; i++) d[i] = noe_sparse_at(A, i, i), positive &= d[i] > 0;
    MPI_Allreduce(MPI_IN_PLACE, &positive, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
    *least = *most = 0;
    if (!status && positive) status = scaled(s, A, d, &matrix);
    if (!status && positive) status = extreme(s, matrix, NULL, 1, most);
    if (!status && positive) status = extreme(s, matrix, NULL, -1, least);
    if (matrix) MatDestroy(&matrix);
    free(d);
    return status;
}
