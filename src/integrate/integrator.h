/* An integrator: a system, a method, the engine that steps them, and the state of the run.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_INTEGRATE_INTEGRATOR_H
#define NOE_INTEGRATE_INTEGRATOR_H

#include "number/digits.h"
#include "arb/exact_solution.h"
#include "system/splitting_check.h"

typedef struct noe_singularity_guard noe_singularity_guard;
typedef struct noe_energy_monitor    noe_energy_monitor;
typedef struct noe_energy_watch      noe_energy_watch;
typedef struct noe_step_defect       noe_step_defect;
typedef struct noe_fraction          noe_fraction;

struct noe_integrator {
    const noe_system *system;
    /* The same system with its sums written out, owned by this integrator, where the method cannot
     * be applied to sums; else NULL. */
    noe_system *written;
    /* For a system of sums: the expanded integrator, with all sums written out; NULL until it is
     * needed (noe_expanded_integrator). */
    noe_integrator   *expanded;
    const noe_engine *engine; /* chosen by system/select_engine.c */
    void             *work;   /* the engine state: made, stepped and freed by the engine */
    /* What the engine steps: the system's dynamics, or the same dynamics as matrices or sums. */
    noe_dynamics stepped;
    /* [places] for sums that are stepped as matrices: number of the coordinate at a place, -1 for a
     * fixed place; NULL otherwise. */
    int *dof;
    int  member;       /* index of this trajectory in the engine state, 0 unless it is borrowed */
    bool borrows_work; /* the engine state belongs to a lane batch: ensemble/lane_batch.h */
    char method[48];   /* name of the method */
    int  digits;       /* decimal digits of the arithmetic: 15, 33 or more */
    bool freezes;      /* the method divides by positions: luo-guo4-frozen */
    int  order, error_exponent; /* p and k of integrate/local_error.c, of the method */
    bool splits, in_v; /* the method is a splitting; it is a Runge-Kutta method in (q, v) */
    /* Result of the splitting check; for a system of functions in C known once it has started. */
    noe_splitting_check splitting;
    noe_status          status;   /* NOE_OK once started; else the reason why it cannot step */
    char                why[600]; /* the message that belongs to `status` */
    /* L is a function in C that depends on t, and no L_t is given: the energy that the dependence
     * on t puts in is unknown. */
    bool    work_unknown;
    bool    ready;     /* a start was made, from the model or from given values */
    bool    continued; /* the state was restored from a restart file */
    int     params;    /* number of parameters of functions in C */
    quad   *x, *param; /* scratch [3n + 2 + inputs of a tape]; [params] values for functions in C */
    double *q, *v, *p; /* [n] each: the present state in double, valid where fresh_.. is set */
    quad   *slot, *seen; /* scratch of the observables' tape; [observables] their values */
    quad   *jacobian;    /* [2n][2n]; NULL until noe_step_jacobian is called */
    /* Detects singular mass matrices and singularities of L; NULL until it is needed. */
    noe_singularity_guard *guard;
    /* Energy error since the start: integrate/energy_error.h; NULL: not measured. */
    noe_energy_monitor *energy;
    /* The same between looks: integrate/energy_watch.h; NULL: not measured. */
    noe_energy_watch *watch;
    double shortest_step; /* with a monitor: time of the shortest step that was looked at */
    /* Of an engine that measures no jumps: local_error.c; NULL: not measured. */
    noe_step_defect        *local_error;
    noe_integrator         *self;   /* this integrator: the list of one that `watch` is given */
    struct noe_event_state *events; /* event/event_step.c; NULL: events are not heeded */
    int event; /* number, from 1, of the event at which this state is; 0: none */
    /* fractional_step.c: what it remembers, one block of memory; the integrator that makes the
     * fractional steps.  NULL until they are needed. */
    noe_fraction   *fraction;
    noe_integrator *probe;
    void           *fallback_state; /* engine state at the last row of results; NULL: none stored */
    bool            no_message;     /* there was no message when fallback_state was stored */
    /* q, v, p and the observables in `seen` are those of the present state. */
    bool  fresh_q, fresh_v, fresh_p, fresh_seen, fresh_H;
    quad  H;             /* the energy of the present state, valid where fresh_H */
    quad *from;          /* [3n] q, v, p of a start from given values; NULL: the model's start */
    quad  from_t;        /* time of that start */
    bool *from_momentum; /* [n] p, not v, was given for the coordinate */
    /* The constraints at the present state where fresh_point, and their multipliers [constraints];
     * NULL until a column needs them. */
    struct noe_constraint_point *point;
    quad                        *reaction;
    /* Steps close to dead points: constraint/dead_point_watch.h; NULL: not watched, or not yet. */
    struct noe_dead_point_watch *dead_points;
    /* Velocities of the model's start that the constraints change: "x' begins at 0.5, not at 1". */
    char projected[200];
    bool fresh_point;
    /* The solution in closed form from this start; NULL until a column needs it. */
    noe_exact_solution *exact;
    noe_wide           *wide; /* scratch: one number with more digits than binary128 */
};

