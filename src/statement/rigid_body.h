/* body NAME: its coordinates NAME.r and NAME.attitude, and what is made of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STATEMENT_RIGID_BODY_H
#define NOE_STATEMENT_RIGID_BODY_H

#include "model/quaternion.h"

struct noe_body {
    const char    *name;     /* in the model */
    noe_quaternion Q;        /* the attitude: from body axes to space axes */
    noe_quantity   r;        /* the position of the centre of mass */
    int            first;    /* coordinate Q.w; Q.x, Q.y and Q.z follow */
    noe_ex         omega[3]; /* [3] angular velocity at the start, body axes */
    bool           turns;    /* it is given, */
    size_t         at;       /* here */
};

void noe_rigid_body_parse(noe_parser *); /* body NAME: mass = m, inertia = (A, B, C) */
void noe_rigid_body_point(noe_parser *); /* point NAME on BODY = (a, b, c) */
void noe_rigid_body_axis(noe_parser *);  /* axis NAME on BODY = (a, b, c) */
/* body_start.c: BODY.attitude = rotation(..), BODY.omega = (..); false: the statement is another
 * start */
bool noe_body_start_parse(noe_parser *);
void noe_body_start_finish(
    noe_parser *); /* velocities of the attitudes, when all starts are known */
/* body_torque.c: force BODY.torque = (..), space axes, or BODY.body_torque; false: another force */
bool noe_body_torque(noe_parser *);
/* body_quantity.c: the body whose quantity the current name is, "top.omega"; NULL: none */
struct noe_body *noe_body_quantity(const noe_parser *, const char *quantity);

#endif
