/* The ansatz of the symmetry search: each unknown (column) is a sum of terms of the basis.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "symmetry/ansatz.h"

#include "base/status.h"
#include "matrix/small_solve.h"
#include "symmetry/name_stem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest numbers of coordinates with .. */
enum {
    TIME_MOST = 12,    /* changes of time t^k */
    FULL_MOST = 40,    /* every term where the mass is not constant */
    OMEGA_MOST = 60,   /* every A = M^-1 Omega where it is */
    GAUGE_MOST = 1000, /* all terms of the gauge level; a number of terms */
    EACH_MOST = 200,   /* a column for every b and f */
    FAMILY_MOST = 1500 /* a search at all */
};

/* Numbers the stems and bodies: x1, y1, x2, y2 have the stems x and y and the bodies 1 and 2.  Up
 * to ONE_BODY coordinates without a label, x, y and z, are one body together, more are one body
 * each. */
static bool name_bodies(noe_ansatz *x, const noe_system *m)
{
    enum { ONE_BODY = 12 };
    const int n = x->s->n;
    int       plain = 0;
    x->stem = noe_arena_take(x->arena, 2 * (size_t)n * sizeof *x->stem);
    x->body = x->stem ? x->stem + n : NULL;
    for (int i = 0; i < n && x->stem; i++) plain += !noe_name_stem_label(noe_system_name(m, i))[0];
    for (int i = 0; i < n && x->stem; i++) {
        const char *a = noe_system_name(m, i);
        x->stem[i] = x->body[i] = i;
        for (int j = i - 1; j >= 0; j--) {
            const char *b = noe_system_name(m, j);
            if (noe_name_stem_same(a, b)) x->stem[i] = x->stem[j];
            if (!strcmp(noe_name_stem_label(a), noe_name_stem_label(b))
                && (noe_name_stem_label(a)[0] || plain <= ONE_BODY))
                x->body[i] = x->body[j];
        }
    }
    return x->stem != NULL;
}

/* Relative difference up to which the masses of two states are the same.  Far above the part of the
 * zero test (system/zero_test.c): they are differences of momenta, whose other terms may be larger
 * by any factor. */
static const quad MASS_SAME = 1e-20;

/* M = L_vv by differences of the momenta in v; true if it is the same at three random states. */
static bool constant_mass(noe_state_sampler *at, noe_random_state *x, quad *M)
{
    const int n = at->n;
    quad *P = noe_status_alloc((size_t)n, sizeof *P), *v = noe_status_alloc((size_t)n, sizeof *v);
    bool  same = P && v;
    for (int state = 0; state < 3 && same; state++) {
        for (int tries = 0; !noe_random_state_draw(at, 1, x); tries++)
            if (tries == 100) break;
        memcpy(v, x->v, (size_t)n * sizeof *v);
        memcpy(P, x->P, (size_t)n * sizeof *P);
        for (int j = 0; j < n && same; j++) {
            x->v[j] = v[j] + at->v_scale[j];
            noe_state_values_find(at, x);
            for (int i = 0; i < n; i++) {
                const quad m = (x->P[i] - P[i]) / at->v_scale[j], old = M[i * n + j];
                if (state && !(fabsq(m - old) <= MASS_SAME * (fabsq(M[i * n + i]) + fabsq(old))))
                    same = false;
                if (!state) M[i * n + j] = m;
            }
            x->v[j] = v[j];
        }
    }
    free(P), free(v);
    return same;
}

static void add_term(noe_symmetries *s, noe_term_kind kind, int i, int j, int k)
{
    s->term[s->terms++] = (noe_basis_term){ kind, i, j, k };
}

/* Lists the terms: A of all pairs of coordinates, or of pairs in one body; tau = 1; b t, b; f = q,
 * q t, t, t^2. */
