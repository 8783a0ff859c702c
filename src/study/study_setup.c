/* Makes the system, columns, methods and all other parts of a study from its options.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_drift.h"

#include "base/status.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Replaces the message about a statement that the study added to the model by one about the
 * option it came from. */
static bool name_option(const noe_study *s, const noe_study_option *w)
{
    char        cause[400], name[300];
    const char *message = noe_error(), *text = message ? message : "out of memory";
    for (int colons = 0; message && *message && colons < 3; message++) colons += *message == ':';
    if (message && *message == ' ') text = message + 1;
    snprintf(cause, sizeof cause, "%.*s", (int)strcspn(text, "\n"), text);
    noe_error_clear();
    noe_status_fail(NOE_INVALID, "%s %.80s = %.120s: %s", noe_study_options_name(s, w, name),
                    w->subject, w->value, cause);
    return false;
}

/* Adds the statement of the option `w` to the system. */
static bool add(const noe_study *s, noe_system **system, const noe_study_option *w)
{
    const size_t capacity = strlen(w->key) + strlen(w->subject) + strlen(w->value) + 8;
    char        *line = noe_status_alloc(capacity, 1);
    if (!line) return false;
    snprintf(line, capacity, "%s %s = %s", w->key, w->subject, w->value);
    noe_system *more = noe_system_extended(*system, line);
    free(line);
    if (!more) return name_option(s, w);
    if (*system != s->system) noe_system_free(*system);
    *system = more;
    return true;
}

/* Loads the model with the assignments of the options `let` and of the command line. */
static bool load(noe_study *s, const char *path)
{
    const char **text = noe_arena_take(s->arena,
                                       (size_t)(s->options + s->job->lets + 1) * sizeof *text);
    int          count = 0;
    for (int i = 0; text && i < s->options; i++) {
        const noe_study_option *w = &s->option[i];
        if (strcmp(w->key, "let")) continue;
        const size_t capacity = strlen(w->subject) + strlen(w->value) + 4;
        char        *line = noe_arena_take(s->arena, capacity);
        if (!line) return false;
        snprintf(line, capacity, "%s = %s", w->subject, w->value);
        text[count++] = line;
    }
    for (int i = 0; text && i < s->job->lets; i++) text[count++] = s->job->let[i];
    return text && (s->system = noe_system_load_lets(path, NULL, text, count));
}

static char *beside(noe_study *s, const char *path)
{
    const char  *slash = s->job->file ? strrchr(s->job->file, '/') : NULL;
    const size_t folder = slash && *path != '/' ? (size_t)(slash - s->job->file) + 1 : 0;
    char        *whole = noe_arena_take(s->arena, folder + strlen(path) + 1);
    if (whole) strcpy(whole + folder, path), memcpy(whole, folder ? s->job->file : "", folder);
    return whole;
}

/* Studies step the smooth motion: an event that changes it is refused, one that ends a run is
 * told. */
static bool has_smooth_motion(const noe_study *s)
{
    const noe_model *m = s->system->model;
    for (int k = 0; k < m->events; k++) {
        if (m->event[k].then)
            return noe_status_fail(NOE_INVALID,
                                   "the event '%.60s' changes the motion, and a study measures a "
                                   "smooth one: take the event out of the model",
                                   m->event[k].name),
                   false;
        if (m->event[k].stop && !s->job->quiet)
            fprintf(stderr, "noether: a study does not end at the event '%.60s'\n",
                    m->event[k].name);
    }
    return true;
}

static bool make_system(noe_study *s)
{
    const noe_study_option *w = noe_study_options_find(s, "model");
    const char             *path = s->job->file ? w ? beside(s, w->value) : NULL : s->job->model;
    if (!path && !w)
        return noe_status_fail(NOE_INVALID, "%s: no model: write 'model = FILE.lag'", s->job->file),
               false;
    if (!path || !load(s, path)) return false;
    if (!s->job->quiet) noe_model_warnings_print(s->system);
    for (int i = 0; i < s->options; i++) {
        noe_system *before = s->system, *now = before;
        if (strcmp(s->option[i].key, "parameter")) continue;
        if (!add(s, &now, &s->option[i])) return false;
        s->system = now;
        noe_system_free(before);
    }
    return has_smooth_motion(s) && (s->kind != NOE_DRIFT || noe_study_drift_columns(s));
}

/* Makes the observables of the study.  They may depend on the step; so every step has a system
 * of its own then. */
