/* The parser of models: the state and the functions that its parts share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MODEL_PARSER_H
#define NOE_MODEL_PARSER_H

#include "model/index_expression.h"
#include "token/lexer.h"
#include "model/model.h"

/* What an expression is: a number, or a vector of three. */
typedef struct {
    noe_ex ex[3]; /* the components x, y, z; of a number it is ex[0] */
    bool   vector;
} noe_quantity;

enum { NOE_A_NUMBER = -1, NOE_NESTED_MOST = 200 /* levels of nesting */ };

/* The entry points of the grammar. Files that are part of an expression or an index, and may
 * contain one, call them through the parser, so that files do not call each other in a circle. */
typedef struct noe_parser noe_parser;
typedef struct {
    noe_quantity (*expression)(noe_parser *); /* arithmetic.c */
    noe_index (*index)(noe_parser *);         /* index_arithmetic.c */
} noe_grammar;

struct noe_parser {
    const noe_grammar *grammar;
    noe_lexer          lex;
    noe_model         *model;
    noe_graph         *graph; /* graph in which expressions are made */
    bool              *used;  /* [changes] the assignment model->change[i] was to a parameter */
    /* Present depth of nesting, of the text of a definition or statement and of what its definition
     * is read inside; bounded, since the C stack is. */
    int  depth, outside;
    bool observing; /* in an observable: p(q) and energy are allowed */
    bool momenta;   /* in a definition or Hamiltonian: p(q) is allowed */
    bool assigning; /* the text is an assignment made after loading */
    /* What the present statement takes of an expression: NOE_A_NUMBER, or component 0, 1, 2 of a
     * vector, whose text is then read three times. */
    int component;
    const char *
        defining; /* the name that is being defined, for the message "defined by itself", or NULL */
    size_t defining_length;
    noe_bound
        bound[NOE_BOUND_MOST]; /* [bounds] bound indices: those of rules, then those of sums */
    int bounds, scope;         /* their number; indices before `scope` are hidden */
    struct noe_sum *sum; /* not NULL: expressions are the term of this sum, model/sum_group.h */
    noe_symbol      stand_in; /* node that stands for an element of a family inside sums */
    enum {
        NOE_READ_ONCE,
        NOE_READ_GROUPED,
        NOE_READ_WRITTEN
    } again; /* whether the whole text has to be read again, and how sums are then treated */
    struct noe_body **body;   /* [bodies] rigid bodies, statement/rigid_body.h */
    int               bodies; /* number of these */
    struct noe_dry
        *dry; /* not NULL: the definition of a family is read without values, to find its range */
    int64_t terms; /* terms of expanded sums so far */
    /* offset in the text up to which sums were checked for summands that they should not contain */
    size_t  looked;
    quad    value;    /* value of a text that is one expression */
    noe_ex  constant; /* expression that noe_constant_expression_value read last */
    jmp_buf stop;
};

/* The node of an operation on one or two others, simplified. */
static inline noe_ex noe_parser_make(noe_parser *p, noe_op op, noe_ex a, noe_ex b)
{
    return noe_simplify_make(p->graph, op, a, b, 0);
}

/* model.c: memory of the model; these jump to stop on failure. */
void *noe_model_alloc(noe_parser *, size_t size);
void *noe_model_push(noe_parser *, void *array, int count, size_t size); /* memory for one more */
void  noe_model_widen(noe_parser *, void *array, int count, int more, size_t size); /* for more */
char *noe_model_copy_text(noe_parser *, const char *text, size_t length);           /* a copy */
noe_symbol *noe_model_declare(noe_parser *, noe_is_what, const noe_token *name);
noe_symbol *noe_model_declare_name(noe_parser *, noe_is_what, const char *name, size_t length,
                                   size_t at);

void noe_model_warn(noe_parser *, size_t at,
                    const char *); /* the place and the text; nothing stops */

