/* a file, ranges or distributions -> members: names and, for each member, the values they get, as text.
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
} noe_members;

/* Of what the job says; false with a message, drop it all the same. */
bool noe_members_make(noe_members *, const noe_job *, const noe_model *);
void noe_members_drop(noe_members *);

/* As a number; false where it is an expression. */
bool noe_member_number(const noe_members *, long member, int name, quad *);

static inline const char *noe_member_value(const noe_members *x, long member, int name)
{
    return x->value[member * x->names + name];
}

#endif
