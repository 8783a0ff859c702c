/* Simpson's step of a structure by the printed formulas, with and without the middle point.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     A (q_m, p, q) = B (p_0, q_0);   q = Z^-1 (2 p_0 + (X - Y) q_0),   p = X (q - q_0) - p_0
 *
 * J. A. Rojas-Quintero, F. Dubois, J. G. Cabrera-Diaz, Axioms 13 (2024) 255: the first variant,
 * (26)-(29), keeps the middle of the step as an unknown; the second, (30)-(32), has eliminated
 * it, L q_m = (q_0 + q)/2.  In double, as printed, and without what the engine of "simpson" does
 * against rounding: for comparison with it.  X = (2/h) M - (h/6) K, Y = (h/3) (K L^-1 + K/2),
 * L = 1 - (h^2/8) M^-1 K = M^-1 S,  Z = X + Y = (2/h) D S^-1 M,  D = M + (h^2/24) K. */
#include "linear/printed_scheme.h"

#include "base/status.h"
#include "matrix/eigen_max.h"
#include "linear/mode_stability.h"
#include "linear/linear_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_linear_state     at;                  /* first member: what a restart needs */
    noe_arena           *arena;               /* memory of the engine */
    const noe_structure *s;                   /* the structure */
    noe_method           method;              /* the method; variant 1 or 2 */
    double            *q, *p, *v, *w, *x, *y; /* q, p of the state; the others [n], x and y [3n] */
    noe_factorization *mass, *D, *S, *A;      /* factors of M, D, S and of (28); NULL: not needed */
    double             h, omega2; /* step of the factors, 0: none; omega^2 of the fastest mode */
    int                window;    /* option: windows of stability that may be used */
    noe_factor_bits    bits;      /* option: use of the BLAS */
} printed;

static void forget(printed *w)
{
    noe_factorization_free(w->D), noe_factorization_free(w->S), noe_factorization_free(w->A);
    w->D = w->S = w->A = NULL;
    w->h = 0;
}

static void drop(void *self)
{
    printed *w = self;
    forget(w);
    noe_factorization_free(w->mass);
    noe_arena_free(w->arena);
}

static void *make(const noe_dynamics *d, const noe_method *f)
{
    noe_arena   *a = noe_arena_new();
    printed     *w = noe_arena_take(a, sizeof *w);
    const size_t n = (size_t)d->n;
    if (!w) return noe_arena_free(a), NULL;
    *w = (printed){ .arena = a, .s = d->structure, .method = *f, .omega2 = NAN, .window = 1 };
    double *room = noe_arena_take(a, 8 * n * sizeof *room);
    if (!room || !noe_linear_state_make(&w->at, a, d->n, 0)) return drop(w), NULL;
    w->q = w->at.z, w->p = w->q + n;
    w->v = room, w->w = w->v + n, w->x = w->w + n, w->y = w->x + 3 * n;
    return w;
}

static void set(void *self, noe_engine_value what, int member, const quad *x)
{
    (void)member;
    printed *w = self;
    noe_linear_state_set(&w->at, what, x);
    for (int i = 0; what == NOE_AT_V && i < w->at.n; i++) w->v[i] = (double)x[i];
}

static void set_option(void *self, noe_linear_at what, int value)
{
    printed *w = self;
    if (what == NOE_LINEAR_WINDOW) w->window = value, w->h = 0;
    if (what != NOE_LINEAR_FACTOR_BITS || w->bits == (noe_factor_bits)value) return;
    forget(w);
    noe_factorization_free(w->mass);
    w->mass = NULL, w->bits = (noe_factor_bits)value;
}

static bool by_blas(const printed *w)
{
    return w->s->blas || noe_factorization_blas(w->mass) || noe_factorization_blas(w->D)
        || noe_factorization_blas(w->S) || noe_factorization_blas(w->A);
}

static int option(void *self, noe_linear_at what)
{
    const printed *w = self;
    return what == NOE_LINEAR_WINDOW      ? w->window
         : what == NOE_LINEAR_FACTOR_BITS ? (int)w->bits
         : what == NOE_LINEAR_BLAS        ? by_blas(w)
                                          : 0;
}

static quad simpson(void *self) { return (void)self, (quad)NAN; }

static void get(void *self, noe_engine_value what, int member, quad *x)
{
    (void)member;
    printed  *w = self;
    const int n = w->at.n;
    if (noe_linear_state_get(&w->at, what, x)) return;
    *x = 0;
    if (what != NOE_AT_V && what != NOE_AT_ENERGY && what != NOE_AT_BALANCE) return;
    noe_factorization_solve(w->mass, w->p, w->w);
    if (what == NOE_AT_V) {
        for (int i = 0; i < n; i++) x[i] = w->w[i];
        return;
    }
    quad H = 0;
    noe_sparse_times(w->s->K, w->q, w->x);
    for (int i = 0; i < n; i++) H += ((quad)w->p[i] * w->w[i] + (quad)w->q[i] * w->x[i]) / 2;
    *x = what == NOE_AT_ENERGY ? (quad)(double)H
                               : (quad)noe_linear_state_balance(&w->at, (double)H);
}

