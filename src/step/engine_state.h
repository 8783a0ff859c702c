/* Engine state: coefficients of a method, tapes of a system, state of one trajectory (or of eight).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One `work` is everything that an engine instance holds.  Letters are those of doc/theory.md: n
 * coordinates, s modes, r nodes, N = n s unknowns.  A `batch` is one SIMD vector, a `real` one
 * number of every member of a batch of trajectories (number/real.h).  A shape in brackets counts
 * elements of the field's type; [..][B] runs over batches of nodes, [..][S] over batches of modes.
 * Quantities have the units of the model: q, velocity, momentum, energy; where a comment names
 * none, a field is a pure number.  step/solver_state.h has what the solvers hold. */
#ifndef NOE_STEP_ENGINE_STATE_H
#define NOE_STEP_ENGINE_STATE_H

#include "base/arena.h"
#include "base/status.h"
#include "method/quadrature.h"
#include "step/engine_interface.h"
#include "step/explicit_state.h"
#include "step/solver_state.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Vectors [n] of the state that are copied before a step is checked: `q` to `jump_at`, in
     * the order of lay_out_memory() in engine/engine_layout.h. */
    SAVED_ROWS = 15,
    SAVED_NUMBERS = 2 /* numbers copied beside them: `count`, `weight_sum` */
};

/* The tapes of a system, in the order of `tape`, `code` and `run`. */
enum {
    GRADIENT,
    HESSIAN,
    LEGENDRE,
    RATE,
    POWER,
    INERTIAL,
    CLOCK,
    CONSTRAINT,
    MIXED,
    CANONICAL,
    OWN_INERTIAL, /* `inertial` of the Lagrangian before the transformation of a monitor */
    FORCE_ADJOINT,
    MOMENTUM_ADJOINT,
    CONSTRAINT_BY,
    CLOCK_ADJOINT,
    TAPES
};

/* Rows of the energy balance, step/energy_balance.h: two sums of energy, the time since t0 of a
 * monitored system, the compensations of the three; E of a transformed Lagrangian and its
 * compensation; the energy at the start; the density of steps and its compensation. */
enum {
    WORK,
    DISSIPATED,
    ELAPSED,
    REST,
    LEVEL = REST + 3,
    LEVEL_REST,
    START,
    DENSITY,
    DENSITY_REST,
    BALANCE_ROWS
};

/* Row numbers in the frame of the tapes (step/tape_frame.h); `size` is the number of rows. */
typedef struct {
    int constants[TAPES], /* first constant of each tape */
        computed,         /* first intermediate result */
        out,              /* first output */
        constraint_out,   /* first output of the tape CONSTRAINT */
        size;
} frame_plan;

/* One row that is copied after a tape has run. */
typedef struct {
    int32_t to, from; /* offsets from the beginning of the frame, bytes */
} frame_copy;

