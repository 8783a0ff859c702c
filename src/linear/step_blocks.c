/* Steps in blocks of 16, 256, ..: after n steps a product of powers of Phi that n fixes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In noe_linear_state.more: since, next, and for every level k the state (dissipated, z, rest) at
 * the last multiple of B_k. */
#include "linear/step_blocks.h"

#include "linear/dense_balance.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The map of a block, noe_affine_power for 16, takes five products of matrices in binary128, as
 * long as some 4000 n steps (0.03 s with 32 coordinates, doc/decisions.md, 35): blocks begin after
 * FIRST_STEPS n steps, so that a short run makes none. */
enum { HEAD = 8, FIRST_STEPS = 2048 };

/* B_k, the steps of a block. */
static const double length[1 + NOE_STEP_BLOCK_LEVELS] = { 1,      0x1p4,  0x1p8,  0x1p12, 0x1p16,
                                                          0x1p20, 0x1p24, 0x1p28, 0x1p32, 0x1p36,
                                                          0x1p40, 0x1p44, 0x1p48 };

/* The step from which on a level is there. */
static double from(const noe_step_blocks *b, int k) { return b->first * length[k - 1]; }

/* The last multiple of B_k up to n, which is below 2^53. */
static double last_end(int k, double n)
{
    return (double)(int64_t)(n * (1 / length[k])) * length[k];
}

static size_t room(int width) { return ((size_t)width + 7) / 8 * 8; }

static size_t level_numbers(int width) { return HEAD + 2 * room(width); }

size_t noe_step_blocks_numbers(int n)
{
    return HEAD + NOE_STEP_BLOCK_LEVELS * level_numbers(noe_transition_kernel_width(2 * n));
}

/* The count from which blocks are counted, NAN: the present one; and that of the next step that is
 * not a single one. */
static double *since(const noe_linear_state *at) { return at->more; }
static double *next(const noe_linear_state *at) { return at->more + 1; }

/* The state of a level as one that the kernel can step; level 0 is the state itself. */
static noe_linear_state state_of(const noe_linear_state *at, int k)
{
    noe_linear_state x = *at;
    if (!k) return x;
    x.lost = at->more + HEAD + (size_t)(k - 1) * level_numbers(at->width);
    x.z = x.lost + HEAD, x.rest = x.z + room(at->width);
    return x;
}

static void copy(const noe_linear_state *at, int to, int of)
{
    const noe_linear_state x = state_of(at, to), y = state_of(at, of);
    memcpy(x.lost, y.lost, 2 * sizeof *x.lost);
    memcpy(x.z, y.z, (size_t)at->width * sizeof *x.z);
    memcpy(x.rest, y.rest, (size_t)at->width * sizeof *x.rest);
}

void noe_step_blocks_columns(double *to, const quad *A, int rows, int cols, int width)
{
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) to[j * width + i] = (double)A[i * cols + j];
}

bool noe_step_blocks_make(noe_step_blocks *b, noe_arena *a, const noe_transition_kernel *kernel,
                          const noe_linear_state *at)
{
    const size_t N = 2 * (size_t)at->n, NN = N * N, W = (size_t)at->width;
    *b = (noe_step_blocks){
        .kernel = kernel,
        .first = (double)FIRST_STEPS * at->n,
        .before = noe_arena_take(a, at->numbers * sizeof *b->before),
        .scratch = noe_affine_map_take(a, NOE_AFFINE_POWER_SCRATCH * (N + 1) * (N + 1)),
    };
    for (int k = 0; k <= NOE_STEP_BLOCK_LEVELS; k++) {
        noe_step_block *x = &b->level[k];
        x->E = noe_arena_take(a, (W * W + W + NN) * sizeof *x->E);
        x->power.E = noe_affine_map_take(a, 2 * NN + N);
        if (!x->E || !x->power.E) return false;
        x->g = x->E + W * W, x->Q = x->g + W;
        x->power.n = at->n, x->power.g = x->power.E + NN, x->power.Q = x->power.g + N;
    }
    return b->before && b->scratch;
}

/* The rounded map of a level from its power. */
static void round_map(noe_step_block *x, int width)
{
    const int N = 2 * x->power.n;
    noe_step_blocks_columns(x->E, x->power.E, N, N, width);
    noe_step_blocks_columns(x->g, x->power.g, N, 1, width);
    if (x->power.Q) noe_dense_balance_round(x->Q, x->power.Q, (size_t)N * (size_t)N);
    x->known = true;
}

void noe_step_blocks_set(noe_step_blocks *b, const noe_affine_map *one, int width)
{
    for (int k = 1; k <= NOE_STEP_BLOCK_LEVELS; k++) b->level[k].known = false;
    b->most = NOE_STEP_BLOCK_LEVELS;
    b->dissipates = one->Q;
    b->level[0].power = *one;
    round_map(&b->level[0], width);
}

