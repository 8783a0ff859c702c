/* monitor auto: G = 1/w(q), w the local frequency: of all pairs of bodies, or of V_qq.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With M constant and V = -L(q, 0).  Bodies: where every zero at which V is singular is that of a
 * distance r_a (its gradient has the same length |dr_a/dq|^2 = 1/m_a in the norm of M^-1
 * everywhere) and V varies with it so that w_a^2 = V'(r_a)/(m_a r_a) is a power c_a r_a^-k_a, then
 *     G = (sum_a (c_a r_a^-k_a)^2)^(-1/4),    for one pair a power of its distance.
 * Else, with w0 the frequency at the start, which bounds the steps where V is flat,
 *     G = (w0^4 + tr (M^-1 V_qq)^2)^(-1/4).
 * Both are smooth and have the linear symmetries of L, which keep M and V. */
#include "system/automatic_monitor.h"

#include "base/status.h"
#include "expr/derivative.h"
#include "expr/singular_arguments.h"
#include "expr/substitute.h"
#include "matrix/small_solve.h"
#include "model/expression_text.h"
#include "system/zero_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAIRS_MOST = 1024,   /* distances */
    FREQUENCY_MOST = 16, /* coordinates of which V_qq is written out */
    STATES = 4,          /* random states on which a distance is recognised */
    TEXT_MOST = 8000     /* bytes of the text */
};
/* Neither is a bound on what is 0 (system/zero_test.c): numbers from logarithms and powers are
 * compared, in double or with the rounding of the model's constants.  DISTANCE_SAME: relative
 * difference up to which two distances, or their shares of G, are one; SLOPE_SAME: of the slopes of
 * a power at different states, and from a fraction. */
static const double DISTANCE_SAME = 1e-12, SLOPE_SAME = 1e-9;
/* Standard deviation of the states, in units of 1 + |q|.  What is asked for, a power of a distance,
 * is so everywhere and for every unit; the bits of G, a part of the model, follow from the states,
 * which are therefore not those of the zero test. */
static const double REACH = 0.25;

typedef struct {
    noe_model *m;
    noe_graph *g;
    noe_arena *arena;
    int        n;       /* coordinates */
    noe_ex     V;       /* the potential */
    quad      *inverse, /* M^-1 [n][n] */
        *in,            /* inputs of a tape */
        *start,         /* inputs at the start */
        *scale;         /* [n] of q */
} chooser;

/* One distance: u = r^power, c r^-k its squared frequency; u and r at the states. */
typedef struct {
    noe_ex u;
    double power, c, k;
    quad   at[STATES];
} distance;

static quad *take(chooser *x, int count)
{
    return noe_arena_need(x->arena, x->g->stop, (size_t)count, sizeof(quad));
}

static void fail(const chooser *x, const char *why)
{
    noe_status_fail(NOE_INVALID, "%s: 'monitor auto': %s: write a monitor, as 'monitor r^1.5'",
                    x->m->name, why);
    longjmp(*x->g->stop, 1);
}

static noe_tape *tape_of(chooser *x, const noe_ex *root, int roots)
{
    noe_tape *t = noe_tape_new(x->g, x->m->param, x->n, root, roots);
    if (!t) longjmp(*x->g->stop, 1);
    return t;
}

/* The outputs of a tape for the inputs x->in. */
static void run(chooser *x, const noe_tape *t, quad *out)
{
    quad *slot = noe_status_alloc((size_t)t->slots, sizeof *slot);
    if (!slot) longjmp(*x->g->stop, 1);
    noe_tape_quad_run(t, x->in, slot, out);
    free(slot);
}

/* x->in = the start, or a random state around it. */
static void place(chooser *x, int state)
{
    uint64_t seed = 31415 + (uint64_t)state;
    memcpy(x->in, x->start, (size_t)noe_tape_inputs(x->n) * sizeof *x->in);
    const int             first = noe_tape_input(NOE_Q, 0, x->n);
    const noe_zero_region around = { .n = x->n, .q0 = x->start + first, .q = x->scale };
    if (state >= 0) noe_zero_test_draw(&around, REACH, &seed, x->in + first, NULL);
}