/* Coefficients of the method: pure numbers, padded to whole batches. */
typedef struct {
    coef *c,      /* nodes c_i, in steps: [B] */
        *l,       /* l_m(c_i): [s][B] */
        *I;       /* I_m(c_i) = integral of l_m from 0 to c_i: [s][B] */
    coef *weight, /* quadrature weights b_i: [B] */
        *l_m,     /* l_m(c_i), the modes of a node together: [r][S] */
        *X_m;     /* X_im = integral of l_m from c_i to 1: [r][S] */
    /* What an entry of D = d(F, P)/d(q, v) at node i adds to J and to the derivative of the
     * kick, without powers of h: [r][K] for each kind of entry P_v, P_q, F_v, F_q.  For the pair
     * of modes (m, k) it is b_i times l_im l_ik, l_im I_ik, -X_im l_ik, -X_im I_ik; after the s
     * s pairs, for mode k of the kick, b_i times 0, 0, l_ik, I_ik. */
    coef *part[NOE_D_KINDS];
    /* Extrapolation of the last step's velocity polynomial into this step: */
    coef *E,          /* its modes, [s][S]; */
        *E_V;         /* its values at the nodes, [s][B] */
    num *gauss_c,     /* Gauss nodes c_g that integrate products of two modes exactly: [s] */
        *gauss_l;     /* b_g l_m(c_g) with their weights: [s][s] */
    num *b,           /* weights b_i, one by one: [r] */
        *w;           /* w_m = integral of l_m over the step: [s] */
    num *at_end;      /* l_m(1) = (-1)^m l_m(0): [s] */
    num *to_end;      /* Lagrange polynomials of the nodes at 1: from nodal values to the end [r] */
    bool node_at_end; /* c_r = 1 */
    int  drift_modes; /* 1 + the last mode m with w_m not 0: modes that the drift of q needs */
    bool simpson;     /* the coefficients are 0 wherever those of Simpson's method are */
    int  parts;       /* compositions: number of parts; 1 otherwise */
    num *gamma,       /* length of each part, in steps: [parts] */
        *gamma_from;  /* beginning of each part, in steps: [parts] */
    num *at,          /* Runge-Kutta: c_i [r] */
        *A;           /* Runge-Kutta: a_il [r][r] */
    num *flow;        /* splittings: lengths of kicks and drifts in turn, in steps: [flows] */
    int  flows;       /* how many */
    num  kick_c[NOE_POWER_NODES], /* Gauss nodes on [0, 1] */
        kick_b[NOE_POWER_NODES];  /* Gauss weights */
    coef *A_V, /* A_ij/b_j, where r = s: positions at the nodes from velocities there [r][B] */
        *Ahat; /* Ahat_ij/b_j, where r = s: momenta at the nodes from forces there [r][B] */
    /* step/nystrom_iteration.h: */
    coef *H,  /* A Ahat [r][B] */
        *E_F, /* forces of the last step extrapolated to the nodes of this one [r][B] */
        *HE;  /* H E_F [r][B] */
} method_coefficients;

/* State of a trajectory: with the history, the statistics and the kept matrix all that a restart
 * needs, one array of `numbers` reals (engine/engine_layout.h). */
typedef struct {
    real  *memory; /* the array */
    size_t numbers;
    real  *t0,     /* time at the start of the run; t = t0 + count h */
        *h,        /* length of a step */
        *count,    /* steps made */
        *q,        /* positions [n] */
        *p,        /* momenta [n] */
        *dq,       /* compensation of the sum q: what its rounding has lost [n] */
        *dp,       /* compensation of the sum p [n] */
        *v;        /* velocities [n]; valid where `v_known` */
    real *balance; /* compensated sums [BALANCE_ROWS], rows WORK .. DENSITY_REST */
    /* Of a monitored system: the step as given, in time; the step in fictitious time; E. */
    real *nominal, *fictitious, *level;
    /* d(q, p)/d(parameters and starts) [2n][columns], d(time of the state)/d(these) [columns] and,
     * with a monitor, d(E) or d(density), and d(log of `fictitious`) [3][columns]. */
    real *sensitivity, *shift;
    /* Not part of the restart. */
    /* v solves L_v(q, v) = p at the present state.  After a restart v is solved for when it is
     * next needed, from a guess by the state alone, as without one: guess_velocities(). */
    bool  v_known;
    real *unsolved;         /* 0, or nan where L_v(q, v) = p could not be solved for v */
    real  length;           /* length of the step, or of the part of a composition at hand */
    num   part_start;       /* beginning of that part, in steps */
    real  gain[3];          /* what the step adds to `balance`: work, dissipation, time */
    real  density[2];       /* density of steps in this step, its compensation */
    bool  given_length;     /* the length of the step is given, by shorten_work() */
    bool  last_given;       /* that of the last step was */
    real *next_sensitivity; /* after the step [2n][columns]; derivative/monitored_sensitivity.h */
    real *by_times;         /* d(q, p after the step)/d(times of its beginning, its end) [2n][2] */
    real *denser, *longer;  /* d(density), d(length) of the step [columns] each */
    real *identity;         /* becomes the derivative of an explicit step [2n][2n] */
    /* Derivatives of a Galerkin step, derivative/galerkin_sensitivity.h: */
    int wide,           /* columns of S, up to a multiple of four, or of 1 where a batch is 1 */
        row_batches;    /* batches in a row of J and the right sides beside it */
    batch *right_sides; /* J and, beside it, the right sides -dR [U][row_batches] */
    /* Rows of `wide` numbers: d kick [n], S [2n], with a monitor MORE_ROWS more; or, on the way
     * back with constraints or a transformed Lagrangian, the rows of transposed_rows(). */
    real *kicks;
    real *forces;  /* constraints: d of forces or velocities at a node [n][wide]; monitors */
    real *adjoint; /* [noe_equations_adjoint_numbers()]: derivative/step_adjoint.h */
    real  last_length, last_t0; /* length of the step just made; t0 when it was */
    /* Copy of the state before a step that is checked: `q` .. `jump_at` [SAVED_ROWS n],
     * `balance` [BALANCE_ROWS], `count`, `weight_sum`, `sensitivity`, `shift`. */
    real *guarded;
    /* q, p, dq, dp, v [5 n] and balance [START] before each part of a step; the row of the
     * present part. */
    real *all_saved_states, *saved_state;
} trajectory_state;

