/* Adds the symmetries that a model declares, symmetry NAME = (xi_1, .., xi_n), to those found.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "symmetry/symmetry.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets the coefficients of the basis terms; they stay NULL where the basis lacks a term.  False:
 * out of memory. */
static bool coefficients(noe_symmetries *s, const noe_declared *d, noe_symmetry *y)
{
    const int n = s->n;
    if (!d->affine || !s->terms) return true;
    quad *x = noe_arena_take(s->arena, (size_t)s->terms * sizeof *x);
    quad  left = 0, half = 0;
    if (!x) return false;
    for (int i = 0; i < n; i++) left += d->c[i] != 0;
    for (int i = 0; i < n && d->gauge; i++) {
        left += (d->d[i] != 0) + (d->e[i] != 0);
        for (int j = i; j < n; j++) left += d->C[i * n + j] != 0;
    }
    if (d->gauge) left += (d->g[0] != 0) + (d->g[1] != 0);
    for (int a = 0; a < s->terms; a++) {
        const noe_basis_term *z = &s->term[a];
        if (z->kind == NOE_TERM_A && z->k == 0) x[a] = d->A[z->i * n + z->j];
        if (z->kind == NOE_TERM_B) x[a] = z->k ? d->c[z->i] : d->b[z->i];
        half = z->i == z->j ? (quad)1 / 2 : 1;
        if (d->gauge && z->kind == NOE_TERM_FQ) x[a] = z->k ? d->e[z->i] : d->d[z->i];
        if (d->gauge && z->kind == NOE_TERM_FQQ) x[a] = half * d->C[z->i * n + z->j];
        if (d->gauge && z->kind == NOE_TERM_FT) x[a] = d->g[z->k - 1];
        if (x[a] != 0 && !(z->k == 0 && (z->kind == NOE_TERM_A || z->kind == NOE_TERM_B)))
            left -= 1;
    }
    if (left == 0) y->coef = x;
    return true;
}

/* The momentum as text, "(-y)*p(x) + (x)*p(y)", followed by " - f" with a gauge term. */
static char *momentum(noe_symmetries *s, const noe_system *m, const noe_declared *d)
{
    size_t capacity = 64;
    for (int i = 0; i < s->n; i++)
        capacity += strlen(d->text[i]) + strlen(noe_system_name(m, i)) + 16;
    char *text = noe_arena_take(s->arena, capacity), *at = text;
    for (int i = 0; i < s->n && text; i++) {
        if (!strcmp(d->text[i], "0")) continue;
        const bool plain = strcspn(d->text[i], "+-*/^ (") == strlen(d->text[i]),
                   one = !strcmp(d->text[i], "1");
        at += sprintf(at, at > text ? " + " : "");
        if (one) at += sprintf(at, "p(%s)", noe_system_name(m, i));
        else
            at += sprintf(at, plain ? "%s*p(%s)" : "(%s)*p(%s)", d->text[i], noe_system_name(m, i));
    }
    if (text && d->gauge) sprintf(at, " - f");
    return text;
}

/* Makes a tape of the components xi_i, which gives the size of the momentum's terms. */
static bool components(noe_symmetries *s, const noe_system *system, int k, noe_symmetry *y)
{
    const noe_model *old = system->model;
    if (!s->model)
        s->model = noe_parse_model_text_as(NOE_MODEL_WRITTEN, system->source, old->text,
                                           old->length, system->change, system->changes);
    noe_model *m = s->model;
    if (m) y->xi = noe_tape_new(&m->graph, m->param, m->n, m->declared[k].xi, m->n);
    y->slot = y->xi ? noe_arena_take(s->arena, ((size_t)y->xi->slots + 1) * sizeof *y->slot) : NULL;
    if (!y->slot) free(y->xi), y->xi = NULL;
    return y->slot != NULL;
}

bool noe_declared_generators_add(noe_symmetries *s, const noe_system *system)
{
    const noe_model *m = system->model;
    const size_t     most = (size_t)s->count + (size_t)m->declareds + 1;
    noe_symmetry    *all = noe_arena_take(s->arena, most * sizeof *all);
    if (!all) return false;
    if (s->count) memcpy(all, s->found, (size_t)s->count * sizeof *all);
    s->found = all;
    for (int k = 0; k < m->declareds; k++) {
        const noe_declared *d = &m->declared[k];
        noe_symmetry       *y = &s->found[s->count];
        bool                moves = false;
        for (int i = 0; i < s->n && d->affine; i++) moves |= d->c[i] != 0;
        *y = (noe_symmetry){ .declared = true, .observable = d->symbol->index, .kind = NOE_OTHER };
        y->forced_along = d->forced_along;
        y->strict = d->affine && !moves && !d->gauge;
        if (!coefficients(s, d, y) || !components(s, system, k, y)) return false;
        s->count++;
        if (y->coef && !noe_generator_name_describe(s, system, y)) return false;
        if (!y->coef) {
            snprintf(y->what, sizeof y->what, "%s%s",
                     d->affine ? "affine" : "not affine in these coordinates",
                     d->gauge ? ", up to a total derivative" : "");
            y->momentum = momentum(s, system, d);
        }
        if (y->kind == NOE_ENERGY) y->kind = NOE_OTHER;
        snprintf(y->name, sizeof y->name, "%.60s", d->symbol->name);
        if (!y->momentum) return false;
    }
    return true;
}
