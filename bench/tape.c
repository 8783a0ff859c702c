/* Measures a tape as machine code beside the same tape interpreted.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * And the cost of equal bits on every machine beside fused operations. */
#define NOE_REAL NOE_DOUBLE
#include "step/engine_interface.h"
#include "jit/jit.h"
#include "tape/tape_interpreter.h"

#include "bench.h"
#include "noether.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REPEATS = 7, RUNS = 20000 };

/* The same tape with products and sums fused, one rounding in place of two: other bits than a
 * machine without FMA. */
#if defined __AVX512F__
#define FUSED _mm512_fmadd_pd((__m512d)A, (__m512d)B, (__m512d)C)
#define FUSED_MINUS _mm512_fnmadd_pd((__m512d)A, (__m512d)B, (__m512d)C)
#define AT(x) ((batch *)(frame + i->x))
#define A (*AT(a))
#define B (*AT(b))
#define C (*AT(c))
#define F(name) f_##name
#define TABLES tape->tables
#define OPERATION(op, value)                                 \
    case op:                                                 \
        for (; i < end; i++)                                 \
            *AT(d) = (op) == NOE_MULADD ? (batch)FUSED       \
                   : (op) == NOE_SUBMUL ? (batch)FUSED_MINUS \
                                        : (batch)(value);    \
        break;
static void interpret_fused(const noe_tape *tape, const noe_ins *i, char *frame, int nb)
{
    (void)nb;
    for (const noe_run_of *run = tape->run, *last = run + tape->runs; run < last; run++) {
        const noe_ins *end = i + run->count;
        switch (run->op) {
#include "expr/operations.def"
        case NOE_SINCOS:
            for (; i < end; i++) f_sincos(A, AT(d), AT(c));
            break;
        default: __builtin_unreachable();
        }
    }
}
#undef A
#undef B
#undef C
#endif

typedef struct {
    const noe_tape *tape;
    noe_tape       *deep; /* for machine code */
    noe_ins        *code;
    char           *frame;
    void (*interpret)(const noe_tape *, const noe_ins *, char *, int);
    noe_compiled_tapes *machine;
    noe_machine_code   *run; /* NULL: interpreted */
} bench;

static void put_rows(const noe_tape *t, char *frame)
{
    for (int i = 0; i < t->inputs + t->constants; i++)
        for (int k = 0; k < LANES; k++)
            ((double *)frame)[i * LANES + k] = i < t->inputs ? 0.3 + 0.1 * i + 0.01 * k * i
                                                             : (double)t->constant[i - t->inputs];
}

static bench ready(const noe_tape *t)
{
    bench     b = { .tape = t, .deep = noe_register_schedule_make(t), .interpret = interpret };
    const int slots = t->slots > b.deep->slots ? t->slots : b.deep->slots, size = sizeof(batch);
    b.code = malloc((size_t)t->length * sizeof *b.code),
    b.frame = aligned_alloc(64, (size_t)slots * sizeof(batch));
    for (int i = 0; i < t->length; i++)
        b.code[i] = (noe_ins){ t->ins[i].d * size, t->ins[i].a * size, t->ins[i].b * size,
                               t->ins[i].c * size };
    put_rows(t, b.frame);
#if NOE_BUILD_LEVEL > 0
    int *place = malloc((size_t)slots * sizeof *place);
    /* of what is called: nothing here but sines of large arguments */
    noe_ins *code = malloc((size_t)t->length * sizeof *code);
    for (int i = 0; i < slots; i++) place[i] = i * size;
    for (int i = 0; i < b.deep->length; i++) {
        const noe_ins x = b.deep->ins[i];
        code[i] = (noe_ins){ x.d * size, x.a * size, x.b * size, x.c * size };
    }
    b.machine = noe_tape_compiler_new(NOE_BUILD_LEVEL, call_of);
    noe_tape_compiler_add(b.machine, 0, b.deep, place, code);
    noe_tape_compiler_seal(b.machine);
    b.run = noe_tape_compiler_at(b.machine, 0);
    free(place);
#endif
    return b;
}

/* Every evaluation waits for the one before, as those of an iteration do. */
static double once(const bench *b)
{
    double      *x = (double *)b->frame;
    const double t = seconds();
    for (int k = 0; k < RUNS; k++) {
        if (b->run) b->run(b->frame);
        else b->interpret(b->tape, b->code, b->frame, 1);
        x[LANES] += 0x1p-40 * x[(b->run ? b->deep : b->tape)->out[0] * LANES];
    }
    return 1e9 * (seconds() - t) / RUNS;
}

int main(void)
{
    static const char *const file[] = { "double_pendulum", "lagrange_top", "five_link_pendulum",
                                        "pleiades" };
    enum { TAPES_OF = 2, COUNT = TAPES_OF * sizeof file / sizeof *file };
    char prices[COUNT][160];
    printf("## Tapes\n\nGradients and Hessians of eight points at once, as machine code and "
           "interpreted, in turn; every evaluation waits for the one before.\n"
           "Operations are those of the interpreter: a product and a sum are one, a sine and a "
           "cosine of one angle are one. One point alone takes\n"
           "as long as eight. Spread of %d.\n\n" COMPARED,
           REPEATS);
    for (size_t i = 0; i < COUNT; i++) {
        char path[80], name[80], said[2][80];
        snprintf(path, sizeof path, "systems/%s.lag", file[i / 2]);
        noe_system     *s = noe_system_load(path);
        const noe_tape *t = i % 2 ? s->dyn.hessian : s->dyn.gradient;
        bench           b = ready(t), slow = b;
        double          us[REPEATS], they[REPEATS], ratio[REPEATS];
        slow.run = NULL;
        for (int r = 0; r < REPEATS; r++) {
            put_rows(t, b.frame);
            us[r] = once(&b);
            they[r] = once(&slow), ratio[r] = us[r] / they[r];
        }
        const double code = median(us, REPEATS), interpreted = median(they, REPEATS);
        snprintf(name, sizeof name, "tape: %s, %s, %d operations", file[i / 2],
                 i % 2 ? "Hessian" : "gradient", t->length);
        snprintf(said[0], 80, "%.0f ns, %.3g an operation and lane", code,
                 code / t->length / LANES);
        snprintf(said[1], 80, "interpreted %.0f ns", interpreted);
        compared(name, said[0], said[1], ratio, REPEATS, 0.6);
        snprintf(prices[i], sizeof prices[i], "| %s | %.0f ns | not measured |", name, interpreted);
#if defined __AVX512F__
        double fused[REPEATS];
        slow.interpret = interpret_fused;
        for (int r = 0; r < REPEATS; r++) fused[r] = once(&slow);
        const double f = median(fused, REPEATS);
        snprintf(prices[i], sizeof prices[i], "| %s | %.0f ns | %.0f ns, %+.0f %% |", name,
                 interpreted, f, 100 * (f / interpreted - 1));
#endif
        noe_tape_compiler_free(b.machine);
        free(b.code), free(b.frame);
        noe_system_free(s);
    }
    printf("\nThe price of equal bits on every machine: the same tapes interpreted, and with fused "
           "operations.\n\n"
           "| tape | interpreted | fused |\n|---|---|---|\n");
    for (size_t i = 0; i < COUNT; i++) printf("%s\n", prices[i]);
    return 0;
}
