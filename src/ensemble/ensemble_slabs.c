/* Rows of the members of all processes in the one that writes, a slab of rows at a time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each process has the pages of its own members on its disk.  Statistics need the numbers of all
 * members at one row: the process that writes gets a slab of rows, in its place of `value`,
 * computes with it and gives the room back. */
#include "base/status.h"
#include "ensemble/ensemble.h"
#include "system/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLAB = 1 << 23 }; /* bytes of a slab, if a row is not larger */

static long pages(const noe_ensemble *e) { return (e->m.count + e->block - 1) / e->block; }

/* The first page of process r. */
static long page_of(const noe_ensemble *e, int r)
{
    return pages(e) * r / e->job->processes->count;
}

static bool is_own(const noe_ensemble *e, long page)
{
    const int rank = e->job->processes->rank;
    return page_of(e, rank) <= page && page < page_of(e, rank + 1);
}

static size_t row_bytes(const noe_ensemble *e)
{
    return (size_t)e->width * (size_t)e->block * sizeof *e->value;
}

/* Where row `row` of a page begins in `value`, bytes. */
static size_t place(const noe_ensemble *e, long page, long row)
{
    return (size_t)(page * e->rows + row) * row_bytes(e);
}

int noe_ensemble_slabs_allocate(const noe_ensemble *e)
{
    const bool   own = noe_ensemble_processes_slabs(e) || !noe_processes_writes(e->job->processes);
    const int    rank = own ? e->job->processes->rank : 0;
    const size_t from = own ? place(e, page_of(e, rank), 0) : 0,
                 to = own ? place(e, page_of(e, rank + 1), 0) : e->bytes;
    if (ftruncate(fileno(e->file), (off_t)e->bytes)) return errno;
    return from < to ? posix_fallocate(fileno(e->file), (off_t)from, (off_t)(to - from)) : 0;
}

long noe_ensemble_slabs_rows(const noe_ensemble *e)
{
    const size_t row = row_bytes(e) * (size_t)pages(e), most = SLAB / row;
    return most < 1 ? 1 : most < (size_t)e->rows ? (long)most : e->rows;
}

/* Room on the disk for the slab from row `first` on, in the process that writes. */
static noe_status make_room(const noe_ensemble *e, long first, long rows)
{
    const size_t bytes = (size_t)rows * row_bytes(e);
    int          why = 0;
    if (!noe_processes_writes(e->job->processes)) return NOE_OK;
    for (long page = 0; page < pages(e) && !why; page++)
        if (!is_own(e, page))
            why = posix_fallocate(fileno(e->file), (off_t)place(e, page, first), (off_t)bytes);
    if (!why) return NOE_OK;
    return noe_status_fail(NOE_IO,
                           "no room for %ld rows of all members on the disk of temporary "
                           "files: %s",
                           rows, strerror(why));
}

/* Gives the room of the rows before row `end` back, where the file system can. */
static void give_back(const noe_ensemble *e, long end)
{
    const size_t unit = (size_t)sysconf(_SC_PAGESIZE);
    for (long page = 0; page < pages(e); page++) {
        if (is_own(e, page)) continue;
        const size_t from = (place(e, page, 0) + unit - 1) / unit * unit,
                     to = place(e, page, end) / unit * unit;
#ifdef MADV_REMOVE
        if (from < to) madvise((char *)e->value + from, to - from, MADV_REMOVE);
#else
        (void)from, (void)to;
#endif
    }
}

/* The i-th pages of all processes, one after another. */
static noe_status transfer(const noe_ensemble *e, long first, long rows)
{
    const noe_processes *p = e->job->processes;
    const size_t         P = (size_t)p->count;
    size_t              *from = noe_status_alloc(2 * P, sizeof *from);
    size_t *const        bytes = from ? from + P : NULL;
    noe_status           s = p->agree(!from ? NOE_NO_MEMORY : make_room(e, first, rows));
    for (long i = 0; i <= pages(e) / p->count && !s; i++) {
        for (int r = 0; r < p->count; r++) {
            const long page = page_of(e, r) + i;
            from[r] = place(e, page, first);
            bytes[r] = page < page_of(e, r + 1) ? (size_t)rows * row_bytes(e) : 0;
        }
        s = p->collect(e->value, from, bytes);
    }
    free(from);
    return s;
}

noe_status noe_ensemble_slabs_fetch(const noe_ensemble *e, long first)
{
    const noe_processes *p = e->job->processes;
    const long           most = noe_ensemble_slabs_rows(e);
    if (noe_processes_writes(p)) p->first(NOE_ASKED_SLAB);
    p->tell(&first, sizeof first);
    return transfer(e, first, e->rows - first < most ? e->rows - first : most);
}

void noe_ensemble_slabs_release(const noe_ensemble *e, long first)
{
    const long end = first + noe_ensemble_slabs_rows(e);
    give_back(e, end < e->rows ? end : e->rows);
}
