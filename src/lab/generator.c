/* xi = A q + b, tau, f  ->  "rotation in the x-y plane", x*p(y) - y*p(x).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/lapack.h"
#include "base/status.h"
#include "lab/stem.h"
#include "lab/symmetry.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char  *text; /* grows in the arena by doubling; NULL once memory ran out */
    size_t length, room;
    noe_arena *arena;
} writer;

__attribute__((format(printf, 2, 3))) static void say(writer *w, const char *format, ...)
{
    char    piece[512];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (!w->text || n < 0 || n >= (int)sizeof piece) return;
    if (w->length + (size_t)n + 1 > w->room) {
        char *wider = noe_arena_take(w->arena, w->room = 2 * (w->length + (size_t)n + 1));
        if (wider) memcpy(wider, w->text, w->length + 1);
        w->text = wider;
        if (!wider) return;
    }
    memcpy(w->text + w->length, piece, (size_t)n + 1);
    w->length += (size_t)n;
}

/* 2, 10/7, or 34 digits. */
static void number(quad x, char out[64])
{
    for (int q = 1; q <= 1000; q++)
        if (roundq(x * q) / q == x && fabsq(x * q) < 1e15) {
            snprintf(out, 64, q == 1 ? "%.0f" : "%.0f/%d", (double)(x * q), q);
            return;
        }
    quadmath_snprintf(out, 64, "%.34Qg", x);
}

/* One term of a sum: coefficient and up to three factors. */
static void term(writer *w, quad c, const char *a, const char *b, const char *d)
{
    char        text[64];
    const char *factor[3] = { a, b, d };
    number(fabsq(c), text);
    say(w, w->length ? (c < 0 ? " - " : " + ") : (c < 0 ? "-" : ""));
    bool first = fabsq(c) == 1;
    if (!first) say(w, strchr(text, '/') ? "(%s)" : "%s", text);
    for (int i = 0; i < 3; i++)
        if (factor[i][0]) {
            say(w, first ? "%s" : "*%s", factor[i]);
            first = false;
        }
    if (first) say(w, "1");
}

static const char *power(int k) { return k == 0 ? "" : k == 1 ? "t" : "t^2"; }

/* I = sum_i xi_i p_i - tau H - f, in the model language; what is added first, then what is subtracted. */
static void momentum(writer *w, const noe_symmetries *s, const noe_system *m, const quad *x)
{
    char p[300];
    for (int minus = 0; minus < 2; minus++)
        for (int a = 0; a < s->terms; a++) {
            const noe_term *y = &s->term[a];
            const char     *qi = noe_system_name(m, y->i), *qj = noe_system_name(m, y->j);
            const quad      c = y->kind == NOE_TERM_A || y->kind == NOE_TERM_B ? x[a] : -x[a];
            snprintf(p, sizeof p, "p(%.250s)", qi);
            if (c == 0 || (c < 0) != minus) continue;
            switch (y->kind) {
            case NOE_TERM_A: term(w, c, power(y->k), qj, p); break;
            case NOE_TERM_B: term(w, c, power(y->k), p, ""); break;
            case NOE_TERM_FQ: term(w, c, power(y->k), qi, ""); break;
            case NOE_TERM_FQQ: term(w, c, qi, qj, ""); break;
            case NOE_TERM_FT: term(w, c, power(y->k), "", ""); break;
            case NOE_TERM_TAU: term(w, c, power(y->k), "energy", ""); break;
            }
        }
}

typedef struct {
    bool tau, A, At, b, bt, f;
} parts;

static parts look(const noe_symmetries *s, const quad *x)
{
    parts y = { 0 };
    for (int a = 0; a < s->terms; a++) {
        if (x[a] == 0) continue;
        const noe_term *z = &s->term[a];
        if (z->kind == NOE_TERM_TAU) y.tau = true;
        else if (z->kind == NOE_TERM_A) *(z->k ? &y.At : &y.A) = true;
        else if (z->kind == NOE_TERM_B) *(z->k ? &y.bt : &y.b) = true;
        else y.f = true;
    }
    return y;
}

/* A and b of the part without t, of the coordinates that A turns; of very many, of one body's. */
enum { TURNED_MOST = 64 };
typedef struct {
    int    n, i[TURNED_MOST]; /* coordinates */
    bool   one;               /* of one body, for all */
    double A[TURNED_MOST * TURNED_MOST], b[TURNED_MOST];
    bool   axial;             /* about an axis */
    double along;             /* of a screw about an axis: its advance, in units of |v| */
} turning;

