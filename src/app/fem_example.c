/* Finite-element examples of size^dim elements: PREFIX_M.mtx, PREFIX_K.mtx, PREFIX.lag, or steps.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "job/verbs.h"
#include "base/stopwatch.h"

#include "base/status.h"
#include "base/utf8.h"
#include "app/fem_mesh.h"
#include "matrix/structure.h"
#include "matrix/eigen_max.h"
#include "method/stability.h"
#include "integrate/integrator.h"
#include "base/atomic_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest frequency omega: exact for the membrane; else an upper bound or, without one, a Lanczos
 * estimate; NaN: none. */
static double fastest(const noe_fem_mesh *g, const noe_structure *s)
{
    if (g->kind == NOE_MEMBRANE) return noe_fem_mesh_membrane_omega(g, g->size - 1, g->size - 1);
    const double bound = noe_eigen_max_bound(s);
    if (isfinite(bound)) return sqrt(bound);
    noe_factorization *mass = noe_factorization_new(s, 0, 1, NOE_BITS_FAST);
    const double       square = mass ? noe_eigen_max_lanczos(s, mass) : NAN;
    noe_factorization_free(mass);
    return sqrt(square);
}

/* ---- files ---- */

static noe_status write_matrix(const char *prefix, const char *ending, const noe_sparse *A)
{
    const size_t    capacity = strlen(prefix) + strlen(ending) + 1;
    char           *path = noe_status_alloc(capacity, 1);
    noe_atomic_file t;
    noe_status      s = path ? NOE_OK : NOE_NO_MEMORY;
    if (path) snprintf(path, capacity, "%s%s", prefix, ending);
    if (!s) s = noe_atomic_file_open(&t, path);
    free(path);
    if (s) return s;
    int64_t count = 0;
    for (int i = 0; i < A->n; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) count += A->col[k] <= i;
    fprintf(t.file, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %lld\n", A->n, A->n,
            (long long)count);
    for (int i = 0; i < A->n; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            if (A->col[k] <= i) fprintf(t.file, "%d %d %.17g\n", i + 1, A->col[k] + 1, A->value[k]);
    return noe_atomic_file_keep(&t);
}

static noe_status write_model(const noe_fem_example *x, const noe_fem_mesh *g, int n, double omega)
{
    const size_t    capacity = strlen(x->prefix) + 8;
    char           *path = noe_status_alloc(capacity, 1);
    noe_atomic_file t;
    noe_status      s = path ? NOE_OK : NOE_NO_MEMORY;
    if (path) snprintf(path, capacity, "%s.lag", x->prefix);
    if (!s) s = noe_atomic_file_open(&t, path);
    free(path);
    if (s) return s;
    const char *name = strrchr(x->prefix, '/');
    name = name ? name + 1 : x->prefix;
    fprintf(t.file, "# %s.lag -- a %s of %d^%d elements, %s mass, made by 'noether structure'\n",
            name, x->kind, g->size, g->dim, g->consistent ? "consistent" : "lumped");
    fprintf(t.file, "coordinate u[1..%d]\nmass       \"%s_M.mtx\"\nstiffness  \"%s_K.mtx\"\n", n,
            name, name);
    const int struck = g->kind == NOE_MEMBRANE ? (g->size - 1) * (g->size / 2 - 1) + g->size / 2
                                               : n;
    fprintf(t.file, "start      u[%d]' = 1     # struck at one point\n", struck);
    const double h = 1.4 / omega; /* half of the stability limit h omega = 2 sqrt 2 of simpson */
    fprintf(t.file, "suggest    method = \"simpson\", step = %.3g, until = %.3g\n", h, 1000 * h);
    return noe_atomic_file_keep(&t);
}

/* ---- in memory ---- */

static noe_status run_in_memory(const noe_fem_example *x, noe_structure *s, double omega, FILE *to)
{
    const int    n = s->n;
    const double h = x->step > 0 ? x->step : 1.4 / omega;
    noe_method  *m = noe_method_parse(x->method);
    noe_system  *system = m ? noe_structure_system_new(s) : NULL;
    if (!system) noe_structure_free(s);
    noe_integrator *g = system ? noe_integrator_new(system, m, h) : NULL;
    double         *q = g ? noe_status_alloc((size_t)n, sizeof *q) : NULL,
           *v = q ? noe_status_alloc((size_t)n, sizeof *v) : NULL;
    noe_status status = v ? NOE_OK : NOE_INVALID;
    for (int i = 0; v && i < n; i++) v[i] = sin(2.5 * (i + 1.0) / n);
    const double t0 = noe_stopwatch_seconds();
    if (v) status = noe_start(g, 0, q, v);
    const double H0 = status ? NAN : noe_get(g, "energy"), t1 = noe_stopwatch_seconds();
    double       first = 0;
    for (long k = 0; !status && k < x->steps; k++) {
        status = noe_step(g);
        if (k == 0) first = noe_stopwatch_seconds();
    }
    if (!status) {
        char text[400] = "";
        if (g->engine->summarize) g->engine->summarize(g->work, text, sizeof text);
        fprintf(to, "start %.3g s, first step %.3g s", t1 - t0, first - t1);
        if (x->steps > 1)
            fprintf(to, ", then %.4g ms a step",
                    1e3 * (noe_stopwatch_seconds() - first) / (double)(x->steps - 1));
        fprintf(to, "\n%s\nenergy %.10g at the start, %.10g after %ld steps of %.4g\n", text, H0,
                noe_get(g, "energy"), x->steps, h);
    }
    free(q);
    free(v);
    noe_integrator_free(g);
    noe_system_free(system);
    noe_method_free(m);
    return status;
}

/* Can `prefix` stand in the model, which names the matrix files in quotes, in one line of UTF-8? */
static bool names_files(const char *prefix)
{
    const char *slash = strrchr(prefix, '/'), *name = slash ? slash + 1 : prefix;
    bool        fits = *name != 0;
    for (const char *c = name; *c && fits; c += noe_utf8(c)) {
        const unsigned char *u = (const unsigned char *)c;
        fits = noe_utf8(c) > 0 && *u >= ' ' && *u != '"' && *u != 127
            && !(*u == 0xC2 && u[1] < 0xA0);
    }
    return fits;
}

int noe_fem_example_run(const noe_fem_example *x, FILE *to)
{
    if (x->prefix && !names_files(x->prefix))
        return noe_status_fail(NOE_INVALID, "--output: expected the beginning of three file names, "
                                            "without quotes and control characters, as beam "
                                            "for beam_M.mtx, beam_K.mtx and beam.lag"),
               NOE_EXIT_BAD_USE;
    noe_fem_mesh g = { .dim = (int)x->dim, .size = (int)x->size, .consistent = x->consistent };
    if (!strcmp(x->kind, "membrane")) g.kind = NOE_MEMBRANE;
    else if (strcmp(x->kind, "cantilever"))
        return noe_status_fail(NOE_INVALID,
                               "no structure is called '%.60s': expected cantilever or membrane",
                               x->kind),
               NOE_EXIT_BAD_USE;
    noe_sparse *M, *K;
    if (noe_fem_mesh_make(&g, &M, &K)) return NOE_EXIT_BAD_USE;
    noe_structure *s = noe_structure_new(M, NULL, K);
    if (!s) return NOE_EXIT_BAD_USE;
    const double omega = fastest(&g, s);
    if (!isfinite(omega)) { /* the mass matrix could not be factorised */
        noe_structure_free(s);
        return NOE_EXIT_BAD_USE;
    }
    fprintf(to,
            "%s: %d coordinates, %lld entries of K, %s mass; fastest mode at most %.6g rad per "
            "unit time\n",
            x->kind, s->n, (long long)K->start[s->n], g.consistent ? "consistent" : "lumped",
            omega);
    if (g.kind == NOE_MEMBRANE)
        fprintf(to, "exact discrete frequencies: lowest %.15g, fastest %.15g\n",
                noe_fem_mesh_membrane_omega(&g, 1, 1), omega);
    if (!x->prefix) return run_in_memory(x, s, omega, to) ? NOE_EXIT_STOPPED : 0;
    noe_status status = write_matrix(x->prefix, "_M.mtx", M);
    if (!status) status = write_matrix(x->prefix, "_K.mtx", K);
    if (!status) status = write_model(x, &g, s->n, omega);
    if (!status)
        fprintf(to, "written: %s_M.mtx, %s_K.mtx, %s.lag\n", x->prefix, x->prefix, x->prefix);
    noe_structure_free(s);
    return status ? NOE_EXIT_BAD_USE : 0;
}
