/* a model -> the text of a C99 file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LAB_C_CODE_H
#define NOE_LAB_C_CODE_H

#include "lab/text.h"
#include "run/system.h"

/* A child as C: a leaf or a number by itself, else the variable that holds it. */
const char *noe_c_name(const noe_graph *, noe_ex, int n, char out[64]);
/* Nodes that `roots` need and that are not written yet, in order, as constants of a function of t, z, param. */
void noe_c_section(noe_text *, noe_model *, const noe_ex *root, int roots, bool *written);

/* Writes the file for a model of its own, which it may add expressions to, under the C name `as`; jumps to
 * graph.stop when memory runs out. */
typedef void noe_c_body(noe_text *, noe_model *, noe_arena *, const char *as, const void *ctx);
char *noe_c_write(const noe_system *, const char *as, noe_c_body *, const void *ctx); /* free() frees it; NULL with a message */

#endif
