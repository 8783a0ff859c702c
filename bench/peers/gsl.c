/* GSL: Prince-Dormand 8(9) and Adams in Nordsieck form, through its driver.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "peers.h"

#if __has_include(<gsl/gsl_odeiv2.h>)
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

static int call(double t, const double *y, double *f, void *ctx)
{
    ((const problem *)ctx)->f(t, y, f);
    return GSL_SUCCESS;
}

static int drive(const gsl_odeiv2_step_type *type, int k, double T, double tolerance, double *y)
{
    gsl_set_error_handler_off();
    gsl_odeiv2_system  s = { call, NULL, (size_t)(2 * problems[k].n), (void *)&problems[k] };
    gsl_odeiv2_driver *d = gsl_odeiv2_driver_alloc_y_new(&s, type, T * 1e-5, tolerance, tolerance);
    double             t = 0;
    gsl_odeiv2_driver_set_nmax(d, MOST_STEPS);
    const int status = gsl_odeiv2_driver_apply(d, &t, T, y);
    gsl_odeiv2_driver_free(d);
    return status;
}

static int rk8pd(int k, double T, double x, double *y)
{
    return drive(gsl_odeiv2_step_rk8pd, k, T, x, y);
}
static int msadams(int k, double T, double x, double *y)
{
    return drive(gsl_odeiv2_step_msadams, k, T, x, y);
}

const peer gsl[] = { { "GSL rk8pd", rk8pd, 1e-5, 0.31622776601683794, 0 },
                     { "GSL msadams", msadams, 1e-5, 0.31622776601683794, 0 },
                     { 0 } };
#else
const peer gsl[] = { { 0 } };
#endif
