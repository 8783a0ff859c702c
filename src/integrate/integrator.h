/* integrator = system + method + core + where it is.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_INTEGRATOR_H
#define NOE_INTEGRATE_INTEGRATOR_H

#include "arb/exact_solution.h"
#include "system/splitting_check.h"

typedef struct noe_singularity_guard noe_singularity_guard;
typedef struct noe_energy_books      noe_energy_books;

struct noe_integrator {
    const noe_system *system;
    noe_system       *written; /* that system, when it is the integrator's own; or NULL */
    noe_integrator *expanded; /* of sums that stay sums: all written out; NULL until it is wanted */
    const noe_engine *core;
    void             *work;
    noe_dynamics      as;     /* what the core steps: the system's, or the same as matrices */
    int              *dof;    /* [places] of groups as matrices: which coordinate stands there */
    int               member; /* which of the trajectories of work it is */
    bool              borrows_work; /* work is another's: integrate/lane_batch.h */
    char              method[48];   /* its name */
    int               digits;
    bool              freezes;               /* it divides by positions: luo-guo4-frozen */
    int               order, error_exponent; /* of its method: p and k of integrate/local_error.c */
    bool              splits, in_v;          /* it is a splitting; a Runge-Kutta method in (q, v) */
    noe_splitting_check
        suited; /* what the splitting found the system to be; of functions in C once started */
    noe_status state;    /* NOE_OK once started; else why it cannot go on, */
    char       why[600]; /* and the message */
    bool  unbooked; /* functions in C whose L contains t, and no L_t: what t puts in is not known */
    bool  ready;    /* started, from the model or by hand */
    bool  continued; /* from a state that was restored */
    int   params;
    quad *x, *param; /* scratch [3n + 2 + ..]; values given to functions in C */
    double *q, *v, *p;
    quad   *slot, *seen; /* of the observables' tape */
    quad   *jacobian;    /* [2n][2n]; NULL until noe_step_jacobian is called */
    noe_singularity_guard
                     *guard; /* against singular masses and a singular L; NULL until it is needed */
    noe_energy_books *energy;     /* since the start: integrate/energy_error.h; NULL: not kept */
    void             *checkpoint; /* the state at the last row; NULL: not remembered */
    bool              fresh_q, fresh_v, fresh_p, fresh_seen;
    quad             *from; /* q, v, p [3n] of a start by hand; NULL: the model's */
    quad              from_t;
    bool             *from_momentum;
    noe_exact_solution
             *exact; /* the solution in closed form from there; NULL until a column asks */
    noe_wide *wide;
};

typedef enum { NOE_COL_AT, NOE_COL_OBSERVABLE, NOE_COL_PARAMETER } noe_column_kind;
typedef struct {
    noe_column_kind kind;
    noe_at          at;    /* of NOE_COL_AT */
    int             index; /* coordinate, observable, parameter */
    bool            exact; /* NAME.exact: of the solution in closed form */
} noe_column;

/* digits: 15 steps in double, 33 in binary128. */
noe_integrator *noe_integrator_make(const noe_system *, const noe_method *, quad step, int digits);
/* The trajectory `member` of a core at work: the work is the caller's.  NULL with a message. */
noe_integrator *noe_integrator_guest(const noe_engine *, void *work, int member, const noe_system *,
                                     const noe_method *, quad step);
/* expanded_integrator.c: a grouped system written out, at the state of this one; NULL with a message. */
noe_integrator *noe_expanded_integrator(noe_integrator *);
noe_status noe_integrator_start_ready(noe_integrator *); /* starts from the model unless started */
/* From t0, q and, coordinate by coordinate, v or (where momentum[i]) p. */
noe_status noe_integrator_start_from(noe_integrator *, const quad *t0, const quad *q, const quad *v,
                                     const quad *p, const bool *momentum);
bool       noe_integrator_start_restore(noe_integrator *, const void *memory, size_t bytes);
/* How many steps lead to `until`, which a message calls `name`; *whole tells whether they end there. */
noe_status noe_advance_count_steps(noe_integrator *, quad until, const char *name, double *steps,
                                   bool *whole);
