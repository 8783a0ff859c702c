/* noether-mpi study: the methods of a study dealt to processes, their errors brought to the first.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Process r makes the runs of the methods first_of(r) .. first_of(r + 1) - 1 as a study of these
 * alone, with a reference of its own.  Each run is one that one process makes, and so are its bits.
 */
#include "together.h"

#include "../cli/command.h"

#include "base/status.h"
#include "study/study_files.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_study     all, own;         /* the study; the methods of this process */
    noe_drift     drift, own_drift; /* of a study of drift: results of both */
    noe_study_job job;              /* options, without progress where nobody sees it */
    size_t       *from, *bytes;     /* [processes] what collect() takes */
    int           signal;           /* that came to a process; 0: none */
} dealt;

/* The first method of process r.  The first process has one, and with more processes than methods
 * the last ones have none. */
static int first_of(const noe_study *s, int r)
{
    return (s->methods * r + together.count - 1) / together.count;
}

/* A study of the methods of process r; its cells are where noe_study_run_at and
 * noe_study_setup_cell look for them from `cell` on, which holds those of all processes. */
static noe_study part_of(const noe_study *s, int r, noe_cell *cell)
{
    noe_study x = *s;
    const int first = first_of(s, r);
    x.method += first, x.methods = first_of(s, r + 1) - first;
    x.run += (size_t)first * (size_t)s->steps;
    x.cell = cell + (size_t)first * (size_t)(s->windows * s->quantities * s->steps);
    return x;
}

/* Brings `each` bytes of every method to the first process. */
static noe_status collect(dealt *x, void *at, size_t each)
{
    for (int r = 0; r < together.count; r++) {
        x->from[r] = (size_t)first_of(&x->all, r) * each;
        x->bytes[r] = (size_t)first_of(&x->all, r + 1) * each - x->from[r];
    }
    return together.collect(at, x->from, x->bytes);
}

/* The description of the reference with the largest error: that of all methods together. */
static void choose_reference(dealt *x)
{
    struct {
        double known;
        int    rank;
    } most = { -1, together.rank };
    const char *known = strstr(x->own.reference_says, "known to ");
    if (known) most.known = strtod(known + strlen("known to "), NULL);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Bcast(x->own.reference_says, sizeof x->own.reference_says, MPI_CHAR, most.rank,
              MPI_COMM_WORLD);
    memcpy(x->all.reference_says, x->own.reference_says, sizeof x->all.reference_says);
    x->all.reference = x->own.reference, x->all.reference_digits = x->own.reference_digits;
}

/* Errors of convergence. */
static noe_status converge(dealt *x)
{
    noe_study   *s = &x->all;
    const size_t each = (size_t)s->windows * (size_t)s->quantities * (size_t)s->steps;
    noe_cell    *cell = noe_arena_take(s->arena, (size_t)s->methods * each * sizeof *cell);
    noe_status   status = cell ? NOE_OK : NOE_NO_MEMORY;
    if (!status) x->own = part_of(s, together.rank, cell);
    if (!status && x->own.methods && !noe_convergence_find(&x->own)) status = NOE_INVALID;
    if ((status = together_agree(status))) return status;
    choose_reference(x);
    if (!(status = collect(x, cell, each * sizeof *cell)))
        status = collect(x, s->run, (size_t)s->steps * sizeof *s->run);
    for (int r = 0; r < together.count && !together.rank; r++) {
        const noe_study part = part_of(s, r, cell);
        for (int w = 0; w < s->windows; w++)
            for (int u = 0; u < s->quantities; u++)
                for (int i = 0; i < part.methods; i++)
                    memcpy(noe_study_setup_cell(s, w, u, first_of(s, r) + i, 0),
                           noe_study_setup_cell(&part, w, u, i, 0),
                           (size_t)s->steps * sizeof *cell);
    }
    return status;
}

enum { GROWTH = 5 }; /* numbers of a noe_drift_growth beside those of its windows */

/* A growth and its numbers [windows + GROWTH], one from the other. */
static void copy_growth(noe_drift_growth *g, double *x, int windows, bool out)
{
    double *const rest[GROWTH] = { &g->gained, &g->scatter, &g->power, &g->power_error, &g->floor };
    if (out) memcpy(x, g->most, (size_t)windows * sizeof *x);
    else memcpy(g->most, x, (size_t)windows * sizeof *x);
    for (int k = 0; k < GROWTH; k++)
        *(out ? &x[windows + k] : rest[k]) = out ? *rest[k] : x[windows + k];
}

