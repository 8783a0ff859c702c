/* State of the sums engine: coefficients for a step length, tiles, threads, scalars and arrays.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SUMS_SUMS_STATE_H
#define NOE_SUMS_SUMS_STATE_H

#include "method/stage_modes.h"
#include "sums/partition.h"

/* HEAD: scalars at the beginning of a state.  ARRAYS: arrays of a state that every step rewrites
 * (A_Q .. A_F). FIRST_ROUNDS: iterations for which the halos of the tiles are first made;
 * MOST_ROUNDS: limit of the iterations. CACHE, bytes: states larger than this are written with
 * streaming stores. */
enum { HEAD = 24, ARRAYS = 5, FIRST_ROUNDS = 10, MOST_ROUNDS = 80, CACHE = 1 << 24 };

typedef struct newton newton;

/* The coefficients of a step of length h.  If each were rounded by itself, the method would not be
 * exactly symplectic, and the energy would drift by 1e-18 a step.  So the weights h b_j are rounded
 * first, and the coefficients of F_j in the positions are computed from the rounded weights and
 * stored in two doubles: the step is symplectic if the ratios beta_ij/b_j and, for q at the end, (1
 * - c_j) are right. */
typedef struct {
    /* step length */
    double h,
        /* h b_j, rounded */
        kick[NOE_MAX_POINTS];
    /* alpha_i = alpha + alpha_low: coefficient of h p/m in Q_i */
    double alpha[NOE_MAX_POINTS], alpha_low[NOE_MAX_POINTS];
    /* coefficient of the force at the beginning of the step in Q_i, in units of h/m */
    double early[NOE_MAX_POINTS];
    /* beta_ij: coefficient of F_j in Q_i, in units of 1/m; guess_i = sum_j beta_ij */
    double beta[NOE_MAX_POINTS][NOE_MAX_POINTS], guess[NOE_MAX_POINTS];
    /* late + late_low: coefficient of F_j in q at the end of the step, in units of h/m */
    double late[NOE_MAX_POINTS], late_low[NOE_MAX_POINTS];
    /* some alpha_low or late_low is not 0 */
    bool low;
} scaled;

/* The engine state. */
typedef struct {
    noe_arena *arena; /* memory of the engine */
    /* the system */
    const noe_sums *g;

    /* Coefficients. */
    /* r nodes or stages; nodes lo .. hi-1 are implicit */
    int r, lo, hi;
    /* there are explicit nodes at c = 0 and at c = 1 */
    bool first, last;
    /* nodes and weights; beta: matrix A of an explicit Runge-Kutta method */
    double c[NOE_MAX_POINTS], b[NOE_MAX_POINTS], beta[NOE_MAX_POINTS][NOE_MAX_POINTS];
    /* I_i . G^-1 w;  beta_ij/b_j = I_i . G^-1 X_j;  w . G^-1 X_j, all without dimension */
    quad alpha[NOE_MAX_POINTS], share[NOE_MAX_POINTS][NOE_MAX_POINTS], rest[NOE_MAX_POINTS];
    /* the same for the present step length */
    scaled by;

    /* State: HEAD scalars, then the arrays A_Q .. A_K of `stride` doubles each. */
    /* the state before the step and, while a step is made, the one after it */
    double *now, *next;
    /* doubles in an array; places rounded up to whole vectors */
    size_t stride, wide;

    /* Tiles and threads. */
    tiling t;
    /* how the terms are shared among threads if there is one tile only */
    sharing shares;
    /* evaluations of the forces for which the halos of the tiles are wide enough */
    int rounds;
    /* largest number of slots in a term */
    int slots;
    /* [NOE_THREADS_MOST], of which `tile_memories` are made: memory of each thread */
    tile_memory *tile_memory;
    /* [groups]: machine code of the forces, used by all threads */
    noe_block_loops *loops;
    /* machine code of forces, kick and drift of all groups, used by all threads */
    noe_fused_loop fused;
    /* tile_memories: threads with memory; threads: requested, 0: one a processor; most: largest
     * number that has work */
    int tile_memories, threads, most;
    /* NULL: one thread */
    noe_thread_team *team;

    /* status of the last step */
    noe_status why;
    /* the state is written with streaming stores (it is larger than CACHE) */
    bool streaming;

    /* Explicit methods. */
    /* a splitting or an explicit Runge-Kutta method */
    bool explicit;
    /* number of flows (kicks and drifts) of a splitting; 0: a Runge-Kutta method of r stages with
     * beta and b */
    int flows;
    /* drift_first: the first flow is a drift; known: the first forces of a step are those of the
     * last kick before it */
    bool drift_first, known;
    /* [flows]: length of each flow, in steps */
    double *flow;

    /* Compositions. */
    /* substeps; 0: the method is no composition */
    int parts;
    /* [parts] lengths of the substeps; length of the present one, in steps */
    double *part, length;
    /* copy of the state before the step, restored if a substep fails */
    double *before;

    /* Newton's method. */
    /* eigenvalues and eigenvectors of G^-1 Theta */
    noe_stage_modes modes;
    /* NULL until first used */
    newton *newton;
    /* omega h at the end of the first interval of stability; INFINITY: stable on every oscillator
     *  */
    double edge;
    /* operations of an iteration's forces, of its solve, and of a factorization: the measure of
     * cost */
    double per_round, per_solve, per_matrix;
} work;

