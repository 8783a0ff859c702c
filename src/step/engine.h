/* (q, p)(t) -> (q, p)(t + h): what an instance of the core offers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_ENGINE_H
#define NOE_STEP_ENGINE_H

#include "model/model.h"
#include "tape/tape.h"
#include "method/method.h"
#include "noether.h"

typedef enum { NOE_D_PV, NOE_D_PQ, NOE_D_FV, NOE_D_FQ, NOE_D_KINDS } noe_d_kind;

typedef struct { /* one non-zero of D = d(F, P)/d(q, v): F = L_q (+ forces), P = L_v */
    noe_d_kind kind;
    int        row, col; /* dofs */
    int        output;   /* which output of the tape it is */
} noe_entry;

/* What moves, ready for evaluation.  Outputs of the tapes: gradient: F, P; hessian: F, P, then the
 * distinct entries of D; legendre: P, L, then the distinct entries of L_vv; power, where something changes the
 * energy: force . v - L_t that puts in, v . D_v that the dissipation D takes out; rate: L_vt, NULL where it is 0.
 * Or, instead of tapes, functions in C. */
typedef struct {
    const noe_model *model; /* that it was derived from; NULL: functions in C */
    int              n, entries, masses;
    bool             constant; /* d2L does not depend on t either */
    bool             linear; /* d2L does not depend on q and v: a step's equations have one root */
    bool             quadratic;  /* L is quadratic in (q, v) and free of t */
    bool             forced;     /* there are forces: D is not symmetric, a step not symplectic */
    bool             mass_moves; /* L_vv depends on q */
    bool             mass_constant; /* L_vv depends on nothing */
    bool             natural;       /* and P = M v + const, F depends on q and t alone */
    bool             kinks; /* abs, min, max, if or table of t, q or v: F or P may bend or jump */
    bool      autonomous; /* L does not depend on t, and there are no forces: energy is conserved */
    noe_tape *gradient, *hessian, *legendre, *power, *rate, *inertial;
    noe_tape *
        singular; /* u(q, t) that make L singular where they vanish: expr/singular_arguments.h; NULL: there are none */
    int narrow,
        times; /* how many of its next outputs tell where forces are nearly constant, and of its last ones when they
                                    jump: expr/singular_arguments.h */
    noe_tape *kink; /* u(t, q, v) at whose zeros forces have kinks or jumps; NULL: there are none */
    noe_entry            *entry; /* ordered by (row, col) */
    int                  *at;    /* the output of each, or -1: [n][n][NOE_D_KINDS] */
    noe_entry            *mass;  /* those of L_vv */
    noe_lagrangian       *L;
    noe_force            *f;
    noe_lagrangian_rate  *L_t; /* NULL: L is free of t, or nobody knows */
    void                 *ctx;
    int                   params;    /* of the functions in C */
    struct noe_sums      *groups;    /* or, instead, sums that are not written out: sums/sums.h */
    struct noe_structure *structure; /* or, instead of both, matrices: matrix/structure.h */
} noe_dynamics;

