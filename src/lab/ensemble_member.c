/* member k = the run of its own with these values: alone, or as one of eight in lanes, with the same bits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "lab/ensemble.h"
#include "run/eight.h"
#include "run/variant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The system with the values of member k; NULL with a message. */
static noe_system *system_of(const noe_ensemble *e, long k)
{
    const char *let[e->m.names];
    size_t      room = 0;
    for (int i = 0; i < e->m.names; i++) room += strlen(e->m.name[i]) + strlen(noe_member_value(&e->m, k, i)) + 4;
    char *text = noe_alloc(room, 1), *at = text;
    if (!text) return NULL;
    for (int i = 0; i < e->m.names; i++) let[i] = at, at += 1 + sprintf(at, "%s = %s", e->m.name[i], noe_member_value(&e->m, k, i));
    noe_system *s = noe_system_lets(e->system, let, e->m.names);
    free(text);
    return s;
}

static const char *step_of(const noe_ensemble *e) { return e->job->step ? e->job->step : noe_system_suggest(e->system, "step"); }
static const char *until_of(const noe_ensemble *e) { return e->job->until ? e->job->until : noe_system_suggest(e->system, "until"); }

/* Rows are of one time: the same step, start and end for all. */
static bool in_time(const noe_ensemble *e, const noe_system *s)
{
    quad           step, until;
    const char    *h = step_of(e), *T = until_of(e);
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
    noe_integrator *g = noe_integrator_make(s, e->x.method, e->x.step, 15);
    static const char *const chosen[] = { "solver", "window", "factorise" };
    bool                     ok = g != NULL;
    for (int i = 0; i < 3 && ok; i++) ok = !noe_set(g, chosen[i], noe_get(e->x.g, chosen[i]));
    if (ok && (s->dyn.structure || s->dyn.groups)) ok = !noe_set(g, "threads", 1); /* a thread is a member's */
    if (ok && !noe_integrator_ready(g) && !noe_columns_ready(g, e->columns)) return g;
    noe_integrator_free(g);
    return NULL;
}

typedef struct {
    double H0, scale;
} books;

/* False where the energy is not finite. */
static bool write_row(const noe_ensemble *e, noe_integrator *g, long row, long k, books *b)
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
    return isfinite(H);
}

static void alone(noe_ensemble *e, long k)
{
    noe_end      *end = &e->end[k];
    const double  every = (double)e->job->every;
    books         b = { 0, 0 };
    noe_error_clear();
    *end = (noe_end){ 0 };
    noe_system     *s = system_of(e, k);
    end->bad = s && !in_time(e, s);
    noe_integrator *g = s && !end->bad ? integrator_of(e, s) : NULL;
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
    if (!g || failed) end->why = strdup(noe_error() ? noe_error() : "it stopped");
    noe_integrator_free(g);
    noe_system_free(s);
    noe_error_clear();
}

/* Who leaves is made again from the start. */
static long count_again(noe_ensemble *e, long before, long now)
{
    noe_progress_add(&e->progress, now - before);
    return now;
}

/* Members from..from + count in lanes, as far as they go; returns those that came to the end, bit by bit. */
static unsigned together(noe_ensemble *e, noe_eight *x, long from, int count, const noe_system *const *s)
{
    const double every = (double)e->job->every;
    books        b[NOE_EIGHT] = { { 0, 0 } };
    double       n = 0;
    long         counted = 0;
    if (!noe_eight_make(x, s, count, e->x.method, e->x.step, noe_get(e->x.g, "solver"))) x->going = 0;
    for (long row = 0; x->going; row++) {
        for (int k = 0; k < count; k++)
            if (x->going >> k & 1 && !write_row(e, x->g[k], row, from + k, &b[k])) noe_eight_leave(x, k);
        const double more = fmin(every, e->steps - n);
        counted = count_again(e, counted, (long)n * __builtin_popcount(x->going));
        if (more <= 0 || !x->going || noe_interrupted(&e->progress)) break;
        noe_eight_advance(x, more);
        n += more;
    }
    const unsigned ended = x->going;
    noe_eight_end(x);
    return ended;
}

/* Eight systems whose numbers are set again and again, and what steps them: reading a model takes as long as a thousand steps. */
typedef struct noe_crew {
    noe_variant     *v[NOE_EIGHT];
    noe_eight        eight;
    struct noe_crew *next;
} crew;

static crew *take_crew(noe_ensemble *e)
{
    pthread_mutex_lock(&e->lock);
    crew *c = e->crews;
    if (c) e->crews = c->next;
    pthread_mutex_unlock(&e->lock);
    if (c || !(c = noe_alloc(1, sizeof *c))) return c;
    for (int i = 0; i < NOE_EIGHT && e->m.count > NOE_EIGHT; i++) {
        noe_system *s = system_of(e, 0);
        if (s) c->v[i] = noe_variant_new(s, e->m.name, e->m.names, step_of(e), until_of(e));
        if (!c->v[i]) break;
    }
    return c;
}

static void return_crew(noe_ensemble *e, crew *c)
{
    pthread_mutex_lock(&e->lock);
    c->next = e->crews;
    e->crews = c;
    pthread_mutex_unlock(&e->lock);
}

void noe_ensemble_dismiss(noe_ensemble *e)
{
    for (crew *c = e->crews, *next; c; c = next) {
        next = c->next;
        noe_eight_drop(&c->eight);
        for (int i = 0; i < NOE_EIGHT; i++) noe_variant_free(c->v[i]);
        free(c);
    }
}

/* The values of member k as numbers; false where one is an expression. */
static bool numbers_of(const noe_ensemble *e, long k, quad *value)
{
    bool all = true;
    for (int i = 0; i < e->m.names && all; i++) all = noe_member_number(&e->m, k, i, &value[i]);
    return all;
}

static const noe_system *set(const noe_ensemble *e, noe_variant *v, long k)
{
    quad value[e->m.names], step, until;
    if (!v || !numbers_of(e, k, value) || !noe_variant_set(v, value, &step, &until)) return NULL;
    return step == e->x.step && until == e->x.until && v->system->model->t0 == e->system->model->t0 ? v->system : NULL;
}

void noe_ensemble_members(void *ctx, int task)
{
    noe_ensemble     *e = ctx;
    const long        from = (long)task * e->beside;
    const int         count = (int)(e->m.count - from < e->beside ? e->m.count - from : e->beside);
    unsigned          ended = 0;
    const noe_system *s[NOE_EIGHT];
    noe_system       *own[NOE_EIGHT] = { NULL };
    crew             *c = e->beside > 1 ? take_crew(e) : NULL;
    bool              all = c != NULL;
    for (int i = 0; i < count && all; i++)
        all = (s[i] = set(e, c->v[i], from + i)) || ((s[i] = own[i] = system_of(e, from + i)) && in_time(e, s[i]));
    if (all) ended = together(e, &c->eight, from, count, s);
    if (own[0]) noe_eight_drop(&c->eight);
    for (int i = 0; i < count; i++) noe_system_free(own[i]);
    if (c) return_crew(e, c);
    noe_error_clear();
    for (int i = 0; i < count && !noe_interrupted(&e->progress); i++)
        if (!(ended >> i & 1)) {
            __atomic_fetch_add(&e->singles, 1, __ATOMIC_RELAXED);
            alone(e, from + i);
        }
}
