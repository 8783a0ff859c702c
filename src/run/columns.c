/* "t, q1, energy" -> names and places of columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "run/integrator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_MOST = 64 };

/* The usual columns as a list. */
static char *usual(const noe_system *s)
{
    const int n = s->dyn.n, observables = s->usual;
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
        x->name = (const char **)(x + 1); /* the wider alignment first */
        x->column = (noe_column *)(x->name + count);
        char *text = (char *)(x->column + count);
        for (const char *c = list; x; text += strlen(text) + 1) {
            const char *end = c + strcspn(c, ",");
            while (*c == ' ') c++;
            size_t length = (size_t)(end - c);
            while (length && c[length - 1] == ' ') length--;
            memcpy(text, c, length);
            x->name[x->count] = text;
            if (!length || !noe_column_find(s, text, &x->column[x->count++])) {
                if (length) noe_column_unknown(s, text);
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
