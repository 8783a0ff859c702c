/* Steps members 8 i .. 8 i + 7 in SIMD lanes, a slice of steps at a time, least advanced first.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * If each thread stepped its last lane group from start to end, threads would idle until the
 * slowest lane group has ended.  Therefore the last lane groups, one for each thread, are begun
 * before the earlier ones have ended, and after every slice a thread takes the least advanced lane
 * group: all threads end within one slice.  The result does not depend on which thread steps a lane
 * group. */
#include "base/status.h"
#include "ensemble/ensemble.h"
#include "ensemble/lane_times.h"
#include "ensemble/system_variant.h"

#include <math.h>
#include <stdlib.h>

/* Steps of a slice: 0.3 ms for eight double pendulums; choosing a lane group takes 1e-4 of that. */
enum { SLICE = 512 };

/* Lane group: eight systems and their lane batch.  The systems are variants, used again with other
 * numerical values for the next members: reading a model takes as long as a thousand steps. */
typedef struct noe_lane_group {
    noe_system_variant *v[NOE_LANE_BATCH];   /* NULL where values change more than numbers */
    noe_system         *own[NOE_LANE_BATCH]; /* system of a member that is no variant, or NULL */
    noe_lane_batch      batch;
    noe_lane_times      times; /* of members whose steps follow a monitor */
    const noe_ensemble *e;
    noe_balances        balances[NOE_LANE_BATCH];
    long                from,     /* number of the first member */
        row,                      /* last row stored */
        counted;                  /* steps of all its members that the progress bar has counted */
    int                    count; /* number of members, 1 .. 8 */
    double                 steps; /* steps made of each member */
    struct noe_lane_group *next;  /* in the list `unused` or `waiting` */
} lane_group;

static void push(lane_group **list, lane_group *c)
{
    c->next = *list;
    *list = c;
}

static lane_group *pop(lane_group **list)
{
    lane_group *c = *list;
    if (c) *list = c->next;
    return c;
}

static lane_group *make(const noe_ensemble *e)
{
    lane_group *c = noe_status_alloc(1, sizeof *c);
    for (int i = 0; c && i < NOE_LANE_BATCH && e->m.count > NOE_LANE_BATCH; i++) {
        noe_system *s = noe_ensemble_member_system(e, 0);
        if (s)
            c->v[i] = noe_system_variant_new(s, e->m.name, e->m.names, noe_ensemble_member_step(e),
                                             noe_ensemble_member_until(e));
        if (!c->v[i]) break;
    }
    return c;
}

/* The values of member k as numbers; false where one is an expression. */
static bool numbers_of(const noe_ensemble *e, long k, quad *value)
{
    bool all = true;
    for (int i = 0; i < e->m.names && all; i++)
        all = noe_member_values_number(&e->m, k, i, &value[i]);
    return all;
}

/* The variant v with the values of member k; NULL: a value is no finite number, or the step, end or
 * start differs from that of the ensemble. */
static const noe_system *set(const noe_ensemble *e, noe_system_variant *v, long k)
{
    quad value[e->m.names], step, until;
    if (!v || !numbers_of(e, k, value) || !noe_system_variant_set(v, value, &step, &until))
        return NULL;
    return step == e->x.step && until == e->x.until && v->system->model->t0 == e->system->model->t0
             ? v->system
             : NULL;
}

static void write_rows(noe_ensemble *e, lane_group *c)
{
    for (int k = 0; k < c->count; k++)
        if (c->batch.going >> k & 1
            && !noe_ensemble_member_store_row(e, c->batch.g[k], c->batch.g[k], c->row, c->from + k,
                                              &c->balances[k]))
            noe_lane_batch_leave(&c->batch, k);
}

/* Counts the steps for the progress bar; those of a member that left the batch are subtracted,
 * because that member begins again alone. */
static void count(noe_ensemble *e, lane_group *c)
{
    const long now = (long)c->steps * __builtin_popcount(c->batch.going);
    noe_task_pool_progress_add(&e->progress, now - c->counted);
    c->counted = now;
}

static bool store_timed_row(void *ctx, int k, noe_integrator *at)
{
    lane_group *c = ctx;
    const long  member = c->from + k;
    return noe_ensemble_member_store_row(c->e, c->batch.g[k], at, c->e->end[member].rows, member,
                                         &c->balances[k]);
}

static void begin(noe_ensemble *e, lane_group *c, int task)
{
    const noe_system *s[NOE_LANE_BATCH];
    const long        from = (long)task * NOE_LANE_BATCH, left = e->m.count - from;
    bool              all = true;
    c->from = from;
    c->count = left < NOE_LANE_BATCH ? (int)left : NOE_LANE_BATCH;
    c->row = c->counted = 0;
    c->steps = 0;
    for (int i = 0; i < c->count; i++) c->balances[i] = (noe_balances){ 0, 0 };
    for (int i = 0; i < c->count && all; i++)
        all = (s[i] = set(e, c->v[i], from + i))
           || ((s[i] = c->own[i] = noe_ensemble_member_system(e, from + i))
               && noe_ensemble_member_same_times(e, s[i]));
    if (!all
        || !noe_lane_batch_make(&c->batch, s, c->count, e->x.method, e->x.step,
                                e->chosen[NOE_CHOSEN_SOLVER]))
        c->batch.going = 0;
    c->e = e, c->times.row = store_timed_row, c->times.ctx = c, c->times.ended = 0;
    if (!e->varies) write_rows(e, c);
    else if (c->batch.going
             && !noe_lane_times_begin(&c->times, &c->batch, e->x.method, e->x.step, e->x.until,
                                      &e->x.times))
        c->batch.going = 0;
}