/* The scalars of a state.  STIFF to COST serve the choice between fixed point and Newton's
 * method (sums_solver.h). */
enum {
    T0,         /* initial time */
    STEP,       /* step length h */
    COUNT,      /* steps made: t = T0 + COUNT STEP */
    ITERATIONS, /* iterations since the start */
    RESIDUAL,   /* largest change of a last iteration since the start, relative to the positions */
    H0,         /* energy at the start */
    SOLVER,     /* option `solver`: BY_COST, BY_FIXED_POINT, BY_CHORD or BY_NEWTON */
    FROZEN,     /* 1: array A_K has the positions at which the matrix was evaluated */
    REFRESHES,  /* matrices evaluated since the start */
    CONTRACTED, /* steps solved by the fixed point since the start */
    STIFF,      /* steps left for Newton's method before the fixed point is tried again */
    WAIT,       /* steps left for the fixed point before it is compared with Newton's method */
    PATIENCE,   /* steps until the next comparison, doubled each time */
    SPENT,      /* operations of the last BLOCK steps of Newton's method */
    BLOCK,      /* steps of Newton's method in the present comparison */
    COST,       /* operations of the last step by the fixed point */
    KINETIC     /* kinetic energy at the start */
};

static double *array(const work *w, double *state, int k)
{
    return state + HEAD + (size_t)k * w->stride;
}

/* The arrays of a state: q, p and their compensation terms dq, dp (q + dq is the position); the
 * forces at q; and the positions at which the matrix of Newton's method was evaluated.  STATE:
 * their number. */
enum { A_Q, A_DQ, A_P, A_DP, A_F, A_K, STATE };

/* x - (double)x, 0 where that is only the rounding of a binary128 number. */
static double low_part(quad x)
{
    const quad low = x - (double)x;
    return fabsq(low) < (quad)1e-28 * fabsq(x) ? 0 : (double)low;
}

/* Computes the coefficients for step length h. */
static void take_length(work *w, double h)
{
    scaled *n = &w->by;
    if (n->h == h) return;
    *n = (scaled){ .h = h };
    for (int i = 0; i < w->r; i++) {
        n->kick[i] = h * w->b[i];
        n->alpha[i] = (double)w->alpha[i], n->alpha_low[i] = low_part(w->alpha[i]);
    }
    for (int i = 0; i < w->r; i++) {
        const quad late = n->kick[i] * w->rest[i];
        n->late[i] = (double)late, n->late_low[i] = low_part(late);
        n->low |= n->late_low[i] != 0 || n->alpha_low[i] != 0;
        n->early[i] = w->first ? (double)(n->kick[0] * w->share[i][0]) : 0;
        for (int j = w->lo; j < w->hi; j++)
            n->guess[i] += n->beta[i][j] = (double)((quad)h * n->kick[j] * w->share[i][j]);
    }
}

#endif
