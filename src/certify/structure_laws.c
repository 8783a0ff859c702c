/* The laws of a finite-element structure, M q'' + C q' + K q = f, measured in double.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * omega(S x, S y) = omega(x, y),  S(-h) S(h) = 1,  |q - q_mode(t)| ~ h^order,  H2 constant.
 * A step S is affine, so its effect on the difference of two states does not depend on the load.
 * The order is measured in one mode, whose motion is known in closed form: one with some ten steps
 * a period. */
#include "certify/laws.h"

#include "number/random.h"
#include "base/status.h"
#include "matrix/structure.h"
#include "matrix/eigen_max.h"
#include "matrix/factorization.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* REVERSED_STEPS: steps forth, and steps back.  LEVELS: step lengths h, h/2, .. for the order.
 * MODES_MOST: coordinates for which a mode is computed.  STEPS_*: steps of the long run. */
enum { REVERSED_STEPS = 10, LEVELS = 5, MODES_MOST = 50000, STEPS_LEAST = 200, STEPS_MOST = 10000 };
/* ROUNDING: relative rounding error of a few steps.  WORK: entries of M and K times steps of a long
 * run. */
static const double ROUNDING = 1e-13, WORK = 4e9;
/* STEP_ROUNDING: relative rounding error of a state by one step.  ERROR_MARGIN: factor by which
 * the error of a mode must exceed its rounding error to count for the order. */
static const double STEP_ROUNDING = 32 * 0x1p-53, ERROR_MARGIN = 50;

typedef struct {
    const noe_system    *system; /* the system with the structure */
    const noe_structure *s;      /* M, C, K and load */
    const noe_method    *f;      /* the method */
    double               h,      /* modulus of the step */
        top;                     /* omega^2 of the fastest mode */
    int      n;                  /* coordinates */
    uint64_t seed;               /* seed of random states */
    double  *z[6];               /* [2n] each: states (q, p), and memory for intermediate results */
    /* Largest norms of the positions and of the momenta of the load's motion from rest, which was
     * subtracted from the states. */
    double beside[2];
} trial;

static bool begin(noe_integrator *g, int n, const double *z)
{
    return g && !noe_start_momentum(g, 0, z, z + n);
}

static void state(const noe_integrator *g, int n, double *z)
{
    memcpy(z, noe_q(g), (size_t)n * sizeof *z);
    memcpy(z + n, noe_p(g), (size_t)n * sizeof *z);
}

static double uniform(trial *x) { return 2 * noe_random_uniform(&x->seed) - 1; }

/* Random positions of order 1, and momenta M v with velocities of a like energy. */
static void draw(trial *x, double *z)
{
    double *v = x->z[5];
    for (int i = 0; i < x->n; i++) z[i] = uniform(x), v[i] = uniform(x) * sqrt(x->top) / 2;
    noe_sparse_times(x->s->M, v, z + x->n);
}

