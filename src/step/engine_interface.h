/* The interface of an engine: one step of a system by a method, (q, p)(t) -> (q, p)(t + h).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * noe_engine has what every engine can do.  What only some can do stands in tables of its own, NULL
 * in the other engines. */
#ifndef NOE_STEP_ENGINE_INTERFACE_H
#define NOE_STEP_ENGINE_INTERFACE_H

#include "method/method.h"
#include "tape/equations.h"

/* What `set` and `get` of an engine write and read.  One number, unless [n] is given. */
typedef enum {
    NOE_AT_T0,    /* time at the start of the run */
    NOE_AT_STEP,  /* length h of a step, in time */
    NOE_AT_COUNT, /* steps since the start */
    NOE_AT_T,     /* time, t0 + count * step; can be set for a monitored system only */
    NOE_AT_PACE,  /* of a monitored system: the time that a step takes from the present state on */
    NOE_AT_LEVEL, /* of a transformed Lagrangian: the energy E */
    NOE_AT_FICTITIOUS, /* of a monitored system: the step eps in fictitious time */
    NOE_AT_DENSITY,    /* of a reversible monitor: the density rho of steps */
    NOE_AT_Q,          /* positions [n] */
    NOE_AT_P,          /* momenta [n] */
    NOE_AT_V,          /* velocities [n]; reading them solves L_v(q, v) = p first */
    NOE_AT_ENERGY,     /* v . L_v - L at the present state */
    NOE_AT_WORK,       /* integral of f . v - L_t dt since the start, an energy */
    NOE_AT_DISSIPATED, /* integral of v . D_v dt since the start, an energy */
    NOE_AT_BALANCE,    /* energy + dissipated - work - energy at the start */
    NOE_AT_PARAM,      /* parameters of functions in C */
    NOE_AT_LEFT_OUT,   /* [constraints] 1: it follows from the others and is left out; else 0 */
    NOE_AT_DEPENDENCE, /* largest 1/sine^2 between gradients of constraints, after a step */
    /* d(q, p)/d(parameters and starts) [2n][columns]; set: of a state at fixed time. */
    NOE_AT_SENSITIVITY,
    /* d(time of the state)/d(parameters and starts) [columns]: of an event; with a
     * monitor then d(E) or d(density), and d(log of the step in fictitious time) [3][columns] */
    NOE_AT_SHIFT,
    /* dJ/d(q, p) [2n], dJ/d(parameters) [params] and, with a monitor, dJ/d(time of the state),
     * dJ/d(E) or dJ/d(density), and dJ/d(log of the step in fictitious time): noe_engine_adjoint */
    NOE_AT_ADJOINT,
    NOE_AT_RATES /* of a monitored system: (q', p') in time, of the motion that is stepped [2n] */
} noe_engine_value;

/* Engines that step several trajectories at once, the members of a batch. */
typedef struct {
    /* Gives a member the constants of another system; false when the tapes of the two systems
     * differ in more than constants. */
    bool (*adopt)(void *, int member, const noe_dynamics *);
    void (*clone)(void *, int from, int to); /* copies the state of member `from` to member `to` */
    /* Numbers [2 + 4 n] from which energy and velocities of the present state, of one member,
     * follow; false where they follow from more.  The first are the time, the time at which L is
     * evaluated, q [n] and p [n]. */
    bool (*describe)(void *, double *x);
    /* Energy and velocities [members][1 + n] of so many states [members][2 + 4 n], whose places in
     * the batch are overwritten; nan where L_v(q, v) = p could not be solved. */
    void (*energies)(void *, const double *x, double *to);
} noe_engine_batch;

