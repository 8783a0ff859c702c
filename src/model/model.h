/* A model: parameters, coordinates, L(t, q, v), initial conditions and observables, read from text.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_MODEL_H
#define NOE_MODEL_MODEL_H

#include "base/arena.h"
#include "expr/graph.h"
#include "model/control_problem.h"
#include "token/source.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    NOE_IS_PARAMETER,
    NOE_IS_COORDINATE,
    NOE_IS_DEFINITION,
    NOE_IS_OBSERVABLE,
    NOE_IS_SYMMETRY,
    NOE_IS_VECTOR,
    NOE_IS_BODY
} noe_is_what;

typedef struct noe_symbol {
    const char *name; /* as in the text */
    noe_is_what what;
    int         index;   /* number among the symbols of its kind */
    noe_ex      ex;      /* its expression */
    size_t      at;      /* offset of its declaration in the text */
    bool was_coordinate; /* a definition that was a coordinate before it was fixed or eliminated */
    bool family;         /* x[lo] .. x[hi]; its elements are symbols of their own, "x[3]" */
    int64_t                 lo, hi;       /* first and last index of a family */
    struct noe_family_rule *rule;         /* [rules] definitions of a family, in models of sums */
    int                     rules;        /* number of these */
    struct noe_symbol      *component[3]; /* of a vector: r.x, r.y, r.z */
    struct noe_symbol      *of;           /* the vector whose component this is, or NULL */
} noe_symbol;

/* With more coordinates than these, sums are not written out. */
enum { NOE_GROUPED_FROM = 64 };
/* Coordinates up to which a step is differentiated and a failure is diagnosed from all of L. */
enum { NOE_WHOLE_MOST = 128 };
/* Coordinates of a system that is written out, at most: dense Hessians have (2n)^2 numbers. */
enum { NOE_COORDINATES_MOST = 4000 };

/* Initial conditions of one coordinate. */
typedef struct {
    quad   q, v, p;             /* position, velocity, momentum */
    bool   has_q, has_v, has_p; /* the value is given */
    noe_ex ex_q, ex_v, ex_p;    /* expressions of the values */
    bool   ruled_q, ruled_v;    /* given for the whole family: position; velocity or momentum */
    size_t at_q, at_v;          /* offsets of these in the text */
} noe_begin;

/* A generalized force on one coordinate. */
typedef struct {
    int    index; /* number of the coordinate */
    noe_ex ex;    /* the force */
} noe_acting;

/* A generator xi(t, q) that the model declares to be a symmetry. */
typedef struct {
    noe_symbol  *symbol; /* its momentum sum xi_i p_i - f, an observable */
    int          parts;  /* components of xi */
    noe_ex      *xi;     /* [parts] */
    const char **text;   /* [parts] as written */
    size_t       at;     /* offset in the text */
    /* Results of its verification, L_q xi + L_v xi' = df/dt: xi = A q + b + t c is affine;
     * f = t (g0 + t g1) + (d + t e) q + q C q / 2 is not 0. */
    bool  affine, gauge;
    bool  forced_along;                /* forces act along xi */
    quad *A, *b, *c, *C, *d, *e, g[2]; /* [n][n], [n], [n]; [n][n], [n], [n] */
} noe_declared;

/* Which changes of sign of an event function are events, and what they do. */
typedef enum { NOE_EITHER_WAY, NOE_RISING, NOE_FALLING } noe_event_way;
typedef enum {
    NOE_THEN_NOTHING,
    NOE_THEN_BOUNCE,     /* an impact on the surface where the event function is 0 */
    NOE_THEN_VELOCITIES, /* velocities are assigned */
    NOE_THEN_MOMENTA     /* momenta are assigned */
} noe_event_then;
/* An event: a change of sign of g = left - right along the motion. */
typedef struct {
    const char    *name;           /* as in the text */
    noe_ex         g, left, right; /* g and the two sides as written */
    size_t         named, at;      /* offsets of the name and of the left side in the text */
    noe_event_way  way;
    bool           stop; /* the run ends there */
    noe_event_then then;
    quad           restitution;    /* e, of a bounce */
    noe_ex         ex_restitution; /* the same as an expression */
    noe_acting    *to;             /* [assigned] values after the event, from the state before it */
    int            assigned;       /* number of these */
} noe_event;

