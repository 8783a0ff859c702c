/* The engine in any number of digits: memory, start, step, access to the state.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "arb/arb_engine.h"

#include "arb/arb_constants.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A vector of the engine, and its length. */
typedef struct {
    arb_ptr *at; /* where its pointer stands */
    slong    length;
} vector;

enum { VECTORS = 17 };

/* All vectors of the engine. */
static void vectors(noe_arb_engine *w, vector all[VECTORS])
{
    const slong  n = w->n, s = w->s, r = w->r;
    const vector list[VECTORS] = { { &w->state.all, w->state.numbers },
                                   { &w->now.point, noe_tape_inputs(w->n) },
                                   { &w->now.observables, w->jet->model->observables + 1 },
                                   { &w->coef.c, r },
                                   { &w->coef.b, r },
                                   { &w->coef.phi, r * (s + 1) },
                                   { &w->coef.slope, r * (s + 1) },
                                   { &w->coef.ahead, (s + 1) * (s + 1) },
                                   { &w->coef.A, r * r },
                                   { &w->scratch.before, w->state.numbers },
                                   { &w->scratch.X, w->N },
                                   { &w->scratch.Y, w->N },
                                   { &w->scratch.node, noe_tape_inputs(w->n) },
                                   { &w->scratch.F, 2 * n * r },
                                   { &w->scratch.D, (4 * n * n + 2 * n) * r },
                                   { &w->scratch.sum, n },
                                   { &w->scratch.gain, 3 } };
    memcpy(all, list, sizeof list);
}

static void drop(void *self)
{
    noe_arb_engine *w = self;
    if (!w) return;
    if (w->jet) {
        vector all[VECTORS];
        vectors(w, all);
        for (int i = 0; i < VECTORS; i++) _arb_vec_clear(*all[i].at, all[i].length);
        arb_mat_clear(w->scratch.J), arb_mat_clear(w->scratch.R);
    }
    noe_arb_jet_free(w->jet);
    free(w->copy.memory);
    free(w);
}

static void *make(const noe_dynamics *d, const noe_method *f)
{
    noe_arb_engine *w = noe_status_alloc(1, sizeof *w);
    if (!w) return NULL;
    *w = (noe_arb_engine){
        .dyn = d, .method = *f, .n = d->n, .s = f->kind == NOE_GALERKIN ? f->s : 1, .r = f->r
    };
    w->N = w->n * w->s;
    w->state.numbers = 7 + 2 * w->n + w->N;
    if (!(w->jet = noe_arb_jet_new(d->model))) return drop(w), NULL;
    vector all[VECTORS];
    vectors(w, all);
    for (int i = 0; i < VECTORS; i++) *all[i].at = _arb_vec_init(all[i].length);
    arb_mat_init(w->scratch.J, w->N, w->N), arb_mat_init(w->scratch.R, w->N, 1);
    w->state.t0 = w->state.all;
    w->state.h = w->state.t0 + 1;
    w->state.count = w->state.h + 1;
    w->history.known = w->state.count + 1;
    w->state.balance = w->history.known + 1;
    w->state.q = w->state.balance + 3;
    w->state.p = w->state.q + w->n, w->history.modes = w->state.p + w->n;
    return w;
}

static bool lay(noe_arb_engine *w)
{
    if (!w->coef.known)
        w->coef.known = w->method.kind == NOE_GALERKIN ? noe_arb_galerkin_prepare(w)
                                                       : noe_arb_explicit_prepare(w);
    return w->coef.known;
}

static void present(noe_arb_engine *w)
{
    arb_mul(w->now.point, w->state.count, w->state.h, w->prec),
        arb_add(w->now.point, w->now.point, w->state.t0, w->prec), noe_wide_middle(w->now.point);
    _arb_vec_set(w->now.point + 1, w->state.q, w->n);
    _arb_vec_set(w->now.point + 1 + 2 * w->n, w->state.p, w->n);
}

