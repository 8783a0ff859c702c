/* Times at which a constraint of a model jumps or bends by itself: abs(t - 1), if(t < 1, ..).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Arguments u(t) of abs, if and the like change their signs there.  Whether anything jumps is told
 * by the differences over two intervals around that time: of what is continuous they go with a
 * power of the interval. */
#include "constraint/constraint_jump.h"

#include "tape/left_out_bounds.h"

#include <string.h>

/* Parts of a step at whose ends the signs of u are compared. */
enum { PARTS = 4, BISECTIONS = 112 };
static const double
    /* Half the wider interval around a time, by the step; the narrower one by that. */
    WIDE = 0x1p-30,
    NARROW = 0x1p-10,
    /* Part of a step, or of the time, by which its end is moved out: the time of a node and u are
     * rounded to double, so that a change just after the end may be met there. */
    AT_END = 0x1p-40, ROUNDED = 0x1p-50,
    /* A difference over the narrow interval that is this part of that over the wide one is a jump;
     * of a root of t - t0 it is 1/32. */
    STAYS = 0.5,
    /* Part of the terms up to which a jump is rounding of the numbers in a text. */
    WRITTEN = 0x1p-48;

/* A step from t by h. */
typedef struct {
    noe_constraint_point *x;
    quad                  t, h;
    const quad           *q, *v; /* [n] positions and velocities */
    quad *g, *r, *rate,          /* [constraints] g, G v + g_t and |g_t| at the earlier end */
        *slot, *u;               /* slots and outputs of the tape of arguments */
} step;

static int sign_at(const step *s, quad t, int k)
{
    const noe_dynamics *d = s->x->d;
    quad                in[noe_tape_inputs(d->n)];
    memset(in, 0, sizeof in);
    in[0] = t;
    noe_tape_quad_run(d->constraint_times, in, s->slot, s->u);
    return (s->u[k] > 0) - (s->u[k] < 0);
}

/* The differences of a constraint over an interval around t. */
typedef struct {
    quad by[3], rough[3]; /* by noe_jump_kind, of which the first is none; what is rounding */
} difference;

static void differences(const step *s, quad t, quad part, difference *to)
{
    noe_constraint_point *x = s->x;
    const int             n = x->n, m = x->m;
    const quad            half = part * WIDE * s->h, since = t - s->t,
               sooner = since / s->h < WIDE ? part * since : half;
    noe_constraint_point_at(x, t - sooner, s->q, s->v, NOE_DEPENDENT_ROUNDING);
    for (int a = 0; a < m; a++)
        s->g[a] = x->g[a], s->r[a] = x->hidden[a], s->rate[a] = fabsq(x->rate[a]);
    noe_constraint_point_at(x, t + half, s->q, s->v, NOE_DEPENDENT_ROUNDING);
    for (int a = 0; a < m; a++) {
        quad q = x->constants[a], v = fmaxq(s->rate[a], fabsq(x->rate[a]));
        for (int j = 0; j < n; j++) {
            q += fabsq(x->G[a * n + j] * s->q[j]);
            v += fabsq(x->G[a * n + j] * s->v[j]);
        }
        to[a] = (difference){ .by = { 0, x->hidden[a] - s->r[a], x->g[a] - s->g[a] },
                              .rough = { 0, WRITTEN * v, WRITTEN * q } };
    }
}

/* What jumps at t; of several constraints the farthest. */
static noe_constraint_jump jumps_at(const step *s, quad t)
{
    noe_constraint_point *x = s->x;
    noe_constraint_jump   found = { .t = t };
    difference            wide[x->m], narrow[x->m];
    quad                  far = 0;
    differences(s, t, 1, wide), differences(s, t, NARROW, narrow);
    for (int a = 0; a < x->m; a++)
        for (int k = NOE_JUMPS_POSITION; k > NOE_JUMPS_NOT && !x->left_out[a]; k--) {
            const quad by = fabsq(narrow[a].by[k]), size = by / x->size[a];
            if (!(by > STAYS * fabsq(wide[a].by[k]) && by > narrow[a].rough[k])) continue;
            if (k > (int)found.what || (k == (int)found.what && size > far))
                found = (noe_constraint_jump){ (noe_jump_kind)k, a, t, by }, far = size;
            break;
        }
    return found;
}

noe_constraint_jump noe_constraint_jump_find(noe_constraint_point *x, quad t, quad h, const quad *q,
                                             const quad *v)
{
    const noe_tape     *tape = x->d->constraint_times;
    noe_constraint_jump first = { .t = t };
    const size_t        m = (size_t)x->m;
    const quad          out = fmaxq(AT_END * fabsq(h), ROUNDED * fmaxq(fabsq(t), fabsq(t + h)));
    if (!tape || h == 0) return first;
    quad       room[3 * m + (size_t)(tape->slots + tape->outputs)];
    const step s = {
        x, t, h, q, v, room, room + m, room + 2 * m, room + 3 * m, room + 3 * m + tape->slots
    };
    for (int k = 0; k < tape->outputs; k++)
        for (int i = 0; i < PARTS; i++) {
            quad      from = t + h * ((quad)i / PARTS), to = t + h * ((quad)(i + 1) / PARTS);
            const int sign = sign_at(&s, from, k);
            if (i == PARTS - 1) to += h > 0 ? out : -out;
            if (sign && sign == sign_at(&s, to, k)) continue;
            for (int b = 0; b < BISECTIONS && sign; b++) {
                const quad c = (from + to) / 2;
                *(sign_at(&s, c, k) == sign ? &from : &to) = c;
            }
            const noe_constraint_jump here = jumps_at(&s, sign ? to : from);
            if (here.what && (!first.what || (here.t - first.t) / h < 0)) first = here;
        }
    return first;
}
