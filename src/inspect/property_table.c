/* The table of properties: a line each, and what the text says of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/property_table.h"

#include <math.h>
#include <stddef.h>

enum { SHOWN = 12 }; /* largest number of names in a list */

static const char *seen(noe_fact x) { return x.sampled ? " on sampled states" : ""; }

/* The coordinates of a block, the cyclic ones, or all. */
static void add_names(noe_text *t, const noe_properties *s, int block, const bool *chosen)
{
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        if ((block >= 0 && s->block[i] != block) || (chosen && !chosen[i])) continue;
        if (count < SHOWN) noe_text_add(t, "%s%s", count ? ", " : "", s->name[i]);
        count++;
    }
    if (count > SHOWN) noe_text_add(t, ", .. %d in all", count);
}

static const char *variables(unsigned has)
{
    static const char *const text[] = { "the state", "t",       "q",       "q and t",
                                        "v",         "v and t", "q and v", "q, v and t" };
    return text[(has & NOE_HAS_T ? 1 : 0) + (has & NOE_HAS_Q ? 2 : 0) + (has & NOE_HAS_V ? 4 : 0)];
}

static void freedom(noe_text *t, const noe_properties *s)
{
    noe_text_add(t, "%d (", s->freedom);
    add_names(t, s, -1, NULL);
    if (s->redundant)
        noe_text_add(t, ": %d coordinates, less %d of %d constraints; %d follow%s from the others)",
                     s->n, s->constraints - s->redundant, s->constraints, s->redundant,
                     s->redundant > 1 ? "" : "s");
    else if (s->constraints)
        noe_text_add(t, ": %d coordinates, less %d constraint%s)", s->n, s->constraints,
                     s->constraints > 1 ? "s" : "");
    else noe_text_add(t, "): a state is %d numbers", 2 * s->n);
}

static void functions_in_c(noe_text *t, const noe_properties *s)
{
    if (s->functions)
        noe_text_add(t, "evaluated, not read: sampled around q = v = 0%s",
                     s->params ? ", parameters 0" : "");
}

static void separable(noe_text *t, const noe_properties *s)
{
    noe_text_add(t,
                 s->separable.holds && s->constraints
                     ? "yes%s, L = T(v) - V(q); splittings leave the constraints"
                 : s->separable.holds ? "yes%s, L = T(v) - V(q): explicit splittings apply"
                                      : "no%s, L_vq is not 0: explicit splittings do not apply",
                 seen(s->separable));
}

static void mass_matrix(noe_text *t, const noe_properties *s)
{
    if (s->constant_mass.holds)
        noe_text_add(t, "constant%s: momenta are a fixed linear function of velocities",
                     seen(s->constant_mass));
    else
        noe_text_add(t, "depends on %s%s: it is formed anew along the motion",
                     variables(s->mass_has), seen(s->constant_mass));
}

static void equations(noe_text *t, const noe_properties *s)
{
    if (!s->quadratic.holds)
        noe_text_add(t, "nonlinear%s: a step is found by iteration", seen(s->quadratic));
    else
        noe_text_add(t, "linear%s, L is quadratic%s: a step is one linear system%s",
                     seen(s->quadratic), s->forces ? ", the forces are linear" : "",
                     s->autonomous.holds ? ", always the same" : "");
}

static void dependence_on_time(noe_text *t, const noe_properties *s)
{
    const char *const format =
        s->autonomous.holds ? s->forces ? "not in L%s: energy is changed by the forces alone"
                                        : "not in L%s: energy is conserved, its error stays bounded"
        : s->forces         ? "in L%s: energy is changed by that and by the forces"
                    : "in L%s: energy is not conserved, steps must resolve the time dependence";
    noe_text_add(t, format, seen(s->autonomous));
}

static void damping(noe_text *t, const noe_properties *s)
{
    if (s->damped && s->states_fed)
        noe_text_add(t, "NEGATIVE at %d of %d random states: it feeds energy into the motion there",
                     s->states_fed, s->states);
    else if (s->damped)
        noe_text_add(t, "takes energy out of the motion, at all %d random states", s->states);
}

static void kinks(noe_text *t, const noe_properties *s)
{
    if (s->kinks)
        noe_text_add(
            t, "abs, min, max, if, sign, floor or mod of %s: the order drops where one is crossed",
            variables(s->kinks));
}

static void gyroscopic(noe_text *t, const noe_properties *s)
{
    noe_text_add(t,
                 s->gyroscopic.holds
                     ? "yes%s: forces turn the velocity and do no work, like a magnetic field"
                     : "no%s: no force turns the velocity like a magnetic field",
                 seen(s->gyroscopic));
}

