/* Makes a system of a model text; a system with a value changed is a new system.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "system/system.h"

#include "base/whole_file.h"
#include "base/spelling.h"
#include "base/status.h"
#include "gradient/adjoint_tapes.h"
#include "matrix/structure.h"
#include "system/event_tapes.h"
#include "system/automatic_monitor.h"
#include "system/model_structure.h"
#include "system/monitored_dynamics.h"
#include "system/symmetry_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 24 };

/* "q1.v = 2" -> "q1' = 2", "q1.p" -> "p(q1)", "x.3" -> "x[3]": the spellings that need no quotes in
 * a shell. */
static char *plain(noe_arena *a, const char *text)
{
    const char  *equal = strchr(text, '='), *end = equal ? equal : text + strlen(text);
    const size_t length = strlen(text) + 8;
    char        *out = noe_arena_take(a, length);
    while (end > text && end[-1] == ' ') end--;
    const int  name = (int)(end - text) - 2;
    const bool v = name > 0 && end[-2] == '.' && end[-1] == 'v',
               p = name > 0 && end[-2] == '.' && end[-1] == 'p';
    char *member = noe_status_alloc(length, 1);
    if (out && member) {
        noe_spelling_of_member(text, v || p ? (size_t)name : (size_t)(end - text), member);
        snprintf(out, length, p ? "p(%s)%s" : v ? "%s'%s" : "%s%s", member, end);
    }
    free(member);
    return member ? out : NULL;
}

/* Reads the model and makes what is stepped: sums, matrices, or tapes of all of L. */
bool noe_system_fill(noe_system *s, noe_model_kind kind, const char *text, size_t length)
{
    const char *why = NULL;
    s->whole = kind == NOE_MODEL_WRITTEN;
    s->model = noe_parse_model_text_as(kind, s->source, text, length, s->change, s->changes);
    if (!s->model) return false;
    s->model->readers = s->readers;
    if (!s->model->grouped)
        return noe_symmetry_check_declared(s->model)
            && noe_dynamics_make(s->model, s->arena, &s->dyn, &s->observe, &s->places)
            && (!s->model->monitor.automatic
                || noe_automatic_monitor_choose(s->model, s->arena, &s->dyn))
            && (!noe_system_monitored(s)
                || noe_monitored_dynamics_make(s->model, s->arena, &s->dyn, &s->stepped))
            && (!s->model->events || (s->events = noe_event_tapes_make(s->model)));
    if ((s->dyn.groups = noe_sums_setup_make(s->model, &why))) {
        s->dyn.n = s->dyn.groups->n;
        s->dyn.autonomous = true;
        return true;
    }
    if (!why) return false;
    if (s->model->n > NOE_COORDINATES_MOST) {
        noe_status_fail(
            NOE_INVALID,
            "%s: %d coordinates, and %s: this works up to %d coordinates; above, masses are "
            "constant and forces depend on positions alone",
            s->source, s->model->n, why, NOE_COORDINATES_MOST);
        return false;
    }
    noe_model_free(s->model);
    return noe_system_fill(s, NOE_MODEL_WRITTEN, text, length);
}

/* The tapes of derivatives by a list, or of the gradient by all. */
static const char by_all[] = "*";
static bool       derivatives(noe_system *s, const char *by)
{
    if (s->dyn.structure && !noe_written_structure_make(s->model, s->arena, &s->dyn, &s->observe))
        return false;
    const bool made = strcmp(by, by_all) ? noe_mixed_tapes_make(s->model, s->arena, &s->dyn, by)
                                         : noe_adjoint_tapes_make(s->model, s->arena, &s->dyn);
    return made
        && (!noe_system_monitored(s)
            || noe_monitored_dynamics_differentiate(s->model, s->arena, &s->dyn, &s->stepped));
}

/* What a system is made of. */
typedef struct {
    const char          *source, *text; /* name for messages; the model */
    size_t               length;        /* bytes of the text */
    const char *const   *old;           /* [count] assignments made before */
    int                  count;
    const char          *by; /* as in noe_system */
    const noe_processes *readers;
} origin;

static origin origin_of(const noe_system *s)
{
    return (origin){ s->source, s->model->text, strlen(s->model->text), s->change, s->changes,
                     s->by,     s->readers };
}