/* statement/statement.c, statement/declaration.c */
void      noe_statement_parse(noe_parser *);
void      noe_declaration_define(noe_parser *, noe_is_what); /* NAME = EXPRESSION */
void      noe_declaration_coordinates(noe_parser *);
void      noe_declaration_coordinate(noe_parser *, noe_symbol *); /* makes it a coordinate */
void      noe_declaration_parameter(noe_parser *, noe_symbol *, quad value); /* .. a parameter */
void      noe_observable_add(noe_parser *, noe_symbol *);
noe_token noe_declaration_new_name(noe_parser *,
                                   noe_is_what);       /* a NAME for a new symbol; moves past it */
void      noe_symmetry_statement_parse(noe_parser *);  /* statement/symmetry_statement.c */
void      noe_symmetry_statement_finish(noe_parser *); /* when all coordinates are known */
/* number [n]: new index of each coordinate, < 0: it is fixed. */
void noe_symmetry_statement_fix(noe_parser *, const int *number);

/* statement/hamiltonian_statement.c */
void noe_hamiltonian_statement_parse(noe_parser *);
/* Refuses L beside H, the statement's expression being at `at`. */
void noe_hamiltonian_statement_exclude(noe_parser *, size_t at);
void noe_hamiltonian_statement_finish(noe_parser *); /* L from H, when all coordinates are known */

/* statement/event_statement.c */
void noe_event_statement_parse(noe_parser *);
/* number: as for noe_symmetry_statement_fix() */
void noe_event_statement_fix(noe_parser *, const int *number);

/* statement/monitor_statement.c */
void noe_monitor_statement_parse(noe_parser *);
void noe_unit_statement_parse(noe_parser *);
bool noe_monitor_statement_assign(
    noe_parser *); /* the assignment "monitor = G" of the command line; false: it is another one */
void noe_monitor_statement_finish(noe_parser *); /* .. that are made: is G one to follow? */
void noe_monitor_statement_check(noe_parser *);  /* once the whole model is known */

/* statement/control_statement.c, statement/control_limits.c */
void noe_control_statement_parse(noe_parser *);
void noe_control_statement_cost(noe_parser *);
void noe_control_statement_final(noe_parser *);
bool noe_control_limits_parse(noe_parser *, noe_limits *);                  /* passes "in a..b" */
void noe_control_limits_bound(noe_parser *, noe_ex, noe_limits, size_t at); /* at all times */
/* number: as for noe_symmetry_statement_fix() */
void noe_control_statement_fix(noe_parser *, const int *number);
void noe_control_statement_check(noe_parser *); /* once the whole model is known */

/* statement/draw_statement.c */
void noe_draw_statement_parse(noe_parser *);

/* statement/constraint_statement.c */
void noe_constraint_statement_parse(noe_parser *);
void noe_constraint_statement_fix(noe_parser *); /* checks again after coordinates were fixed */

/* statement/force_statement.c */
void noe_force_statement_force(noe_parser *);
void noe_force_statement_ground(noe_parser *);
void noe_force_statement_dissipation(noe_parser *);

/* expect.c */
_Noreturn void noe_expect_fail(noe_parser *, const char *expected); /* "expected .., found 'x'" */
void           noe_expect_token(noe_parser *, int sign, const char *where);
void           noe_expect_close(noe_parser *, size_t opened,
                                const char *where); /* the ')' of an earlier '(' */
bool           noe_expect_comma(noe_parser *);      /* passes one */

/* arithmetic.c, index_arithmetic.c: the grammar */
noe_quantity noe_arithmetic_parse(noe_parser *);
noe_index    noe_index_arithmetic_parse(noe_parser *);

/* expression.c, number_literal.c, constant_expression.c */
noe_quantity noe_expression_quantity(noe_parser *); /* a number or a vector */
/* a number, or the component that p->component wants of a vector */
noe_ex noe_expression_parse(noe_parser *);
noe_ex noe_condition_parse(noe_parser *); /* condition.c: 1 or 0 */
noe_ex noe_number_literal_make(noe_parser *, quad value, const char *text,
                               size_t length);                        /* text NULL: pi */
