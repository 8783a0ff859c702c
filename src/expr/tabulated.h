/* Tabulated functions y(x) through points (x_k, y_k): piecewise linear, or a natural cubic spline.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_EXPR_TABULATED_H
#define NOE_EXPR_TABULATED_H

#include "base/arena.h"
#include "number/quad.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { NOE_OUTSIDE_REFUSED, NOE_OUTSIDE_ZERO, NOE_OUTSIDE_HELD } noe_outside;

/* Between x_k and x_{k+1}:  y = c_0 + d (c_1 + d (c_2 + d c_3)),  d = x - x_k. */
typedef struct {
    const char *file;           /* name of the file of the points */
    int64_t     column;         /* number of the column of y, from 1 */
    bool        cubic;          /* natural cubic spline, y'' = 0 at the ends; else linear */
    noe_outside outside;        /* value outside [x_0, x_pieces] */
    int64_t     pieces;         /* intervals */
    quad       *x, (*c)[4];     /* [pieces + 1] the x_k; [pieces] coefficients */
    double     *x_d, (*c_d)[4]; /* the same, rounded to double */
    double      per;            /* pieces per unit of x where all are equally long; else 0 */
} noe_tabulated;

/* The tabulated functions of a model.  A node NOE_TABLE names one by NOE_TABLE_ORDERS k + d: item
 * k, d-th derivative; a cubic has three. */
enum { NOE_TABLES_MOST = 4096, NOE_TABLE_ORDERS = 4 };
static inline int noe_tabulated_item(int which) { return which / NOE_TABLE_ORDERS; }
static inline int noe_tabulated_order(int which) { return which % NOE_TABLE_ORDERS; }
typedef struct {
    noe_tabulated *item[NOE_TABLES_MOST]; /* [count] the tables of a model */
    int            count;                 /* number of tables */
} noe_tables;

/* Computes the coefficients from pieces + 1 points with ascending x; false: out of memory. */
bool noe_tabulated_make(noe_tabulated *, noe_arena *, const quad *x, const quad *y);
/* Has function `which` a continuous derivative, also where it goes on beyond its ends? */
bool noe_tabulated_is_smooth(const noe_tables *, int which);
/* The last piece that begins at or before x, or the first. */
int64_t noe_tabulated_piece(const noe_tabulated *, double x);
/* The value of function `which` at x, in binary128 and in double; NAN outside where that is
 * refused. 1e-9 of a piece beyond an end counts as inside: t = 40 can come as
 * 40.000000000000004. */
quad   noe_tabulated_at(const noe_tables *, quad which, quad x);
double noe_tabulated_near(const noe_tables *, double which, double x);

#endif
