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

/* A long run and what is sampled of it. */
typedef struct {
    const noe_system     *system;
    const noe_method     *method;
    const noe_properties *facts;
    const noe_symmetries *symmetries; /* or NULL */
    noe_integrator       *g;
    int     most, steps, row;     /* steps wanted; begun, one more than made; samples taken */
    double *H,                    /* [samples] energy */
        *balance,                 /* [samples] energy + dissipated - work */
        *terms;                   /* [samples] size of the terms of the energy so far */
    double               through; /* largest |dissipated| + |work|: what the balance accounts for */
    noe_momentum_monitor momenta;
    noe_uncoupled_blocks blocks;
    noe_quad_energy      energy;
    noe_constraint_monitor constraints;
} sampled_run;

static bool open_run(sampled_run *x, quad h, int samples)
{
    x->g = noe_integrator_make(x->system, x->method, h, NOE_DIGITS_DOUBLE);
    x->H = noe_status_alloc(3 * (size_t)samples, sizeof *x->H);
    x->balance = x->H ? x->H + samples : NULL, x->terms = x->H ? x->balance + samples : NULL;
    const bool open =
        noe_quad_energy_open(&x->energy, x->system, h * noe_composition_path_length(x->method))
        & noe_momentum_monitor_open(&x->momenta, x->symmetries)
        & noe_constraint_monitor_open(&x->constraints, x->system)
        & noe_uncoupled_blocks_open(&x->blocks, x->system, x->facts,
                                    (double)h * noe_composition_path_length(x->method), samples);
    return open && x->g && x->H && !noe_integrator_start_ready(x->g);
}

static void close_run(sampled_run *x)
{
    free(x->H);
    noe_momentum_monitor_close(&x->momenta);
    noe_constraint_monitor_close(&x->constraints);
    noe_uncoupled_blocks_close(&x->blocks);
    noe_quad_energy_close(&x->energy);
    noe_integrator_free(x->g);
}

/* Makes the steps, with a sample every `look` steps. */
static void make_steps(sampled_run *x, int look)
{
    for (; x->steps <= x->most; x->steps++) {
        if (x->steps && noe_step(x->g)) break;
        if (x->steps % look) continue;
        const double lost = noe_get(x->g, "dissipated"), work = noe_get(x->g, "work");
        x->H[x->row] = (double)noe_quad_energy_look(&x->energy, x->g);
        x->balance[x->row] = x->H[x->row] + lost - work;
        x->terms[x->row] = x->energy.unit;
        x->through = fmax(x->through, fabs(lost) + fabs(work)), x->row++;
        noe_momentum_monitor_look(&x->momenta, x->g);
        noe_uncoupled_blocks_look(&x->blocks, x->g);
        noe_constraint_monitor_look(&x->constraints, x->g);
    }
}

/* The laws of the equations that are solved: what is left of them, and of constraints. */
static void add_laws_of_equations(const sampled_run *x, noe_laws *laws)
{
    if (noe_law_traits_find(NOE_LAW_EQUATIONS, x->system, x->method) == NOE_PROMISED
        && !x->g->engine->summarize) /* the linear engines solve no discrete equations */
        noe_law_list_add(laws, "discrete equations", noe_get(x->g, "residual"), STALL_PART,
                         "largest |p + R_0|, |R_k| left, of the momenta; a solver at its floor "
                         "leaves less than 2^20 eps");
    noe_constraint_monitor_laws(&x->constraints, x->system, x->steps - 1, laws);
}

static void add_laws_of_momenta(const sampled_run *x, noe_laws *laws)
{
    const double          rounding_bound = NOE_FLOOR_ROUNDINGS * 0x1p-53 * sqrt((double)x->most);
    const noe_symmetries *y = x->symmetries;
    for (int i = 0; y && i < y->count; i++) {
        char              name[80];
        const noe_promise will = noe_symmetry_promise_find(y, &y->found[i], x->method);
        snprintf(name, sizeof name, "momentum %.60s", y->found[i].name);
        if (y->found[i].kind == NOE_ENERGY) continue;
        /* of a momentum that is 0, the drift relative to what rounds it */
        const double rounded = noe_momentum_monitor_rounding(&x->momenta, i),
                     divisor = rounding_bound * rounded >= 1 ? rounded : 1;
        noe_law_list_add(laws, name, noe_momentum_monitor_drift(&x->momenta, i) / divisor,
                         will == NOE_BIT_FOR_BIT    ? 0
                         : will == NOE_TO_THE_FLOOR ? rounding_bound * rounded / divisor
                                                    : NAN,
                         "drift over %d steps, promised %s", x->steps - 1,
                         noe_symmetry_promise_name[will]);
    }
}

/* The laws of the energy, of each block that nothing couples and of all. */
static void add_laws_of_energy(const sampled_run *x, noe_laws *laws)
{
    const double        size = noe_quad_energy_scale(&x->energy), unit = x->energy.unit;
    const noe_law_trait stand = energy_trait(x->system, x->method, x->facts, x->symmetries);
    /* A transformed Lagrangian couples all blocks. */
    const int apart = x->system->stepped.transformed ? 0 : x->blocks.count;
    for (int b = 0; b < apart && stand != NOE_NOT_MEANT; b++) {
        char name[80] = "";
        noe_uncoupled_blocks_name(x->facts, b, "energy of ", name, sizeof name);
        noe_drift_laws_energy(name, noe_uncoupled_blocks_energies(&x->blocks, b),
                              noe_uncoupled_blocks_terms(&x->blocks, b), x->row,
                              noe_uncoupled_blocks_scale(&x->blocks, b),
                              noe_uncoupled_blocks_unit(&x->blocks, b), stand, x->most, laws);
    }
    if (stand != NOE_NOT_MEANT)
        noe_drift_laws_energy("energy bounded", x->H, x->terms, x->row, size, unit, stand, x->most,
                              laws);
    else
        noe_drift_laws_balance(x->balance, x->row, size + x->through, unit + x->through,
                               noe_method_is_gauss(x->method) && x->system->dyn.quadratic, x->most,
                               laws);
}

/* Appends the laws of a run of `most` steps, sampled every `look` steps. */
static void add_laws_of_run(const noe_system *s, const noe_method *f, quad h,
                            const noe_properties *facts, const noe_symmetries *y, int most,
                            int look, noe_laws *laws)
{
    sampled_run x = { .system = s, .method = f, .facts = facts, .symmetries = y, .most = most };
    if (open_run(&x, h, most / look + 1)) {
        noe_error_clear(); /* of trial runs */
        make_steps(&x, look);
        if (x.steps <= most) unfinished(s, x.g, most - x.steps + 1, most, laws);
        add_laws_of_equations(&x, laws);
        add_laws_of_momenta(&x, laws);
        add_laws_of_energy(&x, laws);
        noe_error_clear();
    }
    close_run(&x);
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
    add_laws_of_run(s, f, h, facts, y, laws->reach, laws->reach < NOE_RUN_STEPS ? 1 : NOE_ROW_STEPS,
                    laws);
    endless(NOE_RUN_STEPS - laws->reach, NOE_RUN_STEPS, before, laws);
    if (laws->reach < NOE_RUN_STEPS || !noe_drift_laws_failed(laws, before)) return;
    const int most = NOE_RUN_FACTOR * NOE_RUN_STEPS, reach = noe_monitored_way_reach(s, f, h, most);
    laws->count = before;
    add_laws_of_run(s, f, h, facts, y, reach, NOE_RUN_FACTOR * NOE_ROW_STEPS, laws);
    endless(most - reach, most, before, laws);
}
