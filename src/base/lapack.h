/* Declares functions of BLAS, LAPACK and ARPACK: A x = b, A x = l x, A = Q R; Fortran conventions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices are stored by columns; the lengths of character arguments follow all other arguments. */
#ifndef NOE_BASE_LAPACK_H
#define NOE_BASE_LAPACK_H

#include <stddef.h>

#include "base/optional_library.h"

#ifdef NOE_LAPACK

/* C <- alpha A B + beta C;  B <- alpha A^-1 B, A a triangle */
void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);
void dtrsm_(const char *side, const char *part, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb, size_t, size_t, size_t, size_t);

/* A X = B: by LU; the least-squares solution of least norm */
void dgesv_(const int *n, const int *cols, double *a, const int *lda, int *pivot, double *b,
            const int *ldb, int *info);
void dgelss_(const int *m, const int *n, const int *cols, double *a, const int *lda, double *b,
             const int *ldb, double *s, const double *rcond, int *rank, double *work,
             const int *lwork, int *info);

/* A P = Q R;  A = L L^T, with pivots P^T A P */
void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *pivot, double *tau,
             double *work, const int *lwork, int *info);
void dpotrf_(const char *part, const int *n, double *a, const int *lda, int *info, size_t);
void dpstrf_(const char *part, const int *n, double *a, const int *lda, int *pivot, int *rank,
             const double *tol, double *work, int *info, size_t);

/* A x = l x: general A; symmetric A (QR; divide and conquer).  A x = l B x: symmetric; general */
void dgeev_(const char *left, const char *right, const int *n, double *a, const int *lda,
            double *re, double *im, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t, size_t);
void dsyev_(const char *job, const char *part, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t, size_t);
void dsyevd_(const char *job, const char *part, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t,
             size_t);
void dggev_(const char *left, const char *right, const int *n, double *a, const int *lda, double *b,
            const int *ldb, double *re, double *im, double *beta, double *vl, const int *ldvl,
            double *vr, const int *ldvr, double *work, const int *lwork, int *info, size_t, size_t);

#else
/* Stands for LAPACK in a build without LAPACK; never called, as callers first ask
 * noe_optional_library_require (base/optional_library.h). */
#define dgemm_(...) noe_optional_library_stub(0, __VA_ARGS__)
#define dtrsm_(...) noe_optional_library_stub(0, __VA_ARGS__)
#define dgesv_(...) noe_optional_library_stub(0, __VA_ARGS__)
#define dgelss_(...) noe_optional_library_stub(0, __VA_ARGS__)
#define dgeqp3_(...) noe_optional_library_stub(0, __VA_ARGS__)
#define dpotrf_(...) noe_optional_library_stub(0, __VA_ARGS__)
#define dpstrf_(...) noe_optional_library_stub(0, __VA_ARGS__)
#define dgeev_(...) noe_optional_library_stub(0, __VA_ARGS__)
#define dsyev_(...) noe_optional_library_stub(0, __VA_ARGS__)
#define dsyevd_(...) noe_optional_library_stub(0, __VA_ARGS__)
#define dggev_(...) noe_optional_library_stub(0, __VA_ARGS__)
#endif

#ifdef NOE_ARPACK
/* some eigenvalues l of a symmetric A given by products A x (reverse communication) */
void dsaupd_(int *ido, const char *bmat, const int *n, const char *which, const int *nev,
             const double *tol, double *resid, const int *ncv, double *v, const int *ldv,
             int *iparam, int *ipntr, double *workd, double *workl, const int *lworkl, int *info,
             size_t, size_t);
void dseupd_(const int *rvec, const char *howmny, const int *select, double *d, double *z,
             const int *ldz, const double *sigma, const char *bmat, const int *n, const char *which,
             const int *nev, const double *tol, double *resid, const int *ncv, double *v,
             const int *ldv, int *iparam, int *ipntr, double *workd, double *workl,
             const int *lworkl, int *info, size_t, size_t, size_t);
#else
#define dsaupd_(...) noe_optional_library_stub(0, __VA_ARGS__)
#define dseupd_(...) noe_optional_library_stub(0, __VA_ARGS__)
#endif

#endif
