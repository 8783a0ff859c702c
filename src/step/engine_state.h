/* work = a method's coefficients, a system's tapes, and where one trajectory (or eight) is.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_ENGINE_STATE_H
#define NOE_STEP_ENGINE_STATE_H

#include "base/arena.h"
#include "base/status.h"
#include "step/engine.h"
#include "step/tape_interpreter.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { KICK_NODES = 8 };
enum {
    MARKED = 15, /* vectors [n] of the state: step/engine_setup.h, memory */
    HISTORY_STEPS =
        16, /* velocity polynomials of the steps before, kept for the predictor: a power of 2 */
    PHASES = 16,
    PREDICTION_ORDERS = 8
}; /* of prediction: step/predictor.h */

enum { GRADIENT, HESSIAN, LEGENDRE, RATE, POWER, INERTIAL, TAPES };

typedef struct { /* rows from the beginning of the frame */
    int constants[TAPES], computed, out, size;
} frame_plan;

typedef struct {
    int32_t to, from; /* offsets in bytes */
} frame_copy;

typedef struct {
    noe_arena          *arena;
    const noe_dynamics *dyn;
    int                 n, s, r, N; /* dofs, modes, nodes, unknowns n s */
    noe_method_kind     kind;
    bool                in_v; /* of Runge-Kutta methods: stages in (q, v), not (q, p) */
    int B, S, K; /* batches that hold r nodes, s modes, s s pairs of modes and s more */

    /* Coefficients, batches over nodes (B) or modes (S, W). */
    coef *c, *l, *I;          /* [B], [s][B], [s][B] */
    coef *weight, *l_m, *X_m; /* b_i [B]; l_im and X_im [r][S] */
    coef *part
        [NOE_D_KINDS]; /* [r][K], for D = P_v, P_q, F_v, F_q: b_i times l l, l I, -X l, -X I of the pair
                                (m, k), then 0, 0, l, I of (k): what D adds to J and to the kick */
    num   *
        weights_of_order; /* of each order of prediction: [PREDICTION_ORDERS][HISTORY_STEPS], step/predictor.h */
    num   half_step_factor, to_mode;
    bool  half_steps;    /* two modes are two mean velocities of half steps */
    bool  keeps_history; /* modes are continued from those of many steps, not of the last alone */
    coef *E,
        *E_V; /* the modes, and V at the nodes, of the last polynomial continued: [s][S], [s][B] */
    num  *b, *w;              /* [r], [s] */
    num  *at_begin, *at_end;  /* l_m(0), l_m(1) [s] */
    num  *to_end;             /* the polynomial through the nodes at 1, from its values there [r] */
    bool  node_at_end;        /* c_r = 1 */
    int   drift_modes;        /* modes with a weight in w that is not 0: the last one, and 1 */
    num  *at, *A;             /* of Runge-Kutta methods: c_i [r], a_il [r][r] */
    int   parts;              /* of compositions; 1 otherwise */
    num  *gamma, *gamma_from; /* [parts] lengths, and where each begins, in steps */
    num  *flow;               /* of splittings: [flows] kicks and drifts in turn */
    int   flows;
    bool  kick_by_euler, freezes;
    real *frozen;          /* of luo-guo4-frozen: K_j [n]; else NULL */
    bool  simpson;         /* its coefficients have zeros where Simpson's have */
    bool reuses_last_kick; /* steps begin and end with a kick, by a force that depends on q alone */
    bool drift_first, diagonal, damped; /* M and f_v have diagonals only; there is some f_v */

    /* Memory: what a restart needs, one stretch of `numbers` reals. */
    real  *memory;
    size_t numbers;
    real  *t0, *h, *count, *q, *p, *dq, *dp, *v; /* d.: compensation of the sums */
    real  *all_last, *last; /* [parts][N_row]: the velocity modes of the last step; of this part */
    real  *all_history,
        *history; /* [parts][HISTORY_STEPS][N_row]: what is continued of the steps before, round and round; of this part */
    real *newest_row;       /* the row of the last step */
    real *u;                /* halves of the last step and of the one before [2][N_row] */
    int   rows, N_row;      /* batches that hold N numbers, and how many they hold */
    real *history_length;   /* how many of them there are */
    real *prediction_order; /* of the prediction by them: step/predictor.h */
    real *
        phase; /* 0 .. 15, one more with every step: what is looked at now and then is due for all members at once */
    real *
        curvature; /* a bound of residual / residual^2 before, under a matrix of its own; 0: not known */
    real *last_end_velocity; /* velocity at the end of the last step [n]: step/velocity_jump.h */
    real *velocity_max, *velocity_min; /* largest and least velocity since the start [n] */
    real *half,
        *doubled_at; /* their difference when it had last doubled; counts of steps by then [n] */
    real *origin, *sum,
        *square; /* velocity at the start; sums of v - origin and its square at the ends of steps [n] */
    real *seen; /* how many those are */
    real *jump,
        *jump_at; /* largest jump of the velocity between two steps since the start [n]; counts of steps before it [n] */
    real *balance; /* what forces put into the energy and took out of it: step/energy_balance.h */
    real *LU, *pivot,
        *matrix_reuse;      /* factored Newton matrix; keep: it is good for the next step */
    bool  may_reuse_matrix; /* an old matrix and a gradient more may cost less than a new matrix */
    real *kick_jacobian, *mass_bound,
        *position_rounding; /* [n][n s]: d kick / d a; [n][n]: max |L_vv|; [n]: max |h F_q Q|; of the same age */
    real *iterations, *refreshes, *subdivided, *residual, *growth;
    real *solver, *contracted, *rounds, *contraction, *single; /* NOE_AT_ their names */
    real *
        coupling_steps; /* steps for which corrections of the fixed point go on to what positions change in momenta */
    real *
        newton_steps; /* steps that are left to Newton's method before the fixed point is tried again */

    /* Scratch of a step. */
    real *a, *d, *e, *scale, *J,
        *x; /* modes, update, residual [n s]; sizes [n]; a matrix; one row of it */
    real *new_kick_jacobian, *new_mass_bound, *new_position_rounding, *at_start, *speed;
    real *differences,
        *guess; /* what is continued, of this step, and by an order that is tried [N_row] */
    real *prediction_weights; /* what of each step before is in this one [HISTORY_STEPS], */
    real *weights_order;      /* of the order for which they are */
    int   weights_steps;      /* and how many steps that needs */
    real *
        end_velocities; /* velocities at the beginning and the end of this step's polynomial [2][n] */
    int blocks,
        *block_of; /* sets of coordinates that are coupled, and which of them each is in [n] */
    real *norm, *norm_before, *velocity_norm,
        *most; /* step/kinetic_norm.h: of the correction, the one before, velocities [blocks]; [n] */
    real *kick,
        *total; /* h sum b F [n]: of this iteration; of each member's last one, and what is late in it [2 n] */
    real  length;                             /* of the step, or of its part at hand */
    num   part_start;                         /* where that begins, in steps */
    real *branch_modes, *branch_modes_before; /* modes of two shorter steps: step/continuation.h */
    real   *
        marked; /* the remembered state, that before a step: q .. jump_at [MARKED n], book [BALANCE_ROWS], count */
    real *all_saved_states, *saved_state; /* q, p, dq, dp, v, book before each part; this one */
    quad *product;                        /* two matrices [2n][2n] */
    real  gain[2];                        /* what the step adds to the book */
    real *k_q, *k_p, *stage_q, *stage_p, *stage_dp,
        *stage_v;            /* Runge-Kutta stages [r][n]; one of them [n] */
    real *d_q, *d_p;         /* and their derivatives [r][n][2n]; of the state, for a splitting */
    real *V0, *b0;           /* splittings: 0 [n]; L_v at v = 0 [n], part of the memory */
    real *velocities_before; /* and the velocities before the step [n] */
    real *F0, *G0;           /* of a kick: F at v = 0 [n] and f_v [n][n], or its diagonal */
    real *C, *C_size;        /* f_v M^-1 [n][n] and its norm */
    real *Z, *phi, *power, *saved_aside; /* [n][n], its phi_1, two products; a state [5 n] */
    num   kick_c[KICK_NODES], kick_b[KICK_NODES];
    coef *A_V, *Ahat; /* of the fixed point, r = s, over b_j: [r][B] */
    coef *H, *E_F,
        *HE;  /* of step/nystrom_iteration.h: A Ahat, forces continued, their product: [r][B] */
    batch *X; /* forces at the nodes [n][B], */
    real  *last_forces;  /* those of the last step, part of the memory, */
    real  *rest_momenta; /* and L_v at v = 0 [n] */
    int    slope[9];     /* F_q by row and column: which output of the Hessian's tape; 0: none */
    batch *W, *U,
        *rho; /* factored masses [n n][B] ([n][B] when not coupled), correction, imbalance [n][B] */
    batch     *G; /* L_vq at the nodes [n n][B], where the fixed point can use it; else NULL */
    real      *mass_entry_bound;         /* max |M| over the nodes, of the entries of L_vv */
    bool       corrects_coupling;        /* velocities of few coordinates turn forces: there is G */
    bool       has_fixed_point, coupled; /* the fixed point is there; masses couple coordinates */
    bool       natural;                  /* it is that of step/nystrom_iteration.h */
    bool       mass_known;               /* W and heavy are known and constant */
    batch     *t, *Q, *V, *out;          /* at the nodes: [B], [n][B], [n][B], [outputs][B] */
    batch     *scaled[NOE_D_KINDS], *block; /* part by powers of h, [r][K]; one block of J, [K] */
    real      *scaled_h;                    /* the h of `scaled` */
    batch     *frame;                       /* of the tapes: step/tape_frame.h */
    frame_plan plan;                        /* what is where in it */
    int       *map;                         /* scratch of its making */
    noe_ins   *code[TAPES];                 /* their instructions, by offsets in bytes */
    noe_tape  *tape
        [TAPES]; /* of dyn; for machine code in an order for registers, and ours; NULL: there is none */
    noe_compiled_tapes *machine;     /* the same as machine code, or NULL */
    noe_machine_code   *run[TAPES];  /* of each tape; NULL: interpreted */
    frame_copy         *copy[TAPES]; /* what is not computed in its place */
    int                 copies[TAPES];
    real               *unsolved; /* 0, or nan where v could not be found */
    bool
                F_known; /* F0 is the force at the present state: the last kick of a step is the first of the next */
    bool        v_known;                        /* v solves L_v(q, v) = p at the present state */
    noe_status *why;                            /* [MEMBERS] */
    double     *param, *z, *grad, *hess, *dfdz; /* for functions in C */
} work;

