/* Finds the column of a name: t, q, q', p, energy, an observable, a parameter, a statistic.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/spelling.h"
#include "base/status.h"
#include "token/source.h"
#include "gradient/gradient.h"
#include "integrate/integrator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of the terms of the energy balance. */
static const struct {
    const char      *name; /* of the column */
    noe_column_kind  kind;
    noe_engine_value at;
} balance_terms[] = {
#define ENERGY_COLUMN(name, value) { #name, NOE_COL_AT, NOE_AT_##value },
#include "base/energy_columns.def"
#undef ENERGY_COLUMN
    { "simpson_energy", NOE_COL_SIMPSON, NOE_AT_ENERGY }
};
enum { BALANCE_TERMS = sizeof balance_terms / sizeof *balance_terms };

/* The symbol of a name; "x.3" is x[3]. */
static const noe_symbol *symbol(const noe_model *m, const char *name, size_t length)
{
    char plain[NOE_SPELLING_MOST + 3];
    if (length > NOE_SPELLING_MOST) return noe_model_find(m, name, length);
    noe_spelling_of_member(name, length, plain);
    return noe_model_find(m, plain, strlen(plain));
}

static int coordinate(const noe_system *s, const char *name, size_t length)
{
    if (s->dyn.groups) return noe_site_names_place(s->dyn.groups, s->model, name, length);
    if (s->model) {
        const noe_symbol *x = symbol(s->model, name, length);
        return x && x->what == NOE_IS_COORDINATE && !x->family ? x->index : -1;
    }
    for (int i = 0; i < s->dyn.n; i++)
        if (!strncmp(s->name[i], name, length) && !s->name[i][length]) return i;
    return -1;
}

/* Number of a parameter of functions in C, "c.1", "c.2" .., from 0; -1: none. */
static int parameter(const noe_system *s, const char *name)
{
    if (strncmp(name, "c.", 2) || name[2] < '1' || name[2] > '9') return -1;
    char      *end;
    const long i = strtol(name + 2, &end, 10);
    return *end || i > s->dyn.params ? -1 : (int)i - 1;
}

/* NAME.exact, where NAME is a quantity of the motion. */
static bool exact(const noe_system *s, const char *name, size_t length, noe_column *c)
{
    char *own = s->model ? strndup(name, length) : NULL;
    bool  found = own && noe_column_name_find(s, own, c) && !c->exact;
    free(own);
    c->exact = true;
    if (found && c->kind == NOE_COL_OBSERVABLE) return c->index < s->usual;
    return found && c->kind == NOE_COL_AT
        && (c->at == NOE_AT_Q || c->at == NOE_AT_V || c->at == NOE_AT_P || c->at == NOE_AT_ENERGY);
}

/* d(NAME)/d(c), where NAME is a quantity of the motion. */
static bool derivative(const noe_system *s, const char *name, noe_column *c)
{
    size_t      what, length;
    const char *by;
    if (!s->model || !noe_varied_split(name, &what, &by, &length)) return false;
    char      *own = strndup(name + 2, what);
    const bool found = own && noe_column_name_find(s, own, c) && !c->exact && !c->by;
    free(own);
    c->by = found ? 1 + noe_varied_column(&s->dyn, s->model, by, length) : 0;
    if (!c->by) return false;
    if (c->kind == NOE_COL_OBSERVABLE) return true;
    return c->kind == NOE_COL_AT
        && (c->at == NOE_AT_Q || c->at == NOE_AT_V || c->at == NOE_AT_P || c->at == NOE_AT_ENERGY);
}

