/* Orders the operations of a tape so that equal operations form long runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tape/run_schedule.h"

typedef struct {
    noe_graph     *g;          /* the graph */
    noe_arena     *arena;      /* memory of the arrays */
    noe_operation *operation;  /* [operations] the operations */
    int            operations; /* number of operations */
    int           *maker;      /* [nodes] number of the operation that computes a node, -1: none */
    int *reader, *first; /* operations that read the result of operation i: reader[first[i] ..] */
    struct {
        int head, tail, count; /* list of the operations whose operands are all computed */
        int waiting;           /* number of the other operations of this kind */
    } ready[NOE_OPS];          /* by kind of operation */
} scheduler;

static void *take(scheduler *s, size_t n, size_t size)
{
    return noe_arena_need(s->arena, s->g->stop, n, size);
}

/* Lists the readers of every operation: counts them, then fills them in. */
static void link(scheduler *s)
{
    const int n = s->operations;
    int      *first = s->first = take(s, (size_t)n + 2, sizeof *first);
    for (int fill = 0; fill < 2; fill++) {
        for (int k = 0; k < n; k++)
            for (int i = 0; i < s->operation[k].arity; i++) {
                const noe_ex x = s->operation[k].in[i];
                if (x < 0 || s->maker[x] < 0) continue;
                const int from = s->maker[x];
                if (fill) s->reader[first[from + 1]++] = k, s->operation[k].waits++;
                else first[from + 2]++;
            }
        /* first[i + 1] has moved on to the end of i, which is the beginning of i + 1 */
        if (fill) break;
        for (int k = 2; k < n + 2; k++) first[k] += first[k - 1];
        s->reader = take(s, (size_t)first[n + 1], sizeof *s->reader);
    }
}

static void put(scheduler *s, int k)
{
    const noe_op op = s->operation[k].op;
    if (s->ready[op].count++) s->operation[s->ready[op].tail].next = k;
    else s->ready[op].head = k;
    s->ready[op].tail = k;
    s->ready[op].waiting--;
}

/* The next operation: of the same kind while one is ready, then of the kind of which fewest are not
 * ready, since that kind can be completed soonest. */
static int get(scheduler *s, int *kind)
{
    if (!s->ready[*kind].count) {
        int best = -1;
        for (int i = 0; i < NOE_OPS; i++)
            if (s->ready[i].count && (best < 0 || s->ready[i].waiting < s->ready[best].waiting))
                best = i;
        *kind = best;
    }
    const int k = s->ready[*kind].head;
    s->ready[*kind].head = s->operation[k].next;
    s->ready[*kind].count--;
    return k;
}

noe_operation *noe_run_schedule_make(noe_graph *g, noe_arena *arena, const noe_ex *list, int count,
                                     const noe_ex *root, int roots, int *operations)
{
    scheduler s = { .g = g, .arena = arena };
    int       kind = NOE_NUM;
    s.operation = take(&s, (size_t)count, sizeof *s.operation);
    s.maker = take(&s, (size_t)g->count, sizeof *s.maker);
    s.operations = noe_multiply_add_make(g, arena, list, count, root, roots, s.operation, s.maker);
    link(&s);
    noe_operation *out = take(&s, (size_t)s.operations, sizeof *out);
    for (int k = s.operations; k-- > 0;) {
        s.ready[s.operation[k].op].waiting++;
        if (!s.operation[k].waits) put(&s, k);
    }
    for (int done = 0; done < s.operations; done++) {
        const int k = get(&s, &kind);
        out[done] = s.operation[k];
        for (int i = s.first[k]; i < s.first[k + 1]; i++)
            if (!--s.operation[s.reader[i]].waits) put(&s, s.reader[i]);
    }
    *operations = s.operations;
    return out;
}
