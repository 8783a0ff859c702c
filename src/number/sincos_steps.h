/* The operations of sin and cos, one by one: one text for expressions and for machine code.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * DO(op, d, a, b) is d = a op b, BY(op, d, a, NUMBER) the same with a number of
 * sincos_constants.def; op is MUL, ADD, SUB or SPREAD, which is the number itself.
 * number/sincos.h, whose formulas these are, makes expressions of them and jit/sine_code.c
 * instructions.  A variable is used again once its value is not needed any more, as registers
 * are. */
#ifndef NOE_NUMBER_SINCOS_STEPS_H
#define NOE_NUMBER_SINCOS_STEPS_H

/* shifted, of which k is the whole number, and r + t = x - k pi/2.  a: y, b: u, d: y. */
#define STEPS_OF_QUARTER_TURNS                         \
    BY(MUL, shifted, x, TWO_OVER_PI)                   \
    BY(ADD, shifted, shifted, SHIFT)                   \
    BY(SUB, k, shifted, SHIFT)                         \
    BY(MUL, y, k, PI_1)                                \
    DO(SUB, y, x, y)                                   \
    BY(MUL, w, k, PI_2)                                \
    DO(SUB, u, y, w)                                   \
    DO(SUB, rest, y, u) /* (a - b) - k PI_2 */         \
    DO(SUB, rest, rest, w)                             \
    BY(MUL, w, k, PI_3)                                \
    BY(MUL, k, k, PI_4)                                \
    DO(SUB, y, u, w)                                   \
    DO(SUB, u, u, y) /* ((b - d) - k PI_3) - k PI_4 */ \
    DO(SUB, u, u, w)                                   \
    DO(SUB, u, u, k)                                   \
    DO(ADD, rest, rest, u)                             \
    DO(ADD, r, y, rest)                                \
    DO(SUB, t, y, r)                                   \
    DO(ADD, t, t, rest)

/* z = r^2, zz = r^4. */
#define STEPS_OF_SQUARES \
    DO(MUL, z, r, r)     \
    DO(MUL, zz, z, z)

/* y = ps = S2 + z (S3 + z (S4 + z (S5 + z S6))). */
#define STEPS_OF_SINE_POLYNOMIAL \
    BY(MUL, y, z, S6)            \
    BY(ADD, y, y, S5)            \
    DO(MUL, y, z, y)             \
    BY(ADD, y, y, S4)            \
    DO(MUL, y, z, y)             \
    BY(ADD, y, y, S3)            \
    DO(MUL, y, z, y)             \
    BY(ADD, y, y, S2)

/* u = r - sin(r + t) = (z (t/2 - v ps) - t) + v S1, v = r^3: w. */
#define STEPS_OF_SINE   \
    DO(MUL, w, z, r)    \
    DO(MUL, y, w, y)    \
    BY(MUL, u, t, HALF) \
    DO(SUB, u, u, y)    \
    DO(MUL, u, z, u)    \
    DO(SUB, u, u, t)    \
    BY(MUL, w, w, S1)   \
    DO(ADD, u, u, w)

/* y = pc = z (C1 + z (C2 + z C3)) + zz^2 (C4 + z (C5 + z C6)). */
#define STEPS_OF_COSINE_POLYNOMIAL \
    BY(MUL, y, z, C3)              \
    BY(ADD, y, y, C2)              \
    DO(MUL, y, z, y)               \
    BY(ADD, y, y, C1)              \
    DO(MUL, y, z, y)               \
    BY(MUL, u, z, C6)              \
    BY(ADD, u, u, C5)              \
    DO(MUL, u, z, u)               \
    BY(ADD, u, u, C4)              \
    DO(MUL, zz, zz, zz)            \
    DO(MUL, u, zz, u)              \
    DO(ADD, y, y, u)

/* u = 1 - z/2 rounded, c = what that lost. */
#define STEPS_OF_COSINE_HEAD \
    BY(MUL, w, z, HALF)      \
    BY(SPREAD, k, 0, UNIT)   \
    DO(SUB, u, k, w)         \
    DO(SUB, c, k, u)         \
    DO(SUB, c, c, w)

/* c = cos(r + t) - u. */
#define STEPS_OF_COSINE \
    DO(MUL, y, z, y)    \
    DO(MUL, r, r, t)    \
    DO(SUB, y, y, r)    \
    DO(ADD, c, c, y)

#endif