/* Earlier steps, which the predictor continues: step/predictor.h. */
typedef struct {
    /* Weights of the earlier steps, one row for each order: [PREDICTION_ORDERS][HISTORY_STEPS]. */
    num *weights_of_order;
    num  half_step_factor, /* sqrt(3)/2: mean velocities of half steps are a_0 -+ sqrt(3)/2 a_1 */
        to_mode;           /* 1/sqrt(3): a_1 from the difference of those two means */
    bool  half_steps;      /* the predictor continues mean velocities of half steps, not modes */
    bool  keeps_many;      /* the predictor uses many earlier steps, not the last one alone */
    real *all_last,        /* velocity modes of the last step, for each part: [parts][N_row] */
        *last;             /* row of `all_last` for the present part */
    real *all_modes,       /* what is continued, a ring: [parts][HISTORY_STEPS][N_row] */
        *modes;            /* that of the present part: [HISTORY_STEPS][N_row] */
    real *newest_row;      /* row of `modes` that holds the last step */
    real *length;          /* how many earlier steps `modes` holds */
    real *u;               /* mean velocities of the halves of the last two steps [2][N_row] */
    real *last_forces;     /* forces at the nodes of the last step [n][B] */
    real *order;           /* which of the predictor's orders is used */
    real *fraction;        /* predicted modes of each part of a fractional step [parts][N_row] */
    bool  given;           /* `last` has the predicted modes of this step: shorten_work() */
    /* Scratch: */
    real *differences,        /* this step's row of `modes` [N_row] */
        *guess;               /* that row as an order under trial would have predicted it [N_row] */
    real *prediction_weights; /* weights of the earlier steps in this prediction [HISTORY_STEPS] */
    real *weights_order;      /* the order that these weights are for, each member's own */
    int   weights_steps;      /* number of earlier steps that they need */
} step_history;

