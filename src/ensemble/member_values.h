/* Reads the members of an ensemble from a file, ranges or distributions: names and values as text.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENSEMBLE_MEMBER_VALUES_H
#define NOE_ENSEMBLE_MEMBER_VALUES_H

#include "base/arena.h"
#include "job/verbs.h"
#include "system/system.h"

typedef struct {
    noe_arena   *arena;
    int          names;
    long         count;
    const char **name;  /* [names] */
    const char **value; /* [count][names], as a command line would give them */
    long        *line;  /* [count] of a file; or NULL */
} noe_member_values;

/* Of what the job says; false with a message, drop it all the same. */
bool noe_member_values_make(noe_member_values *, const noe_job *, const noe_model *);
void noe_member_values_drop(noe_member_values *);

/* As a number; false where it is an expression. */
bool noe_member_values_number(const noe_member_values *, long member, int name, quad *);

static inline const char *noe_member_values_text(const noe_member_values *x, long member, int name)
{
    return x->value[member * x->names + name];
}

#endif
