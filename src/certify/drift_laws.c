/* The laws of a long run: I(t) - I(0) of momenta and H(t) - H(0) of energies over 10,000 steps.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/uncoupled_blocks.h"
#include "inspect/quad_energy.h"
#include "certify/constraint_monitor.h"
#include "certify/momentum_monitor.h"

#include "base/status.h"
#include "method/composition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest residual of the discrete equations, of the momenta: 2^20 roundings, the STALL_ROUNDINGS
 * of step/solver_constants.h, which sums in F and P that cancel need. */
static const double STALL_PART = 0x1p-33;

/* An unbounded motion, as of a free particle in a rotating frame: the terms of its energy grow more
 * than GROWN-fold after the first quarter of the run, and its error, below GROWING_PART of them,
 * grows with them.  An instability grows, too, but is soon as large as the terms. */
static const double GROWN = 4, GROWING_PART = 0x1p-10;

/* Energy errors, relative to `scale` or to the size of the terms so far. */
typedef struct {
    const double *H, *terms; /* [rows]; terms NULL: scale */
    double        scale;
    int           rows;
} energy_errors;

static double relative(const energy_errors *e, int k)
{
    return (e->H[k] - e->H[0]) / (e->terms ? e->terms[k] : e->scale);
}

/* Modulus of the slope of the energy error by regression on block means, times the length of the
 * run; error: its standard error; swing: the largest distance of the energy error from the line.
 * */
static double slope(const energy_errors *e, double *error, double *swing)
{
    enum { BLOCKS = 20 };
    const int rows = e->rows;
    double    mean[BLOCKS] = { 0 }, all = 0, xy = 0, xx = 0, rest = 0;
    for (int b = 0; b < BLOCKS; b++) {
        const int from = b * rows / BLOCKS, to = (b + 1) * rows / BLOCKS;
        for (int k = from; k < to; k++) mean[b] += relative(e, k) / (to - from);
        all += mean[b] / BLOCKS;
    }
    for (int b = 0; b < BLOCKS; b++) {
        const double x = (b + 0.5) / BLOCKS - 0.5;
        xy += x * (mean[b] - all), xx += x * x;
    }
    for (int b = 0; b < BLOCKS; b++) {
        const double x = (b + 0.5) / BLOCKS - 0.5, r = mean[b] - all - xy / xx * x;
        rest += r * r;
    }
    *error = sqrt(rest / (BLOCKS - 2) / xx);
    *swing = 0;
    for (int k = 0; k < rows; k++) {
        const double line = all + xy / xx * ((k + 0.5) / rows - 0.5);
        *swing = fmax(*swing, fabs(relative(e, k) - line));
    }
    return fabs(xy / xx);
}

/* The residual of the energy balance, H + dissipated - work - H0.  It is rounding alone for Gauss
 * methods on quadratic L, since H less work is a quadratic invariant then (E. Hairer, C. Lubich,
 * G. Wanner, Geometric Numerical Integration, IV.2.1). */
void noe_drift_laws_balance(const double *balance, int rows, double scale, double unit, bool exact,
                            int steps, noe_laws *laws)
{
    double most = 0;
    for (int k = 0; k < rows; k++) most = fmax(most, fabs(balance[k]));
    noe_law_list_add(laws, "balance", most / scale,
                     exact ? NOE_WALK_ROUNDINGS * 0x1p-53 * sqrt((double)steps) * unit / scale
                           : NAN,
                     "energy + dissipated - work - H0, relative, over %d steps%s", steps,
                     exact ? ": a Gauss method, L quadratic" : "");
}

/* The drift of an energy error over the run, its bound and its largest value.  A linear drift gains
 * twice the largest error of its first half, and more than its swing about the line.  A bounded
 * error gains less than either, or no more than ten standard errors of the slope, or is a random
 * walk of roundings, which grows like sqrt(t) (Brouwer 1937). */
static double drift_of(const energy_errors *e, double rounding_bound, double *bound, double *most)
{
    double first = 0, error, swing;
    *most = 0;
    for (int k = 0; k < e->rows; k++) {
        *most = fmax(*most, fabs(relative(e, k)));
        if (k < e->rows / 2) first = *most;
    }
    const double gained = slope(e, &error, &swing);
    *bound = fmax(fmax(first, swing), fmax(10 * error, rounding_bound));
    return gained;
}

