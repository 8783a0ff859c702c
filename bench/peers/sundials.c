/* SUNDIALS on one problem: CVODE's Adams methods, ARKODE's explicit methods.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Adams methods to order 12 with the fixed point; explicit methods of orders 4 and 8. */
#include "peers.h"

#if __has_include(<cvode/cvode.h>) && __has_include(<arkode/arkode_erkstep.h>)
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static int at; /* the problem: one thread */
static int call(double t, N_Vector y, N_Vector f, void *ctx)
{
    (void)ctx;
    problems[at].f(t, N_VGetArrayPointer(y), N_VGetArrayPointer(f));
    return 0;
}

static int adams(int k, double T, double tolerance, double *y)
{
    SUNContext c;
    double     t;
    at = k;
    if (SUNContext_Create(NULL, &c)) return 1;
    N_Vector           v = N_VMake_Serial(2 * problems[k].n, y, c);
    void              *m = CVodeCreate(CV_ADAMS, c);
    SUNNonlinearSolver s = SUNNonlinSol_FixedPoint(v, 0, c);
    N_VEnableFusedOps_Serial(v, 1);
    const int bad = CVodeInit(m, call, 0, v) || CVodeSStolerances(m, tolerance, tolerance)
                 || CVodeSetNonlinearSolver(m, s) || CVodeSetMaxNumSteps(m, MOST_STEPS)
                 || CVodeSetStopTime(m, T) || CVodeSetErrFile(m, NULL)
                 || CVode(m, T, v, &t, CV_NORMAL) < 0;
    CVodeFree(&m);
    SUNNonlinSolFree(s);
    N_VDestroy(v);
    SUNContext_Free(&c);
    return bad;
}

static int erk(int order, int k, double T, double tolerance, double *y)
{
    SUNContext c;
    double     t;
    at = k;
    if (SUNContext_Create(NULL, &c)) return 1;
    N_Vector v = N_VMake_Serial(2 * problems[k].n, y, c);
    N_VEnableFusedOps_Serial(v, 1);
    void     *m = ERKStepCreate(call, 0, v, c);
    const int bad = ERKStepSStolerances(m, tolerance, tolerance) || ERKStepSetOrder(m, order)
                 || ERKStepSetMaxNumSteps(m, MOST_STEPS) || ERKStepSetStopTime(m, T)
                 || ERKStepSetErrFile(m, NULL) || ERKStepEvolve(m, T, v, &t, ARK_NORMAL) < 0;
    ERKStepFree(&m);
    N_VDestroy(v);
    SUNContext_Free(&c);
    return bad;
}
static int erk4(int k, double T, double x, double *y) { return erk(4, k, T, x, y); }
static int erk8(int k, double T, double x, double *y) { return erk(8, k, T, x, y); }

const peer sundials[] = { { "CVODE Adams", adams, 1e-5, 0.31622776601683794, 0 },
                          { "ARKODE ERK 4", erk4, 1e-5, 0.31622776601683794, 0 },
                          { "ARKODE ERK 8", erk8, 1e-5, 0.31622776601683794, 0 },
                          { 0 } };
#else
const peer sundials[] = { { 0 } };
#endif
