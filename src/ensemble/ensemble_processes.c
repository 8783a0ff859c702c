/* Members dealt to processes, and their rows, outcomes and passages brought together in one.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Process r of P computes the pages R r/P .. R (r + 1)/P - 1 of the R pages of `value`.  A page
 * holds whole lane groups, which are those of one process; so are the statistics, which the process
 * that writes computes from all rows: every number has the same bits for any P.  What is brought
 * together each process keeps, as the one that writes may be lost. */
#include "ensemble/ensemble.h"

#include "base/status.h"
#include "ensemble/lane_batch.h"
#include "system/processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512 };

long noe_ensemble_processes_block(const noe_ensemble *e)
{
    const noe_processes *p = e->job->processes;
    const long           n = e->m.count, share = p ? (n + p->count - 1) / p->count : n,
               eights = (share + NOE_LANE_BATCH - 1) / NOE_LANE_BATCH * NOE_LANE_BATCH;
    return eights < BLOCK ? eights : BLOCK;
}

void noe_ensemble_processes_watch(const noe_job *j)
{
    const char *const beside = j->all ? j->all : j->output ? j->output : j->plot;
    if (j->processes) j->processes->watch(beside);
}

long noe_ensemble_processes_first(const noe_ensemble *e, int r)
{
    const long pages = (e->m.count + e->block - 1) / e->block,
               at = pages * r / e->job->processes->count * e->block;
    return at < e->m.count ? at : e->m.count;
}

void noe_ensemble_processes_deal(noe_ensemble *e)
{
    const noe_processes *p = e->job->processes;
    const long           group = e->group_size;
    e->groups = (int)((e->m.count + group - 1) / group);
    if (!p) return;
    e->first_group = e->begun = (int)(noe_ensemble_processes_first(e, p->rank) / group);
    e->groups = (int)((noe_ensemble_processes_first(e, p->rank + 1) + group - 1) / group);
    e->progress.all = e->steps
                    * (double)(noe_ensemble_processes_first(e, p->rank + 1)
                               - noe_ensemble_processes_first(e, p->rank));
}

bool noe_ensemble_processes_share(const noe_ensemble *e, const char *path)
{
    const noe_processes *p = e->job->processes;
    return p && p->table && path && noe_sink_can_place(path);
}

bool noe_ensemble_processes_slabs(const noe_ensemble *e)
{
    const noe_job *j = e->job;
    return j->processes && !j->plot && (!j->all || noe_ensemble_processes_share(e, j->all));
}

/* One process gets the numbers of each member's process; `bytes` for each member. */
static noe_status collect(const noe_ensemble *e, void *at, size_t bytes)
{
    const noe_processes *p = e->job->processes;
    size_t              *from = noe_status_alloc(2 * (size_t)p->count, sizeof *from);
    size_t              *count = from ? from + p->count : NULL;
    noe_status           s = p->agree(from ? NOE_OK : NOE_NO_MEMORY);
    for (int r = 0; r < p->count && !s; r++) {
        from[r] = (size_t)noe_ensemble_processes_first(e, r) * bytes;
        count[r] = (size_t)noe_ensemble_processes_first(e, r + 1) * bytes - from[r];
    }
    if (!s) s = p->collect(at, from, count);
    free(from);
    return s;
}

/* The rows, by whole pages. */
static noe_status collect_rows(const noe_ensemble *e)
{
    const noe_processes *p = e->job->processes;
    const size_t         member = (size_t)e->rows * (size_t)e->width * sizeof *e->value;
    size_t              *from = noe_status_alloc(2 * (size_t)p->count, sizeof *from);
    size_t              *count = from ? from + p->count : NULL;
    noe_status           s = p->agree(from ? NOE_OK : NOE_NO_MEMORY);
    for (int r = 0; r < p->count && !s; r++) {
        const long pages = (e->m.count + e->block - 1) / e->block;
        from[r] = (size_t)(pages * r / p->count * e->block) * member;
        count[r] = (size_t)(pages * (r + 1) / p->count * e->block) * member - from[r];
    }
    if (!s) s = p->collect(e->value, from, count);
    free(from);
    return s;
}