static bool list_terms(noe_ansatz *x, bool all)
{
    noe_symmetries *s = x->s;
    const int       n = s->n;
    size_t          pairs = 0;
    for (int i = 0; i < n * n; i++) pairs += all || x->body[i / n] == x->body[i % n];
    s->term = noe_arena_take(s->arena, (pairs + 4 * (size_t)n + 3) * sizeof *s->term);
    if (!s->term) return false;
    s->terms = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (all || x->body[i] == x->body[j]) add_term(s, NOE_TERM_A, i, j, 0);
    add_term(s, NOE_TERM_TAU, 0, 0, 0);
    for (int k = 1; k >= 0; k--)
        for (int i = 0; i < n; i++) add_term(s, NOE_TERM_B, i, 0, k);
    for (int k = 0; k <= 1; k++)
        for (int i = 0; i < n; i++) add_term(s, NOE_TERM_FQ, i, 0, k);
    for (int k = 1; k <= 2; k++) add_term(s, NOE_TERM_FT, 0, 0, k);
    return true;
}

/* Begins a new column, the sum of the terms that add_part adds. */
static void begin_column(noe_ansatz *x)
{
    x->first[x->columns - x->omegas + 1] = x->first[x->columns - x->omegas], x->columns++;
}

static void add_part(noe_ansatz *x, int term, quad weight)
{
    int *end = &x->first[x->columns - x->omegas];
    x->part[*end] = term;
    x->weight[(*end)++] = weight;
}

/* True if terms a and b are the same but for the body: x[1] to y[1] as x[2] to y[2]. */
static bool alike(const noe_ansatz *x, const noe_basis_term *a, const noe_basis_term *b)
{
    return a->kind == b->kind && a->k == b->k && x->stem[a->i] == x->stem[b->i]
        && (a->kind != NOE_TERM_A || x->stem[a->j] == x->stem[b->j]);
}

/* Momentum of coordinate i when all coordinates of a stem have velocity 1: sum_j M_ij.  The gauge
 * term of the common boost of the stem is f = sum_i of these times q_i. */
static quad boosted(const noe_ansatz *x, const quad *M, int i, int stem)
{
    quad sum = 0;
    for (int j = 0; j < x->s->n; j++)
        if (x->stem[j] == stem) sum += M[i * x->s->n + j];
    return sum;
}

/* Most parts that list_columns() adds.  A term is in one column, except above EACH_MOST coordinates
 * with a constant mass: the columns f = q and f = q t of each stem may have all coordinates. */
static size_t parts_most(const noe_ansatz *x)
{
    const size_t n = (size_t)x->s->n;
    size_t       stems = 0;
    for (size_t i = 0; i < n; i++) stems += x->stem[i] == (int)i;
    return (size_t)x->s->terms + (x->s->n > EACH_MOST ? 2 * n * stems : 0);
}

/* Lists the columns other than Omega.  With omega, the Omega_ij replace every A; else one block A
 * is common to all bodies, and above EACH_MOST coordinates one b and one f, too. */
static void list_columns(noe_ansatz *x, const quad *M, bool omega)
{
    const noe_symmetries *s = x->s;
    const bool            each = s->n <= EACH_MOST;
    for (int a = 0; a < s->terms; a++) {
        const noe_basis_term *y = &s->term[a];
        const bool            together = !omega
                           && (y->kind == NOE_TERM_A
                               || (!each && y->kind != NOE_TERM_FT && y->kind != NOE_TERM_TAU));
        const bool weighted = together && y->kind == NOE_TERM_FQ && M;
        bool       said = omega && y->kind == NOE_TERM_A;
        for (int b = 0; b < a && together && !said; b++) said = alike(x, y, &s->term[b]);
        if (said) continue; /* in the column of the first term that is alike */
        begin_column(x);
        if (!together) add_part(x, a, 1);
        for (int b = 0; b < s->terms && together; b++) {
            const noe_basis_term *z = &s->term[b];
            if (!weighted && alike(x, y, z)) add_part(x, b, 1);
            if (!weighted || z->kind != y->kind || z->k != y->k) continue;
            const quad w = boosted(x, M, z->i, x->stem[y->i]);
            if (w != 0) add_part(x, b, w);
        }
    }
}