static void know_velocities(noe_arb_engine *w)
{
    if (w->now.v_known) return;
    present(w);
    if (noe_arb_jet_velocities(w->jet, w->now.point, w->state.p, NULL, w->prec)) {
        noe_arb_jet_energy(w->jet, w->now.point, w->now.point + 1 + 3 * w->n, w->prec);
        for (int i = 0; i < noe_tape_inputs(w->n); i++) noe_wide_middle(w->now.point + i);
    } else {
        for (int j = 0; j < w->n; j++) arb_indeterminate(w->now.point + 1 + w->n + j);
        arb_indeterminate(w->now.point + 1 + 3 * w->n);
    }
    w->now.v_known = true;
    w->now.observed = false;
}

static unsigned begin_at(noe_arb_engine *w, const noe_start_point *point)
{
    bool *momentum = noe_status_alloc((size_t)w->n, sizeof *momentum);
    w->stats.iterations = w->stats.refreshes = w->stats.subdivided = w->stats.residual =
        w->check.energy = 0;
    w->why = momentum && lay(w) ? noe_arb_start_at(w->jet, point, w->prec, w->now.point, momentum)
                                    ? NOE_OK
                                    : NOE_SINGULAR
                                : NOE_NO_MEMORY;
    free(momentum);
    arb_set(w->state.t0, w->now.point);
    _arb_vec_set(w->state.q, w->now.point + 1, w->n);
    _arb_vec_set(w->state.p, w->now.point + 1 + 2 * w->n, w->n);
    arb_zero(w->history.known), arb_zero(w->state.count);
    for (int i = 0; i < w->state.numbers; i++) noe_wide_middle(w->state.all + i);
    if (!w->why && noe_arb_jet_exponent(w->now.point + 1, 3 * w->n + 1) == WORD_MAX)
        w->why = NOE_NOT_FINITE;
    w->now.v_known = false;
    if (!w->why && !noe_arb_jet_regular(w->jet, w->now.point, w->prec)) w->why = NOE_SINGULAR;
    if (!w->why) know_velocities(w);
    arb_zero(w->state.balance), arb_zero(w->state.balance + 1),
        arb_set(w->state.balance + 2, w->now.point + 1 + 3 * w->n);
    if (!w->why && noe_arb_jet_exponent(w->now.point + 1 + w->n, w->n) == WORD_MAX)
        w->why = NOE_SINGULAR;
    return w->why != NOE_OK;
}

static unsigned begin(void *self) { return begin_at(noe_arb_memory_settle(self), NULL); }

/* Starts from the numbers that `set` stored; they are exact in binary128. */
static unsigned start(void *self, const bool *momentum)
{
    noe_arb_engine *w = noe_arb_memory_settle(self);
    const size_t    n = (size_t)w->n;
    quad           *x = noe_status_alloc(3 * n, sizeof *x);
    if (!x) return w->why = NOE_NO_MEMORY, 1;
    for (size_t j = 0; j < n; j++) {
        x[j] = noe_wide_to(w->state.q + j);
        x[n + j] = noe_wide_to(w->now.point + 1 + n + j);
        x[2 * n + j] = noe_wide_to(w->state.p + j);
    }
    const noe_start_point point = { noe_wide_to(w->state.t0), x, x + n, x + 2 * n, momentum };
    const unsigned        failed = begin_at(w, &point);
    free(x);
    return failed;
}

/* Returns |v.p|/2, which is the kinetic energy if L is quadratic in v; *H: the energy. */
static double kinetic(noe_arb_engine *w, double *H)
{
    arb_t T;
    arb_init(T);
    know_velocities(w);
    arb_dot(T, NULL, 0, w->now.point + 1 + w->n, 1, w->state.p, 1, w->n, ROUGH_BITS);
    const double twice = arf_get_d(arb_midref(T), ARF_RND_NEAR);
    *H = arf_get_d(arb_midref(w->now.point + 1 + 3 * w->n), ARF_RND_NEAR);
    arb_clear(T);
    return fabs(twice) / 2;
}

/* True if the energy of a solution found by continuation changes so much that it must be a
 * spurious root.  The state is exact; H is computed with four times the digits, since its terms
 * may cancel near an equilibrium, as in 1 - cos(q). */
