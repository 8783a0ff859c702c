/* Orders of coordinates and constraints in which those of one equation stand close together.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tape/elimination_order.h"

#include "base/status.h"

#include <stdlib.h>

void noe_elimination_order_sort(const noe_dynamics *d, int *first_entry, int *sorted_entry)
{
    for (int j = 0; j <= d->n; j++) first_entry[j] = 0;
    for (int k = 0; k < d->G_entries; k++) first_entry[d->G_entry[k].row + 1]++;
    for (int j = 0; j < d->n; j++) first_entry[j + 1] += first_entry[j];
    for (int k = 0; k < d->G_entries; k++) sorted_entry[first_entry[d->G_entry[k].row]++] = k;
    for (int j = d->n; j > 0; j--) first_entry[j] = first_entry[j - 1];
    first_entry[0] = 0;
}

/* The edges of d, one call of `edge` each. */
typedef void edge(noe_elimination_graph *, int a, int b);

static void each_edge(noe_elimination_graph *x, const noe_dynamics *d, edge *do_edge)
{
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++)
        if (y->row != y->col) do_edge(x, y->row, y->col);
    for (int k = 0; k < d->G_entries; k++)
        do_edge(x, d->G_entry[k].row, d->n + d->G_entry[k].constraint);
    for (int k = 0; k < d->G_q_entries; k++)
        if (d->G_q_entry[k].row != d->G_q_entry[k].col)
            do_edge(x, d->G_q_entry[k].row, d->G_q_entry[k].col);
}

static void count_edge(noe_elimination_graph *x, int a, int b) { x->first[a]++, x->first[b]++; }

/* first[a] is where the neighbours of a end that are still to be put. */
static void put_edge(noe_elimination_graph *x, int a, int b)
{
    x->neighbour[--x->first[a]] = b, x->neighbour[--x->first[b]] = a;
}

bool noe_elimination_order_graph(noe_elimination_graph *x, const noe_dynamics *d)
{
    const int n = d->n + d->constraints;
    *x = (noe_elimination_graph){ .vertices = n };
    if (!(x->first = noe_status_alloc((size_t)n + 1, sizeof *x->first))) return false;
    each_edge(x, d, count_edge);
    for (int a = 0; a < n; a++) x->first[a + 1] += x->first[a];
    x->neighbour = noe_status_alloc((size_t)x->first[n] + 1, sizeof *x->neighbour);
    if (!x->neighbour) return noe_elimination_order_drop(x), false;
    each_edge(x, d, put_edge);
    return true;
}

void noe_elimination_order_drop(noe_elimination_graph *x)
{
    free(x->first), free(x->neighbour);
    *x = (noe_elimination_graph){ 0 };
}

static int degree(const noe_elimination_graph *x, int a) { return x->first[a + 1] - x->first[a]; }

/* Puts the vertices that are connected with `start` to queue[from ..], each with its neighbours
 * that are not there yet; returns the length of the queue. */
static int reach(const noe_elimination_graph *x, bool by_degree, int start, int from, int *queue,
                 bool *seen)
{
    int end = from;
    seen[start] = true, queue[end++] = start;
    for (int i = from; i < end; i++) {
        const int begin = end;
        for (int k = x->first[queue[i]]; k < x->first[queue[i] + 1]; k++) {
            const int a = x->neighbour[k];
            if (seen[a]) continue;
            int at = end++;
            for (; by_degree && at > begin && degree(x, queue[at - 1]) > degree(x, a); at--)
                queue[at] = queue[at - 1];
            seen[a] = true, queue[at] = a;
        }
    }
    return end;
}

bool noe_elimination_order_find(const noe_elimination_graph *x, bool by_degree, int *vertex)
{
    bool *const seen = noe_status_alloc((size_t)x->vertices + 1, sizeof *seen);
    int         end = 0;
    if (!seen) return false;
    for (int a = 0; a < x->vertices; a++) {
        if (seen[a]) continue;
        int start = a;
        for (int sweep = 0; sweep < (by_degree ? 2 : 1); sweep++) { /* to an end */
            const int last = reach(x, by_degree, start, end, vertex, seen);
            start = vertex[last - 1];
            for (int i = end; i < last; i++) seen[vertex[i]] = false;
        }
        end = reach(x, by_degree, start, end, vertex, seen);
    }
    free(seen);
    return true;
}

/* The graph of the constraints, 0 .. m - 1: an edge for each coordinate that two share, and for
 * each of one with itself.  False without memory. */
static bool graph_of_constraints(noe_elimination_graph *x, const noe_dynamics *d,
                                 const int *first_entry, const int *sorted_entry)
{
    const int m = d->constraints;
    size_t    edges = 0;
    for (int j = 0; j < d->n; j++) {
        const size_t sharing = (size_t)(first_entry[j + 1] - first_entry[j]);
        edges += sharing * sharing;
    }
    *x = (noe_elimination_graph){ .vertices = m };
    x->first = noe_status_alloc((size_t)m + 1, sizeof *x->first);
    x->neighbour = noe_status_alloc(edges + 1, sizeof *x->neighbour);
    if (!x->first || !x->neighbour) return noe_elimination_order_drop(x), false;
    for (int a = 0, end = 0, k = 0; a < m; x->first[++a] = end)
        for (; k < d->G_entries && d->G_entry[k].constraint == a; k++) {
            const int j = d->G_entry[k].row;
            for (int p = first_entry[j]; p < first_entry[j + 1]; p++)
                x->neighbour[end++] = d->G_entry[sorted_entry[p]].constraint;
        }
    return true;
}

int noe_elimination_order_constraints(const noe_dynamics *d, const int *first_entry,
                                      const int *sorted_entry, int *place)
{
    noe_elimination_graph x = { 0 };
    int *const            order = noe_status_alloc((size_t)d->constraints, sizeof *order);
    const bool            found = order && graph_of_constraints(&x, d, first_entry, sorted_entry)
                    && noe_elimination_order_find(&x, false, order);
    int half_band = found ? 0 : -1;
    for (int i = 0; found && i < x.vertices; i++) place[order[i]] = i;
    for (int a = 0; found && a < x.vertices; a++)
        for (int k = x.first[a]; k < x.first[a + 1]; k++) {
            const int apart = abs(place[a] - place[x.neighbour[k]]);
            if (apart > half_band) half_band = apart;
        }
    noe_elimination_order_drop(&x);
    free(order);
    return half_band;
}