typedef enum {
    NOE_COL_AT,
    NOE_COL_OBSERVABLE,
    NOE_COL_PARAMETER,
    NOE_COL_EVENT,        /* number of the event at hand, from 1; 0: none */
    NOE_COL_REACTION,     /* multiplier of a constraint */
    NOE_COL_CONSTRAINT,   /* difference of the two sides of a constraint */
    NOE_COL_SOLVER,       /* index: noe_solver_at */
    NOE_COL_LINEAR,       /* index: noe_linear_at */
    NOE_COL_SIMPSON,      /* the quadratic form that Simpson's step of a linear system preserves */
    NOE_COL_THREADS,      /* number of threads, of engines for many coordinates */
    NOE_COL_LOCAL_ERROR,  /* integrate/local_error.c */
    NOE_COL_ENERGY_ERROR, /* integrate/energy_error.c */
    NOE_COL_ACCUMULATED   /* integrate/accumulated_error.c */
} noe_column_kind;
typedef struct {
    noe_column_kind  kind;
    noe_engine_value at;    /* the quantity, for NOE_COL_AT */
    int              index; /* number of the coordinate, observable, parameter or constraint */
    bool             exact; /* NAME.exact: the value of the solution in closed form */
    int              by;    /* d(NAME)/d(c): 1 + the number of c in noe_gradient; 0: the value */
} noe_column;

/* The present time, positions, momenta or velocities [n]. */
static inline void noe_integrator_in_double(noe_integrator *g, noe_engine_value what, double *to)
{
    if (g->engine->in_double) {
        g->engine->in_double(g->work, what, g->member, to);
        return;
    }
    const int count = what == NOE_AT_T ? 1 : g->system->dyn.n;
    g->engine->get(g->work, what, g->member, g->x);
    for (int i = 0; i < count; i++) to[i] = (double)g->x[i];
}

/* digits: 15 for steps in double, 33 in binary128, more in multiple precision. */
noe_integrator *noe_integrator_make(const noe_system *, const noe_method *, quad step, int digits);
/* An integrator that borrows the engine state `work`, which the caller owns, and stands for its
 * trajectory `member`.  NULL with a message. */
noe_integrator *noe_integrator_borrow(const noe_engine *, void *work, int          member,
                                      const noe_system *, const noe_method *, quad step);
/* expanded_integrator.c: the integrator of the same system with its sums written out, set to the
 * present state of this one; NULL with a message. */
noe_integrator *noe_expanded_integrator(noe_integrator *);
/* Starts from the model's initial conditions unless a start was made before. */
noe_status noe_integrator_start_ready(noe_integrator *);
/* Starts from t0, q and, coordinate by coordinate, v or (where momentum[i]) p; [n] each. */
noe_status noe_integrator_start_from(noe_integrator *, const quad *t0, const quad *q, const quad *v,
                                     const quad *p, const bool *momentum);
/* Starts where another integrator of the same system, of at most 32 coordinates, did. */
noe_status noe_integrator_start_alike(noe_integrator *, const noe_integrator *);
bool       noe_integrator_start_restore(noe_integrator *, const void *memory, size_t bytes);
/* The state as a file for a restart has it, valid until the next step. */
const void *noe_integrator_state_of_file(noe_integrator *, size_t *bytes);
/* *steps: the number of steps that lead to time `until`, or to the last step before it; *whole:
 * they end within 1e-9 of a step of `until`.  `name` is the name of that time in a message. */