static bool turned(const noe_symmetries *s, const quad *x, int i)
{
    for (int a = 0; a < s->terms; a++)
        if (x[a] != 0 && s->term[a].kind == NOE_TERM_A && s->term[a].k == 0 && (s->term[a].i == i || s->term[a].j == i)) return true;
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
        const bool here = !y->n || !strcmp(noe_label_of(noe_system_name(m, i)), noe_label_of(noe_system_name(m, y->i[0])));
        if ((y->one && !here) || y->n == TURNED_MOST) continue;
        place[i] = y->n;
        y->i[y->n++] = i;
    }
    for (int a = 0; a < s->terms; a++) {
        const noe_term *z = &s->term[a];
        if (z->k || place[z->i] < 0) continue;
        if (z->kind == NOE_TERM_A && place[z->j] >= 0) y->A[place[z->i] * y->n + place[z->j]] = (double)x[a];
        if (z->kind == NOE_TERM_B) y->b[place[z->i]] = (double)x[a];
    }
}

typedef enum { TURNS, STRETCHES, SHEARS } nature;

/* By the eigenvalues of A: imaginary ones turn, real ones stretch, none at all shears. */
static nature natures(int n, const double *A)
{
    const int lwork = 16 * n + 64, one = 1;
    double    copy[n * n], re[n], im[n], work[lwork], none[1], real = 0, imaginary = 0, size = 0;
    int       info;
    memcpy(copy, A, sizeof copy);
    for (int i = 0; i < n * n; i++) size = fmax(size, fabs(A[i]));
    dgeev_("N", "N", &n, copy, &n, re, im, none, &one, none, &one, work, &lwork, &info, 1, 1);
    for (int i = 0; i < n && !info; i++) real = fmax(real, fabs(re[i])), imaginary = fmax(imaginary, fabs(im[i]));
    if (imaginary > 1e-6 * size && imaginary > real) return TURNS;
    return real > 1e-6 * size ? STRETCHES : SHEARS;
}

/* "x-y plane", "x1-y1, x2-z2 planes", "x-y planes of 6 bodies" when A is made of 2 x 2 blocks that turn. */
static bool planes(const turning *y, const noe_system *m, writer *w, bool *circular)
{
    const int n = y->n;
    int       count = 0, first[2] = { 0, 0 };
    bool      same = true;
    writer    list = { noe_arena_copy(w->arena, "", 0), 0, 1, w->arena };
    *circular = true;
    for (int i = 0; i < n; i++) {
        int partner = -1, others = 0;
        for (int j = 0; j < n; j++)
            if (y->A[i * n + j] != 0 || y->A[j * n + i] != 0) partner = j, others++;
        if (others > 1 || partner == i) return false;
        if (partner <= i) continue;
        const char *a = noe_system_name(m, y->i[i]), *b = noe_system_name(m, y->i[partner]);
        if (!count) first[0] = y->i[i], first[1] = y->i[partner];
        same &= noe_same_stem(a, noe_system_name(m, first[0])) && noe_same_stem(b, noe_system_name(m, first[1]));
        say(&list, "%s%.60s-%.60s", count++ ? ", " : "", a, b);
        *circular &= fabs(y->A[i * n + partner] + y->A[partner * n + i]) < 1e-12;
    }
    if (!count || !list.text) return false;
    const char *a = noe_system_name(m, first[0]), *b = noe_system_name(m, first[1]);
    if (same && (count > 1 || y->one)) {
        say(w, "%.*s-%.*s plane", (int)noe_stem_length(a), a, (int)noe_stem_length(b), b);
        if (y->one) say(w, " of every body");
        else say(w, "s of %d bodies", count);
    } else {
        say(w, "%.300s plane%s", list.text, count > 1 ? "s" : "");
    }
    return true;
}

/* Three coordinates turned about an axis, A v = w x v: "about the axis (1, 1, 1)", and the advance of a screw along it;
 * b loses that part. */
static bool axis(turning *y, writer *w)
{
    const double *A = y->A, v[3] = { A[7], A[2], A[3] };
    double        most = 0, size = 0, along = 0;
    if (y->n != 3) return false;
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(v[i])), size += v[i] * v[i], along += v[i] * y->b[i];
    for (int i = 0; i < 9; i++)
        if (fabs(A[i] + A[i % 3 * 3 + i / 3]) > 1e-12 * most) return false;
    const double sign = v[0] < 0 || (v[0] == 0 && (v[1] < 0 || (v[1] == 0 && v[2] < 0))) ? -1 : 1;
    say(w, "rotation about the axis (%.6g, %.6g, %.6g)", sign * v[0] / most, sign * v[1] / most, sign * v[2] / most);
    double far = 0;
    for (int i = 0; i < 3; i++) far = fmax(far, fabs(y->b[i]));
    for (int i = 0; i < 3; i++) y->b[i] -= along / size * v[i];
    y->axial = true;
    y->along = fabs(along) > 1e-9 * most * far ? along / size : 0; /* per radian: of an angle |v| */
    return true;
}

