/* Q = (w, u): quaternions of expressions, and what a unit one does to vectors.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/quaternion.h"

static noe_ex number(noe_parser *p, double x) { return noe_graph_number(p->graph, (quad)x); }

/* k a */
static noe_quantity scaled(noe_parser *p, noe_ex k, noe_quantity a)
{
    return noe_quantity_product(p, NOE_MUL, noe_quantity_number(k), a, 0);
}

static noe_quantity plus(noe_parser *p, noe_quantity a, noe_quantity b)
{
    return noe_quantity_sum(p, NOE_ADD, a, b, 0);
}

noe_quaternion noe_quaternion_product(noe_parser *p, const noe_quaternion *a,
                                      const noe_quaternion *b)
{
    const noe_ex real = noe_parser_make(p, NOE_MUL, a->w, b->w),
                 dot = noe_quantity_dot(p, &a->u, &b->u);
    const noe_quantity first = scaled(p, a->w, b->u), second = scaled(p, b->w, a->u),
                       third = noe_quantity_cross(p, &a->u, &b->u);
    return (noe_quaternion){ noe_parser_make(p, NOE_SUB, real, dot),
                             plus(p, plus(p, first, second), third) };
}

noe_quaternion noe_quaternion_conjugate(noe_parser *p, const noe_quaternion *a)
{
    return (noe_quaternion){ a->w, noe_quantity_negative(p, a->u) };
}

noe_quaternion noe_quaternion_of_vector(noe_parser *p, noe_quantity v)
{
    return (noe_quaternion){ number(p, 0), v };
}

noe_quantity noe_quaternion_rotate(noe_parser *p, const noe_quaternion *a, noe_quantity v)
{
    const noe_ex square = noe_parser_make(p, NOE_POW, a->w, number(p, 2)),
                 length = noe_quantity_dot(p, &a->u, &a->u), dot = noe_quantity_dot(p, &a->u, &v),
                 along = noe_parser_make(p, NOE_MUL, number(p, 2), dot),
                 across = noe_parser_make(p, NOE_MUL, number(p, 2), a->w);
    const noe_quantity first = scaled(p, noe_parser_make(p, NOE_SUB, square, length), v),
                       second = scaled(p, along, a->u),
                       third = scaled(p, across, noe_quantity_cross(p, &a->u, &v));
    return plus(p, plus(p, first, second), third);
}

noe_ex noe_quaternion_dot(noe_parser *p, const noe_quaternion *a, const noe_quaternion *b)
{
    const noe_ex real = a->w == b->w ? noe_parser_make(p, NOE_POW, a->w, number(p, 2))
                                     : noe_parser_make(p, NOE_MUL, a->w, b->w),
                 dot = noe_quantity_dot(p, &a->u, &b->u);
    return noe_parser_make(p, NOE_ADD, real, dot);
}
