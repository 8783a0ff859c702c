/* Does a monitor G have a symmetry of L, G_q . xi = 0?  On random states around the start.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "symmetry/symmetry.h"

#include "base/status.h"
#include "number/random.h"

#include <stdlib.h>
#include <string.h>

/* Part of the terms of G_q . xi up to which it is 0: what the rounding of the model's constants to
 * double makes. */
static const double ROUNDING = 1e-13;

/* The components of a generator xi = A q + b, or of a declared one. */
static void components(const noe_symmetries *s, const noe_symmetry *y, quad *in, quad *p, quad *xi)
{
    const int   n = s->n;
    const quad *q = in + noe_tape_input(NOE_Q, 0, n);
    if (!y->coef) {
        noe_tape_quad_run(y->xi, in, y->slot, xi);
        return;
    }
    for (int i = 0; i < n; i++) {
        memset(p, 0, (size_t)n * sizeof *p);
        p[i] = 1, xi[i] = 0;
        for (int a = 0; a < s->terms; a++)
            if (y->coef[a] != 0)
                xi[i] += noe_generator_basis_momentum(&s->term[a], y->coef[a], in[0], q, p, 0);
    }
}

/* G_q . v, by the tape of G and dG/dt. */
static quad rate(const noe_tape *clock, int n, quad *in, quad *slot, const quad *v)
{
    quad out[3];
    memcpy(in + noe_tape_input(NOE_V, 0, n), v, (size_t)n * sizeof *v);
    noe_tape_quad_run(clock, in, slot, out);
    return out[1];
}

static bool shared(const noe_symmetries *s, const noe_symmetry *y, const noe_system *system,
                   quad *in)
{
    enum { STATES = 12 };
    const int       n = s->n;
    const noe_tape *clock = system->stepped.clock;
    quad           *slot = in + noe_tape_inputs(n), *xi = slot + clock->slots, *one = xi + n;
    uint64_t        random = 2718;
    memset(in, 0, (size_t)noe_tape_inputs(n) * sizeof *in);
    for (int k = 0; k < STATES; k++) {
        quad sum, size = 0;
        for (int i = 0; i < n; i++) {
            const quad q = system->model->begin[i].q;
            in[noe_tape_input(NOE_Q, i, n)] = q + (1 + fabsq(q)) / 4 * noe_random_normal(&random);
        }
        components(s, y, in, one, xi);
        sum = rate(clock, n, in, slot, xi);
        for (int i = 0; i < n; i++) {
            memset(one, 0, (size_t)n * sizeof *one);
            one[i] = xi[i];
            size += fabsq(rate(clock, n, in, slot, one));
        }
        if (finiteq(sum) && fabsq(sum) > ROUNDING * size) return false;
    }
    return true;
}

bool noe_monitor_symmetry_mark(noe_symmetries *s, const noe_system *system)
{
    if (!noe_system_monitored(system)) return true;
    const bool   transformed = system->stepped.transformed;
    const size_t n = (size_t)s->n, slots = (size_t)system->stepped.clock->slots;
    quad        *in = noe_status_alloc((size_t)noe_tape_inputs(s->n) + slots + 2 * n, sizeof *in);
    for (int i = 0; in && i < s->count; i++)
        if (s->found[i].kind != NOE_ENERGY) {
            noe_symmetry *const y = &s->found[i];
            y->monitor_lacks = !shared(s, y, system, in);
            y->transformed_lacks = transformed && (!y->strict || y->monitor_lacks);
        }
    free(in);
    return in != NULL;
}
