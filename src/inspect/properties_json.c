/* Writes the table of properties as JSON: {"separable": {"holds": true, ..}, ..}.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/property_table.h"

#include <string.h>

/* The names of the coordinates of a block, of those chosen, or of all. */
static void put_names(noe_json *j, const char *key, const noe_properties *s, int block,
                      const bool *chosen)
{
    noe_json_open(j, key, '[');
    for (int i = 0; i < s->n; i++)
        if ((block < 0 || s->block[i] == block) && (!chosen || chosen[i]))
            noe_json_text(j, NULL, s->name[i]);
    noe_json_close(j);
}

static void put_fact(noe_json *j, const char *key, const noe_fact *x)
{
    noe_json_open(j, key, '{');
    noe_json_bool(j, "holds", x->holds);
    noe_json_bool(j, "sampled", x->sampled);
    noe_json_close(j);
}

static void put_variables(noe_json *j, const char *key, unsigned has)
{
    char name[4] = "";
    if (has & NOE_HAS_Q) strcat(name, "q");
    if (has & NOE_HAS_V) strcat(name, "v");
    if (has & NOE_HAS_T) strcat(name, "t");
    noe_json_text(j, key, name);
}

static void put_blocks(noe_json *j, const char *key, const noe_properties *s)
{
    noe_json_open(j, key, '[');
    for (int k = 0; k < s->blocks; k++) put_names(j, NULL, s, k, NULL);
    noe_json_close(j);
}

static void put_property(noe_json *j, const noe_properties *s, const noe_property *x)
{
    const void *at = (const char *)s + x->offset;
    switch (x->kind) {
    case NOE_PROPERTY_BOOL: noe_json_bool(j, x->key, *(const bool *)at); break;
    case NOE_PROPERTY_FACT: put_fact(j, x->key, at); break;
    case NOE_PROPERTY_COUNT: noe_json_integer(j, x->key, *(const int *)at); break;
    case NOE_PROPERTY_NUMBER: noe_json_double(j, x->key, *(const double *)at); break;
    case NOE_PROPERTY_SEED: noe_json_integer(j, x->key, (long long)*(const uint64_t *)at); break;
    case NOE_PROPERTY_VARIABLES: put_variables(j, x->key, *(const unsigned *)at); break;
    case NOE_PROPERTY_TEXT: noe_json_text(j, x->key, at); break;
    case NOE_PROPERTY_NAMES: put_names(j, x->key, s, -1, NULL); break;
    case NOE_PROPERTY_CHOSEN: put_names(j, x->key, s, -1, *(bool *const *)at); break;
    case NOE_PROPERTY_BLOCKS: put_blocks(j, x->key, s); break;
    }
}

static bool same(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

void noe_properties_json(const noe_properties *s, noe_json *j, const char *name)
{
    const char *object = NULL;
    if (!s || !j) return;
    noe_json_open(j, name, '{');
    for (const noe_property *x = noe_property_table; x->key || x->label; x++) {
        if (!x->key) continue;
        if (object && !same(x->object, object)) noe_json_close(j);
        if (x->object && !same(x->object, object)) noe_json_open(j, x->object, '{');
        object = x->object;
        put_property(j, s, x);
    }
    noe_json_close(j);
}