void noe_drift_laws_energy(const char *name, const double *H, const double *terms, int rows,
                           double scale, double unit, noe_law_trait stand, int steps,
                           noe_laws *laws)
{
    energy_errors e = { .H = H, .scale = scale, .rows = rows };
    const double  walk = NOE_WALK_ROUNDINGS * 0x1p-53 * sqrt((double)steps);
    double        most, bound, gained = drift_of(&e, walk * unit / scale, &bound, &most);
    bool          grows = !(gained <= bound) && terms && terms[rows - 1] > GROWN * terms[rows / 4];
    if (grows) {
        double of_terms, their_bound;
        e.terms = terms;
        const double part = drift_of(&e, walk, &their_bound, &of_terms);
        grows = of_terms <= GROWING_PART;
        if (grows) gained = part, bound = their_bound, most = of_terms;
    }
    noe_law *x = noe_law_list_add(laws, name, gained, bound,
                                  "drift of its error over %d steps, relative%s, by regression; "
                                  "largest error %.1e",
                                  steps, grows ? " to its terms, which grow" : "", most);
    noe_law_traits_judge(x, stand);
}

/* A beat longer than the run looks like a drift; so after a failure a longer run decides. */
bool noe_drift_laws_failed(const noe_laws *s, int from)
{
    for (int i = from; i < s->count; i++)
        if (s->law[i].verdict == NOE_FAILS && !strncmp(s->law[i].name, "energy", 6)) return true;
    return false;
}

/* Reports a run that ended before its last step, in a collision for instance.  This breaks no law
 * if the end time that the model suggests had been passed. */
static void unfinished(const noe_system *s, noe_integrator *g, int left, int most, noe_laws *laws)
{
    const char *until = noe_system_suggest(s, "until");
    const char *why = noe_error() ? noe_error() : "";
    quad        end = 0;
    const bool  beyond = until && noe_parse_model_value(s->model, "until", until, &end)
                     && noe_time(g) >= (double)end;
    noe_law_list_add(laws, "run", left, beyond ? NAN : 0, "steps not done of %d%s: %.100s", most,
                     beyond ? ", beyond the model's end" : "", why);
}

/* Reports a run that is shorter than `most` steps because its monitor lets t reach infinity, and
 * withdraws the bounds of its laws of the energy, from index `from` on: the error of an unbounded
 * motion goes from one value to another, which a regression takes for a drift. */
static void endless(int left, int most, int from, noe_laws *laws)
{
    for (int i = from; left && i < laws->count; i++)
        if (!strncmp(laws->law[i].name, "energy", 6))
            laws->law[i].bound = NAN, laws->law[i].verdict = NOE_NO_VERDICT;
    if (left)
        noe_law_list_add(laws, "run", left, NAN,
                         "steps left out of %d: the monitor grows with the motion so that t goes "
                         "to infinity in the fictitious time of fewer",
                         most);
}

/* A density of steps bounds the energy error of motions alone that are their own mirror image in
 * time.  Velocities that turn back lead to another motion where there are forces linear in v; and a
 * momentum that they turn back needs its symmetry to lead to the same motion, which the monitor
 * must have, too. */
static noe_law_trait energy_trait(const noe_system *s, const noe_method *f,
                                  const noe_properties *facts, const noe_symmetries *y)
{
    const noe_law_trait stand = noe_law_traits_find(NOE_LAW_ENERGY, s, f);
    const bool          density = noe_system_monitored(s) && !s->stepped.transformed;
    bool                returns = f->symmetric && !facts->gyroscopic.holds;
    for (int i = 0; y && i < y->count; i++) returns &= !y->found[i].monitor_lacks;
    return density && !returns && stand == NOE_PROMISED ? NOE_BROKEN_BY_METHOD : stand;
}

