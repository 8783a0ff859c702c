/* Slowest and fastest modes of a structure, K x = omega^2 M x, and the steps that they allow.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/structure_modes.h"

#include "base/status.h"
#include "matrix/structure.h"
#include "matrix/eigen_max.h"
#include "method/stability.h"
#include "integrate/integrator.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 40 };

/* The slowest modes by several processes together; false: each looks for them itself. */
static bool found_together(noe_structure_modes *x, const noe_structure *s, const noe_processes *p)
{
    const bool some = p && x->asked < s->n;
    double    *vector = some ? noe_status_alloc((size_t)x->asked * (size_t)s->n, sizeof *vector)
                             : NULL;
    noe_status status = vector || !some ? NOE_OK : NOE_NO_MEMORY;
    if (!some) return false;
    x->found = p->agree(status) ? -1 : p->slowest(s, x->top, x->asked, vector);
    if (x->found == x->asked) noe_eigen_min_of(s, vector, x->found, x->low);
    free(vector);
    return x->found < 0 || x->found == x->asked;
}

bool noe_structure_modes_find(noe_structure_modes *x, const noe_structure *s, const noe_method *f,
                              int iterations, const noe_processes *p)
{
    noe_factorization *mass = noe_factorization_new(s, 0, 1, NOE_BITS_FAST);
    *x = (noe_structure_modes){ .asked = s->n == 1            ? 1
                                       : s->n - 1 < NOE_MODES ? s->n - 1
                                                              : NOE_MODES };
    if (!mass) return false;
    x->top = fmin(noe_eigen_max_bound(s), fmax(0, noe_eigen_max_lanczos(s, mass)));
    noe_factorization_free(mass);
    if (!found_together(x, s, p))
        x->found = noe_eigen_min_find(s, x->top, x->asked, iterations, x->low);
    double edge[4] = { 0 };
    x->edge = noe_stability_windows(f, INFINITY, edge, 4) > 0 ? edge[0] : INFINITY;
    return x->found >= 0;
}

static bool is_rounding(const noe_mode *x) { return fabs(x->omega2) <= x->rounding; }

int noe_structure_modes_rigid(const noe_structure_modes *x)
{
    int count = 0;
    for (int i = 0; i < x->found; i++) count += is_rounding(&x->low[i]);
    return count;
}

/* Frequency omega of the slowest oscillating mode; without one, of the fastest. */
static double slowest(const noe_structure_modes *x)
{
    for (int i = 0; i < x->found; i++)
        if (!is_rounding(&x->low[i]) && x->low[i].omega2 > 0) return sqrt(x->low[i].omega2);
    return sqrt(x->top);
}

double noe_structure_modes_step(const noe_structure_modes *x)
{
    const double points = 2 * acos(-1) / POINTS / slowest(x), stable = x->edge / sqrt(x->top) / 2;
    return fmin(points, stable);
}

static void lowest(const noe_structure_modes *x, FILE *to)
{
    const int still = noe_structure_modes_rigid(x);
    double    largest = 0;
    for (int i = 0; i < x->found; i++)
        if (is_rounding(&x->low[i])) largest = fmax(largest, x->low[i].rounding);
    if (still)
        fprintf(
            to,
            "  rigid      %d mode%s slower than %.2g: of frequency 0, or lost in the rounding of "
            "K\n",
            still, still > 1 ? "s" : "", sqrt(largest));
    fprintf(to, "  omega      lowest:");
    for (int i = 0; i < x->found; i++) {
        if (is_rounding(&x->low[i])) continue;
        if (x->low[i].omega2 >= 0) fprintf(to, " %.8g", sqrt(x->low[i].omega2));
        else fprintf(to, " growing at %.6g", sqrt(-x->low[i].omega2));
    }
    if (x->found < x->asked)
        fprintf(to,
                "%s\n             the slowest modes were not found: of %d that were looked for %d; "
                "others may lie between these",
                x->found ? "" : " none", x->asked, x->found);
    fprintf(to, "\n");
}

/* Does a run with steps h use the BLAS?  NaN: the run cannot start. */
static double blas(const noe_system *system, const noe_method *f, double h)
{
    const bool      clean = !noe_error();
    noe_integrator *g = noe_integrator_make(system, f, h, NOE_DIGITS_DOUBLE);
    const double    x = g && !noe_integrator_start_ready(g) ? noe_get(g, "blas") : NAN;
    noe_integrator_free(g);
    if (clean) noe_error_clear();
    return x;
}

