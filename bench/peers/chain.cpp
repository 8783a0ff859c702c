/* a step of the chain of Fermi, Pasta, Ulam and Tsingou by explicit methods of order 4: Boost.odeint beside noether.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * McLachlan's SB3A in both, step by step; and against its energy error Blanes and Moan's SRKN 6; one thread each. */
#include "bench.h"
extern "C" {
#include "noether.h"
}

#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#if __has_include(<boost/numeric/odeint.hpp>)
#include <boost/numeric/odeint.hpp>

typedef std::vector<double> chain;
enum { REPEATS = 7 };
static const double alpha = 0.25, h = 0.1;

static void force(const chain &x, chain &a)
{
    const size_t  n = x.size();
    const double *q = x.data();
    double       *f = a.data();
    const auto    at = [=](double left, double here, double right) {
        const double r = here - left, s = right - here;
        return (s - r) * (1 + alpha * (s + r));
    };
    f[0] = at(0, q[0], q[1]);
    for (size_t i = 1; i + 1 < n; i++) f[i] = at(q[i - 1], q[i], q[i + 1]);
    f[n - 1] = at(q[n - 2], q[n - 1], 0);
}

static double energy(const double *q, const double *v, int n)
{
    double H = 0;
    for (int i = 0; i <= n; i++) {
        const double r = (i < n ? q[i] : 0) - (i ? q[i - 1] : 0);
        H += r * r / 2 + alpha / 3 * r * r * r + (i < n ? v[i] * v[i] / 2 : 0);
    }
    return H;
}

/* All modes take part. */
static void start(chain &x, chain &v)
{
    const size_t n = x.size();
    for (size_t i = 0; i < n; i++) {
        x[i] = std::sin(M_PI * (double)(i + 1) / (double)(n + 1)) + 0.2 * std::sin(0.7 * (double)i);
        v[i] = 0.1 * std::cos(1.9 * (double)i);
    }
}

struct solver {
    std::function<void(int steps)> go;
    std::function<double()>        H;
    int                            steps; /* a repeat */
    double                         H0, error, t[REPEATS];

    void once(int r)
    {
        const double from = seconds();
        go(steps);
        if (r >= 0) t[r] = seconds() - from;
        error = std::fmax(error, std::fabs(H() - H0) / H0);
    }
};

static void row(int n, const char *what, const solver &us, const solver &they)
{
    double a[REPEATS], b[REPEATS], ratio[REPEATS];
    for (int r = 0; r < REPEATS; r++) a[r] = us.t[r], b[r] = they.t[r], ratio[r] = a[r] / b[r];
    const double each = 1e9 / us.steps / n;
    char         name[100], said[2][100];
    std::snprintf(name, sizeof name, "FPUT, %d sites, explicit, order 4, %s", n, what);
    std::snprintf(said[0], 100, "%.2f ns a site and step, energy to %.0e", each * median(a, REPEATS), us.error);
    std::snprintf(said[1], 100, "odeint %.2f ns, %.0e", each * median(b, REPEATS), they.error);
    compared(name, said[0], said[1], ratio, REPEATS, 1.5);
}

/* odeint from the start by steps h/f, as far as `steps` steps h. */
struct boosted {
    chain                                                        x, v;
    boost::numeric::odeint::symplectic_rkn_sb3a_mclachlan<chain> stepper;

    solver with(int n, double f, int steps, double H0)
    {
        x.resize(n), v.resize(n);
        start(x, v);
        auto go = [=, this_ = this](int k) {
            auto state = std::make_pair(std::ref(this_->x), std::ref(this_->v));
            for (; k > 0; k--) this_->stepper.do_step(force, state, 0.0, h / f);
        };
        return { go, [n, this_ = this] { return energy(this_->x.data(), this_->v.data(), n); }, (int)std::lround(steps * f), H0, 0, {} };
    }
};

/* noether from the start, by a method of its own. */
struct ours {
    noe_system     *s = nullptr;
    noe_integrator *g = nullptr;
    bool            bad = false;

    solver with(int n, const char *method, int steps, double H0)
    {
        noe_system *any = noe_system_load("systems/fput_alpha.lag");
        noe_method *m = noe_method_parse(method);
        chain       x(n), v(n);
        s = noe_system_with(any, "N", n);
        g = noe_integrator_new(s, m, h);
        start(x, v);
        noe_set(g, "threads", 1);
        bad = noe_start(g, 0, x.data(), v.data()) != NOE_OK;
        noe_method_free(m);
        noe_system_free(any);
        return { [this](int k) { while (k--) bad |= noe_step(g) != NOE_OK; }, [this, n] { return energy(noe_q(g), noe_v(g), n); }, steps, H0, 0, {} };
    }
    ~ours() { noe_integrator_free(g), noe_system_free(s); }
};

static int compare(int n)
{
    chain x(n), v(n);
    start(x, v);
    const double H0 = energy(x.data(), v.data(), n);
    const int    steps = n >= 1000000 ? 5 : 2000000 / n;
    boosted      same, fine;
    ours         one, other;
    solver       us = one.with(n, "sb3a-4", steps, H0), best = other.with(n, "srkn6-4", steps, H0), they = same.with(n, 1, steps, H0);
    for (int r = 0; r < 2; r++) us.once(-1), best.once(-1), they.once(-1);
    const double f = std::fmax(1, std::pow(they.error / best.error, 0.25));
    solver       equal = fine.with(n, f, steps, H0);
    for (int r = -1; r < REPEATS; r++) us.once(r), they.once(r), best.once(r), equal.once(r); /* in turn */
    if (one.bad || other.bad) return std::fprintf(stderr, "%s\n", noe_error()), 1;
    row(n, "the same method and step", us, they);
    row(n, "the same error", best, equal);
    return 0;
}

int main()
{
    std::printf("## Explicit steps of chains\n\nBoost.odeint's symplectic_rkn_sb3a_mclachlan fed with C++ that the compiler makes into vectors; noether reads\n"
                "systems/fput_alpha.lag; one thread. First the same method, `sb3a-4`, by the same step: the same errors, five evaluations of the forces\n"
                "here, six there. Then `srkn6-4` by that step, odeint's so much smaller that its energy error is the same, per step of noether.\n"
                "Spread of %d, in turn.\n\n" COMPARED, REPEATS);
    for (int n : { 32, 1000, 10000, 100000, 1000000 })
        if (compare(n)) return 1;
    return 0;
}
#else
int main() { std::printf("## Explicit steps of chains\n\nBoost.odeint is missing: not measured.\n"); }
#endif
