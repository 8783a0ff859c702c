/* State of the sums engine: coefficients for a step length, tiles, threads, scalars and arrays.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SUMS_SUMS_STATE_H
#define NOE_SUMS_SUMS_STATE_H

#include "method/stage_modes.h"
#include "sums/partition.h"
#include "sums/sums_constants.h"
#include "sums/sums_share.h"

/* HEAD_SCALARS: scalars at the beginning of a state, the last eight of them padding.
 * ARRAYS: arrays of a state that every step rewrites (A_Q .. A_F).
 * CACHED_BYTES_MOST: states larger than this are written with streaming stores. */
enum { HEAD_SCALARS = 24, ARRAYS = 5, CACHED_BYTES_MOST = 1 << 24 };
/* Part of a coefficient in binary128 up to which what double leaves of it is rounding.  13620
 * coefficients of 31 methods and 60 steps: rounding is at most 7e-34, others at least 6e-20. */
static const double LOW_ROUNDING = 1e-28;

typedef struct sums_newton_state sums_newton_state;

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

/* Coefficients of the method: pure numbers.  `scaled` alone depends on the step length. */
typedef struct {
    int r,                                       /* nodes or stages */
        lo, hi;                                  /* nodes lo .. hi-1 are implicit */
    bool first,                                  /* c = 0 and c = 1 are nodes, and explicit */
        last;                                    /* the same */
    double c[NOE_MAX_POINTS], b[NOE_MAX_POINTS]; /* nodes and weights */
    double beta[NOE_MAX_POINTS][NOE_MAX_POINTS]; /* matrix A of an explicit Runge-Kutta method */
    /* alpha_i = I_i . G^-1 w;  share_ij = beta_ij/b_j = I_i . G^-1 X_j;  rest_j = w . G^-1 X_j */
    quad   alpha[NOE_MAX_POINTS], share[NOE_MAX_POINTS][NOE_MAX_POINTS], rest[NOE_MAX_POINTS];
    scaled scaled;               /* the same for the present step length */
    bool explicit;               /* a splitting or an explicit Runge-Kutta method */
    int             flows;       /* kicks and drifts of a splitting; 0: a Runge-Kutta method */
    bool            drift_first; /* the first flow is a drift */
    double         *flow;        /* length of each flow, in steps [flows] */
    int             parts;       /* substeps of a composition; 0: the method is none */
    double         *part;        /* length of each substep, in steps [parts] */
    noe_stage_modes modes;       /* eigenvalues and eigenvectors of G^-1 Theta */
    double edge; /* omega h at the end of the first interval of stability; INFINITY: it has none */
} sums_method;

/* State of the motion: HEAD_SCALARS scalars, then the arrays A_Q .. A_K of `stride` doubles. */
typedef struct {
    double *now,         /* before the step */
        *next,           /* while a step is made: after it */
        *before;         /* compositions: copy of `now`, restored if a substep fails */
    size_t stride,       /* doubles in an array */
        wide;            /* places rounded up to whole vectors */
    double length;       /* of the present substep, in steps */
    bool   forces_known, /* the first forces of a step are those of the last kick before it */
        streaming,       /* written with streaming stores: it is larger than CACHED_BYTES_MOST */
        partial,         /* other processes have parts of it: sums_share.h */
        put_back;        /* perhaps by a caller, with halos that were narrower then */
    /* of the present state, once evaluated: the energy and its kinetic part; the velocities of
     * coupled masses, in the memory of Newton's method */
    double energy, kinetic;
    bool   energy_known, velocity_known;
} sums_state;

/* Tiles, and the threads that sweep over them. */
typedef struct {
    tiling  plan;               /* the tiles */
    sharing shares;             /* how threads share the terms if there is one tile only */
    int     rounds,             /* evaluations of the forces for which the halos are wide enough */
        slots;                  /* most slots of a term */
    tile_memory *tile_memory;   /* memory of each thread [NOE_THREADS_MOST] */
    int          tile_memories, /* threads that have memory */
        threads,                /* threads requested; 0: one a processor */
        most;                   /* most threads that have work */
    noe_thread_team *team;      /* NULL: one thread */
} sums_tiles;

/* Machine code, used by all threads. */
typedef struct {
    noe_block_loops *loops; /* of the forces [groups] */
    noe_fused_loop   fused; /* of forces, kick and drift of all groups */
} sums_machine;

/* Operations: the measure by which fixed point and Newton's method are compared. */
typedef struct {
    double round, /* forces of an iteration */
        solve,    /* its solve with a factored matrix */
        matrix;   /* a matrix and its factors */
} sums_cost;