/* What b adds to a rotation: another centre, or an advance. */
static void centre(const noe_symmetries *s, const noe_system *m, const quad *x, const turning *y, writer *w)
{
    const int n = y->n;
    double    c[n], A[n * n], work[n * 64 + 64], value[n];
    int       info, rank, room = 64 * n + 64, one = 1;
    bool      about = false, moved = false;
    double    far = 0;
    for (int i = 0; i < n; i++) c[i] = -y->b[i], moved |= y->b[i] != 0;
    for (int i = 0; i < n * n; i++) A[i % n * n + i / n] = y->A[i];
    const double least = 1e-10;
    if (moved) dgelss_(&n, &n, &one, A, &n, c, &n, value, &least, &rank, work, &room, &info); /* A c = -b, the shortest c */
    for (int i = 0; i < n && moved && !info; i++) far = fmax(far, fabs(c[i]));
    for (int i = 0; i < n && moved && !info; i++) {
        if (fabs(c[i]) <= 1e-9 * far) continue;
        say(w, "%s%.60s = %.6g", about ? ", " : y->axial ? " through " : " about ", noe_system_name(m, y->i[i]), c[i]);
        about = true;
    }
    for (int a = 0; a < s->terms; a++) {
        const noe_term *z = &s->term[a];
        char            text[64];
        if (z->kind != NOE_TERM_B || z->k || x[a] == 0 || turned(s, x, z->i)) continue;
        number(x[a], text);
        if (strlen(text) > 12) snprintf(text, sizeof text, "%.9g", (double)x[a]);
        say(w, " with %.60s advancing %s per radian, %.6g per turn", noe_system_name(m, z->i), text, 2 * M_PI * (double)x[a]);
    }
}

/* "x", "x1 + x2 - x3", "every x": the directions of b t^k. */
static void direction(const noe_symmetries *s, const noe_system *m, const quad *x, int k, writer *w)
{
    writer      own = { noe_arena_copy(s->arena, "", 0), 0, 1, s->arena };
    const char *lead = NULL;
    quad        c = 0;
    int         count = 0, all = 0;
    bool        alike = true;
    for (int a = 0; a < s->terms; a++)
        if (s->term[a].kind == NOE_TERM_B && s->term[a].k == k && x[a] != 0) {
            const char *name = noe_system_name(m, s->term[a].i);
            if (!count++) lead = name, c = x[a];
            alike &= noe_same_stem(name, lead) && x[a] == c;
            if (own.length < 300) term(&own, x[a], name, "", "");
        }
    for (int i = 0; i < s->n && lead; i++) all += noe_same_stem(noe_system_name(m, i), lead);
    if (count > 1 && alike && count == all) say(w, "every %.*s", (int)noe_stem_length(lead), lead);
    else if (own.text) say(w, count > 6 ? "%.60s .. (%d coordinates)" : "%.300s", own.text, count);
}

static void describe_rotation(const noe_symmetries *s, const noe_system *m, noe_symmetry *y, writer *w)
{
    turning *A = noe_arena_take(s->arena, sizeof *A);
    bool     circular, advances = false;
    if (!A) {
        w->text = NULL;
        return;
    }
    affine(s, m, y->coef, A);
    writer       list = { noe_arena_copy(s->arena, "", 0), 0, 1, s->arena };
    const nature how = natures(A->n, A->A);
    const bool   flat = planes(A, m, &list, &circular);
    for (int a = 0; a < s->terms; a++)
        advances |= s->term[a].kind == NOE_TERM_B && s->term[a].k == 0 && y->coef[a] != 0 && !turned(s, y->coef, s->term[a].i);
    y->kind = how == TURNS ? NOE_ROTATION : NOE_OTHER;
    if (how == TURNS && flat && list.text)
        say(w, "%s%s in the %.300s", circular ? "" : "elliptic ", advances ? "screw: rotation" : "rotation", list.text);
    else if (how == TURNS && axis(A, w)) advances = false;
    else say(w, how == TURNS ? "rotation that mixes several coordinates" : how == STRETCHES ? "scaling" : "shear");
    centre(s, m, y->coef, A, w);
    if (A->along != 0) /* an angle |v| goes with along v */
        say(w, ", a screw: %.6g along it per radian, %.6g per turn", fabs(A->along), fabs(A->along) * 2 * M_PI);
}

