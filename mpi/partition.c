/* Partitions the graph of the nodes of a structure by PT-Scotch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "partition.h"

#include "base/status.h"

#include <petscmat.h>
#include <stdlib.h>

enum { NODES_LEAST = 64 }; /* nodes a process below which the graph is not looked at */

/* The neighbours of nodes first .. last - 1 in K, as PETSc takes them over. */
static noe_status graph(const noe_sparse *K, int width, int first, int last, PetscInt **start,
                        PetscInt **to)
{
    const int nodes = K->n / width;
    int      *mark = noe_status_alloc((size_t)nodes, sizeof *mark);
    PetscInt  at = 0;
    if (!mark || PetscMalloc1(last - first + 1, start)
        || PetscMalloc1(K->start[last * width] - K->start[first * width] + 1, to))
        return free(mark), NOE_NO_MEMORY;
    for (int i = first; i < last; i++) {
        (*start)[i - first] = at;
        for (int64_t k = K->start[i * width]; k < K->start[(i + 1) * width]; k++) {
            const int j = K->col[k] / width;
            if (j != i && mark[j] != i + 1) mark[j] = i + 1, (*to)[at++] = j;
        }
    }
    (*start)[last - first] = at;
    free(mark);
    return NOE_OK;
}

static noe_status by_graph(const noe_structure *s, int width, int *part)
{
    const int nodes = s->n / width, P = together.count, r = together.rank;
    const int first = (int)((int64_t)nodes * r / P), last = (int)((int64_t)nodes * (r + 1) / P);
    PetscInt *start, *to;
    Mat       graph_of_nodes;
    MatPartitioning by;
    IS              owners;
    const PetscInt *mine;
    int            *count = noe_status_alloc(2 * (size_t)P, sizeof *count), *from = count + P;
    if (!count || graph(s->K, width, first, last, &start, &to)) return free(count), NOE_NO_MEMORY;
    int error = MatCreateMPIAdj(MPI_COMM_WORLD, last - first, nodes, start, to, NULL,
                                &graph_of_nodes);
    if (!error) error = MatPartitioningCreate(MPI_COMM_WORLD, &by);
    if (!error) error = MatPartitioningSetAdjacency(by, graph_of_nodes);
    if (!error) error = MatPartitioningSetType(by, MATPARTITIONINGPTSCOTCH);
    if (!error) error = MatPartitioningApply(by, &owners);
    if (!error) error = ISGetIndices(owners, &mine);
    for (int i = 0; i < P && !error; i++) {
        from[i] = (int)((int64_t)nodes * i / P);
        count[i] = (int)((int64_t)nodes * (i + 1) / P) - from[i];
    }
    for (int i = first; i < last && !error; i++) part[i] = (int)mine[i - first];
    if (!error)
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, part, count, from, MPI_INT,
                       MPI_COMM_WORLD);
    if (!error) ISRestoreIndices(owners, &mine), ISDestroy(&owners);
    if (!error) MatPartitioningDestroy(&by), MatDestroy(&graph_of_nodes);
    free(count);
    return together_petsc(error, "partitioning by PT-Scotch");
}

noe_status partition_rows(const noe_structure *s, int width, int *owner)
{
    const int P = together.count, nodes = s->n / width;
    int      *part = noe_status_alloc((size_t)nodes, sizeof *part),
        *count = noe_status_alloc((size_t)P, sizeof *count);
    noe_status status = part && count ? NOE_OK : NOE_NO_MEMORY;
    bool       sliced = nodes < NODES_LEAST * P;
    if (!status && !sliced) status = by_graph(s, width, part);
    for (int i = 0; i < nodes && !status && !sliced; i++) count[part[i]]++;
    for (int r = 0; r < P && !status && !sliced; r++) sliced = count[r] == 0;
    for (int i = 0; i < s->n && !status; i++)
        owner[i] = sliced ? (int)((int64_t)(i / width) * P / nodes) : part[i / width];
    free(part), free(count);
    return status;
}
