/* The interface of an engine: one step of a system by a method, (q, p)(t) -> (q, p)(t + h).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_ENGINE_H
#define NOE_STEP_ENGINE_H

#include "model/model.h"
#include "tape/tape.h"
#include "method/method.h"
#include "noether.h"

/* The second derivatives: P_v = L_vv, P_q = L_vq, F_v and F_q. */
typedef enum { NOE_D_PV, NOE_D_PQ, NOE_D_FV, NOE_D_FQ, NOE_D_KINDS } noe_d_kind;

/* One entry, not identically 0, of D = d(F, P)/d(q, v); F = L_q (+ forces), P = L_v. */
typedef struct {
    noe_d_kind kind;
    int        row, col; /* coordinates */
    int        output;   /* index of the entry among the outputs of the tape */
} noe_entry;

/* A system ready for evaluation: tapes, or functions in C, or sums, or matrices.  Outputs of the
 * tapes, n coordinates:
 *     gradient   F, P
 *     hessian    F, P, then the distinct entries of D
 *     legendre   P, L, then the distinct entries of L_vv
 *     inertial   F, P, then the distinct entries of L_vv
 *     power      force . v - L_t, which is put in, and v . D_v, which the dissipation D takes out;
 *                NULL where nothing changes the energy
 *     rate       L_vt; NULL where it is 0 */
typedef struct {
    const noe_model *model; /* the model that it was derived from; NULL: functions in C */
    int              n,     /* coordinates */
        entries,            /* length of `entry` */
        masses;             /* length of `mass` */
    bool      constant;     /* the second derivatives of L depend on nothing, t included */
    bool      linear;     /* they do not depend on q and v: the equations of a step have one root */
    bool      quadratic;  /* L is quadratic in (q, v) and does not depend on t */
    bool      forced;     /* there are forces: D is not symmetric, a step not symplectic */
    bool      mass_moves; /* L_vv depends on q */
    bool      mass_constant; /* L_vv depends on nothing */
    bool      natural;       /* mass_constant, P = M v + const, and F depends on q and t alone */
    bool      kinks;      /* abs, min, max, if or a table of t, q or v: F or P may bend or jump */
    bool      autonomous; /* L does not depend on t, no forces: energy is conserved */
    noe_tape *gradient, *hessian, *legendre, *power, *rate, *inertial;
    /* Outputs u(q, t) at whose zeros L is singular, then `narrow` outputs that tell where forces
     * are nearly constant, then `times` outputs that tell when forces jump:
     * expr/singular_arguments.h; NULL: there are none. */
    noe_tape       *singular;
    int             narrow, times;
    noe_tape       *kink;  /* outputs u(t, q, v) at whose zeros forces bend or jump; NULL: none */
    noe_entry      *entry; /* entries of D, ordered by (row, col) [entries] */
    int            *at;    /* output of each entry, or -1: [n][n][NOE_D_KINDS] */
    noe_entry      *mass;  /* entries of L_vv; outputs are those of `legendre` [masses] */
    noe_lagrangian *L;     /* functions in C: the Lagrangian; NULL: tapes */
    noe_force      *f;     /* its generalized forces; NULL: none */
    noe_lagrangian_rate  *L_t;       /* its time derivative; NULL: it is 0 or was not given */
    void                 *ctx;       /* the pointer that these functions are called with */
    int                   params;    /* number of their parameters */
    struct noe_sums      *groups;    /* or, instead, sums of like terms: sums/sums.h */
    struct noe_structure *structure; /* or the matrices of a finite-element structure */
} noe_dynamics;

/* What `set` and `get` of an engine write and read.  One number, unless [n] is given. */
typedef enum {
    NOE_AT_T0,         /* time at the start of the run */
    NOE_AT_STEP,       /* length h of a step, in time */
    NOE_AT_COUNT,      /* steps since the start */
    NOE_AT_T,          /* time, t0 + count * step */
    NOE_AT_Q,          /* positions [n] */
    NOE_AT_P,          /* momenta [n] */
    NOE_AT_V,          /* velocities [n]; reading them solves L_v(q, v) = p first */
    NOE_AT_ENERGY,     /* v . L_v - L at the present state */
    NOE_AT_WORK,       /* integral of f . v - L_t dt since the start, an energy */
    NOE_AT_DISSIPATED, /* integral of v . D_v dt since the start, an energy */
    NOE_AT_BALANCE,    /* energy + dissipated - work - energy at the start */
    NOE_AT_SIMPSON,    /* the quadratic form that Simpson's step of a linear system preserves */
    NOE_AT_PARAM,      /* parameters of functions in C */
    NOE_AT_THREADS,    /* number of threads, of sums and structures */
    NOE_AT_WINDOW,     /* finite-element structures: which window of stability */
    NOE_AT_FACTORISE,  /* finite-element structures: 1 to solve by factorization, else 0 */
    NOE_AT_BITS,       /* finite-element structures: precision of the factors, noe_factor_bits */
    NOE_AT_BLAS,       /* finite-element structures: has the BLAS had a part in the factors? */
    NOE_AT_ITERATIONS, /* iterations since the start */
    NOE_AT_REFRESHES,  /* Newton matrices since the start */
    NOE_AT_SUBDIVIDED, /* steps that the continuation could not make in one stride */
    NOE_AT_DIGITS,     /* decimal digits, of an engine in any number of them */
    /* 0: by the degree; 1: fixed point, 2: chord Newton, 3: Newton; what fails is left to the
     * next */
    NOE_AT_SOLVER,
    NOE_AT_CONTRACTED,  /* steps since the start that the fixed-point iteration solved */
    NOE_AT_ROUNDS,      /* iterations of the fixed point since the start */
    NOE_AT_CONTRACTION, /* the part of the residual that two of them left, at the last step */
    NOE_AT_SINGLE,      /* steps since the start that Newton's method solved by one evaluation */
    NOE_AT_CONTRACTS,   /* is there a fixed-point iteration?  2: with slopes of the forces */
    NOE_AT_KEEPS,       /* may a Newton matrix be used in several steps? */
    NOE_AT_MACHINE,     /* machine code of the tapes, in bytes; 0: they are interpreted */
    NOE_AT_GROWTH,      /* splittings: largest |c s h| of a kick backward in time since the start */
    /* Largest jump of a velocity between two steps, relative to the range of that velocity,
     * since the start (step/velocity_jump.h); the coordinate; the steps made before it. */
    NOE_AT_JUMP,
    NOE_AT_JUMP_PLACE,
    NOE_AT_JUMP_COUNT,
    NOE_AT_LOCAL_ERROR,  /* of an integrator, from the jump: integrate/local_error.c */
    NOE_AT_SPREAD,       /* standard deviation of each velocity since the start [n] */
    NOE_AT_DOUBLED,      /* steps made when the range of each velocity had last doubled [n] */
    NOE_AT_ENERGY_ERROR, /* of an integrator: integrate/energy_error.c */
    NOE_AT_RESIDUAL      /* largest |R| left over, relative to the momenta, since the start */
} noe_engine_value;

