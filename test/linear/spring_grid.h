/* Springs between the nodes of a grid, held at one end or free, as a system.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPRING_GRID_H
#define SPRING_GRID_H

#include "linear.h"

/* A strip of squares, two dofs a node, 2 x 2 blocks: K and lumped M by hand, each spring between
 * neighbours. */
typedef struct {
    int     n, nodes;
    size_t *start, *diagonal;
    int    *row, *self;
    double *value, *mass;
} strip;

/* Springs between the nodes of a grid wide x high, with stiffness along and across; ends at
 * x = 0 held. */
static UNUSED strip grid(int wide, int high)
{
    const int n = 2 * wide * high;
    strip     s = { .n = n, .nodes = wide * high };
    s.start = calloc((size_t)n + 1, sizeof *s.start),
    s.diagonal = calloc((size_t)n + 1, sizeof *s.diagonal);
    s.row = calloc((size_t)n * 18, sizeof *s.row), s.self = calloc((size_t)n, sizeof *s.self);
    s.value = calloc((size_t)n * 18, sizeof *s.value), s.mass = calloc((size_t)n, sizeof *s.mass);
    size_t at = 0;
    for (int x0 = 0; x0 < wide; x0++)
        for (int y0 = 0; y0 < high; y0++)
            for (int a = 0; a < 2; a++) {
                const int j = 2 * (x0 * high + y0) + a;
                double    sum[2] = { x0 == 0, x0 == 0 };
                size_t    own = 0;
                for (int dx = -1; dx <= 1; dx++)
                    for (int dy = -1; dy <= 1; dy++) {
                        const int x1 = x0 + dx, y1 = y0 + dy, other = 2 * (x1 * high + y1);
                        if (x1 < 0 || y1 < 0 || x1 >= wide || y1 >= high) continue;
                        if (!dx && !dy) own = at;
                        const double l2 = dx * dx + dy * dy, u[2] = { dx, dy };
                        for (int b = 0; b < 2; b++) {
                            const double k = dx || dy ? u[a] * u[b] / l2 : 0;
                            sum[b] += k;
                            s.row[at] = other + b, s.value[at++] = -k;
                        }
                    }
                for (int b = 0; b < 2; b++)
                    s.value[own + (size_t)b] = b == a || x0 ? sum[b] : sum[b] - 1;
                s.start[j + 1] = at;
                s.diagonal[j + 1] = (size_t)j + 1, s.self[j] = j, s.mass[j] = 1 + 0.5 * sin(j);
            }
    return s;
}

static UNUSED noe_system *grid_system(const strip *s)
{
    const noe_csc K = { s->start, s->row, s->value }, M = { s->diagonal, s->self, s->mass };
    noe_system   *x = noe_system_structure(s->n, &M, NULL, &K, NULL, NULL);
    if (!x) fail_msg("%s", noe_error());
    return x;
}

static UNUSED void free_grid(strip *s)
{
    free(s->start), free(s->diagonal), free(s->row), free(s->self), free(s->value), free(s->mass);
}

static UNUSED void start_somewhere(noe_integrator *g, int n)
{
    double *q = calloc(2 * (size_t)n, sizeof *q), *v = q + n;
    for (int i = 0; i < n; i++) q[i] = random_number(), v[i] = random_number();
    if (noe_start(g, 0, q, v)) fail_msg("%s", noe_error());
    free(q);
}

#endif