/* 1/tau where tau is constant, and nothing but A and b stands beside it; else 0. */
static quad time_rate(const noe_symmetries *s, const quad *x)
{
    quad tau = 0;
    for (int a = 0; a < s->terms; a++) {
        if (x[a] == 0) continue;
        if (s->term[a].kind == NOE_TERM_TAU && s->term[a].k == 0) tau = x[a];
        else if (s->term[a].k || (s->term[a].kind != NOE_TERM_A && s->term[a].kind != NOE_TERM_B)) return 0;
    }
    return tau != 0 ? 1 / tau : 0;
}

/* The map that goes with a translation in time, and its speed: "rotation in the x-y plane, 7/10 radian per unit time". */
static void describe_map(const noe_symmetries *s, const noe_system *m, noe_symmetry *y, quad rate, writer *w)
{
    const noe_symmetry old = *y;
    quad               most = 0;
    char               text[64];
    for (int a = 0; a < s->terms; a++)
        if (s->term[a].kind == NOE_TERM_A) most = fmaxq(most, fabsq(y->coef[a]));
    describe_rotation(s, m, y, w);
    *y = old;
    number(fabsq(most * rate), text);
    if (strlen(text) > 12) snprintf(text, sizeof text, "%.9g", (double)fabsq(most * rate));
    say(w, ", %s radian per unit time", text);
}

/* Letters of a name: "rotation in the x-y plane" -> rotation_x_y. */
void noe_generator_name(const noe_symmetries *s, noe_symmetry *y)
{
    static const char *const stem[] = { "translation", "boost", "rotation", "generator", "time" };
    char   base[48];
    size_t n = (size_t)snprintf(base, sizeof base, "%s", stem[y->kind]);
    const char *from = y->kind == NOE_ROTATION ? strstr(y->what, "in the ") : strstr(y->what, "along ");
    if (from) from += y->kind == NOE_ROTATION ? 7 : 6;
    if (from && !strncmp(from, "every ", 6)) from += 6;
    const size_t length = from ? strcspn(from, " ,") : 0;
    if (from && length < 24 && !memchr(from, '+', length) && (from[length] != ',' || y->kind != NOE_ROTATION)) {
        base[n++] = '_';
        for (size_t i = 0; i < length; i++) base[n++] = from[i] == '-' || from[i] == '*' ? '_' : from[i];
        base[n] = 0;
    }
    int same = 1;
    for (const noe_symmetry *z = s->found; z < y; z++) same += !strncmp(z->name, base, strlen(base)) ;
    if (same > 1 || (n == strlen(stem[y->kind]) && y->kind != NOE_ENERGY)) snprintf(y->name, sizeof y->name, "%s_%d", base, same);
    else snprintf(y->name, sizeof y->name, "%s", base);
}

bool noe_generator_describe(noe_symmetries *s, const noe_system *m, noe_symmetry *y)
{
    const parts has = look(s, y->coef);
    writer      w = { noe_arena_copy(s->arena, "", 0), 0, 1, s->arena };
    y->kind = NOE_OTHER;
    if (has.tau) {
        y->kind = !has.A && !has.At && !has.b && !has.bt && !has.f ? NOE_ENERGY : NOE_OTHER;
        const quad rate = has.A && !has.At ? time_rate(s, y->coef) : 0;
        say(&w, y->kind == NOE_ENERGY ? "translation in time"
                : rate != 0 ? "translation in time with a " : has.A ? "translation in time with a linear map"
                : has.b ? "translation in time and space" : "change of time");
        if (rate != 0) describe_map(s, m, y, rate, &w);
    } else if (has.At) {
        say(&w, "linear generator that grows with t");
    } else if (has.A) {
        describe_rotation(s, m, y, &w);
        if (has.bt) say(&w, " with a boost");
    } else {
        y->kind = has.bt ? NOE_BOOST : NOE_TRANSLATION;
        say(&w, has.bt ? "boost along " : "translation along ");
        direction(s, m, y->coef, has.bt ? 1 : 0, &w);
    }
    if (has.f && w.text) say(&w, ", up to a total derivative");
    if (!w.text) return false;
    snprintf(y->what, sizeof y->what, "%.150s", w.text);
    w = (writer){ noe_arena_copy(s->arena, "", 0), 0, 1, s->arena };
    momentum(&w, s, m, y->coef);
    y->momentum = y->kind == NOE_ENERGY && w.text ? noe_arena_copy(s->arena, "energy", 6) : w.text;
    return y->momentum != NULL;
}
