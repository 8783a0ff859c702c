/* Register allocation: operations on the slots of a tape become instructions on registers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "jit/register_allocator.h"

#include "jit/sine_code.h"

enum { A, B, C, D, E, OPERANDS, TAKEN = -2 /* a register in use by something that is no slot */ };

void noe_register_allocator_begin(noe_register_allocator *x, int32_t *scratch, const int *out,
                                  int outs)
{
    x->after = scratch;
    x->next = scratch + OPERANDS * (size_t)x->steps, x->where = x->next + x->slots;
    x->registers = x->all = x->to->wide ? 32 : 16, x->half = 0;
    for (int i = 0; i < x->slots; i++) x->next[i] = NOE_NEVER, x->where[i] = -1;
    for (int o = 0; o < outs; o++) x->next[out[o]] = NOE_USED_AT_END;
    for (int k = x->steps; k-- > 0;) {
        const noe_register_step s = x->step[k];
        const int               in[] = { s.a, s.b, s.c };
        int32_t                *after = x->after + OPERANDS * (size_t)k;
        after[D] = x->next[s.d], x->next[s.d] = NOE_NEVER;
        if (s.e >= 0) after[E] = x->next[s.e], x->next[s.e] = NOE_NEVER;
        for (int j = 0; j < 3; j++)
            if (in[j] >= 0) after[j] = x->next[in[j]];
        for (int j = 0; j < 3; j++)
            if (in[j] >= 0) x->next[in[j]] = k;
    }
    for (int r = 0; r < 32; r++) x->slot[r] = -1, x->dirty[r] = false;
}

static noe_operand memory(const noe_register_allocator *x, int slot)
{
    noe_operand p = x->place[slot];
    p.at += x->half;
    if (p.reg < 0) {
        noe_assembler_fetch(x->to, NOE_RAX, x->pointer_base, 8 * slot);
        p.reg = NOE_RAX;
    }
    return p;
}

static void forget(noe_register_allocator *x, int reg)
{
    if (x->slot[reg] >= 0) x->where[x->slot[reg]] = -1;
    x->slot[reg] = -1;
    x->dirty[reg] = false;
}

static void write_back(noe_register_allocator *x, int reg)
{
    if (x->dirty[reg] && x->next[x->slot[reg]] != NOE_NEVER)
        noe_assembler_vector(x->to, NOE_X_STORE, reg, 0, memory(x, x->slot[reg]));
    x->dirty[reg] = false;
}

/* A register without a number, or -1. */
static int free_register(const noe_register_allocator *x)
{
    for (int r = 0; r < x->registers; r++)
        if (x->slot[r] == -1) return r;
    return -1;
}

/* A register for a new number: a free one, or that of the number whose next use is farthest, but
 * none of a, b, c. */
static int fresh(noe_register_allocator *x, int a, int b, int c)
{
    int best = free_register(x);
    if (best >= 0) return best;
    for (int r = 0; r < x->registers; r++)
        if (r != a && r != b && r != c && x->slot[r] != TAKEN
            && (best < 0 || x->next[x->slot[r]] > x->next[x->slot[best]]))
            best = r;
    write_back(x, best);
    forget(x, best);
    return best;
}

static void hold(noe_register_allocator *x, int reg, int slot, bool dirty)
{
    x->slot[reg] = slot, x->where[slot] = reg, x->dirty[reg] = dirty;
}

/* The register of a slot, loaded if necessary; not into the registers a and b. */
static int load(noe_register_allocator *x, int slot, int a, int b)
{
    if (x->where[slot] >= 0) return x->where[slot];
    const int r = fresh(x, a, b, -1);
    noe_assembler_vector(x->to, NOE_X_LOAD, r, 0, memory(x, slot));
    hold(x, r, slot, false);
    return r;
}

/* Should an instruction take the slot from memory? Not if it is read next_use and a register is
 * free. */
