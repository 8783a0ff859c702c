/* Finite-element examples: assembles M and K from Q1 elements that are all alike.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     K_ab = int B_a^T D B_b,   M_ab = int rho N_a N_b */
#include "app/fem_mesh.h"

#include "base/status.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS = 8, ELEMENT_MOST = 3 * CORNERS };
static const double E = 210e9, NU = 0.3, RHO = 7850;

typedef struct {
    int dim, corners, parts; /* dimension; corners; coordinates per node */
    /* element matrices: stiffness of the coordinates, mass of the nodes */
    double K[ELEMENT_MOST][ELEMENT_MOST], M[CORNERS][CORNERS];
} element;

/* ---- one element ---- */

static int side(int corner, int axis) { return corner >> axis & 1; }

/* N_a and its gradient at the point x in [0, 1]^dim of an element of side h. */
static double shape(const element *e, int a, const double *x, double h, double *gradient)
{
    double N = 1;
    for (int i = 0; i < e->dim; i++) {
        N *= side(a, i) ? x[i] : 1 - x[i];
        gradient[i] = (side(a, i) ? 1 : -1) / h;
        for (int k = 0; k < e->dim; k++)
            if (k != i) gradient[i] *= side(a, k) ? x[k] : 1 - x[k];
    }
    return N;
}

/* Stiffness density between component i of node a and component j of node b, whose shape
 * functions have the gradients a and b, of an isotropic solid (dim = 3) or a plate in plane
 * stress (dim = 2). */
static double elastic(int dim, const double *a, const double *b, int i, int j)
{
    const double mu = E / (2 * (1 + NU)),
                 lambda = dim == 2 ? E * NU / (1 - NU * NU) : E * NU / ((1 + NU) * (1 - 2 * NU));
    double dot = 0;
    for (int k = 0; k < dim; k++) dot += a[k] * b[k];
    return lambda * a[i] * b[j] + mu * a[j] * b[i] + (i == j ? mu * dot : 0);
}

static element integrate(const noe_fem_mesh *g)
{
    element      e = { .dim = g->dim,
                       .corners = 1 << g->dim,
                       .parts = g->kind == NOE_CANTILEVER ? g->dim : 1 };
    const double h = 1.0 / g->size, at[2] = { 0.5 - sqrt(3) / 6, 0.5 + sqrt(3) / 6 };
    const double volume = pow(h, g->dim), rho = g->kind == NOE_CANTILEVER ? RHO : 1;
    for (int point = 0; point < e.corners; point++) {
        double x[3], slope[CORNERS][3], N[CORNERS], weight = volume / e.corners;
        for (int i = 0; i < e.dim; i++) x[i] = at[side(point, i)];
        for (int a = 0; a < e.corners; a++) N[a] = shape(&e, a, x, h, slope[a]);
        for (int a = 0; a < e.corners; a++)
            for (int b = 0; b < e.corners; b++) {
                e.M[a][g->consistent ? b : a] += rho * weight * N[a] * N[b];
                for (int i = 0; i < e.parts; i++)
                    for (int j = 0; j < e.parts; j++) {
                        double dot = 0;
                        for (int k = 0; k < e.dim; k++) dot += slope[a][k] * slope[b][k];
                        e.K[a * e.parts + i][b * e.parts + j] +=
                            weight
                            * (g->kind == NOE_CANTILEVER ? elastic(e.dim, slope[a], slope[b], i, j)
                                                         : dot);
                    }
            }
    }
    return e;
}

/* ---- the grid ---- */

/* Nodes that are not clamped along an axis: `count` of them, beginning with number `first`. */
static void extent(const noe_fem_mesh *g, int axis, int *first, int *count)
{
    const bool held = g->kind == NOE_MEMBRANE || axis == 0;
    *first = held;
    *count = g->size + 1 - held - (g->kind == NOE_MEMBRANE);
}

typedef struct {
    noe_sparse *A;        /* the matrix that is filled */
    bool        mass;     /* M, which couples no different components; otherwise K */
    bool        diagonal; /* lumped: only diagonal entries */
    int64_t     from, to; /* the nodes whose rows and columns it has, among those that move */
} target;

/* Writes the rows of one node into A: its neighbours in ascending order, each a block of parts x
 * parts entries. node: grid position; number: among the nodes that move; at: next entry. */
