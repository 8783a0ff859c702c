/* The options (key, value) of a study, from the command line or from a file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study.h"

#include "base/status.h"
#include "token/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { C = 1 << NOE_CONVERGENCE, D = 1 << NOE_DRIFT, W = 1 << NOE_WORK, ALL = C | D | W };

/* Keys of a study file: study, title and others may stand in a file only; a key with a subject may
 * stand more than once. */
static const struct {
    const char *name;  /* the key */
    int         kinds; /* studies that have it, a bit each */
    bool        file, subject;
} keys[] = {
    { "study", ALL, true, false },        { "title", ALL, true, false },
    { "source", ALL, true, false },       { "model", ALL, true, false },
    { "let", ALL, true, true },           { "parameter", ALL, true, true },
    { "observe", ALL, true, true },       { "published", C, true, true },
    { "recomputed", C, true, true },      { "order", C, true, true },
    { "bound", C, true, true },           { "erratum", C, true, true },
    { "methods", ALL, false, false },     { "step", ALL, false, false },
    { "steps", ALL, false, false },       { "halvings", ALL, false, false },
    { "until", ALL, false, false },       { "period", C, false, false },
    { "error", ALL, false, false },       { "norm", C | W, false, false },
    { "component", C | W, false, false }, { "relative", ALL, false, false },
    { "reference", C | W, false, false }, { "digits", ALL, false, false },
    { "orders", C, false, false },        { "windows", D, false, false },
    { "repeats", W, false, false },
};
enum { KEYS = sizeof keys / sizeof *keys };

char *noe_study_options_name(const noe_study *s, const noe_study_option *w, char name[300])
{
    if (w->line) snprintf(name, 300, "%.200s:%d: %.40s", s->job->file, w->line, w->key);
    else snprintf(name, 300, "--%.40s", w->key);
    return name;
}

noe_status noe_study_options_fail(const noe_study *s, const noe_study_option *w, const char *format,
                                  ...)
{
    char    name[300], text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return noe_status_fail(NOE_INVALID, "%s%s%.80s %.120s: %s", noe_study_options_name(s, w, name),
                           *w->subject ? " " : "", w->subject, w->value, text);
}

const noe_study_option *noe_study_options_find(const noe_study *s, const char *key)
{
    for (int i = 0; i < s->options; i++)
        if (!strcmp(s->option[i].key, key)) return &s->option[i];
    return NULL;
}

const char **noe_study_options_list(noe_arena *a, const char *text, int *count)
{
    int depth = 0, most = 1;
    *count = 0;
    for (const char *c = text; *c; c++) most += *c == ',';
    const char **item = noe_arena_take(a, (size_t)most * sizeof *item);
    for (const char *c = text, *end; item; c = end + 1) {
        for (end = c; *end && (*end != ',' || depth); end++)
            depth += (*end == '(') - (*end == ')' && depth);
        const char *last = end;
        while (*c == ' ' || *c == '\t') c++;
        while (last > c && (last[-1] == ' ' || last[-1] == '\t')) last--;
        if (!(item[(*count)++] = noe_arena_copy(a, c, (size_t)(last - c)))) return NULL;
        if (!*end) break;
    }
    return item;
}

static noe_status unknown(const noe_study *s, const noe_study_option *w)
{
    noe_nearest_word near = noe_nearest_word_to(w->key, strlen(w->key));
    char             place[256] = "";
    for (int i = 0; i < KEYS; i++) noe_nearest_word_try(&near, keys[i].name);
    if (w->line) snprintf(place, sizeof place, "%.200s:%d: ", s->job->file, w->line);
    return noe_status_fail(NOE_INVALID, "%sunknown key '%.60s'%s%s%s", place, w->key,
                           near.best ? "; did you mean '" : "", near.best ? near.best : "",
                           near.best ? "'?" : "; doc/studies.md lists them");
}

static bool fits(const noe_study *s, int i)
{
    static const char *const of[] = { "convergence", "drift", "work" };
    const noe_study_option  *w = &s->option[i];
    int                      k = 0;
    char                     name[300];
    while (k < KEYS && strcmp(keys[k].name, w->key)) k++;
    if (k == KEYS) return unknown(s, w), false;
    if (!(keys[k].kinds & 1 << s->kind))
        return noe_status_fail(NOE_INVALID, "%s: not for a study of %s",
                               noe_study_options_name(s, w, name), of[s->kind]),
               false;
    if (keys[k].subject != (*w->subject != 0))
        return noe_status_fail(NOE_INVALID, "%s: expected '%s%s = ..'",
                               noe_study_options_name(s, w, name), w->key,
                               keys[k].subject ? " NAME" : ""),
               false;
    for (int j = 0; j < i && !keys[k].subject; j++)
        if (!strcmp(s->option[j].key, w->key))
            return noe_status_fail(NOE_INVALID, "%s: given twice",
                                   noe_study_options_name(s, w, name)),
                   false;
    return true;
}

bool noe_study_options_check(const noe_study *s)
{
    for (int i = 0; i < s->options; i++)
        if (!fits(s, i)) return false;
    return true;
}

/* The value of an option: of the study, or else the model's suggestion; false, with a message,
 * if neither has it. */
bool noe_study_options_value(const noe_study *s, const char *key, const char *suggested,
                             noe_study_option *w)
{
    const noe_study_option *x = noe_study_options_find(s, key);
    const char             *text = x ? NULL : noe_system_suggest(s->system, suggested);
    *w = x ? *x : (noe_study_option){ key, "", text, 0 };
    if (x || text) return true;
    noe_status_fail(NOE_INVALID, "no %s: give %s%s, or write 'suggest %s = ...' in %s", suggested,
                    s->job->file ? "" : "--", key, suggested, s->system->source);
    return false;
}