/* How the equations of the steps were solved.  Counts are since the start. */
typedef enum {
    /* 0: by the degree, for sums by cost; 1: the fixed point, and for the steps that it does not
     * solve, but not for sums, 2; 2: Newton's method with kept matrices; 3: with new ones */
    NOE_SOLVER_CHOICE,
    NOE_SOLVER_ITERATIONS, /* iterations of all solvers */
    NOE_SOLVER_REFRESHES,  /* Newton matrices */
    NOE_SOLVER_SUBDIVIDED, /* steps that the continuation could not make in one stride */
    NOE_SOLVER_RESIDUAL,   /* largest |R| left over, relative to the momenta */
    NOE_SOLVER_CONTRACTED, /* steps that the fixed-point iteration solved */
    NOE_SOLVER_ROUNDS,     /* iterations of the fixed point */
    /* Factor by which the first correction of the fixed point in the last step, or the first two
     * together, multiplied the residual. */
    NOE_SOLVER_CONTRACTION,
    NOE_SOLVER_SINGLE,    /* steps that Newton's method solved by one evaluation */
    NOE_SOLVER_CONTRACTS, /* is there a fixed-point iteration?  2: with derivatives of the forces */
    NOE_SOLVER_KEEPS,     /* may a Newton matrix be used in several steps? */
    NOE_SOLVER_MACHINE,   /* machine code of the tapes, in bytes; 0: they are interpreted */
    NOE_SOLVER_GROWTH     /* splittings: largest |c s h| of a kick backward in time */
} noe_solver_at;

/* Engines that solve equations by iteration. */
typedef struct {
    quad (*get)(void *, noe_solver_at, int member); /* 0: this engine does not count it */
    /* Sets NOE_SOLVER_CHOICE; NULL: there is no choice. */
    void (*choose)(void *, int member, quad choice);
} noe_engine_solver;

/* The largest jump of a velocity between two steps since the start (step/velocity_jump.h). */
typedef struct {
    quad size;  /* relative to the range of that velocity */
    int  place; /* the coordinate */
    quad count; /* steps made with the one that begins by it; 0: no jump */
} noe_velocity_jump;

/* Engines whose steps are checked while they run: integrate/singularity_guard.c, local_error.c,
 * energy_error.c. */
typedef struct {
    void (*save)(void *);    /* copies the state before a step within the engine */
    void (*restore)(void *); /* makes that copy the state, without the history of the predictor */
    /* A snapshot, all that the steps to come depend on as plain numbers: fewer than `memory` has
     * while no Newton matrix is used again.  How many bytes, at present or at most; copies them;
     * makes them the state. */
    size_t (*snapshot_bytes)(const void *, bool most);
    void (*take_snapshot)(const void *, void *to);
    void (*restore_snapshot)(void *, const void *);
    noe_velocity_jump (*jump)(void *, int member);
    /* [n] each: the largest jump of each velocity since the start, 0 where it is rounding or no
     * energy can be wrong by it; steps made with the one that begins by it. */
    void (*jumps)(void *, int member, double *jump, double *count);
    /* [n] each: standard deviation of each velocity since the start; steps made when its range had
     * last doubled (NULL: not wanted). */
    void (*spread)(void *, int member, quad *deviation, quad *doubled);
} noe_engine_guard;

/* Engines that make fractional steps, between/fractional_step.h, in another way than by `set`. */
typedef struct {
    /* The next step of each member is one of length tau that ends at time t [members]; `ahead`:
     * NULL, or a state of the same motion one step of the present length further, from which the
     * step can be predicted.  NULL: use `set`. */
    void (*shorten)(void *, const quad *t, const quad *tau, const void *ahead);
    /* After that step: step length h again, the state as it is.  NULL: use `set`. */
    void (*lengthen)(void *, quad h);
    /* Puts the state at t, q [n], p [n] between two steps, to be read and then overwritten by way
     * of `memory`; with a message on failure, and the state as it was.  Not NULL where another
     * length of the step may cost a factorization. */
    noe_status (*place)(void *, quad t, const double *q, const double *p);
    /* Does another length of the step cost a factorization?  False also where that of the present
     * length fails.  Not NULL where there is `place`. */
    bool (*factorises)(void *);
} noe_engine_fraction;

