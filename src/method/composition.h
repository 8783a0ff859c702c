/* Compositions: steps of a symmetric method, of lengths gamma_k h, as one step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     psi_h = phi_(gamma_k h) o .. o phi_(gamma_1 h) */
#ifndef NOE_METHOD_COMPOSITION_H
#define NOE_METHOD_COMPOSITION_H

#include "method/method.h"

/* True if the first word of the name is "compose"; then *rest is the text after it. */
bool noe_composition_named(const char *text, const char **rest);
/* Reads "6 simpson" or "kahan-li8 midpoint": an even order or the name of a set of steps, and
 * then a method.  Returns the name of the method; how: the order or the set.  NULL with a message,
 * in which `text` is the whole name. */
const char *noe_composition_inner(const char *text, const char *rest, char how[32]);
/* The composition of `base` with the steps `how`; NULL with a message. */
noe_method *noe_composition_make(const char *text, const char *how, const noe_method *base);
/* Time that a step of any method goes through, forth and back, in steps: sum_k |gamma_k|, of a
 * splitting that of its kicks; 1 without parts. */
double noe_composition_path_length(const noe_method *);

#endif
