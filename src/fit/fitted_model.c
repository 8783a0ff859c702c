/* The text of the model with the estimates in place of the values that it gave.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/nearest_word.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `length` bytes at `at` of the text become `text`. */
typedef struct {
    size_t      at, length;
    const char *text;
} edit;

typedef struct {
    const noe_fit *s;
    edit          *edit; /* [edits] */
    int            edits;
    noe_text       added; /* lines for starts that the text does not give */
} rewriting;

/* The length of an expression: up to a comma outside of parentheses, a comment or the end of its
 * line. */
static size_t extent(const char *c)
{
    size_t n = 0;
    for (int open = 0; c[n] && c[n] != '#' && (open > 0 || (c[n] != ',' && c[n] != '\n')); n++)
        open += (c[n] == '(') - (c[n] == ')');
    while (n && (c[n - 1] == ' ' || c[n - 1] == '\t' || c[n - 1] == '\r' || c[n - 1] == '\n')) n--;
    return n;
}

static void replace(rewriting *w, size_t at, const char *text)
{
    for (int i = 0; i < w->edits; i++)
        if (w->edit[i].at == at) {
            w->edit[i].text = text;
            return;
        }
    w->edit[w->edits++] = (edit){ at, extent(w->s->plain->model->text + at), text };
}

/* The place of the value of a parameter, 0: not found. */
static size_t of_parameter(const noe_model *m, int index)
{
    for (int i = 0; i < m->symbols; i++) {
        const noe_symbol *x = m->symbol[i];
        if (x->what != NOE_IS_PARAMETER || x->index != index || x->family) continue;
        const char *equal = m->text + x->at + strlen(x->name);
        if (strncmp(m->text + x->at, x->name, strlen(x->name))) return 0;
        equal += strspn(equal, " \t");
        return *equal == '=' ? (size_t)(equal - m->text) + 1 + strspn(equal + 1, " \t") : 0;
    }
    return 0;
}

static bool assign(rewriting *w, const char *name, size_t length, const char *value)
{
    const noe_model *m = w->s->plain->model;
    noe_by           by;
    size_t           at = 0;
    const bool       found = noe_varied_find(m, name, length, &by);
    if (found && by.kind == NOE_BY_PARAMETER) at = of_parameter(m, by.index);
    else if (found) {
        const noe_begin *b = &m->begin[by.index];
        const bool       here = by.kind == NOE_BY_POSITION ? b->has_q && !b->ruled_q
                              : by.kind == NOE_BY_VELOCITY ? b->has_v && !b->ruled_v
                                                           : b->has_p && !b->ruled_v;
        const size_t     place = by.kind == NOE_BY_POSITION ? b->at_q : b->at_v;
        if (here && place) at = place;
        else {
            noe_text_add(&w->added, "start %.*s = %s\n", (int)length, name, value);
            return true;
        }
    }
    if (at) replace(w, at, value);
    return at > 0;
}

static int by_place(const void *a, const void *b)
{
    const edit *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The text with all edits. */
static char *apply(rewriting *w)
{
    const noe_model *m = w->s->plain->model;
    size_t           size = m->length + w->added.length + 3, from = 0;
    for (int i = 0; i < w->edits; i++) size += strlen(w->edit[i].text);
    char *text = noe_status_alloc(size, 1), *to = text;
    if (!text) return NULL;
    qsort(w->edit, (size_t)w->edits, sizeof *w->edit, by_place);
    for (int i = 0; i < w->edits; i++) {
        const edit *e = &w->edit[i];
        to += sprintf(to, "%.*s%s", (int)(e->at - from), m->text + from, e->text);
        from = e->at + e->length;
    }
    to += sprintf(to, "%.*s", (int)(m->length - from), m->text + from);
    if (w->added.length)
        sprintf(to, "%s%s", to > text && to[-1] == '\n' ? "" : "\n", w->added.data);
    return text;
}

/* Has the new text the values of the fit, and of all else the old ones? */
static bool same(const noe_fit *s, const char *text)
{
    noe_system *is = noe_system_parse(text), *wanted = noe_fitted_run_system(s, s->plain, 0, s->x);
    noe_integrator *a = is ? noe_integrator_new(is, s->method, s->step) : NULL,
                   *b = wanted ? noe_integrator_new(wanted, s->method, s->step) : NULL;
    const int n = wanted ? wanted->dyn.n : 0;
    bool      ok = a && b && is->dyn.n == n && is->model->params == wanted->model->params;
    for (int i = 0; ok && i < n; i++)
        ok = fabs(noe_q(a)[i] - noe_q(b)[i]) <= 1e-12 * fabs(noe_q(b)[i])
          && fabs(noe_p(a)[i] - noe_p(b)[i]) <= 1e-12 * fabs(noe_p(b)[i]);
    for (int i = 0; ok && i < wanted->model->params; i++)
        ok = fabsq(is->model->param[i] - wanted->model->param[i])
          <= 1e-14 * fabsq(wanted->model->param[i]);
    noe_integrator_free(a);
    noe_integrator_free(b);
    noe_system_free(is);
    noe_system_free(wanted);
    return ok;
}

bool noe_fitted_model_write(const noe_fit *s, const char *path)
{
    const noe_measurements *m = &s->file[0];
    const int               most = s->plain->changes + m->changes + s->varieds;
    rewriting               w = { .s = s, .added = noe_text_new(s->arena) };
    w.edit = noe_arena_take(s->arena, (size_t)most * sizeof *w.edit);
    bool ok = w.edit != NULL;
    for (int i = 0; ok && i < s->plain->changes + m->changes; i++) {
        const char  *c = i < s->plain->changes ? s->plain->change[i]
                                               : m->change[i - s->plain->changes];
        const size_t length = strcspn(c, "=");
        ok = c[length] && assign(&w, c, length, c + length + 1 + strspn(c + length + 1, " "));
    }
    for (int k = 0; ok && k < s->varieds; k++) {
        char *value = noe_arena_take(s->arena, 32);
        if ((ok = value != NULL)) snprintf(value, 32, "%.17g", s->x[noe_fit_unknown(s, k, 0)]);
        ok = ok && assign(&w, s->varied[k].assigned, strlen(s->varied[k].assigned), value);
    }
    char *text = ok ? apply(&w) : NULL;
    ok = text && same(s, text);
    if (ok) ok = !noe_text_write(path, text);
    else {
        noe_error_clear();
        noe_status_fail(
            NOE_INVALID,
            "cannot write '%.200s': a value of the fit stands in no statement 'parameter "
            "NAME = ..' or 'start NAME = ..' of its own",
            path);
    }
    free(text);
    return ok;
}