/* The blocks of (28), the first row multiplied by M: entry (r, c) is m M + k K, plus 1 for c = 1
 * (p) and r > 0. */
static noe_sparse *equations(const noe_structure *s, double h)
{
    const double m[3][3] = { { 1, 0, -0.5 }, { 0, 0, -2 / h }, { 0, 0, 0 } };
    const double k[3][3] = { { -h * h / 8, 0, 0 }, { 0, 0, h / 6 }, { 2 * h / 3, 0, h / 6 } };
    const int    n = s->n;
    int64_t      at = 0;
    noe_sparse  *A = noe_sparse_new(3 * n, 9 * (s->M->start[n] + s->K->start[n] + n));
    for (int row = 0; A && row < 3 * n; row++) {
        const int i = row / 3, r = row % 3;
        int64_t   a = s->M->start[i], b = s->K->start[i];
        bool      own = false;
        for (;;) {
            const int mc = a < s->M->start[i + 1] ? s->M->col[a] : INT32_MAX,
                      kc = b < s->K->start[i + 1] ? s->K->col[b] : INT32_MAX;
            int j = mc < kc ? mc : kc;
            if (!own && i < j) j = i;
            if (j == INT32_MAX) break;
            const double Mij = mc == j ? s->M->value[a++] : 0, Kij = kc == j ? s->K->value[b++] : 0;
            own |= j == i;
            for (int c = 0; c < 3; c++) {
                const double x = m[r][c] * Mij + k[r][c] * Kij + (j == i && c == 1 && r > 0);
                if (x != 0) A->col[at] = 3 * j + c, A->value[at++] = x;
            }
        }
        A->start[row + 1] = at;
    }
    return A;
}

static noe_status prepare(printed *w)
{
    const double h = *w->at.h;
    if (w->h == h) return NOE_OK;
    forget(w);
    if (!w->mass && !(w->mass = noe_factorization_new(w->s, 0, 1, w->bits))) return NOE_SINGULAR;
    if (w->omega2 != w->omega2) w->omega2 = fmax(0, noe_eigen_max_lanczos(w->s, w->mass));
    if (w->omega2 != w->omega2) return NOE_NO_MEMORY;
    const noe_status s = noe_mode_stability_check(w->s, &w->method, h, w->omega2, w->window);
    if (s) return s;
    if (w->method.variant == 1) {
        noe_sparse *A = equations(w->s, h);
        w->A = A ? noe_factorization_general(A, w->bits) : NULL;
        noe_sparse_free(A);
        if (!w->A) return NOE_SINGULAR;
    } else if (!(w->D = noe_factorization_new(w->s, 1, h * h / 24, w->bits))
               || !(w->S = noe_factorization_new(w->s, -1, h * h / 8, w->bits)))
        return NOE_SINGULAR;
    w->h = h;
    return NOE_OK;
}

/* to = X from. */
static void times_X(const printed *w, const double *from, double *to, double *scratch)
{
    noe_sparse_times(w->s->M, from, to);
    noe_sparse_times(w->s->K, from, scratch);
    for (int i = 0; i < w->at.n; i++) to[i] = 2 / w->h * to[i] - w->h / 6 * scratch[i];
}

static void with_the_middle(printed *w)
{
    const int n = w->at.n;
    double   *Mq = w->v, *Kq = w->w, *x = w->x;
    noe_sparse_times(w->s->M, w->q, Mq);
    noe_sparse_times(w->s->K, w->q, Kq);
    for (int i = 0; i < n; i++) {
        x[3 * i] = Mq[i] / 2;
        x[3 * i + 1] = -w->p[i] - (2 / w->h * Mq[i] - w->h / 6 * Kq[i]);
        x[3 * i + 2] = w->p[i] - w->h / 6 * Kq[i];
    }
    noe_factorization_solve(w->A, x, w->y);
    for (int i = 0; i < n; i++) w->p[i] = w->y[3 * i + 1], w->q[i] = w->y[3 * i + 2];
}

static void without_the_middle(printed *w)
{
    const int    n = w->at.n;
    const double h = w->h;
    double      *a = w->v, *b = w->w, *X = w->x, *c = w->x + n, *d = w->x + 2 * n, *q = w->y;
    times_X(w, w->q, X, c);
    noe_sparse_times(w->s->M, w->q, a); /* Y q = h/3 (K S^-1 M q + K q/2) */
    noe_factorization_solve(w->S, a, b);
    noe_sparse_times(w->s->K, b, a);
    for (int i = 0; i < n; i++) b[i] = 2 * w->p[i] + X[i] - h / 3 * (a[i] + c[i] / 2);
    noe_factorization_solve(w->D, b, a); /* Z^-1 = h/2 M^-1 S D^-1 */
    noe_sparse_times(w->s->M, a, b);
    noe_sparse_times(w->s->K, a, c);
    for (int i = 0; i < n; i++) b[i] = h / 2 * (b[i] - h * h / 8 * c[i]);
    noe_factorization_solve(w->mass, b, q);
    for (int i = 0; i < n; i++) a[i] = q[i] - w->q[i];
    times_X(w, a, X, d);
    for (int i = 0; i < n; i++) w->p[i] = X[i] - w->p[i], w->q[i] = q[i];
}