static noe_system *make(const origin *x, const char *const *more, int mores)
{
    const int   count = x->count;
    const char *by = x->by;
    noe_arena  *arena = noe_arena_new();
    noe_system *s = noe_arena_take(arena, sizeof *s);
    if (s) {
        s->arena = arena;
        s->changes = count + mores;
        s->readers = x->readers;
        s->source = noe_arena_copy(arena, x->source, strlen(x->source));
        s->change = noe_arena_take(arena, (size_t)(s->changes + 1) * sizeof *s->change);
        s->by = by ? noe_arena_copy(arena, by, strlen(by)) : NULL;
    }
    bool ok = s && s->source && s->change && (s->by || !by);
    for (int i = 0; ok && i < s->changes; i++)
        ok = (s->change[i] = plain(arena, i < count ? x->old[i] : more[i - count])) != NULL;
    if (ok && noe_system_fill(s, NOE_MODEL_AS_FITS, x->text, x->length)
        && (!by || derivatives(s, by))) {
        s->usual = s->model->observables;
        return s;
    }
    if (s) noe_system_free(s);
    else noe_arena_free(arena);
    return NULL;
}

noe_system *noe_system_written(const noe_system *s, const char *what)
{
    if (s->dyn.groups && s->dyn.groups->places > NOE_COORDINATES_MOST) {
        noe_status_fail(
            NOE_INVALID,
            "%s: %s needs all of L written out, which is done up to %d coordinates, here are %d: "
            "make the system smaller",
            s->source, what, NOE_COORDINATES_MOST, s->dyn.n);
        return NULL;
    }
    noe_arena  *arena = noe_arena_new();
    noe_system *to = noe_arena_take(arena, sizeof *to);
    if (!to) {
        noe_arena_free(arena);
        return NULL;
    }
    to->arena = arena;
    to->changes = s->changes;
    to->source = noe_arena_copy(arena, s->source, strlen(s->source));
    to->change = noe_arena_take(arena, (size_t)(s->changes + 1) * sizeof *to->change);
    bool ok = to->source && to->change;
    for (int i = 0; ok && i < s->changes; i++)
        ok = (to->change[i] = noe_arena_copy(arena, s->change[i], strlen(s->change[i]))) != NULL;
    if (ok && noe_system_fill(to, NOE_MODEL_WRITTEN, s->model->text, s->model->length)) {
        to->usual = s->usual;
        return to;
    }
    noe_system_free(to);
    return NULL;
}

static bool are_assignments(const char *const *assignment, int count)
{
    for (int i = 0; i < count; i++)
        if (!strchr(assignment[i], '=') || strchr(assignment[i], '\n'))
            return noe_status_fail(NOE_INVALID,
                                   "'%.60s': expected an assignment NAME=VALUE in one line",
                                   assignment[i]),
                   false;
    return true;
}

noe_system *noe_system_parse(const char *text) { return noe_system_parse_lets(text, NULL, 0); }

noe_system *noe_system_parse_lets(const char *text, const char *const *assignment, int count)
{
    if (!text || !are_assignments(assignment, count)) return NULL;
    return make(&(origin){ "model", text, strlen(text), NULL, 0, NULL, NULL }, assignment, count);
}

noe_system *noe_system_load(const char *path) { return noe_system_load_lets(path, NULL, NULL, 0); }

noe_system *noe_system_load_lets(const char *path, const noe_processes *readers,
                                 const char *const *assignment, int count)
{
    if (!path || !are_assignments(assignment, count)) return NULL;
    size_t      length;
    char       *text = noe_whole_file_read(path, FILE_MOST, &length);
    noe_system *s = NULL;
    if (!text) noe_whole_file_fail("", path, "the model");
    else if (length > FILE_MOST)
        noe_status_fail(NOE_SYNTAX, "%s: larger than %d MB: not a model", path, FILE_MOST >> 20);
    else s = make(&(origin){ path, text, length, NULL, 0, NULL, readers }, assignment, count);
    free(text);
    return s;
}

char *noe_system_changes(const noe_system *s)
{
    size_t capacity = 1;
    for (int i = 0; i < s->changes; i++) capacity += strlen(s->change[i]) + 1;
    char *list = noe_status_alloc(capacity, 1);
    for (int i = 0; list && i < s->changes; i++) strcat(strcat(list, i ? "\n" : ""), s->change[i]);
    return list;
}