/* So many steps, of which only the last is looked at; *done of them were made. */
noe_status noe_advance_steps(noe_integrator *, double steps, double *done);
void       noe_integrator_state_get(noe_integrator *, noe_at, quad *); /* starts it first */
/* Is the system written out, and stepped by its sums? */
static inline bool noe_integrator_uses_sums(const noe_integrator *g)
{
    return g->as.groups && g->as.groups != g->system->dyn.groups;
}
/* Can the core differentiate its step? */
static inline bool noe_integrator_has_jacobian(const noe_integrator *g)
{
    return !g->in_v && g->digits <= 33 && !(g->splits && g->suited.damped) && !g->freezes;
}
/* What was read before is stale. */
static inline void noe_integrator_moved(noe_integrator *g)
{
    g->fresh_q = g->fresh_v = g->fresh_p = g->fresh_seen = false;
}

/* local_error.c: the largest local error since the start. */
typedef struct {
    double size;   /* NAN: not measured by this engine */
    double jump;   /* of the velocity of a coordinate between two steps, over what it has varied */
    int    place;  /* that coordinate */
    double t;      /* when */
    bool   coarse; /* the steps are too long for that coordinate */
} noe_local_error;
noe_local_error noe_local_error_of(noe_integrator *);
bool            noe_local_error_known(const noe_integrator *);
int             noe_error_exponent(const noe_method *); /* k */

/* failure_diagnosis.c: why a step failed, or passed a singular mass on the way to (t1, q1): the message, and its status. */
noe_status noe_failure_diagnosis_find(noe_integrator *, noe_status why);
noe_status noe_sums_diagnosis_find(noe_integrator *,
                                   noe_status why); /* sums_diagnosis.c: of many coordinates */
noe_status noe_failure_diagnosis_of_singular_mass(noe_integrator *, double t1, const double *q1);
noe_status noe_failure_diagnosis_of_singular_lagrangian(
    noe_integrator *, double t1, const double *q1, double share); /* of L, at a share of the way */

/* checkpoint.c: before the steps to a row, and after them: where the energy is not finite there is no row, the state is
 * that of the row before, and the message says why. */
noe_status noe_checkpoint_take(noe_integrator *);
noe_status noe_checkpoint_check_energy(noe_integrator *);

/* column_name.c, column_value.c, integrator_option.c */
bool noe_column_name_find(const noe_system *, const char *name, noe_column *); /* no message */
quad noe_column_value(noe_integrator *, const noe_column *);
noe_status noe_column_name_refuse(const noe_system *, const char *name); /* the message */
bool       noe_integrator_option_find(const char *name, noe_at *);
/* The columns of a list ("t,q1,energy", NULL = the usual ones): count, names and places in one block that
 * free() frees; NULL with a message. */
typedef struct {
    int          count;
    const char **name;
    noe_column  *column;
} noe_columns;
noe_columns *noe_column_list_parse(const noe_system *, const char *list);
/* "x, x:y" -> "x[1],x[2],x[1]:y[1],x[2]:y[2]": families written out, pairs member by member; free() frees it. */
char *noe_column_list_spread(const noe_system *, const char *list);
/* "x[*]" becomes so many of x[1], x[2], .. at most, at equal distances; all else stays.  The caller frees it. */
char *noe_column_list_sampled(const noe_system *, const char *list, int most);

/* exact_column.c: the solution in closed form, where one of the columns asks for it; the message when there is none. */
noe_status noe_exact_column_ready(noe_integrator *, const noe_columns *);
quad       noe_exact_column_value(noe_integrator *, const noe_column *,
                                  const quad *t); /* at t; NULL: now */
/* Of an integrator of more than 33 digits: a column in all of them, free() frees it; the step as an expression. */
char      *noe_exact_column_text(noe_integrator *,
                                 const noe_column *); /* of closed forms and of the engine alone */
char      *noe_column_text(noe_integrator *, const noe_column *);
noe_status noe_exact_column_set_step(noe_integrator *, const char *expression);
void       noe_integrator_drop_exact(noe_integrator *);

#endif
