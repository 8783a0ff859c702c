/* {"coordinates": [..], "separable": {"holds": true, "sampled": false}, ..}  (RFC 8259).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/properties.h"
#include "base/json.h"

#include <math.h>

static void put_number(FILE *f, const char *name, double x, const char *end)
{
    fprintf(f, "\"%s\": ", name);
    noe_json_number(f, x, NOE_DIGITS_DOUBLE);
    fputs(end, f);
}

static void put_bool(FILE *f, const char *name, bool x, const char *end)
{
    fprintf(f, "\"%s\": %s%s", name, x ? "true" : "false", end);
}

static void put_fact(FILE *f, const char *name, noe_fact x)
{
    fprintf(f, "\"%s\": {", name);
    put_bool(f, "holds", x.holds, ", ");
    put_bool(f, "sampled", x.sampled, "},\n");
}

/* Names are letters, digits and underscores, or x.1: nothing to escape. */
static void put_names(FILE *f, const noe_properties *s, int block, const bool *chosen)
{
    const char *comma = "";
    putc('[', f);
    for (int i = 0; i < s->n; i++) {
        if ((block >= 0 && s->block[i] != block) || (chosen && !chosen[i])) continue;
        fprintf(f, "%s\"%s\"", comma, s->name[i]);
        comma = ", ";
    }
    putc(']', f);
}

static void put_leaves(FILE *f, const char *name, unsigned has)
{
    fprintf(f, "\"%s\": \"%s%s%s\",\n", name, has & NOE_HAS_Q ? "q" : "",
            has & NOE_HAS_V ? "v" : "", has & NOE_HAS_T ? "t" : "");
}

static void put_facts(FILE *f, const noe_properties *s)
{
    put_bool(f, "functions_in_c", s->functions, ",\n");
    put_fact(f, "separable", s->separable);
    put_fact(f, "constant_mass", s->constant_mass);
    put_leaves(f, "mass_depends_on", s->functions ? 0 : s->mass_has);
    put_fact(f, "quadratic", s->quadratic);
    put_fact(f, "autonomous", s->autonomous);
    put_fact(f, "gyroscopic", s->gyroscopic);
    put_leaves(f, "kinks", s->kinks);
    put_bool(f, "forces", s->forces, ",\n");
    put_bool(f, "damped", s->damped, ",\n");
    fprintf(f, "\"negative_damping_at\": %d,\n", s->states_fed);
}

static void put_pattern(FILE *f, const noe_properties *s)
{
    fprintf(f, "\"mass\": {");
    put_number(f, "condition", s->condition, ", ");
    put_bool(f, "singular", s->condition == INFINITY, ", ");
    fprintf(f, "\"nonsingular\": %d, \"states\": %d, ", s->states_regular, s->states);
    put_number(f, "worst_condition", s->worst_condition, "},\n");
    fprintf(f, "\"hessian\": {\"size\": %d, \"nonzeros\": %d, ", 2 * s->n, s->nonzeros);
    fprintf(f, "\"cancelled\": %d, \"bandwidth\": %d},\n\"blocks\": [", s->cancelled, s->bandwidth);
    for (int k = 0; k < s->blocks; k++) {
        if (k) fprintf(f, ", ");
        put_names(f, s, k, NULL);
    }
    fprintf(f, "],\n");
    put_bool(f, "blocks_sampled", s->blocks_sampled, ",\n\"cyclic\": ");
    put_names(f, s, -1, s->cyclic);
    fprintf(f, ",\n");
}

static void put_start(FILE *f, const noe_properties *s)
{
    const noe_quadratic_spectrum *x = &s->start;
    fprintf(f, "\"start\": {");
    put_bool(f, "finite", s->finite, ", ");
    put_bool(f, "equilibrium", s->equilibrium, ", ");
    put_bool(f, "moving", s->moving, ", ");
    put_number(f, "fastest", s->spectral ? x->fastest : NAN, ", ");
    put_number(f, "slowest", s->spectral ? x->slowest : NAN, ", ");
    put_number(f, "growth", s->spectral ? x->growth : NAN, ", ");
    fprintf(f, "\"zeros\": %d, \"infinite\": %d},\n", x->zeros, x->infinite);
    fprintf(f, "\"trial_run\": {\"steps\": %d, ", s->visited);
    put_number(f, "fastest", s->visited ? s->fastest_visited : NAN, "},\n");
}

void noe_properties_json(const noe_properties *s, FILE *f)
{
    if (!s || !f) return;
    fprintf(f, "{\"coordinates\": ");
    put_names(f, s, -1, NULL);
    fprintf(f, ",\n\"constraints\": %d,\n\"degrees_of_freedom\": %d,\n", s->constraints,
            s->freedom);
    put_facts(f, s);
    put_pattern(f, s);
    put_start(f, s);
    fprintf(f, "\"method\": \"%s\",\n", s->method);
    put_number(f, "step", s->step, ",\n");
    put_number(f, "edge", s->edge, ",\n");
    put_number(f, "stable_step", s->stable_step, ",\n");
    put_number(f, "fine_step", s->fine_step, ",\n");
    put_bool(f, "inside", s->inside, ",\n");
    fprintf(f, "\"seed\": %llu}\n", (unsigned long long)s->seed);
}
