/* Measures a site and step of chains, rings, lattices and bodies from text.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Beside a chain written by hand, and one thread beside two. */
#include "hand.h"
#include "noether.h"

#include <math.h>
#include <sys/resource.h>

enum { REPEATS = 7 };

typedef int chain_go(int n, double *q, double *p, double h, int steps, double *evaluations);

static noe_integrator *made(noe_system *s, const char *method, double step, int threads)
{
    noe_method     *m = noe_method_parse(method);
    noe_integrator *g = noe_integrator_new(s, m, step);
    noe_set(g, "threads", threads);
    for (int i = 0; i < 2; i++) noe_step(g);
    if (noe_error()) fprintf(stderr, "%s\n", noe_error()), exit(1);
    noe_method_free(m);
    return g;
}

static double spent(noe_integrator *g, int steps, double (*clock)(void))
{
    const double t = clock();
    for (int i = 0; i < steps; i++)
        if (noe_step(g)) fprintf(stderr, "%s\n", noe_error()), exit(1);
    return (clock() - t) / steps;
}

/* FPUT in many modes at once: the iteration of a step has work to do. */
static noe_system *fput(double N)
{
    noe_system *s = noe_system_load("systems/fput_alpha.lag"), *a = noe_system_with(s, "N", N),
               *b = noe_system_let(a, "x[i] = 0.5*sin(0.3*i) + 0.3*sin(1.1*i) + 0.2*sin(2.3*i)");
    noe_system_free(s), noe_system_free(a);
    return b;
}

/* Steps after which a run looks at its states as rarely as it ever does (integrate/local_error.c):
 * twice in 128 steps, half of the first ones. */
enum { FIRST = 8, BEFORE = 256 };

/* One thread, in turn. */
static void growth(chain_go *by_hand)
{
    double at[4], x[REPEATS], hand[REPEATS], ratio[REPEATS], evaluations, first = 0;
    char   what[60], said[2][80];
    for (int k = 0; k < 4; k++) {
        const int       N = (int)lround(pow(10, 4 + k)), steps = k < 3 ? 3000000 / N + 3 : 2;
        noe_system     *s = fput(N);
        noe_integrator *g = made(s, "simpson", 0.1, 1);
        double         *q = malloc((size_t)N * sizeof *q), *p = malloc((size_t)N * sizeof *p);
        memcpy(q, noe_q(g), (size_t)N * sizeof *q), memcpy(p, noe_p(g), (size_t)N * sizeof *p);
        first = 1e9 / N * spent(g, FIRST, seconds);
        spent(g, BEFORE, seconds);
        if (by_hand(N, q, p, 0.1, FIRST + BEFORE, &evaluations))
            fprintf(stderr, "bench/hand/chain.c: a step failed\n"), exit(1);
        for (int i = 0; i < REPEATS; i++) {
            x[i] = 1e9 / N * spent(g, steps, seconds);
            const double from = seconds();
            if (by_hand(N, q, p, 0.1, steps, &evaluations))
                fprintf(stderr, "bench/hand/chain.c: a step failed\n"), exit(1);
            hand[i] = 1e9 / N * (seconds() - from) / steps, ratio[i] = x[i] / hand[i];
        }
        snprintf(what, sizeof what, "simpson, FPUT, 10^%d sites", 4 + k);
        snprintf(said[0], 80, "%.3g ns a site, %.1f iterations", median(x, REPEATS),
                 noe_get(g, "iterations") / noe_get(g, "steps"));
        snprintf(said[1], 80, "by hand %.3g ns, %.1f evaluations", median(hand, REPEATS),
                 evaluations / steps);
        compared(what, said[0], said[1], ratio, REPEATS, 1.5);
        at[k] = median(x, REPEATS);
        free(q), free(p);
        noe_integrator_free(g);
        noe_system_free(s);
    }
    first /= at[3];
    compared("FPUT, 10^7 sites: the first eight steps, all looked at", "a step",
             "one of many, of which few are", &first, 1, 0);
    double most = at[0], least = at[0];
    for (int k = 1; k < 4; k++) most = fmax(most, at[k]), least = fmin(least, at[k]);
    most /= least;
    compared("FPUT: the dearest site, 10^4 .. 10^7", "the same", "the cheapest", &most, 1, 1.5);
}