/* Engines whose motion events may change, event/event_step.h. */
typedef struct {
    /* New momenta at the present state, and velocities near those that belong to them, p [2][n];
     * NULL: the old ones.  Forgets the history, since the motion or the length of the steps
     * changes.  booked: the change of the energy is work. */
    void (*impulse)(void *, int member, const quad *p, bool booked);
    /* Positions, as the difference from the beginning of the last step, and velocities [n] at its
     * fraction c, by the velocity polynomial; false: there is none. */
    bool (*curve)(void *, double c, double *dq, double *v);
    /* Derivatives of the step just made, x [2][2n]: by the time at which it began, with its end
     * held, and by that at which it ended, with its beginning held; false: not finite. */
    bool (*by_times)(void *, quad *x);
} noe_engine_events;

/* Options of the engines of M q'' + C q' + K q = f.  One whole number. */
typedef enum {
    NOE_LINEAR_WINDOW,      /* which window of stability */
    NOE_LINEAR_FACTORISE,   /* 1 to solve by factorization, else 0 */
    NOE_LINEAR_FACTOR_BITS, /* may bits depend on the processor?  noe_factor_bits */
    NOE_LINEAR_BLAS         /* has the BLAS had a part in the factors?  It can only be read. */
} noe_linear_at;

/* Engines of linear systems that are given by matrices. */
typedef struct {
    void (*set)(void *, noe_linear_at, int value); /* an option, before the start */
    int (*get)(void *, noe_linear_at);             /* its value */
    /* The quadratic form that Simpson's step preserves; NAN: by another method. */
    quad (*simpson)(void *);
    /* The velocities to the rounding of their terms, for guards; NULL: by `in_double`. */
    void (*velocities)(const void *, double *v);
} noe_engine_linear;

/* Takes q, v and p of `count` coordinates from number `first` on. */
typedef void noe_engine_piece(void *ctx, int first, int count, const double *q, const double *v,
                              const double *p);

/* Engines of many coordinates. */
typedef struct {
    double (*one)(void *, noe_engine_value, int place); /* Q, V or P of one coordinate */
    /* Hands out the state piece by piece, from every thread at once; v is NAN where L_v = p could
     * not be solved.  NULL: read it by `in_double`. */
    void (*pieces)(void *, noe_engine_piece *, void *ctx);
    /* Where `pieces` hands out to each of several processes its own coordinates: the numbers first
     * .. end - 1 of range k of these; false: there is no such range.  NULL: it hands out all. */
    bool (*range)(void *, int k, int *first, int *end);
    /* x[k] becomes the largest in any process that has a `range` of its own. */
    void (*largest)(void *, int count, double *x);
    void (*set_threads)(void *, int threads); /* 0: one for every processor */
    int (*threads)(void *);                   /* as set */
    double (*kinetic)(void *);                /* kinetic energy; NULL: by its tape */
    /* All observables; false without memory.  NULL: by their tape. */
    bool (*observe)(void *, quad *seen);
    /* Copies what this process has of the state to `to`, of the size of `memory`, or back from
     * there.  NULL: copy `memory`. */
    void (*copy)(void *, void *to, bool back);
    /* Where other processes have parts of the state: all of it, for a file, valid until the next
     * step; puts such a state in place, false: it is of another size.  NULL: `memory` is all. */
    const void *(*whole)(void *, size_t *bytes);
    bool (*place_whole)(void *, const void *, size_t bytes);
} noe_engine_large;

/* Engines whose steps take a gradient back, derivative/step_adjoint.h: of systems with tapes of the
 * adjoint.  Of one trajectory. */
typedef struct {
    size_t (*bytes)(const void *);          /* size of a record */
    void (*record)(const void *, void *to); /* what the way back over the step just made needs */
    /* NOE_AT_ADJOINT after the step becomes that before it, to which the state is set; adds to
     * dJ/d(parameters).  A step that ended at a given time ends there for all of them.  False: not
     * finite. */
    bool (*back)(void *, const void *record);
    /* NOE_AT_ADJOINT += x, as many numbers. */
    void (*add)(void *, const double *x);
} noe_engine_adjoint;

