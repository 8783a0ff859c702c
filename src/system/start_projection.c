/* Projects a start onto those that directions without mass allow: q <- q - N (N^T K N)^-1 N^T K q.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * M N = 0, so motion along N has no momentum, and the projection leaves M q and M q' unchanged.
 * Where the columns of N are coordinate axes it leaves all other coordinates unchanged, too.
 * Momenta are covectors: with q = T q_a those of q_a are T^T p. */
#include "system/start_projection.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of the largest value up to which a projection is rounding: a start written with ten digits
 * is accepted without a warning. */
static const double START_ROUNDING = 1e-9;

typedef struct {
    noe_model              *m;        /* the model */
    const noe_condensation *x;        /* the eliminated directions */
    bool                    loaded;   /* there is a load */
    quad                   *was, *is; /* [n] positions, or velocities, as given and as projected */
    char                    first[300]; /* message about the first such coordinate */
    int                     count;      /* coordinates that do not begin as given */
} projection;

/* S q_a for eliminated coordinates whose initial conditions are not given. */
static void follow(const projection *p, const bool *told, quad *q)
{
    const noe_condensation *x = p->x;
    for (int b = 0; b < x->eliminated; b++) {
        quad sum = 0;
        for (int a = 0; a < x->kept; a++)
            sum += (quad)x->S[(size_t)b * (size_t)x->kept + (size_t)a] * q[x->keep[a]];
        if (!told || !told[x->eliminated_index[b]]) q[x->eliminated_index[b]] = sum;
    }
}

/* q - N P q. */
static void along(const noe_condensation *x, quad *q)
{
    const size_t n = (size_t)x->n, m = (size_t)x->eliminated;
    quad        *c = noe_status_alloc(m, sizeof *c);
    if (!c) return;
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < m; k++) c[k] += (quad)x->P[k + j * m] * q[j];
    for (size_t k = 0; k < m; k++)
        for (size_t j = 0; j < n; j++) q[j] -= (quad)x->N[k * n + j] * c[k];
    free(c);
}

static void say(projection *p, const char *after, int i, bool known)
{
    const char *name = p->m->coordinate[i]->name;
    if (p->count++) return;
    if (known)
        snprintf(p->first, sizeof p->first, "%.100s%s begins at %.10g, not at %.10g", name, after,
                 (double)p->is[i], (double)p->was[i]);
    else
        snprintf(p->first, sizeof p->first,
                 "%.100s%s is determined by the others and the load, and does not begin at "
                 "%.10g",
                 name, after, (double)p->was[i]);
}

/* Positions or velocities. */
static void project(projection *p, const bool *told, const char *after)
{
    const noe_condensation *x = p->x;
    quad                    most = 0;
    for (int i = 0; i < x->n; i++) p->is[i] = p->was[i];
    follow(p, x->axes ? NULL : told, p->is);
    if (!x->axes && x->P) along(x, p->is);
    for (int i = 0; i < x->n; i++) most = fmaxq(most, fmaxq(fabsq(p->was[i]), fabsq(p->is[i])));
    int moved = 0;
    for (int i = 0; i < x->n; i++)
        if (told[i] && fabsq(p->is[i] - p->was[i]) > START_ROUNDING * most)
            moved++, say(p, after, i, !(x->axes && p->loaded));
    for (int i = 0; i < x->n && !moved; i++)
        p->is[i] = p->was[i]; /* as it was written, to the last bit */
}

static bool momenta(projection *p)
{
    const noe_condensation *x = p->x;
    noe_begin              *begin = p->m->begin;
    bool                    any = false;
    for (int b = 0; b < x->eliminated; b++)
        any |= begin[x->eliminated_index[b]].has_p && begin[x->eliminated_index[b]].p != 0;
    for (int a = 0; any && a < x->kept; a++) {
        noe_begin *to = &begin[x->keep[a]];
        if (to->has_v) continue; /* its velocity is given: the momentum follows */
        for (int b = 0; b < x->eliminated; b++)
            to->p += (quad)x->S[(size_t)b * (size_t)x->kept + (size_t)a]
                   * begin[x->eliminated_index[b]].p;
        to->has_p = true;
    }
    for (int b = 0; any && b < x->eliminated; b++) {
        const int i = x->eliminated_index[b];
        if (!begin[i].has_p || begin[i].p == 0) continue;
        if (!p->count++)
            snprintf(p->first, sizeof p->first,
                     "the momentum of %.100s, %.10g, goes over to the coordinates that it follows",
                     p->m->coordinate[i]->name, (double)begin[i].p);
    }
    return any;
}

bool noe_start_projection_apply(noe_model *m, const noe_condensation *x, bool loaded)
{
    const size_t n = (size_t)x->n;
    projection   p = {
          .m = m, .x = x, .loaded = loaded, .was = noe_status_alloc(2 * n, sizeof *p.was)
    };
    bool *told = noe_status_alloc(n, sizeof *told), ok = p.was && told, q = false, v = false;
    p.is = p.was + n;
    for (int b = 0; ok && b < x->eliminated; b++) {
        q |= m->begin[x->eliminated_index[b]].has_q;
        v |= m->begin[x->eliminated_index[b]].has_v;
    }
    for (size_t i = 0; ok && q && i < n; i++) p.was[i] = m->begin[i].q, told[i] = m->begin[i].has_q;
    if (ok && q) project(&p, told, "");
    for (size_t i = 0; ok && q && i < n; i++) m->begin[i].q = p.is[i];
    const bool mixed = ok && momenta(&p);
    bool       given = false;
    for (size_t i = 0; ok && i < n; i++) given |= m->begin[i].has_p;
    for (size_t i = 0; ok && v && i < n; i++) p.was[i] = m->begin[i].v, told[i] = m->begin[i].has_v;
    if (ok && v && !mixed && !given) {
        project(&p, told, "'");
        for (size_t i = 0; i < n; i++) m->begin[i].v = p.is[i];
    }
    if (p.count) {
        char text[400];
        snprintf(text, sizeof text, p.count > 1 ? "%s; %d more differ" : "%s", p.first,
                 p.count - 1);
        ok = ok && (m->projected = noe_arena_copy(m->arena, text, strlen(text)));
    }
    free(p.was);
    free(told);
    return ok;
}