/* Steps that nothing looks at, which tiles make several of while they are in the cache, beside
 * single ones. */
static void together(void)
{
    static const char text[] =
        "parameter N = 1000, k = 4\ncoordinate u[0..N-1]\nkinetic sum(i in 0..N-1) u[i]'^2/2\n"
        "potential sum(i in 0..N-1) (k/2*(u[(i+1) mod N] - u[i])^2 + 1 - cos(u[i]))\nstart u[i] = "
        "sin(0.3*i) + sin(2.3*i)";
    noe_system *ring = noe_system_parse(text);
    for (int k = 0; k < 3; k++) {
        const int       N = (int)lround(pow(10, 3 + 2 * k)), steps = k < 2 ? 20000000 / N : 128;
        noe_system     *s = noe_system_with(ring, "N", N);
        noe_integrator *one = made(s, "verlet", 0.1, 1), *many = made(s, "verlet", 0.1, 1);
        double          x[REPEATS], each[REPEATS];
        char            what[80], said[2][60];
        for (int i = 0; i < REPEATS; i++) {
            const double a = spent(one, steps, seconds), from = seconds();
            if (noe_run(many, noe_time(many) + 0.1 * steps, NULL, NULL))
                fprintf(stderr, "%s\n", noe_error()), exit(1);
            each[i] = (seconds() - from) / steps, x[i] = each[i] / a;
        }
        const size_t bytes = (size_t)N * sizeof(double);
        const bool same = noe_time(one) == noe_time(many) && !memcmp(noe_q(one), noe_q(many), bytes)
                       && !memcmp(noe_p(one), noe_p(many), bytes);
        snprintf(what, sizeof what, "verlet, sine-Gordon, 10^%d sites: noe_run%s", 3 + 2 * k,
                 same ? ", same bits" : ": OTHER BITS");
        snprintf(said[0], sizeof *said, "%.3g ns a site", 1e9 * median(each, REPEATS) / N);
        compared(what, said[0], "noe_step", x, REPEATS, 0.9);
        noe_integrator_free(one), noe_integrator_free(many);
        noe_system_free(s);
    }
    noe_system_free(ring);
}

/* The loop that joins forces, kick and drift (src/sums/fused_loop.c), which AVX-512 alone has,
 * beside the same steps without it.  Returns whether it was measured. */
static bool fused(void)
{
    enum { N = 10000, STEPS = 200 };
#ifdef __x86_64__
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq")) return false;
    noe_system     *s = fput(N);
    noe_integrator *with = made(s, "kahan-li8", 0.1, 1);
    setenv("NOETHER_FUSED", "no", 1);
    noe_integrator *without = made(s, "kahan-li8", 0.1, 1);
    unsetenv("NOETHER_FUSED");
    double x[REPEATS], each[REPEATS], other[REPEATS];
    char   what[100], said[2][60];
    for (int i = 0; i < REPEATS; i++) {
        other[i] = 1e9 / N * spent(without, STEPS, seconds);
        each[i] = 1e9 / N * spent(with, STEPS, seconds), x[i] = each[i] / other[i];
    }
    const size_t bytes = N * sizeof(double);
    const bool   same = !memcmp(noe_q(with), noe_q(without), bytes)
                   && !memcmp(noe_p(with), noe_p(without), bytes);
    snprintf(what, sizeof what, "kahan-li8, FPUT, 10^4 sites: the loop of AVX-512%s",
             same ? ", same bits" : ": OTHER BITS");
    snprintf(said[0], sizeof *said, "%.3g ns a site", median(each, REPEATS));
    snprintf(said[1], sizeof *said, "without it %.3g ns", median(other, REPEATS));
    compared(what, said[0], said[1], x, REPEATS, 1);
    noe_integrator_free(with), noe_integrator_free(without);
    noe_system_free(s);
    return true;
#else
    return false;
#endif
}

