/* Makes rows of reference values.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * By runs so fine that they count as exact, or from the solution in closed form. */
#ifndef NOE_STUDY_REFERENCE_BUILD_H
#define NOE_STUDY_REFERENCE_BUILD_H

#include "study/reference.h"

typedef struct {
    noe_study     *s;
    noe_reference *r;
    noe_progress  *progress;
} noe_reference_builder;

enum { NOE_SELF = 8, NOE_SHARES = 16 };

/* reference_fine.c: the method of a fine run of n coordinates; its first two runs, tasks 0 .. 2
 * grids - 1; the rest. */
const char *noe_reference_fine_method(int n);
void        noe_reference_fine_first(void *builder, int task);
void        noe_reference_fine_refine(const noe_reference_builder *, noe_reference_rows *);
void        noe_reference_fine_self(const noe_reference_builder *, noe_reference_rows *,
                                    const noe_method *);

/* reference_exact.c: a share of the rows of a grid. */
bool noe_reference_exact_exists(const noe_system *);
void noe_reference_exact_fill(const noe_reference_builder *, noe_reference_rows *, int share);

#endif