/* M^-1 from the tape of the masses at the start, which are the same everywhere. */
static void invert_mass(chooser *x, const noe_dynamics *d)
{
    const int n = x->n;
    quad     *out = take(x, d->inertial->outputs), *M = take(x, n * n), *W = take(x, n * n);
    place(x, -1);
    run(x, d->inertial, out);
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int k = 0; k < d->masses; k++)
        M[d->mass[k].row * n + d->mass[k].col] = out[d->mass[k].output + n - 1];
    if (!noe_small_solve_inverse(M, n, W)) fail(x, "the mass matrix is singular");
    x->inverse = W;
}

/* a.M^-1 b */
static quad product(const chooser *x, const quad *a, const quad *b)
{
    quad sum = 0;
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < x->n; j++) sum += a[i] * x->inverse[i * x->n + j] * b[j];
    return sum;
}

/* V with the node u replaced by the input H. */
static noe_ex with_input(chooser *x, noe_ex u)
{
    noe_graph   *g = x->g;
    const noe_ex H = noe_graph_leaf(g, NOE_H, 0);
    for (int k = 0, n = noe_evaluate_reach(g, &x->V, 1); k < n; k++) {
        const noe_ex i = g->list[k], y = i == u ? H : noe_substitute_image(g, i);
        g->bar[i] = y;
    }
    return g->bar[x->V];
}

/* The slope of y over x in logarithms, from the states 0 and i. */
static double slope(const quad *x, const quad *y, int i)
{
    return (double)(logq(y[i] / y[0]) / logq(x[i] / x[0]));
}

/* Are the slopes from all states the same?  *value: that slope, rounded where it is a fraction. */
static bool is_power(const quad *x, const quad *y, double *value)
{
    double s[STATES] = { 0 };
    for (int i = 1; i < STATES; i++) {
        s[i] = slope(x, y, i);
        if (!(fabs(s[i] - s[1]) <= SLOPE_SAME * (1 + fabs(s[1])))) return false;
    }
    const double near = round(12 * s[1]) / 12;
    *value = fabs(near - s[1]) < SLOPE_SAME ? near : s[1];
    return true;
}

/* Is u a power of a distance, with which V varies as a power?  Then all of `to`. */
static bool is_distance(chooser *x, noe_ex u, distance *to)
{
    const int n = x->n;
    noe_ex *root = noe_arena_need(x->arena, x->g->stop, 2 * (size_t)n + 2, sizeof *root), by[n + 1];
    quad   *out = take(x, n + 2), length[STATES], w[STATES], r[STATES];
    double  slope_of_length;
    root[0] = u;
    noe_derivative_gradient(x->g, u, n, root + 1);
    const noe_ex with = with_input(x, u);
    for (int j = 0; j <= n; j++) by[j] = noe_graph_number(x->g, 0);
    noe_derivative_by_momenta(x->g, with, n, by);
    root[n + 1] = by[n]; /* instead of du/dv, which is 0 */
    noe_tape *const t = tape_of(x, root, n + 2);
    for (int i = 0; i < STATES; i++) {
        place(x, i);
        x->in[noe_tape_input(NOE_H, 0, n)] = 1;
        run(x, t, out);
        x->in[noe_tape_input(NOE_H, 0, n)] = out[0];
        run(x, t, out);
        to->at[i] = out[0], length[i] = product(x, out + 1, out + 1), w[i] = fabsq(out[n + 1]);
    }
    free(t);
    for (int i = 0; i < STATES; i++)
        if (!(to->at[i] > 0) || !(length[i] > 0) || !(w[i] > 0)) return false;
    /* |du|^2 = p^2 u^(2 - 2/p)/m where u = r^p */
    if (!is_power(to->at, length, &slope_of_length) || slope_of_length >= 2) return false;
    const quad p = to->power = 2 / (2 - slope_of_length);
    for (int i = 0; i < STATES; i++) {
        r[i] = powq(to->at[i], 1 / p);
        const quad per_mass = length[i] / (p * p * powq(to->at[i], 2 - 2 / p));
        w[i] *= per_mass * p * powq(to->at[i], 1 - 1 / p) / r[i]; /* V'(r)/(m r) */
    }
    if (!is_power(r, w, &to->k)) return false;
    to->k = -to->k;
    to->c = (double)(w[0] * powq(r[0], to->k));
    to->u = u;
    return to->k > 0;
}

/* Is it the distance of another one, as r^2 is that of r? */
static bool is_known(const distance *all, int count, const distance *y)
{
    for (int k = 0; k < count; k++) {
        bool same = true;
        for (int i = 0; i < STATES; i++) {
            const quad a = powq(all[k].at[i], 1 / (quad)all[k].power),
                       b = powq(y->at[i], 1 / (quad)y->power);
            same &= fabsq(a - b) <= DISTANCE_SAME * a;
        }
        if (same) return true;
    }
    return false;
}