static bool set_units(noe_ansatz *x, const noe_state_sampler *at)
{
    noe_symmetries *s = x->s;
    x->unit = noe_arena_take(x->arena, (size_t)s->terms * sizeof *x->unit);
    for (int a = 0; a < s->terms && x->unit; a++) {
        const noe_basis_term *y = &s->term[a];
        const quad            q = at->q_scale[y->i], t = y->k == 0 ? 1
                                                       : y->k == 1 ? at->time
                                                                   : (quad)at->time * at->time;
        x->unit[a] = (y->kind == NOE_TERM_A   ? q / at->q_scale[y->j]
                      : y->kind == NOE_TERM_B ? q
                                              : 1)
                   / t;
    }
    return x->unit != NULL;
}

/* A column for every term of the generator basis. */
static bool all_terms(noe_ansatz *x)
{
    noe_symmetries *s = x->s;
    s->level = s->n <= TIME_MOST ? NOE_TIME : NOE_GAUGE;
    if (noe_generator_basis_make(s->level, s->n, NULL) > GAUGE_MOST) s->level = NOE_STRICT;
    if (s->level == NOE_GAUGE)
        snprintf(s->note, sizeof s->note,
                 "%d coordinates: of changes of time only t + const was searched", s->n);
    if (s->level == NOE_STRICT)
        snprintf(s->note, sizeof s->note,
                 "%d coordinates: only strict affine generators and t + const were searched", s->n);
    s->terms = noe_generator_basis_make(s->level, s->n, NULL);
    s->term = noe_arena_take(s->arena, ((size_t)s->terms + 1) * sizeof *s->term);
    x->first = noe_arena_take(x->arena, ((size_t)s->terms + 3) * sizeof *x->first);
    x->part = noe_arena_take(x->arena, ((size_t)s->terms + 1) * sizeof *x->part);
    x->weight = noe_arena_take(x->arena, ((size_t)s->terms + 1) * sizeof *x->weight);
    if (!s->term || !x->first || !x->part || !x->weight) return false;
    noe_generator_basis_make(s->level, s->n, s->term);
    if (s->level != NOE_TIME) add_term(s, NOE_TERM_TAU, 0, 0, 0);
    for (int a = 0; a < s->terms; a++) begin_column(x), add_part(x, a, 1);
    return true;
}

bool noe_ansatz_make(noe_ansatz *x, noe_symmetries *s, noe_state_sampler *at,
                     noe_random_state *state)
{
    const int    n = s->n;
    const size_t nn = (size_t)n * (size_t)n;
    *x = (noe_ansatz){ .s = s, .arena = s->arena, .centre = at->q0 };
    if (n <= TIME_MOST) return all_terms(x);
    if (n > FAMILY_MOST) {
        snprintf(s->note, sizeof s->note, "%d coordinates: symmetries were not searched", n);
        return true;
    }
    quad *M = noe_arena_take(x->arena, 2 * nn * sizeof *M), *W = M ? M + nn : NULL;
    if (!M) return false;
    const bool constant = constant_mass(at, state, M), omega = constant && n <= OMEGA_MOST;
    if (!omega && n <= FULL_MOST) return all_terms(x);
    s->level = NOE_GAUGE;
    if (n > EACH_MOST && !(x->centre = noe_arena_take(x->arena, (size_t)n * sizeof(quad))))
        return false;
    if (!name_bodies(x, at->system) || !list_terms(x, omega)) return false;
    x->first = noe_arena_take(x->arena, ((size_t)s->terms + 3) * sizeof *x->first);
    x->part = noe_arena_take(x->arena, parts_most(x) * sizeof *x->part);
    x->weight = noe_arena_take(x->arena, parts_most(x) * sizeof *x->weight);
    if (!x->first || !x->part || !x->weight || !set_units(x, at)) return false;
    if (omega) x->columns = x->omegas = n * (n - 1) / 2;
    list_columns(x, constant ? M : NULL, omega);
    snprintf(s->note, sizeof s->note,
             omega ? "%d coordinates, constant mass: all but other changes of time than t + const, "
                     "and f quadratic in q"
             : n <= EACH_MOST ? "%d coordinates: of linear maps only those common to all bodies "
                                "were searched, of changes of time t + const"
                              : "%d coordinates: only translations, boosts and linear maps common "
                                "to all bodies were searched",
             n);
    if (!omega) return true;
    x->W = W;
    return noe_small_solve_inverse(M, n, W);
}

