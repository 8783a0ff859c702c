/* The lowest modes of a structure of many processes, K x = omega^2 M x, by SLEPc.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     (K + sigma M)^-1 M x = nu x,   omega^2 = 1/nu - sigma
 *
 * Krylov-Schur with factors of MUMPS; sigma is small beside the fastest mode, so that rigid-body
 * modes need nothing special, as in matrix/eigen_min.c for one process. */
#include "share.h"

#include "base/status.h"

#include <slepceps.h>

static const double SHIFT = 1e-9;      /* sigma by omega^2 of the fastest mode */
static const double TOLERANCE = 1e-12; /* of nu, relative */

/* Shift and invert at -sigma, by factors of MUMPS. */
static int invert(EPS eps, double sigma)
{
    ST  st;
    KSP ksp;
    PC  pc;
    int error = EPSGetST(eps, &st);
    if (!error) error = STSetType(st, STSINVERT);
    if (!error) error = STSetShift(st, -sigma);
    if (!error) error = STGetKSP(st, &ksp);
    if (!error) error = KSPSetType(ksp, KSPPREONLY);
    if (!error) error = KSPGetPC(ksp, &pc);
    if (!error) error = PCSetType(pc, PCCHOLESKY);
    if (!error) error = PCFactorSetMatSolverType(pc, MATSOLVERMUMPS);
    return error;
}

/* The own part of vector i. */
static int read_vector(EPS eps, Mat K, int i, const share *s, double *to)
{
    Vec           x = NULL;
    const double *from = NULL;
    int           error = MatCreateVecs(K, &x, NULL);
    if (!error) error = EPSGetEigenvector(eps, i, x, NULL);
    if (!error) error = VecGetArrayRead(x, &from);
    for (int j = 0; j < halo_owned(s->halo) && !error; j++) to[halo_own(s->halo)[j]] = from[j];
    if (!error) error = VecRestoreArrayRead(x, &from);
    if (x) VecDestroy(&x);
    return error;
}

noe_status slowest_modes(const share *s, double top2, int asked, double *omega2, double *vector,
                         int *found)
{
    EPS          eps = NULL;
    Mat          K = NULL, M = NULL;
    PetscInt     count = 0;
    PetscScalar  value = 0;
    const double sigma = SHIFT * top2;
    noe_status   status = shared_matrix_make(s, s->own.K, 1, &K);
    if (!status) status = shared_matrix_make(s, s->own.M, 1, &M);
    *found = 0;
    int error = status ? 0 : EPSCreate(MPI_COMM_WORLD, &eps);
    if (!status && !error) error = EPSSetOperators(eps, K, M);
    if (!status && !error) error = EPSSetProblemType(eps, EPS_GHEP);
    if (!status && !error) error = EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE);
    if (!status && !error) error = EPSSetTarget(eps, -sigma);
    if (!status && !error) error = EPSSetDimensions(eps, asked, PETSC_DEFAULT, PETSC_DEFAULT);
    if (!status && !error) error = EPSSetTolerances(eps, TOLERANCE, 300);
    if (!status && !error) error = invert(eps, sigma);
    if (!status && !error) error = EPSSolve(eps);
    if (!status && !error) error = EPSGetConverged(eps, &count);
    for (int i = 0; i < count && i < asked && !status && !error; i++) {
        error = EPSGetEigenvalue(eps, i, &value, NULL);
        if (vector && !error)
            error = read_vector(eps, K, i, s, vector + (size_t)i * (size_t)s->own.n);
        omega2[(*found)++] = PetscRealPart(value);
    }
    if (eps) EPSDestroy(&eps);
    if (K) MatDestroy(&K);
    if (M) MatDestroy(&M);
    return status ? status : together_petsc(error, "the lowest modes");
}
