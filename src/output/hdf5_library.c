/* Access to HDF5: one lock, no error output of HDF5, messages of its failures.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/optional_library.h"
#include "base/table.h"

#ifdef NOE_HDF5
#include "output/hdf5_library.h"

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static herr_t innermost(unsigned n, const H5E_error2_t *e, void *reason)
{
    if (n == 0 && e->desc) snprintf(reason, NOE_H5_REASON, "%s", e->desc);
    return 0;
}

/* Called by HDF5 when a call fails; copies the reason, because the next call of HDF5 clears it. */
static herr_t note(hid_t stack, void *guard)
{
    noe_hdf5_guard *g = guard;
    if (!g->reason[0]) H5Ewalk2(stack, H5E_WALK_UPWARD, innermost, g->reason);
    return 0;
}

hid_t noe_hdf5_library_id(const char *name)
{
    H5open(); /* sets the variables */
    const hid_t *id = noe_optional_library_variable(NOE_OF_HDF5, name);
    return id ? *id : H5I_INVALID_HID;
}

void noe_hdf5_library_lock(noe_hdf5_guard *g)
{
    pthread_mutex_lock(&lock);
    H5open();
    g->reason[0] = 0;
    H5Eget_auto2(H5E_DEFAULT, &g->report, &g->context);
    H5Eset_auto2(H5E_DEFAULT, note, g);
}

void noe_hdf5_library_unlock(const noe_hdf5_guard *g)
{
    H5Eset_auto2(H5E_DEFAULT, g->report, g->context);
    pthread_mutex_unlock(&lock);
}

noe_status noe_hdf5_library_fail(const noe_hdf5_guard *g, const char *verb, const char *path)
{
    return noe_status_fail(NOE_IO, "cannot %s %s: %s", verb, path,
                           g->reason[0] ? g->reason : "HDF5 failed");
}
#endif
