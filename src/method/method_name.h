/* Reads and writes the names of methods.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * "simpson" = "lobatto 2" = "P2 lobatto 3":  a name is a degree, a quadrature and a number of
 * points, or a table. */
#ifndef NOE_METHOD_METHOD_NAME_H
#define NOE_METHOD_METHOD_NAME_H

#include "method/method.h"
#include "method/quadrature.h"
#include "method/splitting.h"
#include "noether.h"

#include <stddef.h>

typedef struct {
    noe_method_kind       kind;
    const char           *name, *table; /* of what is not Galerkin */
    bool                  flag;         /* Runge-Kutta: in_v; splitting: drift_first */
    noe_table_form        form;
    noe_kick              kick;
    int                   variant;
    int                   s, r; /* degree of the positions, number of points */
    const noe_quadrature *rule;
} noe_named_method;

/* Reads a name; NOE_INVALID with a message when it is none, or names a method that cannot work. */
noe_status noe_method_name_read(const char *text, noe_named_method *);
/* The table of the set of steps of this name; NULL with a message, in which `text` is the whole
 * name. */
const char *noe_method_name_steps(const char *text, const char *name);
/* Writes the shortest common name: "simpson", "gauss 3", else the full one "P4 gauss 6". */
void noe_method_name_write(const noe_named_method *, char *name, size_t size);

#endif
