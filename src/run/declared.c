/* L_q xi + L_v xi' = df/dt at every state: what a model declares is verified before it is believed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * S = L_q xi + L_v xi' is 0, or else a total derivative: S = a + b v with b_i = f_q,i, which the Euler operator
 * S_q - d/dt S_v sends to 0 (P. J. Olver, Applications of Lie Groups to Differential Equations, 4.1).  f is then
 * looked for among the polynomials of degree 2. */
#include "run/declared.h"

#include "base/random.h"
#include "base/status.h"
#include "lang/diff.h"
#include "lang/source.h"
#include "lang/tape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 60, ENOUGH = 20, TRIES = 2000, SHOWN = 6 };

typedef struct {
    noe_model    *m;
    noe_declared *d;
    int           n;
    noe_ex        S, *part;    /* [2n]: L_q,i xi_i, L_v,i xi_i' */
    double        time, *q, *v; /* scales */
    quad         *in;          /* a state, in the order of a tape's inputs */
    jmp_buf       stop;
} verifier;

typedef struct { /* sums that must be 0: their terms follow one another */
    noe_tape *tape;
    int       sums, terms; /* so many, each of so many terms */
    quad     *slot, *out;
    double   *rough;
} zero;

static void *take(verifier *x, size_t n, size_t size)
{
    void *p = noe_arena_take(x->m->arena, (n ? n : 1) * size);
    if (!p) longjmp(x->stop, 1);
    return p;
}

/* As far as the start is from 0, as fast as it starts; what is silent goes with the others. */
static void scales(verifier *x)
{
    const noe_model *m = x->m;
    quad             step = (quad)1 / 100;
    double           far = 0, fast = 0;
    if (m->step && !noe_model_value(m, "step", m->step, &step)) longjmp(x->stop, 1);
    x->time = 40 * fabs((double)step);
    for (int i = 0; i < x->n; i++) {
        x->q[i] = fmax(fabs((double)m->begin[i].q), fabs((double)m->begin[i].v) * x->time);
        x->v[i] = fabs((double)m->begin[i].v);
        far = fmax(far, x->q[i]), fast = fmax(fast, x->v[i]);
    }
    for (int i = 0; i < x->n; i++) {
        if (!(x->q[i] > 0)) x->q[i] = far > 0 ? far : 1;
        if (!(x->v[i] > 0)) x->v[i] = fast > 0 ? fast : x->q[i] / x->time;
    }
}

static void draw(verifier *x, double rho, uint64_t *seed)
{
    const noe_model *m = x->m;
    x->in[0] = (double)m->t0 + rho * x->time * noe_gaussian(seed);
    for (int i = 0; i < x->n; i++) {
        x->in[noe_tape_input(NOE_Q, i, x->n)] = (double)m->begin[i].q + rho * x->q[i] * noe_gaussian(seed);
        x->in[noe_tape_input(NOE_V, i, x->n)] = (double)m->begin[i].v + rho * x->v[i] * noe_gaussian(seed);
    }
}

static void zero_open(verifier *x, zero *z, const noe_ex *term, int sums, int terms)
{
    *z = (zero){ .sums = sums, .terms = terms };
    z->tape = noe_tape_new(&x->m->graph, x->m->param, x->n, term, sums * terms);
    if (!z->tape) longjmp(x->stop, 1);
    z->slot = take(x, (size_t)z->tape->slots, sizeof *z->slot);
    z->rough = take(x, (size_t)z->tape->slots, sizeof *z->rough);
    z->out = take(x, (size_t)(sums * terms), sizeof *z->out);
}

/* The largest |sum| / size of its terms at the state that is not what rounding makes of 0; -1: not finite.  What
 * the arithmetic of double loses beside that of binary128 tells how much cancels. */
