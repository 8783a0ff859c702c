/* name -> t, q, q', p, energy, an observable, a parameter, a statistic.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/name.h"
#include "base/status.h"
#include "lang/source.h"
#include "run/integrator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_MOST = 64 };

static const struct {
    const char *name, *meaning;
    noe_at      at;
    double      standard; /* NAN: it cannot be set */
} options[] = {
    { "step", "length of a step, in units of t; setting it starts anew from the present state", NOE_AT_STEP, 0.01 },
    { "steps", "statistic: steps since the start", NOE_AT_COUNT, NAN },
    { "iterations", "statistic: evaluations of the step's equations since the start", NOE_AT_ITERATIONS, NAN },
    { "refreshes", "statistic: Newton matrices since the start", NOE_AT_REFRESHES, NAN },
    { "subdivided", "statistic: steps solved by following the motion from a shorter step", NOE_AT_SUBDIVIDED, NAN },
    { "residual", "statistic: largest |p + R_0|, |R_k| left, relative to the momenta", NOE_AT_RESIDUAL, NAN },
};
enum { OPTIONS = sizeof options / sizeof options[0] };

const char *noe_option_name(int i, const char **meaning, double *standard)
{
    if (i < 0 || i >= OPTIONS) return NULL;
    if (meaning) *meaning = options[i].meaning;
    if (standard) *standard = options[i].standard;
    return options[i].name;
}

static int coordinate(const noe_system *s, const char *name, size_t length)
{
    if (s->model) {
        const noe_symbol *x = noe_model_find(s->model, name, length);
        return x && x->what == NOE_IS_COORDINATE ? x->index : -1;
    }
    for (int i = 0; i < s->dyn.n; i++)
        if (!strncmp(s->name[i], name, length) && !s->name[i][length]) return i;
    return -1;
}

bool noe_column_find(const noe_system *s, const char *name, noe_column *c)
{
    const size_t length = strlen(name);
    *c = (noe_column){ NOE_COL_AT, NOE_AT_T, 0 };
    if (!strcmp(name, "t")) return true;
    c->at = NOE_AT_ENERGY;
    if (!strcmp(name, "energy")) return true;
    const struct {
        noe_at      at;
        const char *before, *after;
    } spelling[] = { { NOE_AT_Q, "", "" }, { NOE_AT_V, "", "'" }, { NOE_AT_V, "", ".v" }, { NOE_AT_P, "p(", ")" },
                     { NOE_AT_P, "", ".p" } };
    for (size_t i = 0; i < sizeof spelling / sizeof *spelling; i++) {
        const size_t b = strlen(spelling[i].before), a = strlen(spelling[i].after);
        if (length <= a + b || strncmp(name, spelling[i].before, b) || strcmp(name + length - a, spelling[i].after))
            continue;
        c->at = spelling[i].at;
        c->index = coordinate(s, name + b, length - a - b);
        if (c->index >= 0) return true;
    }
    const noe_symbol *x = s->model ? noe_model_find(s->model, name, length) : NULL;
    if (x && (x->what == NOE_IS_OBSERVABLE || x->what == NOE_IS_PARAMETER)) {
        *c = (noe_column){ x->what == NOE_IS_OBSERVABLE ? NOE_COL_OBSERVABLE : NOE_COL_PARAMETER, NOE_AT_T, x->index };
        return true;
    }
    if (!s->model && sscanf(name, "c.%d", &c->index) == 1 && c->index >= 1 && c->index <= s->dyn.params) {
        c->kind = NOE_COL_PARAMETER;
        c->index--;
        return true;
    }
    for (int i = 0; i < OPTIONS; i++)
        if (!strcmp(options[i].name, name)) {
            *c = (noe_column){ NOE_COL_AT, options[i].at, 0 };
            return true;
        }
    return false;
}

static noe_status unknown(const noe_system *s, const char *name)
{
    noe_nearest near = noe_nearest_to(name, strlen(name));
    noe_nearest_try(&near, "energy");
    for (int i = 0; s->model && i < s->model->symbols; i++)
        if (s->model->symbol[i]->what != NOE_IS_DEFINITION) noe_nearest_try(&near, s->model->symbol[i]->name);
    for (int i = 0; i < OPTIONS; i++) noe_nearest_try(&near, options[i].name);
    const noe_symbol *x = s->model ? noe_model_find(s->model, name, strlen(name)) : NULL;
    if (x) return noe_fail(NOE_INVALID, "'%.60s' is a definition: observe it in the model to use it as a column", name);
    return noe_fail(NOE_INVALID, "unknown column or option '%.60s'%s%s%s", name, near.best ? "; did you mean '" : "",
                    near.best ? near.best : "", near.best ? "'?" : "");
}

