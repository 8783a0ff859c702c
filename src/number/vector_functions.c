/* The elementary functions but for sine and cosine, eight at a time: tan x, exp x, x^y ..
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per instruction set; all builds give the same bits. */
#define NOE_REAL NOE_LANES
#include "number/vector_functions.h"

#include "number/inverse_trigonometric.h"
#include "number/logarithm.h"
#include "number/sincos.h"

#define OF_ONE(name, value)                                  \
    void NOE_BUILD(noe_##name##_)(const lanes *X, lanes *to) \
    {                                                        \
        for (int i = 0; i < PARTS; i++) {                    \
            const part x = ((const part *)X)[i];             \
            ((part *)to)[i] = (value);                       \
        }                                                    \
    }
#define OF_TWO(name, value)                                                  \
    void NOE_BUILD(noe_##name##_)(const lanes *X, const lanes *Y, lanes *to) \
    {                                                                        \
        for (int i = 0; i < PARTS; i++) {                                    \
            const part x = ((const part *)X)[i], y = ((const part *)Y)[i];   \
            ((part *)to)[i] = (value);                                       \
        }                                                                    \
    }

OF_ONE(exp, part_exp(x, part_of(0)))
OF_ONE(sinh, part_sinh(x))
OF_ONE(cosh, part_cosh(x))
OF_ONE(tanh, part_tanh(x))
OF_ONE(log, part_log(x))
OF_ONE(atan, part_atan(x))
OF_ONE(asin, part_asin(x))
OF_ONE(acos, part_acos(x))
OF_TWO(pow, part_pow(x, y))
OF_TWO(atan2, part_atan2(x, y))

/* tan = sine/cosine of the reduced argument, or minus the inverse; both with their rounding
 * errors. */
void NOE_BUILD(noe_tan_)(const lanes *X, lanes *to)
{
    const lanes    x = *X;
    lanes          r, t, s_low, one, c_low;
    lane_mask      quadrant = quarter_turns(x, &r, &t);
    const unsigned large = lanes_large(x);
    if (__builtin_expect(large, 0))
        turns_of_large((const double *)X, large, (double *)&r, (double *)&t, (int64_t *)&quadrant);
    sines_of(r, t, &s_low, &one, &c_low);
    const lane_mask odd = -(quadrant & 1);
    const lanes     over = lanes_if(odd, one, r), over_low = lanes_if(odd, c_low, s_low);
    const lanes     under = lanes_if(odd, r, one), under_low = lanes_if(odd, s_low, c_low);
    lanes           y;
    for (int i = 0; i < PARTS; i++)
        ((part *)&y)[i] = quotient(((const part *)&over)[i], ((const part *)&over_low)[i],
                                   ((const part *)&under)[i], ((const part *)&under_low)[i]);
    *to = lanes_if(lanes_less(lanes_abs(x), (lanes){ 0 } + 0x1p-30), x, lanes_if(odd, -y, y));
}