/* All of an engine instance.  Statistics are scalars of the state. */
typedef struct {
    noe_arena         *arena; /* owns the memory of this struct */
    const noe_sums    *g;     /* the system; borrowed */
    noe_status         why;   /* of the last step */
    sums_method        method;
    sums_state         state;
    sums_tiles         tiles;
    sums_machine       machine;
    sums_cost          cost;
    sums_newton_state *newton; /* Newton's method; NULL until first used */
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
    COST        /* operations of the last step by the fixed point */
};

/* Values of the option `solver`. */
enum { BY_COST, BY_FIXED_POINT, BY_CHORD, BY_NEWTON };

static double *array(const work *w, double *state, int k)
{
    return state + HEAD_SCALARS + (size_t)k * w->state.stride;
}

/* The arrays of a state: q, p and their compensation terms dq, dp (q + dq is the position); the
 * forces at q; and the positions at which the matrix of Newton's method was evaluated.
 * STATE_ARRAYS: their number. */
enum { A_Q, A_DQ, A_P, A_DP, A_F, A_K, STATE_ARRAYS };

/* What has been evaluated of the present state holds no longer. */
static void state_changed(work *w) { w->state.energy_known = w->state.velocity_known = false; }

/* How processes divide the sites. */
static noe_tile_plan division(const work *w)
{
    const tiling *t = &w->tiles.plan;
    return (noe_tile_plan){ t->tiles, t->size, t->together > 1 ? t->together_halo : t->halo,
                            t->sites, t->ring };
}

/* Fetches what other processes have of a state: the halos, after so many steps, or what else
 * noe_sums_share has. */
static void fetch(work *w, double *state, int steps)
{
    const noe_tile_plan plan = division(w);
    double *const arrays[] = { array(w, state, A_Q), array(w, state, A_DQ), array(w, state, A_P),
                               array(w, state, A_DP), array(w, state, A_F) };
    const bool    forces = !w->method.explicit || w->state.forces_known;
    w->g->share->fetch(w->g->share->ctx, w->g, &plan, steps, forces ? 5 : 4, arrays);
}

/* Makes the present state whole, before what reads all of it. */
static void make_whole(work *w)
{
    if (w->state.partial) fetch(w, w->state.now, NOE_FETCH_ALL);
    w->state.partial = false;
}

/* Do several processes step the tiles? */
static bool shares_tiles(const work *w) { return w->g->share && w->tiles.plan.tiles > 1; }

/* The tiles *first .. *end - 1 of thread `me`; own: of those that this process steps. */
static void tiles_of_thread(const work *w, int me, bool own, int64_t *first, int64_t *end)
{
    const noe_tile_plan plan = division(w);
    const int           size = w->tiles.plan.tiles > 1 ? noe_thread_team_size(w->tiles.team) : 1,
              rank = own && shares_tiles(w) ? w->g->share->rank : 0,
              count = own && shares_tiles(w) ? w->g->share->count : 1;
    const int64_t from = noe_sums_share_tile(&plan, rank, count),
                  tiles = noe_sums_share_tile(&plan, rank + 1, count) - from;
    *first = from + tiles * me / size;
    *end = from + tiles * (me + 1) / size;
}

/* x - (double)x, 0 where that is only the rounding of a binary128 number. */
static double low_part(quad x)
{
    const quad low = x - (double)x;
    return fabsq(low) < (quad)LOW_ROUNDING * fabsq(x) ? 0 : (double)low;
}

/* Computes the coefficients for step length h. */
static void take_length(work *w, double h)
{
    scaled *n = &w->method.scaled;
    if (n->h == h) return;
    *n = (scaled){ .h = h };
    for (int i = 0; i < w->method.r; i++) {
        n->kick[i] = h * w->method.b[i];
        n->alpha[i] = (double)w->method.alpha[i], n->alpha_low[i] = low_part(w->method.alpha[i]);
    }
    for (int i = 0; i < w->method.r; i++) {
        const quad late = n->kick[i] * w->method.rest[i];
        n->late[i] = (double)late, n->late_low[i] = low_part(late);
        n->low |= n->late_low[i] != 0 || n->alpha_low[i] != 0;
        n->early[i] = w->method.first ? (double)(n->kick[0] * w->method.share[i][0]) : 0;
        for (int j = w->method.lo; j < w->method.hi; j++)
            n->guess[i] += n->beta[i][j] = (double)((quad)h * n->kick[j] * w->method.share[i][j]);
    }
}

#endif