/* Statistics since the start. */
typedef struct {
    real *iterations, /* iterations of all solvers */
        *refreshes,   /* Newton matrices */
        *subdivided,  /* steps that the continuation could not make in one stride */
        *residual,    /* largest residual left over, relative to the momenta */
        *growth,      /* splittings: largest damping exponent |c s h| of a kick backward in time */
        *contracted,  /* NOE_SOLVER_CONTRACTED */
        *rounds,      /* NOE_SOLVER_ROUNDS */
        *contraction, /* NOE_SOLVER_CONTRACTION */
        *single;      /* NOE_SOLVER_SINGLE */
    /* Velocities at the ends of steps, step/velocity_jump.h.  Of a transformed Lagrangian `origin`,
     * `sum` and `square` are of velocities in time, the others of those in fictitious time. */
    real *last_end_velocity; /* velocity at the end of the last step [n] */
    real *velocity_max,      /* largest velocity since the start [n] */
        *velocity_min;       /* least velocity since the start [n] */
    real *half,              /* velocity_max - velocity_min when it had last doubled [n] */
        *doubled_at;         /* steps made by then [n] */
    real *origin,            /* velocity at the start [n] */
        *sum,                /* sum of v - origin over the ends of steps [n] */
        *square;             /* sum of (v - origin)^2 over the ends of steps [n] */
    real *weight_sum; /* sum of the weights of steps in these two: 1, with a monitor the time */
    real *jump,       /* largest jump of the velocity between two steps [n] */
        *jump_at;     /* steps made with the one that begins by that jump [n] */
} run_statistics;

/* Scratch of a step. */
typedef struct {
    real *a,       /* velocity modes a_m, the unknowns [n][s] */
        *d,        /* correction of the modes [n][s], and 2n numbers more */
        *e,        /* residual R_m [n][s], in momentum */
        *scale,    /* size of the terms of R, in momentum [n] */
        *at_start, /* part of `scale` that is known at the prediction [n] */
        *speed,    /* largest |velocity| of each coordinate [n] */
        *room[4];  /* used within one function at a time, which leaves nothing in them [n] each */
    real *kick,    /* h sum_i b_i F_i of the present iteration [n] */
        *total;    /* [2][n]: the same at each member's last iteration; what d adds to it */
    /* Velocities at the beginning and at the end of this step's velocity polynomial [2][n]. */
    real *end_velocities;
    /* Squared kinetic norms (kinetic_norms() of step/newton_iteration.h), in energy: */
    real *norm,         /* of the correction [blocks] */
        *norm_before,   /* of the correction before [blocks] */
        *velocity_norm; /* of the velocities [blocks] */
    /* Used within one function at a time: a velocity or a range of each coordinate [n], or squared
     * norms of the last sweep over the constraints [blocks]. */
    real *most;
    /* Modes of the last two, shorter steps on the branch [n][s]: step/continuation.h. */
    real *branch_modes, *branch_modes_before;
    /* In lanes, of the last iteration of each member: momenta at the nodes [n][B], `scale` [n]. */
    batch *last_momenta;
    real  *last_scale;
} step_scratch;

/* Evaluation of the tapes. */
typedef struct {
    batch *t,                   /* times of the nodes [B] */
        *Q,                     /* positions at the nodes [n][B] */
        *V,                     /* velocities at the nodes [n][B] */
        *Y,                     /* weights y at the nodes, in place of momenta [n][B] */
        *out;                   /* outputs of the tape at the nodes [outputs][B] */
    batch *scaled[NOE_D_KINDS], /* `part` times 1, h, h, h^2 [r][K] */
        *block;                 /* one block of J of two coordinates [K] */
    real      *scaled_h;        /* the h that `scaled` is for */
    quad      *wide;            /* scratch: the tape LEGENDRE or CLOCK in binary128; for E */
    batch     *frame;           /* rows of all tapes [plan.size][B]: step/tape_frame.h */
    frame_plan plan;            /* what is where in `frame` */
    int       *map;             /* scratch of relocate(): slot of a tape to offset */
    noe_ins   *code[TAPES];     /* instructions of each tape, by offsets in bytes */
    /* The tapes of `dyn`; where they become machine code, copies in an order for registers that
     * this struct owns.  NULL: the system has no such tape. */
    noe_tape           *tape[TAPES];
    noe_compiled_tapes *machine;       /* their machine code, or NULL */
    noe_machine_code   *run[TAPES];    /* entry point of each tape; NULL: it is interpreted */
    frame_copy         *copy[TAPES];   /* outputs that are not computed in their place */
    int                 copies[TAPES]; /* how many */
    /* For systems that are functions in C, one node at a time: */
    double *param,         /* parameters [dyn->params] */
        *z,                /* (q, v) [2n] */
        *grad,             /* gradient of L [2n] */
        *hess,             /* Hessian of L [2n][2n] */
        *dfdz,             /* derivative of the force [n][2n] */
        *tie_room,         /* scratch of the constraints: noe_constraint_functions_room() */
        *function_outputs; /* their outputs */
} tape_evaluation;

