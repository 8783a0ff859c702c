/* what the parser does with a model whose sums stay sums.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_SUM_PARSER_H
#define NOE_MODEL_SUM_PARSER_H

#include "model/family.h"
#include "model/sum_group.h"

/* This expression cannot be a sum of terms: reads the model again with all sums written out, or
 * fails with the reason where it has too many coordinates for that. */
_Noreturn void noe_write_out_sums(noe_parser *, size_t at, const char *why);

/* sum_slot.c */
int         noe_sum_slot_number(noe_parser *, noe_slot); /* its number in p->sum */
noe_symbol *noe_sum_slot_member(noe_parser *, noe_symbol *family, const noe_index *, size_t at);
noe_symbol *noe_sum_slot_plain(noe_parser *, noe_symbol *); /* what a plain name is inside a sum */
noe_ex      noe_sum_slot_index(noe_parser *, const noe_index *); /* an index as a number */
/* a rule of a family; the lexer stands at its value */
void noe_sum_slot_rule(noe_parser *, noe_symbol *family, const noe_left *);
/* copies a node of the model's graph into that of p->sum */
noe_ex noe_sum_slot_import(noe_parser *, noe_ex, size_t at);

/* sum_parser.c */
/* from after the '(' on */
noe_quantity noe_sum_parser_sum(noe_parser *, size_t at, size_t opened);
/* makes the time derivative of every sum of the model's graph */
void noe_sum_parser_rates(noe_parser *);
/* a setting of a family for each index; the lexer stands at its value */
void noe_sum_parser_setting(noe_parser *, noe_rule_what, noe_symbol *target, const noe_left *);
/* the weights of the sums in L; what remains is a sum of one term */
void noe_sum_parser_finish(noe_parser *);

#endif
