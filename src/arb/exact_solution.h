/* any number of digits: solutions in closed form, and the Galerkin step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Written with FLINT/Arb and apart from src/core: the second computation that the first is compared with.  No
 * Arb type stands here, so that the house above is the same without the library. */
#ifndef NOE_ARB_EXACT_SOLUTION_H
#define NOE_ARB_EXACT_SOLUTION_H

#include "step/engine.h"
#include "model/model.h"

enum { NOE_DIGITS_MOST = 1000 };

noe_wide *noe_wide_new(void);
void      noe_wide_free(noe_wide *);
void      noe_wide_set(noe_wide *, quad);
quad      noe_wide_get(const noe_wide *);              /* the nearest */
char     *noe_wide_text(const noe_wide *, int digits); /* decimal; free() frees it */

const noe_engine *noe_arb_engine_select(
    void); /* steps with the digits that it is told by NOE_AT_DIGITS */

/* A state to start from; of a coordinate with momentum[i] p counts, else v. */
typedef struct noe_start_point {
    quad        t0;
    const quad *q, *v, *p;
    const bool *momentum;
} noe_start_point;

/* The solution that the model names, through a point, or through the model's own start (NULL); to so many digits.
 * NULL with a message, also when it does not solve the equations of L to 1e-25. */
typedef struct noe_exact_solution noe_exact_solution;
noe_exact_solution *noe_exact_solution_new(const noe_model *, int digits, const noe_start_point *);
void                noe_exact_solution_free(noe_exact_solution *);
/* Q, V, P of coordinate `index`, ENERGY, or (what < 0) an observable, at a time. */
enum { NOE_AT_OBSERVABLE = -1 };
bool noe_exact_solution_get(noe_exact_solution *, const noe_wide *t, int what, int index,
                            noe_wide *);
/* A thread that has used any of this says so before it ends: FLINT keeps memory for every thread. */
void noe_wide_leave_thread(void);

#endif
