/* "l in 0.1..2, c, each q(0)": the parameters and starts that are estimated, with their bounds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The message so far, after the option that it is about. */
static bool of_vary(void)
{
    char        text[700];
    const char *why = noe_error();
    snprintf(text, sizeof text, "%.600s", why ? why : "out of memory");
    noe_error_clear();
    return noe_status_fail(NOE_INVALID, "--vary: %s", text), false;
}

static bool bound(const noe_fit *s, const char *text, size_t length, double *to)
{
    while (length && *text == ' ') text++, length--;
    while (length && text[length - 1] == ' ') length--;
    const char *own = noe_arena_copy(s->arena, text, length);
    quad        x;
    if (!own) return false;
    if (!strcmp(own, "inf") || !strcmp(own, "-inf")) {
        *to = *own == '-' ? -INFINITY : INFINITY;
        return true;
    }
    if (!noe_parse_model_value(s->plain->model, "--vary", own, &x)) return false;
    *to = (double)x;
    return true;
}

/* "0.1..2" after "in". */
static bool bounds(const noe_fit *s, noe_varied *v, const char *text, size_t length)
{
    const char *end = text + length, *dots = text;
    while (dots + 1 < end && strncmp(dots, "..", 2)) dots++;
    if (dots + 1 >= end)
        return noe_status_fail(NOE_INVALID, "--vary: '%s in %.*s': expected two bounds, as 0.1..2",
                               v->name, (int)length, text),
               false;
    if (!bound(s, text, (size_t)(dots - text), &v->low)
        || !bound(s, dots + 2, (size_t)(end - dots - 2), &v->high))
        return false;
    if (v->low < v->high) return true;
    return noe_status_fail(
               NOE_INVALID,
               "--vary: '%s in %.*s': the bounds are the wrong way round: the lower one "
               "comes first",
               v->name, (int)length, text),
           false;
}

/* The name of what is varied as an assignment has it. */
static const char *assigned(const noe_fit *s, const noe_by *by)
{
    const noe_model *m = s->plain->model;
    const char      *name = NULL;
    for (int i = 0; i < m->symbols; i++)
        if (m->symbol[i]->what == NOE_IS_PARAMETER && by->kind == NOE_BY_PARAMETER
            && !m->symbol[i]->family && m->symbol[i]->index == by->index)
            name = m->symbol[i]->name;
    if (by->kind != NOE_BY_PARAMETER) name = m->coordinate[by->index]->name;
    const size_t size = strlen(name) + 5;
    char        *to = noe_arena_take(s->arena, size);
    if (to)
        snprintf(to, size,
                 by->kind == NOE_BY_VELOCITY   ? "%s'"
                 : by->kind == NOE_BY_MOMENTUM ? "p(%s)"
                                               : "%s",
                 name);
    return to;
}

/* Both velocity and momentum of a coordinate, or the same twice? */
static bool twice(const noe_fit *s, const noe_varied *v)
{
    for (const noe_varied *w = s->varied; w < v; w++) {
        const bool speeds = w->by.kind >= NOE_BY_VELOCITY && v->by.kind >= NOE_BY_VELOCITY;
        if (w->by.index != v->by.index || (w->by.kind != v->by.kind && !speeds)) continue;
        noe_status_fail(NOE_INVALID,
                        w->by.kind == v->by.kind
                            ? "--vary: '%s' and '%s' are the same"
                            : "--vary: '%s' and '%s' are the same start: name one of them",
                        w->name, v->name);
        return true;
    }
    return false;
}

static bool item(noe_fit *s, noe_varied *v, const char *text, size_t length)
{
    while (length && *text == ' ') text++, length--;
    while (length && text[length - 1] == ' ') length--;
    *v = (noe_varied){ .low = -INFINITY, .high = INFINITY };
    if (length > 5 && !strncmp(text, "each ", 5)) v->each = true, text += 5, length -= 5;
    const char *in = text;
    while (in + 4 <= text + length && strncmp(in, " in ", 4)) in++;
    const bool bounded = in + 4 <= text + length;
    size_t     name = bounded ? (size_t)(in - text) : length;
    while (name && text[name - 1] == ' ') name--;
    v->name = noe_arena_copy(s->arena, text, name);
    if (!v->name) return false;
    if (!noe_varied_find(s->plain->model, v->name, name, &v->by)) return of_vary();
    v->by.name = v->name;
    v->assigned = assigned(s, &v->by);
    if (!v->assigned || twice(s, v)) return false;
    return !bounded || bounds(s, v, in + 4, (size_t)(text + length - in - 4));
}

