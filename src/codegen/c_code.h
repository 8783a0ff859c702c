/* Writes the expressions of a model as the text of a C99 file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CODEGEN_C_CODE_H
#define NOE_CODEGEN_C_CODE_H

#include "base/text.h"
#include "system/system.h"

typedef struct {
    noe_model *model;   /* the model with the expressions */
    bool      *written; /* [nodes] the function being written has a variable for the node */
    /* [nodes] index of the element of k[] that holds the node's value, -1: none; NULL: k[] is
     * not used */
    int *kept;
    int  count; /* number of elements of k[] */
    int  level; /* index of the element of k[] that is the energy E of a monitored run, -1: none */
    bool wide;  /* values are written in long double */
} noe_c_nodes;

/* A node as C: a variable of the model, a number, or the C variable that holds the node's value. */
const char *noe_c_code_name(const noe_c_nodes *, noe_ex, char out[64]);
/* Writes, in order of dependence, the nodes that root[roots] need and that are not written yet,
 * as constants of a function of t, z, param (and k). */
void noe_c_code_section(noe_text *, noe_c_nodes *, const noe_ex *root, int roots);

/* Chooses what k[] holds: the subexpressions of root[roots] that depend on parameters only. */
void noe_c_code_keep(noe_c_nodes *, const noe_ex *root, int roots);
/* Writes the function AS_constants(param, k), which computes k[]. */
void noe_c_code_constants(noe_text *, noe_c_nodes *, const noe_ex *root, int roots, const char *as);
/* Writes the function AS_NAME(t, z, param, k, arrays..), which fills the arrays of expressions. */
typedef struct {
    const char   *name;  /* name of the array */
    const noe_ex *root;  /* [count] the expressions */
    int           count; /* number of expressions */
} noe_c_array;
void noe_c_code_fill(noe_text *, noe_c_nodes *, const char *as, const char *name,
                     const noe_c_array *, int arrays);
/* Writes the function AS_NAME(z, param, k), which returns an expression without t; `wide`: its z
 * and its value are long double. */
void noe_c_code_value(noe_text *, noe_c_nodes *, const char *as, const char *name, noe_ex,
                      bool wide);
/* Estimate of the number of multiplications for root[roots]. */
double noe_c_code_cost(const noe_c_nodes *, const noe_ex *root, int roots);
bool   noe_c_code_zero(const noe_c_nodes *, noe_ex); /* is the expression 0? */
/* Lines of a comment that name the events of the model: they are not part of the code. */
void noe_c_code_events(noe_text *, const noe_model *);

/* Writes the body of the file for a copy of the model, to which it may add expressions, under
 * the C name `as`; jumps to graph.stop when memory runs out. */
typedef void noe_c_body(noe_text *, noe_model *, noe_arena *, const char *as, const void *ctx);
/* The file as text, which free() frees; NULL with a message. */
char *noe_c_code_write(const noe_system *, const char *as, noe_c_body *, const void *ctx);
/* Prepares for writing; to be called after all expressions are made. */
noe_c_nodes noe_c_code_nodes_new(noe_model *, noe_arena *);

#endif
