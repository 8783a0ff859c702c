/* The certificate of a system: its properties, its conserved momenta, the laws and their verdicts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "app/certificate.h"

#include "base/status.h"
#include "base/stopwatch.h"
#include "base/table.h"
#include "inspect/uncoupled_blocks.h"
#include "job/job_setup.h"
#include "integrate/subnormal_mass.h"
#include "inspect/structure_modes.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Are the masses at the start normal numbers in double, not subnormal?  True also where it cannot
 * be asked: no model, sums, no integrator.  Other faults of double precision are found by the
 * laws. */
static bool masses_are_normal(const noe_system *s, const noe_method *f, quad step)
{
    const bool      clean = !noe_error();
    const int       n = s->dyn.n;
    noe_integrator *g = s->model && !s->dyn.groups
                          ? noe_integrator_make(s, f, step, NOE_DIGITS_DOUBLE)
                          : NULL;
    quad           *q = g ? noe_status_alloc(2 * (size_t)n, sizeof *q) : NULL;
    noe_status      status = NOE_OK;
    for (int i = 0; q && i < n; i++) q[i] = s->model->begin[i].q, q[n + i] = s->model->begin[i].v;
    if (q) status = noe_subnormal_mass_find(g, s->model->t0, q, q + n);
    else if (clean) noe_error_clear();
    free(q);
    noe_integrator_free(g);
    return !status;
}

/* Does a run start?  A message where not. */
static bool starts(const noe_system *s, const noe_method *f, quad step)
{
    noe_integrator *g = noe_integrator_make(s, f, step, NOE_DIGITS_DOUBLE);
    const bool      ok = g && !noe_integrator_start_ready(g);
    noe_integrator_free(g);
    return ok;
}

bool noe_certificate_make(noe_certificate *c, const noe_system *s, const noe_method *f, quad step,
                          double within)
{
    *c = (noe_certificate){ .system = s,
                            .method = f,
                            .step = step,
                            .order = f->order,
                            .laws = { .within = within,
                                      .since = noe_stopwatch_computing(),
                                      .first = s->processes ? s->processes->first : NULL } };
    if ((s->dyn.groups || (s->model && s->model->summed))
        && !(c->system = s = c->written = noe_system_written(s, "a certificate")))
        return false;
    if ((s->dyn.constraints || noe_system_monitored(s)) && !starts(s, f, step)) return false;
    if (f->kind == NOE_NEWMARK && !s->dyn.structure) {
        noe_status_fail(NOE_INVALID, "%s: laws of %s are measured on structures", s->source,
                        noe_method_name(f));
        return false;
    }
    if (s->dyn.structure) {
        if (!starts(s, f, step) || !noe_structure_laws(s, f, step, &c->laws)) return false;
        c->holds = true;
        for (int i = 0; i < c->laws.count; i++) c->holds &= c->laws.law[i].verdict != NOE_FAILS;
        return true;
    }
    if (!masses_are_normal(s, f, step)) return false;
    noe_splitting_check splitting;
    if (f->kind == NOE_SPLITTING && s->model) {
        if (noe_splitting_check_system(s, f->name, NULL, NULL, &splitting)) return false;
        c->order = noe_splitting_check_order(&splitting, f);
    }
    c->properties = noe_properties_find(s, f, (double)step);
    c->symmetries = c->properties && s->model ? noe_symmetry_find(s) : NULL;
    if (!c->properties || (s->model && !c->symmetries)) return false;
    if (!noe_laws_find(s, f, step, c->properties, c->symmetries, &c->laws)) return false;
    c->holds = true;
    for (int i = 0; i < c->laws.count; i++) c->holds &= c->laws.law[i].verdict != NOE_FAILS;
    return true;
}

void noe_certificate_drop(noe_certificate *c)
{
    noe_system_free(c->written);
    noe_properties_free(c->properties);
    noe_symmetry_free(c->symmetries);
    noe_law_list_free(&c->laws);
}

enum { SHOWN = 240 }; /* characters of a momentum that the text shows; JSON shows all */

/* A momentum: numerals of more than 14 characters rounded to 12 digits; no token is begun after
 * SHOWN characters. */
static void print_momentum(const char *s, FILE *to)
{
    int used = 0;
    while (*s && used < SHOWN) {
        char        *end;
        const bool   inside = isalnum((unsigned char)*s) && !isdigit((unsigned char)*s);
        const double x = isdigit((unsigned char)*s) ? strtod(s, &end) : 0;
        if (isdigit((unsigned char)*s) && end - s > 14) used += fprintf(to, "%.12g", x), s = end;
        else if (isdigit((unsigned char)*s)) {
            used += fprintf(to, "%.*s", (int)(end - s), s);
            s = end;
        }
        /* digits of a name are not cut */
        else if (inside || *s == '_')
            while (isalnum((unsigned char)*s) || *s == '_') fputc(*s++, to), used++;
        else fputc(*s++, to), used++;
    }
    fprintf(to, "%s\n", *s ? " .." : "");
}