static bool jumped(noe_arb_engine *w)
{
    const slong prec = w->prec;
    double      H0, H1;
    w->prec = ENERGY_PRECISIONS * prec;
    _arb_vec_swap(w->state.all, w->scratch.before, w->state.numbers);
    w->now.v_known = false;
    const double T0 = kinetic(w, &H0);
    _arb_vec_swap(w->state.all, w->scratch.before, w->state.numbers);
    w->now.v_known = false;
    const double T1 = kinetic(w, &H1);
    w->prec = prec, w->now.v_known = false;
    return !(fabs(H1 - H0)
             <= SUSPECT_PART
                    * fmax(fmax(fabs(H0), fmax(w->check.energy, w->check.within)), fmax(T0, T1)));
}

static unsigned step(void *self)
{
    noe_arb_engine *w = noe_arb_memory_settle(self);
    /* after a restart the coefficients are not computed yet */
    if (!lay(w)) return w->why = NOE_NO_MEMORY, 1;
    double H;
    w->check.energy = fmax(w->check.energy, kinetic(w, &H));
    w->check.doubt = false;
    _arb_vec_set(w->scratch.before, w->state.all, w->state.numbers);
    arb_zero(w->scratch.gain), arb_zero(w->scratch.gain + 1);
    if (!(w->method.kind == NOE_GALERKIN ? noe_arb_galerkin_step(w) : noe_arb_explicit_step(w)))
        return 1;
    for (int k = 0; k < 2; k++)
        arb_addmul(w->state.balance + k, w->state.h, w->scratch.gain + k, w->prec),
            noe_wide_middle(w->state.balance + k);
    arb_add_ui(w->state.count, w->state.count, 1, w->prec);
    w->now.v_known = w->now.observed = false;
    if (w->check.doubt && w->dyn->autonomous && !w->dyn->linear && jumped(w)) {
        _arb_vec_set(w->state.all, w->scratch.before, w->state.numbers);
        w->now.v_known = false;
        return w->why = NOE_NOT_CONVERGED, 1;
    }
    w->check.energy = fmax(w->check.energy, w->method.kind == NOE_GALERKIN ? w->check.within : 0);
    w->why = NOE_OK;
    return 0;
}

static noe_status why(void *self, int member)
{
    return (void)member, ((noe_arb_engine *)self)->why;
}

static bool stride(void *self, const char *expression)
{
    noe_arb_engine  *w = noe_arb_memory_settle(self);
    noe_ex           x;
    noe_arb_program *p = noe_parse_model_expression(w->jet->model, "step", expression, &x)
                           ? noe_arb_program_new(w->jet->model, &x, 1)
                           : NULL;
    if (p) noe_arb_program_run(p, NULL, w->state.h, w->prec, true);
    noe_arb_program_free(p);
    return p != NULL;
}

/* ---- values of the state ---- */

static void set_digits(void *self, int digits)
{
    noe_arb_engine *w = noe_arb_memory_settle(self);
    w->digits = digits;
    w->prec = noe_wide_bits(digits) + GUARD_BITS;
    w->now.v_known = w->now.observed = false;
}

static void set(void *self, noe_engine_value what, int member, const quad *x)
{
    noe_arb_engine *w = noe_arb_memory_settle(self);
    (void)member;
    if (what == NOE_AT_T0) noe_wide_from(w->state.t0, *x);
    if (what == NOE_AT_STEP) noe_wide_from(w->state.h, *x);
    if (what == NOE_AT_COUNT) noe_wide_from(w->state.count, *x);
    for (int j = 0; j < w->n; j++) {
        if (what == NOE_AT_Q) noe_wide_from(w->state.q + j, x[j]);
        if (what == NOE_AT_V) noe_wide_from(w->now.point + 1 + w->n + j, x[j]);
        if (what == NOE_AT_P) noe_wide_from(w->state.p + j, x[j]);
    }
    w->now.v_known = what == NOE_AT_V;
    w->now.observed = false;
}

