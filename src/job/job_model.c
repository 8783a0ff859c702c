/* From the file of a job's model and the assignments of its options or its restart to a system.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/job_model.h"
#include "job/kept_options.h"

#include "base/status.h"
#include "base/whole_file.h"
#include "system/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The assignment that --monitor G stands for; output files and restarts repeat it. */
static char *monitor_assignment(const char *G)
{
    const size_t capacity = strlen(G) + 16;
    char        *text = noe_status_alloc(capacity, 1);
    if (text) snprintf(text, capacity, "monitor = %s", G);
    return text;
}

noe_system *noe_job_model_load(const noe_job *j, const noe_processes *readers)
{
    char        *monitor = j->monitor ? monitor_assignment(j->monitor) : NULL;
    const char **all = noe_status_alloc((size_t)j->lets + 1, sizeof *all);
    noe_system  *s = NULL;
    if (all && (monitor || !j->monitor)) {
        for (int i = 0; i < j->lets; i++) all[i] = j->let[i];
        all[j->lets] = monitor;
        s = noe_system_load_lets(j->model, readers, all, j->lets + (monitor != NULL));
    }
    free(all);
    free(monitor);
    return s;
}

/* The first input file of the model that differs between two lists of lines "HASH NAME": its line;
 * NULL: the lists are equal. */
static const char *first_differing_input(const char *was, const char *is)
{
    for (was = was ? was : "", is = is ? is : ""; *was || *is;) {
        const size_t a = strcspn(was, "\n"), b = strcspn(is, "\n");
        if (a != b || memcmp(was, is, a)) return *is ? is : was;
        was += a + (was[a] == '\n'), is += b + (is[b] == '\n');
    }
    return NULL;
}

/* Is the text of the file this one?  A file that cannot be read is left to the message of its
 * reader. */
static bool has_text(const char *path, const char *text)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* U+FEFF in UTF-8, which the model leaves out */
    size_t            length;
    char             *is = noe_whole_file_read(path, strlen(text) + sizeof mark, &length);
    const bool        same = !is || !strcmp(is + (strncmp(is, mark, 3) ? 0 : 3), text);
    free(is);
    return same;
}

/* An option that would change the run that is continued; NULL: there is none. */
static const char *refused_option(const noe_job *j, const noe_restart *r)
{
    return j->lets                             ? j->let[0]
         : j->method                           ? "--method"
         : j->step                             ? "--step"
         : j->monitor                          ? "--monitor"
         : j->digits && j->digits != r->digits ? "--digits"
                                               : noe_kept_options_given(j);
}

/* The model with the assignments of the interrupted run, lines of `changes`, whose line ends become
 * 0. */
static noe_system *load_with_assignments(const noe_job *j, const noe_processes *readers,
                                         char *changes)
{
    int   count = 0;
    char *next;
    for (char *line = changes; line && *line; line++) count += line == changes || line[-1] == '\n';
    const char **change = noe_status_alloc((size_t)count + 1, sizeof *change);
    count = 0;
    for (char *line = changes; change && line && *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next) *next++ = 0;
        change[count++] = line;
    }
    noe_system *s = change ? noe_system_load_lets(j->model, readers, change, count) : NULL;
    free(change);
    return s;
}

noe_system *noe_job_model_resume(const noe_job *j, const noe_processes *readers, noe_restart *r)
{
    if (noe_restart_read(j->from, r)) return NULL;
    if (!r->model || !r->method || !has_text(j->model, r->model)) {
        noe_status_fail(NOE_INVALID, "--from %s: it was written by another model than %s", j->from,
                        j->model);
        return NULL;
    }
    const char *given = refused_option(j, r);
    if (given) {
        noe_status_fail(
            NOE_INVALID,
            "--from %s goes on with its own parameters, method, step, digits and solver: leave out "
            "%s",
            j->from, given);
        return NULL;
    }
    noe_system *s = load_with_assignments(j, readers, r->changes);
    const char *file = s ? first_differing_input(r->inputs, s->model->inputs) : NULL,
               *name = file ? strchr(file, ' ') : NULL;
    if (!name) return s;
    noe_status_fail(
        NOE_INVALID,
        "--from %s: it was written by another model: '%.*s', which %s reads, has changed since",
        j->from, (int)strcspn(name + 1, "\n"), name + 1, j->model);
    noe_system_free(s);
    return NULL;
}
