/* Reads and writes the names of methods.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     name = NAME [s]  |  P s QUADRATURE r;   case and blanks do not matter */
#include "method/method_name.h"

#include "base/nearest_word.h"
#include "base/status.h"
#include "method/method.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 24, HUGE_NUMBER = 9999 };

static const struct named {
    const char     *name; /* in full */
    noe_method_kind kind;
    int             degree;            /* 0: a family, the degree follows the name */
    const char     *rule;              /* of a Galerkin method: name of the quadrature */
    int             points;            /* of a family: points beyond the degree */
    const char     *table;             /* of others: coefficients, or the name of the base method */
    bool            in_v, drift_first; /* as in noe_named_method */
    noe_table_form  form;
    noe_kick        kick;
} methods[] = {
#define GALERKIN(name, degree, rule, points) \
    { name, NOE_GALERKIN, degree, rule, points, NULL, false, false, 0, 0 },
#define RUNGE_KUTTA(name, in_v, table) \
    { name, NOE_RUNGE_KUTTA, 0, NULL, 0, table, in_v, false, 0, 0 },
#define SPLITTING(name, form, drift_first, table) \
    { name, NOE_SPLITTING, 0, NULL, 0, table, false, drift_first, NOE_TABLE_##form, 0 },
#define LUO_GUO(name, kick, drift_first, table) \
    { name, NOE_SPLITTING, 0, NULL, 0, table, false, drift_first, NOE_TABLE_ALL, kick },
#include "method/named_methods.def"
#undef GALERKIN
#undef RUNGE_KUTTA
#undef SPLITTING
#undef LUO_GUO
};
enum { METHODS = sizeof methods / sizeof *methods };

static const char *skip(const char *t) { return t + strspn(t, " \t\r\n"); }

static bool letter(char ch) { return ('a' <= ch && ch <= 'z') || ('A' <= ch && ch <= 'Z'); }

/* Copies a word of letters and hyphens before letters in lower case; returns the end of the
 * word.  A word that is too long for any known name is cut. */
static const char *copy_word(const char *t, char *name)
{
    int n = 0;
    for (t = skip(t); letter(*t) || (n && *t == '-' && letter(t[1])); t++)
        if (n < WORD - 1) name[n++] = (char)(letter(*t) ? *t | 0x20 : *t);
    name[n] = 0;
    return t;
}

/* Reads an unsigned number into *n, limited to HUGE_NUMBER; *n = -1: there is none.  Returns the
 * end of the number. */
static const char *number(const char *t, int *n)
{
    *n = -1;
    for (t = skip(t); '0' <= *t && *t <= '9'; t++) {
        *n = (*n < 0 ? 0 : *n) * 10 + (*t - '0');
        if (*n > HUGE_NUMBER) *n = HUGE_NUMBER;
    }
    return t;
}

/* Collects the known names of one kind during their comparison with the given name. */
struct search {
    const char      *name;       /* the name to be found */
    noe_nearest_word near;       /* the most similar known name */
    char             known[480]; /* the known names, with commas between */
};

static bool matches(struct search *s, const char *candidate)
{
    noe_status_append(s->known, sizeof s->known, "%s%s", *s->known ? ", " : "", candidate);
    noe_nearest_word_try(&s->near, candidate);
    return !strcmp(s->name, candidate);
}

static struct search look_for(const char *name)
{
    return (struct search){ .name = name, .near = noe_nearest_word_to(name, strlen(name)) };
}

static noe_status unknown(const char *text, const char *kind, const struct search *s)
{
    return noe_status_fail(NOE_INVALID,
                           "method '%.60s': unknown %s '%s'%s%s%s; known are %s; "
                           "in full \"P4 gauss 6\": degree, quadrature, points",
                           text, kind, s->name, s->near.best ? " (did you mean '" : "",
                           s->near.best ? s->near.best : "", s->near.best ? "'?)" : "", s->known);
}

/* The advice for a name that other tools use; the name is compared in lower case, without
 * blanks, hyphens and digits at its end. */
static const char *advice(const char *text)
{
    static const struct {
        const char *name, *advice; /* of a method noether has not; what to take */
    } foreign[] = {
#define FOREIGN(name, advice) { name, advice },
#include "method/foreign_methods.def"
#undef FOREIGN
    };
    char   plain[WORD];
    size_t n = 0;
    for (; *text && n + 1 < sizeof plain; text++)
        if (!strchr(" \t-_", *text)) plain[n++] = letter(*text) ? *text | 0x20 : *text;
    plain[n] = 0;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (!strcmp(plain, foreign[i].name)) return foreign[i].advice;
    while (n && plain[n - 1] >= '0' && plain[n - 1] <= '9') plain[--n] = 0;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (!strcmp(plain, foreign[i].name)) return foreign[i].advice;
    return NULL;
}

static noe_status find_rule(const char *text, const char *name, const noe_quadrature **rule)
{
    struct search s = look_for(name);
    for (*rule = noe_quadrature_rules; (*rule)->name; ++*rule)
        if (matches(&s, (*rule)->name)) return NOE_OK;
    return unknown(text, "quadrature", &s);
}

static noe_status find_method(const char *text, const char *name, const struct named **method)
{
    struct search s = look_for(name);
    for (*method = methods; *method < methods + METHODS; ++*method)
        if (matches(&s, (*method)->name)) return NOE_OK;
    return unknown(text, "name", &s);
}

static noe_status check(const char *text, const noe_named_method *m)
{
    if (m->s < 1 || m->s > NOE_MAX_DEGREE)
        return noe_status_fail(NOE_INVALID,
                               "method '%.60s': the degree must be a number from 1 to %d, "
                               "as in \"gauss 3\"",
                               text, NOE_MAX_DEGREE);
    if (m->r < m->rule->least || m->r > NOE_MAX_POINTS)
        return noe_status_fail(NOE_INVALID,
                               "method '%.60s': the number of %s points must be from %d to %d",
                               text, m->rule->name, m->rule->least, NOE_MAX_POINTS);
    if (m->r < m->s)
        return noe_status_fail(
            NOE_INVALID,
            "method '%.60s': %d points do not determine all %d modes of the velocity, which makes "
            "the Newton matrix singular; take at least %d points",
            text, m->r, m->s, m->s);
    return NOE_OK;
}

/* True if the whole text is this name, which may contain digits: "rk4", "RK 4". */
static bool is_name(const char *text, const char *name)
{
    for (text = skip(text); *text && *name; text = skip(text + 1), name++)
        if ((letter(*text) ? *text | 0x20 : *text) != *name) return false;
    return !*text && !*name;
}

static void take(const struct named *known, noe_named_method *m)
{
    *m = (noe_named_method){ .kind = known->kind,
                             .name = known->name,
                             .table = known->table,
                             .in_v = known->in_v,
                             .drift_first = known->drift_first,
                             .form = known->form,
                             .kick = known->kick };
}

noe_status noe_method_name_read(const char *text, noe_named_method *m)
{
    char                name[WORD];
    const struct named *known;
    const char         *t = copy_word(text, name);
    noe_status          status;
    *m = (noe_named_method){ .kind = NOE_GALERKIN };
    for (known = methods; known < methods + METHODS; known++)
        if (known->kind != NOE_GALERKIN && is_name(text, known->name)) {
            take(known, m);
            return NOE_OK;
        }
    const char *say = advice(text);
    if (say) return noe_status_fail(NOE_INVALID, "method '%.60s': %s", text, say);
    if (!name[0])
        return noe_status_fail(
            NOE_INVALID, "method '%.60s': expected a name, as \"simpson\" or \"gauss 3\"", text);
    if (!strcmp(name, "p")) {
        t = copy_word(number(t, &m->s), name);
        t = number(t, &m->r);
        status = find_rule(text, name, &m->rule);
    } else {
        status = find_method(text, name, &known);
        if (status) return status;
        take(known, m);
        m->s = known->degree;
        if (!m->s && known->rule) t = number(t, &m->s);
        m->r = known->points + (known->degree ? 0 : m->s);
        if (known->rule) status = find_rule(text, known->rule, &m->rule);
    }
    if (!status && m->kind == NOE_GALERKIN) status = check(text, m);
    if (!status && *skip(t))
        status = noe_status_fail(NOE_INVALID, "method '%.60s': '%.20s' is left over after the name",
                                 text, skip(t));
    return status;
}

const char *noe_method_name_steps(const char *text, const char *name)
{
    struct search s = look_for(name);
    for (const struct named *k = methods; k < methods + METHODS; k++)
        if (k->kind == NOE_SPLITTING && k->form == NOE_TABLE_STEPS && matches(&s, k->name))
            return k->table;
    noe_status_fail(NOE_INVALID,
                    "method '%.60s': no set of steps '%s'%s%s%s; an even order, or one of %s", text,
                    name, s.near.best ? " (did you mean '" : "", s.near.best ? s.near.best : "",
                    s.near.best ? "'?)" : "", s.known);
    return NULL;
}

void noe_method_name_write(const noe_named_method *m, char *name, size_t size)
{
    if (m->kind != NOE_GALERKIN) {
        snprintf(name, size, "%s", m->name);
        return;
    }
    for (const struct named *k = methods; k < methods + METHODS; k++) {
        if (k->kind != NOE_GALERKIN || strcmp(k->rule, m->rule->name)) continue;
        if (k->degree == m->s && k->points == m->r) {
            snprintf(name, size, "%s", k->name);
            return;
        }
        if (!k->degree && k->points + m->s == m->r) {
            snprintf(name, size, "%s %d", k->name, m->s);
            return;
        }
    }
    snprintf(name, size, "P%d %s %d", m->s, m->rule->name, m->r);
}