static double zero_at(verifier *x, zero *z, quad *sum, quad *size)
{
    double worst = 0;
    noe_tape_run(z->tape, x->in, z->slot, z->out);
    for (int i = 0; i < z->tape->inputs; i++) z->rough[i] = (double)x->in[i];
    noe_tape_rough(z->tape, z->rough);
    for (int k = 0; k < z->sums; k++) {
        quad exact = 0, all = 0, noise = 0;
        for (int i = k * z->terms; i < (k + 1) * z->terms; i++) {
            exact += z->out[i], all += fabsq(z->out[i]);
            noise += fabsq(z->out[i] - z->rough[z->tape->out[i]]);
        }
        if (!finiteq(all) || !finiteq(noise)) return -1;
        if (fabsq(exact) <= fmaxq((quad)1e-26 * all, (quad)0x1p-46 * noise) || (double)(fabsq(exact) / all) <= worst) continue;
        worst = (double)(fabsq(exact) / all);
        *sum = exact, *size = all;
    }
    return worst;
}

/* Is every sum 0 at every state?  Else the state of the first sum that is not stands in x->in. */
static bool vanishes(verifier *x, zero *z, quad *sum, quad *size)
{
    static const double cycle[] = { 1, 0.3, 3, 10 };
    uint64_t            seed = 1918;
    double              shrink = 1;
    int                 good = 0;
    for (int k = 0, refused = 0; k < TRIES && good < STATES; k++) {
        draw(x, shrink * cycle[k % 4], &seed);
        const double off = zero_at(x, z, sum, size);
        if (off > 0) return false;
        good += off == 0;
        if (off < 0 && ++refused % STATES == 0) shrink /= 2;
    }
    if (good >= ENOUGH) return true;
    noe_fail(NOE_INVALID, "%s: the symmetry '%.60s' cannot be verified: L is finite at too few of %d random states around the start",
             x->m->name, x->d->symbol->name, TRIES);
    longjmp(x->stop, 1);
}

/* The numbers of expressions at the start, at rest. */
static void values(verifier *x, const noe_ex *e, int count, quad *to)
{
    memset(x->in, 0, (size_t)noe_tape_inputs(x->n) * sizeof *x->in);
    x->in[0] = x->m->t0;
    for (int i = 0; i < x->n; i++) x->in[noe_tape_input(NOE_Q, i, x->n)] = x->m->begin[i].q;
    noe_tape *tape = noe_tape_new(&x->m->graph, x->m->param, x->n, e, count);
    quad     *slot = tape ? noe_alloc((size_t)tape->slots, sizeof *slot) : NULL;
    if (slot) noe_tape_run(tape, x->in, slot, to);
    free(tape);
    free(slot);
    if (!slot) longjmp(x->stop, 1);
}

static noe_ex scaled(noe_graph *g, quad c, noe_ex a)
{
    const quad whole = roundq(c);
    if (fabsq(c - whole) <= 1e-30 * fabsq(c)) c = whole; /* the rounding of its evaluation */
    return noe_make(g, NOE_MUL, noe_num(g, fabsq(c) < 1e-30 ? 0 : c), a, 0);
}

