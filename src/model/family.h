/* Families x = (x[lo] .. x[hi]): many quantities under one name.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_FAMILY_H
#define NOE_MODEL_FAMILY_H

#include "model/parser.h"

/* index_expression.c */
noe_index noe_index_expression_parse(noe_parser *);
bool      noe_index_expression_is_fixed(const noe_index *); /* no free index in it */
int64_t   noe_index_expression_value(noe_parser *);         /* of a fixed one */
/* Refuses one more index, of this name, where there are NOE_BOUND_MOST. */
void noe_index_expression_check_room(noe_parser *, const noe_token *name);
/* from here on the name stands for this index */
void noe_index_expression_bind(noe_parser *, const noe_token *name, noe_index);
/* which bound index the current token names, or -1 */
int noe_index_expression_bound_at(const noe_parser *);
/* " (i = 3, j = 4)", or "" */
const char *noe_index_expression_bound_values(const noe_parser *, char out[100]);

/* index_binding.c: `i in a..b`; what stands between the brackets on the left of an equals sign. */
noe_token noe_index_binding_name(
    noe_parser *); /* checks that the current name may be that of an index; moves past it */
void noe_index_binding_range(noe_parser *, int64_t *lo, int64_t *hi); /* a..b */
/* the same, with indices that run */
void noe_index_binding_running_range(noe_parser *, noe_index *from, noe_index *to);

noe_left noe_index_binding_left_side(
    noe_parser *); /* from the token after the name to the one after the bracket */
/* the same, of members that exist: u[i in 1..9 by 3], too */
noe_left noe_index_binding_member_side(noe_parser *, const noe_symbol *family);

/* For every value of the index on the left side: binds its name and calls each(p, i, data), with
 * the lexer at its present position each time. */
void noe_index_binding_each(noe_parser *, const noe_left *, bool down,
                            void (*each)(noe_parser *, int64_t i, void *), void *data);

/* family.c */
enum { NOE_FAMILY_MOST = 1 << 20 }; /* members of one that is written out */
noe_symbol *noe_family_new(noe_parser *, noe_is_what, const noe_token *name, int64_t lo,
                           int64_t hi);
noe_symbol *noe_family_new_member(noe_parser *, noe_symbol *family, int64_t i); /* declares x[i] */
/* records whether the members are vectors or numbers, which the first one decides; at: offset of
 * the expression of a member */
void           noe_family_decide_vector(noe_parser *, noe_symbol *family, bool vector, size_t at);
_Noreturn void noe_family_no_member(noe_parser *, const noe_symbol *family, int64_t i, size_t at);

/* family_member.c */
/* x[index]; x has been read */
noe_symbol *noe_family_member_parse(noe_parser *, noe_symbol *family, size_t at);
/* the same in two steps: [index]; its member.  named: what the text names, the family or the vector
 * whose component it is */
noe_index   noe_family_member_index(noe_parser *, const noe_symbol *named, size_t at);
noe_symbol *noe_family_member_pick(noe_parser *, noe_symbol *family, const noe_index *, size_t at);

/* family_values.c: the values of parameters m[lo..hi] after the equals sign. */
void noe_family_values_parse(noe_parser *, const noe_left *, quad *value, noe_ex *ex);

/* family_definition.c: X[i] = EXPRESSION; the name and the left side have been read. */
void noe_family_definition_parse(noe_parser *, noe_is_what, const noe_token *name,
                                 const noe_left *);

/* State of a dry run: the definition of a family is read without values, for its errors, the range
 * of its index and whether it refers to itself. */
struct noe_dry {
    const noe_symbol *own;    /* the family being defined; NULL until it has members */
    int64_t           lo, hi; /* range that the families it refers to allow */
    int64_t    back, ahead; /* X[i - back], X[i + ahead]: elements of the family itself, 0: none */
    bool       bounded;     /* there is such a family */
    noe_symbol stand_in;    /* for members */
    size_t     at;          /* offset of the left side */
};

#endif
