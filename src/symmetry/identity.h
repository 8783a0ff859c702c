/* Noether's identity at random states, for L and for each part of an L of uncoupled blocks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * L = sum_b L_b(z_b, t) + L_0(t), z_b = (q, v) of block b.  Where the identity D(z, t) = 0 holds,
 * so does D(z, t) - D(z', t) = 0 for two states that differ in one block only; to this difference
 * only the terms contribute that contain coordinates of this block, and of L only L_b.  So a
 * generator is judged relative to each block that it moves, however large another one may be. */
#ifndef NOE_SYMMETRY_IDENTITY_H
#define NOE_SYMMETRY_IDENTITY_H

#include "symmetry/symmetry.h"

enum { NOE_IDENTITY_FRESH = 120 }; /* states of a verification */
/* Widths of the random states, relative to the scales. */
extern const double noe_identity_width[6];

typedef struct {
    noe_state_sampler sampler; /* draws states */
    noe_random_state *state;   /* the present state */
    noe_random_state *other;   /* one at the same time with all blocks elsewhere */
    noe_random_state *mixed;   /* the present state, but one block as in the other */
} noe_identity;

/* False with a message; must be closed in either case. */
bool noe_identity_open(noe_identity *, const noe_system *);
void noe_identity_close(noe_identity *);
/* Draws the present state at random; false where L is not finite. */
bool noe_identity_draw(noe_identity *, double rho);
/* Number of special states, not drawn around the start: the states of a trial run, and some in the
 * active region of each local term of L; draws number k of them. */
int  noe_identity_specials(const noe_identity *);
bool noe_identity_special(noe_identity *, int k);
/* Number of rows of a state: D, and with several parts of L the difference of each block. */
int noe_identity_rows(const noe_identity *);
/* The size of the terms of L in row r, a power of two; 1 where L has one part. */
quad noe_identity_unit(const noe_identity *, int r, const noe_random_state *here,
                       const noe_random_state *less);
/* Row r is the identity `here`, minus that at the state returned unless it is NULL; both are valid
 * until the next call. */
const noe_random_state *noe_identity_row(noe_identity *, int r, noe_random_state *here);

/* Largest residual of the identity on fresh states, random and special ones, each relative to the
 * terms of its row; coef [terms]. */
double noe_identity_residual(noe_identity *, const noe_symmetries *, const quad *coef);
/* True if the generator moves states across a discontinuity of L, which derivatives do not show. */
bool noe_identity_over_a_jump(noe_identity *, const noe_symmetries *, const quad *coef);

#endif
