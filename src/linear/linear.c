/* M, C, K -> a structure: as large as each other, M and K symmetric.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/linear.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* Files are written with some six digits, or both triangles by a program that sums in two orders. */
static const double SYMMETRIC = 1e-9;

static bool symmetric(const char *name, const noe_sparse *A)
{
    int i, j;
    if (noe_sparse_symmetric(A, SYMMETRIC, &i, &j)) return true;
    noe_fail(NOE_INVALID, "the %s matrix is not symmetric: %.10g in row %d, column %d, but %.10g in row %d, column %d",
             name, noe_sparse_at(A, i, j), i + 1, j + 1, noe_sparse_at(A, j, i), j + 1, i + 1);
    return false;
}

noe_linear *noe_linear_new(noe_sparse *M, noe_sparse *C, noe_sparse *K)
{
    noe_linear *s = M && K ? noe_alloc(1, sizeof *s) : NULL;
    if (s) {
        *s = (noe_linear){ .n = K->n, .M = M, .C = C, .K = K };
        if (M->n == K->n && (!C || C->n == K->n) && symmetric("mass", M) && symmetric("stiffness", K)) {
            if (!noe_sparse_diagonal(M, NULL)) return s;
            s->mass = noe_alloc((size_t)s->n, sizeof *s->mass);
            if (s->mass && noe_sparse_diagonal(M, s->mass)) return s;
        } else noe_fail(NOE_INVALID, "the matrices differ in size: mass %d, stiffness %d, damping %d", M->n, K->n,
                        C ? C->n : K->n);
        noe_linear_free(s);
        return NULL;
    }
    noe_sparse_free(M);
    noe_sparse_free(C);
    noe_sparse_free(K);
    return NULL;
}

void noe_linear_free(noe_linear *s)
{
    if (!s) return;
    if (s->drop) s->drop(s->ctx);
    noe_sparse_free(s->M);
    noe_sparse_free(s->C);
    noe_sparse_free(s->K);
    free(s->mass);
    free(s);
}
