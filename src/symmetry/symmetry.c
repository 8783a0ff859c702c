/* The search for symmetries: the null space of Noether's identity at random states.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Random states -> rows -> null space -> generators, each verified on fresh states. */
#include "symmetry/symmetry.h"

#include "base/optional_library.h"
#include "base/status.h"
#include "symmetry/row_echelon.h"
#include "symmetry/symmetry_thresholds.h"
#include "matrix/nullspace.h"
#include "symmetry/ansatz.h"
#include "symmetry/forced_momentum.h"
#include "symmetry/identity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, SPECIAL_MOST = 200 }; /* most random and special states that are looked at */
typedef struct {
    noe_identity    at;    /* the states, and Noether's identity there */
    noe_symmetries *out;   /* the symmetries found */
    noe_ansatz      span;  /* the unknowns */
    quad           *M;     /* [m][span.columns] rows of Noether's identity in binary128 */
    double         *rough; /* the same in double */
    int             m,     /* rows of M and rough, [m][span.columns] in binary128 and in double */
        specials,          /* how many of them, the first ones, are at special states */
        *wanted; /* [rows of a state] how many rows of each kind random states have still to give */
} finder;

/* Appends to `have` rows those of the present state that are wanted, of a special one all; returns
 * how many rows there are then. */
static int append(finder *f, int have, bool special_state)
{
    const size_t N = (size_t)f->span.columns;
    const int    rows = noe_identity_rows(&f->at);
    for (int r = 0; r < rows && have < f->m; r++) {
        if (!special_state && f->wanted[r]-- <= 0) continue;
        noe_random_state        here;
        const noe_random_state *less = noe_identity_row(&f->at, r, &here);
        quad                   *row = f->M + (size_t)have * N;
        double                 *rough = f->rough + (size_t)have * N;
        noe_ansatz_row(&f->span, &here, less, row, rough);
        const quad unit = noe_identity_unit(&f->at, r, &here, less);
        for (size_t c = 0; c < N && unit != 1; c++) row[c] /= unit, rough[c] /= (double)unit;
        have++;
    }
    return have;
}

/* Fills the rows: first special states, then random ones.  The width cycles through three values,
 * and halves while more than half of the states are outside L's domain. */
static bool rows(finder *f)
{
    const int each = noe_identity_rows(&f->at);
    double    shrink = 1;
    int       have = 0;
    for (int k = 0; k < noe_identity_specials(&f->at) && have < f->specials; k++)
        if (noe_identity_special(&f->at, k)) have = append(f, have, true);
    if (f->at.sampler.several) f->m -= f->specials - have;
    for (int round = 0; round < ROUNDS && have < f->m; round++) {
        int refused = 0, tried = 0;
        for (; tried < f->m / each && have < f->m; tried++)
            if (noe_identity_draw(&f->at, shrink * noe_identity_width[tried % 3]))
                have = append(f, have, false);
            else refused++;
        if (2 * refused > tried) shrink /= 2;
    }
    if (have == f->m) return true;
    noe_status_fail(NOE_INVALID,
                    "symmetries: L is finite only in too small a region around the start");
    return false;
}

/* A quarter and 20 rows more than columns, and twice as many more where some of the states are
 * anywhere and the others satisfy the constraints. */
static int rows_for(const noe_state_sampler *at, int columns)
{
    return columns + columns / 4 + 20 + (at->surface ? columns / 4 + 20 : 0);
}

/* The number of rows of an L of one part, or of each block.  What satisfies the rows of all blocks
 * depends on t alone, so that few rows of the whole identity suffice.  False: out of memory. */
static bool count_rows(finder *f)
{
    const noe_state_sampler *at = &f->at.sampler;
    const int special = noe_identity_specials(&f->at), each = noe_identity_rows(&f->at),
              columns = f->span.columns;
    f->wanted = noe_arena_take(f->out->arena, (size_t)each * sizeof *f->wanted);
    if (!f->wanted) return false;
    f->m = f->specials = (special < SPECIAL_MOST ? special : SPECIAL_MOST) * each;
    f->wanted[0] = at->several ? 4 * at->n + 40 : rows_for(at, columns);
    for (int b = 0; b < each - 1; b++) {
        const int own = noe_ansatz_touching(&f->span, at->block, b);
        f->wanted[1 + b] = rows_for(at, own);
    }
    for (int r = 0; r < each; r++) f->m += f->wanted[r];
    if (!at->several)
        f->wanted[0] = f->m; /* also in the place of special ones that there are not */
    return true;
}

