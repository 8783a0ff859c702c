/* Rows of a run in the order of its steps, up to the last state whose energy is finite.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rows/recorder.h"

#include "base/status.h"

#include <stdlib.h>

struct noe_recorder {
    noe_integrator      *g;
    const noe_columns   *columns;
    noe_row_buffer      *buffer; /* NULL: rows are read one by one */
    noe_recorder_writer *write;
    void                *ctx;       /* of `write` */
    double at[NOE_ROW_BUFFER_MOST]; /* steps since the stored state, at the kept rows, */
    double last;                    /* at the last row, */
    double since;                   /* and now */
    double undone;                  /* steps that were taken back */
    double row[];                   /* [columns] the row at hand */
};

noe_recorder *noe_recorder_new(noe_integrator *g, const noe_columns *c, bool many,
                               noe_recorder_writer *write, void *ctx)
{
    noe_recorder *r = noe_status_alloc(1, sizeof *r + (size_t)c->count * sizeof *r->row);
    if (!r) return NULL;
    *r = (noe_recorder){ .g = g, .columns = c, .write = write, .ctx = ctx };
    if (many) r->buffer = noe_row_buffer_new(g, c);
    return r;
}

void noe_recorder_free(noe_recorder *r)
{
    if (r) noe_row_buffer_free(r->buffer);
    free(r);
}

bool noe_recorder_keeps(const noe_recorder *r) { return r->buffer; }

double noe_recorder_undone(const noe_recorder *r) { return r->undone; }

noe_status noe_recorder_read(noe_recorder *r)
{
    for (int i = 0; i < r->columns->count; i++)
        r->row[i] = noe_integrator_column_in_double(r->g, &r->columns->column[i]);
    return r->write(r->ctx, r->row, noe_get(r->g, "energy"));
}

noe_status noe_recorder_ready(noe_recorder *r)
{
    if (r->buffer && noe_row_buffer_count(r->buffer)) return NOE_OK;
    r->last = r->since = 0;
    return noe_fallback_state_take(r->g);
}

/* Back at the last row with a finite energy, so many steps after the stored state. */
static noe_status return_to_row(noe_recorder *r, double steps)
{
    r->undone += r->since - steps;
    r->since = r->last = steps;
    return noe_fallback_state_go_back(r->g, steps);
}

noe_status noe_recorder_flush(noe_recorder *r)
{
    const double *row;
    double        energy[NOE_ROW_BUFFER_MOST];
    const int     count = r->buffer ? noe_row_buffer_count(r->buffer) : 0,
              good = count ? noe_row_buffer_compute(r->buffer, r->g, &row, energy) : 0;
    noe_status s = NOE_OK;
    for (int k = 0; k < good && !s; k++)
        s = r->write(r->ctx, row + k * r->columns->count, energy[k]);
    if (good == count || s) return s;
    return return_to_row(r, good ? r->at[good - 1] : 0);
}

noe_status noe_recorder_row(noe_recorder *r, double steps)
{
    r->since += steps;
    if (r->buffer && r->g->fallback_state && noe_row_buffer_take(r->buffer, r->g)) {
        r->at[noe_row_buffer_count(r->buffer) - 1] = r->last = r->since;
        return noe_row_buffer_full(r->buffer) ? noe_recorder_flush(r) : NOE_OK;
    }
    noe_status s = noe_recorder_flush(r);
    quad       H;
    if (s) return s;
    noe_integrator_state_get(r->g, NOE_AT_ENERGY, &H);
    return finiteq(H) ? noe_recorder_read(r) : return_to_row(r, r->last);
}
