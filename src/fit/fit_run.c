/* Runs a fit: from options to a report, files, picture and exit status.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fit/fit.h"

#include "base/status.h"
#include "plot/picture.h"

#include <string.h>

static bool hand_over(const noe_fit *s, FILE *to)
{
    const noe_fit_job *j = s->job;
    noe_text           t = noe_text_new(s->arena);
    if (j->json) noe_fit_json_write(to, s);
    else noe_fit_text_add(&t, s);
    if (t.data) fputs(t.data, to);
    return (!j->output || noe_fitted_model_write(s, j->output))
        && (!j->plot || noe_fit_plot_draw(s, j->plot));
}

/* Notes, a line each on standard error. */
static void tell(const noe_fit *s)
{
    for (const char *c = s->job->quiet ? NULL : s->notes.data; c && *c;) {
        const size_t length = strcspn(c, "\n");
        fprintf(stderr, "noether: %.*s\n", (int)length, c);
        c += length + (c[length] == '\n');
    }
}

static int go(noe_fit *s, const noe_fit_job *j, FILE *to)
{
    if (j->plot && noe_picture_check(j->plot)) return NOE_EXIT_BAD_USE;
    if (!noe_fit_setup_make(s, j)) return NOE_EXIT_BAD_USE;
    const bool solved = noe_fit_setup_solve(s);
    if (s->stopped) {
        noe_status_fail(NOE_STOPPED, "interrupted: nothing was written");
        return NOE_EXIT_SIGNALLED + *j->interrupted;
    }
    tell(s);
    if (!solved) return NOE_EXIT_STOPPED;
    if (!hand_over(s, to)) return NOE_EXIT_BAD_USE;
    if (!*s->undetermined) return NOE_EXIT_DONE;
    noe_status_fail(NOE_INVALID, "%s: vary fewer, or measure more", s->undetermined);
    return NOE_EXIT_STOPPED;
}

int noe_fit_run(const noe_fit_job *job, FILE *to)
{
    noe_fit   s = { 0 };
    const int status = go(&s, job, to);
    noe_fit_setup_drop(&s);
    return status;
}
