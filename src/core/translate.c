/* tape -> machine code: registers as a cache of the tape's slots.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/translate.h"

#include "base/status.h"
#include "core/assemble.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_TAPES = 6, MOST_LENGTH = 100000, /* instructions: beyond, code would come from far memory */
       BASE = NOE_RBX, BIAS = 8192,          /* offsets of one byte reach 8 KB to both sides */
       NEVER = INT32_MAX, AT_END = INT32_MAX - 1 };

struct noe_machine {
    noe_assembler            to;
    noe_machine_call *const *call;
    size_t                   entry[MOST_TAPES], size; /* where each begins, and 1: 0 is none */
    uint8_t                 *page; /* what runs */
};

typedef struct {
    noe_assembler  *to;
    const noe_tape *tape;
    const int      *place;
    const int32_t  *op;    /* of every instruction */
    int32_t        *after; /* [length][3]: when its operands, then [length][2]: when its results are read next */
    int32_t        *next;  /* of a slot: when its number is read next */
    int            *where; /* of a slot: its register, or -1 */
    int             slot[32]; /* of a register, or -1 */
    bool            dirty[32]; /* memory does not know it yet */
    int             registers, half; /* offset in a place */
} translator;

static int reads(int op) { return op == NOE_MULADD || op == NOE_SUBMUL ? 3 : op == NOE_SINCOS ? 1 : noe_arity((noe_op)op); }

static int32_t *results_after(const translator *x, int k) { return x->after + 3 * (size_t)x->tape->length + 2 * (size_t)k; }

/* From the end to the beginning: when every number is read next. */
static void look_ahead(translator *x)
{
    const noe_tape *t = x->tape;
    for (int i = 0; i < t->slots; i++) x->next[i] = NEVER;
    for (int o = 0; o < t->outputs; o++) x->next[t->out[o]] = AT_END;
    for (int k = t->length; k-- > 0;) {
        const noe_ins i = t->ins[k];
        const int     in[3] = { i.a, i.b, i.c }, n = reads(x->op[k]);
        int32_t      *result = results_after(x, k);
        result[0] = x->next[i.d], x->next[i.d] = NEVER;
        if (x->op[k] == NOE_SINCOS) result[1] = x->next[i.c], x->next[i.c] = NEVER;
        for (int j = 0; j < n; j++) x->after[3 * k + j] = x->next[in[j]];
        for (int j = 0; j < n; j++) x->next[in[j]] = k;
    }
}

static noe_operand in(int reg) { return (noe_operand){ false, reg, 0 }; }
static noe_operand memory(const translator *x, int slot)
{
    return (noe_operand){ true, BASE, x->place[slot] + x->half - BIAS };
}

static void forget(translator *x, int reg)
{
    if (x->slot[reg] >= 0) x->where[x->slot[reg]] = -1;
    x->slot[reg] = -1;
    x->dirty[reg] = false;
}

static void write_back(translator *x, int reg)
{
    if (x->dirty[reg] && x->next[x->slot[reg]] != NEVER) noe_x_vector(x->to, NOE_X_STORE, reg, 0, memory(x, x->slot[reg]));
    x->dirty[reg] = false;
}

/* A register that holds nothing, or -1. */
static int idle(const translator *x)
{
    for (int r = 0; r < x->registers; r++)
        if (x->slot[r] < 0) return r;
    return -1;
}

/* A register for a new number: an idle one, or that of the number needed last; none of the three. */
static int fresh(translator *x, int a, int b, int c)
{
    int best = idle(x);
    if (best >= 0) return best;
    for (int r = 0; r < x->registers; r++)
        if (r != a && r != b && r != c && (best < 0 || x->next[x->slot[r]] > x->next[x->slot[best]])) best = r;
    write_back(x, best);
    forget(x, best);
    return best;
}

static void hold(translator *x, int reg, int slot, bool dirty)
{
    x->slot[reg] = slot, x->where[slot] = reg, x->dirty[reg] = dirty;
}

/* An operand in a register, and not in those of two others. */
static int load(translator *x, int slot, int a, int b)
{
    if (x->where[slot] >= 0) return x->where[slot];
    const int r = fresh(x, a, b, -1);
    noe_x_vector(x->to, NOE_X_LOAD, r, 0, memory(x, slot));
    hold(x, r, slot, false);
    return r;
}