static bool takes_from_memory(const noe_register_allocator *x, int slot, int32_t next_use)
{
    return x->where[slot] < 0 && (next_use >= NOE_USED_AT_END || free_register(x) < 0);
}

void noe_register_allocator_pin(noe_register_allocator *x, const int *slot, int slots)
{
    for (int i = 0; i < slots; i++) {
        const int r = --x->registers;
        noe_assembler_vector(x->to, NOE_X_LOAD, r, 0, memory(x, slot[i]));
        hold(x, r, slot[i], false);
    }
}

void noe_register_allocator_unpin(noe_register_allocator *x)
{
    while (x->registers < x->all) forget(x, x->registers++);
}

/* d <- a op b, a in a register, b in a register or memory. Returns the register of d. */
static int two(noe_register_allocator *x, noe_opcode op, int a, int b, int32_t next_use)
{
    const int  left = load(x, a, x->where[b], -1);
    const bool from_memory = takes_from_memory(x, b, next_use);
    const int  right = from_memory ? -1 : load(x, b, left, -1), d = fresh(x, left, right, -1);
    noe_assembler_vector(x->to, op, d, left,
                         from_memory ? memory(x, b) : noe_assembler_in_register(right));
    return d;
}

/* a b + c, or c - a b. */
static int three(noe_register_allocator *x, const noe_register_step *s, int a, int b,
                 const int32_t *next_use, int32_t next_use_b)
{
    const bool mirror = s->form == NOE_MULTIPLY_LESS;
    const int  left = load(x, a, x->where[b], x->where[s->c]);
    const bool far_b = takes_from_memory(x, b, next_use_b);
    const int  right = far_b ? -1 : load(x, b, left, x->where[s->c]);
    const bool far_c = !mirror && takes_from_memory(x, s->c, next_use[C]);
    const int  third = far_c ? -1 : load(x, s->c, left, right), d = fresh(x, left, right, third);
    noe_assembler_vector(x->to, NOE_X_MUL, d, left,
                         far_b ? memory(x, b) : noe_assembler_in_register(right));
    if (mirror) noe_assembler_vector(x->to, NOE_X_SUB, d, third, noe_assembler_in_register(d));
    else
        noe_assembler_vector(x->to, NOE_X_ADD, d, d,
                             far_c ? memory(x, s->c) : noe_assembler_in_register(third));
    return d;
}

static int root(noe_register_allocator *x, int a, int32_t next_use)
{
    const bool from_memory = takes_from_memory(x, a, next_use);
    const int  r = from_memory ? -1 : load(x, a, -1, -1), d = fresh(x, r, -1, -1);
    noe_assembler_vector(x->to, NOE_X_SQRT, d, 0,
                         from_memory ? memory(x, a) : noe_assembler_in_register(r));
    return d;
}

static int copied(noe_register_allocator *x, int a)
{
    const int r = load(x, a, -1, -1), d = fresh(x, r, -1, -1);
    noe_assembler_vector(x->to, NOE_X_LOAD, d, 0, noe_assembler_in_register(r));
    return d;
}

static int joined(noe_register_allocator *x, const noe_register_step *s)
{
    const int a = load(x, s->a, x->where[s->b], -1), b = load(x, s->b, a, -1),
              d = fresh(x, a, b, -1);
    noe_assembler_join(x->to, d, b, a, s->by);
    return d;
}

/* The operands of step k have been read. */
static void been_read(noe_register_allocator *x, int k)
{
    const noe_register_step s = x->step[k];
    const int               of[] = { s.a, s.b, s.c };
    const int32_t          *next_use = x->after + OPERANDS * (size_t)k;
    for (int j = 0; j < 3; j++) {
        if (of[j] < 0) continue;
        const int r = x->where[of[j]];
        x->next[of[j]] = next_use[j];
        if (next_use[j] == NOE_NEVER && r >= 0 && r < x->registers) forget(x, r);
    }
}

