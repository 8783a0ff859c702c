/* noether-mpi structure KIND: M and K of a square or a cube, each process its layers of elements.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No process has the whole structure, so its size is that of all memory.  The lines are those of
 * `noether structure`. */
#include "share.h"
#include "verbs.h"

#include "../cli/command.h"

#include "base/status.h"
#include "base/stopwatch.h"
#include "base/thread_team.h"
#include "linear/structure_engine.h"
#include "app/fem_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODES_MOST = 100 };

typedef struct {
    noe_fem_mesh g;
    const char  *kind, *method;
    long         steps, modes; /* modes: how many of the lowest are printed */
    double       step;
    int          threads;
} example;

/* The layers of process r. */
static int layer_of(const example *x, int r)
{
    return (int)((int64_t)noe_fem_mesh_layers(&x->g) * r / together.count);
}

/* The rows of this process and `depth` layers of nodes around them. */
static noe_status cut_slab(share *s, const example *x, int depth)
{
    const int layers = noe_fem_mesh_layers(&x->g), lo = layer_of(x, together.rank),
              hi = layer_of(x, together.rank + 1), from = lo - depth > 0 ? lo - depth : 0,
              to = hi + depth < layers ? hi + depth : layers;
    const int64_t in_layer = (int64_t)noe_fem_mesh_layer_count(&x->g);
    *s = (share){ .places = in_layer * layers };
    noe_status status = noe_fem_mesh_slab(&x->g, from, to, &s->own.M, &s->own.K);
    if (status) return status;
    const int n = s->own.n = s->own.K->n;
    s->global = noe_status_alloc((size_t)n, sizeof *s->global);
    s->owner = noe_status_alloc((size_t)n, sizeof *s->owner);
    if (!s->global || !s->owner) return NOE_NO_MEMORY;
    for (int i = 0, r = 0; i < n; i++) {
        const int layer = from + (int)(i / in_layer);
        while (layer >= layer_of(x, r + 1)) r++;
        s->owner[i] = r, s->global[i] = (int64_t)from * in_layer + i;
    }
    if (x->g.consistent) return NOE_OK;
    s->own.mass = noe_status_alloc((size_t)n, sizeof *s->own.mass);
    if (!s->own.mass) return NOE_NO_MEMORY;
    noe_sparse_diagonal(s->own.M, s->own.mass);
    return NOE_OK;
}

/* Sums over all processes, and the largest number of one of them. */
static double total(double x)
{
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return x;
}

static double largest(double x)
{
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return x;
}

/* Gershgorin's bound of omega^2, in the order of noe_eigen_max_bound; lumped mass. */
static double circles(const share *s)
{
    double most = 0;
    for (int j = 0; j < halo_owned(s->halo); j++) {
        const int i = halo_own(s->halo)[j];
        double    centre = 0, radius = 0;
        for (int64_t k = s->own.K->start[i]; k < s->own.K->start[i + 1]; k++)
            if (s->own.K->col[k] == i) centre = s->own.K->value[k] / s->own.mass[i];
            else
                radius += fabs(s->own.K->value[k])
                        / sqrt(s->own.mass[i] * s->own.mass[s->own.K->col[k]]);
        most = fmax(most, centre + radius);
    }
    return largest(most);
}

/* Lowest and fastest frequencies by SLEPc, as `noether check` has them; rigid modes are 0 but for
 * rounding. */
static noe_status print_modes(const example *x, const share *s, double omega)
{
    double     omega2[MODES_MOST], top2 = 0;
    int        found = 0;
    const int  most = s->places - 1 < x->modes ? (int)s->places - 1 : (int)x->modes;
    noe_status status = together_agree(fastest_mode(s, &top2));
    if (!status && most)
        status = together_agree(slowest_modes(s, omega * omega, most, omega2, NULL, &found));
    if (status) return status;
    printf("modes by SLEPc: fastest at most %.8g; lowest", sqrt(top2));
    for (int i = 0; i < found; i++) printf(" %.8g", sqrt(fmax(omega2[i], 0)));
    if (found < most) printf("; of %d that were looked for %d were found", most, found);
    printf("\n");
    return NOE_OK;
}

