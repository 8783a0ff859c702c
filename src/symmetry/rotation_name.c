/* Describes xi = A q + b in words: "rotation in the x-y plane about x = 1".
 * SPDX-License-Identifier: BSD-3-Clause */
#include "symmetry/rotation_name.h"

#include "base/lapack.h"
#include "symmetry/name_stem.h"
#include "symmetry/symmetry_thresholds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A and b, without the parts that depend on t, restricted to the coordinates that A moves; if
 * these are more than TURNED_MOST, to those of one body. */
enum { TURNED_MOST = 64 };
typedef struct {
    int    n, i[TURNED_MOST];            /* number and indices of the coordinates */
    bool   one;                          /* these are one body's, in place of all bodies' */
    double A[TURNED_MOST * TURNED_MOST], /* [n][n] the generator is A q + b */
        b[TURNED_MOST];                  /* [n] and b */
    bool   axial;                        /* a rotation about an axis v in space */
    double along;                        /* advance of a screw about that axis, in units of |v| */
} turning;

static bool turned(const noe_symmetries *s, const quad *x, int i)
{
    for (int a = 0; a < s->terms; a++)
        if (x[a] != 0 && s->term[a].kind == NOE_TERM_A && s->term[a].k == 0
            && (s->term[a].i == i || s->term[a].j == i))
            return true;
    return false;
}

static void affine(const noe_symmetries *s, const noe_system *m, const quad *x, turning *y)
{
    int count = 0, place[s->n];
    for (int i = 0; i < s->n; i++) count += turned(s, x, i);
    *y = (turning){ .one = count > TURNED_MOST };
    for (int i = 0; i < s->n; i++) {
        place[i] = -1;
        if (!turned(s, x, i)) continue;
        const bool here = !y->n
                       || !strcmp(noe_name_stem_label(noe_system_name(m, i)),
                                  noe_name_stem_label(noe_system_name(m, y->i[0])));
        if ((y->one && !here) || y->n == TURNED_MOST) continue;
        place[i] = y->n;
        y->i[y->n++] = i;
    }
    for (int a = 0; a < s->terms; a++) {
        const noe_basis_term *z = &s->term[a];
        if (z->k || place[z->i] < 0) continue;
        if (z->kind == NOE_TERM_A && place[z->j] >= 0)
            y->A[place[z->i] * y->n + place[z->j]] = (double)x[a];
        if (z->kind == NOE_TERM_B) y->b[place[z->i]] = (double)x[a];
    }
}

typedef enum { TURNS, STRETCHES, SHEARS } nature;

/* What is 0, measured of the symmetries of 68 systems of systems/.  An eigenvalue of A by its
 * largest entry, far above the square root of rounding that a shear leaves: 4.4e-16 at most, or
 * 0.3 at least. */
static const double EIGENVALUE_ZERO = 1e-6;
/* Symmetric part of a rotation: 0 exactly, as coefficients are rounded to fractions before. */
static const double ANTISYMMETRIC = 1e-12;
/* Coordinates of its centre, and the advance along its axis, by the largest; in
 * outer_solar_system.lag some of 1e-11 and of 1.8e-9 occur, all of them rounding.  The largest may
 * be rounding itself: see below. */
static const double CENTRE_ZERO = 1e-9;
/* Coordinates of the centre by the sizes of the positions that A turns, where the symmetry holds
 * exactly, or to rounding: as confirm() of symmetry.c has them for b.  In outer_solar_system.lag
 * rounding leaves 1e-12 of positions of 40, 3e-14; real ones are what a text gives. */
static const quad CENTRE_EXACT = 100 * EXACT_COEFFICIENT_ZERO,
                  CENTRE_ROUNDED = 100 * ROUNDED_COEFFICIENT_ZERO;
/* Singular values by the largest, of the equations for the centre: 0, or 7e-6 at least. */
static const double SINGULAR_LEAST = 1e-10;

/* Classifies A by its eigenvalues: imaginary ones rotate, real ones stretch, all zero is a shear.
 * */
