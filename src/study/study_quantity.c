/* Reads the errors of a study, "LABEL: theta relative l2": quantity, norm and scaling.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/study_drift.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* Applies one word, as "relative" or "l2"; false if it is none of the choices. */
static bool choose(const char *word, noe_quantity *u)
{
    if (!strcmp(word, "relative")) u->scaling = NOE_RELATIVE;
    else if (!strcmp(word, "scaled")) u->scaling = NOE_SCALED;
    else if (!strcmp(word, "absolute")) u->scaling = NOE_ABSOLUTE;
    else if (!strcmp(word, "constant")) u->constant = true;
    else if (!strcmp(word, "sup")) u->l2 = false;
    else if (!strcmp(word, "l2")) u->l2 = true;
    else if (!strcmp(word, "max")) u->euclid = false;
    else if (!strcmp(word, "euclid")) u->euclid = true;
    else return false;
    return true;
}

/* Reads an option that is the default of all errors: norm, component or relative. */
static bool common(noe_study *s, const char *key, const char *no, const char *yes, bool *to)
{
    const noe_study_option *w = noe_study_options_find(s, key);
    if (!w) return true;
    *to = !strcmp(w->value, yes);
    return *to || !strcmp(w->value, no)
        || (noe_study_options_fail(s, w, "expected %s or %s", no, yes), false);
}

static bool item(noe_study *s, const noe_study_option *w, char *text, noe_quantity *u)
{
    const noe_system *system = s->step->system; /* contains the observables of the study */
    char             *colon = strchr(text, ':'), *words = text, *save = NULL;
    if (colon) {
        *colon = 0;
        words = colon + 1;
        for (char *end = colon; end > text && end[-1] == ' ';) *--end = 0;
        u->label = text;
    }
    u->name = strtok_r(words, " \t", &save);
    if (!u->name || (colon && !*text))
        return noe_study_options_fail(s, w, "an empty name in the list"), false;
    if (!colon) u->label = u->name;
    if (strpbrk(u->label, " \t"))
        return noe_study_options_fail(s, w, "'%.60s': a label is one word", u->label), false;
    u->what = !strcmp(u->name, "q") ? NOE_OF_Q : !strcmp(u->name, "p") ? NOE_OF_P : NOE_OF_COLUMN;
    u->count = u->what == NOE_OF_COLUMN ? 1 : s->system->dyn.n;
    u->constant |= s->system->dyn.autonomous ? !strcmp(u->name, "energy")
                                             : !strcmp(u->name, "balance");
    if (u->what == NOE_OF_COLUMN && !noe_column_name_find(system, u->name, &u->column)) {
        char name[300];
        noe_column_name_refuse(system, u->name);
        char cause[300];
        snprintf(cause, sizeof cause, "%.250s", noe_error() ? noe_error() : "");
        noe_error_clear();
        noe_status_fail(NOE_INVALID, "%s: %s; an error is of q, p, energy or a column",
                        noe_study_options_name(s, w, name), cause);
        return false;
    }
    for (char *word; (word = strtok_r(NULL, " \t", &save));)
        if (!choose(word, u))
            return noe_study_options_fail(
                       s, w, "'%.60s': expected relative, scaled, constant, sup, l2, max or euclid",
                       word),
                   false;
    return true;
}

bool noe_study_quantity_make(noe_study *s)
{
    const noe_study_option *w = noe_study_options_find(s, "error");
    const noe_study_option  usual = { "error", "",
                                     s->system->dyn.autonomous ? "q, p, energy" : "q, p, balance",
                                      0 };
    const noe_study_option  kept = s->kind == NOE_DRIFT ? noe_study_drift_error(s) : usual;
    noe_quantity            u = { .constant = s->kind == NOE_DRIFT };
    bool                    relative = false;
    if (!common(s, "norm", "sup", "l2", &u.l2)
        || !common(s, "component", "max", "euclid", &u.euclid)
        || !common(s, "relative", "no", "yes", &relative))
        return false;
    if (relative) u.scaling = NOE_RELATIVE;
    if (!w) w = &kept;
    char **text = (char **)noe_study_options_list(s->arena, w->value, &s->quantities);
    s->quantity = text ? noe_arena_take(s->arena, (size_t)s->quantities * sizeof *s->quantity)
                       : NULL;
    for (int i = 0; s->quantity && i < s->quantities; i++) {
        noe_quantity *x = &s->quantity[i];
        *x = u;
        if (!item(s, w, text[i], x)) return false;
        for (int j = 0; j < i; j++)
            if (!strcmp(s->quantity[j].label, x->label))
                return noe_study_options_fail(
                           s, w,
                           "'%.60s' stands twice: give one another label, as in 'far: %.60s l2'",
                           x->label, x->name),
                       false;
        x->first = s->components;
        s->components += x->count;
    }
    return s->quantity != NULL;
}