/* Reduces the k generators Z to readable ones: rows with other terms come first, then the strict
 * rows, each part reduced by itself; the strict pivots are cleared from all rows.  Returns the
 * number of rows that are not strict; -1: out of memory. */
static int readable(finder *f, quad *Z, int k)
{
    const int N = f->out->terms;
    bool     *strict = noe_arena_take(f->out->arena, 2 * (size_t)N), *rest = strict + N;
    if (!strict) return -1;
    for (int j = 0; j < N; j++)
        rest[j] = !(strict[j] = noe_generator_basis_strict(&f->out->term[j]));
    const int loose = noe_row_echelon_reduce(Z, k, N, 0, rest);
    for (int i = loose; i < k; i++)
        for (int j = 0; j < N; j++)
            if (rest[j]) Z[(size_t)i * N + j] = 0;
    noe_row_echelon_reduce(Z, k, N, loose, strict);
    return loose;
}

/* Changes coefficients for q counted from the centre c into those for q counted from 0. */
static void uncentre(const noe_symmetries *s, const quad *c, quad *x)
{
    quad add[s->terms];
    memset(add, 0, sizeof add);
    for (int a = 0; a < s->terms; a++) {
        const noe_basis_term *y = &s->term[a];
        for (int b = 0; b < s->terms && x[a] != 0; b++) {
            const noe_basis_term *z = &s->term[b];
            if (y->kind == NOE_TERM_A && z->kind == NOE_TERM_B && z->i == y->i && z->k == y->k)
                add[b] -= x[a] * c[y->j];
            if (y->kind == NOE_TERM_FQ && z->kind == NOE_TERM_FT && z->k == y->k)
                add[b] -= x[a] * c[y->i];
            if (y->kind == NOE_TERM_FQQ && z->kind == NOE_TERM_FQ && z->k == 0)
                add[b] -= x[a] * ((z->i == y->i ? c[y->j] : 0) + (z->i == y->j ? c[y->i] : 0));
        }
    }
    for (int a = 0; a < s->terms; a++) x[a] += add[a];
}

/* Scales the largest coefficient of the leading kind to 1; of equal ones of A, one below the
 * diagonal. */
static void normalise(const noe_symmetries *s, quad *x)
{
    int lead = -1;
    for (int a = 0; a < s->terms; a++)
        if (x[a] != 0
            && (lead < 0
                || (s->term[a].kind == s->term[lead].kind && s->term[a].k == s->term[lead].k
                    && fabsq(x[a])
                           > fabsq(x[lead])
                                 * (1 - (s->term[a].i > s->term[a].j) * EQUAL_COEFFICIENTS))))
            lead = a;
    const quad unit = lead < 0 ? 1 : x[lead];
    for (int a = 0; a < s->terms; a++) x[a] /= unit;
}

/* The fraction with the smallest denominator up to DENOMINATOR_MOST, or x itself. */
static quad nearest_fraction(quad x)
{
    for (int q = 1; q <= DENOMINATOR_MOST; q++) {
        const quad p = roundq(x * q) / q;
        if (fabsq(x - p) <= FRACTION_ROUNDED * fabsq(x)) return p;
    }
    return x;
}

/* Subtracts from every generator its part along the strict translations (those with b alone), so
 * that a rotation is about 0, not about the start, where both are symmetries. */
static void without_translations(noe_symmetries *s, int rows)
{
    for (int i = 0; i < rows; i++) {
        quad *T = s->found[i].coef;
        int   lead = 0;
        bool  only_b = s->found[i].strict;
        for (int a = 0; a < s->terms; a++) {
            if (T[a] != 0 && s->term[a].kind != NOE_TERM_B) only_b = false;
            if (fabsq(T[a]) > fabsq(T[lead])) lead = a;
        }
        for (int k = 0; k < rows && only_b; k++) {
            quad      *x = s->found[k].coef;
            const quad f = x[lead] / T[lead];
            for (int a = 0; a < s->terms && k != i && f != 0; a++)
                x[a] = a == lead ? 0 : x[a] - f * T[a];
        }
    }
}

/* Coefficients of the basis terms x from scaled ones for q counted from the centre, z. */
static void restore(finder *f, const quad *z, const quad *unit, quad *x)
{
    const int N = f->out->terms;
    quad      most = 0;
    for (int j = 0; j < N; j++) most = fmaxq(most, fabsq(z[j]));
    for (int j = 0; j < N; j++) x[j] = fabsq(z[j]) < COEFFICIENT_ZERO * most ? 0 : z[j] * unit[j];
    uncentre(f->out, f->span.centre, x);
}

