/* Prints the properties of a Lagrangian as text, a fact and its consequence on each line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/properties.h"

#include <math.h>
#include <stdarg.h>

enum { SHOWN = 12 }; /* largest number of names in a list */

/* "label   text\n" */
__attribute__((format(printf, 3, 4))) static void line(FILE *f, const char *label,
                                                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(f, "%-19s ", label);
    vfprintf(f, format, args);
    fputc('\n', f);
    va_end(args);
}

static const char *seen(noe_fact x) { return x.sampled ? " on sampled states" : ""; }

/* The coordinates of a block, the cyclic ones, or all. */
static void names(FILE *f, const noe_properties *s, int block, const bool *chosen)
{
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        if ((block >= 0 && s->block[i] != block) || (chosen && !chosen[i])) continue;
        if (count < SHOWN) fprintf(f, "%s%s", count ? ", " : "", s->name[i]);
        count++;
    }
    if (count > SHOWN) fprintf(f, ", .. %d in all", count);
}

static const char *leaves(unsigned has)
{
    static const char *const text[] = { "the state", "t",       "q",       "q and t",
                                        "v",         "v and t", "q and v", "q, v and t" };
    return text[(has & NOE_HAS_T ? 1 : 0) + (has & NOE_HAS_Q ? 2 : 0) + (has & NOE_HAS_V ? 4 : 0)];
}

static void print_verdicts(const noe_properties *s, FILE *f)
{
    line(f, "separable",
         s->separable.holds && s->constraints
             ? "yes%s, L = T(v) - V(q); splittings leave the constraints"
         : s->separable.holds ? "yes%s, L = T(v) - V(q): explicit splittings apply"
                              : "no%s, L_vq is not 0: explicit splittings do not apply",
         seen(s->separable));
    if (s->constant_mass.holds)
        line(f, "mass matrix", "constant%s: momenta are a fixed linear function of velocities",
             seen(s->constant_mass));
    else
        line(f, "mass matrix", "depends on %s%s: it is formed anew along the motion",
             leaves(s->functions ? 0 : s->mass_has), seen(s->constant_mass));
    if (!s->quadratic.holds)
        line(f, "equations", "nonlinear%s: a step is found by iteration", seen(s->quadratic));
    else
        line(f, "equations", "linear%s, L is quadratic%s: a step is one linear system%s",
             seen(s->quadratic), s->forces ? ", the forces are linear" : "",
             s->autonomous.holds ? ", always the same" : "");
    if (s->autonomous.holds)
        line(f, "time", "not in L%s: energy is %s", seen(s->autonomous),
             s->forces ? "changed by the forces alone" : "conserved, its error stays bounded");
    else if (s->forces)
        line(f, "time", "in L%s: energy is changed by that and by the forces", seen(s->autonomous));
    else
        line(f, "time", "in L%s: energy is not conserved, steps must resolve the time dependence",
             seen(s->autonomous));
    if (s->damped && s->states_fed)
        line(f, "damping",
             "NEGATIVE at %d of %d random states: it feeds energy into the motion there",
             s->states_fed, s->states);
    else if (s->damped)
        line(f, "damping", "takes energy out of the motion, at all %d random states", s->states);
    if (s->kinks)
        line(f, "kinks",
             "abs, min, max, if, sign, floor or mod of %s: the order drops where one is crossed",
             leaves(s->kinks));
    line(f, "gyroscopic",
         s->gyroscopic.holds
             ? "yes%s: forces turn the velocity and do no work, like a magnetic field"
             : "no%s: no force turns the velocity like a magnetic field",
         seen(s->gyroscopic));
}

static void print_mass(const noe_properties *s, FILE *f)
{
    static const char label[] = "mass at the start";
    if (isnan(s->condition)) line(f, label, "not finite: start elsewhere");
    else if (s->condition == INFINITY)
        line(f, label,
             "singular: velocities do not follow from momenta; start elsewhere or choose other "
             "coordinates");
    else if (s->condition > 1e8)
        line(f, label, "nearly singular, condition %.3g: velocities lose %.0f of 16 digits",
             s->condition, log10(s->condition));
    else line(f, label, "nonsingular, condition %.3g: momenta determine velocities", s->condition);
    line(f, "mass elsewhere", "nonsingular at %d of %d random states: %s", s->states_regular,
         s->states,
         s->states_regular < s->states ? "where it is singular a motion is not determined"
                                       : "the same holds there");
}