/* Steps in proportion to G(t, q); a constant factor of G has no effect. */
typedef struct {
    bool        given, reversible; /* by a step density, not by a transformed Lagrangian */
    bool        automatic;         /* G is found from L (system/automatic_monitor.h) .. */
    const char *text;              /* .. and this is its text, or NULL where it is too long */
    noe_ex      G;
    size_t      at;     /* offset of G in `source` */
    noe_source  source; /* the text, or the assignment from outside */
} noe_monitor;

/* H(t, q, p), in place of L. */
typedef struct {
    bool   given; /* the model has it */
    noe_ex ex;    /* H */
    size_t at;    /* offset in the text */
} noe_hamiltonian;

/* A holonomic constraint g(t, q) = left - right = 0. */
typedef struct {
    const char *name;           /* as in the text */
    noe_ex      g, left, right; /* g and the two sides as written */
    size_t      named, at;      /* offsets of the name and of the left side in the text */
} noe_constraint;

typedef enum {
    NOE_DRAW_LINE,   /* straight through its points */
    NOE_DRAW_SPRING, /* between two points */
    NOE_DRAW_DISK,   /* about a point; in space a ball */
    NOE_DRAW_TRACE,  /* the path of a point */
    NOE_DRAW_BODY,   /* a rigid body */
    NOE_DRAW_SURFACE /* through rows of points */
} noe_draw_kind;
/* What an animation shows of a motion. */
typedef struct {
    noe_draw_kind kind;
    int           first, points; /* numbers of its points, in noe_model.point */
    noe_ex        radius;        /* of a disk; -1: a usual one */
    int           solid;         /* number of the body */
    int           across;        /* points in a row of a surface */
    const char   *text;          /* the statement, without the word draw */
} noe_drawing;
/* A rigid body, as the model states it. */
typedef struct {
    const char *name;             /* as in the text */
    noe_ex      mass, inertia[3]; /* inertia: about the principal axes */
} noe_solid;

typedef enum { NOE_MASS, NOE_STIFFNESS, NOE_DAMPING } noe_matrix;
typedef struct {
    const char *path; /* as written; NULL: no such matrix */
    size_t      at;   /* offset in the text */
} noe_matrix_file;

typedef enum {
    NOE_FACTOR_ALL,
    NOE_FACTOR_ENTRY,
    NOE_FACTOR_NORMAL,
    NOE_FACTOR_UNIFORM
} noe_factor_what;
/* A factor on entries of a matrix. */
typedef struct {
    noe_factor_what what;
    noe_matrix      which;
    int64_t         row, col; /* the entry, from 1, for ENTRY */
    quad            a, b;     /* factor; mean and standard deviation; least and greatest value */
    uint64_t        seed;     /* of the random numbers, for NORMAL and UNIFORM */
} noe_factor;

/* start energy = VALUE by x'. */
typedef struct {
    bool        given, smaller; /* smaller: of the two velocities */
    noe_ex      value;          /* VALUE */
    noe_symbol *coordinate;
    size_t      at, named; /* offsets of the value and of the velocity in the text */
} noe_energy_start;

/* The unit of a quantity, as the model states it. */
typedef struct noe_unit {
    const char      *name, *text; /* of the quantity; of its unit */
    struct noe_unit *next;
} noe_unit;

