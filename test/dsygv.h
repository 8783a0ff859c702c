/* A x = l B x for symmetric matrices, of LAPACK, which src has no use for.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DSYGV_H
#define DSYGV_H

#include <stddef.h>

void dsygv_(const int *type, const char *job, const char *part, const int *n, double *a,
            const int *lda, double *b, const int *ldb, double *w, double *work, const int *lwork,
            int *info, size_t, size_t);

#endif
