/* member k = the run of its own with these values, on any of the threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What members compute is kept in a file without a name until the statistics are made, not in memory: a page holds one
 * column of one row for a block of members. */
#include "lab/ensemble.h"

#include "base/status.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BAD_USE = 2, CANNOT_GO_ON = 3, SIGNALLED = 128, BLOCK = 512 };

/* The system with the values of member k; NULL with a message. */
static noe_system *system_of(const noe_ensemble *e, long k)
{
    noe_system *s = NULL;
    for (int i = 0; i < e->m.names; i++) {
        const char  *name = e->m.name[i], *value = noe_member_value(&e->m, k, i);
        const size_t room = strlen(name) + strlen(value) + 4;
        char        *text = noe_alloc(room, 1);
        if (!text) break;
        snprintf(text, room, "%s = %s", name, value);
        noe_system *next = noe_system_let(s ? s : e->system, text);
        free(text);
        noe_system_free(s);
        if (!(s = next)) break;
    }
    return s;
}

/* Rows are of one time: the same step, start and end for all. */
static bool in_time(const noe_ensemble *e, const noe_system *s)
{
    const noe_job *j = e->job;
    quad           step, until;
    const char    *h = j->step ? j->step : noe_system_suggest(s, "step");
    const char    *T = j->until ? j->until : noe_system_suggest(s, "until");
    if (!noe_model_value(s->model, "--step", h, &step) || !noe_model_value(s->model, "--until", T, &until)) return false;
    if (s->dyn.n != e->system->dyn.n) noe_fail(NOE_INVALID, "members must have the same number of coordinates");
    else if (s->model->t0 != e->system->model->t0) noe_fail(NOE_INVALID, "members must start at the same time t");
    else if (step != e->x.step) noe_fail(NOE_INVALID, "the step '%s' differs from member to member: give --step as a number", h);
    else if (until != e->x.until) noe_fail(NOE_INVALID, "the end '%s' differs from member to member: give --until as a number", T);
    else return true;
    return false;
}

static noe_integrator *integrator_of(const noe_ensemble *e, const noe_system *s)
{
    if (!s || !in_time(e, s)) return NULL;
    noe_integrator *g = noe_integrator_make(s, e->x.method, e->x.step, 15);
    static const char *const chosen[] = { "solver", "window", "factorise" };
    bool                     ok = g != NULL;
    for (int i = 0; i < 3 && ok; i++) ok = !noe_set(g, chosen[i], noe_get(e->x.g, chosen[i]));
    if (ok && s->dyn.structure) ok = !noe_set(g, "threads", 1); /* a thread is a member's */
    if (ok && !noe_integrator_ready(g) && !noe_columns_ready(g, e->columns)) return g;
    noe_integrator_free(g);
    return NULL;
}

typedef struct {
    double H0, scale;
} books;

static void write_row(const noe_ensemble *e, noe_integrator *g, long row, long k, books *b)
{
    noe_end      *end = &e->end[k];
    const double *v = noe_v(g), *p = noe_p(g), H = noe_get(g, "energy");
    double        T = 0;
    for (int i = 0; i < g->system->dyn.n; i++) T += v[i] * p[i] / 2;
    if (!row) b->H0 = H;
    b->scale = fmax(b->scale, fmax(fabs(b->H0), fabs(T)));
    const double error = fabs(g->system->dyn.autonomous ? H - b->H0 : noe_get(g, "ledger")) / (b->scale > 0 ? b->scale : 1);
    *noe_ensemble_at(e, row, 0, k) = noe_time(g);
    for (int c = 0; c < e->columns->count; c++)
        *noe_ensemble_at(e, row, 1 + c, k) = (double)noe_column_value(g, &e->columns->column[c]);
    *noe_ensemble_at(e, row, e->width - 1, k) = error;
    if (!(error <= end->error) && !isnan(end->error)) end->error = error;
    end->rows = row + 1;
}

static void member(void *ctx, int k)
{
    noe_ensemble *e = ctx;
    noe_end      *end = &e->end[k];
    const double  every = (double)e->job->every;
    books         b = { 0, 0 };
    noe_error_clear();
    noe_system     *s = system_of(e, k);
    noe_integrator *g = integrator_of(e, s);
    if (g) write_row(e, g, 0, k, &b);
    noe_status failed = NOE_OK;
    for (double n = 0, done = 0; g && n < e->steps && !failed && !noe_interrupted(&e->progress); n += done) {
        done = 0;
        failed = noe_row_begin(g);
        const noe_status ended = failed ? failed : noe_integrator_advance(g, fmin(every, e->steps - n), &done);
        failed = !failed && done > 0 ? noe_row_end(g) : NOE_OK; /* the last good state is a row, too */
        if (done > 0 && !failed && end->rows < e->rows && !ended) write_row(e, g, end->rows, k, &b);
        if (!failed) failed = ended;
        noe_progress_add(&e->progress, (long)done);
    }
    end->bad = !g;
    if (!g || failed) end->why = strdup(noe_error() ? noe_error() : "it stopped");
    noe_integrator_free(g);
    noe_system_free(s);
    noe_error_clear();
}

