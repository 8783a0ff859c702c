/* Reads published numbers and errata of a study.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * "published simpson q until 10 = 1.05e-06 6.51e-08": numbers that were printed or computed by
 * another program, and the method, error and end time they belong to. */
#include "study/study.h"

#include "base/status.h"
#include "number/decimal.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int method, quantity, window, at; /* indices; at: -1: the order, -2: not given */
} place;

/* Moves past `word` and the blanks after it; false: the text begins with another word. */
static bool pass(const char **text, const char *word)
{
    const size_t n = strlen(word);
    if (strncmp(*text, word, n) || ((*text)[n] && (*text)[n] != ' ')) return false;
    for (*text += n; **text == ' ';) ++*text;
    return true;
}

static bool locate(const noe_study *s, const noe_study_option *w, place *x)
{
    const char *text = w->subject;
    *x = (place){ -1, -1, s->windows == 1 ? 0 : -1, -2 };
    for (int i = 0; i < s->methods && x->method < 0; i++)
        if (pass(&text, s->method[i].label)) x->method = i;
    if (x->method < 0)
        return noe_study_options_fail(s, w, "expected a method of the study first"), false;
    for (int i = 0; i < s->quantities && x->quantity < 0; i++)
        if (pass(&text, s->quantity[i].label)) x->quantity = i;
    if (x->quantity < 0)
        return noe_study_options_fail(s, w, "expected an error of the study after the method"),
               false;
    if (pass(&text, "until")) {
        x->window = -1;
        for (int i = 0; i < s->windows && x->window < 0; i++)
            if (pass(&text, s->until_text[i])) x->window = i;
    }
    if (x->window < 0)
        return noe_study_options_fail(s, w, "expected 'until T' with a T of the study"), false;
    if (pass(&text, "at")) {
        char *end;
        x->at = pass(&text, "order") ? -1 : (int)strtol(text, &end, 10) - 1;
        if (x->at >= 0) text = end;
        if (x->at < -1 || x->at >= s->steps)
            return noe_study_options_fail(s, w, "expected 'at order' or 'at 1' .. 'at %d'",
                                          s->steps),
                   false;
    }
    return !*text || (noe_study_options_fail(s, w, "'%.40s' is not understood", text), false);
}

static bool number(const noe_study *s, const noe_study_option *w, const char *text)
{
    quad x;
    return noe_decimal_read(text, &x)
        || (noe_study_options_fail(s, w, "'%.40s' is no number", text), false);
}

/* Divides a value at its blanks into words. */
static const char **split(noe_study *s, const noe_study_option *w, int *count)
{
    char        *text = noe_arena_copy(s->arena, w->value, strlen(w->value)), *save = NULL;
    const char **item = noe_arena_take(s->arena, (strlen(w->value) / 2 + 1) * sizeof *item);
    *count = 0;
    for (char *x = text && item ? strtok_r(text, " \t", &save) : NULL; x;
         x = strtok_r(NULL, " \t", &save))
        item[(*count)++] = x;
    return text ? item : NULL;
}

static bool says(noe_study *s, const noe_study_option *w, noe_says what)
{
    noe_published *x = &s->published[s->publisheds++];
    place          at;
    int            count;
    if (!locate(s, w, &at)) return false;
    *x = (noe_published){ what, at.method, at.quantity, at.window, split(s, w, &count), w };
    if (!x->number) return false;
    if (at.at != -2) return noe_study_options_fail(s, w, "'at' is for an erratum"), false;
    const int expected = what == NOE_SAYS_NUMBERS ? s->steps : 1;
    if (count != expected)
        return noe_study_options_fail(s, w, "expected %d number%s, one a step; found %d", expected,
                                      expected > 1 ? "s" : "", count),
               false;
    for (int i = 0; i < count; i++)
        if (strcmp(x->number[i], "-") && !number(s, w, x->number[i])) return false;
    for (const noe_published *y = s->published; y < x; y++)
        if (y->says == what && y->method == x->method && y->quantity == x->quantity
            && y->window == x->window)
            return noe_study_options_fail(s, w, "given twice"), false;
    return true;
}

static bool erratum(noe_study *s, const noe_study_option *w)
{
    noe_erratum *x = &s->erratum[s->errata++];
    place        at;
    if (!locate(s, w, &at)) return false;
    if (at.at == -2)
        return noe_study_options_fail(s, w,
                                      "which number?  'at 2' is the second, 'at order' the order"),
               false;
    *x = (noe_erratum){ at.method, at.quantity, at.window, at.at, NULL, NULL, w };
    char *correct = noe_arena_copy(s->arena, w->value, strlen(w->value));
    if (!correct) return false;
    char *reason = correct + strcspn(correct, " \t");
    if (*reason) *reason++ = 0;
    x->correct = correct;
    x->reason = reason + strspn(reason, " \t");
    if (!*x->reason)
        return noe_study_options_fail(s, w, "expected the right number and the reason"), false;
    return number(s, w, correct);
}

bool noe_published_make(noe_study *s)
{
    s->published = noe_arena_take(s->arena, (size_t)(s->options + 1) * sizeof *s->published);
    s->erratum = noe_arena_take(s->arena, (size_t)(s->options + 1) * sizeof *s->erratum);
    if (!s->published || !s->erratum) return false;
    const noe_study_option *printed = noe_study_options_find(s, "published"),
                           *other = noe_study_options_find(s, "recomputed");
    if (printed && other)
        return noe_study_options_fail(
                   s, other,
                   "the study has published numbers; recomputed ones make a study of their own"),
               false;
    s->recomputed = other;
    for (int i = 0; i < s->options; i++) {
        const noe_study_option *w = &s->option[i];
        if (other && !strcmp(w->key, "erratum"))
            return noe_study_options_fail(
                       s, w, "an erratum is of what is published, not of recomputed numbers"),
                   false;
        if ((!strcmp(w->key, "published") || !strcmp(w->key, "recomputed"))
            && !says(s, w, NOE_SAYS_NUMBERS))
            return false;
        if (!strcmp(w->key, "order") && !says(s, w, NOE_SAYS_ORDER)) return false;
        if (!strcmp(w->key, "bound") && !says(s, w, NOE_SAYS_BOUND)) return false;
        if (!strcmp(w->key, "erratum") && !erratum(s, w)) return false;
    }
    return true;
}

const char *noe_published_kind(const noe_study *s)
{
    return s->recomputed ? "recomputed independently" : s->publisheds ? "published" : "";
}
