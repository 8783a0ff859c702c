/* Boost.odeint: the state a std::array, the equations compiled into the method.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "peers.h"

#if __has_include(<boost/numeric/odeint.hpp>)
#include <algorithm>
#include <array>
#include <boost/numeric/odeint.hpp>
#include "fields.h"

namespace ode = boost::numeric::odeint;

template <int n, void (*a)(const double *, const double *, double *)> struct motion {
    typedef std::array<double, 2 * n> state;
    typedef std::array<double, n>     half;

    static void field(const state &y, state &f, double)
    {
        std::copy(y.begin() + n, y.end(), f.begin());
        a(y.data(), y.data() + n, f.data() + n);
    }
    static void force(const half &q, half &f) { a(q.data(), nullptr, f.data()); }

    template <class Stepper> static int adaptive(Stepper stepper, double T, double *y)
    {
        state x;
        std::copy(y, y + 2 * n, x.begin());
        try {
            int steps = 0;
            ode::integrate_adaptive(stepper, field, x, 0.0, T, T * 1e-5,
                                    [&](const state &, double) { if (++steps > MOST_STEPS) throw 1; });
        } catch (...) { return 1; }
        std::copy(x.begin(), x.end(), y);
        return 0;
    }
    static int dopri5(double T, double e, double *y) { return adaptive(ode::make_controlled<ode::runge_kutta_dopri5<state>>(e, e), T, y); }
    static int fehlberg78(double T, double e, double *y) { return adaptive(ode::make_controlled<ode::runge_kutta_fehlberg78<state>>(e, e), T, y); }
    static int bulirsch_stoer(double T, double e, double *y) { return adaptive(ode::bulirsch_stoer<state>(e, e), T, y); }
    static int rk4(double T, double steps, double *y)
    {
        state x;
        std::copy(y, y + 2 * n, x.begin());
        ode::integrate_n_steps(ode::runge_kutta4<state>(), field, x, 0.0, T / steps, (size_t)steps);
        std::copy(x.begin(), x.end(), y);
        return 0;
    }
    static int rkn(double T, double steps, double *y) /* the force must not depend on the velocity */
    {
        std::pair<half, half> x;
        std::copy(y, y + n, x.first.begin());
        std::copy(y + n, y + 2 * n, x.second.begin());
        ode::integrate_n_steps(ode::symplectic_rkn_sb3a_mclachlan<half>(), force, x, 0.0, T / steps, (size_t)steps);
        std::copy(x.first.begin(), x.first.end(), y);
        std::copy(x.second.begin(), x.second.end(), y + n);
        return 0;
    }
};

typedef int solver(double T, double setting, double *y);
#define X(name, n, swings) motion<n, name>::METHOD,
#define METHOD dopri5
static solver *const dopri5s[] = { PROBLEMS(X) };
#undef METHOD
#define METHOD fehlberg78
static solver *const fehlberg78s[] = { PROBLEMS(X) };
#undef METHOD
#define METHOD bulirsch_stoer
static solver *const bulirsch_stoers[] = { PROBLEMS(X) };
#undef METHOD
#define METHOD rk4
static solver *const rk4s[] = { PROBLEMS(X) };
#undef METHOD
/* no velocity in the force: not the double pendulum, not the top */
static solver *const rkns[] = { motion<1, pendulum>::rkn, nullptr, nullptr, motion<18, solar_system>::rkn, motion<2, henon_heiles>::rkn,
                                motion<32, fput>::rkn, motion<2, kepler>::rkn };

static int dopri5(int k, double T, double x, double *y) { return dopri5s[k](T, x, y); }
static int fehlberg78(int k, double T, double x, double *y) { return fehlberg78s[k](T, x, y); }
static int bulirsch_stoer(int k, double T, double x, double *y) { return bulirsch_stoers[k](T, x, y); }
static int rk4(int k, double T, double x, double *y) { return rk4s[k](T, x, y); }
static int rkn(int k, double T, double x, double *y) { return rkns[k] ? rkns[k](T, x, y) : 1; }

extern "C" const peer odeint[] = { { "odeint rk4", rk4, 40, 1.5, 1 },
                                   { "odeint dopri5", dopri5, 1e-5, 0.31622776601683794, 0 },
                                   { "odeint fehlberg78", fehlberg78, 1e-5, 0.31622776601683794, 0 },
                                   { "odeint bulirsch_stoer", bulirsch_stoer, 1e-5, 0.31622776601683794, 0 },
                                   { "odeint sb3a_mclachlan", rkn, 40, 1.5, 1 },
                                   { nullptr, nullptr, 0, 0, 0 } };
#else
extern "C" const peer odeint[] = { { nullptr, nullptr, 0, 0, 0 } };
#endif
