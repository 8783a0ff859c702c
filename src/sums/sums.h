/* The engine for sums of many like terms: its system of many coordinates, and its functions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     L = sum_j m_j v_j^2/2 - U(t, q),  U = sum_k w_k sum_i f_k(x[i], x[i+1], ..),  F_j = -dU/dq_j,
 *
 * with constant masses (or a constant sparse mass matrix, see `coupled`).
 *
 * A sum has one tape, evaluated for all its terms.  An argument of a term is a slot: a coordinate,
 * the value of a parameter, or the index of the sum itself.  The terms are listed in runs: along a
 * run the position of every slot advances by a constant stride, so a chain is one run and memory
 * grows with the number of runs, not of terms. The place of a coordinate is its number among all
 * coordinates, fixed ones included. */
#ifndef NOE_SUMS_SUMS_H
#define NOE_SUMS_SUMS_H

#include "step/engine_interface.h"
#include "model/model.h"

enum {
    /* Terms in a block: each operation of the tape is applied to so many terms before the next. */
    NOE_TERM_BLOCK = 256,
    /* Doubles on either side of a block: zeros before it, memory for whole vectors after it. */
    NOE_MARGIN = 8,
    NOE_TERM_PITCH = NOE_TERM_BLOCK + 2 * NOE_MARGIN
};

typedef enum { NOE_ARGUMENT_COORDINATE, NOE_ARGUMENT_NUMBER, NOE_ARGUMENT_INDEX } noe_argument_kind;

/* The terms of a sum.  Slot s of term e in run r is coordinate, parameter or index number
 * base[r][s] + stride[s] e. */
typedef struct {
    int                slots;       /* arguments of a term */
    noe_argument_kind *kind;        /* [slots] */
    int               *family;      /* [slots]: family of each coordinate */
    int64_t           *stride;      /* [slots] */
    int64_t            runs, terms; /* number of runs; number of terms of all runs */
    int64_t           *count;       /* [runs]: terms of each run */
    int64_t           *base;        /* [runs][slots] */
} noe_terms;

typedef struct {
    int a, b; /* two slots of a term */
} noe_site_pair;

/* One sum of like terms. */
typedef struct {
    noe_terms terms; /* the runs of terms */
    /* -dU/dq for the slots listed in `to`; NULL: the sum has no forces. */
    noe_tape *force;
    /* d2U/dq dq for the pairs of slots listed in `stiffness_pair`, each unordered pair once;
     * NULL: none. */
    noe_tape *stiffness;
    /* [outputs of stiffness] */
    const noe_site_pair *stiffness_pair;
    /* d2T/dv dv for the pairs of slots listed in `mass_pair`, each unordered pair of different
     * slots once; NULL: none. */
    noe_tape *mass;
    /* [outputs of mass] */
    const noe_site_pair *mass_pair;
    /* The second derivatives depend on more than parameters: U is not quadratic. */
    bool nonlinear;
    /* U, or the summand of an observable; NULL: 0. */
    noe_tape *value;
    /* [outputs of force]: slot of each force */
    const int *to;
} noe_sum_group;

/* The places first .. first + count - 1 of a family of coordinates. */
typedef struct {
    int64_t first, count; /* see above */
} noe_family_range;

/* A system of sums.  Arrays over places have memory for NOE_TERM_BLOCK further doubles. */
typedef struct noe_sums {
    noe_arena        *arena;        /* memory of all arrays */
    int               places, n;    /* number of all coordinates; of those that are not fixed */
    noe_family_range *family;       /* [families] */
    int               families;     /* number of families of coordinates */
    double           *number;       /* [parameters of the model]: their values */
    int               groups, sums; /* number of sums of like terms in L; in the observables */
    noe_sum_group    *group;        /* [groups] */
    noe_sum_group    *sum;          /* [sums] */
    double           *inverse; /* [places]: 1/m_j, or 1/M_jj if coupled; 0: coordinate j is fixed */
    bool              coupled; /* the mass matrix M is not diagonal */
    double           *q, *v;   /* [places]: initial positions and velocities of the model */
    double            t0;      /* initial time */
    /* The observables, as functions of q, v, p of `seen` coordinates and of the energy (input
     * NOE_H).  The value of a sum is an input NOE_C. */
    noe_tape *observe;
    /* seen: number of coordinates and sums that the observables contain; observables: outputs of
     * `observe`. */
    int                          seen, observables;
    int                         *place; /* [seen]: a place, or -1 - k for sum k */
    const struct noe_sums_share *share; /* the other processes that step tiles; NULL: none */
    char      *names; /* names of the coordinates that are not fixed; NULL until first used */
    noe_model *model; /* freed together with the sums; NULL: the model is owned elsewhere */
} noe_sums;

/* The sums of a model in which they are not written out.  NULL: *why is the reason why this engine
 * does not apply to the model; if *why is NULL, too, an error message is set. */
noe_sums *noe_sums_setup_make(noe_model *, const char **why);
void      noe_sums_setup_drop(noe_sums *);

/* site_names.c: the place of "x[3]" or "x.3", -1 if there is no such coordinate or it is fixed; the
 * name of the i-th coordinate that is not fixed. */
int noe_site_names_place(const noe_sums *, const noe_model *, const char *name, size_t length);
const char *noe_site_names_name(noe_sums *, const noe_model *, int i);
/* The family of coordinates, or the single coordinate, with this place. */
const noe_symbol *noe_site_names_family(const noe_model *, int64_t place);

/* term_runs.c: lists the terms of a sum; longjmp to *stop, with an error message, if a term refers
 * to a coordinate or parameter outside the range of its family. */
struct noe_sum;
void noe_term_runs_list(const noe_model *, const noe_sums *, const struct noe_sum *, noe_terms *,
                        jmp_buf *stop);
/* The number of the family of a place. */
int noe_term_runs_family(const noe_sums *, int64_t place);

/* sums_observables.c: seen[observables] at a state q, v, p [places + NOE_TERM_BLOCK]; sums are
 * evaluated by the given function.  False: out of memory. */
typedef bool noe_sums_total(const noe_sums *, const noe_sum_group *, double t, const double *q,
                            const double *v, const double *p, double *sum);
bool noe_sums_observables_evaluate(const noe_sums *, noe_sums_total *, double t, double energy,
                                   const double *q, const double *v, const double *p, quad *seen);

/* max_stiffness.c: the term with the largest |m^-1/2 d2U/dq dq m^-1/2| (Frobenius norm).  False:
 * out of memory. */
enum { NOE_STIFFEST_MOST = 12 };
typedef struct {
    /* rate: the norm, an upper bound of the term's omega^2; INFINITY if the derivatives are not
     * finite. curvature: v^T d2U/dq dq v, negative where U is concave along the motion. */
    double rate, curvature;
    /* Number and places of the coordinates of the term that are not fixed and contribute at least 1
     * % of rate^2. */
    int count, place[NOE_STIFFEST_MOST];
} noe_stiffest_term;
bool noe_max_stiffness(const noe_sums *, double t, const double *q, const double *v,
                       noe_stiffest_term *);

/* The engine that steps these sums by the method; NULL: this engine does not have the method. */
const noe_engine *noe_sums_engine(const noe_sums *, const noe_method *);

#endif
