/* Computation in any number of digits: solutions in closed form, and an engine.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Written with FLINT/Arb and independently of src/step: the second computation with which the first
 * is compared.  No Arb type occurs here, so the rest of noether is compiled in the same way without
 * that library. */
#ifndef NOE_ARB_EXACT_SOLUTION_H
#define NOE_ARB_EXACT_SOLUTION_H

#include "step/engine_interface.h"
#include "model/model.h"

enum { NOE_DIGITS_MOST = 1000 };

noe_wide *noe_wide_new(void);
void      noe_wide_free(noe_wide *);
void      noe_wide_set(noe_wide *, quad);
quad      noe_wide_get(const noe_wide *);              /* the nearest number of binary128 */
char     *noe_wide_text(const noe_wide *, int digits); /* decimal; free() frees it */

/* The engine; digits->set sets its number of decimal digits. */
const noe_engine *noe_arb_engine_select(void);

/* Initial conditions: t0, q [n] and, for each coordinate, p[i] (momentum[i]) or v[i]. */
typedef struct noe_start_point {
    quad        t0;        /* time of the start */
    const quad *q, *v, *p; /* [n] each; v or p of a coordinate by `momentum` */
    const bool *momentum;  /* [n] true: p[i] is given, else v[i] */
} noe_start_point;

/* The closed-form solution that the model names, to so many digits, from the given initial
 * conditions or (NULL) those of the model.  NULL with a message, also if it does not satisfy the
 * equations of motion of L to 1e-25. */
typedef struct noe_exact_solution noe_exact_solution;
noe_exact_solution *noe_exact_solution_new(const noe_model *, int digits, const noe_start_point *);
void                noe_exact_solution_free(noe_exact_solution *);
/* Q, V, P of coordinate `index`, ENERGY, or (what < 0) an observable, at a time. */
enum { NOE_AT_OBSERVABLE = -1 };
bool noe_exact_solution_get(noe_exact_solution *, const noe_wide *t, int what, int index,
                            noe_wide *);
/* To be called by every thread that has used these functions before it ends: FLINT holds memory for
 * each thread. */
void noe_wide_leave_thread(void);

#endif
