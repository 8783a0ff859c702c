/* --checkpoint: the output file in the midst of a run, from which a killed run goes on.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each is a file of its own with all rows so far and the state, which takes the place of the one
 * before by rename(2): a run that is killed leaves the last one whole. */
#include "app/run_march.h"

#include "base/status.h"

noe_status noe_run_checkpoint_row(noe_run_march *r)
{
    for (int i = 0; i < r->columns->count && r->wide_row; i++) r->narrow[i] = (double)r->row[i];
    return noe_table_add(r->checkpoint_rows, r->narrow);
}

noe_status noe_run_checkpoint_write(noe_run_march *r)
{
    const noe_processes *p = r->job->processes;
    size_t               bytes;
    quad                 t;
    const void          *state = noe_integrator_state_of_file(r->x.g, &bytes);
    noe_integrator_state_get(r->x.g, NOE_AT_T, &t);
    if (!noe_processes_writes(p)) return p->agree(NOE_OK);
    noe_head head = r->head;
    head.event_columns = 0; /* only rows are kept; events are in the output file alone */
    noe_sink  *sink = noe_sink_open(r->job->output, &head);
    noe_status s = sink ? NOE_OK : NOE_IO;
    for (size_t i = 0; i < noe_table_rows(r->checkpoint_rows) && !s; i++) {
        for (int c = 0; c < head.columns; c++)
            r->narrow[c] = noe_table_at(r->checkpoint_rows, (size_t)c)[i];
        s = noe_sink_row_double(sink, r->narrow);
    }
    char why[64];
    snprintf(why, sizeof why, "checkpoint at t = %.17g", (double)t);
    noe_sink_ended(sink, why);
    if (s) noe_sink_drop(sink);
    else s = noe_sink_close(sink, state, bytes);
    return noe_processes_agree(p, s);
}

noe_status noe_run_checkpoint_due(noe_run_march *r, double steps)
{
    if (!r->checkpoint_rows || steps - r->saved < (double)r->job->checkpoint) return NOE_OK;
    r->saved = steps;
    return noe_run_checkpoint_write(r);
}