/* What `noether structure` says first; the fastest mode. */
static noe_status describe(const example *x, double *omega)
{
    share      s = { 0 };
    double     entries = 0, omega2 = 0;
    noe_status status = together_agree(cut_slab(&s, x, 1));
    if (!status) status = together_agree(share_join(&s));
    if (!status) {
        for (int j = 0; j < halo_owned(s.halo); j++) {
            const int i = halo_own(s.halo)[j];
            entries += (double)(s.own.K->start[i + 1] - s.own.K->start[i]);
        }
        entries = total(entries);
        *omega = x->g.kind == NOE_MEMBRANE
                   ? noe_fem_mesh_membrane_omega(&x->g, x->g.size - 1, x->g.size - 1)
               : s.own.mass ? sqrt(circles(&s))
                            : 0;
        if (*omega == 0) status = together_agree(fastest_mode(&s, &omega2));
        if (*omega == 0) *omega = sqrt(omega2);
    }
    if (!status) {
        printf(
            "%s: %.0f coordinates, %.0f entries of K, %s mass; fastest mode at most %.6g rad per "
            "unit time\n",
            x->kind, (double)s.places, entries, x->g.consistent ? "consistent" : "lumped", *omega);
        if (x->g.kind == NOE_MEMBRANE)
            printf("exact discrete frequencies: lowest %.15g, fastest %.15g\n",
                   noe_fem_mesh_membrane_omega(&x->g, 1, 1), *omega);
    }
    if (!status && x->modes) status = print_modes(x, &s, *omega);
    share_drop(&s);
    return status;
}

/* Layers around the own ones for one exchange a step; 0: one a product. */
static int choose_depth(const example *x, const noe_method *f, double h, double omega2)
{
    const char              *ask = getenv("NOETHER_HALO");
    noe_stage_pencil         p;
    noe_chebyshev_polynomial c;
    int                      depth = 1;
    const int                thin = noe_fem_mesh_layers(&x->g) / together.count;
    if (f->kind != NOE_GALERKIN || x->g.consistent || !noe_stage_pencil_make(&p, f, 0, 0)) return 0;
    for (int j = 0; j < p.count; j++) {
        if (!noe_chebyshev_polynomial_make(&c, p.lambda[j], h * h / NOE_STIFFNESS_DIVISOR * omega2))
            return 0;
        depth += c.degree;
    }
    if (together.count == 1) return depth;
    if (ask && !strcmp(ask, "shallow")) return 0;
    return (ask && !strcmp(ask, "deep")) || 2.0 * depth <= 0.3 * thin ? depth : 0;
}