static nature natures(int n, const double *A)
{
    const int lwork = 16 * n + 64, one = 1;
    double    copy[n * n], re[n], im[n], work[lwork], none[1], real = 0, imaginary = 0, size = 0;
    int       info;
    memcpy(copy, A, sizeof copy);
    for (int i = 0; i < n * n; i++) size = fmax(size, fabs(A[i]));
    dgeev_("N", "N", &n, copy, &n, re, im, none, &one, none, &one, work, &lwork, &info, 1, 1);
    for (int i = 0; i < n && !info; i++) {
        real = fmax(real, fabs(re[i]));
        imaginary = fmax(imaginary, fabs(im[i]));
    }
    if (imaginary > EIGENVALUE_ZERO * size && imaginary > real) return TURNS;
    return real > EIGENVALUE_ZERO * size ? STRETCHES : SHEARS;
}

enum { PLANES_SHOWN = 3 };
/* "x-y plane", "x1-y1, x2-z2 planes", "a-b, c-d, e-f, .. 7 planes", "x-y planes of 6 bodies"; false
 * if A does not consist of 2 x 2 blocks.  circular: every block is antisymmetric. */
static bool planes(const turning *y, const noe_system *m, noe_text *w, bool *circular)
{
    const int n = y->n;
    int       count = 0, first[2] = { 0, 0 };
    bool      same = true;
    noe_text  list = noe_text_new(w->arena);
    *circular = true;
    for (int i = 0; i < n; i++) {
        int partner = -1, others = 0;
        for (int j = 0; j < n; j++)
            if (y->A[i * n + j] != 0 || y->A[j * n + i] != 0) {
                partner = j;
                others++;
            }
        if (others > 1 || partner == i) return false;
        if (partner <= i) continue;
        const char *a = noe_system_name(m, y->i[i]), *b = noe_system_name(m, y->i[partner]);
        if (!count) first[0] = y->i[i], first[1] = y->i[partner];
        same &= noe_name_stem_same(a, noe_system_name(m, first[0]))
             && noe_name_stem_same(b, noe_system_name(m, first[1]));
        if (count++ < PLANES_SHOWN)
            noe_text_add(&list, "%s%.60s-%.60s", count > 1 ? ", " : "", a, b);
        *circular &= fabs(y->A[i * n + partner] + y->A[partner * n + i]) < ANTISYMMETRIC;
    }
    if (!count || !list.data) return false;
    if (count > PLANES_SHOWN) noe_text_add(&list, ", .. %d", count);
    const char *a = noe_system_name(m, first[0]), *b = noe_system_name(m, first[1]);
    if (same && (count > 1 || y->one)) {
        noe_text_add(w, "%.*s-%.*s plane", (int)noe_name_stem_length(a), a,
                     (int)noe_name_stem_length(b), b);
        if (y->one) noe_text_add(w, " of every body");
        else noe_text_add(w, "s of %d bodies", count);
    } else {
        noe_text_add(w, "%.300s plane%s", list.data, count > 1 ? "s" : "");
    }
    return true;
}

/* A rotation of three coordinates about an axis v, A q = v x q: "about the axis (1, 1, 1)", and
 * the advance of a screw along v, which is subtracted from b. */
static bool axis(turning *y, noe_text *w)
{
    const double *A = y->A, v[3] = { A[7], A[2], A[3] };
    double        most = 0, size = 0, along = 0;
    if (y->n != 3) return false;
    for (int i = 0; i < 3; i++) {
        most = fmax(most, fabs(v[i]));
        size += v[i] * v[i];
        along += v[i] * y->b[i];
    }
    for (int i = 0; i < 9; i++)
        if (fabs(A[i] + A[i % 3 * 3 + i / 3]) > ANTISYMMETRIC * most) return false;
    const double sign = v[0] < 0 || (v[0] == 0 && (v[1] < 0 || (v[1] == 0 && v[2] < 0))) ? -1 : 1;
    noe_text_add(w, "rotation about the axis (%.6g, %.6g, %.6g)", sign * v[0] / most,
                 sign * v[1] / most, sign * v[2] / most);
    double far = 0;
    for (int i = 0; i < 3; i++) far = fmax(far, fabs(y->b[i]));
    for (int i = 0; i < 3; i++) y->b[i] -= along / size * v[i];
    y->axial = true;
    y->along = fabs(along) > CENTRE_ZERO * most * far ? along / size : 0; /* per angle |v| */
    return true;
}