static double norm(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* to = the state after `steps` steps of h from z; with a load, less the state after as many steps
 * from rest at 0. */
static bool walk(trial *x, double h, int steps, const double *z, double *to)
{
    noe_integrator *g = noe_integrator_make(x->system, x->f, h, NOE_DIGITS_DOUBLE);
    double         *rest = x->z[4];
    bool            ok = begin(g, x->n, z);
    for (int k = 0; k < steps && ok; k++) ok = !noe_step(g);
    if (ok) state(g, x->n, to);
    if (ok && x->s->load) {
        memset(rest, 0, 2 * (size_t)x->n * sizeof *rest);
        ok = begin(g, x->n, rest);
        for (int k = 0; k < steps && ok; k++) ok = !noe_step(g);
        if (ok) state(g, x->n, rest);
        for (int i = 0; i < 2 * x->n && ok; i++) to[i] -= rest[i];
        for (int i = 0; i < 2; i++) x->beside[i] = fmax(x->beside[i], norm(rest + i * x->n, x->n));
    }
    noe_integrator_free(g);
    return ok;
}

/* Bound of the relative rounding error of solving equations of the condition 1 + (h omega)^2. */
static double rounding(const trial *x) { return ROUNDING * fmax(1, x->h * x->h * x->top); }

/* The symplectic form of two states a, b = (q, p). */
static double omega(const double *a, const double *b, int n)
{
    quad sum = 0;
    for (int i = 0; i < n; i++) sum += (quad)a[i] * b[n + i] - (quad)a[n + i] * b[i];
    return (double)sum;
}

static void symplectic(trial *x, noe_laws *laws)
{
    const int n = x->n;
    double    worst = NAN, *a = x->z[0], *b = x->z[1], *Sa = x->z[2], *Sb = x->z[3];
    draw(x, a), draw(x, b);
    if (walk(x, x->h, 3, a, Sa) && walk(x, x->h, 3, b, Sb))
        worst = fabs(omega(Sa, Sb, n) - omega(a, b, n))
              / (norm(Sa, n) * norm(Sb + n, n) + norm(Sb, n) * norm(Sa + n, n)
                 + norm(a, n) * norm(b + n, n) + norm(b, n) * norm(a + n, n));
    noe_law_traits_judge(
        noe_law_list_add(laws, "symplectic", worst, rounding(x),
                         "q.p' - p.q' of two random motions after 3 steps, double, of its terms%s",
                         x->system->dyn.forced ? ": forces are not symplectic" : ""),
        noe_law_traits_find(NOE_LAW_SYMPLECTIC, x->system, x->f));
}

/* Condition of `steps` steps of h from z: the relative change of the final state, positions
 * relative to size_q and momenta to size_p, per relative change of each number of z, or of the
 * load's motion. Measured by random relative changes of 2^-26.  c: the final state from z itself.
 * */
static double condition(trial *x, double h, int steps, const double *z, const double *c,
                        double size_q, double size_p)
{
    enum { DRAWS = 3 };
    static const double by = 0x1p-26;
    const int           n = x->n;
    double most = fmax(1, fmax(x->beside[0] / size_q, x->beside[1] / size_p)), *moved = x->z[3],
           *to = x->z[5];
    for (int k = 0; k < DRAWS; k++) {
        for (int i = 0; i < 2 * n; i++) moved[i] = z[i] * (1 + by * uniform(x));
        if (!walk(x, h, steps, moved, to)) return INFINITY;
        for (int i = 0; i < 2 * n; i++) to[i] -= c[i];
        most = fmax(most, fmax(norm(to, n) / size_q, norm(to + n, n) / size_p) / by);
    }
    return most;
}

/* The law "reversible".  With damping it is not measured: backwards, a damped motion grows, and
 * its rounding error with it. */
static void reversible(trial *x, noe_laws *laws)
{
    const int  n = x->n;
    const bool damped = x->s->C || x->s->alpha != 0 || x->s->beta != 0;
    double     worst = NAN, bound = NAN, *a = x->z[0], *b = x->z[1], *c = x->z[2];
    draw(x, a);
    if (!damped && walk(x, x->h, REVERSED_STEPS, a, b) && walk(x, -x->h, REVERSED_STEPS, b, c)) {
        const double q = fmax(norm(a, n), norm(b, n)), p = fmax(norm(a + n, n), norm(b + n, n));
        bound = STEP_ROUNDING * REVERSED_STEPS * condition(x, -x->h, REVERSED_STEPS, b, c, q, p);
        for (int i = 0; i < 2 * n; i++) c[i] -= a[i];
        worst = fmax(norm(c, n) / q, norm(c + n, n) / p);
    }
    noe_law_traits_judge(
        noe_law_list_add(laws, "reversible", worst, bound, "%d steps forth and back, double%s",
                         REVERSED_STEPS,
                         damped ? ": damping, undone, would let rounding grow" : ""),
        damped ? NOE_NOT_MEANT : noe_law_traits_find(NOE_LAW_REVERSIBLE, x->system, x->f));
}

/* |K u - omega^2 M u| / |K u| of a mode: at which it is rounding, and up to which it serves for an
 * order, whose law judges errors far above. */
static const double MODE_ROUNDED = 1e-13, MODE_FOUND = 1e-9;
/* Shifts by Rayleigh's quotient, which converge cubically; solutions with the first shift. */
enum { ROUNDS = 8, FIRST_SOLUTIONS = 6 };

/* A mode u of frequency near omega2, and its omega2, by inverse iteration with Rayleigh's
 * quotient; returns |K u - omega^2 M u| / |K u|. */
static double mode(trial *x, double *omega2, double *u)
{
    const int n = x->n;
    double   *Mu = x->z[4], *Ku = x->z[4] + n, left = INFINITY;
    for (int i = 0; i < n; i++) u[i] = uniform(x);
    for (int round = 0; round < ROUNDS && left > MODE_ROUNDED; round++) {
        const bool         clean = !noe_error();
        noe_factorization *A = *omega2 > 0
                                 ? noe_factorization_new(x->s, -1 / *omega2, 1, NOE_BITS_FAST)
                                 : NULL;
        if (!A && clean) noe_error_clear(); /* singular: omega2 is a mode's frequency to rounding */
        for (int k = 0; k < (round ? 1 : FIRST_SOLUTIONS) && A; k++) {
            noe_sparse_times(x->s->M, u, Mu);
            noe_factorization_solve(A, Mu, u);
            const double size = norm(u, n);
            for (int i = 0; i < n; i++) u[i] /= size;
        }
        noe_sparse_times(x->s->M, u, Mu), noe_sparse_times(x->s->K, u, Ku);
        double uMu = 0, uKu = 0;
        for (int i = 0; i < n; i++) uMu += u[i] * Mu[i], uKu += u[i] * Ku[i];
        *omega2 = uKu / uMu;
        left = 0;
        for (int i = 0; i < n; i++) left += (Ku[i] - *omega2 * Mu[i]) * (Ku[i] - *omega2 * Mu[i]);
        left = sqrt(left) / norm(Ku, n);
        noe_factorization_free(A);
        if (!A) break;
    }
    return left;
}

/* q(t)/q(0) of q'' + c q' + w2 q = 0, q'(0) = 0, in closed form. */
static double mode_motion(double w2, double c, double t)
{
    const double d = w2 - c * c / 4, w = sqrt(fabs(d)),
                 swing = d == 0 ? t
                       : d > 0  ? sin(w * t) / w
                                : sinh(w * t) / w;
    return exp(-c * t / 2) * ((d >= 0 ? cos(w * t) : cosh(w * t)) + c / 2 * swing);
}

static void order(trial *x, noe_laws *laws)
{
    const int n = x->n,
              computed = noe_splitting_check_order(
                  &(noe_splitting_check){ .damped = x->s->alpha != 0 || x->s->beta != 0 }, x->f);
    const char *why = x->s->C        ? "a damping with no modes of its own"
                    : n > MODES_MOST ? "too many coordinates"
                                     : NULL;
    double *u = x->z[0], *z = x->z[1], *to = x->z[2], omega2 = fmin(0.25 / (x->h * x->h), x->top),
           error[LEVELS], measured = NAN, rounding_error = 0;
    const double left = why ? NAN : mode(x, &omega2, u);
    if (!why && !(left < MODE_FOUND && omega2 > 0)) why = "no mode was found";
    /* Long enough that the error of a slow mode exceeds rounding, and stable for the fastest
     * mode. */
    const double H = fmin(fmax(0.5 / sqrt(omega2), x->h), fmax(x->h, 1 / sqrt(x->top)));
    const int    steps = why ? 0 : (int)fmax(4, ceil(1.2 / (H * sqrt(omega2))));
    int          found = 0;
    memcpy(z, u, (size_t)n * sizeof *z), memset(z + n, 0, (size_t)n * sizeof *z);
    for (int k = 0; k < LEVELS && !why; k++) {
        const double c = x->s->alpha + x->s->beta * omega2,
                     exact = mode_motion(omega2, c, H * steps), size = norm(u, n);
        if (!walk(x, ldexp(H, -k), steps << k, z, to)) break;
        if (k == 0)
            rounding_error = fmax(left, STEP_ROUNDING * steps
                                            * condition(x, H, steps, z, to, size, INFINITY));
        for (int i = 0; i < n; i++) to[i] -= exact * u[i];
        error[k] = norm(to, n) / size;
        if (error[k] < ERROR_MARGIN * rounding_error * (1 << k)) break;
        if (k) measured = log2(error[k - 1] / error[k]), found++;
        if (k > 1 && measured > computed - 0.2) break;
    }
    if (!found) {
        noe_law_list_add_unmeasurable(laws, "order",
                                      why ? why : "the errors of a mode are rounding");
        return;
    }
    noe_law_list_add(laws, "order", fmax(0, computed - measured), 0.35,
                     "measured %.2f in the mode of frequency %.6g by its known motion, computed %d",
                     measured, sqrt(omega2), computed);
}

/* sum |x_i| |A_ij| |x_j| */
static double terms(const noe_sparse *A, const double *x)
{
    double sum = 0;
    for (int i = 0; i < A->n; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            sum += fabs(x[i] * A->value[k] * x[A->col[k]]);
    return sum;
}

/* Appends the laws of energy, energy balance and Simpson's quadratic form over a run of `steps`
 * steps, sampled every `look` steps; from the model's initial state, or from a random one if that
 * is at rest without load.  None of them if the time limit is reached before the end. */
static void long_run(trial *x, int steps, int look, noe_laws *laws)
{
    const int       rows = steps / look + 1;
    noe_integrator *g = noe_integrator_make(x->system, x->f, x->h, NOE_DIGITS_DOUBLE);
    double *H = noe_status_alloc(3 * (size_t)rows, sizeof *H), *balance = H ? H + rows : NULL,
           *form = H ? balance + rows : NULL, T = 0, unit = 0, size;
    bool ok = g && H && !noe_integrator_start_ready(g);
    if (ok && noe_get(g, "energy") == 0 && !x->s->load)
        draw(x, x->z[0]), ok = begin(g, x->n, x->z[0]);
    int  row = 0;
    bool due = true;
    for (int k = 0; k <= steps && ok; k++) {
        if (k && (ok = !noe_step(g)) == false) break;
        if (k % look) continue;
        if (!(due = noe_law_list_due(laws, "a long run"))) break;
        const double *v = noe_v(g), *p = noe_p(g);
        double        now = 0;
        for (int i = 0; i < x->n; i++) now += v[i] * p[i] / 2;
        T = fmax(T, now), unit = fmax(unit, terms(x->s->K, noe_q(g)) + terms(x->s->M, v));
        H[row] = noe_get(g, "energy");
        balance[row] = noe_get(g, "balance");
        form[row] = noe_get(g, "simpson_energy");
        row++;
    }
    if (!due) ok = false;
    else if (!ok)
        noe_law_list_add(laws, "run", steps - (double)look * row, 0, "steps not done of %d: %.100s",
                         steps, noe_error() ? noe_error() : "");
    size = ok && T > 0 ? T : ok && unit > 0 ? unit : 1;
    const bool gauss = noe_method_is_gauss(x->f);
    if (ok && x->system->dyn.autonomous)
        noe_drift_laws_energy("energy bounded", H, NULL, row, size, unit,
                              noe_law_traits_find(NOE_LAW_ENERGY, x->system, x->f), steps, laws);
    else if (ok) {
        const double through = fabs(noe_get(g, "work")) + fabs(noe_get(g, "dissipated"));
        noe_drift_laws_balance(
            balance, row, size + through, unit + through,
            gauss || (x->f->kind == NOE_NEWMARK && x->f->beta == 0.25 && x->f->gamma == 0.5), steps,
            laws);
    }
    if (ok && !isnan(form[0])) {
        double most = 0;
        for (int k = 0; k < row; k++) most = fmax(most, fabs(form[k] - form[0]) / size);
        noe_law_list_add(
            laws, "simpson_energy", most, NOE_WALK_ROUNDINGS * 0x1p-53 * sqrt(steps) * unit / size,
            "largest change of Simpson's quadratic form over %d steps, of the energy of motion",
            steps);
    }
    free(H);
    noe_integrator_free(g);
}

static void conservation_laws(trial *x, noe_laws *laws)
{
    const double entries = (double)(x->s->M->start[x->n] + x->s->K->start[x->n]);
    const int    steps = (int)fmin(STEPS_MOST, fmax(STEPS_LEAST, WORK / entries)),
              before = laws->count;
    const uint64_t seed = x->seed;
    long_run(x, steps, NOE_ROW_STEPS, laws);
    if (!noe_drift_laws_failed(laws, before)) return;
    laws->count = before, x->seed = seed; /* so that the longer run has the same start */
    long_run(x, NOE_RUN_FACTOR * steps, NOE_RUN_FACTOR * NOE_ROW_STEPS, laws);
}

/* The law "two routes": steps by products with K (polynomials) and by factorisations agree. */
static void two_routes(trial *x, noe_laws *laws)
{
    noe_integrator *g[2] = { noe_integrator_make(x->system, x->f, x->h, NOE_DIGITS_DOUBLE),
                             noe_integrator_make(x->system, x->f, x->h, NOE_DIGITS_DOUBLE) };
    char            text[2][400] = { "", "" };
    const int       n = x->n;
    draw(x, x->z[0]);
    bool ok = g[1] && !noe_set(g[1], "factorise", 1) && begin(g[0], n, x->z[0])
           && begin(g[1], n, x->z[0]);
    for (int i = 0; i < 2 && ok; i++) g[i]->engine->summarize(g[i]->work, text[i], sizeof text[i]);
    ok = ok && strcmp(text[0], text[1]);
    for (int k = 0; k < REVERSED_STEPS && ok; k++) ok = !noe_step(g[0]) && !noe_step(g[1]);
    if (ok) {
        state(g[0], n, x->z[1]), state(g[1], n, x->z[2]);
        for (int i = 0; i < 2 * n; i++) x->z[2][i] -= x->z[1][i];
        noe_law_list_add(
            laws, "two routes",
            fmax(norm(x->z[2], n) / norm(x->z[1], n), norm(x->z[2] + n, n) / norm(x->z[1] + n, n)),
            REVERSED_STEPS * rounding(x), "%d steps by products with K against as many by factors",
            REVERSED_STEPS);
    }
    noe_integrator_free(g[0]), noe_integrator_free(g[1]);
}

bool noe_structure_laws(const noe_system *system, const noe_method *f, quad h, noe_laws *laws)
{
    const noe_structure *s = system->dyn.structure;
    trial x = { .system = system, .s = s, .f = f, .h = fabs((double)h), .n = s->n, .seed = 7 };
    noe_factorization *mass = noe_factorization_new(s, 0, 1, NOE_BITS_FAST);
    double            *scratch = noe_status_alloc(12 * (size_t)s->n, sizeof *scratch);
    *laws = (noe_laws){ .within = laws->within, .since = laws->since, .first = laws->first };
    if (!mass || !scratch) return noe_factorization_free(mass), free(scratch), false;
    for (int i = 0; i < 6; i++) x.z[i] = scratch + 2 * (size_t)i * (size_t)s->n;
    x.top = fmax(0, noe_eigen_max_lanczos(s, mass));
    noe_factorization_free(mass);
    const bool clean = !noe_error();
    if (noe_law_list_due(laws, "symplectic")) symplectic(&x, laws);
    if (noe_law_list_due(laws, "reversible")) reversible(&x, laws);
    if (noe_law_list_due(laws, "order")) order(&x, laws);
    if (noe_law_list_due(laws, "two routes")) two_routes(&x, laws);
    conservation_laws(&x, laws);
    if (clean) noe_error_clear();
    free(scratch);
    return laws->law != NULL || *laws->left;
}
