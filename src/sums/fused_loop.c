/* Translates forces, kick and drift of a splitting to one loop of machine code.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The operations are the programs of the terms, shifts of their outputs, sums of forces, kick and
 * drift. */
#include "sums/fused_loop.h"

#include "number/lanes.h"

#include <stdlib.h>
#include <string.h>

enum {
    CARRIED = 6,   /* most values that are carried to the next iteration */
    LONGEST = 200, /* most operations; longer loops would keep their numbers in memory */
    CELL = 64      /* bytes of a cell: one register */
};

/* Slots and operations at most, besides those of the groups' programs. */
enum {
    SHARED_SLOTS = 3,                   /* kick, drift and bytes */
    FAMILY_SLOTS = NOE_FUSED_STATE + 2, /* its state; p and v of kick_and_drift(), */
    FAMILY_OPERATIONS = 5,              /* whose operations these are */
    /* For each output: pointer and joined vector of join(); masked, previous and joined value of
     * at_its_sites(); the sum.  Two of these, the pointer and the previous value, need none. */
    OUTPUT_SLOTS = 6,
    OUTPUT_OPERATIONS = 4
};

typedef struct {
    const noe_sums                 *g;         /* the system */
    const noe_block_program *const *program;   /* [groups] programs of the forces */
    noe_fused_loop                 *f;         /* receives the loop */
    noe_loop_writer                *to;        /* receives the machine code */
    noe_register_step              *operation; /* [operations] on slots */
    bool *pointed;                         /* [slots]: in memory at its pointer, not in its cell */
    int  *uses;                            /* [slots] readers of each */
    int  *out;                             /* [outs] slots of the outputs */
    int   carried[CARRIED], from[CARRIED]; /* [carries] slots that the next iteration reads, from */
    /* numbers of operations, of outputs, of values carried to the next iteration */
    int operations, outs, carries;
} fuser;

static int new_cell(fuser *x) { return x->f->slots++; }

/* A new slot that is in memory at its pointer, not in its cell. */
static int new_pointed(fuser *x)
{
    x->pointed[x->f->slots] = true;
    return x->f->slots++;
}

static void do_into(fuser *x, noe_form form, int d, int a, int b, int c, int by)
{
    x->operation[x->operations++] = (noe_register_step){ form, d, a, b, c, -1, by };
}

static int do_new(fuser *x, noe_form form, int a, int b, int c, int by)
{
    const int d = new_cell(x);
    do_into(x, form, d, a, b, c, by);
    return d;
}

/* Sets the distances `ahead` of the coordinates of a term, from the longest run; false: they are
 * LANES sites apart or more. */
static bool shifts(const fuser *x, int k)
{
    const noe_sum_group *group = &x->g->group[k];
    const noe_terms     *t = &group->terms;
    int64_t              least = INT64_MAX, run = 0;
    for (int64_t r = 1; r < t->runs; r++)
        if (t->count[r] > t->count[run]) run = r;
    for (int pass = 0; pass < 2; pass++)
        for (int s = 0; s < t->slots; s++) {
            if (t->kind[s] != NOE_ARGUMENT_COORDINATE) continue;
            const int64_t at = t->base[run * t->slots + s] - x->g->family[t->family[s]].first;
            if (!pass) least = at < least ? at : least;
            else if (at - least >= LANES) return false;
            else x->f->group[k].ahead[s] = (int)(at - least);
        }
    return true;
}

/* Replaces coordinates that are ahead of others of their family by joined vectors: eight sites
 * and the eight that follow.  False: too many values to carry. */
static bool join(fuser *x, int k, int *as)
{
    const noe_terms *t = &x->g->group[k].terms;
    noe_fused_sum   *to = &x->f->group[k];
    for (int s = 0; s < t->slots; s++) {
        to->next[s] = -1;
        if (t->kind[s] != NOE_ARGUMENT_COORDINATE || to->ahead[s]) continue;
        const int own = to->first + noe_tape_input(NOE_Q, s, t->slots);
        for (int i = 0; i < t->slots; i++) {
            if (t->kind[i] != NOE_ARGUMENT_COORDINATE || t->family[i] != t->family[s]
                || !to->ahead[i])
                continue;
            if (to->next[s] < 0) {
                if (x->carries == CARRIED) return false;
                x->carried[x->carries] = own, x->from[x->carries++] = to->next[s] = new_pointed(x);
            }
            as[noe_tape_input(NOE_Q, i, t->slots)] = do_new(x, NOE_JOINED, own, to->next[s], -1,
                                                            to->ahead[i]);
        }
    }
    return true;
}

