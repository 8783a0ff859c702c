/* Compiles tapes to machine code, one operation or function call after another.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each slot of the tape has a place in memory, and registers are a cache of these places: a
 * number is written back when its register is needed for another, when a function is called, or
 * at the end if it is an output. */
#include "base/status.h"
#include "jit/jit.h"
#include "jit/register_allocator.h"
#include "jit/sine_code.h"

#include <stdlib.h>

enum {
    LENGTH_MOST = 100000, /* instructions; longer code would not stay in the cache */
    BASE = NOE_RBX,
    /* Added to addresses: offsets of one byte, which AVX-512 counts in vectors of 64 bytes, then
     * reach 8 KB on both sides; with AVX2, which counts bytes, only 128 bytes. */
    BIAS = 8192
};

struct noe_compiled_tapes {
    noe_assembler             to;
    noe_compiled_call *const *call;
    /* offset of each tape's code plus 1, 0: none; size of all code */
    size_t   entry[NOE_COMPILED_TAPES_MOST], size;
    uint8_t *page; /* executable memory */
};

/* Constants of a tape: the slots that hold 1, -1 and -0, see tape/tape.h. */
enum { ONE, MINUS_ONE, MINUS_ZERO };
static bool is(const noe_tape *t, int slot, int constant) { return slot == t->inputs + constant; }

/* a b + c, or c - a b (mirror), without operations that round nothing: 1 a, -1 a, a - 0. */
static noe_register_step fused(const noe_tape *t, noe_ins i, bool mirror)
{
    const bool swap = is(t, i.b, ONE) || is(t, i.b, MINUS_ONE);
    const int  a = swap ? i.b : i.a, b = swap ? i.a : i.b;
    if (is(t, a, ONE) || is(t, a, MINUS_ONE))
        return (noe_register_step){
            mirror == is(t, a, ONE) ? NOE_DIFFERENCE_OF : NOE_SUM_OF, i.d, i.c, b, -1, -1, 0
        };
    if (!mirror && is(t, i.c, MINUS_ZERO))
        return (noe_register_step){ NOE_PRODUCT_OF, i.d, a, b, -1, -1, 0 };
    return (
        noe_register_step){ mirror ? NOE_MULTIPLY_LESS : NOE_MULTIPLY_ADD, i.d, a, b, i.c, -1, 0 };
}

static noe_register_step step_of(const noe_tape *t, int op, noe_ins i)
{
    if (op == NOE_MULADD || op == NOE_SUBMUL) return fused(t, i, op == NOE_SUBMUL);
    if (op == NOE_SINCOS) return (noe_register_step){ NOE_SINES_OF, i.d, i.a, -1, -1, i.c, 0 };
    const int arity = noe_register_schedule_arity(op);
    return (noe_register_step){ op == NOE_DIV       ? NOE_QUOTIENT_OF
                                : op == NOE_FN_sqrt ? NOE_ROOT_OF
                                                    : NOE_CALLED,
                                i.d,
                                i.a,
                                arity > 1 ? i.b : -1,
                                arity > 2 ? i.c : -1,
                                -1,
                                0 };
}

static void call(noe_assembler *to, noe_compiled_call *f, const noe_ins *i, const noe_tape *t)
{
    noe_assembler_address(to, NOE_RDI, BASE, -BIAS);
    noe_assembler_number(to, NOE_RSI, (uint64_t)(uintptr_t)i);
    noe_assembler_number(to, NOE_RDX, (uint64_t)(uintptr_t)t);
    noe_assembler_number(to, NOE_RAX, (uint64_t)(uintptr_t)f);
    noe_assembler_call(to, NOE_RAX);
}

static void leave(noe_assembler *to)
{
    noe_assembler_address(to, NOE_RDI, BASE, -BIAS);
    noe_assembler_pop(to, BASE);
}

static bool called(const noe_register_step *s, bool sines)
{
    return s->form == NOE_CALLED || (s->form == NOE_SINES_OF && !sines);
}

/* Writes the code of a tape, with sines as function calls or as instructions (AVX-512). Returns
 * its offset. */
