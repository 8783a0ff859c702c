/* F_j = sum over terms of -dU/dq_j, U = sum_k w_k sum_i f_k(x[i], x[i+1], ..): many coordinates, few operations.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For L = sum m_j v_j^2/2 - U(t, q) with constant masses.  The terms of a sum are listed in runs: along a run
 * every slot goes on by the same stride, so a chain is one run, and a table has a row a run, not a row a term. */
#ifndef NOE_SUMS_SUMS_H
#define NOE_SUMS_SUMS_H

#include "step/engine.h"
#include "model/model.h"

enum {
    NOE_TERM_BLOCK = 256, /* terms evaluated at once: the tape is walked once for so many */
    NOE_MARGIN = 8,
    NOE_TERM_PITCH = NOE_TERM_BLOCK + 2 * NOE_MARGIN
}; /* a block with zeros before it and room behind */

typedef enum { NOE_AT_COORDINATE, NOE_AT_NUMBER, NOE_AT_INDEX } noe_argument_kind;

typedef struct {
    int                slots;
    noe_argument_kind *kind;   /* [slots] */
    int               *family; /* [slots], of coordinates */
    int64_t           *stride; /* [slots] */
    int64_t            runs, terms;
    int64_t           *count; /* [runs] */
    int64_t           *base;  /* [runs][slots]: where a slot stands at the first term of a run */
} noe_terms;

typedef struct {
    int a, b; /* slots */
} noe_site_pair;

typedef struct {
    noe_terms terms;
    noe_tape *force; /* -dU/dq of the slots listed in to; NULL: none */
    noe_tape *stiff; /* d2U/dq dq of the slots listed in pair, each pair once; NULL: none */
    const noe_site_pair *pair;
    noe_tape *
        couple; /* d2T/dv dv of the slots listed in couples, each pair once, none with itself; NULL: none */
    const noe_site_pair *couples;
    bool                 bent;  /* these depend on more than parameters: U is not quadratic */
    noe_tape            *value; /* U, or what an observable adds up */
    const int           *to;
} noe_sum_group;

typedef struct {
    int64_t first, count;
} noe_run_range;

typedef struct noe_sums {
    noe_arena     *arena;
    int            places, n; /* coordinates, and those of them that are not fixed */
    noe_run_range *family;    /* of the places */
    int            families;
    double        *number; /* values of parameters */
    int            groups, sums;
    noe_sum_group *group;   /* of L */
    noe_sum_group *sum;     /* of the observables */
    double        *inverse; /* [places]: 1/m, 0 where it is fixed; if coupled, 1/M_ii */
    bool           coupled; /* M is no diagonal: velocities of a term are coupled */
    double        *q, *v;   /* [places]: the model's start */
    double         t0;
    noe_tape *
        observe; /* inputs as of `seen` coordinates: q, v, p of those, sums in the place of q, energy */
    int        seen, observables;
    int       *place; /* [seen]: a place, or -1 - k for sum k */
    char      *names; /* made when they are asked for */
    noe_model *model; /* its own: dropped with it; NULL: another's */
} noe_sums;

/* The groups of a model whose sums stayed sums; NULL: *why says why it cannot be stepped so (or is NULL, and there is
 * a message). */
noe_sums *noe_sums_setup_make(noe_model *, const char **why);
void      noe_sums_setup_drop(noe_sums *);

/* site_names.c: the place of "x[3]" or "x.3", -1 where there is none that moves; the name of coordinate i. */
int noe_site_names_place(const noe_sums *, const noe_model *, const char *name, size_t length);
const char *noe_site_names_name(noe_sums *, const noe_model *, int i);

/* term_runs.c: the table of a sum; jumps to *stop with a message when a member does not exist. */
struct noe_sum;
void noe_term_runs_list(const noe_model *, const noe_sums *, const struct noe_sum *, noe_terms *,
                        jmp_buf *stop);

/* sums_observables.c: all observables at a state [places + NOE_TERM_BLOCK], sums by the given function; false without memory. */
typedef bool noe_sums_total(const noe_sums *, const noe_sum_group *, double t, const double *q,
                            const double *v, const double *p, double *sum);
bool noe_sums_observables_evaluate(const noe_sums *, noe_sums_total *, double t, double energy,
                                   const double *q, const double *v, const double *p, quad *seen);

/* max_stiffness.c: of all terms the one of the largest rate, |d2U/dq dq| over the masses, INFINITY where that is not finite,
 * and where its coordinates stand, of those that move; false without memory. */
enum { NOE_STIFFEST_MOST = 12 };
typedef struct {
    double rate,
        bend; /* bend: v' d2U/dq dq v, negative where U is bent downwards along the motion */
    int count, place[NOE_STIFFEST_MOST];
} noe_stiffest_term;
bool noe_max_stiffness(const noe_sums *, double t, const double *q, const double *v,
                       noe_stiffest_term *);

/* The instance that steps a method, NULL when none does. */
const noe_engine *noe_sums_engine(const noe_sums *, const noe_method *);

#endif