/* Why members stopped: of each process the text of the first of its members that did. */
static noe_status collect_reasons(noe_ensemble *e)
{
    const noe_processes *p = e->job->processes;
    const size_t         P = (size_t)p->count, size = sizeof e->reason;
    char                *text = noe_status_alloc(P, size);
    size_t    *from = noe_status_alloc(2 * P, sizeof *from), *count = from ? from + P : NULL;
    noe_status s = p->agree(text && from ? NOE_OK : NOE_NO_MEMORY);
    for (long k = noe_ensemble_processes_first(e, p->rank);
         k < noe_ensemble_processes_first(e, p->rank + 1) && !s; k++) {
        const char *why = e->end[k].why ? e->end[k].why : "out of memory";
        if (e->end[k].stopped && !*e->reason) snprintf(e->reason, size, "%s", why);
        if (!noe_processes_writes(p)) free(e->end[k].why), e->end[k].why = NULL;
    }
    for (size_t r = 0; r < P && !s; r++) from[r] = r * size, count[r] = size;
    if (!s)
        memcpy(text + (size_t)p->rank * size, e->reason, size), s = p->collect(text, from, count);
    if (!s) s = collect(e, e->end, sizeof *e->end);
    for (int r = 0; r < p->count && noe_processes_writes(p) && !s; r++)
        for (long k = noe_ensemble_processes_first(e, r);
             k < noe_ensemble_processes_first(e, r + 1); k++)
            if (e->end[k].stopped && !e->end[k].why && (e->end[k].why = noe_status_alloc(size, 1)))
                memcpy(e->end[k].why, text + (size_t)r * size, size);
    free(text), free(from);
    return s;
}

/* Of members of a lost process nothing is known, whatever has arrived of them.  Is there one of
 * process r? */
static bool drop_lost(noe_ensemble *e, int r)
{
    const noe_processes *p = e->job->processes;
    const long           from = noe_ensemble_processes_first(e, r),
               to = noe_ensemble_processes_first(e, r + 1);
    if (r == p->count || !p->lost(r) || e->dropped[r]) return false;
    e->dropped[r] = true;
    for (long k = from; k < to; k++) {
        free(e->end[k].why);
        e->end[k] = (noe_end){ 0 };
        for (int i = 0; i < e->events; i++) e->passage[k * e->events + i] = NAN;
    }
    return from < to;
}

/* In ranges of processes. */
bool noe_ensemble_processes_drop(noe_ensemble *e)
{
    const noe_processes *p = e->job->processes;
    const size_t         before = strlen(e->losses);
    for (int r = 0; r < p->count && noe_processes_writes(p); r++) {
        const int first = r;
        while (drop_lost(e, r)) r++;
        if (r == first) continue;
        const long from = noe_ensemble_processes_first(e, first),
                   to = noe_ensemble_processes_first(e, r);
        const bool many = r - first > 1;
        noe_status_append(e->losses, sizeof e->losses, "%sprocess%s %d", *e->losses ? "; " : "",
                          many ? "es" : "", first);
        if (many) noe_status_append(e->losses, sizeof e->losses, " to %d", r - 1);
        noe_status_append(e->losses, sizeof e->losses,
                          " of %d %s lost, and with %s all rows of members %ld to %ld, %ld of %ld "
                          "members",
                          p->count, many ? "were" : "was", many ? "them" : "it", from + 1, to,
                          to - from, e->m.count);
    }
    return strlen(e->losses) > before;
}

/* The sum over all processes, where they write; each of the others keeps its own. */
static void add(const noe_processes *p, long *x)
{
    const double sum = p->sum((double)*x);
    if (noe_processes_writes(p)) *x = (long)sum;
}

noe_status noe_ensemble_processes_collect(noe_ensemble *e, noe_status s)
{
    const noe_processes *p = e->job->processes;
    if (!s && !e->dropped) e->dropped = noe_status_alloc((size_t)p->count, sizeof *e->dropped);
    s = p->agree(s ? s : e->dropped ? NOE_OK : NOE_NO_MEMORY);
    if (!s) s = collect_reasons(e);
    if (!s && !noe_ensemble_processes_slabs(e)) s = collect_rows(e);
    if (!s && e->events) s = collect(e, e->passage, (size_t)e->events * sizeof *e->passage);
    add(p, &e->singles), add(p, &e->progress.done);
    s = p->agree(s);
    if (!s) noe_ensemble_processes_drop(e);
    return s;
}

void noe_ensemble_processes_note(const noe_ensemble *e)
{
    const noe_processes *p = e->job->processes;
    if (!noe_processes_writes(p) || e->job->quiet) return;
    for (int r = 0; r < p->count; r++)
        if (p->lost(r))
            fprintf(stderr,
                    "  process %d of %d was lost when its rows were there: none is missing\n", r,
                    p->count);
}