static noe_status steps(const example *x, const noe_method *f, share *s, double h)
{
    const noe_dynamics d = {
        .n = s->own.n, .linear = true, .constant = true, .autonomous = true, .structure = &s->own
    };
    const noe_engine     *engine = noe_structure_engine_select(&d, f);
    noe_structure_engine *w = engine ? engine->make(&d, f) : NULL;
    quad      *v = noe_status_alloc((size_t)s->own.n, sizeof *v), step = h, H0 = 0, H = 0;
    bool      *momentum = noe_status_alloc((size_t)s->own.n, sizeof *momentum);
    double     t0 = noe_stopwatch_seconds(), t1 = 0, first = 0;
    noe_status status = !engine ? noe_status_fail(NOE_INVALID, "'%s' does not step a structure",
                                                  noe_method_name(f))
                      : w && v && momentum ? NOE_OK
                                           : NOE_NO_MEMORY;
    if (!(status = together_agree(status))) {
        for (int i = 0; i < s->own.n; i++)
            v[i] = sin(2.5 * ((double)s->global[i] + 1.0) / (double)s->places);
        engine->set(w, NOE_AT_STEP, 0, &step);
        engine->set(w, NOE_AT_V, 0, v);
        engine->large->set_threads(w, x->threads);
        status = together_agree(engine->start(w, momentum) ? engine->why(w, 0) : NOE_OK);
    }
    if (!status) {
        engine->get(w, NOE_AT_ENERGY, 0, &H0);
        t1 = noe_stopwatch_seconds();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    const double from = noe_stopwatch_seconds();
    for (long k = 0; k < x->steps && !status; k++) {
        stepping = true;
        if (engine->step(w)) status = engine->why(w, 0);
        stepping = false, in_steps.steps++;
        if (k == 0) first = noe_stopwatch_seconds();
    }
    if (!status) MPI_Barrier(MPI_COMM_WORLD);
    const double end = noe_stopwatch_seconds();
    if (!(status = together_agree(status))) {
        char text[400] = "";
        engine->get(w, NOE_AT_ENERGY, 0, &H);
        engine->summarize(w, text, sizeof text);
        printf("start %.3g s, first step %.3g s", t1 - t0, first - from);
        if (x->steps > 1)
            printf(", then %.4g ms a step", 1e3 * (end - first) / (double)(x->steps - 1));
        printf("\n%s; process 1 of %d: %d rows and %d around them, an exchange a %s\nenergy "
               "%.10g at the start, %.10g after %ld steps of %.4g\n",
               text, together.count, halo_owned(s->halo), s->own.n - halo_owned(s->halo),
               s->functions.depth ? "step" : "product", (double)H0, (double)H, x->steps, h);
    }
    if (w) engine->drop(w);
    free(v), free(momentum);
    return status;
}

static noe_status run(example *x)
{
    double      omega = 0;
    share       s = { 0 };
    noe_method *f = noe_method_parse(x->method);
    const int   layers = noe_fem_mesh_layers(&x->g);
    noe_status  status = f ? NOE_OK : NOE_INVALID;
    if (!status && layers > 0 && layers < together.count)
        status = noe_status_fail(NOE_INVALID,
                                 "%d processes for %d layers of nodes: take at most "
                                 "mpirun -n %d, or a larger --size",
                                 together.count, layers, layers);
    if (!(status = together_agree(status))) status = describe(x, &omega);
    if (!status) {
        const double h = x->step > 0 ? x->step : 1.4 / omega;
        const int    depth = choose_depth(x, f, h, omega * omega);
        status = together_agree(cut_slab(&s, x, depth ? depth : 1));
        if (!status) status = together_agree(share_join(&s));
        s.functions.depth = depth, s.functions.omega2 = omega * omega;
        if (!status) status = steps(x, f, &s, h);
    }
    share_drop(&s);
    noe_method_free(f);
    return status;
}

int verb_structure_together(int argc, char **argv)
{
    long        dim = 2, size = 10, many = 1;
    const char *dims = NULL, *sizes = NULL, *steps_ = NULL, *step = NULL, *consistent = NULL,
               *help = NULL, *threads = NULL, *modes = NULL, *verbose = NULL;
    example      x = { .steps = 100 };
    const option options[] = {
        { "dim", "2|3", "of a cantilever: a plate in plane stress, or a solid; default 2", &dims },
        { "size", "N", "elements a side; default 10", &sizes },
        { "consistent", NULL, "mass as integrated; default: lumped", &consistent },
        { "method", "NAME", "default simpson", &x.method },
        { "step", "H", "default: half of the largest stable one", &step },
        { "steps", "N", "default 100", &steps_ },
        { "modes", "N", "the N lowest frequencies and the fastest, by SLEPc; N to 100", &modes },
        { "threads", "N", "of each process; default 1", &threads },
        { "verbose", NULL, "messages and bytes of a step", &verbose },
        { "help", NULL, "this", &help },
    };
    const size_t count = sizeof options / sizeof *options;
    const int    words = take_options(argc, argv, options, count, "structure");
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (help) {
        printf("noether-mpi structure cantilever|membrane [options]\n\nSteps an example structure "
               "of which every process makes and keeps its own layers.\n\n");
        print_options(options, count);
        return printed(NOE_EXIT_DONE);
    }
    if (words != 1)
        return complain("which structure?  noether-mpi structure cantilever|membrane [options]");
    if (dims && !whole("dim", dims, 2, 3, &dim)) return NOE_EXIT_BAD_USE;
    if (sizes && !whole("size", sizes, 1, 100000, &size)) return NOE_EXIT_BAD_USE;
    if (steps_ && !whole("steps", steps_, 1, 1000000000, &x.steps)) return NOE_EXIT_BAD_USE;
    if (modes && !whole("modes", modes, 1, MODES_MOST, &x.modes)) return NOE_EXIT_BAD_USE;
    if (threads && !whole("threads", threads, 1, NOE_THREADS_MOST, &many)) return NOE_EXIT_BAD_USE;
    if (step && !positive("step", step, &x.step)) return NOE_EXIT_BAD_USE;
    if (!x.method) x.method = "simpson";
    x.threads = (int)many, x.kind = argv[0];
    x.g = (noe_fem_mesh){ .dim = (int)dim, .size = (int)size, .consistent = consistent != NULL };
    if (!strcmp(x.kind, "membrane")) x.g.kind = NOE_MEMBRANE;
    else if (strcmp(x.kind, "cantilever"))
        return complain("no structure is called '%.60s': expected cantilever or membrane", x.kind);
    const noe_status s = run(&x);
    return printed(report(s == NOE_OK           ? NOE_EXIT_DONE
                          : s == NOE_NOT_FINITE ? NOE_EXIT_STOPPED
                                                : NOE_EXIT_BAD_USE));
}
