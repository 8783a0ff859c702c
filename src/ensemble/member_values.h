/* Members of an ensemble: names and values as text, from a file, ranges or distributions.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENSEMBLE_MEMBER_VALUES_H
#define NOE_ENSEMBLE_MEMBER_VALUES_H

#include "base/arena.h"
#include "job/verbs.h"
#include "system/system.h"

typedef struct {
    noe_arena   *arena; /* owner of all arrays, and of all texts that `file` does not have */
    char        *file;  /* the text of a file, of which each name and value is a part; NULL: none */
    int          names; /* number of parameters and initial conditions that vary */
    long         count; /* number of members */
    const char **name;  /* [names] names of these parameters and initial conditions */
    const char **value; /* [count][names] values as text, as in an assignment NAME=VALUE */
    long        *line;  /* [count] line of each member in the file; NULL: no file */
} noe_member_values;

/* Reads --ensemble, --sweep or --scatter of the job.  False with a message; noe_member_values_drop
 * has to be called in either case. */
bool noe_member_values_make(noe_member_values *, const noe_job *, const noe_model *);
void noe_member_values_drop(noe_member_values *);

/* Value `name` of `member` as a number; false where the text is an expression. */
bool noe_member_values_number(const noe_member_values *, long member, int name, quad *);

static inline const char *noe_member_values_text(const noe_member_values *x, long member, int name)
{
    return x->value[member * x->names + name];
}

#endif