/* Size of (A q)_i for coordinates of their natural sizes: a b_i far below it is rounding. */
static quad reach(const finder *f, const quad *x, const noe_basis_term *b)
{
    quad sum = 0;
    for (int a = 0; a < f->out->terms; a++) {
        const noe_basis_term *y = &f->out->term[a];
        if (x[a] != 0 && y->kind == NOE_TERM_A && y->i == b->i && y->k == b->k)
            sum += fabsq(x[a]) * f->at.sampler.q_scale[y->j];
    }
    return sum;
}

/* The largest |b_i| in units of the scales of q: what is far below it is rounding, too. */
static quad shift(const finder *f, const quad *x)
{
    quad most = 0;
    for (int a = 0; a < f->out->terms; a++)
        if (f->out->term[a].kind == NOE_TERM_B)
            most = fmaxq(most, fabsq(x[a]) / f->at.sampler.q_scale[f->out->term[a].i]);
    return most;
}

/* Rounds the coefficients to fractions where the symmetry holds as well with these, and sets
 * residual and verdict; false: the symmetry does not hold on fresh states. */
static bool confirm(finder *f, noe_symmetry *y)
{
    const int N = f->out->terms;
    quad      exact[N];
    normalise(f->out, y->coef);
    const double raw = noe_identity_residual(&f->at, f->out, y->coef);
    const quad   zero = raw > RESIDUAL_EXACT ? ROUNDED_COEFFICIENT_ZERO : EXACT_COEFFICIENT_ZERO;
    const quad   shifted = shift(f, y->coef);
    for (int j = 0; j < N; j++) {
        const noe_basis_term *z = &f->out->term[j];
        const quad            own = f->at.sampler.q_scale[z->i] * shifted,
                   unit = z->kind == NOE_TERM_B ? fmaxq(reach(f, y->coef, z) * 100, own) : 1;
        exact[j] = nearest_fraction(fabsq(y->coef[j]) < zero * unit ? 0 : y->coef[j]);
    }
    const double snapped = noe_identity_residual(&f->at, f->out, exact);
    const bool   better = snapped <= fmax(RESIDUAL_FRACTIONS, 10 * raw);
    if (better) memcpy(y->coef, exact, sizeof exact);
    y->residual = better ? snapped : raw;
    y->verdict = y->residual <= RESIDUAL_EXACT ? NOE_EXACT : NOE_TO_ROUNDING;
    return y->residual <= RESIDUAL_MOST && !noe_identity_over_a_jump(&f->at, f->out, y->coef);
}

/* The null vectors of the rows; those of several blocks have columns of very different sizes, which
 * are scaled before by powers of two; NULL with a message. */
static noe_nullspace *null_vectors(finder *f)
{
    const size_t   N = (size_t)f->span.columns, m = (size_t)f->m;
    quad          *unit = noe_status_alloc(N, sizeof *unit);
    noe_nullspace *null = NULL;
    /* Eigenvalues name the rotations that are found. */
    if (noe_optional_library_require(NOE_OF_LAPACK, "a search for symmetries")) {
        free(unit);
        return NULL;
    }
    for (size_t c = 0; c < N && unit; c++) {
        quad sum = 0;
        for (size_t i = 0; i < m; i++) sum += f->M[i * N + c] * f->M[i * N + c];
        unit[c] = f->at.sampler.several && sum > 0 ? ldexpq(1, -ilogbq(sqrtq(sum / m))) : 1;
        for (size_t i = 0; i < m && unit[c] != 1; i++) {
            f->M[i * N + c] *= unit[c];
            f->rough[i * N + c] *= (double)unit[c];
        }
    }
    if (unit) null = noe_nullspace_find(f->M, f->rough, f->m, f->span.columns);
    for (size_t c = 0; c < N && null; c++) {
        null->unit[c] *= unit[c];
        for (int i = 0; i < null->dim; i++) null->vector[(size_t)i * N + c] *= unit[c];
    }
    free(unit);
    return null;
}

/* Coefficients of the terms from the null vectors of the columns, divided by their units so that
 * they can be compared; NULL: out of memory. */
static quad *coefficients(finder *f, const noe_nullspace *null, const quad *unit)
{
    const size_t N = (size_t)f->out->terms, columns = (size_t)f->span.columns;
    quad        *Z = noe_status_alloc((size_t)null->dim * N + 1, sizeof *Z);
    for (int i = 0; i < null->dim && Z; i++) {
        noe_ansatz_expand(&f->span, null->vector + (size_t)i * columns, Z + (size_t)i * N);
        for (size_t a = 0; a < N; a++) Z[(size_t)i * N + a] /= unit[a];
    }
    return Z;
}

