/* HDF5 behind one lock, silent, its failures in our words.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/table.h"

#ifdef NOE_HDF5
#include "run/h5.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { REASON = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void noe_h5_lock(noe_h5_guard *g)
{
    pthread_mutex_lock(&lock);
    H5open();
    H5Eget_auto2(H5E_DEFAULT, &g->report, &g->context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void noe_h5_unlock(const noe_h5_guard *g)
{
    H5Eset_auto2(H5E_DEFAULT, g->report, g->context);
    pthread_mutex_unlock(&lock);
}

static herr_t innermost(unsigned n, const H5E_error2_t *e, void *reason)
{
    if (n == 0) snprintf(reason, REASON, "%s", e->desc ? e->desc : "");
    return 0;
}

noe_status noe_h5_fail(const char *verb, const char *path)
{
    char reason[REASON] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, reason);
    static const char mark[] = "error message = '"; /* the system's reason, among times and addresses */
    char             *system = strstr(reason, mark);
    if (system) system[sizeof mark - 1 + strcspn(system + sizeof mark - 1, "'")] = 0;
    const char *said = system ? system + sizeof mark - 1 : reason[0] ? reason : "HDF5 failed";
    return noe_fail(NOE_IO, "cannot %s %s: %s", verb, path, said);
}
#endif
