/* M q'' + K q = f(t) from arrays: a bar of 200 elements, pulled at its free end.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The wave arrives at the other one. */
#include "noether.h"

#include <stdio.h>

enum { N = 200 };

/* A step of force on the last node. */
static void pull(double t, double *f, void *ctx)
{
    int i;
    (void)t, (void)ctx;
    for (i = 0; i < N; i++) f[i] = i == N - 1;
}

int main(void)
{
    /* Columns j: the diagonal and the entry below it; one triangle stands for both.  Length,
     * stiffness and density 1. */
    size_t start[N + 1];
    int    row[2 * N], j;
    double M[2 * N], K[2 * N], le = 1.0 / N;
    size_t k = 0;
    for (j = 0; j < N; j++) {
        start[j] = k;
        row[k] = j, M[k] = j < N - 1 ? 2 * le / 3 : le / 3, K[k] = j < N - 1 ? 2 / le : 1 / le, k++;
        if (j < N - 1) row[k] = j + 1, M[k] = le / 6, K[k] = -1 / le, k++;
    }
    start[N] = k;

    noe_csc         mass = { start, row, M }, stiffness = { start, row, K };
    noe_system     *bar = noe_system_structure(N, &mass, NULL, &stiffness, pull, NULL);
    noe_method     *simpson = noe_method_parse("simpson");
    noe_integrator *run = noe_integrator_new(bar, simpson, le / 4);
    for (j = 1; j <= 8; j++) {
        noe_run(run, j * 0.5, NULL, NULL);
        /* The end moves as a triangle wave between 0 and 2, of period 4, and the middle follows;
         * a force of 1 has done the work of as much as the end has moved. */
        printf("t = %.1f  end %8.5f  middle %8.5f  energy %8.5f\n", noe_time(run),
               noe_get(run, "x.200"), noe_get(run, "x.100"), noe_get(run, "energy"));
    }
    noe_integrator_free(run);
    noe_method_free(simpson);
    noe_system_free(bar);
    if (noe_error()) fprintf(stderr, "%s\n", noe_error());
    return noe_error() != NULL;
}