static void rows(const noe_fem_mesh *g, const element *e, const target *to, const int *node,
                 int64_t number, int64_t *at)
{
    int first[3] = { 0 }, count[3] = { 1, 1, 1 };
    for (int i = 0; i < g->dim; i++) extent(g, i, &first[i], &count[i]);
    const int neighbours = g->dim == 2 ? 9 : 27;
    for (int part = 0; part < e->parts; part++) {
        for (int k = 0; k < neighbours; k++) {
            const int step[3] = { k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1 };
            int64_t   other = 0, stride = 1;
            bool      inside = true, self = true;
            for (int i = 0; i < g->dim; i++) {
                const int x = node[i] + step[i] - first[i];
                inside &= x >= 0 && x < count[i];
                self &= step[i] == 0;
                other += stride * x, stride *= count[i];
            }
            inside &= other >= to->from && other < to->to;
            if (!inside || (to->diagonal && !self)) continue;
            double value[3] = { 0 };
            for (int a = 0; a < e->corners; a++) {
                int  b = 0;
                bool there = true;
                for (int i = 0; i < g->dim; i++) {
                    const int cell = node[i] - side(a, i), end = side(a, i) + step[i];
                    there &= cell >= 0 && cell < g->size && end >= 0 && end <= 1;
                    b |= (end & 1) << i;
                }
                for (int j = 0; there && j < e->parts; j++)
                    value[j] += !to->mass ? e->K[a * e->parts + part][b * e->parts + j]
                              : j == part ? e->M[a][b]
                                          : 0;
            }
            for (int j = 0; j < e->parts; j++) {
                if (to->mass && j != part) continue;
                to->A->col[*at] = (int32_t)(other - to->from) * e->parts + j;
                to->A->value[(*at)++] = value[j];
            }
        }
        to->A->start[(number - to->from) * e->parts + part + 1] = *at;
    }
}

/* The nodes from .. to - 1. */
static noe_sparse *assemble(const noe_fem_mesh *g, const element *e, bool mass, int64_t from,
                            int64_t to_node)
{
    const int n = (int)(to_node - from) * e->parts;
    const int neighbours = g->dim == 2 ? 9 : 27;
    const int in_row = mass && !g->consistent ? 1 : neighbours * (mass ? 1 : e->parts);
    target    to = { noe_sparse_new(n, (int64_t)n * in_row), mass, mass && !g->consistent, from,
                     to_node };
    int       first[3] = { 0 }, count[3] = { 1, 1, 1 };
    int64_t   at = 0;
    for (int i = 0; i < g->dim; i++) extent(g, i, &first[i], &count[i]);
    for (int64_t number = from; to.A && number < to_node; number++) {
        const int node[3] = { first[0] + (int)(number % count[0]),
                              first[1] + (int)(number / count[0] % count[1]),
                              first[2] + (int)(number / count[0] / count[1]) };
        rows(g, e, &to, node, number, &at);
    }
    return to.A;
}

int noe_fem_mesh_layers(const noe_fem_mesh *g)
{
    int first, count;
    extent(g, g->dim - 1, &first, &count);
    return count;
}

double noe_fem_mesh_layer_count(const noe_fem_mesh *g)
{
    double count = g->kind == NOE_CANTILEVER ? g->dim : 1;
    for (int axis = 0, first, along; axis < g->dim - 1; axis++, count *= along)
        extent(g, axis, &first, &along);
    return count;
}

static noe_status expected(const noe_fem_mesh *g)
{
    if (g->dim < 2 || g->dim > 3 || (g->kind == NOE_MEMBRANE && g->dim != 2))
        return noe_status_fail(NOE_INVALID, "a %s of %d dimensions: expected %s",
                               g->kind == NOE_MEMBRANE ? "membrane" : "cantilever", g->dim,
                               g->kind == NOE_MEMBRANE ? "2" : "2 or 3");
    if (g->size < 1 + (g->kind == NOE_MEMBRANE))
        return noe_status_fail(NOE_INVALID, "size %d: expected from %d elements a side", g->size,
                               1 + (g->kind == NOE_MEMBRANE));
    return NOE_OK;
}

noe_status noe_fem_mesh_slab(const noe_fem_mesh *g, int from, int to, noe_sparse **M,
                             noe_sparse **K)
{
    *M = *K = NULL;
    if (expected(g)) return NOE_INVALID;
    if ((to - from) * noe_fem_mesh_layer_count(g) > INT_MAX - 2)
        return noe_status_fail(
            NOE_INVALID,
            "size %d: expected from %d elements a side, and fewer than 2^31 coordinates", g->size,
            1 + (g->kind == NOE_MEMBRANE));
    const element e = integrate(g);
    const int64_t layer = (int64_t)noe_fem_mesh_layer_count(g) / e.parts;
    *M = assemble(g, &e, true, from * layer, to * layer);
    *K = *M ? assemble(g, &e, false, from * layer, to * layer) : NULL;
    if (*K) return NOE_OK;
    noe_sparse_free(*M);
    *M = NULL;
    return NOE_NO_MEMORY;
}

noe_status noe_fem_mesh_make(const noe_fem_mesh *g, noe_sparse **M, noe_sparse **K)
{
    *M = *K = NULL;
    return expected(g) ? NOE_INVALID : noe_fem_mesh_slab(g, 0, noe_fem_mesh_layers(g), M, K);
}

/* For linear elements on a line a wave has the stiffness (2 - 2 cos)/h and the mass h (4 + 2
 * cos)/6; on the square the element matrices are products of those of the two axes. */
double noe_fem_mesh_membrane_omega(const noe_fem_mesh *g, int i, int j)
{
    const double h = 1.0 / g->size, pi = acos(-1);
    double       k[2], m[2];
    for (int a = 0; a < 2; a++) {
        const double half = sin(pi * h * (a ? j : i) / 2);
        k[a] = 4 * half * half / h;
        m[a] = h * (6 - 4 * half * half) / 6;
    }
    const double M = g->consistent ? m[0] * m[1] : h * h;
    return sqrt((k[0] * m[1] + m[0] * k[1]) / M);
}
