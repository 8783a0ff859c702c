/* Detects a step across u(q) = 0, where 1/u or log u in L is infinite: no motion passes there.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The nodes of a step that jumps over a singularity may lie so far from it on both sides that their
 * forces do not show it.  Denominators do: on a straight path a difference of coordinates changes
 * its sign, and a sum of squares is a parabola that falls to 0.  A true singularity, unlike
 * sin(x)/x at 0, is told by the force, which grows without bound towards the place. */
#include "integrate/singularity_guard.h"
#include "number/golden_section.h"

#include "expr/singular_arguments.h"

#include <math.h>
#include <string.h>

enum { SEARCH = 60 }; /* bisections */
static const double
    /* Least |u| over the sum of |u| at the ends, below which u counts as 0. */
    ZERO_PART = 1e-12,
    /* Distances from the place, as fractions of the path, at which forces are compared. */
    FAR_SHARE = 1e-3, CLOSE_SHARE = 1e-10,
    /* Ratio of the near to the far force above which the force is singular. */
    GROWN = 10,
    /* u (expr/singular_arguments.h) below which a narrow term of L is not flat. */
    CORE = -5,
    /* u above which that term is so flat that a step from there into it sees little of its
     * shape. */
    STEEP = 35,
    /* Change within half a step from which on a function of time is measured as if it jumped. */
    COARSE = 0.5,
    /* A change of sign and back within half a step is looked for where the least |u| of its ends
     * and its middle is below this multiple of what u varies there. */
    PLAUSIBLE = 8,
    /* Fraction of the path that shows whether u falls or rises at an end; where a change of sign
     * and back is looked for, which may be as close to the end. */
    CLOSE_END = 0x1p-10, FALLS_WITHIN = 0x1p-16,
    /* Second difference of a u that is linear on the path, by the largest |u|: rounding. */
    LINEAR = 0x1p-44,
    /* |u| at the place of a kink, by the lesser |u| on its sides. */
    AT_KINK = 0x1p-20;

/* All u at a fraction of the path, in double. */
static void look(const noe_step_path *w, double share, double *u)
{
    noe_step_path_arguments(w, share, w->g->guard->u_slot, u);
}

/* All u at the middle and at the end of the path. */
static void look_ahead(const noe_step_path *w)
{
    noe_singularity_guard *x = w->g->guard;
    const noe_tape        *tape = w->g->system->dyn.singular;
    const int              n = w->g->system->dyn.n;
    double                 dq[n], v[n];
    x->u_slots[0] = (noe_double_pair){ noe_step_path_at(w, 0.5, dq, v), w->t1 };
    for (int i = 0; i < n; i++)
        x->u_slots[noe_tape_input(NOE_Q, i, n)] = (noe_double_pair){ w->q0[i] + dq[i], w->q1[i] };
    noe_tape_double_run_two(tape, x->u_slots);
    for (int k = 0; k < tape->outputs; k++) {
        const noe_double_pair u = x->u_slots[tape->out[k]];
        x->u_half[k] = u[0], x->u1[k] = u[1];
    }
}

static double one(const noe_step_path *w, double share, int k)
{
    look(w, share, w->g->guard->u_there);
    return w->g->guard->u_there[k];
}

/* All F_j at a fraction of the path, in binary128, into x->f_out; the largest |F_j|. */
static double force(const noe_step_path *w, double share)
{
    noe_singularity_guard *x = w->g->guard;
    const noe_tape        *tape = w->g->system->dyn.gradient;
    const int              n = w->g->system->dyn.n;
    double                 most = 0, dq[n], v[n];
    memset(x->f_in, 0, (size_t)tape->inputs * sizeof *x->f_in);
    noe_step_path_at(w, share, dq, v);
    x->f_in[0] = w->t0 + (quad)share * ((quad)w->t1 - w->t0);
    for (int i = 0; i < n; i++) {
        x->f_in[noe_tape_input(NOE_Q, i, n)] = (quad)w->q0[i] + dq[i];
        x->f_in[noe_tape_input(NOE_V, i, n)] = v[i];
    }
    noe_tape_quad_run(tape, x->f_in, x->f_slot, x->f_out);
    for (int i = 0; i < n; i++) {
        const double size = (double)fabsq(x->f_out[i]);
        if (!(size <= most)) most = size; /* a NaN counts as largest */
    }
    return most;
}

