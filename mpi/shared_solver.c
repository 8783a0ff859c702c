/* Equations A y = g of many processes: Chebyshev's iteration of fixed degree, or factors by MUMPS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     D^-1 A in a .. b, c = b/a:  error 2 q^(k+1),  q = (sqrt c - 1)/(sqrt c + 1)
 *
 * A mass matrix has a small c whatever the mesh (Wathen, IMA J. Numer. Anal. 7 (1987) 449), and so
 * has M + lambda K at steps that an explicit method would take: there the iteration needs no sum
 * over all processes, one exchange with neighbours for each of its degrees. */
#include "share.h"

#include "base/status.h"

#include <math.h>
#include <petscksp.h>
#include <stdlib.h>
#include <string.h>

enum { DEGREE_MOST = 160 };

typedef struct {
    const share *s;
    noe_sparse  *A;                      /* of the iteration, and of the residual */
    int          per;                    /* unknowns of a coordinate */
    int          degree;                 /* of the iteration; 0: by factors */
    double       theta, delta;           /* middle and half length of a .. b */
    double      *inverse, *rest, *d, *t; /* [own.n per] 1/diagonal; work space */
    Mat          matrix;
    KSP          ksp;
    Vec          right, left;
    char         name[80];
} solver;

/* Factors by MUMPS. */
static noe_status factorise(solver *x, bool definite)
{
    PC         pc;
    noe_status s = shared_matrix_make(x->s, x->A, x->per, &x->matrix);
    int        error = 0;
    if (s) return s;
    if (definite) error = MatSetOption(x->matrix, MAT_SPD, PETSC_TRUE);
    if (!error) error = MatCreateVecs(x->matrix, &x->right, &x->left);
    if (!error) error = KSPCreate(MPI_COMM_WORLD, &x->ksp);
    if (!error) error = KSPSetOperators(x->ksp, x->matrix, x->matrix);
    if (!error) error = KSPSetType(x->ksp, KSPPREONLY);
    if (!error) error = KSPGetPC(x->ksp, &pc);
    if (!error) error = PCSetType(pc, definite ? PCCHOLESKY : PCLU);
    if (!error) error = PCFactorSetMatSolverType(pc, MATSOLVERMUMPS);
    if (!error) error = KSPSetUp(x->ksp);
    snprintf(x->name, sizeof x->name, "%s of MUMPS", definite ? "Cholesky" : "LU");
    return together_petsc(error, "the equations of a step cannot be factorised");
}

/* Degree of the iteration for eigenvalues in a .. b; 0: it would be too high. */
static bool choose_degree(solver *x, double a, double b)
{
    const double root = sqrt(b / a), q = (root - 1) / (root + 1);
    int          k = 1;
    for (double error = 2 * q * q; error > 0x1p-62 && k <= DEGREE_MOST; error *= q) k++;
    x->theta = (a + b) / 2, x->delta = (b - a) / 2;
    x->degree = k <= DEGREE_MOST ? k : 0;
    return x->degree > 0;
}

static noe_status iterate(solver *x)
{
    const size_t n = (size_t)x->A->n;
    double       a, b;
    noe_status   s = fastest_ends(x->s, x->A, &a, &b);
    if (s || !(a > 0) || !choose_degree(x, a, b)) return s;
    x->inverse = noe_status_alloc(4 * n, sizeof *x->inverse);
    if (!x->inverse) return NOE_NO_MEMORY;
    x->rest = x->inverse + n, x->d = x->rest + n, x->t = x->d + n;
    for (size_t i = 0; i < n; i++) x->inverse[i] = 1 / noe_sparse_at(x->A, (int)i, (int)i);
    snprintf(x->name, sizeof x->name, "Chebyshev's iteration of degree %d", x->degree);
    return NOE_OK;
}

void *shared_solver_make(void *ctx, const noe_sparse *A, int per, bool definite, const char **name)
{
    solver      *x = noe_status_alloc(1, sizeof *x);
    const share *s = ctx;
    noe_status   status = x ? NOE_OK : NOE_NO_MEMORY;
    if (x) {
        x->s = s, x->per = per;
        x->A = noe_sparse_new(A->n, A->start[A->n]);
        if (!x->A) status = NOE_NO_MEMORY;
    }
    if (!status) {
        memcpy(x->A->start, A->start, ((size_t)A->n + 1) * sizeof *A->start);
        memcpy(x->A->col, A->col, (size_t)A->start[A->n] * sizeof *A->col);
        memcpy(x->A->value, A->value, (size_t)A->start[A->n] * sizeof *A->value);
    }
    if (together_agree(status)) return shared_solver_free(x), NULL;
    if (definite && per == 1) status = iterate(x);
    if (!together_agree(status) && !x->degree) status = factorise(x, definite);
    if (together_agree(status)) return shared_solver_free(x), NULL;
    *name = x->name;
    return x;
}

void shared_solver_free(void *solver_)
{
    solver *x = solver_;
    if (!x) return;
    noe_sparse_free(x->A);
    free(x->inverse);
    if (x->ksp) KSPDestroy(&x->ksp);
    if (x->right) VecDestroy(&x->right), VecDestroy(&x->left);
    if (x->matrix) MatDestroy(&x->matrix);
    free(x);
}

/* Saad, Iterative Methods for Sparse Linear Systems, algorithm 12.1. */
static void solve_iterating(solver *x, const double *g, double *y)
{
    const int    n = x->A->n;
    const double ratio = x->theta / x->delta;
    double       rho = 1 / ratio;
    for (int i = 0; i < n; i++) {
        x->rest[i] = x->inverse[i] * g[i];
        y[i] = x->d[i] = x->rest[i] / x->theta;
    }
    for (int k = 0; k < x->degree; k++) {
        const double next = 1 / (2 * ratio - rho), keep = next * rho, take = 2 * next / x->delta;
        halo_exchange(x->s->halo, 1, &x->d);
        noe_sparse_times(x->A, x->d, x->t);
        for (int i = 0; i < n; i++) {
            x->rest[i] -= x->inverse[i] * x->t[i];
            x->d[i] = keep * x->d[i] + take * x->rest[i];
            y[i] += x->d[i];
        }
        rho = next;
    }
}

static void solve_factored(solver *x, const double *g, double *y)
{
    const int    *own = halo_own(x->s->halo), n = halo_owned(x->s->halo), per = x->per;
    double       *to;
    const double *from;
    if (VecGetArray(x->right, &to)) return;
    for (int i = 0; i < n * per; i++) to[i] = g[own[i / per] * per + i % per];
    VecRestoreArray(x->right, &to);
    if (KSPSolve(x->ksp, x->right, x->left) || VecGetArrayRead(x->left, &from)) return;
    for (int i = 0; i < n * per; i++) y[own[i / per] * per + i % per] = from[i];
    VecRestoreArrayRead(x->left, &from);
}

void shared_solver_solve(void *solver_, const double *g, double *y)
{
    solver *x = solver_;
    (x->degree ? solve_iterating : solve_factored)(x, g, y);
}
