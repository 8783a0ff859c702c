/* Writes the rows of all members x_k, k = 1 .. N: number, given values, columns, errors.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of many processes each writes the rows of its own members, where the format can make room for
 * them: rows of process r begin at row R_r of the table, R_0 = 0, R_{r+1} = R_r + its rows. */
#include "base/status.h"
#include "ensemble/ensemble.h"
#include "integrate/energy_error.h"
#include "job/program.h"
#include "system/processes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 1 << 17 }; /* numbers that a process writes at a time, if they make a row */

/* Columns of the table. */
typedef struct {
    noe_arena   *memory;
    const char **name;             /* [count] their names */
    quad        *row;              /* [count] work space */
    int          names, own;       /* values given to a member; columns before the errors */
    int          count;            /* of all */
    int          from[NOE_JUDGED]; /* errors NOE_JUDGED_.. in the last columns */
} table_columns;

/* Is `name` one of the columns that were asked for? */
static bool has_column(const noe_ensemble *e, const char *name)
{
    bool any = false;
    for (int c = 0; c < e->columns->count; c++) any |= !strcmp(e->columns->name[c], name);
    return any;
}

/* False without memory, with a message. */
static bool make(const noe_ensemble *e, table_columns *x)
{
    static const char *const judged[] = {
        [NOE_JUDGED_LOCAL] = "local_error", [NOE_JUDGED_ENERGY] = "energy_error"
    };
    const int names = e->m.names, own = 1 + names + e->columns->count, most = own + NOE_JUDGED;
    *x = (table_columns){ .memory = noe_arena_new(), .names = names, .own = own, .count = own };
    x->name = x->memory ? noe_arena_take(x->memory, (size_t)most * sizeof *x->name) : NULL;
    x->row = x->memory ? noe_arena_take(x->memory, (size_t)most * sizeof *x->row) : NULL;
    bool ok = x->name && x->row;
    for (int i = 0; ok && i < names; i++) {
        char *text = noe_arena_take(x->memory, strlen(e->m.name[i]) + 8);
        if ((ok = text != NULL)) sprintf(text, "given.%s", e->m.name[i]), x->name[1 + i] = text;
    }
    if (!ok) return noe_status_fail(NOE_NO_MEMORY, "out of memory: the members' rows"), false;
    x->name[0] = "member";
    for (int c = 0; c < e->columns->count; c++) x->name[1 + names + c] = e->columns->name[c];
    const bool known[] = { [NOE_JUDGED_LOCAL] = noe_local_error_known(e->x.g),
                           [NOE_JUDGED_ENERGY] = noe_energy_error_known(e->x.g) };
    for (int i = NOE_JUDGED_LOCAL; i < NOE_JUDGED && e->section < 0; i++)
        if (known[i] && !has_column(e, judged[i])) {
            x->from[x->count - own] = i;
            x->name[x->count++] = judged[i];
        }
    return true;
}

/* The numbers of member k before its columns: its number and the values given to it. */
static noe_status put_given(const noe_ensemble *e, table_columns *x, long k)
{
    noe_status s = NOE_OK;
    x->row[0] = k + 1;
    for (int i = 0; i < x->names && !s; i++) s = noe_ensemble_member_given(e, k, i, &x->row[1 + i]);
    return s;
}

static void put_row(const noe_ensemble *e, table_columns *x, long k, long row)
{
    for (int c = 0; c < e->columns->count; c++)
        x->row[1 + x->names + c] = *noe_ensemble_at(e, row, 1 + c, k);
    for (int i = x->own; i < x->count; i++)
        x->row[i] = *noe_ensemble_judged(e, row, x->from[i - x->own], k);
}

static void put_nothing(table_columns *x)
{
    for (int i = 1 + x->names; i < x->count; i++) x->row[i] = NAN;
}

/* ---- all rows by this process ---- */

static bool write_alone(noe_ensemble *e, table_columns *x, const char *path)
{
    const bool section = e->section >= 0,
               passages = section && !e->job->program; /* which gets them member by member */
    noe_sink  *sink = noe_ensemble_table_open(e, path, x->count, x->name, passages, 0);
    noe_status s = sink && passages ? noe_ensemble_events_put(e, sink) : NOE_OK;
    for (long k = 0; sink && k < e->m.count && !s; k++) {
        if ((s = put_given(e, x, k))) break;
        if (section) s = noe_ensemble_events_rows(e, k, sink, x->row, 1 + x->names);
        for (long row = 0; row < e->end[k].rows && !s && !section; row++) {
            put_row(e, x, k, row);
            s = noe_sink_row(sink, x->row);
        }
    }
    return sink && noe_ensemble_table_close(e, sink, s);
}

/* ---- each process its own ---- */

