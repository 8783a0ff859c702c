/* Writes JSON (RFC 8259): objects, arrays, texts, numbers; it sets commas, quotes and lines.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     noe_json j = { .file = f };
 *     noe_json_open(&j, NULL, '{'), noe_json_integer(&j, "rows", 3), noe_json_close(&j);
 *
 * The name of a member is NULL in an array.  Members of the outermost object and of
 * objects in it begin a line, and so do objects and arrays in an array. */
#ifndef NOE_BASE_JSON_H
#define NOE_BASE_JSON_H

#include "base/text.h"
#include "number/digits.h"
#include "number/quad.h"

#include <stdbool.h>
#include <stdio.h>

enum { NOE_JSON_DEEP = 16 }; /* largest number of objects and arrays that are open at a time */

typedef struct {
    FILE     *file;    /* where it is written, or NULL */
    noe_text *text;    /* where it is written without a file */
    bool      in_page; /* texts may stand in a page of HTML: <, > and & are escaped */
    int       depth;   /* number of objects and arrays that are open */
    char      bracket[NOE_JSON_DEEP]; /* of these, the outermost first: '{' or '[' */
    long      members[NOE_JSON_DEEP]; /* of these: number of members written */
} noe_json;

void noe_json_open(noe_json *, const char *name, char bracket); /* '{' or '[' */
void noe_json_close(noe_json *); /* the innermost one; the outermost ends with a line feed */

void noe_json_text(noe_json *, const char *name, const char *); /* NULL: null */
/* A text of so many bytes.  A byte that is not UTF-8 becomes the replacement character. */
void noe_json_part(noe_json *, const char *name, const char *, size_t length);
/* null where x is nan or infinite, as JSON knows neither. */
void noe_json_number(noe_json *, const char *name, quad x, int digits);
void noe_json_double(noe_json *, const char *name, double x); /* with all digits */
void noe_json_integer(noe_json *, const char *name, long long);
void noe_json_bool(noe_json *, const char *name, bool);
void noe_json_null(noe_json *, const char *name);
void noe_json_name(noe_json *, const char *name); /* the caller writes the value to the file */

#endif