/* Adds sign times the entries of the columns xi = M^-1 (e_i q_j - e_j q_i) at a state. */
static void add_omegas(const noe_ansatz *x, const noe_random_state *y, int sign, quad *row,
                       double *rough)
{
    const int n = x->s->n;
    quad      F[n], P[n];
    double    rF[n], rP[n];
    for (int i = 0; i < n; i++) {
        F[i] = P[i] = rF[i] = rP[i] = 0;
        for (int j = 0; j < n; j++) {
            const quad w = x->W[i * n + j];
            if (w == 0) continue;
            F[i] += w * y->F[j], P[i] += w * y->P[j];
            rF[i] += (double)w * y->rough_F[j], rP[i] += (double)w * y->rough_P[j];
        }
    }
    for (int i = 0, c = 0; i < n; i++)
        for (int j = i + 1; j < n; j++, c++) {
            const quad qi = y->q[i] - x->centre[i], qj = y->q[j] - x->centre[j];
            row[c] += sign * (F[i] * qj - F[j] * qi + P[i] * y->v[j] - P[j] * y->v[i]);
            rough[c] += sign
                      * (rF[i] * (double)qj - rF[j] * (double)qi + rP[i] * (double)y->v[j]
                         - rP[j] * (double)y->v[i]);
        }
}

/* The differences are those of each term, so that terms which are equal at both states leave no
 * rounding error. */
void noe_ansatz_row(const noe_ansatz *x, const noe_random_state *y, const noe_random_state *less,
                    quad *row, double *rough)
{
    const noe_basis_term *term = x->s->term;
    memset(row, 0, (size_t)x->columns * sizeof *row);
    memset(rough, 0, (size_t)x->columns * sizeof *rough);
    if (x->W) add_omegas(x, y, 1, row, rough);
    if (x->W && less) add_omegas(x, less, -1, row, rough);
    for (int c = x->omegas; c < x->columns; c++)
        for (int k = x->first[c - x->omegas]; k < x->first[c - x->omegas + 1]; k++) {
            const noe_basis_term *z = &term[x->part[k]];
            quad                  value = noe_generator_basis_value(z, y, x->centre);
            double                near = noe_generator_basis_rough(z, y, x->centre);
            if (less) {
                value -= noe_generator_basis_value(z, less, x->centre);
                near -= noe_generator_basis_rough(z, less, x->centre);
            }
            row[c] += x->weight[k] * value;
            rough[c] += (double)x->weight[k] * near;
        }
}

int noe_ansatz_touching(const noe_ansatz *x, const int *block, int b)
{
    int count = 0;
    for (int i = 0; i < x->s->n && x->omegas; i++)
        for (int j = i + 1; j < x->s->n; j++) count += block[i] == b || block[j] == b;
    for (int c = x->omegas; c < x->columns; c++) {
        bool touches = false;
        for (int k = x->first[c - x->omegas]; k < x->first[c - x->omegas + 1] && !touches; k++)
            touches = noe_generator_basis_touches(&x->s->term[x->part[k]], block, b);
        count += touches;
    }
    return count;
}

void noe_ansatz_expand(const noe_ansatz *x, const quad *column, quad *term)
{
    const int n = x->s->n;
    memset(term, 0, (size_t)x->s->terms * sizeof *term);
    for (int i = 0, c = 0; i < n && x->W; i++)
        for (int j = i + 1; j < n; j++, c++)
            for (int l = 0; l < n && column[c] != 0;
                 l++) { /* A = M^-1 Omega; its terms stand first, row by row */
                term[l * n + j] += x->W[l * n + i] * column[c];
                term[l * n + i] -= x->W[l * n + j] * column[c];
            }
    for (int c = x->omegas; c < x->columns; c++)
        for (int k = x->first[c - x->omegas]; k < x->first[c - x->omegas + 1]; k++)
            term[x->part[k]] += x->weight[k] * column[c];
}