static void mass_at_start(noe_text *t, const noe_properties *s)
{
    if (isnan(s->condition)) noe_text_add(t, "not finite: start elsewhere");
    else if (s->singular)
        noe_text_add(t, "singular: velocities do not follow from momenta; start elsewhere or "
                        "choose other coordinates");
    else if (s->condition > 1e8)
        noe_text_add(t, "nearly singular, condition %.3g: velocities lose %.0f of 16 digits",
                     s->condition, log10(s->condition));
    else noe_text_add(t, "nonsingular, condition %.3g: momenta determine velocities", s->condition);
}

static void mass_elsewhere(noe_text *t, const noe_properties *s)
{
    noe_text_add(t, "nonsingular at %d of %d random states: %s", s->states_regular, s->states,
                 s->states_regular < s->states ? "where it is singular a motion is not determined"
                                               : "the same holds there");
}

static void sparsity(noe_text *t, const noe_properties *s)
{
    noe_text_add(t, "%d of %d entries of the Hessian of L", s->nonzeros, 4 * s->n * s->n);
    if (s->cancelled) noe_text_add(t, " (%d more cancel on sampled states)", s->cancelled);
    noe_text_add(t, ", bandwidth %d: a %s solver fits", s->bandwidth,
                 s->bandwidth < s->n / 2 ? "banded" : "dense");
}

static void uncoupled_blocks(noe_text *t, const noe_properties *s)
{
    for (int k = 0; k < s->blocks && k < SHOWN && s->blocks > 1; k++) {
        noe_text_add(t, "%s{", k ? " " : "");
        add_names(t, s, k, NULL);
        noe_text_add(t, "}");
    }
    if (s->blocks > SHOWN) noe_text_add(t, " .. %d in all", s->blocks);
    noe_text_add(t, "%s%s", s->blocks > 1 && s->blocks_sampled ? " on sampled states" : "",
                 s->blocks > 1 ? ": each moves independently and has an energy of its own"
                               : "none: all coordinates are coupled");
}

static void cyclic(noe_text *t, const noe_properties *s)
{
    add_names(t, s, -1, s->cyclic);
    noe_text_add(t, "%s: %s",
                 !s->cyclics    ? "none"
                 : s->functions ? " on sampled states"
                                : "",
                 !s->cyclics ? "L contains every coordinate"
                             : "the momentum is preserved bit for bit");
}

static void start(noe_text *t, const noe_properties *s)
{
    noe_text_add(
        t, "%s",
        !s->finite ? "L or its derivatives are not finite there: no frequencies are known"
        : s->equilibrium && s->moving ? "steady motion: q0 + v0 t solves the equations"
        : s->equilibrium              ? "an equilibrium"
        : s->quadratic.holds && s->autonomous.holds
            ? "no equilibrium: yet the frequencies of linear equations are the same everywhere"
            : "no equilibrium: the frequencies are those of the equations frozen there");
}

/* Part by which one frequency differs from another by rounding: in systems/ 1e-16 at most, and 0.1
 * at least of two. */
static const double SAME_FREQUENCY = 1e-9;

static void frequencies(noe_text *t, const noe_properties *s)
{
    const noe_quadratic_spectrum *x = &s->start;
    if (!s->finite) return;
    if (!s->spectral) {
        noe_text_add(t, "not computed for more than %d coordinates", NOE_PENCIL_MOST);
        return;
    }
    if (x->fastest > 0 && x->slowest < x->fastest * (1 - SAME_FREQUENCY))
        noe_text_add(t, "%.10g to ", x->slowest);
    if (x->fastest > 0)
        noe_text_add(t, "%.10g radians per unit time: fastest period %.6g", x->fastest,
                     2 * M_PI / x->fastest);
    else noe_text_add(t, "none: nothing oscillates there");
    if (x->zeros)
        noe_text_add(t, "; %d of %d roots are 0, without restoring force", x->zeros,
                     2 * s->freedom);
}

static void growth(noe_text *t, const noe_properties *s)
{
    if (s->start.growth > 0)
        noe_text_add(t, "%.10g per unit time: %s", s->start.growth,
                     s->equilibrium ? "unstable, neighbouring motions leave exponentially"
                                    : "neighbouring motions diverge there");
}

static void trial_run(noe_text *t, const noe_properties *s)
{
    if (s->visited)
        noe_text_add(t, "frequencies up to %.10g along the first %d steps", s->fastest_visited,
                     s->visited);
}