static noe_ex number(chooser *x, double value) { return noe_graph_number(x->g, (quad)value); }
static noe_ex power(chooser *x, noe_ex u, double exponent)
{
    return noe_simplify_make(x->g, NOE_POW, u, number(x, exponent), 0);
}

/* sum^(-1/4) */
static noe_ex fourth_root(chooser *x, noe_ex sum)
{
    noe_graph   *g = x->g;
    const noe_ex root = noe_simplify_make(g, NOE_FN_sqrt, sum, 0, 0);
    return noe_simplify_make(g, NOE_DIV, number(x, 1),
                             noe_simplify_make(g, NOE_FN_sqrt, root, 0, 0), 0);
}

/* G of the distances of all pairs; -1: V is singular elsewhere, or not at all. */
static noe_ex of_distances(chooser *x)
{
    noe_graph *g = x->g;
    noe_ex     found[PAIRS_MOST];
    const int  count = noe_singular_arguments_divisors(g, &x->V, 1, found, PAIRS_MOST);
    distance  *all = noe_arena_need(x->arena, g->stop, (size_t)count + 1, sizeof *all);
    int        pairs = 0;
    double     most = 0;
    /* Those made of fewer operations first: x^2 + y^2 before its root, on which V depends by it. */
    for (int k = 0; k < count; k++)
        for (int i = k; i > 0 && found[i] < found[i - 1]; i--) {
            const noe_ex swap = found[i];
            found[i] = found[i - 1], found[i - 1] = swap;
        }
    for (int k = 0; k < count; k++) {
        if (!is_distance(x, found[k], &all[pairs])) return -1;
        if (is_known(all, pairs, &all[pairs])) continue;
        most = fmax(most, all[pairs++].c);
    }
    if (!pairs) return -1;
    if (pairs == 1) return power(x, all[0].u, all[0].k / 2 / all[0].power);
    noe_ex sum = number(x, 0);
    for (int k = 0; k < pairs; k++) {
        const double share = all[k].c / most;
        const noe_ex term = power(x, all[k].u, -2 * all[k].k / all[k].power);
        sum = noe_simplify_make(
            g, NOE_ADD, sum,
            fabs(share - 1) < DISTANCE_SAME
                ? term
                : noe_simplify_make(g, NOE_MUL, number(x, share * share), term, 0),
            0);
    }
    return fourth_root(x, sum);
}

