/* Writes a model as the text of a C99 file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_C_CODE_H
#define NOE_CODEGEN_C_CODE_H

#include "base/text.h"
#include "system/system.h"

typedef struct {
    noe_model *model;
    bool      *written; /* of each node, in the function that is being written */
    int       *kept;    /* k[..] that holds it, -1: none; NULL: nothing is kept */
    int        count;   /* of those */
} noe_c_nodes;

/* A child as C: a leaf or a number by itself, else the variable that holds it. */
const char *noe_c_code_name(const noe_c_nodes *, noe_ex, char out[64]);
/* Nodes that `roots` need and that are not written yet, in order, as constants of a function of
 * t, z, param (and k). */
void noe_c_code_section(noe_text *, noe_c_nodes *, const noe_ex *root, int roots);

/* Chooses what is kept in k: what `roots` need of parameters alone. */
void noe_c_code_keep(noe_c_nodes *, const noe_ex *root, int roots);
/* AS_constants(param, k), which works it out. */
void noe_c_code_constants(noe_text *, noe_c_nodes *, const noe_ex *root, int roots, const char *as);
/* AS_NAME(t, z, param, k, arrays..): fills the arrays. */
typedef struct {
    const char   *name;
    const noe_ex *root;
    int           count;
} noe_c_array;
void noe_c_code_fill(noe_text *, noe_c_nodes *, const char *as, const char *name,
                     const noe_c_array *, int arrays);
/* About how many products that takes. */
double noe_c_code_cost(const noe_c_nodes *, const noe_ex *root, int roots);
bool   noe_c_code_zero(const noe_c_nodes *, noe_ex);

/* Writes the file for a model of its own, which it may add expressions to, under the C name
 * `as`; jumps to graph.stop when memory runs out. */
typedef void noe_c_body(noe_text *, noe_model *, noe_arena *, const char *as, const void *ctx);
/* free() frees it; NULL with a message */
char *noe_c_code_write(const noe_system *, const char *as, noe_c_body *, const void *ctx);
/* Once all expressions are made. */
noe_c_nodes noe_c_code_nodes_new(noe_model *, noe_arena *);

#endif
