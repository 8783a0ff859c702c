/* Symmetries of a Lagrangian: their generators (xi, tau, f) and conserved momenta I.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * L_q xi + L_v xi' + tau L_t + (L - L_v v) tau' = df/dt  ->  I = p xi - tau H - f is conserved.
 * certify/symmetry_momentum.c computes the value of I in a run. */
#ifndef NOE_SYMMETRY_SYMMETRY_H
#define NOE_SYMMETRY_SYMMETRY_H

#include "symmetry/generator_basis.h"

/* A symmetry holds exactly, or as well as the model's constants, rounded to double, have it. */
typedef enum { NOE_EXACT, NOE_TO_ROUNDING } noe_verdict;

typedef enum { NOE_TRANSLATION, NOE_BOOST, NOE_ROTATION, NOE_OTHER, NOE_ENERGY } noe_symmetry_kind;

typedef struct {
    /* [terms] coefficients of the basis terms, q counted from 0; NULL: a declared generator that
     * is not a sum of these terms. */
    quad     *coef;
    bool      declared;   /* by the model, and verified when the model was read; else found here */
    int       observable; /* declared generator: index of the observable that is its momentum */
    noe_tape *xi;         /* declared generator: tape of the components xi_i */
    quad     *slot;       /* [xi->slots] memory of that tape */
    bool      strict;     /* xi = A q + b alone: every Galerkin method preserves the momentum */
    bool      forced_along;  /* forces act along xi: the momentum changes by their impulse */
    bool      monitor_lacks; /* the monitor does not have this symmetry */
    /* The transformed Lagrangian of the monitor does not have it: the momentum is bounded. */
    bool              transformed_lacks;
    bool              depends; /* the momentum is a function of the momenta before it in the list */
    noe_symmetry_kind kind;    /* translation, rotation, .., for the order of the list */
    noe_verdict       verdict; /* exact, or to the rounding of the model's constants */
    double            residual;  /* of Noether's identity on fresh states, relative to its terms */
    char              name[64];  /* "rotation_x_y": the observable */
    char              what[160]; /* "rotation in the x-y plane" */
    char             *momentum;  /* "x*p(y) - y*p(x)", in the model language */
} noe_symmetry;

typedef struct {
    noe_arena *arena;          /* memory of all members */
    noe_level  level;          /* the kinds of terms that were searched */
    int        n,              /* coordinates */
        terms,                 /* basis terms */
        count;                 /* symmetries */
    noe_basis_term *term;      /* [terms] */
    const double   *q_scale;   /* [n] sizes of the positions in the search; NULL: there was none */
    noe_symmetry   *found;     /* [count] */
    noe_model      *model;     /* owner of the tapes of declared generators; NULL: none declared */
    int             near;      /* number of generators rejected although nearly symmetries */
    double          nearest;   /* smallest residual of the rejected generators */
    char            note[160]; /* what was not searched, and why; "" */
} noe_symmetries;

/* All affine symmetries of L, found on random states in binary128, and the declared ones.  NULL
 * with a message. */
noe_symmetries *noe_symmetry_find(const noe_system *);
/* Only the symmetries that the model declares; for systems where the search takes long. */
noe_symmetries *noe_symmetry_declared(const noe_system *);
void            noe_symmetry_free(noe_symmetries *);

/* collective_symmetry.c: changes the basis of the first `rows` symmetries so that it contains
 * those that move all bodies alike; false with a message. */
bool noe_collective_symmetry_find(noe_symmetries *, const noe_system *, int rows);

/* declared_generators.c: adds the symmetries that the model declares; false with a message. */
bool noe_declared_generators_add(noe_symmetries *, const noe_system *);

/* monitor_symmetry.c: marks what a monitor does not share; false without memory. */
bool noe_monitor_symmetry_mark(noe_symmetries *, const noe_system *);

/* independent_momenta.c: sorts the symmetries, drops those whose momentum is 0, and marks those
 * whose momentum is a function of others. */
bool noe_independent_momenta_sort(noe_symmetries *, noe_state_sampler *, noe_random_state *);

/* generator_name.c: describe sets kind, what and momentum from the coefficients, false with a
 * message; find sets a name that differs from those of the symmetries before it. */
void noe_generator_name_find(const noe_symmetries *, noe_symmetry *);
bool noe_generator_name_describe(noe_symmetries *, const noe_system *, noe_symmetry *);

#endif
