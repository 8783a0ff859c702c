/* Zero test: is sum_k term_k = 0 at every state?  Evaluated at random states, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A sum is taken for 0 if it is below the two bounds at all states.  The seed is fixed, so that
 * the same model has the same verdict; no probability is claimed. */
#include "system/zero_test.h"

#include "number/random.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 2000 };
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
    return noe_arena_need(x->arena, x->stop, n, size);
}

void noe_zero_test_scale(noe_zero_region *x)
{
    quad far = 0, fast = 0;
    for (int i = 0; i < x->n; i++) {
        x->q[i] = fmaxq(fabsq(x->q0[i]), fabsq(x->v0[i]) * x->time), x->v[i] = fabsq(x->v0[i]);
        far = fmaxq(far, x->q[i]), fast = fmaxq(fast, x->v[i]);
    }
    for (int i = 0; i < x->n; i++) {
        if (!(x->q[i] > 0)) x->q[i] = far > 0 ? far : 1;
        if (!(x->v[i] > 0)) x->v[i] = fast > 0 ? fast : x->q[i] / x->time;
    }
}

void noe_zero_test_draw(const noe_zero_region *x, double rho, uint64_t *seed, quad *q, quad *v)
{
    for (int i = 0; i < x->n; i++) {
        q[i] = x->q0[i] + rho * x->q[i] * noe_random_normal(seed);
        if (v) v[i] = x->v0[i] + rho * x->v[i] * noe_random_normal(seed);
    }
}

void noe_zero_test_states(noe_zero_states *x)
{
    const noe_model *m = x->m;
    const size_t     n = (size_t)m->n;
    quad             step = (quad)1 / 100, *q0 = take(x, 4 * n, sizeof *q0), *v0 = q0 + n;
    x->in = take(x, (size_t)noe_tape_inputs(m->n), sizeof *x->in);
    if (m->step && !noe_parse_model_value(m, "step", m->step, &step)) longjmp(*x->stop, 1);
    for (int i = 0; i < m->n; i++) q0[i] = m->begin[i].q, v0[i] = m->begin[i].v;
    x->around =
        (noe_zero_region){ m->n, q0, v0, m->t0, 40 * fabs((double)step), v0 + n, v0 + 2 * n };
    noe_zero_test_scale(&x->around);
}

void noe_zero_test_begin(noe_zero_states *x, uint64_t seed)
{
    x->seed = seed, x->shrink = 1, x->tries = x->refused = 0;
}

bool noe_zero_test_next(noe_zero_states *x, bool finite)
{
    static const double cycle[] = { 1, 0.3, 3, 10 };
    const int           n = x->around.n;
    if (!finite && ++x->refused % NOE_ZERO_STATES == 0) x->shrink /= 2;
    if (x->tries == TRIES) return false;
    const double rho = x->shrink * cycle[x->tries++ % 4];
    quad *const q = x->in + noe_tape_input(NOE_Q, 0, n), *const v = x->in
                                                                  + noe_tape_input(NOE_V, 0, n);
    x->in[0] = (double)x->around.t0 + rho * x->around.time * noe_random_normal(&x->seed);
    noe_zero_test_draw(&x->around, rho, &x->seed, q, v);
    for (int i = 0; i < n; i++) q[i] = (double)q[i], v[i] = (double)v[i];
    return true;
}

bool noe_zero_test_is(quad sum, quad size, quad noise)
{
    return fabsq(sum) <= fmaxq(ZERO_PART * size, ZERO_NOISE * noise);
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
        if (noe_zero_test_is(exact, all, noise) || (double)(fabsq(exact) / all) <= worst) continue;
        worst = (double)(fabsq(exact) / all);
        *found = (noe_zero_found){ exact, all };
    }
    return worst;
}

bool noe_zero_test_all(noe_zero_states *x, const noe_ex *term, int sums, int terms,
                       const char *name, noe_zero_found *found)
{
    double off = 0;
    int    good = 0;
    zero   z = open_zero(x, term, sums, terms);
    noe_zero_test_begin(x, 1918);
    while (good < NOE_ZERO_STATES && noe_zero_test_next(x, off >= 0)) {
        off = zero_at(x, &z, found);
        if (off > 0) break;
        good += off == 0;
    }
    free(z.tape);
    if (off > 0 || good >= NOE_ZERO_STATES_LEAST) return !(off > 0);
    noe_status_fail(NOE_INVALID,
                    "%s: the symmetry '%.60s' cannot be verified: L is finite at too few of %d "
                    "random states around the start",
                    x->m->name, name, TRIES);
    longjmp(*x->stop, 1);
}
