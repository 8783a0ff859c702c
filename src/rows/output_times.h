/* Output times: t_0 < t_1 < .. from a list, a file, or evenly spaced; ranges are not written out.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ROWS_OUTPUT_TIMES_H
#define NOE_ROWS_OUTPUT_TIMES_H

#include "model/model.h"

/* `count` times from `first` to `last`, both included. */
typedef struct {
    quad   first, last;
    double count;
} noe_time_range;

typedef struct {
    noe_time_range *range; /* [ranges], in the order of the run */
    int             ranges;
    double          count;     /* of all times */
    int             at;        /* the range of the next time, */
    double          taken;     /* and how many of that range were taken */
    bool            in_double; /* times are rounded to double */
} noe_output_times;

/* "0, 0.1, 1..10 in 100": times and ranges, expressions of parameters, in the order of the run; or
 * the name of a file with such lists in its lines, '#' for a comment.  False with a message. */
bool noe_output_times_parse(noe_output_times *, const noe_model *, const char *text);
/* The times of a list, in the order of the run. */
bool noe_output_times_list(noe_output_times *, const double *time, long count);
/* `count` times, at least 2, evenly spaced from `first` to `last`. */
bool noe_output_times_even(noe_output_times *, double count, quad first, quad last);
/* Do all times lie between `from` and `until`, in this order?  False with a message. */
bool noe_output_times_within(const noe_output_times *, quad from, quad until);
quad noe_output_times_last(const noe_output_times *);
/* The next time; false after the last. */
bool noe_output_times_next(noe_output_times *, quad *t);
void noe_output_times_free(noe_output_times *);

#endif