/* An operand from its register or from memory; there it goes to a register first if it is read again and one is idle. */
static noe_operand operand(translator *x, int slot, int32_t again)
{
    if (x->where[slot] < 0 && (again >= AT_END || idle(x) < 0)) return memory(x, slot);
    return in(load(x, slot, -1, -1));
}

/* The operands of instruction k have been read, d holds its result. */
static void done(translator *x, int k, int d)
{
    const noe_ins  i = x->tape->ins[k];
    const int      of[3] = { i.a, i.b, i.c }, n = reads(x->op[k]);
    const int32_t *again = x->after + 3 * (size_t)k;
    for (int j = 0; j < n; j++) {
        x->next[of[j]] = again[j];
        if (again[j] == NEVER && x->where[of[j]] >= 0) forget(x, x->where[of[j]]);
    }
    if (x->where[i.d] >= 0) forget(x, x->where[i.d]);
    x->next[i.d] = results_after(x, k)[0];
    if (d >= 0) hold(x, d, i.d, true);
    if (x->op[k] == NOE_SINCOS) x->next[i.c] = results_after(x, k)[1];
}

static bool is(const translator *x, int slot, int constant) { return slot == x->tape->inputs + constant; }
enum { ONE, MINUS_ONE, MINUS_ZERO }; /* lang/tape.h */

/* a b + c, or c - a b where that is the operation. */
static void fused(translator *x, int k)
{
    const noe_ins  i = x->tape->ins[k];
    const int32_t *again = x->after + 3 * (size_t)k;
    const bool     mirror = x->op[k] == NOE_SUBMUL, unit = is(x, i.b, ONE) || is(x, i.b, MINUS_ONE);
    const bool     swap = unit || (!is(x, i.a, ONE) && !is(x, i.a, MINUS_ONE) && x->where[i.a] < 0 && x->where[i.b] >= 0);
    const int      a = swap ? i.b : i.a, b = swap ? i.a : i.b, of_b = swap ? 0 : 1;
    int            d;
    if (is(x, a, ONE) || is(x, a, MINUS_ONE)) {
        const int         c = load(x, i.c, x->where[b], -1);
        const noe_operand y = operand(x, b, again[of_b]);
        d = fresh(x, c, y.memory ? -1 : y.reg, -1);
        noe_x_vector(x->to, mirror == is(x, a, ONE) ? NOE_X_SUB : NOE_X_ADD, d, c, y);
    } else {
        const int         left = load(x, a, x->where[b], x->where[i.c]);
        const noe_operand right = operand(x, b, again[of_b]);
        const bool        product = !mirror && is(x, i.c, MINUS_ZERO);
        const int         c = mirror ? load(x, i.c, left, right.memory ? -1 : right.reg) : -1;
        const noe_operand sum = mirror || product ? in(c) : operand(x, i.c, again[2]);
        d = fresh(x, left, right.memory ? -1 : right.reg, sum.memory ? -1 : sum.reg);
        noe_x_vector(x->to, NOE_X_MUL, d, left, right);
        if (mirror) noe_x_vector(x->to, NOE_X_SUB, d, c, in(d));
        else if (!product) noe_x_vector(x->to, NOE_X_ADD, d, d, sum);
    }
    done(x, k, d);
}

static void divide(translator *x, int k)
{
    const noe_ins     i = x->tape->ins[k];
    const int         a = load(x, i.a, x->where[i.b], -1);
    const noe_operand b = operand(x, i.b, x->after[3 * (size_t)k + 1]);
    const int         d = fresh(x, a, b.memory ? -1 : b.reg, -1);
    noe_x_vector(x->to, NOE_X_DIV, d, a, b);
    done(x, k, d);
}

static void root(translator *x, int k)
{
    const noe_operand a = operand(x, x->tape->ins[k].a, x->after[3 * (size_t)k]);
    const int         d = fresh(x, a.memory ? -1 : a.reg, -1, -1);
    noe_x_vector(x->to, NOE_X_SQRT, d, 0, a);
    done(x, k, d);
}

/* Sums and products, quotients and roots are instructions, all else is called. */
static bool translated(int op) { return op == NOE_MULADD || op == NOE_SUBMUL || op == NOE_DIV || op == NOE_FN_sqrt; }

