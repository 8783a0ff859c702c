/* The functions of noe_engine (set, get, start, step, ..) for the `real` of the including file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENGINE_ENGINE_INSTANCE_H
#define NOE_ENGINE_ENGINE_INSTANCE_H

#include "number/upper_halves.h"
#include "derivative/motion_derivative.h"
#include "engine/engine_setup.h"

/* The numbers of the engine state that a noe_engine_value reads, and how many; NULL for what has
 * to be computed.  q and p without their compensations dq and dp, which are below the last place;
 * a restart has both. */
static real *numbers_of(work *w, noe_engine_value what, int *count)
{
    *count = 1;
    switch (what) {
    case NOE_AT_T0: return w->state.t0;
    case NOE_AT_STEP: return w->eval.tape[CLOCK] ? w->state.nominal : w->state.h;
    case NOE_AT_COUNT: return w->state.count;
    case NOE_AT_LEVEL: return w->state.level;
    case NOE_AT_FICTITIOUS: return w->state.fictitious;
    case NOE_AT_DENSITY: return &w->state.balance[DENSITY];
    case NOE_AT_WORK: return &w->state.balance[WORK];
    case NOE_AT_DISSIPATED: return &w->state.balance[DISSIPATED];
    case NOE_AT_Q: *count = w->n; return w->state.q;
    case NOE_AT_P: *count = w->n; return w->state.p;
    case NOE_AT_V: *count = w->n; return w->state.v;
    case NOE_AT_SENSITIVITY: *count = 2 * w->n * w->dyn->columns; return w->state.sensitivity;
    case NOE_AT_SHIFT:
        *count = w->dyn->columns * (w->dyn->clock ? MORE_ROWS : 1);
        return w->state.shift;
    case NOE_AT_ADJOINT:
        *count = (int)noe_equations_adjoint_numbers(w->dyn);
        return w->state.adjoint;
    case NOE_AT_LEFT_OUT: *count = w->constraint.count; return w->constraint.left_out;
    case NOE_AT_DEPENDENCE: return w->constraint.dependence;
    default: return NULL;
    }
}

/* The time of a monitored system, t0 and what has passed since then. */
static void put_clock(work *w, int member, quad t)
{
    const quad passed = t - r_member(*w->state.t0, member);
    r_put(&w->state.balance[ELAPSED], member, (num)passed);
    r_put(&w->state.balance[REST + ELAPSED], member, (num)(passed - (quad)(num)passed));
}

static void set_work(void *self, noe_engine_value what, int member, const quad *x)
{
    work *w = self;
    int   count;
    real *to = numbers_of(w, what, &count);
    w->state.v_known = w->split.F_known = w->split.V_known = false;
    for (int i = 0; to && i < count; i++) r_put(&to[i], member, (num)x[i]);
    for (int i = 0; what == NOE_AT_T0 && i < 2; i++)
        r_put(&w->state.balance[i ? REST + ELAPSED : ELAPSED], member, 0);
    for (int c = 0; what == NOE_AT_SENSITIVITY && c < w->dyn->columns; c++)
        r_put(&w->state.shift[c], member, 0);
    if (what == NOE_AT_LEFT_OUT && count) /* other constraints have other multipliers */
        r_put(w->constraint.steps_known, member, 0), r_put(w->constraint.order_used, member, 0);
    if (what == NOE_AT_T && w->eval.tape[CLOCK]) put_clock(w, member, *x);
    if ((what == NOE_AT_STEP || what == NOE_AT_FICTITIOUS) && w->dyn->transformed)
        r_put(w->state.h, member, r_member(*w->state.fictitious, member));
    if (what == NOE_AT_LEVEL) r_put(&w->state.balance[LEVEL_REST], member, 0);
    if (what == NOE_AT_DENSITY) r_put(&w->state.balance[DENSITY_REST], member, 0);
    for (int i = 0; what == NOE_AT_PARAM && i < w->dyn->params; i++)
        w->eval.param[i] = (double)x[i], w->nodal.mass_known = w->split.kick_known = false;
}