void noe_structure_modes_text(const noe_structure_modes *x, const noe_system *system,
                              const noe_method *f, double h, FILE *to)
{
    const noe_structure *s = system->dyn.structure;
    const double         top = sqrt(x->top), two_pi = 2 * acos(-1);
    fprintf(to, "%s: a structure of %d coordinates\n", system->source, s->n);
    fprintf(to, "  stiffness  %lld entries, %.3g a row\n", (long long)s->K->start[s->n],
            (double)s->K->start[s->n] / s->n);
    fprintf(
        to, "  mass       %s%s\n",
        s->mass ? "lumped: within the stability limit no factorisation is needed"
                : "consistent: solved with by a factorisation",
        s->nearly_singular
            ? ", nearly singular: directions almost without mass are not looked for in so large a "
              "structure"
        : s->massless ? ""
                      : ", nonsingular");
    if (s->massless)
        fprintf(to, "  massless   %d direction%s, %s, follow%s the others statically\n",
                s->massless, s->massless > 1 ? "s" : "",
                s->oblique_massless ? "no coordinate axes" : "coordinates",
                s->massless > 1 ? "" : "s");
    if (system->model && system->model->projected)
        fprintf(to, "  start      is projected onto what they allow: %s\n",
                system->model->projected);
    if (s->C || s->alpha != 0 || s->beta != 0)
        fprintf(to, "  damping    %s, alpha = %.6g, beta = %.6g\n",
                s->C ? "a matrix" : "Rayleigh's", s->alpha, s->beta);
    else fprintf(to, "  damping    none: energy is conserved where there is no load\n");
    lowest(x, to);
    fprintf(to, "             fastest: at most %.8g, period %.4g\n", top, two_pi / top);
    if (x->chosen)
        fprintf(to, "  step       %.6g is chosen, as none is given: %s\n", h,
                h < x->edge / top / 2 ? "40 points in the longest period"
                                      : "half of the largest stable one");
    if (x->edge < INFINITY) {
        fprintf(to, "  step       %s is stable to %.6g (omega h < %.6g); %.6g is %s\n", f->name,
                x->edge / top, x->edge, h,
                h * top < x->edge ? "within" : "BEYOND IT: a smaller step, or gauss 2");
    } else fprintf(to, "  step       %s is stable for every step\n", f->name);
    fprintf(to, "             40 points in the shortest period: %.4g", two_pi / top / 40);
    if (slowest(x) < top) fprintf(to, "; in the longest: %.4g", two_pi / slowest(x) / 40);
    fprintf(to, "\n");
    const double part = blas(system, f, h);
    if (part == 0) fprintf(to, "  bits       of a run: the same on every x86-64 machine\n");
    if (part == 1)
        fprintf(
            to,
            "  bits       of a run: by the BLAS, with other last digits on other processors%s\n",
            s->blas ? ": LAPACK eliminates what has no mass" : " (--bits same)");
}

void noe_structure_modes_json(const noe_structure_modes *x, const noe_system *system,
                              const noe_method *f, double h, noe_json *j, const char *name)
{
    const noe_structure *s = system->dyn.structure;
    const double         top = sqrt(x->top), part = blas(system, f, h);
    noe_json_open(j, name, '{');
    noe_json_integer(j, "coordinates", s->n);
    noe_json_integer(j, "entries", s->K->start[s->n]);
    noe_json_bool(j, "lumped", s->mass != NULL);
    noe_json_integer(j, "massless", s->massless);
    noe_json_bool(j, "damped", s->C || s->alpha != 0 || s->beta != 0);
    noe_json_open(j, "omega_squared", '[');
    for (int i = 0; i < x->found; i++) noe_json_double(j, NULL, x->low[i].omega2);
    noe_json_close(j);
    noe_json_integer(j, "asked", x->asked);
    noe_json_integer(j, "rigid", noe_structure_modes_rigid(x));
    noe_json_double(j, "fastest_omega", top);
    noe_json_text(j, "method", f->name);
    noe_json_double(j, "step", h);
    noe_json_bool(j, "chosen", x->chosen != 0);
    noe_json_double(j, "largest_stable_step", x->edge / top); /* any: null */
    if (part == 0 || part == 1) noe_json_bool(j, "same_bits", part == 0);
    else noe_json_null(j, "same_bits");
    noe_json_bool(j, "holds", noe_structure_modes_stable(x, h));
    noe_json_close(j);
}

bool noe_structure_modes_stable(const noe_structure_modes *x, double h)
{
    return fabs(h) * sqrt(x->top) < x->edge;
}
