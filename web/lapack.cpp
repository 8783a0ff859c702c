// The functions of base/lapack.h by Eigen, which compiles where there is no Fortran.
// SPDX-License-Identifier: BSD-3-Clause
//
// lwork = -1 asks for the length of the work space: Eigen brings its own.
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>

using namespace Eigen;

namespace {
using Columns = Map<MatrixXd, 0, OuterStride<>>;
using ConstColumns = Map<const MatrixXd, 0, OuterStride<>>;
using Numbers = Map<VectorXd>;

Columns      of(double *a, int m, int n, int ld) { return Columns(a, m, n, OuterStride<>(ld)); }
ConstColumns of(const double *a, int m, int n, int ld)
{
    return ConstColumns(a, m, n, OuterStride<>(ld));
}

bool asks(const int *lwork, double *work)
{
    if (*lwork >= 0) return false;
    *work = 1;
    return true;
}

void symmetric(bool vectors, const char *part, int n, double *a, int lda, double *w, int *info)
{
    Columns                          A = of(a, n, n, lda);
    MatrixXd                         full = *part == 'L' ? MatrixXd(A.selfadjointView<Lower>())
                                                         : MatrixXd(A.selfadjointView<Upper>());
    SelfAdjointEigenSolver<MatrixXd> x(full, vectors ? ComputeEigenvectors : EigenvaluesOnly);
    *info = x.info() == Success ? 0 : 1;
    Numbers(w, n) = x.eigenvalues();
    if (vectors) A = x.eigenvectors();
}

template <typename View> void solve(const View &A, char trans, Columns B)
{
    if (trans == 'N') A.solveInPlace(B);
    else A.transpose().solveInPlace(B);
}

void triangular(char part, char trans, char diag, ConstColumns A, Columns B)
{
    if (part == 'L' && diag == 'N') solve(A.triangularView<Lower>(), trans, B);
    else if (part == 'L') solve(A.triangularView<UnitLower>(), trans, B);
    else if (diag == 'N') solve(A.triangularView<Upper>(), trans, B);
    else solve(A.triangularView<UnitUpper>(), trans, B);
}
} // namespace

extern "C" {

void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t)
{
    const bool         turn_a = *ta != 'N', turn_b = *tb != 'N';
    const ConstColumns A = of(a, turn_a ? *k : *m, turn_a ? *m : *k, *lda),
                       B = of(b, turn_b ? *n : *k, turn_b ? *k : *n, *ldb);
    Columns        C = of(c, *m, *n, *ldc);
    const MatrixXd x = turn_a ? MatrixXd(A.transpose()) : MatrixXd(A),
                   y = turn_b ? MatrixXd(B.transpose()) : MatrixXd(B);
    if (*beta == 0) C.setZero();
    else C *= *beta;
    C.noalias() += *alpha * x * y;
}

/* side "L" alone, which is all that is called */
void dtrsm_(const char *, const char *part, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb, size_t, size_t, size_t, size_t)
{
    Columns B = of(b, *m, *n, *ldb);
    B *= *alpha;
    triangular(*part, *trans, *diag, of(a, *m, *m, *lda), B);
}

/* The pivots are not LAPACK's exchanges; callers do not read them. */
void dgesv_(const int *n, const int *cols, double *a, const int *lda, int *, double *b,
            const int *ldb, int *info)
{
    Columns                A = of(a, *n, *n, *lda), B = of(b, *n, *cols, *ldb);
    PartialPivLU<MatrixXd> x{ MatrixXd(A) };
    *info = 0;
    for (int i = 0; i < *n; i++)
        if (x.matrixLU()(i, i) == 0) return (void)(*info = i + 1);
    B = x.solve(MatrixXd(B));
    A = x.matrixLU();
}

void dgelss_(const int *m, const int *n, const int *cols, double *a, const int *lda, double *b,
             const int *ldb, double *s, const double *rcond, int *rank, double *work,
             const int *lwork, int *info)
{
    *info = 0;
    if (asks(lwork, work)) return;
    JacobiSVD<MatrixXd> x(MatrixXd(of(a, *m, *n, *lda)), ComputeThinU | ComputeThinV);
    x.setThreshold(*rcond);
    *rank = (int)x.rank();
    Numbers(s, x.singularValues().size()) = x.singularValues();
    const MatrixXd y = x.solve(MatrixXd(of(b, *m, *cols, *ldb)));
    of(b, *n, *cols, *ldb) = y;
}

/* A P = Q R: reflections below the diagonal and in tau.  Among columns of equal norm LAPACK's
 * choice is taken (dlaqp2), on which depends in which basis a null space is found. */