typedef struct noe_wide noe_wide; /* a number of any length: arb/ */

/* An engine: functions of a state that `make` returns.  A member is one of the trajectories that
 * are stepped at once. */
typedef struct {
    int members; /* number of trajectories stepped at once */
    /* A blank state for a system and a method, or NULL with a message. */
    void *(*make)(const noe_dynamics *, const noe_method *);
    void (*drop)(void *);
    /* Gives a member the constants of another system; false when the tapes of the two systems
     * differ in more than constants.  NULL: this engine has no constants of members. */
    bool (*adopt)(void *, int member, const noe_dynamics *);
    void (*clone)(void *, int from, int to); /* copies the state of member `from` to member `to` */
    void (*set)(void *, noe_engine_value, int member, const quad *);
    void (*get)(void *, noe_engine_value, int member, quad *);
    /* `start`: starts every member from its Q and, coordinate by coordinate, its V or (where
     * momentum[j]) its P. `step`: makes one step.  Bit i of the result: member i failed, its
     * state is unchanged. */
    unsigned (*start)(void *, const bool *momentum);
    unsigned (*step)(void *);
    /* M[2n][2n] = d(q, p)/d(q, p before) of the step that this member has just made.  False when
     * it is not finite: the member is then where it was before that step. */
    bool (*derivative)(void *, int member, quad *M);
    noe_status (*why)(void *, int member);  /* reason of the last failure */
    void *(*memory)(void *, size_t *bytes); /* all that a restart needs, as plain numbers */
    /* `position`: t and Q [n] of a member in double; NULL: use `get`.  `remember` saves the
     * state, `take_back` restores it; NULL: use `memory`. */
    void (*position)(void *, int member, double *t, double *q);
    void (*remember)(void *);
    void (*take_back)(void *);
    /* Makes `steps` steps of which only the last is looked at; NULL: call `step`. */
    unsigned (*run)(void *, double steps);
    /* One line about how the engine steps, for the summary; NULL: by iteration. */
    void (*tell)(void *, char *text, size_t size);
    /* Engines of more digits than quad has; NULL in the others.  `wide`: number i of what `get`
     * reads, in all digits; what < 0: observable i.  `begin`: starts from the start values of
     * the model.  `stride`: the step as an expression of parameters. */
    void (*wide)(void *, int what, int i, noe_wide *);
    unsigned (*begin)(void *);
    bool (*stride)(void *, const char *expression);
    /* Engines of many coordinates; NULL in the others.  `one`: Q, V or P of one coordinate.
     * `observe`: all observables; false without memory. */
    double (*one)(void *, noe_engine_value, int place);
    bool (*observe)(void *, quad *seen);
    /* Fractional steps, integrate/fractional_step.h.  `shorten`: the next step of each member is
     * one of length tau that ends at time t [members]; `ahead`: NULL, or a state of the same
     * motion one step of the present length further, from which the step can be predicted; NULL:
     * use `set`.  `place`: puts the state at t, q [n], p [n] between two steps, to be read and
     * then overwritten by way of `memory`; not NULL where another length of the step costs a
     * factorization. */
    void (*shorten)(void *, const quad *t, const quad *tau, const void *ahead);
    void (*place)(void *, quad t, const double *q, const double *p);
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

/* The best builds for this machine, chosen once. */
int noe_engine_instruction_set(void); /* 0 SSE2, or that of another machine; 1 AVX2, 2 AVX-512 */
const noe_engine *noe_engine_double(void);
const noe_engine *noe_engine_lanes(void);
const noe_engine *noe_engine_quad(void);

#endif