/* Does the force grow without bound towards this place, from either side? */
static bool singular(const noe_step_path *w, double share)
{
    for (int side = -1; side <= 1; side += 2) {
        const double far = force(w, share + side * FAR_SHARE),
                     close = force(w, share + side * CLOSE_SHARE);
        if (!(close <= GROWN * far)) return true;
    }
    return false;
}

/* The fraction of the path at which u_k changes its sign, by bisection. */
static double crossing(const noe_step_path *w, int k, double u0)
{
    double a = 0, b = 1;
    for (int i = 0; i < SEARCH; i++) {
        const double c = (a + b) / 2, u = one(w, c, k);
        if ((u < 0) == (u0 < 0) && u != 0) a = c;
        else b = c;
    }
    return (a + b) / 2;
}

static double least_of(double a, double b) { return a < b ? a : b; }

typedef struct {
    const noe_step_path *path;
    int                  k;    /* argument u_k of the potential */
    double               sign; /* 1 or -1 */
} signed_argument;

static double signed_at(const void *of, double share)
{
    const signed_argument *x = of;
    return x->sign * one(x->path, share, x->k);
}

/* The least of sign u_k between two fractions of the path, or a value of `enough` or less; *share:
 * its place. */
static double least_between(const noe_step_path *w, int k, double sign, double low, double high,
                            double enough, double *share)
{
    const signed_argument u = { w, k, sign };
    return noe_golden_section_least(signed_at, &u, low, high, enough, share);
}

/* Has u_k, of one sign at `from` and `to`, the other between?  Golden section from where |u_k|
 * falls to where it rises; *share: such a place. */
static bool reverses(const noe_step_path *w, int k, double from, double to, double a, double b,
                     double *share)
{
    const double sign = a < 0 ? -1 : 1, near = FALLS_WITHIN * (to - from);
    if (sign * one(w, from + near, k) >= sign * a || sign * one(w, to - near, k) >= sign * b)
        return false;
    return least_between(w, k, sign, from, to, 0, share) < 0;
}

/* Does u_k, of one sign at 0, 1/2 and 1 of the step, change it between?  Adds such places to the
 * splits of the guard. */
static bool reverses_between(const noe_step_path *w, int k, double a, double b, double c)
{
    noe_singularity_guard *x = w->g->guard;
    const double           high = fmax(fabs(a), fmax(fabs(b), fabs(c))),
                 low = least_of(fabs(a), least_of(fabs(b), fabs(c)));
    bool found = false;
    if (!(low < PLAUSIBLE * (high - low))) return false;
    for (int half = 0; half < 2 && x->splits < NOE_SPLITS_MOST; half++)
        if (reverses(w, k, 0.5 * half, 0.5 * half + 0.5, half ? b : a, half ? c : b,
                     &x->split[x->splits]))
            x->splits++, found = true;
    return found;
}

/* The place between two fractions of the path at which u_k, which is a and b there, changes its
 * sign: regula falsi and bisection by turns. */
static double kink_between(const noe_step_path *w, int k, double from, double to, double a,
                           double b)
{
    const double close = AT_KINK * least_of(fabs(a), fabs(b));
    double       c = (from + to) / 2;
    for (int i = 0; i < SEARCH; i++) {
        const double falsi = from + (to - from) * (a / (a - b));
        c = i % 2 == 0 && falsi > from && falsi < to ? falsi : (from + to) / 2;
        const double u = one(w, c, k);
        if (fabs(u) <= close) break;
        if ((u < 0) == (a < 0)) from = c, a = u;
        else to = c, b = u;
    }
    return c;
}

/* Adds to `kink` [*kinks] the fractions of the path at which u_k, that is a, b, c at 0, 1/2 and 1
 * of the step, changes its sign: once in a half, or there and back. */
static void find_kinks(const noe_step_path *w, int k, double a, double b, double c, noe_kink *kink,
                       int *kinks)
{
    const double high = fmax(fabs(a), fmax(fabs(b), fabs(c))),
                 low = least_of(fabs(a), least_of(fabs(b), fabs(c)));
    const bool linear = fabs(a - 2 * b + c) <= LINEAR * high;
    for (int half = 0; half < 2 && *kinks + 2 <= NOE_KINKS_MOST; half++) {
        const double from = 0.5 * half, to = from + 0.5, at_from = half ? b : a,
                     at_to = half ? c : b;
        double between;
        if ((at_from < 0) != (at_to < 0)) {
            kink[(*kinks)++] = (noe_kink){ kink_between(w, k, from, to, at_from, at_to), k };
        } else if (!linear && low < PLAUSIBLE * (high - low)
                   && reverses(w, k, from, to, at_from, at_to, &between)) {
            const double u = one(w, between, k);
            kink[(*kinks)++] = (noe_kink){ kink_between(w, k, from, between, at_from, u), k };
            kink[(*kinks)++] = (noe_kink){ kink_between(w, k, between, to, u, at_to), k };
        }
    }
}

