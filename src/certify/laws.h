/* The laws of a run: each property that a method promises, as a measured value with its bound.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CERTIFY_LAWS_H
#define NOE_CERTIFY_LAWS_H

#include "inspect/properties.h"
#include "symmetry/symmetry.h"
#include "integrate/integrator.h"

typedef enum {
    NOE_HOLDS,            /* promised, value <= bound */
    NOE_FAILS,            /* promised, value > bound */
    NOE_EXPECTED_FAILURE, /* expected failure: the method breaks this law, and value > bound */
    NOE_DOES_NOT_APPLY,   /* the law has no meaning for this system and method */
    NOE_NO_VERDICT,       /* a value without a verdict: no bound, or an expected failure not seen */
    NOE_NOT_MEASURABLE    /* `what` says why */
} noe_law_verdict;

typedef struct {
    char   name[80];         /* "symplectic", "momentum rotation_x_y" */
    char   what[160];        /* what was measured, and the promise */
    double value,            /* measured, dimensionless; NAN: not measured */
        bound;               /* largest value with which the law holds; NAN: none is promised */
    noe_law_verdict verdict; /* what value and bound mean for the method */
} noe_law;

typedef struct {
    noe_law *law;             /* [count], memory for [capacity] */
    int      count, capacity; /* laws in the list, and room for laws */
    double   within;          /* seconds of computing in which laws are measured; 0: no limit */
    double   since;           /* noe_stopwatch_computing() from which `within` is counted */
    /* Of processes that measure together: the answer of the first one; NULL: there is one. */
    int (*first)(int value);
    int  reach;     /* steps that can be made, up to NOE_RUN_STEPS: noe_monitored_way_reach() */
    char left[200]; /* names of the laws that were left out: "order, same bits" */
} noe_laws;

/* Measures every law that applies to a system, a method and a step; laws->within limits the time.
 * False with a message: out of memory. */
bool noe_laws_find(const noe_system *, const noe_method *, quad step, const noe_properties *,
                   const noe_symmetries *, noe_laws *);
void noe_law_list_free(noe_laws *);
/* The laws of a finite-element structure, in double; the step must be within the limit of
 * stability; laws->within limits the time.  False with a message: out of memory. */
bool noe_structure_laws(const noe_system *, const noe_method *, quad step, noe_laws *);

/* derivative_law.c: the derivatives of L that a step uses are those of L. */
void noe_derivative_law(const noe_system *, noe_laws *);
/* lanes_law.c: steps in the lanes of a vector, whose other members differ, give the same bits as
 * alone; of a linear engine, which computes another way, the distance of the two. */
void noe_lanes_law(const noe_system *, const noe_method *, quad step, noe_laws *);
/* drift_laws.c: the laws of a long run: momenta, energy or energy balance, discrete equations. */
void noe_drift_laws_find(const noe_system *, const noe_method *, quad step, const noe_properties *,
                         const noe_symmetries *, noe_laws *);
/* Steps of a long run, and from one of its samples to the next; both grow by NOE_RUN_FACTOR for a
 * second run. */
enum { NOE_RUN_STEPS = 10000, NOE_ROW_STEPS = 10, NOE_RUN_FACTOR = 8 };
/* True if a law of the energy with an index of `from` or more fails. */
bool noe_drift_laws_failed(const noe_laws *, int from);
/* roundoff_law.c: the effect of rounding: steps in double against the same steps in binary128. */
void noe_roundoff_law(const noe_system *, const noe_method *, quad step, noe_laws *);

/* Appends a law with the verdict that value and bound imply; NULL: out of memory. */
noe_law *noe_law_list_add(noe_laws *, const char *name, double value, double bound,
                          const char *what, ...) __attribute__((format(printf, 5, 6)));
/* Appends a law that cannot be measured here, with the reason. */
void noe_law_list_add_unmeasurable(noe_laws *, const char *name, const char *why);
/* True while the time limit is not reached; else appends the name to those of the laws left out. */
bool noe_law_list_due(noe_laws *, const char *name);