static bool find(finder *f, const noe_system *system)
{
    noe_symmetries *s = f->out;
    if (!noe_ansatz_make(&f->span, s, &f->at.sampler, f->at.state)) return false;
    if (!f->span.columns) return true;
    const size_t N = (size_t)s->terms, columns = (size_t)f->span.columns;
    double      *scale = noe_arena_take(s->arena, (size_t)s->n * sizeof *scale);
    if (!scale || !count_rows(f)) return false;
    s->q_scale = memcpy(scale, f->at.sampler.q_scale, (size_t)s->n * sizeof *scale);
    f->M = noe_status_alloc((size_t)f->m * columns, sizeof *f->M);
    f->rough = noe_status_alloc((size_t)f->m * columns, sizeof *f->rough);
    if (!f->M || !f->rough || !rows(f)) return false;
    noe_nullspace *null = null_vectors(f);
    if (!null) return false;
    s->near = null->near;
    s->nearest = null->nearest;
    const int   k = null->dim;
    const quad *unit = f->span.unit ? f->span.unit : null->unit;
    quad       *Z = coefficients(f, null, unit);
    s->found = noe_arena_take(s->arena, ((size_t)k + 1) * sizeof *s->found);
    bool ok = s->found && Z;
    for (int i = 0; i < k && ok; i++)
        ok = (s->found[i].coef = noe_arena_take(s->arena, N * sizeof(quad))) != NULL;
    const int loose = ok ? readable(f, Z, k) : -1;
    ok = loose >= 0;
    for (int i = 0; i < k && ok; i++) { /* strict ones first */
        const int row = (i + loose) % k;
        s->found[i].strict = row >= loose;
        restore(f, Z + (size_t)row * N, unit, s->found[i].coef);
    }
    free(Z);
    ok = ok && noe_collective_symmetry_find(s, system, k);
    if (ok) without_translations(s, k);
    for (int i = 0; i < k && ok; i++) {
        if (confirm(f, &s->found[i])) {
            s->found[i].forced_along = system->dyn.forced
                                    && noe_forced_momentum_is(&f->at, s, s->found[i].coef,
                                                              system->model);
            s->found[s->count++] = s->found[i];
        } else { /* nearly a symmetry around the start, but not farther away */
            s->near++;
            s->nearest = fmin(s->nearest, s->found[i].residual);
        }
    }
    for (int i = 0; i < s->count && ok; i++)
        ok = noe_generator_name_describe(s, system, &s->found[i]);
    if (ok) ok = noe_independent_momenta_sort(s, &f->at.sampler, f->at.state);
    for (int i = 0; i < s->count && ok; i++) noe_generator_name_find(s, &s->found[i]);
    noe_nullspace_free(null);
    return ok;
}

noe_symmetries *noe_symmetry_find(const noe_system *system)
{
    if (!system) return NULL;
    if (system->dyn.groups) {
        noe_system     *written = noe_system_written(system, "the search for symmetries");
        noe_symmetries *found = noe_symmetry_find(written);
        noe_system_free(written);
        return found;
    }
    finder          f = { 0 };
    noe_arena      *arena = noe_arena_new();
    noe_symmetries *s = f.out = noe_arena_take(arena, sizeof *s);
    if (!s) {
        noe_arena_free(arena);
        return NULL;
    }
    s->arena = arena;
    s->n = system->dyn.n;
    const bool ok = noe_identity_open(&f.at, system) && find(&f, system);
    noe_identity_close(&f.at);
    free(f.M), free(f.rough);
    if (ok && noe_declared_generators_add(s, system) && noe_monitor_symmetry_mark(s, system))
        return s;
    noe_symmetry_free(s);
    return NULL;
}

noe_symmetries *noe_symmetry_declared(const noe_system *system)
{
    if (!system) return NULL;
    noe_arena      *arena = noe_arena_new();
    noe_symmetries *s = noe_arena_take(arena, sizeof *s);
    if (!s) return noe_arena_free(arena), NULL;
    s->arena = arena;
    s->n = system->dyn.n;
    snprintf(s->note, sizeof s->note, "%d coordinates: only what is declared", s->n);
    if (noe_declared_generators_add(s, system) && noe_monitor_symmetry_mark(s, system)) return s;
    noe_symmetry_free(s);
    return NULL;
}

void noe_symmetry_free(noe_symmetries *s)
{
    for (int i = 0; s && i < s->count; i++) free(s->found[i].xi);
    if (!s) return;
    noe_model_free(s->model);
    noe_arena_free(s->arena);
}
