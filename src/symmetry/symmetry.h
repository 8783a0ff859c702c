/* L_q xi + L_v xi' + tau L_t + (L - L_v v) tau' = df/dt  ->  I = p xi - tau H - f is conserved.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_SYMMETRY_SYMMETRY_H
#define NOE_SYMMETRY_SYMMETRY_H

#include "symmetry/generator_basis.h"

typedef enum { NOE_EXACT, NOE_TO_ROUNDING } noe_verdict; /* ... of the constants in the model */

typedef enum { NOE_TRANSLATION, NOE_BOOST, NOE_ROTATION, NOE_OTHER, NOE_ENERGY } noe_symmetry_kind;

typedef struct {
    quad
        *coef; /* of the dictionary's terms, q counted from 0; NULL: declared, and not among them */
    bool declared;   /* by the model, verified when that was read; the rest is found */
    int  observable; /* of a declared one: its momentum */
    noe_tape *xi;    /* of a declared one: its components */
    quad     *slot;
    bool      strict;  /* xi = A q + b, nothing else: every Galerkin method keeps its momentum */
    bool      pushed;  /* forces act along it: its momentum changes by their impulse */
    bool      depends; /* its momentum follows from those before it */
    noe_symmetry_kind kind;
    noe_verdict       verdict;
    double            residual;  /* on fresh states */
    char              name[64];  /* "rotation_x_y": the observable */
    char              what[160]; /* "rotation in the x-y plane" */
    char             *momentum;  /* "x*p(y) - y*p(x)", in the model language */
} noe_symmetry;

typedef struct {
    noe_arena      *arena;
    noe_level       level; /* what was searched */
    int             n, terms, count;
    noe_basis_term *term;
    noe_symmetry   *found;
    noe_model      *model;     /* of the tapes of those that are declared; NULL: none are */
    int             near;      /* rejected although nearly symmetries, */
    double          nearest;   /* the smallest residual among them */
    char            note[160]; /* what was not searched and why; "" */
} noe_symmetries;

/* All affine symmetries of L, found on random states in binary128.  NULL with a message. */
noe_symmetries *noe_symmetry_find(const noe_system *);
/* Those that the model declares, and no others; for systems where searching takes long. */
noe_symmetries *noe_symmetry_declared(const noe_system *);
void            noe_symmetry_free(noe_symmetries *);

/* collective_symmetry.c: of the first `rows`, those that move all bodies alike come into the basis; false with a message. */
bool noe_collective_symmetry_find(noe_symmetries *, const noe_system *, int rows);

/* declared_generators.c: adds those that the model declares; false with a message. */
bool noe_declared_generators_add(noe_symmetries *, const noe_system *);

/* independent_momenta.c: sorts, drops empty momenta, marks those that follow from others. */
bool noe_independent_momenta_sort(noe_symmetries *, noe_state_sampler *, noe_random_state *);

/* generator_name.c: kind, what, momentum from the coefficients, false with a message; a name among those before it. */
void noe_generator_name_find(const noe_symmetries *, noe_symmetry *);
bool noe_generator_name_describe(noe_symmetries *, const noe_system *, noe_symmetry *);

#endif
