/* Compares with published numbers: |computed - printed| <= one unit of the last printed digit.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STUDY_STUDY_VERDICT_H
#define NOE_STUDY_STUDY_VERDICT_H

#include "study/study.h"

typedef enum {
    NOE_NOT_PRINTED,
    NOE_REPRODUCED,
    NOE_AT_ROUND_OFF,
    NOE_MISPRINT, /* an erratum says what it is, and it is */
    NOE_DIFFERS,
    NOE_NO_MISPRINT, /* an erratum, but the number is reproduced */
    NOE_VERDICTS
} noe_verdict_kind;

typedef struct {
    noe_verdict_kind   is;
    const char        *printed; /* NULL: nothing */
    const noe_erratum *erratum; /* or NULL */
    double             computed;
} noe_study_verdict;

extern const char *const noe_study_verdict_word[NOE_VERDICTS];

/* at: 0, 1 .. of the steps, -1: the order. */
noe_study_verdict noe_study_verdict_find(const noe_study *, int window, int quantity, int method,
                                         int at);
/* How many of each verdict there are; all that differ are failures. */
void noe_study_verdict_count(const noe_study *, int count[NOE_VERDICTS]);
/* least: a tolerance all the same */
bool noe_study_verdict_digits_agree(const char *printed, double computed, double least);

/* Orders of one row: from step j-1 to j; over all steps; by regression without the round-off
 * plateau. */
double noe_study_verdict_order_of_pair(const noe_study *, int window, int quantity, int method,
                                       int step);
double noe_study_verdict_order_of_ends(const noe_study *, int window, int quantity, int method);
/* masked[steps]: may be NULL */
double noe_study_verdict_order_by_fit(const noe_study *, int window, int quantity, int method,
                                      bool *masked);

#endif
