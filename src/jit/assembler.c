/* d <- a op b as bytes: the instructions of x86-64 that a tape needs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "jit/assembler.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void put(noe_assembler *x, int byte)
{
    if (x->used == x->capacity && !x->failed) {
        const size_t capacity = x->capacity ? 2 * x->capacity : 1024;
        uint8_t     *more = realloc(x->byte, capacity);
        if (more) x->byte = more, x->capacity = capacity;
        else x->failed = true;
    }
    if (!x->failed) x->byte[x->used++] = (uint8_t)byte;
}

static void put_number(noe_assembler *x, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) put(x, (int)(value >> 8 * i & 255));
}

/* ModRM, SIB if there is an index or the base register requires one, and the displacement: one
 * byte, in units of `unit`, where it fits, otherwise four. A constant of the pool is addressed
 * relative to the end of the instruction, which is `rest` bytes after the displacement. */
static void put_place(noe_assembler *x, int reg, noe_operand b, int unit, int rest)
{
    const int  near = b.at / unit, mid = (reg & 7) << 3;
    const bool small = b.at % unit == 0 && near >= -128 && near < 128,
               sib = b.index >= 0 || (b.reg & 7) == NOE_RSP;
    if (b.pooled) {
        put(x, mid | 5);
        put_number(x, (uint64_t)((int64_t)x->pool + 8 * b.at - (int64_t)x->used - 4 - rest), 4);
        return;
    }
    if (!b.memory) {
        put(x, 0xc0 | mid | (b.reg & 7));
        return;
    }
    put(x, (small ? 0x40 : 0x80) | mid | (sib ? 4 : b.reg & 7));
    if (sib) put(x, (b.index >= 0 ? b.index & 7 : 4) << 3 | (b.reg & 7));
    put_number(x, (uint64_t)(int64_t)(small ? near : b.at), small ? 1 : 4);
}

/* An instruction with the prefix EVEX, W1, 66, 512 bits, for mask k; v: register of the first
 * operand, 0 if there is none. */
static void put_wide(noe_assembler *x, noe_opcode op, int d, int k, int v, noe_operand b, int rest)
{
    const int d3 = !(d >> 3 & 1), d4 = !(d >> 4 & 1), b3 = b.pooled || !(b.reg >> 3 & 1);
    const int x3 = b.memory ? b.index < 0 || !(b.index >> 3 & 1) : !(b.reg >> 4 & 1);
    put(x, 0x62);
    put(x, d3 << 7 | x3 << 6 | b3 << 5 | d4 << 4 | (op & 0x200 ? 3 : op & 0x100 ? 2 : 1));
    put(x, 0x80 | (~v & 15) << 3 | 4 | 1);
    put(x, 0x40 | (b.pooled && op != NOE_X_SPREAD) << 4 | !(v >> 4 & 1) << 3 | k);
    put(x, op & 255);
    put_place(x, d, b, b.pooled ? 8 : 64, rest);
}

void noe_assembler_vector(noe_assembler *x, noe_opcode op, int d, int a, noe_operand b)
{
    const bool none = op == NOE_X_LOAD || op == NOE_X_STORE || op == NOE_X_SQRT
                   || op == NOE_X_SPREAD;
    const int v = none ? 0 : a;
    if (x->wide) {
        put_wide(x, op, d, 0, v, b, 0);
        return;
    }
    put(x, 0xc4); /* VEX of three bytes, map 0F, prefix 66, 256 bits */
    put(x, !(d >> 3 & 1) << 7 | (b.index < 0 || !(b.index >> 3 & 1)) << 6 | !(b.reg >> 3 & 1) << 5
               | 1);
    put(x, (~v & 15) << 3 | 4 | 1);
    put(x, op);
    put_place(x, d, b, 1, 0);
}

void noe_assembler_masked(noe_assembler *x, noe_opcode op, int d, int k, int a, noe_operand b)
{
    put_wide(x, op, d, k, a, b, op == NOE_X_COMPARE);
    if (op == NOE_X_COMPARE) put(x, NOE_X_NOT_LESS_EQUAL);
}

void noe_assembler_shift_left(noe_assembler *x, int d, int a, int by)
{
    put_wide(x, NOE_X_SHIFT, NOE_X_LEFT, 0, d, noe_assembler_in_register(a), 1);
    put(x, by);
}

void noe_assembler_join(noe_assembler *x, int d, int high, int low, int from)
{
    put_wide(x, NOE_X_JOIN, d, 0, high, noe_assembler_in_register(low), 1); /* VALIGNQ */
    put(x, from);
}

void noe_assembler_align(noe_assembler *x)
{
    while (x->used % 64 && !x->failed) put(x, 0xcc); /* INT3; never executed */
}