enum {
    COUPLED_MASS_MOST = 64
}; /* coordinates up to which masses that couple them are factored node by node */
INLINE noe_tape *tape_of(const noe_dynamics *d, int which)
{
    noe_tape *const all[TAPES] = { d->gradient, d->hessian, d->legendre,
                                   d->rate,     d->power,   d->inertial };
    return all[which];
}

/* How large: dofs, modes, nodes, unknowns n s; batches that hold nodes, modes, pairs of modes, unknowns.  Where a step is
 * compiled for a shape of constants its loops have no ends to look for. */
typedef struct {
    int  n, s, r, N, B, S, K, rows;
    bool simpson; /* coefficients of Simpson's method: those that are 0 are known */
} shape;
INLINE shape of_simpson(int n)
{
    return (shape){ n, 2, 3, 2 * n, blocks(3), blocks(2), blocks(6), blocks(2 * n), true };
}
enum { LANE_NODES = 8 }; /* and as many modes: one batch of doubles */
INLINE shape of_eight_nodes(int n)
{
    return (shape){ n,
                    LANE_NODES,
                    LANE_NODES,
                    LANE_NODES * n,
                    blocks(LANE_NODES),
                    blocks(LANE_NODES),
                    blocks(LANE_NODES * LANE_NODES + LANE_NODES),
                    blocks(LANE_NODES * n),
                    false };
}
INLINE shape of(const work *w)
{
    return (shape){ w->n, w->s, w->r, w->N, w->B, w->S, w->K, w->rows, false };
}

enum { REGISTER_SUMS = 6 }; /* sums that stay in registers */

/* What is continued, of so many steps ago; before this one is remembered -1 is its own place. */
INLINE real *modes_of(const work *w, int row_size, int newest_row, int ago)
{
    return w->history + (size_t)((newest_row - ago) & (HISTORY_STEPS - 1)) * (size_t)row_size;
}
INLINE int newest_row(const work *w) { return (int)r_member(*w->newest_row, 0); }

/* Element i (a node or a mode) of row j of an array of batches with nb batches a row. */
INLINE real *element(batch *array, int nb, int j, int i)
{
    return (real *)(array + (size_t)j * nb) + i;
}

#endif
