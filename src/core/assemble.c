/* d <- a op b as bytes: the dozen instructions of x86-64 that a tape needs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/assemble.h"

#include <stdlib.h>
#include <string.h>

static void put(noe_assembler *x, int byte)
{
    if (x->used == x->room && !x->failed) {
        const size_t room = x->room ? 2 * x->room : 1024;
        uint8_t     *more = realloc(x->byte, room);
        if (more) x->byte = more, x->room = room;
        else x->failed = true;
    }
    if (!x->failed) x->byte[x->used++] = (uint8_t)byte;
}

static void put_number(noe_assembler *x, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) put(x, (int)(value >> 8 * i & 255));
}

/* ModRM, and the displacement: in one byte, in units of `unit`, where it fits.  Bases are none that needs a SIB byte. */
static void put_place(noe_assembler *x, int reg, noe_operand b, int unit)
{
    const int  low = (reg & 7) << 3 | (b.reg & 7), near = b.at / unit;
    const bool small = b.at % unit == 0 && near >= -128 && near < 128;
    put(x, (!b.memory ? 0xc0 : small ? 0x40 : 0x80) | low);
    if (b.memory) put_number(x, (uint64_t)(int64_t)(small ? near : b.at), small ? 1 : 4);
}

void noe_x_vector(noe_assembler *x, noe_opcode op, int d, int a, noe_operand b)
{
    const int none = op == NOE_X_LOAD || op == NOE_X_STORE || op == NOE_X_SQRT;
    const int v = none ? 0 : a, b3 = !(b.reg >> 3 & 1), b4 = b.memory || !(b.reg >> 4 & 1), d3 = !(d >> 3 & 1), d4 = !(d >> 4 & 1);
    if (x->wide) { /* EVEX, map 0F, W1, prefix 66, 512 bits */
        put(x, 0x62);
        put(x, d3 << 7 | b4 << 6 | b3 << 5 | d4 << 4 | 1);
        put(x, 0x80 | (~v & 15) << 3 | 4 | 1);
        put(x, 0x40 | !(v >> 4 & 1) << 3);
    } else { /* VEX of three bytes, map 0F, prefix 66, 256 bits */
        put(x, 0xc4);
        put(x, d3 << 7 | 1 << 6 | b3 << 5 | 1);
        put(x, (~v & 15) << 3 | 4 | 1);
    }
    put(x, op);
    put_place(x, d, b, x->wide ? 64 : 1);
}

void noe_x_push(noe_assembler *x, int reg) { put(x, 0x50 | reg); }
void noe_x_pop(noe_assembler *x, int reg) { put(x, 0x58 | reg); }
void noe_x_return(noe_assembler *x) { put(x, 0xc3); }

void noe_x_address(noe_assembler *x, int to, int base, int32_t at)
{
    put(x, 0x48), put(x, 0x8d); /* REX.W LEA */
    put_place(x, to, (noe_operand){ true, base, at }, 1);
}

void noe_x_number(noe_assembler *x, int to, uint64_t value)
{
    put(x, 0x48), put(x, 0xb8 | to); /* REX.W MOV r64, imm64 */
    put_number(x, value, 8);
}

void noe_x_call(noe_assembler *x, int reg)
{
    put(x, 0xff), put(x, 0xd0 | reg);
}
