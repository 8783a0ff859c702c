/* Sums of doubles without rounding, the same bits for any order and any number of processes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_EXACT_SUM_H
#define NOE_MPI_EXACT_SUM_H

#include <stdint.h>

/* sum_k digit[k] 2^(32 k - 1120); the last place counts what is not finite. */
enum { EXACT_DIGITS = 70, EXACT_NUMBERS = EXACT_DIGITS + 1 };
typedef struct {
    int64_t digit[EXACT_NUMBERS];
    int     pending; /* additions since the digits were made small */
} exact_sum;

void exact_sum_clear(exact_sum *);
void exact_sum_add(exact_sum *, double);
/* Adds x y, both of its halves. */
void exact_sum_add_product(exact_sum *, double x, double y);
/* Makes the digits small enough that those of 2^30 sums may be added. */
void exact_sum_settle(exact_sum *);
/* The sum rounded to double; NAN: a term was not finite. */
double exact_sum_value(exact_sum *);

#endif
