/* d <- a op b as bytes: the instructions of x86-64 that a tape needs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, sections 2.1 (ModRM,
 * SIB, REX), 2.3 (VEX) and 2.7 (EVEX).  Vectors are 64 bytes and 32 registers with AVX-512, 32
 * bytes and 16 registers with AVX2. */
#ifndef NOE_JIT_ASSEMBLER_H
#define NOE_JIT_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint8_t *byte;
    size_t   used, capacity;
    bool     failed; /* no memory */
    bool     wide;   /* AVX-512, else AVX2 */
    size_t   pool;   /* where its numbers stand */
} noe_assembler;

/* Registers for addresses, by their numbers. */
enum {
    NOE_RAX,
    NOE_RCX,
    NOE_RDX,
    NOE_RBX,
    NOE_RSP,
    NOE_RBP,
    NOE_RSI,
    NOE_RDI,
    NOE_R8,
    NOE_R9,
    NOE_R10,
    NOE_R11,
    NOE_R12,
    NOE_R13,
    NOE_R14,
    NOE_R15,
    NOE_NO_INDEX = -1
};

typedef struct { /* a vector register, or the numbers at base + index + at, all in bytes */
    bool    memory;
    int     reg, index;
    int32_t at;
    bool    pooled; /* with AVX-512: number `at` of the pool in every lane */
} noe_operand;

static inline noe_operand noe_assembler_in_register(int reg)
{
    return (noe_operand){ false, reg, NOE_NO_INDEX, 0, false };
}
static inline noe_operand noe_assembler_from_pool(int number)
{
    return (noe_operand){ true, 0, NOE_NO_INDEX, number, true };
}

/* Their opcodes; LOAD, SPREAD, STORE and SQRT have no a.  From SPREAD on with AVX-512 only,
 * 0x100: of the map 0F 38, 0x200: of 0F 3A. */
typedef enum {
    NOE_X_LOAD = 0x10,
    NOE_X_STORE = 0x11,
    NOE_X_SQRT = 0x51,
    NOE_X_ADD = 0x58,
    NOE_X_MUL = 0x59,
    NOE_X_SUB = 0x5c,
    NOE_X_DIV = 0x5e,
    NOE_X_SPREAD = 0x119,
    NOE_X_AND = 0xdb,
    NOE_X_XOR = 0xef,
    NOE_X_ADD_WHOLE = 0xd4,
    NOE_X_TEST = 0x127,
    NOE_X_CHOOSE = 0x165,
    NOE_X_COMPARE = 0xc2,
    NOE_X_SHIFT = 0x73,
    NOE_X_JOIN = 0x203
} noe_opcode;
enum { NOE_X_NOT_LESS_EQUAL = 6, NOE_X_LEFT = 6 };

/* STORE: b <- d */
void noe_assembler_vector(noe_assembler *, noe_opcode, int d, int a, noe_operand b);
/* With the mask k: CHOOSE, d <- k ? b : a; TEST and COMPARE: mask d <- a & b != 0, not (a <= b)
 * or nan. */
void noe_assembler_masked(noe_assembler *, noe_opcode, int d, int k, int a, noe_operand b);
/* left, whole numbers of 64 bits */
void noe_assembler_shift(noe_assembler *, int d, int a, int by);
/* eight of sixteen numbers, from that of the lower eight on */
void   noe_assembler_join(noe_assembler *, int d, int high, int low, int from);
void   noe_assembler_align(noe_assembler *); /* to a line of the cache */
void   noe_assembler_number_of_pool(noe_assembler *, uint64_t);
size_t noe_assembler_if_none(noe_assembler *, int k);    /* jumps where mask k is empty, to .. */
size_t noe_assembler_on(noe_assembler *);                /* jumps to .. */
void   noe_assembler_here(noe_assembler *, size_t jump); /* .. here */
void   noe_assembler_jump(noe_assembler *, size_t to);
void   noe_assembler_push(noe_assembler *, int reg);
void   noe_assembler_pop(noe_assembler *, int reg);
void   noe_assembler_address(noe_assembler *, int to, int base, int32_t at); /* to <- base + at */
/* to <- the 64 bits there */
void noe_assembler_fetch(noe_assembler *, int to, int base, int32_t at);
void noe_assembler_number(noe_assembler *, int to, uint64_t value);
/* Before both the upper halves of all vector registers are cleared (VZEROUPPER, ibid., volume 1,
 * 14.1.2: SSE code is slow after wide code). */
void noe_assembler_call(noe_assembler *, int reg);
void noe_assembler_return(noe_assembler *);
void noe_assembler_clear(noe_assembler *, int reg);
/* reg += by; goes to `from` while reg < below */
void noe_assembler_repeat(noe_assembler *, size_t from, int reg, int by, int below);

/* What was assembled, in pages that run and cannot be written; NULL where that cannot be.  Frees
 * the bytes. */
uint8_t     *noe_assembler_executable(noe_assembler *);
void         noe_assembler_executable_free(uint8_t *, size_t size);
typedef void noe_code(void); /* to be called as what it is */
noe_code    *noe_assembler_entry(uint8_t *);

#endif
