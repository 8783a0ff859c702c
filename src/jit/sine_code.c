/* sin x, cos x as instructions of AVX-512: those of number/sincos_steps.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "jit/sine_code.h"

#include "number/sincos_steps.h"

#include <string.h>

enum {
#define NUMBER(name, value) name,
#include "number/sincos_constants.def"
#undef NUMBER
    REALS
};
enum { BIT_0 = REALS, BIT_1, NO_SIGN };

void noe_sine_code_pool(noe_assembler *x)
{
    static const double number[REALS] = {
#define NUMBER(name, value) value,
#include "number/sincos_constants.def"
#undef NUMBER
    };
    noe_assembler_align(x);
    x->pool = x->used;
    for (int i = 0; i < REALS; i++) {
        uint64_t bits;
        memcpy(&bits, &number[i], sizeof bits);
        noe_assembler_append_to_pool(x, bits);
    }
    noe_assembler_append_to_pool(x, 1), noe_assembler_append_to_pool(x, 2),
        noe_assembler_append_to_pool(x, INT64_MAX);
}

#define DO(op, d, a, b) noe_assembler_vector(to, NOE_X_##op, d, a, noe_assembler_in_register(b));
#define BY(op, d, a, number) \
    noe_assembler_vector(to, NOE_X_##op, d, a, noe_assembler_from_pool(number));

/* Where all |x| are below pi/4 nothing is subtracted: r = x, but 0 for -0, and t = 0. */
static void of_first_octant(noe_assembler *to, int x, int s, int c, const int *scratch)
{
    const int k = scratch[0], w = scratch[1], r = scratch[2], z = scratch[3], y = scratch[4],
              u = scratch[5], zz = scratch[6];
    DO(XOR, r, x, x)
    DO(ADD, r, x, r)
    STEPS_OF_SQUARES
    STEPS_OF_SINE_POLYNOMIAL
    DO(MUL, w, z, r) /* those of STEPS_OF_SINE that t = 0 leaves */
    DO(MUL, y, w, y)
    DO(MUL, y, z, y)
    BY(MUL, w, w, S1)
    DO(SUB, w, w, y)
    DO(SUB, s, r, w)
    STEPS_OF_COSINE_POLYNOMIAL
    STEPS_OF_COSINE_HEAD
    DO(MUL, y, z, y) /* and of STEPS_OF_COSINE */
    DO(ADD, c, c, y)
    DO(ADD, c, u, c)
}

void noe_sine_code_emit(noe_assembler *to, int x, int s, int c, const int *scratch,
                        size_t otherwise, void (*leave)(noe_assembler *))
{
    /* numbers of mask registers; ODD uses that of FAR again */
    enum { FAR = 1, LARGE = 2, ODD = 1 };
    const int shifted = scratch[0], k = scratch[1], w = scratch[2], rest = scratch[3],
              r = scratch[4], t = scratch[5], z = scratch[6], y = scratch[7], u = scratch[8],
              zz = scratch[9];
    BY(AND, w, x, NO_SIGN)
    noe_assembler_masked(to, NOE_X_COMPARE, FAR, 0, w, noe_assembler_from_pool(QUARTER));
    const size_t near = noe_assembler_jump_if_none(to, FAR);
    noe_assembler_masked(to, NOE_X_COMPARE, LARGE, 0, w, noe_assembler_from_pool(LARGEST));
    const size_t jump = noe_assembler_jump_if_none(to, LARGE);
    leave(to);
    noe_assembler_jump(to, otherwise);
    noe_assembler_land_here(to, jump);

    STEPS_OF_QUARTER_TURNS
    STEPS_OF_SQUARES
    STEPS_OF_SINE_POLYNOMIAL
    STEPS_OF_SINE
    DO(SUB, s, r, u)
    STEPS_OF_COSINE_POLYNOMIAL
    STEPS_OF_COSINE_HEAD
    STEPS_OF_COSINE
    DO(ADD, c, u, c)

    /* odd quadrants exchange sine and cosine, and two bits of the quadrant are their signs */
    noe_assembler_masked(to, NOE_X_TEST, ODD, 0, shifted, noe_assembler_from_pool(BIT_0));
    noe_assembler_masked(to, NOE_X_CHOOSE, u, ODD, s, noe_assembler_in_register(c));
    noe_assembler_masked(to, NOE_X_CHOOSE, y, ODD, c, noe_assembler_in_register(s));
    BY(AND, w, shifted, BIT_1)
    noe_assembler_shift_left(to, w, w, 62);
    DO(XOR, s, u, w)
    BY(ADD_WHOLE, w, shifted, BIT_0)
    BY(AND, w, w, BIT_1)
    noe_assembler_shift_left(to, w, w, 62);
    DO(XOR, c, y, w)

    const size_t end = noe_assembler_jump_ahead(to);
    noe_assembler_land_here(to, near);
    of_first_octant(to, x, s, c, scratch);
    noe_assembler_land_here(to, end);
}
#undef DO
#undef BY