/* f from a = f_t and b = f_q at the start, as a polynomial of degree 2. */
static noe_ex polynomial(verifier *x, const noe_ex *b)
{
    noe_graph    *g = &x->m->graph;
    noe_declared *d = x->d;
    const int     n = x->n;
    noe_ex       *e = take(x, (size_t)(n * n + 2 * n + 2), sizeof *e), *row = take(x, 2 * (size_t)n, sizeof *row);
    quad         *y = take(x, (size_t)(n * n + 2 * n + 2), sizeof *y);
    const noe_ex  t = noe_leaf(g, NOE_T, 0);
    for (int i = 0; i < n; i++) {
        noe_gradient(g, b[i], n, row);
        memcpy(e + i * n, row, (size_t)n * sizeof *e);
        e[n * n + i] = noe_by_time(g, b[i]);
        e[n * n + n + i] = b[i];
    }
    e[n * n + 2 * n] = x->S, e[n * n + 2 * n + 1] = noe_by_time(g, x->S);
    values(x, e, n * n + 2 * n + 2, y);
    d->C = y, d->e = y + n * n, d->d = y + n * n + n;
    d->g[1] = y[n * n + 2 * n + 1] / 2, d->g[0] = y[n * n + 2 * n] - 2 * d->g[1] * x->m->t0;
    noe_ex f = noe_make(g, NOE_ADD, scaled(g, d->g[0], t), scaled(g, d->g[1], noe_make(g, NOE_MUL, t, t, 0)), 0);
    for (int i = 0; i < n; i++) {
        const noe_ex q = noe_leaf(g, NOE_Q, i);
        d->d[i] -= x->m->t0 * d->e[i], d->g[0] -= d->e[i] * x->m->begin[i].q;
        for (int j = 0; j < n; j++) {
            d->d[i] -= d->C[i * n + j] * x->m->begin[j].q;
            f = noe_make(g, NOE_ADD, f, scaled(g, d->C[i * n + j] / 2, noe_make(g, NOE_MUL, q, noe_leaf(g, NOE_Q, j), 0)), 0);
        }
        f = noe_make(g, NOE_ADD, f, scaled(g, d->d[i], q), 0);
        f = noe_make(g, NOE_ADD, f, scaled(g, d->e[i], noe_make(g, NOE_MUL, t, q, 0)), 0);
        f = noe_make(g, NOE_SUB, f, scaled(g, d->e[i] * x->m->begin[i].q, t), 0); /* g0 is complete only now */
    }
    return f;
}

static _Noreturn void refuse(verifier *x, quad sum, quad size, const char *why)
{
    const noe_source at = { x->m->name, x->m->text, x->m->length, &x->stop };
    char             state[700];
    int              used = snprintf(state, sizeof state, "t = %.6g", (double)x->in[0]);
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < x->n && i < SHOWN; i++)
            used += snprintf(state + used, sizeof state - (size_t)used, ", %.30s%s = %.6g", x->m->coordinate[i]->name, v ? "'" : "",
                             (double)x->in[noe_tape_input(v ? NOE_V : NOE_Q, i, x->n)]);
    if (why) noe_source_fail(&at, x->d->at, "the symmetry '%.60s' %s", x->d->symbol->name, why);
    noe_source_fail(&at, x->d->at, "'%.60s' is no symmetry of L: at %s%s its L_q xi + L_v xi' is %.3g, of terms of the size %.3g, "
                    "and no total derivative", x->d->symbol->name, state, x->n > SHOWN ? ", .." : "", (double)sum, (double)size);
}

/* E_i = S_q,i - d/dt S_v,i, term by term; false when S is not affine in the velocities to begin with. */
static bool euler(verifier *x, const noe_ex *slope, noe_ex *term)
{
    noe_graph *g = &x->m->graph;
    for (int i = 0; i < x->n; i++) {
        const noe_ex b = slope[x->n + i];
        if (g->node[b].has & NOE_HAS_V) return false;
        term[2 * i] = slope[i];
        term[2 * i + 1] = noe_make(g, NOE_NEG, noe_rate(g, b), 0, 0);
    }
    return true;
}

