/* Reads and writes the names of methods.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     "simpson" = "lobatto 2" = "P2 lobatto 3"
 *
 * A name is a degree, a quadrature and a number of points, or that of a table of coefficients. */
#ifndef NOE_METHOD_METHOD_NAME_H
#define NOE_METHOD_METHOD_NAME_H

#include "method/method.h"
#include "method/quadrature.h"
#include "method/splitting.h"
#include "noether.h"

#include <stddef.h>

typedef struct {
    noe_method_kind kind; /* Galerkin, Runge-Kutta or splitting */
    /* name and table of a method that is not Galerkin, as in named_methods.def */
    const char           *name, *table;
    bool                  in_v;        /* Runge-Kutta: y = (q, v), not (q, p) */
    bool                  drift_first; /* splitting: its first flow is a drift */
    noe_table_form        form;        /* splitting: how the table is written */
    noe_kick              kick; /* splitting: how kicks treat forces that depend on velocities */
    int                   s, r; /* Galerkin: degree of the positions, number of points */
    const noe_quadrature *rule; /* Galerkin: the quadrature */
} noe_named_method;

/* Reads a name; NOE_INVALID with a message when there is no such method, or it cannot work. */
noe_status noe_method_name_read(const char *text, noe_named_method *);
/* The table of the set of composition steps `name`; NULL with a message, in which `text` is the
 * whole name of the method. */
const char *noe_method_name_steps(const char *text, const char *name);
/* Writes the shortest common name, "simpson" or "gauss 3" for instance, else the full name "P4
 * gauss 6". */
void noe_method_name_write(const noe_named_method *, char *name, size_t size);

#endif