static void get_work(void *self, noe_engine_value what, int member, quad *x)
{
    work      *w = self;
    const bool moves = what == NOE_AT_V || what == NOE_AT_ENERGY || what == NOE_AT_BALANCE,
               evaluated = moves && update_velocities(w) && !w->dyn->transformed;
    int         count;
    real        rate;
    const real *from = numbers_of(w, what, &count),
               bad = what == NOE_AT_V ? *w->state.unsolved : r_set(0);
    const bool in_fictitious_time = what == NOE_AT_V && w->dyn->transformed;
    const real G = in_fictitious_time ? monitor_here(w, &rate) : r_set(1);
    for (int i = 0; from && i < count; i++)
        x[i] = in_fictitious_time ? r_member((from[i] + bad) / G, member)
                                  : r_member(from[i] + bad, member);
    if (what == NOE_AT_SENSITIVITY && w->dyn->clock) at_fixed_time(w, member, x);
    if (what == NOE_AT_RATES) {
        const real per = rates_here(w);
        for (int j = 0; j < w->n; j++) {
            x[j] = r_member((w->state.v[j] + *w->state.unsolved) / per, member);
            x[w->n + j] = r_member(output(w, j) / per, member);
        }
    }
    if (what == NOE_AT_T) *x = r_member(time_at(w, 0), member);
    if (what == NOE_AT_PACE) *x = r_member(pace(w), member);
    if (what == NOE_AT_ENERGY)
        *x = r_member((evaluated ? energy_of_jet(w) : energy(w)) + *w->state.unsolved, member);
    if (what == NOE_AT_BALANCE) *x = r_member(balance_error(w) + *w->state.unsolved, member);
}

/* noe_engine.solver: counts of the solvers. */
static quad solver_work(void *self, noe_solver_at what, int member)
{
    const work *w = self;
    switch (what) {
    case NOE_SOLVER_CHOICE: return r_member(*w->newton.choice, member);
    case NOE_SOLVER_ITERATIONS: return r_member(*w->stats.iterations, member);
    case NOE_SOLVER_REFRESHES: return r_member(*w->stats.refreshes, member);
    case NOE_SOLVER_SUBDIVIDED: return r_member(*w->stats.subdivided, member);
    case NOE_SOLVER_RESIDUAL: return r_member(*w->stats.residual, member);
    case NOE_SOLVER_CONTRACTED: return r_member(*w->stats.contracted, member);
    case NOE_SOLVER_ROUNDS: return r_member(*w->stats.rounds, member);
    case NOE_SOLVER_CONTRACTION: return r_member(*w->stats.contraction, member);
    case NOE_SOLVER_SINGLE: return r_member(*w->stats.single, member);
    case NOE_SOLVER_CONTRACTS:
        return w->nodal.uses_nystrom || w->nodal.uses_nodal_newton || w->nodal.uses_canonical_newton
                 ? 2
                 : w->nodal.has_fixed_point;
    case NOE_SOLVER_KEEPS: return w->newton.may_reuse_matrix;
    case NOE_SOLVER_MACHINE:
        return w->eval.run[GRADIENT] ? noe_tape_compiler_size(w->eval.machine) : 0;
    case NOE_SOLVER_GROWTH: return r_member(*w->stats.growth, member);
    }
    return 0;
}

static void choose_work(void *self, int member, quad choice)
{
    work *w = self;
    w->state.v_known = w->split.F_known = w->split.V_known = false;
    r_put(w->newton.choice, member, (num)choice);
}

static unsigned start_work(void *self, const bool *momentum)
{
    work          *w = self;
    const unsigned failed = begin_motion(w, momentum);
    if (w->kind == NOE_SPLITTING) split_begin(w);
    return failed;
}