static bool at_end(const noe_ensemble *e, const lane_group *c)
{
    return (!e->varies && c->steps >= e->steps) || !c->batch.going;
}

/* Steps that follow a monitor, until each member has arrived. */
static void monitored_slice(noe_ensemble *e, lane_group *c)
{
    long made = 0;
    for (int left = SLICE; left > 0 && c->batch.going; left--) {
        noe_lane_times_step(&c->times);
        made += __builtin_popcount(c->batch.going), c->steps++;
    }
    noe_task_pool_progress_add(&e->progress, made);
}

static void slice(noe_ensemble *e, lane_group *c)
{
    if (e->varies) {
        monitored_slice(e, c);
        return;
    }
    for (double left = SLICE; left > 0 && !at_end(e, c);) {
        const double due = fmin((double)(c->row + 1) * (double)e->job->every, e->steps),
                     more = fmin(left, due - c->steps);
        noe_lane_batch_advance(&c->batch, more);
        c->steps += more, left -= more;
        if (c->steps == due) c->row++, write_rows(e, c);
    }
    count(e, c);
}

/* Ends the batch of a lane group and frees the systems of its members. */
static void drop_members(lane_group *c)
{
    noe_lane_times_end(&c->times);
    noe_lane_batch_end(&c->batch);
    if (c->own[0]) { /* the engine states refer to the system that is freed */
        noe_lane_times_drop(&c->times);
        noe_lane_batch_drop(&c->batch);
    }
    for (int i = 0; i < NOE_LANE_BATCH; i++) noe_system_free(c->own[i]), c->own[i] = NULL;
}

/* Runs member k without lanes. */
static void run_alone(noe_ensemble *e, long k)
{
    if (noe_task_pool_interrupted(&e->progress)) return;
    __atomic_fetch_add(&e->singles, 1, __ATOMIC_RELAXED);
    noe_ensemble_member_run(e, k);
}

/* Ends a lane group; its members that left the batch, or could not begin in lanes, are then run
 * alone from the start. */
static void finish(noe_ensemble *e, lane_group *c)
{
    const unsigned ended = e->varies ? c->times.ended : c->batch.going;
    const bool     complete = e->varies || c->steps >= e->steps;
    for (int i = 0; i < c->count; i++) e->end[c->from + i].ended = complete && ended >> i & 1;
    const long from = c->from;
    const int  count = c->count;
    drop_members(c);
    noe_error_clear();
    pthread_mutex_lock(&e->lock);
    push(&e->unused, c);
    pthread_mutex_unlock(&e->lock);
    for (int i = 0; i < count; i++)
        if (!(ended >> i & 1)) run_alone(e, from + i);
}

/* Begins lane group number `task` in c (NULL: a new one).  NULL: there was no memory for a lane
 * group, and its members were run alone. */
static lane_group *fresh(noe_ensemble *e, lane_group *c, int task)
{
    if (c || (c = make(e))) return begin(e, c, task), c;
    noe_error_clear();
    for (long k = (long)task * NOE_LANE_BATCH;
         k < e->m.count && k < (long)(task + 1) * NOE_LANE_BATCH; k++)
        run_alone(e, k);
    return NULL;
}

/* Chooses the lane group for the next slice.  *hand: the lane group of the last slice or NULL; is
 * replaced by the chosen lane group.  True with *hand = NULL: the members of the chosen lane group
 * were run alone.  False: no work is left. */
static bool choose(noe_ensemble *e, lane_group **hand)
{
    pthread_mutex_lock(&e->lock);
    const int    left = e->groups - e->begun;
    const bool   last = left <= e->threads && e->threads > 1;
    lane_group **least = &e->waiting, *c = *hand, *other = NULL;
    int          task = -1;
    for (lane_group **x = &e->waiting; *x; x = &(*x)->next)
        if ((*x)->steps < (*least)->steps) least = x;
    if (left && (!c || (last && c->steps > 0))) task = e->begun++, other = pop(&e->unused);
    else if (*least && (!c || (*least)->steps < c->steps)) other = pop(least);
    if (c && (task >= 0 || other)) push(&e->waiting, c), c = NULL;
    pthread_mutex_unlock(&e->lock);
    *hand = task >= 0 ? fresh(e, other, task) : other ? other : c;
    return task >= 0 || *hand;
}

void noe_ensemble_lanes_run(void *ctx, int task)
{
    noe_ensemble *e = ctx;
    lane_group   *c = NULL;
    if (e->group_size == 1) run_alone(e, e->first_group + task);
    else
        while (!noe_task_pool_interrupted(&e->progress) && choose(e, &c)) {
            if (c) slice(e, c);
            if (c && at_end(e, c)) finish(e, c), c = NULL;
        }
    if (c) finish(e, c);
}

/* Frees all lane groups. */
static void free_groups(lane_group *c)
{
    for (lane_group *next; c; c = next) {
        next = c->next;
        drop_members(c);
        noe_lane_times_drop(&c->times);
        noe_lane_batch_drop(&c->batch);
        for (int i = 0; i < NOE_LANE_BATCH; i++) noe_system_variant_free(c->v[i]);
        free(c);
    }
}

void noe_ensemble_lanes_drop(noe_ensemble *e)
{
    free_groups(e->unused);
    free_groups(e->waiting);
}

const char *noe_ensemble_lanes_why_not(const noe_ensemble *e)
{
    if (e->events) return "events are heeded";
    if (e->timed && !(e->varies && e->x.method->parts <= 1)) return "rows are between the steps";
    return e->system->dyn.constraints ? "its starts are projected onto the constraints" : NULL;
}
