/* Does a monitor G have a symmetry of L, G_q . xi = 0?  On random states around the start.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "symmetry/symmetry.h"

#include "base/status.h"
#include "system/zero_test.h"

#include <string.h>

/* Part of the terms of G_q . xi up to which it is 0: what the rounding of the model's constants to
 * double makes, which the zero test (system/zero_test.c) does not forgive.  Fewer states than
 * there, since each takes n + 1 evaluations. */
static const double CONSTANTS_ROUNDED = 1e-13;
enum { STATES = 12 };

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

/* At t = 0, where boosts move nothing: they share G as the translations do.  False where G is
 * finite at too few states.  slot: [slots of the tape + 2n] numbers. */
static bool shared(const noe_symmetries *s, const noe_symmetry *y, const noe_tape *clock,
                   noe_zero_states *at, quad *slot)
{
    const int n = s->n;
    quad     *xi = slot + clock->slots, *one = xi + n;
    int       good = 0;
    bool      finite = true;
    noe_zero_test_begin(at, 2718);
    while (good < STATES && noe_zero_test_next(at, finite)) {
        quad size = 0;
        at->in[0] = 0;
        components(s, y, at->in, one, xi);
        const quad sum = rate(clock, n, at->in, slot, xi);
        finite = finiteq(sum);
        if (!finite) continue;
        for (int i = 0; i < n; i++) {
            memset(one, 0, (size_t)n * sizeof *one);
            one[i] = xi[i];
            size += fabsq(rate(clock, n, at->in, slot, one));
        }
        if (fabsq(sum) > CONSTANTS_ROUNDED * size) return false;
        good++;
    }
    return good == STATES;
}

bool noe_monitor_symmetry_mark(noe_symmetries *s, const noe_system *system)
{
    if (!noe_system_monitored(system)) return true;
    const bool            transformed = system->stepped.transformed;
    const noe_tape *const clock = system->stepped.clock;
    jmp_buf               stop;
    noe_zero_states       at = { .m = system->model, .arena = s->arena, .stop = &stop };
    if (setjmp(stop)) return false;
    noe_zero_test_states(&at);
    quad *slot = noe_arena_need(s->arena, &stop, (size_t)clock->slots + 2 * (size_t)s->n,
                                sizeof *slot);
    for (int i = 0; i < s->count; i++)
        if (s->found[i].kind != NOE_ENERGY) {
            noe_symmetry *const y = &s->found[i];
            y->monitor_lacks = !shared(s, y, clock, &at, slot);
            y->transformed_lacks = transformed && (!y->strict || y->monitor_lacks);
        }
    return true;
}