/* Both from the same start: after a few steps they are in the same place. */
static int agree(chain_go *by_hand)
{
    enum { N = 1000, FEW = 20 };
    double          q[N], p[N], evaluations, apart = 0;
    noe_system     *s = fput(N);
    noe_integrator *g = made(s, "simpson", 0.1, 1);
    memcpy(q, noe_q(g), sizeof q), memcpy(p, noe_p(g), sizeof p);
    spent(g, FEW, seconds);
    if (by_hand(N, q, p, 0.1, FEW, &evaluations)) return 1;
    for (int i = 0; i < N; i++) apart = fmax(apart, fabs(q[i] - noe_q(g)[i]));
    noe_integrator_free(g);
    noe_system_free(s);
    return apart < 1e-12
             ? 0
             : (fprintf(stderr, "FPUT: after %d steps the two are %g apart\n", FEW, apart), 1);
}

static double resident(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return 1024. * (double)u.ru_maxrss;
}

static void text_to_step(void)
{
    static const struct {
        const char *file, *size, *what;
        double      N;
    } run[] = { { "systems/toda.lag", "N", "Toda, 200 sites: text to first step", 200 },
                { "systems/fput_alpha.lag", "N", "FPUT, 10^6 sites: text to first step", 1e6 } };
    for (int k = 0; k < 2; k++) {
        double    x[REPEATS], compiler[REPEATS], ratio[REPEATS], before = resident();
        char      said[2][60];
        chain_go *unused;
        for (int i = 0; i < REPEATS; i++) {
            const double t = wall();
            noe_system  *s = noe_system_load(run[k].file),
                       *a = noe_system_with(s, run[k].size, run[k].N);
            noe_integrator *g = made(a, "simpson", 0.1, 1);
            x[i] = 1e3 * (wall() - t);
            noe_integrator_free(g);
            noe_system_free(s), noe_system_free(a);
            if (!hand_compiled("bench/hand/chain.c", "chain_go", AS_FAST_AS_IT_GETS, &compiler[i],
                               &unused))
                exit(1);
            compiler[i] *= 1e3, ratio[i] = x[i] / compiler[i];
        }
        snprintf(said[0], 60, "%.3g ms", median(x, REPEATS)),
            snprintf(said[1], 60, "a compiler, a page of C, %.0f ms", median(compiler, REPEATS));
        compared(run[k].what, said[0], said[1], ratio, REPEATS, k ? 1 : 0.05);
        double share = (resident() - before) / run[k].N / 48;
        snprintf(said[0], 60, "%.3g bytes", 48 * share);
        if (k == 1)
            compared("FPUT, 10^6 sites: memory a site", said[0],
                     "48 of a state: q, p and what their sums leave", &share, 1, 4);
    }
}

/* Two threads against one, in turn; the states must be the same to the bit. */
static void threads(const char *what, const char *text, const char *method, double step, int steps)
{
    noe_system     *s = text ? noe_system_parse(text) : fput(1e6);
    noe_integrator *one = made(s, method, step, 1), *two = made(s, method, step, 2);
    double          x[REPEATS], each[REPEATS];
    char            name[80], said[40];
    for (int i = 0; i < REPEATS; i++) {
        const double a = spent(one, steps, wall), b = spent(two, steps, wall);
        x[i] = b / a, each[i] = 1e9 * b / noe_system_dim(s);
    }
    const size_t n = (size_t)noe_system_dim(s) * sizeof(double);
    const bool   same = !memcmp(noe_q(one), noe_q(two), n) && !memcmp(noe_p(one), noe_p(two), n);
    snprintf(name, sizeof name, "%s: two threads%s", what, same ? ", same bits" : ": OTHER BITS");
    snprintf(said, sizeof said, "%.3g ns a coordinate", median(each, REPEATS));
    compared(name, said, "one thread", x, REPEATS, 0.59);
    noe_integrator_free(one), noe_integrator_free(two);
    noe_system_free(s);
}

