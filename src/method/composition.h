/* psi_h = phi_(gamma_k h) o .. o phi_(gamma_1 h): a symmetric method composed with itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_METHOD_COMPOSITION_H
#define NOE_METHOD_COMPOSITION_H

#include "method/method.h"

/* Is the first word "compose"?  Then *rest is behind it. */
bool noe_composition_named(const char *text, const char **rest);
/* "6 simpson", "kahan-li8 midpoint": an even order or a set of steps, then a method.  NULL with
 * a message; `text` is the whole name, for messages. */
/* the method's name; how: the order or the set */
const char *noe_composition_inner(const char *text, const char *rest, char how[32]);
noe_method *noe_composition_make(const char *text, const char *how, const noe_method *base);

#endif