/* The length of an item of the list: up to the next comma outside of parentheses. */
static size_t extent(const char *c)
{
    size_t n = 0;
    for (int open = 0; c[n] && (open || c[n] != ','); n++) open += (c[n] == '(') - (c[n] == ')');
    return n;
}

/* The system with derivatives by all that is varied. */
static bool differentiate(noe_fit *s)
{
    size_t size = 1;
    for (int k = 0; k < s->varieds; k++) size += strlen(s->varied[k].name) + 1;
    char *list = noe_arena_take(s->arena, size);
    if (!list) return false;
    for (int k = 0; k < s->varieds; k++) strcat(strcat(list, k ? "," : ""), s->varied[k].name);
    s->system = noe_system_differentiated(s->plain, list);
    return s->system || of_vary();
}

/* The unknowns and where they begin. */
static bool unknowns(noe_fit *s)
{
    for (int k = 0; k < s->varieds; k++) {
        s->varied[k].first = s->unknowns;
        s->unknowns += s->varied[k].each ? s->files : 1;
    }
    const size_t u = (size_t)s->unknowns;
    s->x = noe_arena_take(s->arena, 4 * u * sizeof *s->x);
    s->correlation = noe_arena_take(s->arena, u * u * sizeof *s->correlation);
    s->name = noe_arena_take(s->arena, u * sizeof *s->name);
    s->at_bound = noe_arena_take(s->arena, u * sizeof *s->at_bound);
    if (!s->x || !s->correlation || !s->name || !s->at_bound) return false;
    s->low = s->x + u, s->high = s->low + u, s->error = s->high + u;
    for (int d = 0; d < s->files; d++) {
        noe_system     *own = s->file[d].changes
                                ? noe_system_lets(s->system, s->file[d].change, s->file[d].changes)
                                : s->system;
        noe_integrator *g = own ? noe_integrator_new(own, s->method, s->step) : NULL;
        bool            ok = g && !noe_integrator_start_ready(g);
        for (int k = 0; ok && k < s->varieds; k++) {
            const noe_varied *v = &s->varied[k];
            const int         i = noe_fit_unknown(s, k, d);
            if (d && !v->each) continue;
            const size_t size = strlen(v->name) + strlen(s->file[d].path) + 8;
            char        *name = noe_arena_take(s->arena, size);
            if (!(ok = name != NULL)) break;
            snprintf(name, size, v->each && s->files > 1 ? "%s of %s" : "%s", v->name,
                     s->file[d].path);
            s->name[i] = name, s->low[i] = v->low, s->high[i] = v->high;
            s->x[i] = noe_get(g, v->assigned);
            ok = isfinite(s->x[i]);
            if (ok && !(s->x[i] >= v->low && s->x[i] <= v->high)) {
                noe_status_fail(NOE_INVALID,
                                "--vary: %s begins at %.10g, outside its bounds %.10g..%.10g", name,
                                s->x[i], v->low, v->high);
                ok = false;
            }
        }
        noe_integrator_free(g);
        if (own != s->system) noe_system_free(own);
        if (!ok) return false;
    }
    return true;
}

bool noe_varied_list_parse(noe_fit *s)
{
    int              most = 1;
    const noe_model *m = s->plain->model;
    if (!m)
        return noe_status_fail(NOE_INVALID, "a system made in C has no names to vary: a fit needs "
                                            "a model text"),
               false;
    if (!noe_differentiable_model(m, &s->plain->dyn)) return false;
    for (const char *c = s->job->vary; *c; c++) most += *c == ',';
    s->varied = noe_arena_take(s->arena, (size_t)most * sizeof *s->varied);
    if (!s->varied) return false;
    for (const char *c = s->job->vary; *c;) {
        const size_t length = extent(c);
        if (!item(s, &s->varied[s->varieds], c, length)) return false;
        s->varieds++;
        c += length + (c[length] == ',');
    }
    if (!s->varieds)
        return noe_status_fail(NOE_INVALID, "--vary: name a parameter or a start, as "
                                            "\"l in 0.1..2, q(0)\""),
               false;
    return differentiate(s) && unknowns(s);
}