/* The i-th number of a quantity of the state, or an observable (what < 0); NULL: another
 * quantity. */
static arb_srcptr find(noe_arb_engine *w, int what, int i)
{
    const int n = w->n;
    if (what == NOE_AT_T0) return w->state.t0;
    if (what == NOE_AT_STEP) return w->state.h;
    if (what == NOE_AT_COUNT) return w->state.count;
    if (what == NOE_AT_Q) return w->state.q + i;
    if (what == NOE_AT_P) return w->state.p + i;
    if (what == NOE_AT_T) return present(w), w->now.point;
    if (what == NOE_AT_WORK) return w->state.balance;
    if (what == NOE_AT_DISSIPATED) return w->state.balance + 1;
    if (what == NOE_AT_V || what == NOE_AT_ENERGY || what == NOE_AT_BALANCE
        || what == NOE_AT_OBSERVABLE)
        know_velocities(w);
    if (what == NOE_AT_BALANCE) {
        arb_sub(w->scratch.gain + 2, w->now.point + 1 + 3 * n, w->state.balance + 2, w->prec);
        arb_add(w->scratch.gain + 2, w->scratch.gain + 2, w->state.balance + 1, w->prec),
            arb_sub(w->scratch.gain + 2, w->scratch.gain + 2, w->state.balance, w->prec);
        return noe_wide_middle(w->scratch.gain + 2), w->scratch.gain + 2;
    }
    if (what == NOE_AT_V) return w->now.point + 1 + n + i;
    if (what == NOE_AT_ENERGY) return w->now.point + 1 + 3 * n;
    if (what != NOE_AT_OBSERVABLE) return NULL;
    if (!w->now.observed)
        noe_arb_program_run(w->jet->observe, w->now.point, w->now.observables, w->prec, true);
    w->now.observed = true;
    return w->now.observables + i;
}

static void get(void *self, noe_engine_value what, int member, quad *x)
{
    noe_arb_engine *w = noe_arb_memory_settle(self);
    const int       count = what == NOE_AT_Q || what == NOE_AT_P || what == NOE_AT_V ? w->n : 1;
    (void)member;
    for (int i = 0; i < count; i++) {
        arb_srcptr y = find(w, (int)what, i);
        x[i] = y ? noe_wide_to(y) : 0;
    }
}

static quad solver_count(void *self, noe_solver_at what, int member)
{
    const noe_arb_engine *w = noe_arb_memory_settle(self);
    (void)member;
    return what == NOE_SOLVER_ITERATIONS ? w->stats.iterations
         : what == NOE_SOLVER_REFRESHES  ? w->stats.refreshes
         : what == NOE_SOLVER_SUBDIVIDED ? w->stats.subdivided
         : what == NOE_SOLVER_RESIDUAL   ? w->stats.residual
                                         : 0;
}

static void wide(void *self, int what, int i, noe_wide *out)
{
    noe_arb_engine *w = noe_arb_memory_settle(self);
    if (what == NOE_AT_PARAM) {
        noe_arb_program *p = noe_arb_program_new(w->jet->model, &w->jet->model->given[i], 1);
        if (p) noe_arb_program_run(p, NULL, out->x, w->prec, true);
        noe_arb_program_free(p);
        return;
    }
    arb_srcptr y = find(w, what, i);
    if (y) arb_set(out->x, y);
    else {
        quad x;
        get(w, (noe_engine_value)what, 0, &x);
        noe_wide_from(out->x, x);
    }
}

static const noe_engine_solver solver = { solver_count, NULL };
static const noe_engine_digits digits = { set_digits, wide, stride };
static const noe_engine        engine = { .members = 1,
                                          .make = make,
                                          .drop = drop,
                                          .set = set,
                                          .get = get,
                                          .start = start,
                                          .step = step,
                                          .why = why,
                                          .memory = noe_arb_memory_of,
                                          .begin = begin,
                                          .solver = &solver,
                                          .digits = &digits };

const noe_engine *noe_arb_engine_select(void) { return &engine; }