static bool make_columns(noe_study *s)
{
    bool any = false;
    for (int i = 0; i < s->options; i++) any |= !strcmp(s->option[i].key, "observe");
    for (int j = 0; j < s->steps; j++) {
        noe_study_step        *x = &s->step[j];
        char                   value[64];
        const noe_study_option step = { "parameter", "step", value, 0 };
        noe_system            *system = s->system;
        x->system = s->system;
        if (!any) continue;
        quadmath_snprintf(value, sizeof value, "%.36Qe", x->h);
        bool ok = noe_model_find(s->system->model, "step", 4) || add(s, &system, &step);
        for (int i = 0; i < s->options && ok; i++)
            if (!strcmp(s->option[i].key, "observe")) ok = add(s, &system, &s->option[i]);
        x->system = system;
        x->own = system != s->system;
        if (!ok) return false;
    }
    return true;
}

static bool make_methods(noe_study *s)
{
    noe_study_option w;
    if (!noe_study_options_value(s, "methods", "method", &w)) return false;
    const char **label = noe_study_options_list(s->arena, w.value, &s->methods);
    s->method = label ? noe_arena_take(s->arena, (size_t)s->methods * sizeof *s->method) : NULL;
    for (int i = 0; s->method && i < s->methods; i++) {
        s->method[i].label = label[i];
        for (int j = 0; j < i; j++)
            if (!strcmp(label[j], label[i]))
                return noe_study_options_fail(s, &w, "'%.60s' stands twice", label[i]), false;
        if (!*label[i]) return noe_study_options_fail(s, &w, "an empty name in the list"), false;
        if (!(s->method[i].method = noe_method_parse(label[i]))) return false;
    }
    return s->method != NULL;
}

static bool make_kind(noe_study *s)
{
    const noe_study_option *w = noe_study_options_find(s, "study");
    const char             *kind = s->job->file ? w ? w->value : NULL : s->job->kind;
    if (!kind)
        return noe_status_fail(NOE_INVALID,
                               "%s: which study?  write 'study = convergence', drift or work",
                               s->job->file),
               false;
    if (!strcmp(kind, "convergence")) s->kind = NOE_CONVERGENCE;
    else if (!strcmp(kind, "drift")) s->kind = NOE_DRIFT;
    else if (!strcmp(kind, "work")) s->kind = NOE_WORK;
    else
        return noe_status_fail(
                   NOE_INVALID,
                   "%s%sno study is called '%.60s': expected convergence, drift or work",
                   s->job->file ? s->job->file : "", s->job->file ? ": " : "", kind),
               false;
    return true;
}

bool noe_study_setup_make(noe_study *s)
{
    const noe_study_option *title, *source;
    if (!(s->arena = noe_arena_new())) return false;
    s->option = s->job->option;
    s->options = s->job->options;
    if (s->job->file) s->option = NULL, s->options = 0;
    if (s->job->file && !noe_study_file_read(s, s->job->file)) return false;
    if (!make_kind(s) || !noe_study_options_check(s)) return false;
    title = noe_study_options_find(s, "title");
    source = noe_study_options_find(s, "source");
    s->title = title ? title->value : NULL;
    if (!make_system(s) || !make_methods(s) || !noe_study_steps_find(s)
        || !noe_study_steps_windows(s) || !make_columns(s) || !noe_study_steps_choices(s)
        || !noe_study_quantity_make(s) || !noe_published_make(s))
        return false;
    s->source = source ? source->value : noe_published_kind(s);
    const size_t cells = (size_t)s->windows * (size_t)s->quantities * (size_t)s->methods
                       * (size_t)s->steps;
    s->cell = noe_arena_take(s->arena, cells * sizeof *s->cell);
    s->run = noe_arena_take(s->arena, (size_t)(s->methods * s->steps) * sizeof *s->run);
    return s->cell && s->run;
}

noe_cell *noe_study_setup_cell(const noe_study *s, int window, int quantity, int method, int step)
{
    return &s->cell[((window * s->quantities + quantity) * s->methods + method) * s->steps + step];
}

void noe_study_setup_drop(noe_study *s)
{
    for (int i = 0; s->method && i < s->methods; i++) noe_method_free(s->method[i].method);
    for (int j = 0; s->step && j < s->steps; j++)
        if (s->step[j].own) noe_system_free(s->step[j].system);
    noe_system_free(s->system);
    noe_arena_free(s->arena);
}