noe_status noe_advance_count_steps(noe_integrator *, quad until, const char *name, double *steps,
                                   bool *whole);
/* For a system with a monitor, whose steps are not known before: one step, unless it would end
 * after `until`; then, or at that time, *arrived. */
noe_status noe_advance_monitored(noe_integrator *, quad until, bool *arrived);
/* The same where nobody reads states within the step: while `until` is far nothing is stored to
 * take the step back.  *took: the time of the last step, 0 before the first one. */
noe_status noe_advance_monitored_far(noe_integrator *, quad until, bool *arrived, double *took);
/* The part of the next step up to `until`, for its events and what passes between them: the step is
 * made and taken back, unless an event stops it. */
noe_status noe_advance_part(noe_integrator *, quad until);
/* Refuses an end that the steps go away from. */
noe_status noe_advance_check_end(noe_integrator *, quad until, const char *name);
/* smooth_step.c: one step of the motion without its events. */
noe_status noe_smooth_step(noe_integrator *);
/* Makes `steps` steps, of which only the last state is read; *done: the number that succeeded. */
noe_status noe_advance_steps(noe_integrator *, double steps, double *done);
/* Reads a quantity of the present state; starts the integrator first where needed. */
void noe_integrator_state_get(noe_integrator *, noe_engine_value, quad *);
/* Is the system written out, and yet stepped by its sums (system/use_sums.h)? */
static inline bool noe_integrator_uses_sums(const noe_integrator *g)
{
    return g->stepped.groups && g->stepped.groups != g->system->dyn.groups;
}
/* redundant_constraints.c: all constraints at (t, q, v), with those left out that the run leaves
 * out. */
void noe_redundant_constraints_at(const noe_integrator *, struct noe_constraint_point *, quad t,
                                  const quad *q, const quad *v, double least);
/* Now and then, after a step: leaves other constraints out where the rest become dependent. */
void noe_redundant_constraints_renew(noe_integrator *);
/* Names the constraints that follow from others, and those whose forces are not unique; the number
 * of redundant ones. */
int noe_redundant_constraints_name(noe_integrator *, char *text, size_t capacity);
/* Can the engine differentiate its step? */
static inline bool noe_integrator_has_jacobian(const noe_integrator *g)
{
    return g->engine->derivative && !g->system->dyn.constraints && !g->system->dyn.columns
        && !g->in_v && g->digits <= NOE_DIGITS_QUAD
        && !(g->stepped.clock && !g->stepped.transformed) /* the step depends on the state */
        && !g->stepped.clocked                            /* t and E are unknowns of the step */
        && !(g->splits && g->splitting.damped) && !g->freezes;
}
/* Marks the cached q, v, p and observables as out of date: the state has changed. */
static inline void noe_integrator_moved(noe_integrator *g)
{
    g->fresh_q = g->fresh_v = g->fresh_p = g->fresh_seen = g->fresh_H = g->fresh_point = false;
}

/* local_error.c: the largest local error measure since the start. */
typedef struct {
    double size;   /* relative; NAN: not measured by this engine */
    double jump;   /* jump of a velocity between two steps over the range of that velocity */
    int    place;  /* number of the coordinate with that velocity */
    double t;      /* time of the jump */
    bool   coarse; /* the steps are too long to resolve that coordinate */
} noe_local_error;
noe_local_error noe_local_error_of(noe_integrator *);
bool            noe_local_error_known(const noe_integrator *);
/* For engines that measure no jumps between steps.  Begins the measurement at a start;
 * g->local_error = NULL where there is none. */
noe_status noe_local_error_begin(noe_integrator *);
void       noe_local_error_free(noe_step_defect *);
/* To be called before a change of the state otherwise than by steps. */
void noe_local_error_forget(noe_integrator *);
/* To be called before a step of an integrator with g->local_error: looks at the state when its
 * turn has come. */
void noe_local_error_look(noe_integrator *);
/* The number of steps before the next look; to be called after so many steps, or fewer. */
double noe_local_error_rest(const noe_integrator *);
void   noe_local_error_skip(noe_integrator *, double steps);
/* To be called before and after many steps at once: makes some more when their turn has come, and
 * takes them back. */
void noe_local_error_probe(noe_integrator *, double steps);

