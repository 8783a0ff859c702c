/* Shows the progress of a run and prints its summary, with energy error, momenta and warnings.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Energy error: largest |H - H0|, or residual of the energy balance, relative to
 * max(|H0|, largest kinetic energy). */
#ifndef NOE_JOB_RUN_MONITOR_H
#define NOE_JOB_RUN_MONITOR_H

#include "certify/momentum_monitor.h"
#include "job/job_setup.h"

typedef struct {
    const noe_system *system;
    /* no summary; report of the solver; standard error is a terminal; a progress line is shown */
    bool   quiet, verbose, terminal, shown;
    double steps,                           /* steps to do */
        seconds,                            /* time spent in steps */
        began,                              /* clock at the start, in seconds */
        last;                               /* clock at the last reading, in seconds */
    quad       H0;                          /* energy at the start */
    noe_column energy, balance, dissipated; /* which are read at rows */
    double     worst,                       /* largest |H - H0| or |balance| at rows */
        energy_scale;                       /* max(|H0|, largest kinetic energy) at rows */
    double kinetic,      /* sum of kinetic energies times the rows they stand for */
        weight;          /* number of these rows */
    double growth;       /* factor of damped kicks back in time already reported */
    double lost, fed_at; /* dissipated so far; time when it first decreased */
    long   rows,         /* so far */
        looks,           /* rows that were looked at: all of the first, then fewer */
        looked_all,      /* number of the first rows, all of which are looked at */
        since_look,      /* rows since the last look */
        fed;             /* rows at which `lost` had decreased */
    noe_momentum_monitor momenta;
    const noe_method    *method;
} noe_run_monitor;

/* Prints that the last whole step ends at the time `last`, before the requested end. */
void noe_run_monitor_broken(quad last);
void noe_run_monitor_start(noe_run_monitor *, const noe_job_setup *, double steps, bool whole,
                           bool quiet);
void noe_run_monitor_row(noe_run_monitor *, noe_integrator *);
void noe_run_monitor_look(noe_run_monitor *, noe_integrator *); /* between two rows */
bool noe_run_monitor_due(const noe_run_monitor *); /* will the next row be looked at? */
/* The next row, which is not looked at; its energy H follows when it is known. */
void noe_run_monitor_kept(noe_run_monitor *);
void noe_run_monitor_energy(noe_run_monitor *, quad H);
/* Is the energy of each row wanted?  In the summary, and where the engine does not measure energy
 * errors. */
bool noe_run_monitor_compares(const noe_run_monitor *, const noe_integrator *);
void noe_run_monitor_last(noe_run_monitor *, noe_integrator *); /* after the last row */
void noe_run_monitor_steps(noe_run_monitor *,
                           bool begin); /* starts (begin) or stops the clock of `seconds` */
void noe_run_monitor_progress(noe_run_monitor *, double done);
void noe_run_monitor_close(noe_run_monitor *);
/* Warnings, "" if there are none: withdrawn, a momentum that the method promises to preserve and
 * that drifts; wrong, a large energy error, where the engine does not measure that error itself. */
void noe_run_monitor_withdrawn(const noe_run_monitor *, noe_integrator *, double done, char *to,
                               size_t capacity);
void noe_run_monitor_wrong(const noe_run_monitor *, const noe_integrator *, char *to,
                           size_t capacity);
void noe_run_monitor_end(noe_run_monitor *, noe_integrator *, double done, bool interrupted);

#endif