/* Appends the operations of a group's program; false: it calls a function. */
static bool terms(fuser *x, int k)
{
    const noe_block_program *p = x->program[k];
    noe_fused_sum           *to = &x->f->group[k];
    int *const               as = to->put; /* for each slot of the program its slot here */
    if (x->operations + p->length > LONGEST) return false;
    to->first = x->f->slots;
    x->f->slots += p->slots;
    for (int i = 1; i < p->inputs; i++) x->pointed[to->first + i] = true;
    to->mask = new_pointed(x);
    for (int i = 0; i < p->slots; i++) as[i] = to->first + i;
    if (!join(x, k, as)) return false;
    for (int i = 0; i < p->length; i++) {
        noe_register_step s = noe_block_loop_register_step(p->ins[i]);
        int *const        of[] = { &s.d, &s.a, &s.b, &s.c };
        if (s.form == NOE_CALLED) return false;
        for (int j = 0; j < 4; j++)
            if (*of[j] >= 0) *of[j] = as[*of[j]];
        x->operation[x->operations++] = s;
    }
    for (int i = 0; i < p->slots; i++) to->put[i] = 0;
    return true;
}

/* Returns the slot with output o of a group at the sites it acts on, 0 where there is no term;
 * -1: too many values to carry. */
static int at_its_sites(fuser *x, int k, int o)
{
    const noe_fused_sum *group = &x->f->group[k];
    const int            slot = x->program[k]->out[o], by = group->ahead[x->g->group[k].to[o]];
    if (!group->put[slot])
        group->put[slot] = do_new(x, NOE_BITS_OF_BOTH, group->first + slot, group->mask, -1, 0);
    const int f = group->put[slot];
    if (!by) return f;
    if (x->carries == CARRIED) return -1;
    const int before = x->carried[x->carries] = new_cell(x);
    x->from[x->carries++] = f;
    return do_new(x, NOE_JOINED, before, f, -1, LANES - by);
}

/* Returns the slot with the sum of the forces on a family in the order of gather_forces.h, or of
 * its negative; -1: not possible. */
static int force_on(fuser *x, int family, bool *minus)
{
    int sum = -1;
    for (int k = 0; k < x->g->groups; k++)
        for (int o = 0; x->program[k] && o < x->program[k]->outputs; o++) {
            if (x->g->group[k].terms.family[x->g->group[k].to[o]] != family) continue;
            if (x->program[k]->out[o] < x->program[k]->inputs + x->program[k]->constants) return -1;
            const int  f = at_its_sites(x, k, o);
            const bool less = x->program[k]->minus[o];
            if (f < 0) return -1;
            if (sum < 0) sum = f, *minus = less;
            else sum = do_new(x, less == *minus ? NOE_SUM_OF : NOE_DIFFERENCE_OF, sum, f, -1, 0);
        }
    return sum;
}

static bool kick_and_drift(fuser *x, int family)
{
    const int state = x->f->state + family * NOE_FUSED_STATE;
    bool      minus = false;
    const int F = force_on(x, family, &minus), w = state + NOE_FUSED_NEW_W,
              u = state + NOE_FUSED_NEW_U, q = state + NOE_FUSED_NEW_Q;
    if (F < 0) return false;
    do_into(x, minus ? NOE_MULTIPLY_LESS : NOE_MULTIPLY_ADD, w, F, x->f->kick, state + NOE_FUSED_W,
            0);
    const int p = do_new(x, NOE_SUM_OF, w, state + NOE_FUSED_P, -1, 0),
              v = do_new(x, NOE_PRODUCT_OF, p, state + NOE_FUSED_M, -1, 0);
    do_into(x, NOE_MULTIPLY_ADD, u, v, x->f->drift, state + NOE_FUSED_U, 0);
    do_into(x, NOE_SUM_OF, q, u, state + NOE_FUSED_Q, -1, 0);
    x->out[x->outs++] = w, x->out[x->outs++] = u, x->out[x->outs++] = q;
    return true;
}

static bool operations_of(fuser *x)
{
    for (int k = 0; k < x->g->groups; k++)
        if (x->program[k] && (!shifts(x, k) || !terms(x, k))) return false;
    x->f->kick = new_cell(x), x->f->drift = new_cell(x), x->f->bytes = new_cell(x);
    x->f->state = x->f->slots;
    for (int i = 0; i < x->g->families * NOE_FUSED_STATE; i++) new_pointed(x);
    for (int f = 0; f < x->g->families; f++)
        if (!kick_and_drift(x, f)) return false;
    for (int i = 0; i < x->carries; i++)
        do_into(x, NOE_CARRIED, x->carried[i], x->from[i], -1, -1, 0);
    return true;
}

/* Chooses the slots that are kept in registers: the carried ones, then those that are read most
 * often. */
static int choose_pins(fuser *x, int *pin)
{
    int count = 0;
    for (; count < x->carries; count++) pin[count] = x->carried[count], x->uses[pin[count]] = 0;
    for (int i = 0; i < x->f->slots; i++)
        if (x->pointed[i]) x->uses[i] = 0;
    return noe_loop_writer_most_read(x->to, x->uses, 0, x->f->slots, pin, count);
}