static bool all_finite(const printed *w)
{
    double bad = 0;
    for (int i = 0; i < w->at.n; i++) bad += (w->q[i] - w->q[i]) + (w->p[i] - w->p[i]);
    return bad == 0;
}

static void advance(printed *w)
{
    (w->method.variant == 1 ? with_the_middle : without_the_middle)(w);
}

static unsigned step(void *self)
{
    printed *w = self;
    if ((w->at.why = prepare(w))) return 1;
    advance(w);
    *w->at.count += 1;
    return 0;
}

static unsigned start(void *self, const bool *momentum)
{
    printed  *w = self;
    const int n = w->at.n;
    int       given = 0;
    *w->at.count = 0;
    if ((w->at.why = prepare(w))) return 1;
    for (int i = 0; i < n; i++) given += momentum[i];
    if (given && given < n && !w->s->mass) {
        w->at.why = noe_status_fail(
            NOE_INVALID,
            "a start with the momenta of some and the velocities of other coordinates needs a "
            "lumped mass: give all velocities or all momenta");
        return 1;
    }
    noe_sparse_times(w->s->M, w->v, w->w);
    for (int i = 0; i < n; i++)
        if (!momentum[i]) w->p[i] = w->w[i];
    w->at.why = all_finite(w) ? NOE_OK : NOE_NOT_FINITE;
    quad H;
    get(w, NOE_AT_ENERGY, 0, &H);
    *w->at.H0 = (double)H;
    return w->at.why != NOE_OK;
}

/* The step is linear: the columns of its derivative are the steps of unit vectors. */
static bool derivative(void *self, int member, quad *M)
{
    printed     *w = self;
    const size_t n = (size_t)w->at.n, bytes = n * sizeof *w->q;
    double      *kept = noe_status_alloc(2 * n, sizeof *kept);
    (void)member;
    if (!kept) return false;
    memcpy(kept, w->q, bytes), memcpy(kept + n, w->p, bytes);
    for (size_t c = 0; c < 2 * n; c++) {
        memset(w->q, 0, bytes), memset(w->p, 0, bytes);
        *(c < n ? &w->q[c] : &w->p[c - n]) = 1;
        advance(w);
        for (size_t i = 0; i < n; i++) M[i * 2 * n + c] = w->q[i], M[(n + i) * 2 * n + c] = w->p[i];
    }
    memcpy(w->q, kept, bytes), memcpy(w->p, kept + n, bytes);
    free(kept);
    return true;
}

static noe_status place(void *self, quad t, const double *q, const double *p)
{
    printed     *w = self;
    const size_t bytes = (size_t)w->at.n * sizeof *q;
    /* after a restart no step has prepared the factors */
    if ((w->at.why = prepare(w))) return w->at.why;
    noe_linear_state_place(&w->at, w->s, (double)t);
    memcpy(w->q, q, bytes), memcpy(w->p, p, bytes);
    return NOE_OK;
}

static void summarize(void *self, char *text, size_t size)
{
    const printed *w = self;
    if (w->A)
        snprintf(text, size,
                 "as printed, with the middle of the step: one LU of %d equations, %.3g entries",
                 3 * w->at.n, (double)noe_factorization_entries(w->A));
    else
        snprintf(
            text, size,
            "as printed, the middle eliminated: solutions with M, D = M + h^2 K/24 and S = M - h^2 "
            "K/8");
    if (by_blas(w)) noe_linear_state_print_blas(text, size, w->s->blas);
}

const noe_engine *noe_printed_scheme(const noe_dynamics *d, const noe_method *f)
{
    static const noe_engine_fraction fraction = { .place = place };
    static const noe_engine_linear   linear = { set_option, option, simpson, NULL };
    static const noe_engine          engine = { .members = 1,
                                                .make = make,
                                                .drop = drop,
                                                .set = set,
                                                .get = get,
                                                .start = start,
                                                .step = step,
                                                .derivative = derivative,
                                                .why = noe_linear_state_why,
                                                .memory = noe_linear_state_memory,
                                                .summarize = summarize,
                                                .fraction = &fraction,
                                                .linear = &linear };
    const noe_structure             *s = d->structure;
    return s && f->variant && !s->C && s->alpha == 0 && s->beta == 0 && !s->load ? &engine : NULL;
}
