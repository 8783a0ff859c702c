/* The table of properties: what each is called in JSON and in the text, and what follows from it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The text and JSON are made from this table alone (properties_text.c, properties_json.c): a
 * property is one line of it, and a sentence where the text says it. */
#ifndef NOE_INSPECT_PROPERTY_TABLE_H
#define NOE_INSPECT_PROPERTY_TABLE_H

#include "inspect/properties.h"
#include "base/text.h"

typedef enum {
    NOE_PROPERTY_BOOL,      /* bool */
    NOE_PROPERTY_FACT,      /* noe_fact */
    NOE_PROPERTY_COUNT,     /* int */
    NOE_PROPERTY_NUMBER,    /* double */
    NOE_PROPERTY_SEED,      /* uint64_t */
    NOE_PROPERTY_VARIABLES, /* unsigned, NOE_HAS_..: "q", "qt" .. */
    NOE_PROPERTY_TEXT,      /* char[] */
    NOE_PROPERTY_NAMES,     /* of all coordinates */
    NOE_PROPERTY_CHOSEN,    /* bool *[n]: names of the coordinates for which it is true */
    NOE_PROPERTY_BLOCKS     /* names of the coordinates of each uncoupled block */
} noe_property_kind;

/* Adds what the text says of a property; nothing: the text has no line for it. */
typedef void noe_property_sentence(noe_text *, const noe_properties *);

typedef struct {
    const char            *object;   /* of JSON in which it stands; NULL: the outermost one.  The
                                        lines of one object stand together */
    const char            *key;      /* name in JSON; NULL: it is in the text alone */
    noe_property_kind      kind;     /* of the value */
    size_t                 offset;   /* of the value in noe_properties, in bytes */
    const char            *label;    /* of its line of the text */
    noe_property_sentence *sentence; /* NULL: it is in JSON alone */
} noe_property;

extern const noe_property noe_property_table[]; /* the last one has no kind: key and label NULL */

#endif
