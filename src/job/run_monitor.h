/* progress while it runs, a summary when it is done; largest |H - H0| or |ledger|, by max(|H0|, largest kinetic energy).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_RUN_MONITOR_H
#define NOE_JOB_RUN_MONITOR_H

#include "certify/momentum_monitor.h"
#include "job/job_setup.h"

typedef struct {
    const noe_system *system;
    bool              quiet, verbose, terminal, shown;
    double steps, seconds, began, last; /* steps to do; time spent stepping; clock readings */
    quad   H0;
    double worst, energy_scale; /* |H - H0| at rows; its denominator */
    double kinetic;             /* sum of the kinetic energies at rows */
    double growth;              /* of damped kicks back in time: what has been told of it */
    double lost, fed_at;        /* dissipated so far; when it first became less */
    long   rows, fed;           /* at how many of them it had */
    noe_momentum_monitor keep;
    const noe_method    *method;
} noe_run_monitor;

void noe_run_monitor_broken(
    quad last); /* says that the last whole step ends there, before the end that was asked for */
void noe_run_monitor_start(noe_run_monitor *, const noe_job_setup *, double steps, bool whole,
                           bool quiet);
void noe_run_monitor_row(noe_run_monitor *, noe_integrator *);
void noe_run_monitor_steps(noe_run_monitor *, bool begin); /* the clock of stepping alone */
void noe_run_monitor_progress(noe_run_monitor *, double done);
void noe_run_monitor_close(noe_run_monitor *);
/* What is to be warned of, else "": a momentum that was promised and drifts; where the engine measures no energy
 * error itself, an energy that is wrong. */
void noe_run_monitor_withdrawn(const noe_run_monitor *, noe_integrator *, double done, char *to,
                               size_t room);
void noe_run_monitor_wrong(const noe_run_monitor *, const noe_integrator *, char *to, size_t room);
void noe_run_monitor_end(noe_run_monitor *, noe_integrator *, double done, bool interrupted);

#endif