static bool room(noe_ensemble *e)
{
    const long n = e->m.count;
    e->block = n < BLOCK ? n : BLOCK;
    e->width = e->columns->count + 2;
    e->bytes = (size_t)((n + e->block - 1) / e->block * e->block) * (size_t)e->rows * (size_t)e->width * sizeof(double);
    e->end = noe_alloc((size_t)n, sizeof *e->end);
    if (!e->end) return false;
    for (long k = 0; k < n; k++) e->end[k] = (noe_end){ 0 };
    e->file = tmpfile();
    if (!e->file || posix_fallocate(fileno(e->file), 0, (off_t)e->bytes)) {
        noe_fail(NOE_IO, "%ld members with %ld rows of %d columns need %.3g GB on the disk of temporary files: take fewer --columns "
                 "or a larger --every", n, e->rows, e->width, 1e-9 * (double)e->bytes);
        return false;
    }
    void *at = mmap(NULL, e->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(e->file), 0);
    if (at == MAP_FAILED) return noe_fail(NOE_NO_MEMORY, "out of memory: %ld members", n), false;
    e->value = at;
    return true;
}

static bool suits(const noe_job *j)
{
    if (!!j->ensemble + !!j->sweep + !!j->scatter > 1)
        noe_fail(NOE_INVALID, "--ensemble, --sweep and --scatter: expected one of them");
    else if (j->scatter && !j->members) noe_fail(NOE_INVALID, "--scatter: how many?  Give --members N");
    else if (!j->scatter && j->members) noe_fail(NOE_INVALID, "--members is for --scatter");
    else if (j->plot || j->from) noe_fail(NOE_INVALID, "%s is for one run, not for members", j->plot ? "--plot" : "--from");
    else if (j->digits > 15) noe_fail(NOE_INVALID, "--digits %d: members are stepped in 15 digits", j->digits);
    else return true;
    return false;
}

static bool prepare(noe_ensemble *e)
{
    const noe_job *j = e->job;
    bool           whole;
    if (!suits(j) || !noe_setup_make(&e->x, j)) return false;
    e->system = noe_system_load(j->model);
    for (int i = 0; i < j->lets && e->system; i++) {
        noe_system *next = noe_system_let(e->system, j->let[i]);
        noe_system_free(e->system);
        e->system = next;
    }
    if (!e->system || !(e->columns = noe_columns_parse(e->system, j->columns))) return false;
    if (!noe_members_make(&e->m, j, e->system->model)) return false;
    if (noe_integrator_ready(e->x.g) || noe_integrator_steps(e->x.g, e->x.until, "--until", &e->steps, &whole)) return false;
    e->rows = 1 + (long)ceil(e->steps / (double)j->every);
    e->progress = (noe_progress){ .what = "members", .all = e->steps * (double)e->m.count, .quiet = j->quiet,
                                  .interrupted = j->interrupted, .threads = j->threads };
    return room(e);
}

static void about(const noe_ensemble *e, long k, FILE *to)
{
    for (int i = 0; i < e->m.names; i++) fprintf(to, "%s%s = %s", i ? ", " : "", e->m.name[i], noe_member_value(&e->m, k, i));
}

static int finish(noe_ensemble *e)
{
    long   stopped = 0, first = -1, worst = 0;
    double steps = (double)e->progress.done;
    for (long k = 0; k < e->m.count; k++) {
        if (e->end[k].bad)
            return noe_fail(NOE_INVALID, "member %ld of %ld: %s", k + 1, e->m.count, e->end[k].why), BAD_USE;
        if (e->end[k].why && !stopped++) first = k;
        if (!(e->end[k].error <= e->end[worst].error)) worst = k;
    }
    if (!noe_ensemble_statistics(e) || (e->job->all && !noe_ensemble_all(e))) return BAD_USE;
    if (!e->job->quiet) {
        fprintf(stderr, "  %ld members, %.0f steps in %.3g s, %.3g us a step\n", e->m.count, steps, e->seconds,
                steps > 0 ? 1e6 * e->seconds / steps : 0);
        fprintf(stderr, "  energy error at most %.2e of max(|H0|, largest kinetic energy): member %ld, ", e->end[worst].error, worst + 1);
        about(e, worst, stderr);
        fprintf(stderr, "\n");
    }
    if (!stopped) return 0;
    noe_fail(NOE_NOT_CONVERGED, "%ld of %ld members stopped before the end, their rows up to there are kept; the first, member %ld: %s",
             stopped, e->m.count, first + 1, e->end[first].why);
    return CANNOT_GO_ON;
}

int noe_ensemble_run(const noe_job *job)
{
    noe_ensemble e = { .job = job };
    int          status = BAD_USE;
    if (prepare(&e)) {
        const double began = noe_clock();
        noe_pool((int)e.m.count, member, &e, &e.progress);
        e.seconds = noe_clock() - began;
        if (noe_interrupted(&e.progress)) {
            noe_fail(NOE_STOPPED, "interrupted: nothing is written");
            status = SIGNALLED + *job->interrupted;
        } else status = finish(&e);
    }
    if (e.value) munmap(e.value, e.bytes);
    if (e.file) fclose(e.file);
    for (long k = 0; e.end && k < e.m.count; k++) free(e.end[k].why);
    free(e.end);
    free(e.columns);
    if (e.m.arena) noe_members_drop(&e.m);
    noe_system_free(e.system);
    noe_setup_drop(&e.x);
    return status;
}
