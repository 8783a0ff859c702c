/* Zero test: is sum_k term_k = 0 at every state?  Evaluated at random states, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A sum is taken for 0 if it is below the two bounds at all STATES.  The seed is fixed, so that
 * the same model has the same verdict; no probability is claimed. */
#include "system/zero_test.h"

#include "number/random.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

enum { STATES = 60, STATES_LEAST = 20, TRIES = 2000 };
/* What is 0: a sum below this part of its terms, whose rounding is 1e-34 of them; and below this
 * part of the difference between its terms in double and in binary128, whose roundings differ by
 * 2^-60: where a term itself cancels, that difference tells how much. */
static const double ZERO_PART = 1e-26, ZERO_NOISE = 0x1p-46;

typedef struct {
    noe_tape *tape;
    int       sums, terms; /* expressions; numbers in all of them */
    quad     *slot, *out;  /* slots and outputs of the tape */
    double   *rough;       /* slots of the tape in double */
} zero;

static void *take(noe_zero_states *x, size_t n, size_t size)
{
    return noe_arena_need(x->m->arena, x->stop, n, size);
}

/* A coordinate whose start is not given takes the scale of the others. */
void noe_zero_test_states(noe_zero_states *x)
{
    const noe_model *m = x->m;
    const size_t     n = (size_t)m->n;
    quad             step = (quad)1 / 100;
    double           far = 0, fast = 0;
    x->q = take(x, n, sizeof *x->q), x->v = take(x, n, sizeof *x->v);
    x->in = take(x, (size_t)noe_tape_inputs(m->n), sizeof *x->in);
    if (m->step && !noe_parse_model_value(m, "step", m->step, &step)) longjmp(*x->stop, 1);
    x->time = 40 * fabs((double)step);
    for (int i = 0; i < m->n; i++) {
        x->q[i] = fmax(fabs((double)m->begin[i].q), fabs((double)m->begin[i].v) * x->time);
        x->v[i] = fabs((double)m->begin[i].v);
        far = fmax(far, x->q[i]), fast = fmax(fast, x->v[i]);
    }
    for (int i = 0; i < m->n; i++) {
        if (!(x->q[i] > 0)) x->q[i] = far > 0 ? far : 1;
        if (!(x->v[i] > 0)) x->v[i] = fast > 0 ? fast : x->q[i] / x->time;
    }
}

static void draw(noe_zero_states *x, double rho, uint64_t *seed)
{
    const noe_model *m = x->m;
    x->in[0] = (double)m->t0 + rho * x->time * noe_random_normal(seed);
    for (int i = 0; i < m->n; i++) {
        x->in[noe_tape_input(NOE_Q, i, m->n)] = (double)m->begin[i].q
                                              + rho * x->q[i] * noe_random_normal(seed);
        x->in[noe_tape_input(NOE_V, i, m->n)] = (double)m->begin[i].v
                                              + rho * x->v[i] * noe_random_normal(seed);
    }
}

static zero open_zero(noe_zero_states *x, const noe_ex *term, int sums, int terms)
{
    zero z = { .sums = sums, .terms = terms };
    z.tape = noe_tape_new(&x->m->graph, x->m->param, x->m->n, term, sums * terms);
    if (!z.tape) longjmp(*x->stop, 1);
    z.slot = take(x, (size_t)z.tape->slots, sizeof *z.slot);
    z.rough = take(x, (size_t)z.tape->slots, sizeof *z.rough);
    z.out = take(x, (size_t)(sums * terms), sizeof *z.out);
    return z;
}

/* The largest |sum| / (size of its terms) at the state that is more than rounding makes of 0; -1:
 * not finite.  The difference between the results in double and in binary128 tells how much
 * cancels. */
static double zero_at(noe_zero_states *x, zero *z, noe_zero_found *found)
{
    double worst = 0;
    noe_tape_quad_run(z->tape, x->in, z->slot, z->out);
    for (int i = 0; i < z->tape->inputs; i++) z->rough[i] = (double)x->in[i];
    noe_tape_double_run(z->tape, z->rough);
    for (int k = 0; k < z->sums; k++) {
        quad exact = 0, all = 0, noise = 0;
        for (int i = k * z->terms; i < (k + 1) * z->terms; i++) {
            exact += z->out[i], all += fabsq(z->out[i]);
            noise += fabsq(z->out[i] - z->rough[z->tape->out[i]]);
        }
        if (!finiteq(all) || !finiteq(noise)) return -1;
        if (fabsq(exact) <= fmaxq(ZERO_PART * all, ZERO_NOISE * noise)
            || (double)(fabsq(exact) / all) <= worst)
            continue;
        worst = (double)(fabsq(exact) / all);
        *found = (noe_zero_found){ exact, all };
    }
    return worst;
}

bool noe_zero_test_all(noe_zero_states *x, const noe_ex *term, int sums, int terms,
                       const char *name, noe_zero_found *found)
{
    static const double cycle[] = { 1, 0.3, 3, 10 };
    uint64_t            seed = 1918;
    double              shrink = 1, off = 0;
    int                 good = 0;
    zero                z = open_zero(x, term, sums, terms);
    for (int k = 0, refused = 0; k < TRIES && good < STATES; k++) {
        draw(x, shrink * cycle[k % 4], &seed);
        off = zero_at(x, &z, found);
        if (off > 0) break;
        good += off == 0;
        if (off < 0 && ++refused % STATES == 0) shrink /= 2;
    }
    free(z.tape);
    if (off > 0 || good >= STATES_LEAST) return !(off > 0);
    noe_status_fail(NOE_INVALID,
                    "%s: the symmetry '%.60s' cannot be verified: L is finite at too few of %d "
                    "random states around the start",
                    x->m->name, name, TRIES);
    longjmp(*x->stop, 1);
}
