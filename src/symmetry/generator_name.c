/* Names a generator (xi, tau, f), "translation along x", and writes its momentum, x*p(y) - y*p(x).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "symmetry/rotation_name.h"
#include "symmetry/name_stem.h"

#include <stdio.h>
#include <string.h>

static const char *power(int k) { return k == 0 ? "" : k == 1 ? "t" : "t^2"; }

/* I = sum_i xi_i p_i - tau H - f in the model language: positive terms first, then negative ones.
 * */
static void momentum(noe_text *w, const noe_symmetries *s, const noe_system *m, const quad *x)
{
    char p[300];
    for (int minus = 0; minus < 2; minus++)
        for (int a = 0; a < s->terms; a++) {
            const noe_basis_term *y = &s->term[a];
            const char           *qi = noe_system_name(m, y->i), *qj = noe_system_name(m, y->j);
            const quad            c = y->kind == NOE_TERM_A || y->kind == NOE_TERM_B ? x[a] : -x[a];
            snprintf(p, sizeof p, "p(%.250s)", qi);
            if (c == 0 || (c < 0) != minus) continue;
            switch (y->kind) {
            case NOE_TERM_A: noe_text_term(w, c, power(y->k), qj, p); break;
            case NOE_TERM_B: noe_text_term(w, c, power(y->k), p, ""); break;
            case NOE_TERM_FQ: noe_text_term(w, c, power(y->k), qi, ""); break;
            case NOE_TERM_FQQ: noe_text_term(w, c, qi, qj, ""); break;
            case NOE_TERM_FT: noe_text_term(w, c, power(y->k), "", ""); break;
            case NOE_TERM_TAU: noe_text_term(w, c, power(y->k), "energy", ""); break;
            }
        }
}

typedef struct {
    bool tau, A, At, b, bt, f; /* which kinds of terms a generator has */
} parts;

static parts look(const noe_symmetries *s, const quad *x)
{
    parts y = { 0 };
    for (int a = 0; a < s->terms; a++) {
        if (x[a] == 0) continue;
        const noe_basis_term *z = &s->term[a];
        if (z->kind == NOE_TERM_TAU) y.tau = true;
        else if (z->kind == NOE_TERM_A) *(z->k ? &y.At : &y.A) = true;
        else if (z->kind == NOE_TERM_B) *(z->k ? &y.bt : &y.b) = true;
        else y.f = true;
    }
    return y;
}

/* "x", "x1 + x2 - x3", "every x": the directions of b t^k. */
static void direction(const noe_symmetries *s, const noe_system *m, const quad *x, int k,
                      noe_text *w)
{
    noe_text    own = noe_text_new(s->arena);
    const char *lead = NULL;
    quad        c = 0;
    int         count = 0, all = 0;
    bool        alike = true;
    for (int a = 0; a < s->terms; a++)
        if (s->term[a].kind == NOE_TERM_B && s->term[a].k == k && x[a] != 0) {
            const char *name = noe_system_name(m, s->term[a].i);
            if (!count++) lead = name, c = x[a];
            alike &= noe_name_stem_same(name, lead) && x[a] == c;
            if (own.length < 300) noe_text_term(&own, x[a], name, "", "");
        }
    for (int i = 0; i < s->n && lead; i++) all += noe_name_stem_same(noe_system_name(m, i), lead);
    if (count > 1 && alike && count == all)
        noe_text_add(w, "every %.*s", (int)noe_name_stem_length(lead), lead);
    else if (own.data)
        noe_text_add(w, count > 6 ? "%.60s .. (%d coordinates)" : "%.300s", own.data, count);
}

/* 1/tau if tau is constant and the generator has no other terms than A and b; else 0. */
static quad time_rate(const noe_symmetries *s, const quad *x)
{
    quad tau = 0;
    for (int a = 0; a < s->terms; a++) {
        if (x[a] == 0) continue;
        if (s->term[a].kind == NOE_TERM_TAU && s->term[a].k == 0) tau = x[a];
        else if (s->term[a].k || (s->term[a].kind != NOE_TERM_A && s->term[a].kind != NOE_TERM_B))
            return 0;
    }
    return tau != 0 ? 1 / tau : 0;
}

