/* Compares with published numbers: |computed - printed| <= one unit of the last printed digit.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STUDY_STUDY_VERDICT_H
#define NOE_STUDY_STUDY_VERDICT_H

#include "study/study.h"

typedef enum {
    NOE_NOT_PRINTED,
    NOE_REPRODUCED,
    NOE_AT_ROUND_OFF,
    NOE_ERRATUM_CONFIRMED, /* an erratum corrects the number, and the correction is reproduced */
    NOE_DIFFERS,
    NOE_ERRATUM_REFUTED, /* there is an erratum, but the number as printed is reproduced */
    NOE_VERDICTS
} noe_verdict_kind;

typedef struct {
    noe_verdict_kind   is;       /* the verdict */
    const char        *printed;  /* printed text; NULL: none */
    const noe_erratum *erratum;  /* the erratum of the number; NULL: none */
    double             computed; /* the computed number */
} noe_study_verdict;

extern const char *const noe_study_verdict_word[NOE_VERDICTS];

/* Compares one number; at: step 0, 1, ..; -1: the order. */
noe_study_verdict noe_study_verdict_find(const noe_study *, int window, int quantity, int method,
                                         int at);
/* Counts the verdicts of each kind; those that differ are failures. */
void noe_study_verdict_count(const noe_study *, int count[NOE_VERDICTS]);
/* Does the computed number agree with the printed one to a unit of its last digit, or to
 * `least`? */
bool noe_study_verdict_digits_agree(const char *printed, double computed, double least);

/* Orders of one row of a table: from step j-1 to step j; from the first to the last step; by
 * regression without the round-off plateau. */
double noe_study_verdict_order_of_pair(const noe_study *, int window, int quantity, int method,
                                       int step);
double noe_study_verdict_order_of_ends(const noe_study *, int window, int quantity, int method);
/* masked[steps]: the errors on the plateau; may be NULL */
double noe_study_verdict_order_by_fit(const noe_study *, int window, int quantity, int method,
                                      bool *masked);

#endif