/* accumulated_error.c: what the local errors of all steps so far make where they add up. */
typedef struct {
    double size;  /* relative to the variation of that velocity; NAN: not measured */
    int    place; /* number of the coordinate */
    bool large; /* the error is above LARGE_ACCUMULATED_ERROR; never set where there are impacts */
} noe_accumulated_error;
noe_accumulated_error noe_accumulated_error_of(noe_integrator *);

/* failure_diagnosis.c: finds why a step failed, sets the message and returns the status of the
 * cause. */
noe_status noe_failure_diagnosis_find(noe_integrator *, noe_status why);
/* sums_diagnosis.c: the same for a system of sums with many coordinates. */
noe_status noe_sums_diagnosis_find(noe_integrator *, noe_status why);
/* The message for a step to (t1, q1) that passed a singular mass matrix. */
noe_status noe_failure_diagnosis_of_singular_mass(noe_integrator *, double t1, const double *q1);
/* The message for a step to (t1, q1) that passed a singularity of L at the fraction `share` of the
 * way. */
noe_status noe_failure_diagnosis_of_singular_lagrangian(noe_integrator *, double t1,
                                                        const double *q1, double share);

/* fallback_state.c: _take stores the state before the steps to a row of results, _check_energy is
 * called after them: where the energy is not finite it restores the stored state and returns the
 * reason.  _go_back does so and repeats as many steps as had a finite energy. */
/* Steps between two stored states, at most, of runs whose rows are at output times or events. */
enum { NOE_FALLBACK_STEPS = 4096 };
noe_status noe_fallback_state_take(noe_integrator *);
noe_status noe_fallback_state_check_energy(noe_integrator *);
noe_status noe_fallback_state_go_back(noe_integrator *, double steps);

/* column_name.c, column_value.c, integrator_option.c */
/* False, without a message, where no column has this name. */
bool noe_column_name_find(const noe_system *, const char *name, noe_column *);
quad noe_column_value(noe_integrator *, const noe_column *);
/* The same in double, sooner. */
static inline double noe_integrator_column_in_double(noe_integrator *g, const noe_column *c)
{
    if (c->kind == NOE_COL_AT && !c->exact && !c->by && !g->engine->large && !g->dof) {
        if (c->at == NOE_AT_Q) return noe_q(g)[c->index];
        if (c->at == NOE_AT_V) return noe_v(g)[c->index];
        if (c->at == NOE_AT_P) return noe_p(g)[c->index];
    }
    return (double)noe_column_value(g, c);
}
/* Sets the message that refuses an unknown name. */
noe_status noe_column_name_refuse(const noe_system *, const char *name);
/* The name under which the momentum of a symmetry is observed: "rotation_r.x_r.y" has dots, which
 * no name of a model has. */
enum { NOE_MOMENTUM_NAME = 64, NOE_MOMENTUM_STEMS = 4 };
void noe_column_name_of_momentum(const char *name, char to[NOE_MOMENTUM_NAME]);
/* What the names of the momenta that a search of symmetries finds begin with. */
extern const char *const noe_column_name_stem[NOE_MOMENTUM_STEMS];
bool                     noe_integrator_option_find(const char *name, noe_column *);
/* The value of a column of the kinds from NOE_COL_SOLVER on; starts the integrator first. */
quad noe_integrator_option_value(noe_integrator *, const noe_column *);
/* The columns of a list, in one block of memory for free(). */
typedef struct {
    int          count;  /* number of columns */
    const char **name;   /* [count] as in the list, families written out */
    noe_column  *column; /* [count] what each column holds */
} noe_columns;

/* exact_column.c: prepares the solution in closed form where one of the columns needs it; an error
 * with a message where there is none. */
noe_status noe_exact_column_ready(noe_integrator *, const noe_columns *);
/* The value of the closed form at time *t; NULL: at the time of the integrator. */
quad noe_exact_column_value(noe_integrator *, const noe_column *, const quad *t);
/* For integrators of more than 33 digits: a column's value in all digits, as text that the caller
 * frees; noe_exact_column_text handles closed forms and quantities of the engine only. */
char *noe_exact_column_text(noe_integrator *, const noe_column *);
/* For integrators of more than 33 digits: sets the step to the value of an expression. */
noe_status noe_exact_column_set_step(noe_integrator *, const char *expression);
void       noe_integrator_drop_exact(noe_integrator *);

#endif
