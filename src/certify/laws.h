/* what a method promises, as numbers with bounds: the laws of a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CERTIFY_LAWS_H
#define NOE_CERTIFY_LAWS_H

#include "inspect/properties.h"
#include "symmetry/symmetry.h"
#include "integrate/integrator.h"

typedef enum {
    NOE_HOLDS,
    NOE_FAILS,
    NOE_FAILS_AS_IT_MUST,
    NOE_DOES_NOT_APPLY,
    NOE_TOLD,
    NOE_NOT_MEASURABLE
} noe_law_verdict;

typedef struct {
    char            name[80];     /* "symplectic", "momentum rotation_x_y" */
    char            what[160];    /* what was measured, and the promise */
    double          value, bound; /* bound nan: none is promised */
    noe_law_verdict verdict;
} noe_law;

typedef struct {
    noe_law *law;
    int      count, room;
    double   within;    /* seconds of computing after which laws are left out; 0: none is */
    char     left[200]; /* which: "order, same bits" */
} noe_laws;

/* All laws that a system, a method and a step are to keep, within laws->within seconds; false with a message when memory ran out. */
bool noe_laws_find(const noe_system *, const noe_method *, quad step, const noe_properties *,
                   const noe_symmetries *, noe_laws *);
void noe_law_list_free(noe_laws *);
/* The same of a structure, in double; its step is to be within the limit of stability. */
bool noe_structure_laws(const noe_system *, const noe_method *, quad step, noe_laws *);

/* derivative_law.c: the derivatives of L that a step uses are those of L. */
void noe_derivative_law(const noe_system *, noe_laws *);
/* drift_laws.c: the laws of a long run. */
void noe_drift_laws_find(const noe_system *, const noe_method *, quad step, const noe_properties *,
                         const noe_symmetries *, noe_laws *);
bool noe_drift_laws_failed(const noe_laws *,
                           int from); /* does one of the energy fail, from this law on? */
/* roundoff_law.c: what rounding does, the method's steps in double against those in binary128. */
void noe_roundoff_law(const noe_system *, const noe_method *, quad step, noe_laws *);

/* A new law at the end, or NULL. */
noe_law *noe_law_list_add(noe_laws *, const char *name, double value, double bound,
                          const char *what, ...) __attribute__((format(printf, 5, 6)));
void     noe_law_list_add_unmeasurable(noe_laws *, const char *name,
                                       const char *why); /* one that cannot be measured here */

/* law_traits.c: how a method stands to a law on a system; its verdict when it is not promised. */
typedef enum {
    NOE_LAW_SYMPLECTIC,
    NOE_LAW_REVERSIBLE,
    NOE_LAW_ENERGY,
    NOE_LAW_EQUATIONS
} noe_law_kind;
typedef enum { NOE_PROMISED, NOE_MUST_FAIL, NOE_NOT_MEANT } noe_law_trait;
noe_law_trait noe_law_traits_find(noe_law_kind, const noe_system *, const noe_method *);
void          noe_law_traits_judge(noe_law *, noe_law_trait);

/* drift_laws.c: of rows along a run of so many steps: the energy, and the ledger of its books, relative to scale; unit: what a relative
 * rounding of 1 in a state makes in them. */
void noe_drift_laws_energy(const char *name, const double *H, int rows, double scale, double unit,
                           noe_law_trait, int steps, noe_laws *);
void noe_drift_laws_balance(const double *ledger, int rows, double scale, double unit, bool exact,
                            int steps, noe_laws *);

/* What a method keeps of a generator's momentum. */
typedef enum {
    NOE_BIT_FOR_BIT,
    NOE_TO_THE_FLOOR,
    NOE_BOUNDED,
    NOE_APPROXIMATE,
    NOE_CHANGED,
    NOE_NEARLY
} noe_promise;
extern const char *const noe_symmetry_promise_name[];
noe_promise              noe_symmetry_promise_find(const noe_symmetries *, const noe_symmetry *,
                                                   const noe_method *);

/* I of a generator at the state of an integrator, and the size of its terms. */
quad noe_symmetry_promise_momentum(const noe_symmetries *, const noe_symmetry *, noe_integrator *,
                                   quad *size);

#endif