static long rows_of(const noe_ensemble *e, int r)
{
    long rows = 0;
    for (long k = noe_ensemble_processes_first(e, r); k < noe_ensemble_processes_first(e, r + 1);
         k++)
        rows += e->end[k].rows;
    return rows;
}

/* Writes the rows of the members of process r, from row `to` of the table on; of a process that was
 * lost: NAN in their places. */
static noe_status write_share(const noe_ensemble *e, table_columns *x, void *table, int r, long to)
{
    const noe_processes *p = e->job->processes;
    const size_t         most = NUMBERS / x->count ? (size_t)(NUMBERS / x->count) : 1;
    double              *page = noe_status_alloc(most * (size_t)x->count, sizeof *page), *at = page;
    noe_status           s = page ? NOE_OK : NOE_NO_MEMORY;
    size_t               rows = 0;
    for (long k = noe_ensemble_processes_first(e, r);
         k < noe_ensemble_processes_first(e, r + 1) && !s; k++) {
        s = put_given(e, x, k);
        for (long row = 0; row < e->end[k].rows && !s; row++) {
            if (r == p->rank || !noe_ensemble_processes_slabs(e)) put_row(e, x, k, row);
            else put_nothing(x);
            for (int i = 0; i < x->count; i++) *at++ = (double)x->row[i];
            if (++rows < most) continue;
            s = p->table->write(table, (size_t)to, rows, page);
            to += (long)rows, rows = 0, at = page;
        }
    }
    if (!s && rows) s = p->table->write(table, (size_t)to, rows, page);
    free(page);
    return s;
}

/* Writes the rows of all members, each process those of its own, from row first[rank] of the table
 * on.  That which writes puts those of a process that was lost meanwhile. */
static noe_status write_shares(noe_ensemble *e, table_columns *x, const char *path,
                               const long *first)
{
    const noe_processes *p = e->job->processes;
    void                *table = p->table->open(path, NOE_SINK_TABLE, x->count);
    if (!table) return noe_status_last();
    noe_status s = p->agree(write_share(e, x, table, p->rank, first[p->rank]));
    for (int r = 0; r < p->count && noe_processes_writes(p) && !s; r++)
        if (p->lost(r)) s = write_share(e, x, table, r, first[r]);
    if (noe_ensemble_processes_slabs(e) && noe_ensemble_processes_drop(e))
        noe_status_append(e->losses, sizeof e->losses, ": in %s they are NaN", e->job->all);
    const noe_status closed = p->table->close(table);
    return p->agree(s ? s : closed);
}

/* The same for the process that makes the file, and the others, which are told of it.
 * made: were the columns made? */
static noe_status write_together(noe_ensemble *e, table_columns *x, noe_sink *sink, noe_status made)
{
    const noe_processes *p = e->job->processes;
    long                *first = noe_status_alloc((size_t)p->count, sizeof *first);
    char                *path = noe_status_alloc(PATH_MAX, 1);
    const char          *placed = "";
    noe_status           s = made ? made : first && path ? NOE_OK : NOE_NO_MEMORY;
    if (!s && sink) s = noe_sink_place(sink, &placed);
    if (!s && strlen(placed) >= PATH_MAX) s = noe_status_fail(NOE_IO, "%s: too long", placed);
    if (!(s = p->agree(s))) {
        strcpy(path, placed);
        for (int r = 1; r < p->count; r++) first[r] = first[r - 1] + rows_of(e, r - 1);
        p->tell(path, PATH_MAX);
        p->tell(first, (size_t)p->count * sizeof *first);
        s = write_shares(e, x, path, first);
    }
    free(first), free(path);
    return s;
}

bool noe_ensemble_members_write(noe_ensemble *e, const char *path)
{
    table_columns x;
    long          rows = 0;
    bool          ok = make(e, &x);
    for (long k = 0; k < e->m.count; k++) rows += e->end[k].rows;
    if (ok && rows && noe_ensemble_processes_share(e, path)) {
        noe_sink *sink = noe_ensemble_table_open(e, path, x.count, x.name, false, (size_t)rows);
        if (sink) noe_sink_ended(sink, e->ended);
        if (sink) e->job->processes->first(NOE_ASKED_MEMBERS);
        const noe_status s = write_together(e, &x, sink, NOE_OK);
        if (sink && *e->losses) noe_sink_ended(sink, e->ended ? e->ended : e->losses);
        ok = sink && noe_ensemble_table_close(e, sink, s);
    } else ok = ok && write_alone(e, &x, path);
    noe_arena_free(x.memory);
    return ok;
}

void noe_ensemble_members_share(noe_ensemble *e)
{
    table_columns x;
    const bool    made = make(e, &x);
    write_together(e, &x, NULL, made ? NOE_OK : NOE_NO_MEMORY);
    noe_arena_free(x.memory);
}