static void verify(verifier *x)
{
    noe_graph    *g = &x->m->graph;
    noe_declared *d = x->d;
    const int     n = x->n;
    quad          sum = 0, size = 0, ignored;
    noe_ex       *slope = take(x, 2 * (size_t)n, sizeof *slope), *term = take(x, 2 * (size_t)n + 1, sizeof *term);
    zero          z;
    noe_gradient(g, x->m->L, n, slope);
    x->S = noe_num(g, 0);
    for (int i = 0; i < n; i++) {
        term[2 * i] = noe_make(g, NOE_MUL, slope[i], d->xi[i], 0);
        term[2 * i + 1] = noe_make(g, NOE_MUL, slope[n + i], noe_rate(g, d->xi[i]), 0);
        x->S = noe_make(g, NOE_ADD, noe_make(g, NOE_ADD, x->S, term[2 * i], 0), term[2 * i + 1], 0);
    }
    zero_open(x, &z, term, 1, 2 * n);
    const bool strict = vanishes(x, &z, &sum, &size);
    free(z.tape);
    if (strict) return;
    quad *state = take(x, (size_t)noe_tape_inputs(n), sizeof *state);
    memcpy(state, x->in, (size_t)noe_tape_inputs(n) * sizeof *state);
    noe_gradient(g, x->S, n, slope);
    bool null = euler(x, slope, term);
    if (null) {
        zero_open(x, &z, term, n, 2);
        null = vanishes(x, &z, &ignored, &ignored);
        free(z.tape);
    }
    if (null) {
        const noe_ex f = polynomial(x, slope + n);
        term[0] = x->S, term[1] = noe_make(g, NOE_NEG, noe_rate(g, f), 0, 0);
        zero_open(x, &z, term, 1, 2);
        d->gauge = vanishes(x, &z, &ignored, &ignored);
        free(z.tape);
        if (!d->gauge)
            refuse(x, 0, 0, "changes L by a total derivative df/dt whose f is no polynomial of degree 2 in t and the "
                   "coordinates: its momentum is not known");
        d->symbol->ex = noe_make(g, NOE_SUB, d->symbol->ex, f, 0);
        return;
    }
    memcpy(x->in, state, (size_t)noe_tape_inputs(n) * sizeof *state);
    refuse(x, sum, size, NULL);
}

/* Do forces act along xi? */
static void push(verifier *x)
{
    const int n = x->n;
    noe_ex   *f = take(x, 4 * (size_t)n, sizeof *f);
    quad      sum, size;
    zero      z;
    if (!noe_model_forced(x->m)) return;
    noe_model_force(x->m, f, f + n);
    for (int i = 0; i < n; i++) f[i] = noe_make(&x->m->graph, NOE_MUL, f[i], x->d->xi[i], 0);
    zero_open(x, &z, f, 1, n);
    x->d->pushed = !vanishes(x, &z, &sum, &size);
    free(z.tape);
}

/* xi = A q + b + t c? */
static void affine(verifier *x)
{
    noe_graph    *g = &x->m->graph;
    noe_declared *d = x->d;
    const int     n = x->n;
    noe_ex       *e = take(x, (size_t)(n * n + 2 * n), sizeof *e), *row = take(x, 2 * (size_t)n, sizeof *row);
    unsigned      has = 0;
    for (int i = 0; i < n; i++) {
        noe_gradient(g, d->xi[i], n, row);
        memcpy(e + i * n, row, (size_t)n * sizeof *e);
        e[n * n + i] = noe_by_time(g, d->xi[i]);
        e[n * n + n + i] = d->xi[i];
        for (int j = 0; j < n; j++) has |= g->node[row[j]].has;
        has |= g->node[e[n * n + i]].has;
    }
    if (has & ~(unsigned)NOE_HAS_PARAM) return;
    quad *y = take(x, (size_t)(n * n + 2 * n), sizeof *y);
    values(x, e, n * n + 2 * n, y);
    d->affine = true;
    d->A = y, d->c = y + n * n, d->b = y + n * n + n;
    for (int i = 0; i < n; i++) {
        d->b[i] -= x->m->t0 * d->c[i];
        for (int j = 0; j < n; j++) d->b[i] -= d->A[i * n + j] * x->m->begin[j].q;
    }
}

bool noe_declared_verify(noe_model *m)
{
    if (!m->declareds) return true;
    verifier     *x = noe_arena_take(m->arena, sizeof *x);
    volatile bool ok = false;
    if (!x) return false;
    *x = (verifier){ .m = m, .n = m->n };
    m->graph.stop = &x->stop;
    if (!setjmp(x->stop)) {
        x->q = take(x, (size_t)m->n, sizeof *x->q), x->v = take(x, (size_t)m->n, sizeof *x->v);
        x->in = take(x, (size_t)noe_tape_inputs(m->n), sizeof *x->in);
        scales(x);
        for (int k = 0; k < m->declareds; k++) {
            x->d = &m->declared[k];
            verify(x);
            affine(x);
            push(x);
        }
        ok = true;
    }
    m->graph.stop = NULL;
    return ok;
}