/* Appends the laws of a run of `most` steps, sampled every `look` steps. */
static void follow(const noe_system *s, const noe_method *f, quad h, const noe_properties *facts,
                   const noe_symmetries *y, int most, int look, noe_laws *laws)
{
    const int       rows = most / look + 1;
    noe_integrator *g = noe_integrator_make(s, f, h, NOE_DIGITS_DOUBLE);
    double *H = noe_status_alloc(3 * (size_t)rows, sizeof *H), *balance = H ? H + rows : NULL,
           *terms = H ? balance + rows : NULL;
    double through = 0; /* largest |dissipated| + |work|: energy that the balance accounts for */
    int    row = 0, steps = 0;
    noe_momentum_monitor   momenta;
    noe_uncoupled_blocks   blocks;
    noe_quad_energy        energy;
    noe_constraint_monitor constraints;
    const bool open = noe_quad_energy_open(&energy, s, h * noe_composition_path_length(f))
                    & noe_momentum_monitor_open(&momenta, y)
                    & noe_constraint_monitor_open(&constraints, s)
                    & noe_uncoupled_blocks_open(&blocks, s, facts,
                                                (double)h * noe_composition_path_length(f), rows);
    const bool ok = open && g && H && !noe_integrator_start_ready(g);
    if (ok) noe_error_clear(); /* of trial runs */
    for (; ok && steps <= most; steps++) {
        if (steps && noe_step(g)) break;
        if (steps % look) continue;
        const double lost = noe_get(g, "dissipated"), work = noe_get(g, "work");
        H[row] = (double)noe_quad_energy_look(&energy, g);
        balance[row] = H[row] + lost - work;
        terms[row] = energy.unit;
        through = fmax(through, fabs(lost) + fabs(work)), row++;
        noe_momentum_monitor_look(&momenta, g);
        noe_uncoupled_blocks_look(&blocks, g);
        noe_constraint_monitor_look(&constraints, g);
    }
    if (ok) {
        const double rounding_bound = NOE_FLOOR_ROUNDINGS * 0x1p-53 * sqrt((double)most);
        if (steps <= most) unfinished(s, g, most - steps + 1, most, laws);
        if (noe_law_traits_find(NOE_LAW_EQUATIONS, s, f) == NOE_PROMISED
            && !g->engine->summarize) /* the linear engines solve no discrete equations */
            noe_law_list_add(laws, "discrete equations", noe_get(g, "residual"), STALL_PART,
                             "largest |p + R_0|, |R_k| left, of the momenta; a solver at its floor "
                             "leaves less than 2^20 eps");
        noe_constraint_monitor_laws(&constraints, s, steps - 1, laws);
        for (int i = 0; y && i < y->count; i++) {
            char              name[80];
            const noe_promise will = noe_symmetry_promise_find(y, &y->found[i], f);
            snprintf(name, sizeof name, "momentum %.60s", y->found[i].name);
            if (y->found[i].kind == NOE_ENERGY) continue;
            /* of a momentum that is 0, the drift relative to what rounds it */
            const double rounded = noe_momentum_monitor_rounding(&momenta, i),
                         divisor = rounding_bound * rounded >= 1 ? rounded : 1;
            noe_law_list_add(laws, name, noe_momentum_monitor_drift(&momenta, i) / divisor,
                             will == NOE_BIT_FOR_BIT    ? 0
                             : will == NOE_TO_THE_FLOOR ? rounding_bound * rounded / divisor
                                                        : NAN,
                             "drift over %d steps, promised %s", steps - 1,
                             noe_symmetry_promise_name[will]);
        }
        const double        size = noe_quad_energy_scale(&energy), unit = energy.unit;
        const bool          gauss = noe_method_is_gauss(f);
        const noe_law_trait stand = energy_trait(s, f, facts, y);
        /* A transformed Lagrangian couples all blocks. */
        const int apart = s->stepped.transformed ? 0 : blocks.count;
        for (int b = 0; b < apart && stand != NOE_NOT_MEANT; b++) {
            char name[80] = "";
            noe_uncoupled_blocks_name(facts, b, "energy of ", name, sizeof name);
            noe_drift_laws_energy(name, noe_uncoupled_blocks_energies(&blocks, b),
                                  noe_uncoupled_blocks_terms(&blocks, b), row,
                                  noe_uncoupled_blocks_scale(&blocks, b),
                                  noe_uncoupled_blocks_unit(&blocks, b), stand, most, laws);
        }
        if (stand != NOE_NOT_MEANT)
            noe_drift_laws_energy("energy bounded", H, terms, row, size, unit, stand, most, laws);
        else
            noe_drift_laws_balance(balance, row, size + through, unit + through,
                                   gauss && s->dyn.quadratic, most, laws);
        noe_error_clear();
    }
    free(H);
    noe_momentum_monitor_close(&momenta);
    noe_constraint_monitor_close(&constraints);
    noe_uncoupled_blocks_close(&blocks);
    noe_quad_energy_close(&energy);
    noe_integrator_free(g);
}

void noe_drift_laws_find(const noe_system *s, const noe_method *f, quad h,
                         const noe_properties *facts, const noe_symmetries *y, noe_laws *laws)
{
    enum { LEAST = 20 }; /* steps, one for each mean of the regression */
    const int before = laws->count;
    if (laws->reach < LEAST) {
        noe_law_list_add_unmeasurable(laws, "run",
                                      "the monitor grows so that t is at infinity within a few "
                                      "steps: take a smaller step");
        return;
    }
    follow(s, f, h, facts, y, laws->reach, laws->reach < NOE_RUN_STEPS ? 1 : NOE_ROW_STEPS, laws);
    endless(NOE_RUN_STEPS - laws->reach, NOE_RUN_STEPS, before, laws);
    if (laws->reach < NOE_RUN_STEPS || !noe_drift_laws_failed(laws, before)) return;
    const int most = NOE_RUN_FACTOR * NOE_RUN_STEPS, reach = noe_monitored_way_reach(s, f, h, most);
    laws->count = before;
    follow(s, f, h, facts, y, reach, NOE_RUN_FACTOR * NOE_ROW_STEPS, laws);
    endless(most - reach, most, before, laws);
}
