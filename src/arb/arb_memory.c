/* The state in any number of digits as plain numbers, for restarts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     x = +-m 2^e: exponent, sign and limbs of every number */
#include "arb/arb_engine.h"

#include "base/status.h"

static size_t limbs(const noe_arb_engine *w) { return (size_t)w->prec / FLINT_BITS + 2; }

static void dump(noe_arb_engine *w)
{
    ulong *to = w->copy.memory;
    fmpz_t m, e;
    fmpz_init(m), fmpz_init(e);
    for (int i = 0; i < w->state.numbers; i++, to += limbs(w) + 2) {
        arb_set_round(w->state.all + i, w->state.all + i, w->prec),
            noe_wide_middle(w->state.all + i);
        arf_get_fmpz_2exp(m, e, arb_midref(w->state.all + i));
        to[0] = (ulong)fmpz_get_si(e), to[1] = (ulong)fmpz_sgn(m);
        fmpz_abs(m, m);
        fmpz_get_ui_array(to + 2, (slong)limbs(w), m);
    }
    fmpz_clear(m), fmpz_clear(e);
}

static void undump(noe_arb_engine *w)
{
    const ulong *from = w->copy.memory;
    fmpz_t       m, e;
    fmpz_init(m), fmpz_init(e);
    for (int i = 0; i < w->state.numbers; i++, from += limbs(w) + 2) {
        fmpz_set_ui_array(m, from + 2, (slong)limbs(w));
        if ((slong)from[1] < 0) fmpz_neg(m, m);
        fmpz_set_si(e, (slong)from[0]);
        arb_set_fmpz_2exp(w->state.all + i, m, e);
    }
    fmpz_clear(m), fmpz_clear(e);
}

noe_arb_engine *noe_arb_memory_settle(void *self)
{
    noe_arb_engine *w = self;
    if (!w->copy.given) return w;
    w->copy.given = w->now.v_known = w->now.observed = false;
    undump(w);
    return w;
}

void *noe_arb_memory_of(void *self, size_t *bytes)
{
    noe_arb_engine *w = noe_arb_memory_settle(self);
    *bytes = w->copy.bytes = (size_t)w->state.numbers * (limbs(w) + 2) * sizeof(ulong);
    if (!w->copy.memory) w->copy.memory = noe_status_alloc(1, w->copy.bytes);
    if (!w->copy.memory) return *bytes = 0, NULL;
    dump(w);
    w->copy.given = true;
    return w->copy.memory;
}