/* Counts how often a slot is read; -1: an operation computes it. */
static void count_uses(fuser *x)
{
    for (int i = 0; i < x->f->slots; i++) x->uses[i] = 0;
    for (int k = 0; k < x->operations; k++) {
        const int in[] = { x->operation[k].a, x->operation[k].b, x->operation[k].c };
        for (int j = 0; j < 3; j++)
            if (in[j] >= 0) x->uses[in[j]]++;
    }
    for (int k = 0; k < x->operations; k++)
        if (x->operation[k].form != NOE_CARRIED) x->uses[x->operation[k].d] = -1;
    for (int s = x->f->state; s < x->f->state + x->g->families * NOE_FUSED_STATE;
         s += NOE_FUSED_STATE)
        x->uses[s + NOE_FUSED_NEW_Q] = x->uses[s + NOE_FUSED_NEW_W] = 1;
}

/* Writes the function and returns its offset; both: with a first loop without masks. */
static size_t assemble(fuser *x, bool both)
{
    int          pin[NOE_LOOP_PINS];
    const size_t entry = noe_loop_writer_function(x->to);
    count_uses(x);
    for (int i = 0; i < x->f->slots; i++) {
        if (!x->pointed[i]) noe_loop_writer_in_store(x->to, i, CELL * i);
        else noe_loop_writer_in_array(x->to, i);
        if (x->pointed[i] && x->uses[i] > 0) noe_loop_writer_point(x->to, i);
    }
    for (int s = x->f->state; s < x->f->state + x->g->families * NOE_FUSED_STATE;
         s += NOE_FUSED_STATE)
        noe_loop_writer_same_place(x->to, s + NOE_FUSED_NEW_U, s + NOE_FUSED_U);
    noe_loop_writer_enter(x->to, pin, choose_pins(x, pin));
    if (both) {
        noe_loop_writer_loop(x->to, 0, x->operations, true);
        noe_loop_writer_bytes_from_store(x->to, CELL * x->f->bytes);
    }
    noe_loop_writer_loop(x->to, 0, x->operations, false);
    noe_loop_writer_leave(x->to);
    return entry;
}

/* NOETHER_FUSED=no leaves the loop out, for measurements and tests. */
static bool is_left_out(void)
{
    const char *ask = getenv("NOETHER_FUSED");
    return ask && !strcmp(ask, "no");
}

bool noe_fused_loop_make(noe_fused_loop *to, const noe_sums *g,
                         const noe_block_program *const *program, noe_arena *arena)
{
    size_t slots = SHARED_SLOTS + (size_t)g->families * FAMILY_SLOTS, outputs = 0,
           operations = FAMILY_OPERATIONS * (size_t)g->families;
    *to = (noe_fused_loop){ .group = noe_arena_take(arena,
                                                    (size_t)g->groups * sizeof *to->group + 1) };
    if (!to->group) return false;
    if (is_left_out()) return true;
    for (int k = 0; k < g->groups; k++) {
        if (!program[k]) continue;
        slots += (size_t)program[k]->slots + 1;
        outputs += (size_t)g->group[k].terms.slots;
        operations += (size_t)program[k]->length;
        to->group[k].ahead = noe_arena_take(arena, (size_t)g->group[k].terms.slots * sizeof(int));
        to->group[k].next = noe_arena_take(arena, (size_t)g->group[k].terms.slots * sizeof(int));
        to->group[k].put = noe_arena_take(arena, (size_t)program[k]->slots * sizeof(int));
        if (!to->group[k].ahead || !to->group[k].next || !to->group[k].put) return false;
        for (int i = 0; i < program[k]->slots; i++) to->group[k].put[i] = 0;
    }
    /* outputs are not more than slots of terms */
    slots += OUTPUT_SLOTS * outputs, operations += OUTPUT_OPERATIONS * outputs + CARRIED;
    fuser x = { .g = g,
                .program = program,
                .f = to,
                .to = noe_loop_writer_new(arena, 2, (int)operations, (int)slots),
                .operation = noe_arena_take(arena, operations * sizeof *x.operation),
                .pointed = noe_arena_take(arena, slots * sizeof *x.pointed),
                .uses = noe_arena_take(arena, slots * sizeof *x.uses),
                .out = noe_arena_take(arena, slots * sizeof *x.out) };
    if (!x.to || !x.operation || !x.pointed || !x.uses || !x.out) return false;
    for (size_t i = 0; i < slots; i++) x.pointed[i] = false;
    if (!operations_of(&x)) return true;
    noe_loop_writer_begin(x.to, x.operation, x.operations, to->slots, x.out, x.outs);
    assemble(&x, false);
    const size_t whole = assemble(&x, true);
    const bool   ok = noe_loop_writer_seal(x.to, &to->page, &to->size);
    to->run = noe_loop_writer_at(x.to, 0), to->whole = noe_loop_writer_at(x.to, whole);
    return ok;
}

void noe_fused_loop_free(noe_fused_loop *f) { noe_loop_writer_free(f->page, f->size); }