static size_t translate(noe_compiled_tapes *m, const noe_tape *t, const int32_t *op,
                        noe_register_allocator *x, const noe_ins *code, bool sines)
{
    const noe_register_step *step = x->step;
    noe_assembler_align(&m->to);
    const size_t entry = m->to.used;
    noe_assembler_push(&m->to, BASE);
    noe_assembler_address(&m->to, BASE, NOE_RDI, BIAS);
    for (int k = 0, end; k < t->length; k = end) {
        for (end = k; end < t->length && !called(&step[end], sines); end++) {
        }
        for (x->half = 0; x->half < 64; x->half += m->to.wide ? 64 : 32)
            noe_register_allocator_stretch(x, k, end);
        for (; end < t->length && called(&step[end], sines); end++)
            call(&m->to, m->call[op[end]], code + end, t);
    }
    noe_assembler_pop(&m->to, BASE);
    noe_assembler_return(&m->to);
    return entry;
}

/* Writes the code of a tape, and with AVX-512 once more with sines as instructions; this second
 * code jumps to the first when an argument is too large. Returns the offset of the code to be
 * used. */
static size_t translate_all(noe_compiled_tapes *m, const noe_tape *t, const int32_t *op,
                            noe_register_allocator *x, const noe_ins *code)
{
    bool any = false;
    for (int k = 0; k < t->length; k++) any |= op[k] == NOE_SINCOS;
    const size_t first = translate(m, t, op, x, code, false);
    if (!any || !m->to.wide) return first;
    if (!m->to.pool) noe_sine_code_pool(&m->to);
    x->otherwise = first, x->leave = leave;
    return translate(m, t, op, x, code, true);
}

noe_compiled_tapes *noe_tape_compiler_new(int level, noe_compiled_call *const *call)
{
    noe_compiled_tapes *m = noe_status_alloc(1, sizeof *m);
    if (m) m->to.wide = level > 1, m->call = call;
    return m;
}

bool noe_tape_compiler_add(noe_compiled_tapes *m, int number, const noe_tape *t, const int *place,
                           const noe_ins *code)
{
    const size_t length = (size_t)t->length, slots = (size_t)t->slots;
    if (t->length > LENGTH_MOST) return true;
    noe_register_step *step = noe_status_alloc(length + 1, sizeof *step);
    noe_operand       *at = noe_status_alloc(slots + 1, sizeof *at);
    int32_t           *scratch = noe_status_alloc(
                  length + noe_register_allocator_scratch(t->length, t->slots), sizeof *scratch);
    const bool ok = step && at && scratch;
    if (ok) {
        for (int r = 0, k = 0; r < t->runs; r++)
            for (int i = 0; i < t->run[r].count; i++, k++)
                step[k] = step_of(t, scratch[k] = t->run[r].op, t->ins[k]);
        for (int i = 0; i < t->slots; i++)
            at[i] = (noe_operand){ true, BASE, NOE_NO_INDEX, place[i] - BIAS, false };
        noe_register_allocator x = {
            .to = &m->to, .step = step, .place = at, .steps = t->length, .slots = t->slots
        };
        noe_register_allocator_begin(&x, scratch + length, t->out, t->outputs);
        m->entry[number] = translate_all(m, t, scratch, &x, code) + 1;
    }
    free(step), free(at), free(scratch);
    if (ok && m->to.failed)
        noe_status_fail(NOE_NO_MEMORY, "out of memory: %zu bytes of machine code wanted",
                        2 * m->to.used);
    return ok && !m->to.failed;
}

void noe_tape_compiler_seal(noe_compiled_tapes *m)
{
    m->page = noe_assembler_executable(&m->to);
    m->size = m->page ? m->to.used : 0;
}

noe_machine_code *noe_tape_compiler_at(const noe_compiled_tapes *m, int number)
{
    return m && m->page && m->entry[number]
             ? (noe_machine_code *)noe_assembler_entry(m->page + m->entry[number] - 1)
             : NULL;
}

size_t noe_tape_compiler_size(const noe_compiled_tapes *m) { return m ? m->size : 0; }

void noe_tape_compiler_free(noe_compiled_tapes *m)
{
    if (!m) return;
    noe_assembler_executable_free(m->page, m->size);
    free(m->to.byte);
    free(m);
}
