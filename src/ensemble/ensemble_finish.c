/* Statistics, files and messages of an ensemble, when its members have their rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "base/stopwatch.h"
#include "ensemble/ensemble.h"
#include "job/program.h"

#include <stdio.h>
#include <string.h>

static void print_values(const noe_ensemble *e, long k, FILE *to)
{
    for (int i = 0; i < e->m.names; i++)
        fprintf(to, "%s%s = %s", i ? ", " : "", e->m.name[i], noe_member_values_text(&e->m, k, i));
}

/* Fails with the message why member k stopped or could not begin, and its line of the file. */
static noe_status refuse_member(const noe_ensemble *e, long k, noe_status status,
                                const char *before)
{
    char where[300] = "", after[40] = "";
    if (e->m.line) snprintf(where, sizeof where, "%.250s:%ld: ", e->job->ensemble, e->m.line[k]);
    if (!*before) snprintf(after, sizeof after, " of %ld", e->m.count);
    return noe_status_fail(status, "%s%smember %ld%s: %s", before, where, k + 1, after,
                           e->end[k].why ? e->end[k].why : "out of memory");
}

static bool write_files(noe_ensemble *e)
{
    const noe_job *j = e->job;
    if (j->program)
        return noe_ensemble_members_write(e, NULL)
            && noe_ensemble_events_passages(e, &j->program->results.events);
    if (e->section < 0)
        return noe_ensemble_table_write(e) && (!j->all || noe_ensemble_members_write(e, j->all))
            && (!j->plot || noe_ensemble_picture_draw(e));
    noe_ensemble_events_expect(e);
    return noe_ensemble_members_write(e, j->output)
        && (!j->plot
            || noe_run_picture_draw(&e->picture, j->plot, &e->x, noe_ensemble_picture_varied(e)));
}

static void about_coarse(const noe_ensemble *e, long coarse, long worst, FILE *to)
{
    fprintf(to,
            "the steps do not resolve the motion of %ld of %ld members; local error up to %.2g: "
            "member %ld, ",
            coarse, e->m.count, e->end[worst].local_error, worst + 1);
    print_values(e, worst, to);
    fprintf(to, "; run it alone for what to do\n");
}

/* Warns of members whose steps are too long; false without memory for the text. */
static bool warn(const noe_ensemble *e, long coarse, long worst)
{
    noe_program *p = e->job->program;
    size_t       size;
    if (!p) {
        fprintf(stderr, "%sWARNING: ", e->job->quiet ? "noether: " : "  ");
        about_coarse(e, coarse, worst, stderr);
        return true;
    }
    FILE *to = open_memstream(&p->warning, &size);
    if (to) about_coarse(e, coarse, worst, to);
    if (to && !fclose(to)) return true;
    return noe_status_fail(NOE_NO_MEMORY, "out of memory: the ensemble's warnings"), false;
}

/* The note of `in_doubt` members, of which `first` is the first one. */
static void note(noe_ensemble *e, long in_doubt, long first)
{
    noe_program *p = e->job->program;
    char         text[sizeof p->note];
    snprintf(text, sizeof text,
             "the local errors of all steps may add up to more than 0.1 rad in the phase of %ld of "
             "%ld members; the first is member %ld: compare with a smaller step",
             in_doubt, e->m.count, first + 1);
    if (p) memcpy(p->note, text, sizeof p->note);
    else fprintf(stderr, "%sNOTE: %s\n", e->job->quiet ? "noether: " : "  ", text);
}

int noe_ensemble_finish(noe_ensemble *e)
{
    long stopped = 0, first = -1, worst = -1, begun = 0, ended = 0, coarse = 0, coarsest = 0,
         in_doubt = 0, first_in_doubt = 0;
    double            steps = (double)e->progress.done;
    const char *const alone = noe_ensemble_lanes_why_not(e);
    if (noe_ensemble_processes_slabs(e) && !noe_ensemble_table_compute(e)) return NOE_EXIT_BAD_USE;
    for (long k = 0; k < e->m.count; k++) {
        if (e->end[k].differs) return refuse_member(e, k, NOE_INVALID, ""), NOE_EXIT_BAD_USE;
        if (e->end[k].stopped && !stopped++) first = k;
        if (e->end[k].rows > 0 && (worst < 0 || !(e->end[k].error <= e->end[worst].error)))
            worst = k;
        coarse += e->end[k].coarse;
        if (e->end[k].in_doubt && !in_doubt++) first_in_doubt = k;
        if (e->end[k].local_error > e->end[coarsest].local_error) coarsest = k;
        begun += e->end[k].rows > 0;
        ended += e->end[k].ended;
    }
    if (!begun && *e->losses)
        return noe_status_fail(NOE_STOPPED, "%s", e->losses), NOE_EXIT_STOPPED;
    if (!begun && stopped) return refuse_member(e, first, NOE_INVALID, ""), NOE_EXIT_BAD_USE;
    const double computed = noe_stopwatch_seconds();
    if (*e->losses && !e->ended) e->ended = e->losses;
    if (!write_files(e)) return NOE_EXIT_BAD_USE;
    if (!e->job->quiet) {
        fprintf(stderr, "  %ld members, %.0f steps in %.3g s, %.3g us a step; output %.3g s; ",
                begun, steps, e->seconds, steps > 0 ? 1e6 * e->seconds / steps : 0,
                noe_stopwatch_seconds() - computed);
        if (e->singles >= begun)
            fprintf(stderr, "each stepped alone: %s\n",
                    alone ? alone : "its equations are not solved in lanes, or it stopped");
        else fprintf(stderr, "%ld of them eight at a time, in lanes\n", begun - e->singles);
        noe_ensemble_events_tell(e);
        if (worst >= 0) {
            const double error = e->end[worst].error;
            if (error == 0) fprintf(stderr, "  energy error within rounding of ");
            else fprintf(stderr, "  energy error at most %.2e of ", error);
            fprintf(stderr, "%s: member %ld, ",
                    e->end[worst].by_totals ? "max(|H0|, largest kinetic energy)"
                                            : "the mean kinetic energy about the mean velocity",
                    worst + 1);
            print_values(e, worst, stderr);
            fprintf(stderr, "\n");
        }
    }
    if (coarse && !warn(e, coarse, coarsest)) return NOE_EXIT_BAD_USE;
    if (in_doubt) note(e, in_doubt, first_in_doubt);
    if (e->ended && e->ended != e->losses && !e->job->quiet)
        fprintf(stderr,
                "  %s: %ld of %ld members reached the end; the rows written so far are kept\n",
                e->ended, ended, e->m.count);
    if (!stopped && !*e->losses) return 0;
    char before[sizeof e->losses + 200];
    snprintf(
        before, sizeof before,
        "%s%s%ld of %ld members stopped before the end or could not begin, their rows up to there "
        "are kept; the first, ",
        e->losses, *e->losses ? "; " : "", stopped, e->m.count);
    if (stopped) refuse_member(e, first, NOE_NOT_CONVERGED, before);
    else noe_status_fail(NOE_STOPPED, "%s", e->losses);
    return NOE_EXIT_STOPPED;
}
