/* M + lambda (scale K) of a structure, in the union of the rows of M and K.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "matrix/pencil_matrix.h"

#include "base/status.h"

#include <stdlib.h>

noe_sparse *noe_pencil_matrix_make(const noe_structure *s, double complex lambda, double scale,
                                   double **imaginary)
{
    const noe_sparse *M = s->M, *K = s->K;
    const int64_t     capacity = M->start[s->n] + (lambda == 0 ? 0 : K->start[s->n]);
    noe_sparse       *A = noe_sparse_new(s->n, capacity);
    double           *im = noe_status_alloc((size_t)capacity + 1, sizeof *im);
    int64_t           at = 0;
    for (int i = 0; A && im && i < s->n; i++) {
        int64_t       a = M->start[i], b = lambda == 0 ? 0 : K->start[i];
        const int64_t end = M->start[i + 1], last = lambda == 0 ? 0 : K->start[i + 1];
        for (A->start[i] = at; a < end || b < last; at++) {
            const bool m = a < end && (b >= last || M->col[a] <= K->col[b]);
            const bool k = b < last && (a >= end || K->col[b] <= M->col[a]);
            A->col[at] = m ? M->col[a] : K->col[b];
            const double scaled = k ? scale * K->value[b] : 0;
            A->value[at] = (m ? M->value[a] : 0) + creal(lambda) * scaled;
            im[at] = cimag(lambda) * scaled;
            a += m, b += k;
        }
    }
    if (A && im) {
        A->start[s->n] = at;
        *imaginary = im;
        return A;
    }
    noe_sparse_free(A);
    free(im);
    return NULL;
}