int main(void)
{
    printf("\n## Many coordinates\n\nProcessor time of one thread, but where two are compared with "
           "one: that is the wall's, and says nothing on a busy machine.\n"
           "Spread of %d, in turn.\n\n" COMPARED,
           REPEATS);
    chain_go *by_hand;
    if (!hand_compiled("bench/hand/chain.c", "chain_go", AS_FAST_AS_IT_GETS, NULL, &by_hand)
        || agree(by_hand))
        return 1;
    text_to_step();
    growth(by_hand);
    together();
    const bool loop = fused();
    threads("FPUT, 10^6 sites", NULL, "simpson", 0.1, 3);
    threads(
        "sine-Gordon, ring of 10^6",
        "parameter N = 1000000, k = 4\ncoordinate u[0..N-1]\nkinetic sum(i in 0..N-1) u[i]'^2/2\n"
        "potential sum(i in 0..N-1) (k/2*(u[(i+1) mod N] - u[i])^2 + 1 - cos(u[i]))\nstart u[i] = "
        "sin(0.3*i) + sin(2.3*i)",
        "simpson", 0.1, 2);
    threads("Toda, ring of 10^5",
            "parameter N = 100000\ncoordinate q[0..N-1]\nkinetic sum(i in 0..N-1) q[i]'^2/2\n"
            "potential sum(i in 0..N-1) exp(q[i] - q[(i+1) mod N])\nstart q[i] = sin(0.3*i) + "
            "sin(2.3*i)",
            "simpson", 0.1, 20);
    threads("lattice, 1000 x 1000",
            "parameter N = 1000\ncoordinate u[0..N*N-1]\nkinetic sum(e in 0..N*N-1) u[e]'^2/2\n"
            "potential sum(i in 0..N-1, j in 0..N-2) ((u[i*N+j+1] - u[i*N+j])^2/2 + (u[i*N+j+1] - "
            "u[i*N+j])^4/4)\n"
            "potential sum(e in 0..N*N-N-1) ((u[e+N] - u[e])^2/2 + (u[e+N] - u[e])^4/4)\nstart "
            "u[i] = sin(0.3*i) + sin(2.3*i)/2",
            "simpson", 0.1, 2);
    threads("Lennard-Jones, 512 atoms",
            "parameter N = 512\ncoordinate x[0..N-1], y[0..N-1], z[0..N-1]\n"
            "parameter Z[i in 0..N-1] = (2*i + 1)/N - 1, r[i in 0..N-1] = 6*(1 + i/N)\n"
            "kinetic sum(i in 0..N-1) (x[i]'^2 + y[i]'^2 + z[i]'^2)/2\n"
            "potential sum(i in 0..N-1, j in i+1..N-1) 4*(((x[i]-x[j])^2 + (y[i]-y[j])^2 + "
            "(z[i]-z[j])^2)^-6"
            " - ((x[i]-x[j])^2 + (y[i]-y[j])^2 + (z[i]-z[j])^2)^-3)\n"
            "start x[i] = r[i]*cos(2.4*i)*sqrt(1 - Z[i]^2), y[i] = r[i]*sin(2.4*i)*sqrt(1 - "
            "Z[i]^2), z[i] = r[i]*Z[i]",
            "simpson", 0.002, 2);
    if (!loop)
        printf("\nThe loop of AVX-512 beside steps without it is left out: this processor has no "
               "AVX-512.\n");
    hand_done();
    return 0;
}