typedef struct noe_model {
    noe_arena   *arena;
    noe_graph    graph;
    const char  *name, *text;           /* name for messages; the text of the model */
    size_t       length;                /* bytes of the text */
    const char **change;                /* [changes] assignments made after loading, as texts */
    int          changes;               /* number of these */
    noe_symbol **symbol;                /* [symbols] in order of declaration */
    int          symbols, *slot, slots; /* their number; [slots] hash table of their numbers */

    int          params, n, observables; /* numbers of parameters, coordinates, observables */
    quad        *param;                  /* [params] values, in order of declaration */
    noe_ex      *given;                  /* [params] expressions of the values */
    const char **literal;                /* [literals] texts of NOE_LITERAL nodes; NULL is pi */
    int          literals;               /* number of these */
    noe_symbol **coordinate;             /* [n] */
    int         *stated; /* [n] coordinates in the order of the text: r[1].x, r[1].y, r[1].z, .. */
    noe_symbol **observable; /* [observables] */
    noe_begin   *begin;      /* [n] initial conditions */
    noe_ex *fix;    /* [n] while reading: expression that a coordinate is fixed to, -1: it moves */
    quad    t0;     /* time of the start */
    bool    has_t0; /* it is given */
    noe_ex  ex_t0;  /* its expression */
    noe_energy_start by_energy;
    noe_ex           L;           /* the Lagrangian */
    noe_hamiltonian  hamiltonian; /* what it was derived from, where that is given */
    bool             stated_L;    /* kinetic, potential or lagrangian is given */
    /* Sums are not written out (model/sum_group.h): no L, begin and coordinate[] of the whole. */
    bool grouped;
    bool written; /* sums are written out, whatever the number of coordinates */
    bool summed;  /* the text has sums, and they are written out */
    bool sparse;  /* written out for matrices: any number of coordinates */
    bool shaped;  /* parameters occur in indices: their values change the number of terms */
    struct noe_sum       **sum;        /* [sums] */
    struct noe_csv_table **csv_table;  /* [csv_tables] CSV files that were read */
    int                    csv_tables; /* number of these */
    struct noe_setting    *setting;    /* [settings] fixed and initial values by rules */
    noe_graph            **graphs;     /* [graph_count] graphs of the sums' terms */
    int                    sums, settings, graph_count; /* numbers of each */
    noe_acting            *force;  /* [forces] as stated; those of a coordinate add */
    int                    forces; /* number of these */
    /* [grounds] accelerations of the ground along coordinates, fixed ones included, by the numbers
     * of the coordinates before any was fixed. */
    noe_acting         *ground;
    int                 grounds;     /* number of these */
    noe_declared       *declared;    /* [declareds] symmetries */
    int                 declareds;   /* number of these */
    noe_ex              dissipation; /* D(t, q, q'): its force is -dD/dq' */
    noe_matrix_file     matrix[3];   /* mass, stiffness and damping, in place of L */
    noe_factor         *factor;      /* [factors] assignments to entries of the matrices */
    int                 factors;     /* number of these */
    quad                alpha, beta; /* of the damping alpha M + beta K */
    noe_event          *event;       /* [events] in the order of the text */
    int                 events;      /* number of these */
    noe_monitor         monitor;     /* what the lengths of steps follow, if it is given */
    noe_constraint     *constraint;  /* [constraints] in the order of the text */
    int                 constraints; /* number of these */
    noe_solid          *solid;       /* [solids] rigid bodies in the order of the text */
    int                 solids;      /* number of these */
    noe_control_problem optimal;     /* what `noether optimize` is for */
    /* What is drawn is expressed in a model of its own, so that the graph of L is the same with and
     * without drawings: picture, or NULL. Members of that model: */
    struct noe_model *picture;
    bool              drawn;    /* draw statements are read, else they are passed over */
    int               draws;    /* number of draw statements */
    noe_drawing      *drawing;  /* [drawings] */
    int               drawings; /* number of these */
    noe_ex (*point)[3];         /* [points] points; z is 0 in the plane */
    int  points;                /* number of these */
    bool has_plane_points, has_space_points; /* points in the plane (x, y), in space (x, y, z) */
    int *row;        /* [n] row of the matrices as read: number before others were fixed */
    int  rows;       /* rows of the matrices as read */
    int  eliminated; /* number of massless coordinates, which follow the others */
    /* For the summary: the coordinates whose initial values were changed, because massless ones
     * follow them; or NULL. */
    const char *projected;
    noe_unit   *unit; /* list of the units that are stated; the last one comes first */
    const char *method, *step, *until; /* suggestions of the model, as text; or NULL */
    /* The processes that read its matrices together (system/processes.h); NULL: this one alone. */
    const struct noe_processes *readers;
    const char *inputs; /* a line for each file that was read: its hash and name; NULL: none */
    const char
        *warning;      /* warnings: a line for each statement that is probably a mistake; or NULL */
    const char *exact; /* name of the closed-form solution, of model/exact_families.def; or NULL */
    int         surfaces; /* number of draw statements that begin with surface */
} noe_model;