static void print_pattern(const noe_properties *s, FILE *f)
{
    fprintf(f, "%-19s %d of %d entries of the Hessian of L", "sparsity", s->nonzeros,
            4 * s->n * s->n);
    if (s->cancelled) fprintf(f, " (%d more cancel on sampled states)", s->cancelled);
    fprintf(f, ", bandwidth %d: a %s solver fits\n", s->bandwidth,
            s->bandwidth < s->n / 2 ? "banded" : "dense");
    fprintf(f, "%-19s ", "uncoupled blocks");
    for (int k = 0; k < s->blocks && k < SHOWN && s->blocks > 1; k++) {
        fprintf(f, "%s{", k ? " " : "");
        names(f, s, k, NULL);
        fputc('}', f);
    }
    if (s->blocks > SHOWN) fprintf(f, " .. %d in all", s->blocks);
    fprintf(f, "%s%s\n", s->blocks > 1 && s->blocks_sampled ? " on sampled states" : "",
            s->blocks > 1 ? ": each moves independently and has an energy of its own"
                          : "none: all coordinates are coupled");
    fprintf(f, "%-19s ", "cyclic");
    names(f, s, -1, s->cyclic);
    fprintf(f, "%s: %s\n",
            !s->cyclics    ? "none"
            : s->functions ? " on sampled states"
                           : "",
            !s->cyclics ? "L contains every coordinate" : "the momentum is preserved bit for bit");
}

static void print_frequencies(const noe_properties *s, FILE *f)
{
    const noe_quadratic_spectrum *x = &s->start;
    fprintf(f, "%-19s ", "frequencies");
    if (x->fastest > 0 && x->slowest < x->fastest * (1 - 1e-9)) fprintf(f, "%.10g to ", x->slowest);
    if (x->fastest > 0)
        fprintf(f, "%.10g radians per unit time: fastest period %.6g", x->fastest,
                2 * M_PI / x->fastest);
    else fprintf(f, "none: nothing oscillates there");
    if (x->zeros)
        fprintf(f, "; %d of %d roots are 0, without restoring force", x->zeros, 2 * s->freedom);
    fputc('\n', f);
    if (s->visited)
        line(f, "", "along the first %d steps up to %.10g", s->visited, s->fastest_visited);
    if (x->growth > 0)
        line(f, "growth", "%.10g per unit time: %s", x->growth,
             s->equilibrium ? "unstable, neighbouring motions leave exponentially"
                            : "neighbouring motions diverge there");
}

static void print_start(const noe_properties *s, FILE *f)
{
    if (!s->finite)
        line(f, "start", "L or its derivatives are not finite there: no frequencies are known");
    else if (s->equilibrium && s->moving)
        line(f, "start", "steady motion: q0 + v0 t solves the equations");
    else if (s->equilibrium) line(f, "start", "an equilibrium");
    else if (s->quadratic.holds && s->autonomous.holds)
        line(f, "start",
             "no equilibrium: yet the frequencies of linear equations are the same everywhere");
    else
        line(f, "start", "no equilibrium: the frequencies are those of the equations frozen there");
    if (s->spectral) print_frequencies(s, f);
    else if (s->finite)
        line(f, "frequencies", "not computed for more than %d coordinates", NOE_PENCIL_MOST);
}

static void print_limits(const noe_properties *s, FILE *f)
{
    static const char label[] = "largest stable step";
    if (!isfinite(s->edge) && isfinite(s->searched))
        line(f, label, "any, as far as was searched, to w h = %.6g: %s", s->searched, s->method);
    else if (!isfinite(s->edge)) line(f, label, "any: %s is stable on every oscillator", s->method);
    else if (s->fastest > 0)
        line(f, label, "%.6g = %.6g/%.6g, %s on the fastest frequency: the step %.6g is %s",
             s->stable_step, s->edge, s->fastest, s->method, s->step,
             s->inside ? "inside" : "BEYOND IT, expect growth");
    else line(f, label, "not known: %s", s->spectral ? "nothing oscillates" : "no frequencies");
    if (s->fastest > 0)
        line(f, "fine step", "%.6g for 40 points in the fastest period: the step %.6g gives %.3g",
             s->fine_step, s->step, 2 * M_PI / (s->fastest * fabs(s->step)));
}

void noe_properties_text(const noe_properties *s, FILE *f)
{
    if (!s || !f) return;
    fprintf(f, "%-19s %d (", "degrees of freedom", s->freedom);
    names(f, s, -1, NULL);
    if (s->redundant)
        fprintf(f, ": %d coordinates, less %d of %d constraints; %d follow%s from the others)\n",
                s->n, s->constraints - s->redundant, s->constraints, s->redundant,
                s->redundant > 1 ? "" : "s");
    else if (s->constraints)
        fprintf(f, ": %d coordinates, less %d constraint%s)\n", s->n, s->constraints,
                s->constraints > 1 ? "s" : "");
    else fprintf(f, "): a state is %d numbers\n", 2 * s->n);
    if (s->functions)
        line(f, "functions in C", "evaluated, not read: sampled around q = v = 0%s",
             s->params ? ", parameters 0" : "");
    print_verdicts(s, f);
    print_mass(s, f);
    print_pattern(s, f);
    print_start(s, f);
    print_limits(s, f);
    char active[60] = "";
    if (s->states_active)
        snprintf(active, sizeof active, ", %d where local terms act", s->states_active);
    line(f, "sampled states", "%d around the start%s: seed %llu, always the same", s->states,
         active, (unsigned long long)s->seed);
}