static void call(translator *x, int k, noe_machine_call *f, const noe_ins *code)
{
    noe_x_address(x->to, NOE_RDI, BASE, -BIAS);
    noe_x_number(x->to, NOE_RSI, (uint64_t)(uintptr_t)(code + k));
    noe_x_number(x->to, NOE_RDX, (uint64_t)(uintptr_t)x->tape);
    noe_x_number(x->to, NOE_RAX, (uint64_t)(uintptr_t)f);
    noe_x_call(x->to, NOE_RAX);
    done(x, k, -1);
}

/* Instructions from .. to-1, none of which is a call, from memory to memory. */
static void stretch(translator *x, int from, int to)
{
    for (int k = to; k-- > from;) { /* as it was before them */
        const noe_ins i = x->tape->ins[k];
        const int     of[3] = { i.a, i.b, i.c };
        for (int j = reads(x->op[k]); j-- > 0;) x->next[of[j]] = k;
    }
    for (int r = 0; r < x->registers; r++) x->slot[r] = -1, x->dirty[r] = false;
    for (int k = from; k < to; k++) {
        if (x->op[k] == NOE_DIV) divide(x, k);
        else if (x->op[k] == NOE_FN_sqrt) root(x, k);
        else fused(x, k);
    }
    for (int r = 0; r < x->registers; r++) write_back(x, r), forget(x, r);
}

static void translate(translator *x, noe_machine_call *const *f, const noe_ins *code)
{
    const int length = x->tape->length, halves = x->to->wide ? 1 : 2;
    noe_x_push(x->to, BASE);
    noe_x_address(x->to, BASE, NOE_RDI, BIAS);
    for (int k = 0, end; k < length; k = end) {
        for (end = k; end < length && translated(x->op[end]); end++) {}
        for (int half = 0; half < halves; half++) {
            x->half = 32 * half;
            stretch(x, k, end);
        }
        for (; end < length && !translated(x->op[end]); end++) call(x, end, f[x->op[end]], code);
    }
    noe_x_pop(x->to, BASE);
    noe_x_return(x->to);
}

noe_machine *noe_machine_new(int level, noe_machine_call *const *call)
{
    noe_machine *m = noe_alloc(1, sizeof *m);
    if (m) m->to.wide = level > 1, m->call = call;
    return m;
}

bool noe_machine_add(noe_machine *m, int number, const noe_tape *t, const int *place, const noe_ins *code)
{
    const size_t length = (size_t)t->length, slots = (size_t)t->slots;
    if (t->length > MOST_LENGTH) return true;
    int32_t *room = noe_alloc(6 * length + 2 * slots + 1, sizeof *room), *op = room;
    if (!room) return false;
    translator x = { .to = &m->to, .tape = t, .place = place, .op = op, .after = room + length, .next = room + 6 * length,
                     .where = room + 6 * length + slots, .registers = m->to.wide ? 32 : 16 };
    for (int r = 0, k = 0; r < t->runs; r++)
        for (int i = 0; i < t->run[r].count; i++) op[k++] = t->run[r].op;
    for (int i = 0; i < t->slots; i++) x.where[i] = -1;
    look_ahead(&x);
    m->entry[number] = m->to.used + 1;
    translate(&x, m->call, code);
    free(room);
    if (m->to.failed) noe_fail(NOE_NO_MEMORY, "out of memory: %zu bytes of machine code wanted", m->to.used);
    return !m->to.failed;
}

void noe_machine_seal(noe_machine *m)
{
    const size_t size = m->to.used;
    void        *page = size ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    if (page != MAP_FAILED) memcpy(page, m->to.byte, size);
    free(m->to.byte);
    m->to.byte = NULL;
    if (page == MAP_FAILED) return;
    if (mprotect(page, size, PROT_READ | PROT_EXEC)) munmap(page, size);
    else m->page = page, m->size = size;
}

noe_machine_code *noe_machine_at(const noe_machine *m, int number)
{
    union { /* ISO C has no cast from an object to a function */
        uint8_t          *from;
        noe_machine_code *to;
    } x = { m && m->page && m->entry[number] ? m->page + m->entry[number] - 1 : NULL };
    return x.to;
}

size_t noe_machine_size(const noe_machine *m) { return m ? m->size : 0; }

void noe_machine_free(noe_machine *m)
{
    if (!m) return;
    if (m->page) munmap(m->page, m->size);
    free(m->to.byte);
    free(m);
}