/* The operands of step k have been read, and register d holds its result. */
static void done(noe_register_allocator *x, int k, int d)
{
    const noe_register_step s = x->step[k];
    const int32_t          *next_use = x->after + OPERANDS * (size_t)k;
    been_read(x, k);
    if (x->where[s.d] >= 0) forget(x, x->where[s.d]);
    x->next[s.d] = next_use[D];
    hold(x, d, s.d, true);
}

/* Sine and cosine to fresh registers, with some more for scratch. */
static void sines(noe_register_allocator *x, int k)
{
    const noe_register_step s = x->step[k];
    const int32_t          *next_use = x->after + OPERANDS * (size_t)k;
    const int               a = load(x, s.a, -1, -1);
    int                     own[2 + NOE_SINE_SCRATCH];
    for (int i = 0; i < 2 + NOE_SINE_SCRATCH; i++) {
        own[i] = fresh(x, a, -1, -1);
        x->slot[own[i]] = TAKEN;
    }
    noe_sine_code_emit(x->to, a, own[0], own[1], own + 2, x->otherwise, x->leave);
    for (int i = 0; i < 2 + NOE_SINE_SCRATCH; i++) x->slot[own[i]] = -1;
    done(x, k, own[0]);
    if (x->where[s.e] >= 0) forget(x, x->where[s.e]);
    x->next[s.e] = next_use[E];
    hold(x, own[1], s.e, true);
}

static void instruction(noe_register_allocator *x, int k)
{
    const noe_register_step *s = &x->step[k];
    const int32_t           *next_use = x->after + OPERANDS * (size_t)k;
    /* Where the order does not matter the operand that has a register comes first. */
    const bool commutes = s->form == NOE_SUM_OF || s->form == NOE_PRODUCT_OF
                       || s->form == NOE_MULTIPLY_ADD || s->form == NOE_MULTIPLY_LESS
                       || (s->form == NOE_BITS_OF_BOTH && !x->bare);
    const bool    swap = commutes && s->b >= 0 && x->where[s->a] < 0 && x->where[s->b] >= 0;
    const int     a = swap ? s->b : s->a, b = swap ? s->a : s->b;
    const int32_t next_use_b = next_use[swap ? A : B];
    static const noe_opcode op[] = { [NOE_SUM_OF] = NOE_X_ADD,
                                     [NOE_DIFFERENCE_OF] = NOE_X_SUB,
                                     [NOE_PRODUCT_OF] = NOE_X_MUL,
                                     [NOE_QUOTIENT_OF] = NOE_X_DIV,
                                     [NOE_BITS_OF_BOTH] = NOE_X_AND };
    if (s->form == NOE_SINES_OF) sines(x, k);
    else if (s->form == NOE_BITS_OF_BOTH && x->bare) done(x, k, copied(x, s->a));
    else if (s->form == NOE_JOINED) done(x, k, joined(x, s));
    else if (s->form == NOE_CARRIED) {
        noe_assembler_vector(x->to, NOE_X_LOAD, x->where[s->d], 0,
                             noe_assembler_in_register(load(x, s->a, -1, -1)));
        been_read(x, k);
    } else if (s->form == NOE_ROOT_OF) done(x, k, root(x, a, next_use[A]));
    else if (s->form == NOE_MULTIPLY_ADD || s->form == NOE_MULTIPLY_LESS)
        done(x, k, three(x, s, a, b, next_use, next_use_b));
    else done(x, k, two(x, op[s->form], a, b, next_use_b));
}

void noe_register_allocator_stretch(noe_register_allocator *x, int from, int to)
{
    for (int k = to; k-- > from;) { /* next uses as before step `from` */
        const int of[] = { x->step[k].a, x->step[k].b, x->step[k].c };
        for (int j = 0; j < 3; j++)
            if (of[j] >= 0) x->next[of[j]] = k;
    }
    for (int k = from; k < to; k++) instruction(x, k);
    for (int r = 0; r < x->registers; r++) write_back(x, r), forget(x, r);
}