void   noe_constant_expression_need(noe_parser *, noe_ex, size_t at); /* fails where it moves */
/* Parses an expression of parameters alone. */
noe_ex noe_constant_expression_parse(noe_parser *);
/* The value of such an expression; fails where it is not finite. */
quad noe_constant_expression_finite(noe_parser *, noe_ex, size_t at);
/* Parses such an expression and returns its value. */
quad noe_constant_expression_value(noe_parser *);
/* Parses an expression whose constants are finite. */
noe_ex noe_constant_expression_checked(noe_parser *);

/* quantity.c: vectors; at: offset in the text, for messages */
noe_quantity noe_quantity_number(noe_ex);
/* advice: what may be meant instead of the vector, or NULL */
noe_ex       noe_quantity_as_number(noe_parser *, noe_quantity, size_t at, const char *advice);
void         noe_quantity_need_vector(noe_parser *, noe_quantity, size_t at);
noe_quantity noe_quantity_negative(noe_parser *, noe_quantity);
/* a op b: _sum for ADD and SUB, _product for MUL, DIV and MOD; at: offset of b */
noe_quantity noe_quantity_sum(noe_parser *, noe_op, noe_quantity a, noe_quantity b, size_t at);
noe_quantity noe_quantity_product(noe_parser *, noe_op, noe_quantity a, noe_quantity b, size_t at);
noe_ex       noe_quantity_dot(noe_parser *, const noe_quantity *, const noe_quantity *);
noe_quantity noe_quantity_cross(noe_parser *, const noe_quantity *, const noe_quantity *);
int          noe_quantity_component_at(noe_parser *); /* passes ".y": 1; -1 where there is none */
noe_quantity noe_quantity_components(noe_parser *, noe_quantity); /* a, or the a.y that follows */

/* name_expression.c, resolve.c */
noe_quantity noe_name_expression_parse(
    noe_parser *); /* what begins with a name: x, x', sin(x), p(q), pi, t, energy */
bool noe_resolve_is_reserved(const noe_lexer *);
/* The symbol that the current token names; fails with the nearest name when there is none. */
noe_symbol *noe_resolve_symbol(noe_parser *);
/* The number or the vector that it names; *first: its symbol, or that of its component x. */
noe_quantity noe_resolve_quantity(noe_parser *, const noe_symbol **first);
/* A coordinate, a family or a vector of them: "'x1' <why>" when it is something else. */
noe_symbol  *noe_resolve_moving(noe_parser *, const char *why);
noe_quantity noe_resolve_coordinate(noe_parser *, const char *why); /* its value, or its member's */
noe_ex       noe_resolve_value(noe_parser *);
void         noe_resolve_undotted(noe_parser *); /* a new name has no dot */
/* velocity_word.c: fails where an unknown name is what other tools call the velocity of a
 * coordinate */
void noe_velocity_word_refuse(noe_parser *, const noe_token *);
/* Passes the name of what is no symbol of expressions, an event or a constraint; it may be that of
 * a function, as in event floor.  expected: the message where there is no name. */
noe_token noe_resolve_new_name(noe_parser *, const char *expected);

/* vector_symbol.c */
void noe_vector_symbol_split(noe_parser *, noe_symbol *); /* what is declared becomes a vector */
/* component c of a vector; a number has one part, itself */
noe_symbol *noe_vector_symbol_part(const noe_symbol *, int c);
int         noe_vector_symbol_parts(const noe_symbol *);

/* expanded_sum.c: what follows the word sum */
enum { NOE_TERMS_MOST = 1 << 22 };
noe_quantity noe_expanded_sum_parse(noe_parser *, size_t at);

/* statement/start_file.c */
void noe_start_file_read(noe_parser *); /* start "state.csv" */

/* table_lookup.c */
noe_ex noe_table_lookup_parse(noe_parser *); /* what follows the word table */

/* statement/fixed_coordinate.c */
void noe_fixed_coordinate_parse(noe_parser *);
void noe_fixed_coordinate_apply(
    noe_parser *); /* removes the fixed coordinates from the coordinates of the model */

/* statement/exact_statement.c */
void noe_exact_statement_parse(noe_parser *);