/* A model from text, or NULL with the message.  name stands in messages.  change: assignments from
 * outside, "l1 = g/40", "q1' = 2", "p(q1) = 0"; a later one of the same name replaces an earlier
 * one.  All are copied. */
noe_model *noe_parse_model_text(const char *name, const char *text, size_t length,
                                const char *const *change, int changes);
void       noe_model_free(noe_model *);

/* GROUPED: sums are not written out, WRITTEN: all are, AS_FITS: decided by the number of
 * coordinates. Expressions that cannot be sums of terms are written out in any case, and so are
 * models of matrices. */
typedef enum { NOE_MODEL_AS_FITS, NOE_MODEL_GROUPED, NOE_MODEL_WRITTEN } noe_model_kind;
noe_model *noe_parse_model_text_as(noe_model_kind, const char *name, const char *text,
                                   size_t length, const char *const *change, int changes);

/* A copy of the model with every number as it was written: 0.3 is 3/10 and pi is pi.  In its graph
 * numbers are NOE_LITERAL except for halves of whole numbers; nothing is folded that binary128
 * would round. */
noe_model *noe_parse_model_exact(const noe_model *);
/* An expression of parameters, in the graph of this model.  False with a message. */
bool noe_parse_model_expression(noe_model *, const char *what, const char *text, noe_ex *);

/* The value of an expression of parameters, "2*pi/100"; what names it in messages.  False with a
 * message. */
bool noe_parse_model_value(const noe_model *, const char *what, const char *text, quad *value);

/* Eliminates coordinates: to[n] has their expressions, -1 for coordinates that remain, which get
 * new numbers.  False with a message. */
bool noe_parse_model_eliminate(noe_model *, const noe_ex *to);

/* force_statement.c */
bool noe_force_statement_is_forced(const noe_model *);
/* to[n] = the generalized forces, that of the dissipation function included.  scratch: [3n]; a lack
 * of memory leads to graph.stop. */
void noe_force_statement_forces(noe_model *, noe_ex *to, noe_ex *scratch);
/* The power that changes the energy: power[0] = sum force q' - L_t is put in, power[1] = q' .
 * dD/dq' is dissipated. */
void noe_force_statement_power(noe_model *, noe_ex power[2], noe_ex *scratch);

/* table_lookup.c: a tabulated function of t alone that has no value at t, or NULL. */
const noe_tabulated *noe_table_lookup_outside(const noe_model *, quad t);

/* input_files.c: records a file that the model has read and the hash of its contents.  False: out
 * of memory. */
bool noe_input_files_add(noe_model *, const char *name, size_t length, uint64_t hash);

noe_symbol *noe_model_find(const noe_model *, const char *name, size_t length);
noe_symbol *noe_family_find_member(const noe_model *, const noe_symbol *family,
                                   int64_t i); /* x[i], or NULL */

#endif