/* The map combined with a translation in time, and its rate: "rotation in the x-y plane, 7/10
 * radian per unit time". */
static void describe_map(const noe_symmetries *s, const noe_system *m, noe_symmetry *y, quad rate,
                         noe_text *w)
{
    const noe_symmetry old = *y;
    quad               most = 0;
    char               text[64];
    for (int a = 0; a < s->terms; a++)
        if (s->term[a].kind == NOE_TERM_A) most = fmaxq(most, fabsq(y->coef[a]));
    noe_rotation_name_describe(s, m, y, w);
    *y = old;
    noe_text_number(fabsq(most * rate), text);
    if (strlen(text) > 12) snprintf(text, sizeof text, "%.9g", (double)fabsq(most * rate));
    noe_text_add(w, ", %s radian per unit time", text);
}

/* Makes an identifier of the description: "rotation in the x-y plane" -> rotation_x_y. */
void noe_generator_name_find(const noe_symmetries *s, noe_symmetry *y)
{
    static const char *const stem[] = { "translation", "boost", "rotation", "generator", "time" };
    char                     base[48];
    size_t                   n = (size_t)snprintf(base, sizeof base, "%s", stem[y->kind]);
    const char              *from = y->kind == NOE_ROTATION ? strstr(y->what, "in the ")
                                                            : strstr(y->what, "along ");
    if (from) from += y->kind == NOE_ROTATION ? 7 : 6;
    if (from && !strncmp(from, "every ", 6)) from += 6;
    const size_t length = from ? strcspn(from, " ,") : 0;
    if (from && length < 24 && !memchr(from, '+', length)
        && (from[length] != ',' || y->kind != NOE_ROTATION)) {
        base[n++] = '_';
        for (size_t i = 0; i < length; i++)
            base[n++] = from[i] == '-' || from[i] == '*' ? '_' : from[i];
        base[n] = 0;
    }
    int same = 1;
    for (const noe_symmetry *z = s->found; z < y; z++)
        same += !strncmp(z->name, base, strlen(base));
    if (same > 1 || (n == strlen(stem[y->kind]) && y->kind != NOE_ENERGY))
        snprintf(y->name, sizeof y->name, "%s_%d", base, same);
    else snprintf(y->name, sizeof y->name, "%s", base);
}

bool noe_generator_name_describe(noe_symmetries *s, const noe_system *m, noe_symmetry *y)
{
    const parts has = look(s, y->coef);
    noe_text    w = noe_text_new(s->arena);
    y->kind = NOE_OTHER;
    if (has.tau) {
        y->kind = !has.A && !has.At && !has.b && !has.bt && !has.f ? NOE_ENERGY : NOE_OTHER;
        const quad rate = has.A && !has.At ? time_rate(s, y->coef) : 0;
        noe_text_add(&w, y->kind == NOE_ENERGY ? "translation in time"
                         : rate != 0           ? "translation in time with a "
                         : has.A               ? "translation in time with a linear map"
                         : has.b               ? "translation in time and space"
                                               : "change of time");
        if (rate != 0) describe_map(s, m, y, rate, &w);
    } else if (has.At) {
        noe_text_add(&w, "linear generator that grows with t");
    } else if (has.A) {
        noe_rotation_name_describe(s, m, y, &w);
        if (has.bt) noe_text_add(&w, " with a boost");
    } else {
        y->kind = has.bt ? NOE_BOOST : NOE_TRANSLATION;
        noe_text_add(&w, has.bt ? "boost along " : "translation along ");
        direction(s, m, y->coef, has.bt ? 1 : 0, &w);
    }
    if (has.f && w.data) noe_text_add(&w, ", up to a total derivative");
    if (!w.data) return false;
    snprintf(y->what, sizeof y->what, "%.150s", w.data);
    w = noe_text_new(s->arena);
    momentum(&w, s, m, y->coef);
    y->momentum = y->kind == NOE_ENERGY && w.data ? noe_arena_copy(s->arena, "energy", 6) : w.data;
    return y->momentum != NULL;
}