/* NAME.force or NAME.error of a constraint. */
static bool constraint(const noe_system *s, const char *name, noe_column *c)
{
    static const struct {
        const char     *after; /* what the name of a constraint is followed by */
        noe_column_kind kind;
    } column[] = { { ".force", NOE_COL_REACTION }, { ".error", NOE_COL_CONSTRAINT } };
    const size_t length = strlen(name);
    char         plain[NOE_SPELLING_MOST + 3];
    for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
        const size_t after = strlen(column[i].after);
        if (length <= after || length - after > NOE_SPELLING_MOST
            || strcmp(name + length - after, column[i].after))
            continue;
        if (s->model) noe_spelling_of_member(name, length - after, plain);
        else snprintf(plain, sizeof plain, "%.*s", (int)(length - after), name);
        for (int a = 0; a < s->dyn.constraints; a++)
            if (!strcmp(noe_system_constraint(s, a), plain)) {
                *c = (noe_column){ .kind = column[i].kind, .index = a };
                return true;
            }
    }
    return false;
}

const char *const noe_column_name_stem[NOE_MOMENTUM_STEMS] = { "translation_", "boost_",
                                                               "rotation_", "generator_" };

/* Does the name begin as those of the momenta that a search of symmetries finds? */
static bool names_momentum(const char *name)
{
    for (int i = 0; i < NOE_MOMENTUM_STEMS; i++)
        if (!strncmp(name, noe_column_name_stem[i], strlen(noe_column_name_stem[i]))) return true;
    return false;
}

void noe_column_name_of_momentum(const char *name, char to[NOE_MOMENTUM_NAME])
{
    snprintf(to, NOE_MOMENTUM_NAME, "%s", name);
    for (char *at = to; *at; at++)
        if (*at == '.') *at = '_';
}

bool noe_column_name_find(const noe_system *s, const char *name, noe_column *c)
{
    static const char of[] = ".exact";
    const size_t      length = strlen(name), suffix = sizeof of - 1;
    if (length > suffix && !strcmp(name + length - suffix, of))
        return exact(s, name, length - suffix, c);
    if (!strncmp(name, "d(", 2) && strstr(name, ")/d(")) return derivative(s, name, c);
    *c = (noe_column){ NOE_COL_AT, NOE_AT_T, 0, false, 0 };
    if (!strcmp(name, "t")) return true;
    for (int i = 0; i < BALANCE_TERMS; i++)
        if (!strcmp(name, balance_terms[i].name))
            return *c = (noe_column){ balance_terms[i].kind, balance_terms[i].at, 0, false, 0 },
                   true;
    const struct {
        noe_engine_value at;
        const char      *before, *after; /* what stands around the name of a coordinate */
    } spelling[] = { { NOE_AT_Q, "", "" },
                     { NOE_AT_V, "", "'" },
                     { NOE_AT_V, "", ".v" },
                     { NOE_AT_P, "p(", ")" },
                     { NOE_AT_P, "", ".p" } };
    for (size_t i = 0; i < sizeof spelling / sizeof *spelling; i++) {
        const size_t b = strlen(spelling[i].before), a = strlen(spelling[i].after);
        if (length <= a + b || strncmp(name, spelling[i].before, b)
            || strcmp(name + length - a, spelling[i].after))
            continue;
        c->at = spelling[i].at;
        c->index = coordinate(s, name + b, length - a - b);
        if (c->index >= 0) return true;
    }
    const noe_symbol *x = s->model ? symbol(s->model, name, length) : NULL;
    if (!x && s->model && names_momentum(name) && strchr(name, '.')) { /* rotation_r.x_r.y */
        char plain[NOE_MOMENTUM_NAME];
        noe_column_name_of_momentum(name, plain);
        x = symbol(s->model, plain, strlen(plain));
    }
    if (x && !x->family
        && (x->what == NOE_IS_OBSERVABLE || x->what == NOE_IS_SYMMETRY
            || x->what == NOE_IS_PARAMETER)) {
        *c = (noe_column){ x->what == NOE_IS_PARAMETER ? NOE_COL_PARAMETER : NOE_COL_OBSERVABLE,
                           NOE_AT_T, x->index, false, 0 };
        return true;
    }
    if (s->events && !strcmp(name, "event")) {
        c->kind = NOE_COL_EVENT;
        return true;
    }
    if (constraint(s, name, c)) return true;
    c->index = s->model ? -1 : parameter(s, name);
    if (c->index >= 0) {
        c->kind = NOE_COL_PARAMETER;
        return true;
    }
    return noe_integrator_option_find(name, c);
}