static unsigned step_work(void *self)
{
    work      *w = self;
    const bool density = w->eval.tape[CLOCK] && !w->dyn->transformed;
    if (density) set_length(w);
    if (density && w->dyn->columns && !w->state.given_length) differentiate_density(w);
    if (w->dyn->transformed) place_level(w, *w->state.level);
    w->state.v_known = false;
    select_part(w, 0);
    w->state.last_length = *w->state.h, w->state.last_t0 = *w->state.t0;
    w->state.last_given = w->state.given_length;
    unsigned failed = w->kind == NOE_RUNGE_KUTTA ? runge_kutta(w)
                    : w->kind == NOE_SPLITTING   ? splitting(w)
                                                 : composition(w);
    if (w->dyn->columns) failed |= advance_sensitivity(w, failed);
    if (density) move_clock(w, failed);
    if (w->dyn->transformed) w->state.given_length = false;
    noe_upper_halves_empty();
    return failed;
}
static noe_status why_work(void *self, int member) { return ((work *)self)->why[member]; }

static void *memory_work(void *self, size_t *bytes)
{
    work *w = self;
    w->state.v_known = w->split.F_known = w->split.V_known = false; /* the caller may write it */
    *bytes = w->state.numbers * sizeof(real);
    return w->state.memory;
}

static void in_double_work(void *self, noe_engine_value what, int member, double *x)
{
    work      *w = self;
    const bool moves = what == NOE_AT_V;
    int        count = 0;
    real       rate;
    if (what == NOE_AT_T) *x = (double)r_member(time_at(w, 0), member);
    if (moves) update_velocities(w);
    const real *const from = what == NOE_AT_T ? NULL : numbers_of(w, what, &count),
                      bad = moves ? *w->state.unsolved : r_set(0),
                      G = moves && w->dyn->transformed ? monitor_here(w, &rate) : r_set(1);
    for (int j = 0; j < count; j++)
        x[j] = (double)r_member(moves ? (from[j] + bad) / G : from[j], member);
}

/* Saves all that a step changes except the counts of the solvers and the history of the predictor,
 * which is cleared when the step is taken back. */
static void save_work(void *self)
{
    work       *w = self;
    real *const balance = w->state.guarded + SAVED_ROWS * w->n, *const one = balance + BALANCE_ROWS;
    memcpy((void *)w->state.guarded, w->state.q, SAVED_ROWS * (size_t)w->n * sizeof(real));
    memcpy((void *)balance, w->state.balance, BALANCE_ROWS * sizeof(real));
    one[0] = *w->state.count, one[1] = *w->stats.weight_sum;
    memcpy((void *)(one + SAVED_NUMBERS), w->state.sensitivity,
           sensitivity_numbers(w) * sizeof(real));
}

static void restore_work(void *self)
{
    work             *w = self;
    const real *const balance = w->state.guarded + SAVED_ROWS * w->n, *const one = balance
                                                                                 + BALANCE_ROWS;
    memcpy((void *)w->state.q, w->state.guarded, SAVED_ROWS * (size_t)w->n * sizeof(real));
    memcpy((void *)w->state.balance, balance, BALANCE_ROWS * sizeof(real));
    *w->state.count = one[0], *w->stats.weight_sum = one[1];
    memcpy((void *)w->state.sensitivity, one + SAVED_NUMBERS,
           sensitivity_numbers(w) * sizeof(real));
    *w->history.length = *w->newton.matrix_reuse = r_set(0);
    w->state.v_known = w->split.F_known = w->split.V_known = false;
}

static noe_velocity_jump jump_work(void *self, int member)
{
    int       place;
    num       count;
    const num size = largest_jump(self, member, &place, &count);
    return (noe_velocity_jump){ size, place, count };
}

static void jumps_work(void *self, int member, double *jump, double *count)
{
    notable_jumps(self, member, jump, count);
}

static void spread_work(void *self, int member, quad *deviation, quad *doubled)
{
    const work *w = self;
    deviations(w, member, deviation);
    for (int j = 0; doubled && j < w->n; j++) doubled[j] = r_member(w->stats.doubled_at[j], member);
}

/* The next step of each member is one of length tau that ends at time t [members]; where the
 * Lagrangian is transformed, tau is in steps, times the step as given, and t follows.  It is
 * predicted from the modes of `ahead`, the same motion one step of the present length further,
 * or of the last step.  A Newton matrix of another length is of no use; nor is the curvature. */