/* All assignments are applied before the model is checked: one may correct what another breaks. */
noe_system *noe_system_lets(const noe_system *s, const char *const *assignment, int count)
{
    if (!s->model) {
        noe_status_fail(NOE_INVALID,
                        "a system made in C has no names to assign: use noe_set and noe_start");
        return NULL;
    }
    if (!are_assignments(assignment, count)) return NULL;
    const origin x = origin_of(s);
    return make(&x, assignment, count);
}

noe_system *noe_system_let(const noe_system *s, const char *assignment)
{
    return s && assignment ? noe_system_lets(s, &assignment, 1) : NULL;
}

/* The same system with derivatives by a list or by all. */
static noe_system *made_again(const noe_system *s, const char *by)
{
    if (s->model) {
        origin x = origin_of(s);
        x.by = by;
        return make(&x, NULL, 0);
    }
    noe_status_fail(NOE_INVALID,
                    "a system made in C has no derivatives by parameters: they need a model text");
    return NULL;
}

noe_system *noe_system_differentiated(const noe_system *s, const char *by)
{
    if (!s || !by) return NULL;
    if (strcmp(by, by_all)) return made_again(s, by);
    noe_status_fail(NOE_INVALID, "'*' is neither a parameter nor the start of a coordinate");
    return NULL;
}

noe_system *noe_system_adjoint(const noe_system *s) { return s ? made_again(s, by_all) : NULL; }

noe_system *noe_system_extended(const noe_system *s, const char *lines)
{
    if (!s || !s->model || !lines) return NULL;
    const size_t own = s->model->length, size = own + strlen(lines) + 2;
    char        *text = noe_status_alloc(size, 1);
    if (!text) return NULL;
    memcpy(text, s->model->text, own);
    text[own] = '\n';
    memcpy(text + own + 1, lines, strlen(lines));
    origin x = origin_of(s);
    x.text = text, x.length = size - 1;
    noe_system *more = make(&x, NULL, 0);
    free(text);
    if (more) more->usual = s->usual;
    return more;
}

noe_system *noe_system_observing(const noe_system *s, const char *lines)
{
    noe_system *more = noe_system_extended(s, lines);
    if (!more) return NULL;
    ((char *)more->model->text)[s->model->length] =
        0; /* the text of the model does not show the added lines */
    more->model->length = s->model->length;
    return more;
}

noe_system *noe_system_with(const noe_system *s, const char *name, double value)
{
    if (!s || !name) return NULL;
    if (!isfinite(value)) {
        noe_status_fail(NOE_INVALID, "%.60s = %g: expected a finite number", name, value);
        return NULL;
    }
    const size_t capacity = strlen(name) + 64;
    char        *text = noe_status_alloc(capacity, 1);
    if (!text) return NULL;
    snprintf(text, capacity, "%s = %.36e", name,
             value); /* 37 digits: read back as the same number */
    noe_system *with = noe_system_let(s, text);
    free(text);
    return with;
}

int noe_system_dim(const noe_system *s) { return s ? s->dyn.n : 0; }

const char *noe_system_name(const noe_system *s, int i)
{
    if (!s || i < 0 || i >= s->dyn.n) return NULL;
    if (s->dyn.groups) return noe_site_names_name(s->dyn.groups, s->model, i);
    return s->model ? s->model->coordinate[i]->name : s->name[i];
}

double noe_system_get(const noe_system *s, const char *name)
{
    if (!s || !name) return NAN;
    const noe_symbol *x = s->model ? noe_model_find(s->model, name, strlen(name)) : NULL;
    if (x && x->what == NOE_IS_PARAMETER) return (double)s->model->param[x->index];
    noe_status_fail(NOE_INVALID, "unknown parameter '%.60s'", name);
    return NAN;
}

const char *noe_system_suggest(const noe_system *s, const char *what)
{
    if (!s || !what || !s->model) return NULL;
    if (!strcmp(what, "method")) return s->model->method;
    if (!strcmp(what, "step")) return s->model->step;
    return strcmp(what, "until") ? NULL : s->model->until;
}

const char *noe_system_warning(const noe_system *s)
{
    return s && s->model ? s->model->warning : NULL;
}

void noe_system_free(noe_system *s)
{
    if (!s) return;
    noe_dynamics_drop(&s->dyn);
    noe_mixed_tapes_drop(&s->dyn);
    noe_adjoint_tapes_drop(&s->dyn);
    noe_monitored_dynamics_drop(&s->stepped);
    noe_structure_free(s->dyn.structure);
    free(s->observe);
    noe_event_tapes_free(s->events);
    noe_model_free(s->model);
    noe_arena_free(s->arena);
}