void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *pivot, double *tau,
             double *work, const int *lwork, int *info)
{
    *info = 0;
    if (asks(lwork, work)) return;
    Columns A = of(a, *m, *n, *lda);
    /* norms of what is left of the columns: as updated, as computed */
    RowVectorXd norm = A.colwise().norm(), exact = norm;
    for (int i = 0; i < *n; i++) pivot[i] = i + 1;
    for (int i = 0; i < *m && i < *n; i++) {
        const int rows = *m - i - 1, rest = *n - i - 1;
        int       p;
        double    beta;
        norm.tail(rest + 1).maxCoeff(&p);
        if (p += i; p != i) {
            A.col(p).swap(A.col(i));
            std::swap(pivot[p], pivot[i]), norm[p] = norm[i], exact[p] = exact[i];
        }
        VectorXd room(rest + 1);
        A.col(i).tail(rows + 1).makeHouseholderInPlace(tau[i], beta);
        A(i, i) = beta;
        if (rest)
            A.bottomRightCorner(rows + 1, rest)
                .applyHouseholderOnTheLeft(A.col(i).tail(rows), tau[i], room.data());
        for (int j = i + 1; j < *n; j++) {
            if (norm[j] == 0) continue;
            const double part = std::abs(A(i, j)) / norm[j], left = std::max(0.0, 1 - part * part),
                         ratio = norm[j] / exact[j];
            if (left * ratio * ratio <= 0x1p-26) norm[j] = exact[j] = A.col(j).tail(rows).norm();
            else norm[j] *= std::sqrt(left);
        }
    }
}

void dpotrf_(const char *part, const int *n, double *a, const int *lda, int *info, size_t)
{
    Columns A = of(a, *n, *n, *lda);
    *info = 0;
    if (*part == 'L') {
        LLT<MatrixXd, Lower> x{ MatrixXd(A) };
        *info = x.info() == Success ? 0 : 1;
        A.triangularView<Lower>() = x.matrixLLT();
    } else {
        LLT<MatrixXd, Upper> x{ MatrixXd(A) };
        *info = x.info() == Success ? 0 : 1;
        A.triangularView<Upper>() = x.matrixLLT();
    }
}

/* P^T A P = L L^T, the lower triangle; ends where the largest pivot is at most tol max a_ii. */
void dpstrf_(const char *, const int *n, double *a, const int *lda, int *pivot, int *rank,
             const double *tol, double *, int *info, size_t)
{
    const int    size = *n;
    Columns      A = of(a, size, size, *lda);
    const double least = *tol * A.diagonal().maxCoeff();
    for (int i = 0; i < size; i++) pivot[i] = i + 1;
    A.triangularView<StrictlyUpper>() = A.transpose();
    for (*rank = 0; *rank < size; ++*rank) {
        const int k = *rank, rest = size - k - 1;
        int       largest = 0;
        if (!(A.diagonal().tail(size - k).maxCoeff(&largest) > least)) break;
        largest += k;
        A.row(k).swap(A.row(largest)), A.col(k).swap(A.col(largest));
        std::swap(pivot[k], pivot[largest]);
        A(k, k) = std::sqrt(A(k, k));
        A.col(k).tail(rest) /= A(k, k);
        A.bottomRightCorner(rest, rest) -= A.col(k).tail(rest) * A.col(k).tail(rest).transpose();
    }
    *info = *rank < size;
}

/* eigenvalues alone */
void dgeev_(const char *, const char *, const int *n, double *a, const int *lda, double *re,
            double *im, double *, const int *, double *, const int *, double *work,
            const int *lwork, int *info, size_t, size_t)
{
    *info = 0;
    if (asks(lwork, work)) return;
    EigenSolver<MatrixXd> x(MatrixXd(of(a, *n, *n, *lda)), false);
    *info = x.info() == Success ? 0 : 1;
    Numbers(re, *n) = x.eigenvalues().real();
    Numbers(im, *n) = x.eigenvalues().imag();
}

void dsyev_(const char *job, const char *part, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t, size_t)
{
    *info = 0;
    if (!asks(lwork, work)) symmetric(*job == 'V', part, *n, a, *lda, w, info);
}

void dsyevd_(const char *job, const char *part, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *, int *info, size_t, size_t)
{
    *info = 0;
    if (*lwork < 0) *iwork = 1;
    if (!asks(lwork, work)) symmetric(*job == 'V', part, *n, a, *lda, w, info);
}

/* eigenvalues alone */
void dggev_(const char *, const char *, const int *n, double *a, const int *lda, double *b,
            const int *ldb, double *re, double *im, double *beta, double *, const int *, double *,
            const int *, double *work, const int *lwork, int *info, size_t, size_t)
{
    *info = 0;
    if (asks(lwork, work)) return;
    GeneralizedEigenSolver<MatrixXd> x(MatrixXd(of(a, *n, *n, *lda)), MatrixXd(of(b, *n, *n, *ldb)),
                                       false);
    *info = x.info() == Success ? 0 : 1;
    Numbers(re, *n) = x.alphas().real();
    Numbers(im, *n) = x.alphas().imag();
    Numbers(beta, *n) = x.betas();
}
}
