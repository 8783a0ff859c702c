/* a problem y' = f(t, y), y = (q, q'), and who solves it from 0 to T.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef PEERS_H
#define PEERS_H
#ifdef __cplusplus
extern "C" {
#endif

enum { MOST = 32, MOST_STEPS = 100000 }; /* coordinates; steps of a solver that does not get on */

typedef void field(double t, const double *y, double *f);
typedef struct {
    const char *name;
    int         n, swings; /* coordinates; of the fastest part in a period */
    field      *f;
    double (*energy)(const double *q, const double *v);
} problem;

extern const problem problems[]; /* fields.c; ends with no name */

/* `setting` is a tolerance, absolute and relative, or a number of steps; y is the start, then
 * the end.  Not 0: it could not. */
typedef struct {
    const char *name;
    int (*solve)(int problem, double T, double setting, double *y);
    double first, factor; /* settings: first, first*factor, ..; steps are given per period */
    int    steps;         /* the setting is steps, not a tolerance */
} peer;

/* Each ends with no name; empty where the library was not there to build with. */
extern const peer gsl[], sundials[], odeint[];

#ifdef __cplusplus
}
#endif
#endif