static void print_symmetries(const noe_symmetries *s, const noe_properties *facts, FILE *to)
{
    fprintf(to, "\nSymmetries (%s)%s%s\n", noe_certificate_level(s), s->note[0] ? "; " : "",
            s->note);
    for (int i = 0; i < s->count; i++) {
        const noe_symmetry *y = &s->found[i];
        const bool          energy = y->kind == NOE_ENERGY;
        fprintf(to, "  %-18s %s; %s%s%s%s%s\n", energy ? "energy" : y->name, y->what,
                noe_certificate_exactness(y), y->declared ? "; declared" : "",
                y->strict ? "; strict" : "", y->forced_along ? "; the forces act along it" : "",
                y->depends ? "; follows from the others" : "");
        if (energy) continue;
        fprintf(to, "  %-18s I = ", "");
        print_momentum(y->momentum, to);
    }
    if (!s->count) fprintf(to, "  none found on the sampled region\n");
    if (facts->blocks > 1 && facts->autonomous.holds && !facts->forces)
        for (int b = 0; b < facts->blocks && b < NOE_BLOCKS_MOST; b++) {
            char name[80];
            noe_uncoupled_blocks_name(facts, b, "", name, sizeof name);
            fprintf(to, "  %-18s the energy of an uncoupled block is conserved by itself%s\n", name,
                    facts->blocks > NOE_BLOCKS_MOST && b == NOE_BLOCKS_MOST - 1
                        ? "; .. and those of the others"
                        : "");
        }
    if (s->near) fprintf(to, "  nearly, and rejected: %d (residual %.1e)\n", s->near, s->nearest);
}

void noe_certificate_print(const noe_certificate *c, FILE *to)
{
    if (c->properties) {
        fprintf(to, "%s\n\nStructure\n", c->system->source);
        noe_properties_text(c->properties, to);
    }
    if (c->symmetries) print_symmetries(c->symmetries, c->properties, to);
    fprintf(to, "\nLaws of %s (order %d) at step %.10g\n", noe_method_name(c->method), c->order,
            (double)c->step);
    const noe_model *m = c->system->model;
    for (int i = 0; m && i < m->events; i++)
        if (m->event[i].stop || m->event[i].then)
            fprintf(to, "  measured without the event %s\n", m->event[i].name);
    for (int i = 0; i < c->laws.count; i++) {
        const noe_law *x = &c->laws.law[i];
        char           bound[32] = "";
        if (!isnan(x->bound)) snprintf(bound, sizeof bound, "<= %.1e", x->bound);
        fprintf(to, "  %-16s %-28s %9.2e %-10s %s\n", noe_certificate_verdict(x), x->name, x->value,
                bound, x->what);
    }
    if (*c->laws.left)
        fprintf(to,
                "\nLeft out, since %g s of computing are over: %s; 'noether check --within' sets "
                "another time.\n",
                c->laws.within, c->laws.left);
    fprintf(to, "\n%s\n",
            !c->holds       ? "NOT all that is promised holds."
            : *c->laws.left ? "All that was measured holds."
                            : "All that is promised holds.");
}

noe_table *noe_check(const noe_system *s, const noe_method *f, double step)
{
    static const char *const column[] = { "value", "bound", "holds" };
    if (!s || !f) return NULL;
    if (!isfinite(step) || step == 0) {
        noe_status_fail(NOE_INVALID, "the step is %g: expected a finite number that is not zero",
                        step);
        return NULL;
    }
    noe_certificate c;
    noe_table      *t = noe_certificate_make(&c, s, f, step, 0) ? noe_table_new(3, column) : NULL;
    for (int i = 0; i < c.laws.count && t; i++) {
        const noe_law *x = &c.laws.law[i];
        const double   row[] = { x->value, x->bound,
                               x->verdict == NOE_HOLDS   ? 1
                                 : x->verdict == NOE_FAILS ? 0
                                                           : NAN };
        if (noe_table_add_labelled(t, row, x->name)) {
            noe_table_free(t);
            t = NULL;
        }
    }
    noe_certificate_drop(&c);
    return t;
}

static int exit_status(const noe_certificate *c)
{
    return !c->holds ? NOE_EXIT_FAILS : *c->laws.left ? NOE_EXIT_STOPPED : NOE_EXIT_DONE;
}

/* Prints the modes of a structure and, for an admissible step, the laws. */
static int check_structure(const noe_job_setup *x, double within, int json, FILE *to)
{
    const double    h = (double)x->step;
    const bool      stable = noe_structure_modes_stable(&x->modes, h);
    noe_certificate c = { 0 };
    noe_json        j = { .file = to };
    if (!json) noe_structure_modes_text(&x->modes, x->system, x->method, h, to);
    const bool made = stable && noe_certificate_make(&c, x->system, x->method, x->step, within);
    if (json) {
        noe_json_open(&j, NULL, '{');
        noe_structure_modes_json(&x->modes, x->system, x->method, h, &j, "modes");
        if (made) noe_certificate_json_laws(&c, &j);
        else noe_json_open(&j, "laws", '['), noe_json_close(&j), noe_json_bool(&j, "holds", false);
        noe_json_close(&j);
    } else if (made) noe_certificate_print(&c, to);
    const int status = !stable ? NOE_EXIT_FAILS : made ? exit_status(&c) : NOE_EXIT_BAD_USE;
    noe_certificate_drop(&c);
    return status;
}

int noe_certificate_run(const noe_job *job, int json, FILE *to)
{
    noe_job_setup   x;
    noe_certificate c = { 0 };
    int             status = NOE_EXIT_BAD_USE;
    noe_job         own = *job;
    own.certifies = 1;
    const bool made = noe_job_setup_make(&x, &own),
               ready = !noe_processes_agree(job->processes, made ? NOE_OK : NOE_INVALID);
    if (ready && x.system->dyn.structure) status = check_structure(&x, job->within, json, to);
    else if (ready && noe_certificate_make(&c, x.system, x.method, x.step, job->within)) {
        if (json) noe_certificate_json_print(&c, to);
        else noe_certificate_print(&c, to);
        status = exit_status(&c);
    }
    noe_certificate_drop(&c);
    noe_job_setup_drop(&x);
    return status;
}