/* Where no impulse is measured: does some |F_j| grow GROWN-fold between two kinks? */
static bool region_differs(const noe_step_path *w, const noe_kink *kink, int kinks)
{
    enum { PLACES = 4 };
    const int n = w->g->system->dyn.n;
    double    first = 1, last = 0, outside[n];
    for (int i = 0; i < kinks; i++) {
        first = fmin(first, kink[i].share);
        last = fmax(last, kink[i].share);
    }
    memset(outside, 0, sizeof outside);
    for (int end = 0; end < 4; end++) {
        const double at[] = { 0, first - CLOSE_END * first, last + CLOSE_END * (1 - last), 1 };
        force(w, at[end]);
        for (int j = 0; j < n; j++)
            outside[j] = fmax(outside[j], fabs((double)w->g->guard->f_out[j]));
    }
    for (int k = 0; k < PLACES; k++) {
        force(w, first + (k + 0.5) / PLACES * (last - first));
        for (int j = 0; j < n; j++)
            if (fabs((double)w->g->guard->f_out[j]) > GROWN * outside[j]) return true;
    }
    return false;
}

/* Does u_k > 0 fall below CORE within the step and rise again? */
static bool jumps_over(const noe_step_path *w, int k, double a, double b, double c)
{
    if (b <= CORE) return true;
    if (one(w, CLOSE_END, k) >= a || one(w, 1 - CLOSE_END, k) >= c) return false;
    double place;
    return least_between(w, k, 1, 0, 1, CORE, &place) <= CORE;
}

/* Lowers *calm, the square of half the steps in which no u can vanish, for u_k that was a, b, c at
 * 0, 1/2 and 1 of the step.  Its second difference is that of the straight path, or that of its
 * rates now and at the last check: at a turning point the rate alone tells nothing. */
static void no_earlier(double *calm, const noe_step_path *w, int k, double a, double b, double c)
{
    noe_singularity_guard *x = w->g->guard;
    const double           rate = c - a, straight = 4 * fabs(a - 2 * b + c),
                 turned = x->rated ? fabs(rate - x->u_rate[k]) / x->since : INFINITY,
                 curvature = turned > straight ? turned : straight;
    x->u_rate[k] = rate;
    if (*calm * 4 * rate * rate > c * c) *calm = c * c / (4 * rate * rate);
    if (*calm * 2 * curvature > fabs(c)) *calm = fabs(c) / (2 * curvature);
}

/* What u_k tells, by its place among the outputs of the tape (tape/equations.h). */
typedef enum {
    KINK,   /* an argument of |u| and the like: a force has a kink where u = 0 */
    POLE,   /* L is singular where u = 0 */
    NARROW, /* forces are nearly constant but near u = 0 */
    PULSE,  /* u(t): a function of time varies near u = 0 */
    JUMP    /* forces jump where u = 0 */
} argument_kind;

static argument_kind kind_of(const noe_step_path *w, int k)
{
    const noe_dynamics *d = &w->g->system->dyn;
    const int           jump = d->singular->outputs - d->times, pulse = jump - d->pulses,
              narrow = pulse - d->narrow;
    return k < w->g->system->places ? KINK
         : k < narrow               ? POLE
         : k < pulse                ? NARROW
         : k < jump                 ? PULSE
                                    : JUMP;
}

typedef struct {
    const noe_step_path  *w;
    noe_singular_barrier *found;
    double                calm; /* the square of found->calm */
    noe_kink              kink[NOE_KINKS_MOST];
    int                   kinks, jumps; /* of `kink`; arguments that jump in time */
} barrier_search;

