/* Newmark's family of methods for linear systems.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * "newmark 1/4 1/2":  q += h v + h^2 ((1/2 - beta) a + beta a_new),  v += h ((1 - gamma)
 * a + gamma a_new). */
#ifndef NOE_METHOD_NEWMARK_FAMILY_H
#define NOE_METHOD_NEWMARK_FAMILY_H

#include "method/method.h"

/* True if the first word is "newmark". */
bool        noe_newmark_family_named(const char *name);
noe_method *noe_newmark_family_parse(const char *name); /* NULL with a message */

#endif