/* monitored_way.c, of steps that follow a monitor.  _turn: b, which begins where g stands, goes
 * back on the way of g; does nothing without a monitor.  _missed: how far it stands from
 * the time t0 at which it began, as a part of the times from t0 to t.  _state: steps to the time
 * `end`; x[2n] = (q, p) there; false where a step fails.  _reach: steps of `most` that a run can
 * make: fewer where the monitor lets t reach infinity in a finite fictitious time. */
void   noe_monitored_way_turn(const noe_integrator *g, noe_integrator *b);
double noe_monitored_way_missed(noe_integrator *, quad t0, quad t);
bool   noe_monitored_way_state(noe_integrator *, quad end, quad *x);
int    noe_monitored_way_reach(const noe_system *, const noe_method *, quad step, int most);

/* law_traits.c: whether a method promises a law on a system, must break it, or neither; and the
 * verdict of a law that is not promised. */
typedef enum {
    NOE_LAW_SYMPLECTIC,
    NOE_LAW_REVERSIBLE,
    NOE_LAW_ENERGY,
    NOE_LAW_EQUATIONS
} noe_law_kind;
typedef enum { NOE_PROMISED, NOE_BROKEN_BY_METHOD, NOE_NOT_MEANT } noe_law_trait;
noe_law_trait noe_law_traits_find(noe_law_kind, const noe_system *, const noe_method *);
void          noe_law_traits_judge(noe_law *, noe_law_trait);
/* In which form a step is symplectic, or why it is not, as the end of a sentence. */
const char *noe_law_traits_form(const noe_system *);

/* drift_laws.c: the law of the energy H[rows], or of the residual of the energy balance
 * balance[rows] = H + dissipated - work (the balance law takes it less H0), sampled evenly along a
 * run of `steps` steps.  scale: energy to which both are relative; unit: change of the energy per
 * relative rounding error of 1 in the state; terms [rows]: largest size of the terms of H up to
 * each row, or NULL. */
void noe_drift_laws_energy(const char *name, const double *H, const double *terms, int rows,
                           double scale, double unit, noe_law_trait, int steps, noe_laws *);
void noe_drift_laws_balance(const double *balance, int rows, double scale, double unit, bool exact,
                            int steps, noe_laws *);

/* What a sum that each of N steps rounds may have lost: so many roundings times sqrt(N), since
 * rounding errors are a random walk (Brouwer 1937), whose step is several operations. */
enum { NOE_WALK_ROUNDINGS = 64 };
/* The same bound for momenta in a certificate, and for steps in double compared with steps in
 * binary128 (roundoff_law.c), relative to what a rounding of
 * a state changes; no other value was measured. */
enum { NOE_FLOOR_ROUNDINGS = 50 };

/* How well a method preserves the momentum of a generator. */
typedef enum {
    NOE_BIT_FOR_BIT,  /* exactly: p + h sum b_i 0 = p */
    NOE_TO_THE_FLOOR, /* to the accuracy with which the step's equations are solved */
    NOE_BOUNDED,      /* the error stays bounded: the energy of a symplectic method */
    NOE_APPROXIMATE,  /* to the order of the method */
    NOE_CHANGED,      /* not at all: forces act along the generator */
    NOE_NEARLY        /* as exactly as the model's constants, in double, have the symmetry */
} noe_promise;
extern const char *const noe_symmetry_promise_name[];
noe_promise              noe_symmetry_promise_find(const noe_symmetries *, const noe_symmetry *,
                                                   const noe_method *);

/* Momentum I of a generator at an integrator's state; size: the sum of the moduli of its terms;
 * rounded: of its terms with the momenta scale [n] in place of those of the state. */
quad noe_symmetry_momentum(const noe_symmetries *, const noe_symmetry *, noe_integrator *,
                           const double *scale, quad *size, quad *rounded);

#endif