typedef enum {
    NOE_AT_T0,
    NOE_AT_STEP,
    NOE_AT_COUNT,
    NOE_AT_T, /* one number: t = t0 + count * step */
    NOE_AT_Q,
    NOE_AT_P,
    NOE_AT_V,      /* n numbers; reading V solves L_v(q, v) = p first */
    NOE_AT_ENERGY, /* v . L_v - L there */
    NOE_AT_WORK,
    NOE_AT_DISSIPATED, /* since the start: int f.v - L_t dt, int v.D_v dt */
    NOE_AT_BALANCE,    /* energy + dissipated - work - energy at the start */
    NOE_AT_SIMPSON,    /* the quadratic form that Simpson's step of a linear system keeps */
    NOE_AT_PARAM,      /* of functions in C */
    NOE_AT_THREADS,
    NOE_AT_WINDOW,
    NOE_AT_FACTORISE, /* of structures: how many; which window of stability; 0 or 1 */
    NOE_AT_BITS,
    NOE_AT_BLAS, /* of structures: noe_factor_bits; has the BLAS had a part in them? */
    NOE_AT_ITERATIONS,
    NOE_AT_REFRESHES,
    NOE_AT_SUBDIVIDED, /* counts since the start: iterations, Hessians, steps */
    NOE_AT_DIGITS,     /* of an instance of any number of them */
    NOE_AT_SOLVER, /* 0: by the degree; 1: fixed point, 2: chord Newton, 3: Newton; what fails is left to the next */
    NOE_AT_CONTRACTED, /* count of steps that the fixed point solved, since the start */
    NOE_AT_ROUNDS,
    NOE_AT_CONTRACTION, /* its iterations since the start; what two of them left of the residual, last */
    NOE_AT_SINGLE,      /* count of steps that Newton solved by one evaluation, since the start */
    NOE_AT_CONTRACTS,
    NOE_AT_KEEPS, /* is there a fixed point (2: with slopes); may a matrix be kept from step to step? */
    NOE_AT_MACHINE, /* bytes of machine code of the tapes; 0: they are interpreted */
    NOE_AT_GROWTH,  /* splittings: largest |c s h| of a kick back in time since the start */
    NOE_AT_JUMP,
    NOE_AT_JUMP_PLACE,
    NOE_AT_JUMP_COUNT,  /* largest jump of a velocity between two steps over what that velocity has
                        varied, since the start: step/velocity_jump.h; of which coordinate; after how many steps */
    NOE_AT_LOCAL_ERROR, /* of an integrator, from the jump: integrate/local_error.c */
    NOE_AT_SPREAD,
    NOE_AT_DOUBLED, /* of each velocity its standard deviation since the start; after how many steps its range had
                        last doubled */
    NOE_AT_ENERGY_ERROR, /* of an integrator: integrate/energy_error.c */
    NOE_AT_RESIDUAL      /* largest |R| left over, relative to the momenta, since the start */
} noe_at;

typedef struct noe_wide noe_wide; /* a number of any length: arb/ */

typedef struct {
    int members; /* trajectories stepped at once */
    /* A blank state for a system and a method, or NULL with a message. */
    void *(*make)(const noe_dynamics *, const noe_method *);
    void (*drop)(void *);
    /* This member's constants become those of that system; false when its tapes are not the same but for them.
     * NULL: it has none. */
    bool (*adopt)(void *, int member, const noe_dynamics *);
    void (*clone)(void *, int from, int to); /* to becomes what from is */
    void (*set)(void *, noe_at, int member, const quad *);
    void (*get)(void *, noe_at, int member, quad *);
    /* Starts every member from its Q and, coordinate by coordinate, its V or (where momentum[j]) its P;
     * then step once.  Bit i of the result: member i failed, its state is unchanged. */
    unsigned (*start)(void *, const bool *momentum);
    unsigned (*step)(void *);
    /* M[2n][2n] = d(q, p)/d(q, p before) of the step that this member has just made.  False when it is not
     * finite: the member is then where it was before that step. */
    bool (*derivative)(void *, int member, quad *M);
    noe_status (*why)(void *, int member);  /* of the last failure */
    void *(*memory)(void *, size_t *bytes); /* all that a restart needs, as plain numbers */
    /* t and Q [n] of a member in double; remember the state, and go back to it.  NULL: by get, and by memory. */
    void (*position)(void *, int member, double *t, double *q);
    void (*remember)(void *);
    void (*take_back)(void *);
    unsigned (*run)(
        void *,
        double steps); /* so many steps, of which only the last is looked at; NULL: step by step */
    void (*tell)(void *, char *text,
                 size_t size); /* how it steps, for the summary; NULL: by iteration */
    /* Of an instance of more digits than quad has; NULL in the others: number i of what get reads (of what < 0:
     * observable i), all digits; starts from the model's own start; the step as an expression of parameters. */
    void (*wide)(void *, int what, int i, noe_wide *);
    unsigned (*begin)(void *);
    bool (*stride)(void *, const char *expression);
    /* Of many coordinates; NULL in the others: Q, V or P of one place, and all observables; false without memory. */
    double (*one)(void *, noe_at, int place);
    bool (*observe)(void *, quad *seen);
} noe_engine;

/* What is compiled once per instruction set, and the widest of its builds that this machine runs. */
#if defined __x86_64__
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
