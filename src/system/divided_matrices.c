/* Matrices of which each process reads and keeps its rows; whole where something needs all of them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows stay divided where M is symmetric and has mass everywhere, and K is symmetric: nothing is
 * eliminated then.  Factors on entries, accelerations of the ground, a damping matrix, and a small
 * consistent M, whose null vectors are looked for, need whole matrices. */
#include "system/divided_matrices.h"

#include "base/status.h"
#include "matrix/static_condensation.h"
#include "system/model_structure.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

bool noe_divided_matrices_plan(noe_divided_matrices *x, const noe_model *m)
{
    const noe_processes *p = m->readers;
    *x = (noe_divided_matrices){ .symmetric = true };
    if (!p || m->factors || m->grounds || m->matrix[NOE_DAMPING].path
        || m->n <= NOE_WRITTEN_STRUCTURE_MOST || noe_processes_row(p, m->n, 1) == 0)
        return true;
    x->read = noe_status_alloc(2 * (size_t)p->count + 2, sizeof *x->read);
    if (!x->read) return false;
    x->moving = x->read + p->count + 1;
    for (int r = 0; r <= p->count; r++) {
        const int i = x->moving[r] = noe_processes_row(p, m->n, r);
        x->read[r] = r == 0 ? 0 : r == p->count ? m->rows : m->n == m->rows ? i : m->row[i];
    }
    x->p = p;
    return true;
}

void noe_divided_matrices_drop(noe_divided_matrices *x) { free(x->read); }

noe_sparse *noe_divided_matrices_read(noe_divided_matrices *x, const noe_model *m, const char *path,
                                      uint64_t *hash)
{
    bool        symmetric = true;
    noe_sparse *A = x->p->read(path, m->rows, x->read, hash, &symmetric);
    x->symmetric &= symmetric;
    return A;
}

/* What of the own rows of M forbids that it stays divided: rows without mass in full; entries
 * beside the diagonal. */
static void look(const noe_sparse *M, int first, double *without, double *beside)
{
    *without = *beside = 0;
    for (int i = 0; i < M->n; i++) {
        double mass = 0;
        for (int64_t k = M->start[i]; k < M->start[i + 1]; k++)
            if (M->col[k] == first + i) mass = M->value[k];
            else *beside += M->value[k] != 0;
        *without += !(mass >= DBL_MIN);
    }
}

static noe_structure *structure(const noe_divided_matrices *x, noe_sparse *A[3], bool lumped)
{
    const noe_processes *p = x->p;
    const int            first = x->moving[p->rank], n = x->moving[p->count];
    double              *mass = lumped ? noe_status_alloc((size_t)n, sizeof *mass) : NULL;
    noe_status           status = mass || !lumped ? NOE_OK : NOE_NO_MEMORY;
    const noe_sparse    *M = A[NOE_MASS];
    for (int i = 0; i < M->n && mass; i++)
        for (int64_t k = M->start[i]; k < M->start[i + 1]; k++)
            if (M->col[k] == first + i) mass[first + i] = M->value[k];
    if (!(status = p->agree(status)) && lumped) status = p->gather(mass, x->moving);
    if (status) return free(mass), NULL;
    noe_structure *s = noe_structure_of_rows(A[NOE_MASS], A[NOE_STIFFNESS], n, first, mass);
    memset(A, 0, 3 * sizeof *A);
    if (s) s->complete = p->complete_structure;
    return s;
}

bool noe_divided_matrices_keep(noe_divided_matrices *x, noe_sparse *A[3], noe_structure **to)
{
    const noe_processes *p = x->p;
    double               without, beside;
    *to = NULL;
    if (p->agree(NOE_OK)) return false;
    look(A[NOE_MASS], x->moving[p->rank], &without, &beside);
    without = p->sum(without), beside = p->sum(beside);
    if (x->symmetric && without == 0 && (beside == 0 || x->moving[p->count] > NOE_NULLSPACE_MOST))
        return (*to = structure(x, A, beside == 0)) != NULL;
    for (int k = 0; k < 3; k++)
        if (A[k] && p->complete(&A[k], x->moving)) return false;
    return true;
}
