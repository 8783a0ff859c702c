/* model = parameters, coordinates, L(t, q, v), start, observables.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_MODEL_H
#define NOE_MODEL_MODEL_H

#include "base/arena.h"
#include "expr/graph.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    NOE_IS_PARAMETER,
    NOE_IS_COORDINATE,
    NOE_IS_DEFINITION,
    NOE_IS_OBSERVABLE,
    NOE_IS_SYMMETRY
} noe_is_what;

typedef struct {
    const char *name;
    noe_is_what what;
    int         index; /* among its kind */
    noe_ex      ex;
    size_t      at;     /* where it is declared */
    bool        given;  /* of a definition: a coordinate that is fixed, or follows the others */
    bool        family; /* x[lo] .. x[hi]; its members are symbols of their own, "x[3]" */
    int64_t     lo, hi;
    struct noe_family_rule *rule; /* of definitions in grouped models */
    int                     rules;
} noe_symbol;

enum { NOE_GROUPED_FROM = 64 }; /* more coordinates than these: sums stay sums */
enum {
    NOE_WHOLE_MOST = 128
}; /* up to which a step is differentiated, and a failure explained by all of L */
enum { NOE_COORDINATES_MOST = 4000 }; /* that are written out: dense Hessians of (2n)^2 numbers */

typedef struct { /* start of one coordinate; what is not given is silent */
    quad   q, v, p;
    bool   has_q, has_v, has_p;
    noe_ex ex_q, ex_v, ex_p; /* what gave the values */
    bool   ruled_q, ruled_v; /* by a rule for the whole family; of velocity or momentum */
    size_t at_q, at_v;       /* where the text says them */
} noe_begin;

typedef struct { /* a generalized force on one coordinate */
    int    index;
    noe_ex ex;
} noe_acting;

typedef struct {         /* a generator xi(t, q) that the model claims to be a symmetry */
    noe_symbol  *symbol; /* of its momentum sum xi_i p_i - f, an observable */
    int          parts;
    noe_ex      *xi;   /* [parts] */
    const char **text; /* [parts] as written */
    size_t       at;
    /* What verifying it finds: L_q xi + L_v xi' = df/dt. */
    bool affine,
        gauge;    /* xi = A q + b + t c; f = t (g0 + t g1) + (d + t e) q + q C q / 2 is not 0 */
    bool  pushed; /* forces act along xi */
    quad *A, *b, *c, *C, *d, *e, g[2]; /* [n][n], [n], [n]; [n][n], [n], [n] */
} noe_declared;

typedef enum { NOE_MASS, NOE_STIFFNESS, NOE_DAMPING } noe_matrix;
typedef struct {
    const char *path; /* as written; NULL: there is none */
    size_t      at;
} noe_matrix_file;

typedef enum {
    NOE_FACTOR_ALL,
    NOE_FACTOR_ENTRY,
    NOE_FACTOR_NORMAL,
    NOE_FACTOR_UNIFORM
} noe_factor_what;
typedef struct { /* on entries of a matrix */
    noe_factor_what what;
    noe_matrix      which;
    int64_t         row, col; /* of ENTRY, from 1 */
    quad            a, b;     /* the factor; mean and deviation; least and most */
    uint64_t        seed;
} noe_factor;