void noe_assembler_append_to_pool(noe_assembler *x, uint64_t number) { put_number(x, number, 8); }

size_t noe_assembler_jump_if_none(noe_assembler *x, int k)
{
    put(x, 0xc5), put(x, 0xf8), put(x, 0x98), put(x, 0xc0 | k << 3 | k); /* KORTESTW */
    put(x, 0x0f), put(x, 0x84), put_number(x, 0, 4);                     /* JZ */
    return x->used;
}

size_t noe_assembler_jump_ahead(noe_assembler *x)
{
    put(x, 0xe9), put_number(x, 0, 4); /* JMP */
    return x->used;
}

void noe_assembler_land_here(noe_assembler *x, size_t jump)
{
    for (int i = 0; i < 4 && !x->failed; i++)
        x->byte[jump - 4 + (size_t)i] = (uint8_t)((x->used - jump) >> 8 * i);
}

void noe_assembler_jump(noe_assembler *x, size_t to)
{
    put(x, 0xe9);
    put_number(x, (uint64_t)((int64_t)to - (int64_t)x->used - 4), 4);
}

/* REX prefix for 64 bits, with the fourth bits of the numbers of the register and of the base. */
static void put_rex(noe_assembler *x, int reg, int base)
{
    put(x, 0x48 | reg >> 3 << 2 | base >> 3);
}

void noe_assembler_push(noe_assembler *x, int reg) { put_rex(x, 0, reg), put(x, 0x50 | (reg & 7)); }
void noe_assembler_pop(noe_assembler *x, int reg) { put_rex(x, 0, reg), put(x, 0x58 | (reg & 7)); }

/* VZEROUPPER: SSE code is slow while upper halves of vector registers are in use, on some
 * processors from then on. */
static void leave_wide(noe_assembler *x) { put(x, 0xc5), put(x, 0xf8), put(x, 0x77); }

void noe_assembler_return(noe_assembler *x)
{
    leave_wide(x);
    put(x, 0xc3);
}

static void put_access(noe_assembler *x, int opcode, int to, int base, int32_t at)
{
    put_rex(x, to, base), put(x, opcode);
    put_place(x, to, (noe_operand){ true, base, NOE_NO_INDEX, at, false }, 1, 0);
}

/* LEA */
void noe_assembler_address(noe_assembler *x, int to, int base, int32_t at)
{
    put_access(x, 0x8d, to, base, at);
}
/* MOV */
void noe_assembler_fetch(noe_assembler *x, int to, int base, int32_t at)
{
    put_access(x, 0x8b, to, base, at);
}

void noe_assembler_number(noe_assembler *x, int to, uint64_t value)
{
    put_rex(x, 0, to), put(x, 0xb8 | (to & 7)); /* MOV r64, imm64 */
    put_number(x, value, 8);
}

void noe_assembler_call(noe_assembler *x, int reg)
{
    leave_wide(x);
    put(x, 0xff), put(x, 0xd0 | reg);
}

void noe_assembler_clear(noe_assembler *x, int reg)
{
    put_rex(x, reg, reg), put(x, 0x31), put(x, 0xc0 | (reg & 7) << 3 | (reg & 7)); /* XOR */
}

void noe_assembler_repeat(noe_assembler *x, size_t from, int reg, int by, int below)
{
    put_rex(x, 0, reg), put(x, 0x83), put(x, 0xc0 | (reg & 7)), put(x, by); /* ADD r64, imm8 */
    /* CMP reg, below */
    put_rex(x, below, reg), put(x, 0x39), put(x, 0xc0 | (below & 7) << 3 | (reg & 7));
    put(x, 0x0f), put(x, 0x82); /* JB */
    put_number(x, (uint64_t)((int64_t)from - (int64_t)x->used - 4), 4);
}

uint8_t *noe_assembler_executable(noe_assembler *to)
{
    void *page = to->used && !to->failed ? mmap(NULL, to->used, PROT_READ | PROT_WRITE,
                                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                         : MAP_FAILED;
    if (page != MAP_FAILED) memcpy(page, to->byte, to->used);
    free(to->byte);
    to->byte = NULL;
    if (page == MAP_FAILED) return NULL;
    if (!mprotect(page, to->used, PROT_READ | PROT_EXEC)) return page;
    munmap(page, to->used);
    return NULL;
}

void noe_assembler_executable_free(uint8_t *page, size_t size)
{
    if (page) munmap(page, size);
}

noe_code *noe_assembler_entry(uint8_t *byte)
{
    union { /* ISO C has no cast from an object to a function */
        uint8_t  *from;
        noe_code *to;
    } x = { byte };
    return x.to;
}
