/* Properties of a Lagrangian: separable, constant mass, linear; couplings, cyclic q, frequencies.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/property_parts.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds a condition of a fact: that an output is 0, or does not depend on some variables. */
static void need(noe_fact *fact, bool proved, bool seen)
{
    fact->sampled |= !proved && seen;
    fact->holds &= proved || seen;
}

static bool constant(const noe_survey *s, int output, bool in_time)
{
    return noe_survey_none(s, output, s->spread[output])
        && (!in_time || noe_survey_none(s, output, s->drift[output]));
}

/* A fact that fails is disproved by one value, so it is not `sampled`; for L in C every fact is.
 * */
static void settle(noe_fact *fact, const noe_properties *to)
{
    fact->sampled = (fact->holds && fact->sampled) || to->functions;
}

static void verdicts(noe_properties *to, const noe_survey *s)
{
    const noe_derivative_probe *x = &s->probe;
    const int                   n = to->n, N = 2 * n, L = noe_derivative_probe_L(x);
    noe_fact                    at_rest = { .holds = true };
    to->separable.holds = to->constant_mass.holds = to->quadratic.holds = to->autonomous.holds =
        true;
    for (int i = 0; i < N * N; i++) {
        const int  k = x->hess[i], row = i / N, col = i % N;
        const bool mass = row >= n && col >= n;
        if (k < 0) continue;
        if (row >= n && col < n) need(&to->separable, false, noe_survey_vanishes(s, k));
        need(&to->quadratic, !(x->has[k] & (NOE_HAS_Q | NOE_HAS_V)), constant(s, k, false));
        if (!mass) continue;
        const bool proved = !(x->has[k] & ~NOE_HAS_PARAM), seen = constant(s, k, true);
        need(&to->constant_mass, proved, seen);
        if (!proved && !seen) to->mass_has |= x->has[k] & ~NOE_HAS_PARAM;
    }
    for (int i = 0; i < n * N; i++)
        if (x->force[i] >= 0)
            need(&to->quadratic, !(x->has[x->force[i]] & (NOE_HAS_Q | NOE_HAS_V)),
                 constant(s, x->force[i], false));
    for (int i = 0; i < n * n; i++)
        if (x->gyro[i] >= 0) need(&at_rest, false, noe_survey_vanishes(s, x->gyro[i]));
    need(&to->autonomous, !(x->has[L] & NOE_HAS_T), noe_survey_none(s, L, s->drift[L]));
    if (x->dyn->constraints) {
        to->autonomous.holds &= x->dyn->autonomous;
        to->quadratic.holds &= x->dyn->G_q_entries == 0;
    }
    /* Derivatives do not show a jump at a kink. */
    to->kinks = x->kinks;
    if (to->kinks & (NOE_HAS_Q | NOE_HAS_V)) {
        to->quadratic.holds = false;
        to->separable.holds &= !(x->P_has & NOE_HAS_Q);
    }
    if (to->kinks & NOE_HAS_V) {
        to->constant_mass.holds = false;
        to->mass_has |= NOE_HAS_V;
    }
    to->gyroscopic = (noe_fact){ .holds = !at_rest.holds,
                                 .sampled = at_rest.holds && at_rest.sampled };
    settle(&to->separable, to);
    settle(&to->constant_mass, to);
    settle(&to->quadratic, to);
    settle(&to->autonomous, to);
    to->gyroscopic.sampled |= to->functions;
}

static bool fill(noe_properties *to, const noe_system *s, const noe_method *f)
{
    noe_survey x;
    const int  n = to->n;
    bool       ok = noe_survey_open(&x, s, f, to->step);
    to->redundant = x.redundant, to->freedom = to->n - (to->constraints - to->redundant);
    quad *M = ok ? noe_status_alloc((size_t)n * (size_t)n, sizeof *M) : NULL;
    if ((ok = M != NULL)) {
        verdicts(to, &x);
        noe_coupling_pattern(to, &x);
        noe_survey_mass(&x, x.start, M);
        to->states = x.states, to->states_active = x.states_active;
        to->states_regular = x.states_regular;
        to->worst_condition = x.worst_condition;
        to->seed = NOE_SURVEY_SEED;
        to->damped = x.probe.drain >= 0, to->states_fed = x.states_fed;
        if (to->functions) to->mass_has = 0; /* nothing was read */
        ok = noe_quadratic_eigen_condition(n, M, &to->condition)
          && noe_frequencies_find(to, &x, s, f);
        to->singular = to->condition == INFINITY;
    }
    free(M);
    noe_survey_close(&x);
    return ok;
}

noe_properties *noe_properties_find(const noe_system *s, const noe_method *f, double step)
{
    if (!s || !f) return NULL;
    if (!isfinite(step) || step == 0) {
        noe_status_fail(NOE_INVALID, "the step is %g: expected a finite number that is not zero",
                        step);
        return NULL;
    }
    const int       n = s->dyn.n;
    noe_arena      *arena = noe_arena_new();
    noe_properties *to = noe_arena_take(arena, sizeof *to);
    if (to) {
        *to = (noe_properties){ .arena = arena,
                                .n = n,
                                .size = 2 * n,
                                .constraints = s->dyn.constraints,
                                .functions = !s->model,
                                .forces = s->dyn.forced,
                                .params = s->dyn.params,
                                .step = step };
        to->name = noe_arena_take(arena, (size_t)n * sizeof *to->name);
        to->block = noe_arena_take(arena, (size_t)n * sizeof *to->block);
        to->cyclic = noe_arena_take(arena, (size_t)n * sizeof *to->cyclic);
        memcpy(to->method, f->name, sizeof to->method);
    }
    bool ok = to && to->name && to->block && to->cyclic;
    for (int i = 0; ok && i < n; i++) {
        const char *name = noe_system_name(s, i);
        ok = (to->name[i] = noe_arena_copy(arena, name, strlen(name))) != NULL;
    }
    if (ok && fill(to, s, f)) return to;
    noe_arena_free(arena);
    return NULL;
}

void noe_properties_free(noe_properties *s)
{
    if (s) noe_arena_free(s->arena);
}
