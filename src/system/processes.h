/* Processes that make one run together, each with a share of its rows or of its members.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All of them execute the same program with the same options.  Where they exchange numbers each
 * must come, and whatever decides about the course of the run is the same number in all. */
#ifndef NOE_SYSTEM_PROCESSES_H
#define NOE_SYSTEM_PROCESSES_H

#include "matrix/structure.h"
#include "step/engine_interface.h"

/* A table in an HDF5 file that exists: each process writes rows of its own. */
typedef struct noe_shared_table {
    /* Opens data set `name` of the file, of so many columns; all processes come.  NULL with a
     * message. */
    void *(*open)(const char *path, const char *name, int columns);
    /* Rows row .. row + rows - 1 are x[rows][columns]. */
    noe_status (*write)(void *table, size_t row, size_t rows, const double *x);
    noe_status (*close)(void *table); /* all processes come */
} noe_shared_table;

typedef struct noe_processes {
    int rank, count; /* this process is number 0 <= rank < count */
    int writer;      /* number of the one that writes the results: the lowest that is not lost */
    /* An engine that makes the steps of `engine` by all processes; `engine` itself where each makes
     * all of them.  NULL with a message. */
    const noe_engine *(*engine)(const noe_engine *engine, const noe_dynamics *, const noe_method *);
    /* The status with which all go on: NOE_OK if it is NOE_OK in all of them, else that of the
     * first process that failed, whose message all have. */
    noe_status (*agree)(noe_status);
    /* The same value in all: that of the one that writes. */
    int (*first)(int value);
    /* The sum over all of them, the same number in all. */
    double (*sum)(double);
    /* The one that writes gets what the others have, a range from .. from + bytes of `at` each. */
    noe_status (*collect)(void *at, const size_t *from, const size_t *bytes);
    /* x[bytes] of the one that writes in all. */
    void (*tell)(void *x, size_t bytes);
    const noe_shared_table *table; /* NULL: one process writes all rows */
    /* From here on the others go on without a process that is killed: agree, first, sum, collect
     * and tell leave it out.  If it is the one that writes they do nothing more, agree fails, and
     * all go to `conclude`.  beside: a path in a folder that all see; NULL: they are on one
     * machine. */
    void (*watch)(const char *beside);
    /* In the one that writes: was process r left out?  It is not asked again.  In the others: of
     * the one that writes. */
    bool (*lost)(int r);
    /* The end of what `watch` began; all come.  True: *status, and with it the message, are in all
     * those of the one that writes.  False: it was lost, there is another, which needs everything
     * again. */
    bool (*conclude)(int *status);
    /* Rows first[rank] .. first[rank + 1] - 1 of the matrix of a file, read by all together; *hash:
     * of the whole matrix; *symmetric: a_ij = a_ji but for rounding.  NULL with a message. */
    noe_sparse *(*read)(const char *path, int rows, const int *first, uint64_t *hash,
                        bool *symmetric);
    /* Makes such a matrix of n columns whole in all of them. */
    noe_status (*complete)(noe_sparse **, const int *first);
    /* x[first[count]] whole in all of them, of which each has its range. */
    noe_status (*gather)(double *x, const int *first);
    /* The `count` lowest modes of a structure that all have whole, vector[count][n]; top2: upper
     * bound of the largest omega^2.  How many were found; -1 with a message. */
    int (*slowest)(const noe_structure *, double top2, int count, double *vector);
    /* noe_structure.complete, of rows divided by noe_processes_row. */
    noe_status (*complete_structure)(noe_structure *);
} noe_processes;

/* The first of n rows that process r has where rows are dealt in order; r = count: n.  Nodes of 2,
 * 3 or 6 rows are not divided. */
static inline int noe_processes_row(const noe_processes *p, int n, int r)
{
    enum { TOGETHER = 6 };
    return r >= p->count ? n : (int)((int64_t)(n / TOGETHER) * r / p->count) * TOGETHER;
}

/* The status with which all processes of the run go on; without others, NULL, the one given. */
static inline noe_status noe_processes_agree(const noe_processes *p, noe_status s)
{
    return p ? p->agree(s) : s;
}

/* Is this the process that writes the results? */
static inline bool noe_processes_writes(const noe_processes *p)
{
    return !p || p->rank == p->writer;
}

/* Is the one that writes lost? */
static inline bool noe_processes_writer_lost(const noe_processes *p)
{
    return p && p->lost(p->writer);
}

#endif