static void stable_step(noe_text *t, const noe_properties *s)
{
    if (!isfinite(s->edge) && isfinite(s->searched))
        noe_text_add(t, "any, as far as was searched, to w h = %.6g: %s", s->searched, s->method);
    else if (!isfinite(s->edge))
        noe_text_add(t, "any: %s is stable on every oscillator", s->method);
    else if (s->fastest > 0)
        noe_text_add(t, "%.6g = %.6g/%.6g, %s on the fastest frequency: the step %.6g is %s",
                     s->stable_step, s->edge, s->fastest, s->method, s->step,
                     s->inside ? "inside" : "BEYOND IT, expect growth");
    else noe_text_add(t, "not known: %s", s->spectral ? "nothing oscillates" : "no frequencies");
}

static void fine_step(noe_text *t, const noe_properties *s)
{
    if (s->fastest > 0)
        noe_text_add(t, "%.6g for 40 points in the fastest period: the step %.6g gives %.3g",
                     s->fine_step, s->step, 2 * M_PI / (s->fastest * fabs(s->step)));
}

static void sampled_states(noe_text *t, const noe_properties *s)
{
    noe_text_add(t, "%d around the start", s->states);
    if (s->states_active) noe_text_add(t, ", %d where local terms act", s->states_active);
    noe_text_add(t, ": seed %llu, always the same", (unsigned long long)s->seed);
}

#define DATA(object, key, kind, field)                                                \
    {                                                                                 \
        object, key, NOE_PROPERTY_##kind, offsetof(noe_properties, field), NULL, NULL \
    }
#define LINE(object, key, kind, field, label, sentence)                                    \
    {                                                                                      \
        object, key, NOE_PROPERTY_##kind, offsetof(noe_properties, field), label, sentence \
    }

const noe_property noe_property_table[] = {
    DATA(NULL, "coordinates", NAMES, name),
    DATA(NULL, "constraints", COUNT, constraints),
    LINE(NULL, "degrees_of_freedom", COUNT, freedom, "degrees of freedom", freedom),
    LINE(NULL, "functions_in_c", BOOL, functions, "functions in C", functions_in_c),
    LINE(NULL, "separable", FACT, separable, "separable", separable),
    LINE(NULL, "constant_mass", FACT, constant_mass, "mass matrix", mass_matrix),
    DATA(NULL, "mass_depends_on", VARIABLES, mass_has),
    LINE(NULL, "quadratic", FACT, quadratic, "equations", equations),
    LINE(NULL, "autonomous", FACT, autonomous, "time", dependence_on_time),
    DATA(NULL, "forces", BOOL, forces),
    LINE(NULL, "damped", BOOL, damped, "damping", damping),
    DATA(NULL, "negative_damping_at", COUNT, states_fed),
    LINE(NULL, "kinks", VARIABLES, kinks, "kinks", kinks),
    LINE(NULL, "gyroscopic", FACT, gyroscopic, "gyroscopic", gyroscopic),
    LINE("mass", "condition", NUMBER, condition, "mass at the start", mass_at_start),
    DATA("mass", "singular", BOOL, singular),
    LINE("mass", "nonsingular", COUNT, states_regular, "mass elsewhere", mass_elsewhere),
    DATA("mass", "states", COUNT, states),
    DATA("mass", "worst_condition", NUMBER, worst_condition),
    DATA("hessian", "size", COUNT, size),
    LINE("hessian", "nonzeros", COUNT, nonzeros, "sparsity", sparsity),
    DATA("hessian", "cancelled", COUNT, cancelled),
    DATA("hessian", "bandwidth", COUNT, bandwidth),
    LINE(NULL, "blocks", BLOCKS, block, "uncoupled blocks", uncoupled_blocks),
    DATA(NULL, "blocks_sampled", BOOL, blocks_sampled),
    LINE(NULL, "cyclic", CHOSEN, cyclic, "cyclic", cyclic),
    LINE("start", "finite", BOOL, finite, "start", start),
    DATA("start", "equilibrium", BOOL, equilibrium),
    DATA("start", "moving", BOOL, moving),
    LINE("start", "fastest", NUMBER, start.fastest, "frequencies", frequencies),
    DATA("start", "slowest", NUMBER, start.slowest),
    LINE("start", "growth", NUMBER, start.growth, "growth", growth),
    DATA("start", "zeros", COUNT, start.zeros),
    DATA("start", "infinite", COUNT, start.infinite),
    DATA("trial_run", "steps", COUNT, visited),
    LINE("trial_run", "fastest", NUMBER, fastest_visited, "trial run", trial_run),
    DATA(NULL, "method", TEXT, method),
    DATA(NULL, "step", NUMBER, step),
    DATA(NULL, "edge", NUMBER, edge),
    LINE(NULL, "stable_step", NUMBER, stable_step, "largest stable step", stable_step),
    LINE(NULL, "fine_step", NUMBER, fine_step, "fine step", fine_step),
    DATA(NULL, "inside", BOOL, inside),
    LINE(NULL, "seed", SEED, seed, "sampled states", sampled_states),
    { 0 },
};