/* statement/matrix_statement.c */
void noe_matrix_statement_mass(noe_parser *);
void noe_matrix_statement_stiffness(noe_parser *);
void noe_matrix_statement_damping(noe_parser *);
void noe_matrix_statement_check(noe_parser *);
bool noe_matrix_statement_names_matrix(
    const char *text, size_t length); /* does a line say mass ".." or stiffness ".."? */

/* statement/matrix_factor.c */
bool noe_matrix_factor_parse(
    noe_parser *); /* an assignment to entries of a matrix; false: it is none */

/* The index in brackets on the left of an equals sign. */
typedef enum {
    NOE_LEFT_PLAIN,  /* x */
    NOE_LEFT_MEMBER, /* x[3]: lo = hi = 3 */
    NOE_LEFT_RANGE,  /* x[1..5] */
    NOE_LEFT_EACH,   /* x[i]: the range has to be found */
    NOE_LEFT_IN      /* x[i in 1..5] */
} noe_left_kind;
typedef struct {
    noe_left_kind kind;
    int64_t       lo, hi; /* range of the index */
    int64_t       by;     /* of IN: stride of the index */
    noe_token     index;  /* the name of the running one */
    size_t        at;     /* of the bracket */
} noe_left;

/* statement/moving.c: coordinates on the left of an equals sign. */
typedef struct {
    noe_symbol *part[3]; /* [parts] coordinates or families of them */
    int         parts;   /* 3: of a vector, else 1 */
    noe_left    members; /* of a family */
} noe_moving;
noe_moving noe_moving_parse(noe_parser *, const char *why); /* "'x1' <why>" when it is none */
/* calls each(p, part, members, data) for every part, with the lexer at its present position each
 * time; expressions are read as a number or as the component that the part takes */
void noe_moving_each(noe_parser *, const noe_moving *,
                     void (*each)(noe_parser *, noe_symbol *, const noe_left *, void *),
                     void *data);

/* statement/initial_conditions.c: start values. */
typedef enum { NOE_START_T, NOE_START_Q, NOE_START_V, NOE_START_P } noe_start_what;
typedef struct {
    noe_start_what what;
    noe_moving     moving; /* the coordinates */
    /* Of the part of them at hand: */
    int         index;   /* index of the coordinate, where it is one */
    noe_symbol *family;  /* the family, where it is members of one */
    noe_left    members; /* these members */
    bool        ruled;   /* all of them are set at once, by a rule */
    size_t      at;      /* offset of the name in the text */
} noe_target;
noe_target noe_initial_conditions_target(noe_parser *); /* t, q1, q1', p(q1) */
void       noe_initial_conditions_aim(noe_parser *, noe_target *, int part);
void noe_initial_conditions_once(noe_parser *, noe_target); /* refuses what is given already */
_Noreturn void noe_initial_conditions_both(noe_parser *, noe_target); /* velocity and momentum */
void           noe_initial_conditions_set(noe_parser *, noe_target, quad value);
/* Error if a start value is not finite. */
void noe_initial_conditions_check(noe_parser *);
/* The value after the equals sign, for every member; check() is called before each. */
void noe_initial_conditions_values(noe_parser *, noe_target,
                                   void (*check)(noe_parser *, noe_target, void *), void *data);

/* statement/energy_start.c: start energy = E by x', after the word start; solved when the whole
 * text has been read. */
void noe_energy_start_parse(noe_parser *);
void noe_energy_start_solve(noe_parser *);

/* statement/assignment.c: assignments of the command line.  Does one give the value of this
 * parameter?  The others are initial values. */
bool noe_assignment_of_parameter(noe_parser *, const noe_token *name,
                                 int            component, /* of a vector, or NOE_A_NUMBER */
                                 const int64_t *member,    /* NULL: no family */
                                 quad          *value);
/* "u = EXPR" of a control: its expression, of t and parameters; false: nothing assigns it. */
bool noe_assignment_of_control(noe_parser *, const noe_token *name, noe_ex *);
void noe_assignment_apply(noe_parser *);

#endif
