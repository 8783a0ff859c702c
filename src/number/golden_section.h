/* The least value of a function of one variable that falls and then rises.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_NUMBER_GOLDEN_SECTION_H
#define NOE_NUMBER_GOLDEN_SECTION_H

typedef double noe_golden_section_function(const void *of, double x);

/* The least f between low and high, or the first value of `enough` or less; *place: where. */
double noe_golden_section_least(noe_golden_section_function *, const void *of, double low,
                                double high, double enough, double *place);

#endif