/* All of an engine instance. */
typedef struct {
    noe_arena          *arena; /* owns all memory of this struct */
    const noe_dynamics *dyn;   /* the system; borrowed */
    int                 n,     /* coordinates */
        s,                     /* modes */
        r,                     /* nodes */
        N;                     /* unknowns, n s */
    int B,                     /* batches that hold r nodes */
        S,                     /* batches that hold s modes */
        K,                     /* batches that hold s s pairs of modes and s modes more */
        rows, N_row;           /* batches that hold N numbers; numbers that they hold */
    noe_method_kind kind;
    bool            in_v;       /* Runge-Kutta: the stages are in (q, v), not in (q, p) */
    int             blocks,     /* sets of coordinates that L, forces or constraints couple */
        *block_of;              /* the set of each coordinate [n] */
    bool               *driven; /* do t, forces or moving constraints act on the set? [blocks] */
    noe_status         *why;    /* why the last step or start failed [MEMBERS] */
    method_coefficients method;
    trajectory_state    state;
    step_history        history;
    run_statistics      stats;
    newton_solver       newton;
    nodal_solver        nodal;
    step_scratch        scratch;
    stage_scratch       stages;
    splitting_scratch   split;
    mass_parts          mass_parts;
    constraint_solver   constraint;
    tape_evaluation     eval;
} work;

INLINE noe_tape *tape_of(const noe_dynamics *d, int which)
{
    noe_tape *const all[TAPES] = {
        [GRADIENT] = d->gradient,
        [HESSIAN] = d->hessian,
        [LEGENDRE] = d->legendre,
        [RATE] = d->rate,
        [POWER] = d->power,
        [INERTIAL] = d->inertial,
        [CLOCK] = d->clock,
        [CONSTRAINT] = d->constraint,
        [MIXED] = d->mixed,
        [CANONICAL] = d->canonical,
        [OWN_INERTIAL] = d->canonical ? d->own->inertial : NULL,
        [FORCE_ADJOINT] = d->force_adjoint,
        [MOMENTUM_ADJOINT] = d->momentum_adjoint,
        [CONSTRAINT_BY] = d->constraint_by,
        [CLOCK_ADJOINT] = d->clock_adjoint,
    };
    return all[which];
}

/* Are the forces at the nodes kept for the next prediction? */
INLINE bool keeps_forces(const work *w) { return w->nodal.uses_nystrom || w->nodal.uses_canonical; }

/* The column of the first right side beside the matrix of so many equations. */
INLINE int right_column(int unknowns) { return WIDE > 1 ? (unknowns + 3) / 4 * 4 : unknowns; }
INLINE int right_from(const work *w)
{
    return right_column(w->N + w->s * w->dyn->constraints + (w->dyn->clocked ? 2 * w->r : 0));
}

/* Row of the history from `ago` steps before the newest.  ago = -1 is the row that the present
 * step will be stored in. */
INLINE real *modes_of(const work *w, int row_size, int newest_row, int ago)
{
    return w->history.modes + (size_t)((newest_row - ago) & (HISTORY_STEPS - 1)) * (size_t)row_size;
}
INLINE int newest_row(const work *w) { return (int)r_member(*w->history.newest_row, 0); }

/* Element i (a node or a mode) of row j of an array of batches with nb batches a row. */
INLINE real *element(batch *array, int nb, int j, int i)
{
    return (real *)(array + (size_t)j * nb) + i;
}

#endif
