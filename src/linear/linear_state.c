/* The state of a linear system in one array: t0, h, count, H0, work, dissipation, z, rest, more.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "linear/linear_state.h"

#include "base/status.h"
#include "linear/transition_kernel.h"

#include <math.h>
#include <string.h>

enum { HEAD = 8 };

bool noe_linear_state_make(noe_linear_state *x, noe_arena *a, int n, size_t more)
{
    const int width = noe_transition_kernel_width(2 * n), room = (width + 7) / 8 * 8;
    *x = (noe_linear_state){ .n = n, .width = width, .numbers = HEAD + 2 * (size_t)room + more };
    x->memory = noe_arena_take(a, x->numbers * sizeof *x->memory);
    if (!x->memory) return false;
    x->t0 = x->memory, x->h = x->memory + 1, x->count = x->memory + 2, x->H0 = x->memory + 3;
    x->work = x->memory + 4, x->lost = x->memory + 6;
    x->z = x->memory + HEAD, x->rest = x->z + room, x->more = x->rest + room;
    return true;
}

void noe_linear_state_set(noe_linear_state *s, noe_engine_value what, const quad *x)
{
    const int n = s->n, from = what == NOE_AT_P ? n : 0;
    if (what == NOE_AT_T0) *s->t0 = (double)*x;
    if (what == NOE_AT_STEP) *s->h = (double)*x;
    if (what == NOE_AT_COUNT) *s->count = (double)*x;
    if (what != NOE_AT_Q && what != NOE_AT_P) return;
    for (int i = 0; i < n; i++) s->z[from + i] = (double)x[i], s->rest[from + i] = 0;
}

void noe_linear_state_place(noe_linear_state *s, const noe_structure *of, double t)
{
    *s->t0 = t, *s->count = 0;
    if (of->load) s->work[0] = NAN;
    if (of->C || of->alpha != 0 || of->beta != 0) s->lost[0] = NAN;
}

bool noe_linear_state_get(const noe_linear_state *s, noe_engine_value what, quad *x)
{
    const int n = s->n, from = what == NOE_AT_P ? n : 0;
    switch (what) {
    case NOE_AT_T0: *x = *s->t0; return true;
    case NOE_AT_STEP: *x = *s->h; return true;
    case NOE_AT_COUNT: *x = *s->count; return true;
    case NOE_AT_T: *x = *s->t0 + *s->count * *s->h; return true;
    case NOE_AT_WORK: *x = s->work[0]; return true;
    case NOE_AT_DISSIPATED: *x = s->lost[0]; return true;
    case NOE_AT_Q:
    case NOE_AT_P:
        for (int i = 0; i < n; i++) x[i] = s->z[from + i];
        return true;
    default: return false;
    }
}

void noe_linear_state_add(double *balance, double what)
{
    const double d = what + balance[1], sum = balance[0] + d, b = sum - balance[0];
    balance[1] = (balance[0] - (sum - b)) + (d - b);
    balance[0] = sum;
}

double noe_linear_state_balance(const noe_linear_state *s, double energy)
{
    return ((energy - *s->H0 + s->lost[0]) - s->work[0]) + (s->lost[1] - s->work[1]);
}

noe_status noe_linear_state_why(void *engine, int member)
{
    return (void)member, ((noe_linear_state *)engine)->why;
}

void *noe_linear_state_memory(void *engine, size_t *bytes)
{
    noe_linear_state *s = engine;
    *bytes = s->numbers * sizeof(double);
    return s->memory;
}

void noe_linear_state_print_blas(char *text, size_t size, bool eliminated)
{
    noe_status_append(text, size,
                      eliminated ? "; the BLAS of this processor, as LAPACK eliminates what has no "
                                   "mass: others have other last digits"
                                 : "; the BLAS of this processor: others have other last digits "
                                   "(--bits same)");
}