typedef struct {
    noe_arena   *arena;
    noe_graph    graph;
    const char  *name, *text;
    size_t       length; /* of the text */
    const char **change;
    int          changes;
    noe_symbol **symbol; /* in order of declaration */
    int          symbols, *slot, slots;

    int          params, n, observables;
    quad        *param;   /* values, in order of declaration */
    noe_ex      *given;   /* and the expressions that gave them */
    const char **literal; /* of NOE_LITERAL; NULL is pi */
    int          literals;
    noe_symbol **coordinate; /* n */
    noe_symbol **observable;
    noe_begin   *begin; /* n */
    noe_ex      *fix;   /* n while it is read: what a coordinate is fixed to, -1 = it moves */
    quad         t0;
    bool         has_t0;
    noe_ex       ex_t0;
    noe_ex       L;
    bool grouped; /* sums stay sums, model/sum_group.h: no L, begin and coordinate[] of the whole */
    bool written; /* sums are written out, however many */
    bool summed;  /* there are sums, and they are written out */
    bool sparse;  /* written out for matrices: of any size */
    bool shaped;  /* parameters are in indices: how many terms there are depends on their values */
    struct noe_sum       **sum;
    struct noe_csv_table **sheet; /* files of numbers that were read */
    int                    sheets;
    struct noe_setting    *setting;
    noe_graph            **graphs; /* those of the sums */
    int                    sums, settings, graph_count;
    noe_acting            *force; /* as stated; those of one coordinate add up */
    int                    forces;
    noe_acting *
        ground; /* accelerations of the ground along coordinates, fixed ones too, by their first numbers */
    int             grounds;
    noe_declared   *declared; /* symmetries */
    int             declareds;
    noe_ex          dissipation; /* D(t, q, q'): its force is -dD/dq' */
    noe_matrix_file matrix[3];   /* instead of L */
    noe_factor     *factor;      /* on them, from outside */
    int             factors;
    quad            alpha, beta; /* of the damping alpha M + beta K */
    int            *row;  /* [n] of the matrices: number of a coordinate before others were fixed */
    int             rows; /* how many there were */
    int             eliminated; /* coordinates without mass that follow the others */
    const char     *projected; /* what of the start is not as it was told, since they do; or NULL */
    const char     *method, *step, *until; /* what it suggests, as text; or NULL */
    const char     *inputs;  /* a line for each file that was read: its hash and name; NULL: none */
    const char     *warning; /* what the text says and hardly means, a line each; or NULL */
    const char *exact; /* the name of its exact solution, of model/exact_families.def; or NULL */
} noe_model;

/* A model from text, or NULL with the message.  name stands in messages.  change: assignments from outside,
 * "l1 = g/40", "q1' = 2", "p(q1) = 0"; a later one of the same name replaces an earlier one.  All are
 * copied. */
noe_model *noe_parse_model_text(const char *name, const char *text, size_t length,
                                const char *const *change, int changes);
void       noe_model_free(noe_model *);

/* GROUPED: sums stay sums, WRITTEN: each is written out, AS_FITS: by the number of coordinates.  What cannot stay a sum
 * is written out all the same, and so is what names matrices, of any size. */
typedef enum { NOE_MODEL_AS_FITS, NOE_MODEL_GROUPED, NOE_MODEL_WRITTEN } noe_model_kind;
noe_model *noe_parse_model_text_as(noe_model_kind, const char *name, const char *text,
                                   size_t length, const char *const *change, int changes);

/* The same model once more, every number as it was written: 0.3 is 3/10 and pi is pi.  In its graph numbers are
 * NOE_LITERAL but for halves of whole numbers; nothing is folded that binary128 would round. */
noe_model *noe_parse_model_exact(const noe_model *);
/* An expression of parameters, in the graph of this model.  False with a message. */
bool noe_parse_model_expression(noe_model *, const char *what, const char *text, noe_ex *);

/* The value of an expression of parameters, "2*pi/100"; what names it in messages.  False with a message. */
bool noe_parse_model_value(const noe_model *, const char *what, const char *text, quad *value);

/* Coordinates that follow the others: to[n], their expressions, -1 for those that stay, which are numbered anew.  False
 * with a message. */
bool noe_parse_model_eliminate(noe_model *, const noe_ex *to);

/* force_statement.c.  scratch: 3n expressions of room; those that run out of memory jump to graph.stop. */
bool noe_force_statement_is_forced(const noe_model *);
/* to[n] = the generalized forces, those of the dissipation among them. */
void noe_force_statement_forces(noe_model *, noe_ex *to, noe_ex *scratch);
/* What changes the energy: power[0] = sum force q' - L_t puts in, power[1] = q' . dD/dq' takes out. */
void noe_force_statement_power(noe_model *, noe_ex power[2], noe_ex *scratch);

/* table_lookup.c: a table of t alone that has no value at t, or NULL. */
const noe_tabulated *noe_table_lookup_outside(const noe_model *, quad t);

/* input_files.c: one more file that the model has read, by the hash of what it says.  False: out of memory. */
bool noe_input_files_add(noe_model *, const char *name, size_t length, uint64_t hash);

noe_symbol *noe_model_find(const noe_model *, const char *name, size_t length);
noe_symbol *noe_family_find_member(const noe_model *, const noe_symbol *family,
                                   int64_t i); /* x[i], or NULL */

#endif