/* The growths of methods first .. to numbers[methods][quantities][steps][windows + GROWTH] of all
 * of them, or back. */
static void copy_growths(const noe_study *s, const noe_drift *d, int first, double *numbers,
                         bool out)
{
    const int width = d->windows + GROWTH;
    for (int i = 0; i < s->methods; i++)
        for (int u = 0; u < s->quantities; u++)
            for (int j = 0; j < s->steps; j++)
                copy_growth(noe_study_drift_growth_at(s, d, u, i, j),
                            numbers
                                + (((size_t)(first + i) * (size_t)s->quantities + (size_t)u)
                                       * (size_t)s->steps
                                   + (size_t)j)
                                      * (size_t)width,
                            d->windows, out);
}

/* Memory for the growths of all methods. */
static bool make_growths(const noe_study *s, noe_drift *d, const noe_drift *like)
{
    const size_t count = (size_t)s->quantities * (size_t)s->methods * (size_t)s->steps,
                 windows = (size_t)like->windows;
    *d = *like;
    d->growth = noe_arena_take(s->arena, count * sizeof *d->growth);
    double *most = noe_arena_take(s->arena, (count * windows + 1) * sizeof *most);
    for (size_t k = 0; k < count && d->growth && most; k++)
        d->growth[k] = (noe_drift_growth){ .most = most + k * windows };
    return d->growth && most;
}

/* Drifts. */
static noe_status drift(dealt *x)
{
    noe_study *s = &x->all;
    double    *numbers = NULL;
    x->own = part_of(s, together.rank, s->cell);
    noe_status status = x->own.methods && !noe_study_drift_make(&x->own, &x->own_drift)
                          ? NOE_INVALID
                          : NOE_OK;
    if (!status && !make_growths(s, &x->drift, &x->own_drift)) status = NOE_NO_MEMORY;
    if ((status = together_agree(status))) return status;
    const size_t each = (size_t)s->quantities * (size_t)s->steps
                      * (size_t)(x->drift.windows + GROWTH);
    numbers = noe_status_alloc((size_t)s->methods * each + 1, sizeof *numbers);
    if ((status = together_agree(numbers ? NOE_OK : NOE_NO_MEMORY))) return free(numbers), status;
    if (x->own.methods)
        copy_growths(&x->own, &x->own_drift, first_of(s, together.rank), numbers, true);
    if (!(status = collect(x, numbers, each * sizeof *numbers)))
        status = collect(x, s->run, (size_t)s->steps * sizeof *s->run);
    if (!together.rank) copy_growths(s, &x->drift, 0, numbers, false);
    free(numbers);
    return status;
}

static noe_status set_up(dealt *x)
{
    noe_study *s = &x->all;
    x->from = noe_status_alloc(2 * (size_t)together.count, sizeof *x->from);
    if (!x->from) return NOE_NO_MEMORY;
    x->bytes = x->from + together.count;
    if (!noe_study_files_fit(&x->job) || !noe_study_setup_make(s)) return NOE_INVALID;
    if (s->kind != NOE_WORK) return NOE_OK;
    return noe_status_fail(NOE_INVALID,
                           "a study of work measures the time of runs one after another, which "
                           "other processes would disturb: take one process, noether study");
}

/* The exit status, in all processes that of the first. */
static int status_of(dealt *x)
{
    bool written = true;
    int  status = 0;
    x->signal = *x->job.interrupted;
    x->all.stopped = x->own.stopped;
    MPI_Allreduce(MPI_IN_PLACE, &x->signal, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &x->all.stopped, 1, MPI_C_BOOL, MPI_LOR, MPI_COMM_WORLD);
    if (!together.rank) {
        written = noe_study_files_write(&x->all, &x->drift, stdout);
        status = noe_study_files_verdict(&x->all, x->signal);
    }
    return together_agree(written ? NOE_OK : NOE_INVALID) ? NOE_EXIT_BAD_USE
                                                          : together.first(status);
}

int run_study(const noe_study_job *job, FILE *to)
{
    dealt x = { .job = *job };
    int   status = NOE_EXIT_BAD_USE;
    if (together.count == 1) return noe_study_run(job, to);
    x.job.quiet |= together.rank > 0;
    x.all.job = &x.job;
    if (!together_agree(set_up(&x))
        && !together_agree(x.all.kind == NOE_DRIFT ? drift(&x) : converge(&x)))
        status = status_of(&x);
    noe_study_setup_drop(&x.all);
    free(x.from);
    return status;
}