/* tr (M^-1 V_qq)^2 */
static noe_ex squared_frequencies(chooser *x)
{
    noe_graph *g = x->g;
    const int  n = x->n;
    noe_ex     force[2 * n], row[2 * n],
        sum = number(x, 0), *A = noe_arena_need(x->arena, g->stop, (size_t)(n * n), sizeof *A),
        *K = noe_arena_need(x->arena, g->stop, (size_t)(n * n), sizeof *K);
    noe_derivative_gradient(g, x->V, n, force);
    for (int i = 0; i < n; i++) {
        noe_derivative_gradient(g, force[i], n, row);
        memcpy(K + i * n, row, (size_t)n * sizeof *K);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            noe_ex entry = number(x, 0);
            for (int k = 0; k < n; k++)
                entry = noe_simplify_make(
                    g, NOE_ADD, entry,
                    noe_simplify_make(g, NOE_MUL, noe_graph_number(g, x->inverse[i * n + k]),
                                      K[k * n + j], 0),
                    0);
            A[i * n + j] = entry;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum = noe_simplify_make(
                g, NOE_ADD, sum, noe_simplify_make(g, NOE_MUL, A[i * n + j], A[j * n + i], 0), 0);
    return sum;
}

/* (a.S_qq a/2)^(1/2) at the start, S = tr (M^-1 V_qq)^2 and force = V_q: what a motion from rest,
 * q = q_0 + a t^2/2, makes of a frequency that is 0 there. */
static quad frequency_from_rest(chooser *x, noe_ex squares, const quad *force)
{
    const int n = x->n;
    noe_ex    row[2 * n], along = squares;
    for (int twice = 0; twice < 2; twice++) {
        noe_ex sum = number(x, 0);
        noe_derivative_gradient(x->g, along, n, row);
        for (int i = 0; i < n; i++) {
            quad a = 0;
            for (int j = 0; j < n; j++) a -= x->inverse[i * n + j] * force[j];
            const noe_ex term = noe_simplify_make(x->g, NOE_MUL, noe_graph_number(x->g, a), row[i],
                                                  0);
            sum = noe_simplify_make(x->g, NOE_ADD, sum, term, 0);
        }
        along = sum;
    }
    quad            out;
    noe_tape *const t = tape_of(x, &along, 1);
    place(x, -1);
    run(x, t, &out);
    free(t);
    return sqrtq(fabsq(out) / 2);
}

/* w0^4 = tr (M^-1 V_qq)^2 + (|a|/|v|)^4 at the start, norms by M; from rest frequency_from_rest()
 * stands in the place of the second. */
static double frequency_at_start(chooser *x, noe_ex squares)
{
    const int n = x->n;
    noe_ex    root[2 * n + 1];
    quad      out[n + 1], speed = 0;
    noe_derivative_gradient(x->g, x->V, n, root);
    root[n] = squares;
    noe_tape *const t = tape_of(x, root, n + 1);
    place(x, -1);
    run(x, t, out);
    free(t);
    quad *M = take(x, n * n), *W = take(x, n * n);
    memcpy(M, x->inverse, (size_t)(n * n) * sizeof *M);
    noe_small_solve_inverse(M, n, W);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            speed += x->in[noe_tape_input(NOE_V, i, n)] * W[i * n + j]
                   * x->in[noe_tape_input(NOE_V, j, n)];
    const quad rate = speed > 0 ? product(x, out, out) / speed : 0,
               more = speed > 0 ? rate * rate : frequency_from_rest(x, squares, out);
    return (double)(out[n] + more);
}

static noe_ex of_frequencies(chooser *x)
{
    if (x->n > FREQUENCY_MOST)
        fail(x, "V is singular elsewhere than at zeros of distances, and there are more than 16 "
                "coordinates");
    const noe_ex squares = squared_frequencies(x);
    if (!(x->g->node[squares].has & NOE_HAS_Q))
        fail(x, "the local frequency, tr (M^-1 V_qq)^2, is the same everywhere, so that equal "
                "steps suit");
    const double w0 = frequency_at_start(x, squares);
    if (!(w0 > 0))
        fail(x, "nothing acts at the start, so that nothing bounds the steps where V is flat");
    char text[32];
    snprintf(text, sizeof text, "%.3g", w0); /* few digits suffice, and are read */
    return fourth_root(x, noe_simplify_make(x->g, NOE_ADD, number(x, atof(text)), squares, 0));
}

static void choose(chooser *x, const noe_dynamics *d)
{
    noe_model *m = x->m;
    const int  n = x->n;
    if (!d->mass_constant || !d->momenta_linear) fail(x, "the mass matrix is not constant");
    x->in = take(x, noe_tape_inputs(n)), x->start = take(x, noe_tape_inputs(n));
    x->scale = take(x, n);
    memset(x->start, 0, (size_t)noe_tape_inputs(n) * sizeof *x->start);
    x->start[0] = m->t0;
    for (int j = 0; j < n; j++) {
        x->start[noe_tape_input(NOE_Q, j, n)] = m->begin[j].q;
        x->scale[j] = 1 + fabsq(m->begin[j].q);
        x->start[noe_tape_input(NOE_V, j, n)] = m->begin[j].v;
    }
    x->V = noe_simplify_make(x->g, NOE_NEG, noe_substitute_at_rest(x->g, m->L), 0, 0);
    if (x->g->node[x->V].has & NOE_HAS_T) fail(x, "the potential depends on t");
    if (!(x->g->node[x->V].has & NOE_HAS_Q)) fail(x, "there is no potential");
    invert_mass(x, d);
    noe_ex G = of_distances(x);
    if (G < 0) G = of_frequencies(x);
    m->monitor.G = G;
    noe_text text = noe_text_new(x->arena);
    if (noe_expression_text_add(&text, m, x->arena, G, TEXT_MOST)) m->monitor.text = text.data;
}

bool noe_automatic_monitor_choose(noe_model *m, noe_arena *arena, const noe_dynamics *d)
{
    chooser       x = { .m = m, .g = &m->graph, .arena = arena, .n = m->n };
    jmp_buf       stop;
    volatile bool ok = false;
    m->graph.stop = &stop;
    if (!setjmp(stop)) choose(&x, d), ok = true;
    m->graph.stop = NULL;
    return ok;
}