/* The effect of b on a rotation: another centre, or an advance along other coordinates. */
static void centre(const noe_symmetries *s, const noe_system *m, const noe_symmetry *found,
                   const turning *y, noe_text *w)
{
    const quad *x = found->coef;
    const int   n = y->n;
    double      c[n], A[n * n], work[n * 64 + 64], value[n];
    int         info, rank, lwork = 64 * n + 64, one = 1;
    bool        about = false, moved = false;
    double      far = 0, size = 0;
    for (int i = 0; i < n; i++) c[i] = -y->b[i], moved |= y->b[i] != 0;
    for (int i = 0; i < n && s->q_scale; i++) size = fmax(size, s->q_scale[y->i[i]]);
    size *= (double)(found->verdict == NOE_EXACT ? CENTRE_EXACT : CENTRE_ROUNDED);
    for (int i = 0; i < n * n; i++) A[i % n * n + i / n] = y->A[i];
    const double least = SINGULAR_LEAST;
    /* A c = -b, the c of least norm */
    if (moved) dgelss_(&n, &n, &one, A, &n, c, &n, value, &least, &rank, work, &lwork, &info);
    for (int i = 0; i < n && moved && !info; i++) far = fmax(far, fabs(c[i]));
    for (int i = 0; i < n && moved && !info; i++) {
        if (fabs(c[i]) <= fmax(CENTRE_ZERO * far, size)) continue;
        noe_text_add(w, "%s%.60s = %.6g",
                     about      ? ", "
                     : y->axial ? " through "
                                : " about ",
                     noe_system_name(m, y->i[i]), c[i]);
        about = true;
    }
    for (int a = 0; a < s->terms; a++) {
        const noe_basis_term *z = &s->term[a];
        char                  text[64];
        if (z->kind != NOE_TERM_B || z->k || x[a] == 0 || turned(s, x, z->i)) continue;
        noe_text_number(x[a], text);
        if (strlen(text) > 12) snprintf(text, sizeof text, "%.9g", (double)x[a]);
        noe_text_add(w, " with %.60s advancing %s per radian, %.6g per turn",
                     noe_system_name(m, z->i), text, 2 * M_PI * (double)x[a]);
    }
}

void noe_rotation_name_describe(const noe_symmetries *s, const noe_system *m, noe_symmetry *y,
                                noe_text *w)
{
    turning *A = noe_arena_take(s->arena, sizeof *A);
    bool     circular, advances = false;
    if (!A) {
        w->data = NULL;
        return;
    }
    affine(s, m, y->coef, A);
    noe_text     list = noe_text_new(s->arena);
    const nature how = natures(A->n, A->A);
    const bool   flat = planes(A, m, &list, &circular);
    for (int a = 0; a < s->terms; a++)
        advances |= s->term[a].kind == NOE_TERM_B && s->term[a].k == 0 && y->coef[a] != 0
                 && !turned(s, y->coef, s->term[a].i);
    y->kind = how == TURNS ? NOE_ROTATION : NOE_OTHER;
    if (how == TURNS && flat && list.data)
        noe_text_add(w, "%s%s in the %.300s", circular ? "" : "elliptic ",
                     advances ? "screw: rotation" : "rotation", list.data);
    else if (how == TURNS && axis(A, w)) advances = false;
    else
        noe_text_add(w, how == TURNS       ? "rotation that mixes several coordinates"
                        : how == STRETCHES ? "scaling"
                                           : "shear");
    centre(s, m, y, A, w);
    if (A->along != 0) /* an angle |v| goes with an advance along * v */
        noe_text_add(w, ", a screw: %.6g along it per radian, %.6g per turn", fabs(A->along),
                     fabs(A->along) * 2 * M_PI);
}