static void shorten_work(void *self, const quad *t, const quad *tau, const void *ahead)
{
    work       *w = self;
    const work *run = ahead;
    real        theta = r_set(0);
    for (int i = 0; i < MEMBERS; i++) {
        const num whole = w->dyn->transformed ? r_member(*w->state.nominal, i) : 1,
                  length = (num)tau[i]
                         * (w->dyn->transformed ? r_member(*w->state.fictitious, i) / whole : 1);
        r_put(&theta, i, length / r_member(run ? *run->state.h : *w->state.h, i));
        r_put(w->state.h, i, length);
        if (w->eval.tape[CLOCK]) continue;
        r_put(w->state.t0, i, (num)t[i]), r_put(w->state.count, i, -1);
    }
    w->state.given_length = w->eval.tape[CLOCK] != NULL;
    *w->newton.matrix_reuse = *w->newton.curvature = r_set(0);
    w->state.v_known = w->split.F_known = w->split.V_known = false;
    w->history.given = w->kind == NOE_GALERKIN
                    && (run || !m_any(r_at_most(*w->history.length, r_set(0))));
    if (w->history.given)
        predict_fraction(w, run ? run->history.all_last : w->history.all_last, run ? 0 : 1, theta);
}

/* New momenta at the present state, or the old ones with another step length to come. */
static void impulse_work(void *self, int member, const quad *p, bool booked)
{
    work *w = self;
    update_velocities(w);
    const num  before = r_member(energy(w), member);
    const bool level = p && w->dyn->transformed;
    const quad high = level ? energy_in_binary128(w, member) : 0;
    for (int j = 0; p && j < w->n; j++) {
        const num rounded = (num)p[j], rest = r_member(w->state.dp[j], member);
        r_put(&w->state.p[j], member, rounded);
        r_put(&w->state.dp[j], member, rest + (num)(p[j] - (quad)rounded));
    }
    r_put(w->history.length, member, 0), r_put(w->newton.matrix_reuse, member, 0);
    r_put(w->newton.curvature, member, 0);
    if (p && !w->dyn->momenta_linear) {
        real       rate;
        const real G = w->dyn->transformed ? monitor_here(w, &rate) : r_set(1);
        for (int j = 0; j < w->n; j++)
            r_put(&w->state.v[j], member, (num)p[w->n + j] * r_member(G, member));
    }
    w->state.v_known = w->split.F_known = w->split.V_known = false;
    update_velocities(w);
    if (level) /* E changes by as much as H does */
        r_put(w->state.level, member,
              (num)(r_member(*w->state.level, member) + (energy_in_binary128(w, member) - high)));
    for (int j = 0; j < w->n; j++)
        r_put(&w->stats.last_end_velocity[j], member, r_member(w->state.v[j], member));
    if (booked)
        r_put(&w->state.balance[WORK], member,
              r_member(w->state.balance[WORK], member) + (r_member(energy(w), member) - before));
}

/* The sums of curve_work() half way: P_m(0) is 0 for odd m, and the integral of l_m to there for
 * even m other than 0. */
static void curve_to_half(const work *w, double h, double *dq, double *v)
{
    enum { COUNT = NOE_MAX_DEGREE / 2 + 1 };
    static const double P[COUNT] = { 1,          -1. / 2,    3. / 8,      -5. / 16,
                                     35. / 128., -63. / 256, 231. / 1024. };
    for (int m = 0; m < w->s; m++) {
        const double size = (double)w->method.at_end[m], now = P[m / 2],
                     integral = m ? (P[(m + 1) / 2] - now) / (2 * (2 * m + 1)) : 0.5;
        for (int j = 0; j < w->n; j++) {
            const double a = size * (double)r_member(w->history.all_last[j * w->s + m], 0);
            if (m % 2 == 0) v[j] += a * now;
            if (m % 2 || !m) dq[j] += h * a * integral;
        }
    }
}

