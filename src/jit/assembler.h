/* Assembler: the instructions of x86-64 that a tape needs, d <- a op b for instance, as bytes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, sections 2.1 (ModRM,
 * SIB, REX), 2.3 (VEX) and 2.7 (EVEX). With AVX-512 there are 32 vector registers of 64 bytes,
 * with AVX2 16 of 32 bytes. */
#ifndef NOE_JIT_ASSEMBLER_H
#define NOE_JIT_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint8_t *byte;           /* [capacity] the machine code */
    size_t   used, capacity; /* bytes of machine code, and bytes allocated */
    bool     failed;         /* out of memory */
    bool     wide;           /* AVX-512; otherwise AVX2 */
    size_t   pool;           /* offset of the pool of constants in the machine code */
} noe_assembler;

/* General registers by their numbers in instructions. */
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

typedef struct {        /* a vector register, or memory at the address base + index + at (bytes) */
    bool    memory;     /* memory; otherwise a register */
    int     reg, index; /* vector register or base register; index register or NOE_NO_INDEX */
    int32_t at;         /* offset in bytes; of a constant, its number in the pool */
    bool    pooled;     /* constant `at` of the pool, in every lane (AVX-512 only) */
} noe_operand;

static inline noe_operand noe_assembler_in_register(int reg)
{
    return (noe_operand){ false, reg, NOE_NO_INDEX, 0, false };
}
static inline noe_operand noe_assembler_from_pool(int number)
{
    return (noe_operand){ true, 0, NOE_NO_INDEX, number, true };
}

/* Opcodes. LOAD, SPREAD, STORE and SQRT have no operand a. 0x100 is added for the opcode map 0F
 * 38, 0x200 for 0F 3A. SPREAD and those after it need AVX-512. */
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
/* Predicate byte of COMPARE; /6 of SHIFT. */
enum { NOE_X_NOT_LESS_EQUAL = 6, NOE_X_LEFT = 6 };

/* d <- a op b; STORE: b <- d. */
void noe_assembler_vector(noe_assembler *, noe_opcode, int d, int a, noe_operand b);
/* With mask register k. CHOOSE: d <- k ? b : a. TEST: mask d <- (a & b != 0). COMPARE: mask d <-
 * not (a <= b), true also for nan. */
void noe_assembler_masked(noe_assembler *, noe_opcode, int d, int k, int a, noe_operand b);
/* d <- a shifted left by `by` bits, in each integer of 64 bits */
void noe_assembler_shift_left(noe_assembler *, int d, int a, int by);
/* d <- eight numbers of the sixteen (low, high), beginning with number `from` of low */
void noe_assembler_join(noe_assembler *, int d, int high, int low, int from);
void noe_assembler_align(noe_assembler *); /* fills with unused bytes up to the next cache line */
void noe_assembler_append_to_pool(noe_assembler *, uint64_t); /* appends a constant to the pool */
/* jumps where mask k is empty; returns the jump for noe_assembler_land_here */
size_t noe_assembler_jump_if_none(noe_assembler *, int k);
/* jumps always; returns the jump for noe_assembler_land_here */
size_t noe_assembler_jump_ahead(noe_assembler *);
/* sets the target of a jump to the present end of the code */
void noe_assembler_land_here(noe_assembler *, size_t jump);
void noe_assembler_jump(noe_assembler *, size_t to); /* jumps to the offset `to` of the code */
void noe_assembler_push(noe_assembler *, int reg);
void noe_assembler_pop(noe_assembler *, int reg);
void noe_assembler_address(noe_assembler *, int to, int base, int32_t at); /* to <- base + at */
/* to <- the 64 bits at base + at */
void noe_assembler_fetch(noe_assembler *, int to, int base, int32_t at);
void noe_assembler_number(noe_assembler *, int to, uint64_t value); /* to <- value */
/* Calls the function whose address is in reg, and returns. Before both, VZEROUPPER clears the
 * upper halves of all vector registers (ibid., volume 1, 14.1.2: otherwise SSE code is slow). */
void noe_assembler_call(noe_assembler *, int reg);
void noe_assembler_return(noe_assembler *);
void noe_assembler_clear(noe_assembler *, int reg); /* reg <- 0 */
/* reg <- reg + by; jumps to the offset `from` while reg < below (a register) */
void noe_assembler_repeat(noe_assembler *, size_t from, int reg, int by, int below);

/* The machine code in pages of memory that are executable and cannot be written; NULL where the
 * system allows none. Frees the bytes. */
uint8_t *noe_assembler_executable(noe_assembler *);
void     noe_assembler_executable_free(uint8_t *, size_t size);
/* type of a function pointer; the caller converts it to the right type */
typedef void noe_code(void);
noe_code    *noe_assembler_entry(uint8_t *);

#endif
