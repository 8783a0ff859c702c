/* A finite-element structure as matrices:  M q'' + C q' + K q = f(t),  p = M q'.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MATRIX_STRUCTURE_H
#define NOE_MATRIX_STRUCTURE_H

#include "matrix/sparse.h"

typedef struct noe_structure {
    /* coordinates */
    int n;
    /* mass, damping, stiffness; C need not be symmetric and may be NULL */
    noe_sparse *M, *C, *K;
    /* the damping matrix is alpha M + beta K + C */
    double alpha, beta;
    /* number of directions without mass that were eliminated */
    int massless;
    /* M is nearly singular: there are still directions with almost no mass */
    bool nearly_singular;
    /* some directions without mass are not coordinate axes */
    bool oblique_massless;
    /* the elimination used the BLAS, so its last bits depend on the processor */
    bool blas;
    /* [n]: the diagonal of a lumped M, else NULL */
    double *mass;
    /* weight [n], rest: a further potential -weight.q - rest, whose force is the load; NULL:
     * none */
    double *weight, rest;
    /* writes f(t) to f[n]; NULL: no load */
    noe_load *load;
    void     *ctx; /* argument of the load */
    /* frees ctx together with the structure; may be NULL */
    void (*drop)(void *ctx);
    /* the other processes of a structure that is distributed by rows; NULL: there are none */
    const struct noe_structure_share *share;
    /* M, C and K have the rows first .. first + K->n - 1 alone, other processes have the others;
     * this makes them whole, in all processes together.  NULL: they are whole */
    noe_status (*complete)(struct noe_structure *);
    int first; /* 0 where they are whole */
} noe_structure;

/* Takes ownership of the matrices, also on failure.  A C that equals alpha M + beta K to rounding
 * is replaced by alpha and beta.  NULL with a message: a matrix is missing, M or K is not
 * symmetric, or their sizes differ. */
noe_structure *noe_structure_new(noe_sparse *M, noe_sparse *C, noe_sparse *K);
void           noe_structure_free(noe_structure *);
/* The same of n coordinates, of which this process has the rows from `first` on: M, without empty
 * rows, and K are symmetric, mass[n] is the diagonal of a lumped M or NULL.  Takes all over. */
noe_structure *noe_structure_of_rows(noe_sparse *M, noe_sparse *K, int n, int first, double *mass);
/* Makes the matrices whole where other processes have rows of them; all processes come. */
noe_status noe_structure_complete(noe_structure *);

/* The other processes of a structure that is distributed by rows.  The matrices of a share are the
 * rows and columns of its own coordinates and of those around them that other processes own.  A
 * vector is right at its own coordinates; `refresh` makes it right at the others, which the
 * products with the own rows need. */
typedef struct noe_structure_share {
    void *ctx; /* first argument of the functions */
    /* Fetches the values of `count` vectors x[k][n] at the coordinates that other processes own. */
    void (*refresh)(void *ctx, int count, double *const *x);
    /* x.y over the coordinates of all processes, the same number in all. */
    double (*dot)(void *ctx, const double *x, const double *y);
    /* The part of x.y that this process owns, and the sum of such parts, the same in all. */
    double (*part)(void *ctx, const double *x, const double *y);
    double (*sum)(void *ctx, double part);
    /* What solves A y = g, A[n per][n per] with `per` unknowns a coordinate, of which the rows of
     * the own coordinates are right; definite: A is symmetric and positive definite.  name: how it
     * solves them.  NULL with a message. */
    void *(*factorise)(void *ctx, const noe_sparse *A, int per, bool definite, const char **name);
    void (*solve)(void *factors, const double *g, double *y);
    void (*forget)(void *factors);
    /* The coordinates around the own ones reach as far as a step by polynomials of this many
     * products: one refresh a step; 0: one a product. */
    int    depth;
    double omega2; /* upper bound of the largest omega^2 of the whole structure */
} noe_structure_share;

/* x.y of a structure's vectors, over the coordinates of all processes. */
double noe_structure_share_dot(const noe_structure *, const double *x, const double *y);
/* The part of x.y that this process owns; x.y where there is one process. */
double noe_structure_share_part(const noe_structure *, const double *x, const double *y);
/* The sum of the parts of all processes; the part itself where there is one. */
double noe_structure_share_sum(const noe_structure *, double part);
/* y = A x for a matrix of the structure; refreshes x. */
void noe_structure_share_times(const noe_structure *, const noe_sparse *A, double *x, double *y);
/* Fetches what other processes own of x; nothing where there is one process. */
void noe_structure_share_refresh(const noe_structure *, double *x);

#endif