/* The answer to an unknown name of a momentum: the momenta that were found, if any. */
static noe_status refuse_momentum(const noe_system *s, const char *name)
{
    char found[400] = "";
    for (int i = 0; i < s->model->symbols; i++) {
        const noe_symbol *x = s->model->symbol[i];
        if (x->what == NOE_IS_OBSERVABLE && names_momentum(x->name))
            noe_status_append(found, sizeof found, "%s'%.60s'", *found ? ", " : "", x->name);
    }
    return noe_status_fail(NOE_INVALID, "unknown column '%.60s': %s%s", name,
                           *found ? "the symmetries that were found have the momenta "
                                  : "no symmetry with a momentum was found",
                           found);
}

/* The answer to a derivative that is not known. */
static noe_status refuse_derivative(const noe_system *s, const char *name)
{
    size_t      what, length;
    const char *by;
    noe_by      known;
    if (!s->model || !noe_varied_split(name, &what, &by, &length))
        return noe_status_fail(
            NOE_INVALID,
            "unknown column '%.80s': a derivative is d(NAME)/d(BY), BY a parameter or "
            "a start of the model",
            name);
    if (!noe_varied_find(s->model, by, length, &known)) return NOE_INVALID;
    if (noe_varied_column(&s->dyn, s->model, by, length) < 0)
        return noe_status_fail(NOE_INVALID,
                               "'%.80s': the system has no derivatives by '%.*s'; "
                               "noe_system_differentiated makes one that has",
                               name, (int)length, by);
    char      *own = strndup(name + 2, what);
    noe_column c;
    const bool found = own && noe_column_name_find(s, own, &c);
    if (own && !found) noe_column_name_refuse(s, own);
    free(own);
    return noe_status_fail(NOE_INVALID,
                           "'%.80s': coordinates, velocities, momenta, energy and observables have "
                           "derivatives",
                           name);
}

noe_status noe_column_name_refuse(const noe_system *s, const char *name)
{
    if (!strncmp(name, "d(", 2) && strstr(name, ")/d(")) return refuse_derivative(s, name);
    noe_nearest_word near = noe_nearest_word_to(name, strlen(name));
    for (int i = 0; i < BALANCE_TERMS; i++) noe_nearest_word_try(&near, balance_terms[i].name);
    for (int i = 0; s->model && i < s->model->symbols; i++)
        if (s->model->symbol[i]->what != NOE_IS_DEFINITION)
            noe_nearest_word_try(&near, s->model->symbol[i]->name);
    for (int i = 0; noe_option_name(i, NULL, NULL); i++)
        noe_nearest_word_try(&near, noe_option_name(i, NULL, NULL));
    const noe_symbol *x = s->model ? symbol(s->model, name, strlen(name)) : NULL;
    if (x && x->was_coordinate)
        return noe_status_fail(
            NOE_INVALID,
            "'%.60s' is fixed or follows the others: 'observe a = %.60s' in the model makes a "
            "column of it",
            name, x->name);
    if (x && x->what == NOE_IS_VECTOR)
        return noe_status_fail(
            NOE_INVALID, "'%.60s' is a vector: its numbers are '%.60s.x', '%.60s.y' and '%.60s.z'",
            name, name, name, name);
    if (x)
        return noe_status_fail(
            NOE_INVALID, "'%.60s' is a definition: observe it in the model to use it as a column",
            name);
    if (s->model && names_momentum(name)) return refuse_momentum(s, name);
    return noe_status_fail(NOE_INVALID, "unknown column or option '%.60s'%s%s%s", name,
                           near.best ? "; did you mean '" : "", near.best ? near.best : "",
                           near.best ? "'?" : "");
}