typedef struct noe_wide noe_wide; /* a number of any length: arb/ */

/* Engines of more digits than quad has. */
typedef struct {
    void (*set)(void *, int digits); /* decimal digits, before anything else is set */
    /* Number i of what `get` reads, in all digits; what < 0: observable i. */
    void (*get)(void *, int what, int i, noe_wide *);
    /* Sets the length of a step to an expression of parameters. */
    bool (*stride)(void *, const char *expression);
} noe_engine_digits;

/* An engine: functions of a state that `make` returns. */
typedef struct {
    int members; /* number of trajectories stepped at once */
    /* A blank state for a system and a method, or NULL with a message. */
    void *(*make)(const noe_dynamics *, const noe_method *);
    void (*drop)(void *);
    void (*set)(void *, noe_engine_value, int member, const quad *);
    void (*get)(void *, noe_engine_value, int member, quad *);
    /* Time, positions, momenta or velocities, as `get` has them, in double; NULL: by `get`. */
    void (*in_double)(void *, noe_engine_value, int member, double *);
    /* `start`: starts every member from its Q and, coordinate by coordinate, its V or (where
     * momentum[j]) its P. `begin`: starts from the start values of the model; NULL: set them.
     * `step`: makes one step.  Bit i of the result: member i failed, its state is unchanged. */
    unsigned (*start)(void *, const bool *momentum);
    unsigned (*begin)(void *);
    unsigned (*step)(void *);
    /* Makes up to `steps` steps of which only the last is looked at, with the bits of single ones.
     * Not 0: the next one, which may fail, is left to `step`.  NULL: call `step`. */
    unsigned (*run)(void *, double steps);
    noe_status (*why)(void *, int member);  /* reason of the last failure */
    void *(*memory)(void *, size_t *bytes); /* all that a restart needs, as plain numbers */
    /* M[2n][2n] = d(q, p)/d(q, p before) of the step that this member has just made.  False when
     * it is not finite: the member is then where it was before that step.  NULL: not computed. */
    bool (*derivative)(void *, int member, quad *M);
    /* One line about how the engine steps, for the summary; NULL: by iteration. */
    void (*summarize)(void *, char *text, size_t size);
    const noe_engine_batch    *batch;
    const noe_engine_solver   *solver;
    const noe_engine_guard    *guard;
    const noe_engine_fraction *fraction;
    const noe_engine_linear   *linear;
    const noe_engine_large    *large;
    const noe_engine_digits   *digits;
    const noe_engine_events   *events;
    const noe_engine_adjoint  *adjoint;
} noe_engine;

/* Declares the builds of what is compiled once per instruction set; chooses the widest build
 * that this machine runs.  NOE_ONE_BUILD: there is one, for this machine (`make DEVELOP=1`). */
#if defined __x86_64__ && !defined NOE_ONE_BUILD
#define NOE_BUILDS(type, name) extern const type name##_sse2, name##_avx2, name##_avx512
#define NOE_WIDEST(name)                                  \
    (noe_engine_instruction_set() == 2   ? &name##_avx512 \
     : noe_engine_instruction_set() == 1 ? &name##_avx2   \
                                         : &name##_sse2)
#else
#define NOE_BUILDS(type, name) extern const type name##_any
#define NOE_WIDEST(name) (&name##_any)
#endif

/* The best builds for this machine and NOETHER_ISA, looked up at every call. */
int noe_engine_instruction_set(void); /* 0 SSE2, or that of another machine; 1 AVX2, 2 AVX-512 */
const noe_engine *noe_engine_double(void);
const noe_engine *noe_engine_lanes(void);
const noe_engine *noe_engine_quad(void);

#endif
