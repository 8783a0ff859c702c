/* Computes reference values.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * By runs with so small a step that they count as exact, or from the solution in closed form. */
#ifndef NOE_STUDY_REFERENCE_BUILD_H
#define NOE_STUDY_REFERENCE_BUILD_H

#include "study/reference.h"

typedef struct {
    noe_study     *s;        /* the study */
    noe_reference *r;        /* the reference values to be filled */
    noe_progress  *progress; /* counts finished tasks */
} noe_reference_builder;

/* A method's reference by itself has 1/NOE_SELF of its step; the rows of a grid in closed form are
 * NOE_SHARES tasks. */
enum { NOE_SELF = 8, NOE_SHARES = 16 };

/* reference_fine.c: the method of the reference run for n coordinates; the first fine and coarse
 * run of every grid, tasks 0 .. 2 grids - 1; their refinement. */
const char *noe_reference_fine_method(int n);
void        noe_reference_fine_first(void *builder, int task);
void        noe_reference_fine_refine(const noe_reference_builder *, noe_reference_rows *);
void        noe_reference_fine_self(const noe_reference_builder *, noe_reference_rows *,
                                    const noe_method *);

/* reference_exact.c: whether there is a closed form; a share of the rows of a grid. */
bool noe_reference_exact_exists(const noe_system *);
void noe_reference_exact_fill(const noe_reference_builder *, noe_reference_rows *, int share);

#endif