void noe_step_blocks_begin(noe_linear_state *at) { *since(at) = *next(at) = NAN; }

static bool finite_map(const noe_step_block *x, int width)
{
    const int N = 2 * x->power.n;
    double    sum = 0;
    for (int i = 0; i < (N + 1) * width; i++) sum += x->E[i] - x->E[i];
    for (int i = 0; i < N * N; i++) sum += x->Q[i] - x->Q[i];
    return sum == 0;
}

/* Computes the maps up to level `top`.  One that is not finite ends the levels below it. */
static void need(noe_step_blocks *b, int top, int width)
{
    for (int k = 1; k <= top && k <= b->most; k++) {
        noe_step_block *x = &b->level[k];
        if (x->known) continue;
        noe_affine_power(&x->power, &x[-1].power, NOE_STEP_BLOCK, b->scratch);
        round_map(x, width);
        if (!finite_map(x, width)) b->most = k - 1;
    }
}

/* The level of the largest blocks from n on. */
static int top_level(const noe_step_blocks *b, double n)
{
    int k = 0;
    while (k < b->most && n >= from(b, k + 1)) k++;
    return k;
}

/* Applies the map of level k `times` times to its state. */
static bool apply(const noe_step_blocks *b, noe_linear_state *at, int k, double times)
{
    const noe_step_block *x = &b->level[k];
    noe_linear_state      s = state_of(at, k);
    const int             N = 2 * at->n;
    if (!b->dissipates) return b->kernel->steps(N, x->E, x->g, s.z, s.rest, times) == times;
    for (double i = 0; i < times; i++) {
        noe_dense_balance_dissipate(&s, x->Q);
        if (b->kernel->steps(N, x->E, x->g, s.z, s.rest, 1) < 1) return false;
    }
    return true;
}

/* From n to `end`, which is not behind the begin of the next level. */
static bool advance(const noe_step_blocks *b, noe_linear_state *at, int top, double n, double end)
{
    double here = n; /* of the state above, where it has moved */
    bool   moved = false;
    for (int k = top; k >= 0; k--) {
        const double there = last_end(k, end);
        if (moved) copy(at, k, k + 1);
        else here = last_end(k, n);
        if (there > here && !apply(b, at, k, (there - here) * (1 / length[k]))) return false;
        moved = moved || there > here;
        here = there;
    }
    return true;
}

/* Steps with blocks; the state is lost at a failure. */
static noe_status go(noe_step_blocks *b, noe_linear_state *at, double steps)
{
    double       n = *at->count - *since(at);
    const double goal = n + steps;
    while (n < goal) {
        const int top = top_level(b, n);
        need(b, top, at->width);
        if (top > b->most) continue;
        const double limit = top < b->most ? from(b, top + 1) : INFINITY;
        const double end = fmin(goal, limit);
        if (!advance(b, at, top, n, end)) return NOE_NOT_FINITE;
        if (end == limit) copy(at, top + 1, 0);
        n = end;
    }
    *at->count = *since(at) + goal;
    *next(at) = *since(at)
              + (top_level(b, goal) ? last_end(1, goal) + length[1]
                                    : (floor(goal / b->first) + 1) * b->first);
    return NOE_OK;
}

/* One step within a block. */
static noe_status single(const noe_step_blocks *b, noe_linear_state *at)
{
    const double                lost[2] = { at->lost[0], at->lost[1] };
    const noe_step_block *const one = b->level;
    if (b->dissipates) noe_dense_balance_dissipate(at, one->Q);
    if (b->kernel->steps(2 * at->n, one->E, one->g, at->z, at->rest, 1) == 1)
        return ++*at->count, NOE_OK;
    memcpy(at->lost, lost, sizeof lost);
    return NOE_NOT_FINITE;
}

noe_status noe_step_blocks_run(noe_step_blocks *b, noe_linear_state *at, double steps)
{
    if (isnan(*since(at))) *since(at) = *at->count, *next(at) = *at->count + b->first;
    if (steps == 1 && *at->count + 1 < *next(at)) return single(b, at);
    /* what these steps can change */
    const int    top = top_level(b, *at->count - *since(at) + steps);
    const size_t bytes = (at->numbers - noe_step_blocks_numbers(at->n) + HEAD
                          + (size_t)top * level_numbers(at->width))
                       * sizeof *b->before;
    memcpy(b->before, at->memory, bytes);
    const noe_status s = go(b, at, steps);
    if (s) memcpy(at->memory, b->before, bytes);
    return s;
}
