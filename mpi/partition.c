/* Partitions the graph of the nodes of a structure by PT-Scotch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "partition.h"

#include "base/status.h"
#include "matrix/block_rows.h"

#include <petscmat.h>
#include <stdlib.h>

enum { NODES_LEAST = 64 }; /* nodes a process below which the graph is not looked at */

/* The neighbours of nodes first .. last - 1 in K, as PETSc takes them over. */
static noe_status graph(const noe_structure *s, int width, int first, int last, PetscInt **start,
                        PetscInt **to)
{
    const noe_sparse *K = s->K;
    const int         nodes = s->n / width, before = s->first;
    int              *mark = noe_status_alloc((size_t)nodes, sizeof *mark);
    PetscInt          at = 0;
    if (!mark || PetscMalloc1(last - first + 1, start)
        || PetscMalloc1(K->start[last * width - before] - K->start[first * width - before] + 1, to))
        return free(mark), NOE_NO_MEMORY;
    for (int i = first; i < last; i++) {
        (*start)[i - first] = at;
        for (int64_t k = K->start[i * width - before]; k < K->start[(i + 1) * width - before];
             k++) {
            const int j = K->col[k] / width;
            if (j != i && mark[j] != i + 1) mark[j] = i + 1, (*to)[at++] = j;
        }
    }
    (*start)[last - first] = at;
    free(mark);
    return NOE_OK;
}

/* The first node of which process r has the rows, where rows are divided before. */
static int first_node(int n, int width, int r)
{
    return noe_processes_row(&together, n, r) / width;
}

static noe_status by_graph(const noe_structure *s, int width, int *part)
{
    const int       nodes = s->n / width, P = together.count, r = together.rank;
    const int       first = first_node(s->n, width, r), last = first_node(s->n, width, r + 1);
    PetscInt       *start, *to;
    Mat             graph_of_nodes;
    MatPartitioning by;
    IS              owners;
    const PetscInt *mine;
    int            *count = noe_status_alloc(2 * (size_t)P, sizeof *count), *from = count + P;
    if (!count || graph(s, width, first, last, &start, &to)) return free(count), NOE_NO_MEMORY;
    int error = MatCreateMPIAdj(MPI_COMM_WORLD, last - first, nodes, start, to, NULL,
                                &graph_of_nodes);
    if (!error) error = MatPartitioningCreate(MPI_COMM_WORLD, &by);
    if (!error) error = MatPartitioningSetAdjacency(by, graph_of_nodes);
    if (!error) error = MatPartitioningSetType(by, MATPARTITIONINGPTSCOTCH);
    if (!error) error = MatPartitioningApply(by, &owners);
    if (!error) error = ISGetIndices(owners, &mine);
    for (int i = 0; i < P && !error; i++) {
        from[i] = first_node(s->n, width, i);
        count[i] = first_node(s->n, width, i + 1) - from[i];
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

noe_status partition_width(const noe_structure *s, int *width)
{
    const noe_sparse *K = s->K;
    int32_t          *mark = noe_status_alloc((size_t)s->n + 1, sizeof *mark);
    const noe_status  status = together_agree(mark ? NOE_OK : NOE_NO_MEMORY);
    *width = 1;
    for (int d = 3; d > 1 && *width == 1 && !status; d--) {
        int64_t sum[] = { noe_block_rows_count(K, s->n, d, mark), K->start[K->n] }, least = sum[0];
        if (s->complete) {
            MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
            MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        }
        if (least >= 0 && noe_block_rows_fit(sum[0], d, sum[1])) *width = d;
    }
    free(mark);
    return status;
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