/* l_m and their integrals from 0 to c, by the recurrence of the Legendre polynomials. */
static bool curve_work(void *self, double c, double *dq, double *v)
{
    work        *w = self;
    const double x = 2 * c - 1, h = (double)r_member(*w->state.h, 0);
    /* With fewer modes cubic interpolation is closer. */
    if (w->kind != NOE_GALERKIN || w->method.parts > 1 || w->s < 3 || w->dyn->transformed)
        return false; /* its polynomial is one in fictitious time */
    for (int j = 0; j < w->n; j++) dq[j] = v[j] = 0;
    if (x == 0) return curve_to_half(w, h, dq, v), true;
    double before = 0, now = 1; /* P_m-1(x), P_m(x) */
    for (int m = 0; m < w->s; m++) {
        const double next = ((2 * m + 1) * x * now - m * before) / (m + 1);
        const double size = (double)w->method.at_end[m],
                     integral = m ? (next - before) / (2 * (2 * m + 1)) : c;
        for (int j = 0; j < w->n; j++) {
            const double a = size * (double)r_member(w->history.all_last[j * w->s + m], 0);
            v[j] += a * now, dq[j] += h * a * integral;
        }
        before = now, now = next;
    }
    return true;
}

static bool describe_work(void *self, double *x)
{
    const work *w = self;
    const site  at = here(w);
    const int   n = w->n;
    if (w->dyn->transformed || w->eval.tape[CLOCK] || w->dyn->L
        || !(r_member(*w->history.length, 0) > 0))
        return false;
    *x++ = (double)r_member(time_at(w, 0), 0);
    *x++ = (double)r_member(at.t, 0);
    for (int j = 0; j < n; j++) {
        x[j] = (double)r_member(at.q[j], 0), x[n + j] = (double)r_member(at.p[j], 0);
        x[2 * n + j] = (double)r_member(at.dp[j], 0);
        x[3 * n + j] = (double)r_member(mean_velocity(w, j), 0);
    }
    return true;
}

static void energies_work(void *self, const double *x, double *to)
{
    work     *w = self;
    const int n = w->n;
    site      all = { r_set(0), w->state.q, w->state.p, w->state.dp };
    for (int i = 0; i < MEMBERS; i++, x += 4 * n) {
        r_put(&all.t, i, (num)x[1]);
        x += 2;
        for (int j = 0; j < n; j++) {
            r_put(&w->state.q[j], i, (num)x[j]), r_put(&w->state.p[j], i, (num)x[n + j]);
            r_put(&w->state.dp[j], i, (num)x[2 * n + j]);
            r_put(&w->state.v[j], i, (num)x[3 * n + j]);
        }
    }
    const real bad = doubt(velocities_at(w, &all, NULL, m_all(1), w->state.v));
    const real H = energy_of_jet(w) + bad;
    for (int i = 0; i < MEMBERS; i++, to += 1 + n) {
        to[0] = (double)r_member(H, i);
        for (int j = 0; j < n; j++) to[1 + j] = (double)r_member(w->state.v[j] + bad, i);
    }
    w->state.v_known = w->split.F_known = w->split.V_known = false;
}

static const noe_engine_batch  batch_of_work = { adopt, clone, describe_work, energies_work };
static const noe_engine_solver solver_of_work = { solver_work, choose_work };
static const noe_engine_guard  guard_of_work = {
     save_work, restore_work, snapshot_bytes_work, take_snapshot_work, restore_snapshot_work,
     jump_work, jumps_work,   spread_work
};

static const noe_engine_fraction fraction_of_work = { .shorten = shorten_work };
static const noe_engine_events   events_of_work = { impulse_work, curve_work, by_times_work };
static const noe_engine_adjoint  adjoint_of_work = { record_bytes, record_step, step_back,
                                                     add_adjoint };

#define INSTANCE                                                                              \
    {                                                                                         \
        .members = MEMBERS, .make = make_work, .drop = drop_work, .set = set_work,            \
        .get = get_work, .in_double = in_double_work, .start = start_work, .step = step_work, \
        .why = why_work, .memory = memory_work, .derivative = derivative_work,                \
        .batch = &batch_of_work, .solver = &solver_of_work, .guard = &guard_of_work,          \
        .fraction = &fraction_of_work, .events = &events_of_work, .adjoint = &adjoint_of_work \
    }

#endif
