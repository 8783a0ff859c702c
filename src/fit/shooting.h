/* Pieces of a motion, tied together: residuals r(x, z), z the states at which pieces begin.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_FIT_SHOOTING_H
#define NOE_FIT_SHOOTING_H

#include "fit/fit.h"

typedef struct {
    noe_fit    *s;
    noe_system *system;         /* with derivatives by the parameters and all of q, p */
    int         n, pieces;      /* coordinates; pieces of each file */
    int         joints;         /* boundaries between pieces, in all files */
    int        *parameter;      /* [varieds] column of the derivatives, -1: a start */
    int         first, columns; /* column of q_1; columns of derivatives */
    noe_column *slope;          /* [compareds][columns] */
    double     *T;              /* [files][pieces + 1] times at which pieces begin, and end */
    double     *sigma;          /* [compareds] standard deviation of data, or part of spread */
    double     *size;           /* [2n] largest |q_j| and |p_j| of the guessed states */
    double      w;              /* weight of continuity */
    int         rows, unknowns; /* of the least squares problem */
    double     *r;              /* [rows] residuals */
    double     *J;              /* [unknowns][rows] dr/dx */
    double     *x, *tried;      /* [unknowns] present values; values that are tried */
    /* The piece at hand. */
    int  file, piece;
    bool failed;
} noe_shooting;

/* The number of the first unknown of the state at the beginning of a piece > 0. */
static inline int noe_shooting_state(const noe_shooting *h, int file, int piece)
{
    return h->s->unknowns + (file * (h->pieces - 1) + piece - 1) * 2 * h->n;
}

static inline double *noe_shooting_entry(const noe_shooting *h, int row, int unknown)
{
    return &h->J[(size_t)unknown * (size_t)h->rows + (size_t)row];
}

/* shooting_piece.c: r and J of the piece at hand, whose data begin at number `from`; returns the
 * number of the next datum, -1: the motion failed. */
int noe_shooting_piece_follow(noe_shooting *, int from);
/* shooting_guess.c: divides the time of a file, and guesses the states z between its pieces. */
bool noe_shooting_guess_states(noe_shooting *, int file, double *u);

#endif
