/* A point where a function of several variables is least, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/least_point.h"

#include <stdbool.h>
#include <string.h>

enum { LINES = 40, DOUBLINGS = 100, SECTIONS = 40 };

typedef struct {
    int                       n; /* variables */
    noe_least_point_function *f;
    void                     *of;    /* what f is called with */
    const quad               *z, *d; /* [n] the line z + s d, in the units of the variables */
} line;

/* |f| on the line; infinite where f is not finite. */
static quad at(const line *x, quad s)
{
    quad y[x->n], g[x->n];
    for (int i = 0; i < x->n; i++) y[i] = x->z[i] + s * x->d[i];
    const quad value = fabsq(x->f(x->of, y, g));
    return finiteq(value) ? value : INFINITY;
}

/* Moves s, which is not 0, to the least |f| on the line, and returns that: the step is doubled
 * while this helps, or halved until it does, then golden sections follow. */
static quad along(const line *x, quad here, quad *s)
{
    const quad golden = (quad)0.381966011250105;
    quad       value = at(x, *s), more;
    int        k = 0;
    for (; k < DOUBLINGS && !(value < here); k++) value = at(x, *s /= 2);
    if (!(value < here)) return *s = 0, here;
    for (; k < DOUBLINGS && (more = at(x, 2 * *s)) < value; k++) *s *= 2, value = more;
    quad low = 0, high = 2 * *s;
    for (k = 0; k < SECTIONS; k++) {
        const bool up = high - *s > *s - low;
        const quad next = *s + golden * (up ? high - *s : low - *s), there = at(x, next);
        if (there < value) {
            *(up ? &low : &high) = *s;
            *s = next, value = there;
        } else *(up ? &high : &low) = next;
    }
    return value;
}

/* The gradient of |f| at z, in the units. */
static quad slope(const line *x, const quad *unit, const quad *z, quad *g)
{
    const quad value = x->f(x->of, z, g);
    for (int i = 0; i < x->n; i++) g[i] *= value < 0 ? -unit[i] : unit[i];
    return fabsq(value);
}

quad noe_least_point_find(int n, noe_least_point_function *f, void *of, const quad *unit, quad *z)
{
    /* Two lines after each other that gain less are the last.  In systems/ a line gains 0, or a
     * tenth at least. */
    const quad GAIN_LEAST = 1e-6;
    quad       d[n], g[n], last[n], way[n];
    line       x = { .n = n, .f = f, .of = of, .z = z, .d = way };
    quad       value = slope(&x, unit, z, g), square = 0;
    for (int i = 0; i < n; i++) d[i] = -g[i], square += g[i] * g[i];
    for (int k = 0, idle = 0; k < LINES && idle < 2 && square > 0 && finiteq(square); k++) {
        quad turned = 0, down = 0, s;
        for (int i = 0; i < n; i++) down -= g[i] * d[i];
        for (int i = 0; i < n && !(down > 0); i++) d[i] = -g[i];
        if (!(down > 0)) down = square;
        for (int i = 0; i < n; i++) way[i] = unit[i] * d[i], last[i] = g[i];
        s = value / down;
        const quad least = along(&x, value, &s);
        idle = least < value * (1 - GAIN_LEAST) ? 0 : idle + 1;
        for (int i = 0; i < n; i++) z[i] += s * way[i];
        value = slope(&x, unit, z, g);
        for (int i = 0; i < n; i++) turned += g[i] * (g[i] - last[i]);
        const quad beta = turned > 0 && s != 0 ? turned / square : 0;
        square = 0;
        for (int i = 0; i < n; i++) d[i] = beta * d[i] - g[i], square += g[i] * g[i];
    }
    return value;
}