/* All observables at once, once a state. */
static void observe(noe_integrator *g)
{
    const noe_core *core = g->core;
    const int       n = g->system->dyn.n;
    quad           *input = g->x;
    if (g->fresh_seen) return;
    noe_integrator_get(g, NOE_AT_T, input);
    core->get(g->work, NOE_AT_ENERGY, 0, input + noe_tape_input(NOE_H, 0, n));
    core->get(g->work, NOE_AT_Q, 0, input + noe_tape_input(NOE_Q, 0, n));
    core->get(g->work, NOE_AT_V, 0, input + noe_tape_input(NOE_V, 0, n));
    core->get(g->work, NOE_AT_P, 0, input + noe_tape_input(NOE_P, 0, n));
    noe_tape_run(g->system->observe, input, g->slot, g->seen);
    g->fresh_seen = true;
}

quad noe_column_value(noe_integrator *g, const noe_column *c)
{
    if (c->kind == NOE_COL_PARAMETER) return g->system->model ? g->system->model->param[c->index] : g->param[c->index];
    if (c->kind == NOE_COL_OBSERVABLE) {
        observe(g);
        return g->seen[c->index];
    }
    noe_integrator_get(g, c->at, g->x);
    return g->x[c->index];
}

double noe_get(const noe_integrator *g, const char *name)
{
    noe_column c;
    if (!g || !name) return NAN;
    if (noe_column_find(g->system, name, &c)) return (double)noe_column_value((noe_integrator *)g, &c);
    unknown(g->system, name);
    return NAN;
}

noe_status noe_set(noe_integrator *g, const char *name, double value)
{
    noe_column c;
    if (!g || !name) return NOE_INVALID;
    if (!noe_column_find(g->system, name, &c)) return unknown(g->system, name);
    if (!isfinite(value)) return noe_fail(NOE_INVALID, "%s = %g: expected a finite number", name, value);
    const quad x = value;
    if (c.kind == NOE_COL_PARAMETER && !g->system->model) {
        g->param[c.index] = x;
        g->core->set(g->work, NOE_AT_PARAM, 0, g->param);
        g->ready = g->ready && g->state == NOE_OK;
        return NOE_OK;
    }
    if (c.kind != NOE_COL_AT || c.at != NOE_AT_STEP)
        return noe_fail(NOE_INVALID, "'%.60s' cannot be set in an integrator%s", name,
                        c.kind == NOE_COL_PARAMETER ? ": make a new system with noe_system_with" : "");
    if (value == 0) return noe_fail(NOE_INVALID, "the step is 0: expected another number");
    const double  t = noe_time(g);
    const double *q = noe_q(g), *p = noe_p(g);
    if (noe_integrator_ready(g)) return g->state;
    g->core->set(g->work, NOE_AT_STEP, 0, &x);
    return noe_start_momentum(g, t, q, p);
}

/* The usual columns as a list. */
static char *usual(const noe_system *s)
{
    const int n = s->dyn.n, observables = s->model ? s->model->observables : 0;
    size_t    room = 16;
    for (int i = 0; i < n; i++) room += 2 * strlen(noe_system_name(s, i)) + 5;
    for (int i = 0; i < observables; i++) room += strlen(s->model->observable[i]->name) + 1;
    char *list = noe_alloc(room, 1), *at = list;
    if (!list) return NULL;
    at += sprintf(at, "t");
    for (int i = 0; i < n && n <= USUAL_MOST; i++) at += sprintf(at, ",%s", noe_system_name(s, i));
    for (int i = 0; i < n && n <= USUAL_MOST; i++) at += sprintf(at, ",p(%s)", noe_system_name(s, i));
    at += sprintf(at, ",energy");
    for (int i = 0; i < observables; i++) at += sprintf(at, ",%s", s->model->observable[i]->name);
    return list;
}

noe_columns *noe_columns_parse(const noe_system *s, const char *list)
{
    char  *own = list ? NULL : usual(s);
    size_t count = 1;
    if (!list && !(list = own)) return NULL;
    for (const char *c = list; *c; c++) count += *c == ',';
    noe_columns *x = noe_alloc(1, sizeof *x + count * (sizeof *x->column + sizeof *x->name) + strlen(list) + 1);
    if (x) {
        x->column = (noe_column *)(x + 1);
        x->name = (const char **)(x->column + count);
        char *text = (char *)(x->name + count);
        for (const char *c = list; x; text += strlen(text) + 1) {
            const char *end = c + strcspn(c, ",");
            while (*c == ' ') c++;
            size_t length = (size_t)(end - c);
            while (length && c[length - 1] == ' ') length--;
            memcpy(text, c, length);
            x->name[x->count] = text;
            if (!length || !noe_column_find(s, text, &x->column[x->count++])) {
                if (length) unknown(s, text);
                else noe_fail(NOE_INVALID, "an empty name in the list of columns '%.60s'", list);
                free(x);
                x = NULL;
                break;
            }
            if (!*end) break;
            c = end + 1;
        }
    }
    free(own);
    return x;
}