/* u_k is a, b, c at 0, 1/2 and 1 of the step, here and in what follows. */
static void look_for_jump(barrier_search *s, int k, double a, double b, double c)
{
    const bool twice = (a < 0) == (b < 0) && (b < 0) == (c < 0)
                    && reverses_between(s->w, k, a, b, c),
               here = twice || (a < 0) != (b < 0) || (b < 0) != (c < 0),
               measured = s->w->g->guard->impulse;
    s->found->jumps |= here;
    s->found->narrow |= !measured && twice;
    /* Where the impulse is not measured, two jumps in time within a step are a pulse that its
     * nodes may have missed. */
    s->found->narrow |= !measured && here && s->jumps++;
    no_earlier(&s->calm, s->w, k, a, b, c);
}

static void look_for_narrow(barrier_search *s, int k, double a, double b, double c)
{
    s->found->narrow |= a > 0 && c > 0 ? jumps_over(s->w, k, a, b, c)
                                       : (a <= CORE && c > STEEP) || (c <= CORE && a > STEEP);
    if (c > 0) no_earlier(&s->calm, s->w, k, a, b, c);
}

static void look_for_pulse(barrier_search *s, int k, double a, double b, double c)
{
    const bool flat = least_of(a, least_of(b, c)) > 0;
    if (flat && !s->w->g->guard->impulse) {
        look_for_narrow(s, k, a, b, c);
    } else if (flat) {
        s->found->jumps |= reverses_between(s->w, k, a, b, c);
        no_earlier(&s->calm, s->w, k, a, b, c);
    } else {
        const double rate = fmax(fabs(b - a), fabs(c - b));
        s->found->jumps |= rate > COARSE;
        /* Its rate is nearly constant. */
        if (c < NOE_PERIODIC_BELOW && rate <= COARSE) return;
        const double rest = rate > 0 ? 4 * COARSE / rate - 4 : INFINITY;
        s->calm = least_of(s->calm, rest > 0 ? rest * rest : 0);
    }
}

static void look_for_pole(barrier_search *s, int k, double a, double b, double c)
{
    const double  ends = least_of(fabs(a), fabs(c)), all = fabs(a) + fabs(c);
    double *const rate = &s->w->g->guard->u_rate[k];
    if (a == 0) { /* no motion begins at a singularity: u = 0 at the start is none */
        *rate = c;
        return;
    }
    if ((a < 0) != (c < 0) || c == 0 || (b < 0) != (a < 0)) {
        s->found->share = crossing(s->w, k, a);
        s->found->passed = singular(s->w, s->found->share);
        *rate = c - a;
        return;
    }
    double       share = 0;
    const double least = noe_step_path_least_of_parabola(fabs(a), fabs(b), fabs(c), &share);
    if (least <= ZERO_PART * all) {
        s->found->share = share;
        s->found->passed = singular(s->w, share);
    }
    if (least < s->found->near * ends) s->found->near = least > 0 ? least / ends : 0;
    no_earlier(&s->calm, s->w, k, a, b, c);
}

noe_singular_barrier noe_singular_barrier_between(const noe_step_path *w)
{
    noe_singularity_guard *x = w->g->guard;
    const int              count = w->g->system->dyn.singular->outputs;
    noe_singular_barrier   found = { .near = 1 };
    barrier_search         s; /* field by field: 0 in all kinks would cost as much as the rest */
    s.w = w, s.found = &found, s.calm = INFINITY;
    s.kinks = s.jumps = 0;
    x->splits = 0;
    if (!x->follows) look(w, 0, x->u0);
    look_ahead(w);
    for (int k = 0; k < count && !found.passed; k++) {
        const double a = x->u0[k], b = x->u_half[k], c = x->u1[k];
        switch (kind_of(w, k)) {
        case KINK:
            find_kinks(w, k, a, b, c, s.kink, &s.kinks);
            no_earlier(&s.calm, w, k, a, b, c);
            break;
        case POLE: look_for_pole(&s, k, a, b, c); break;
        case NARROW: look_for_narrow(&s, k, a, b, c); break;
        case PULSE: look_for_pulse(&s, k, a, b, c); break;
        case JUMP: look_for_jump(&s, k, a, b, c); break;
        }
    }
    if (s.kinks > 0 && !found.passed) {
        if (x->impulse) noe_passed_region_measure(w, s.kink, s.kinks);
        else if (s.kinks > 1) found.narrow |= region_differs(w, s.kink, s.kinks);
    }
    x->rated = true;
    found.calm = sqrt(s.calm);
    return found;
}
