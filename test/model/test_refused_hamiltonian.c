/* What a Hamiltonian may not be, and beside what it may not stand: each with its place and message.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "refusal.h"

#define X "coordinate x\n"
#define XY "coordinate x, y\n"

static const refusal refusals[] = {
    /* beside a Lagrangian */
    { X "hamiltonian p(x)^2/2\npotential x^2",
      3,
      11,
      { "the model has a Hamiltonian, in line 2", "in place of kinetic, potential" } },
    { X "kinetic x'^2\nhamiltonian x^2", 3, 13, { "the model has a Lagrangian" } },
    { X "body b: mass = 1, inertia = (1, 1, 1)\nhamiltonian p(x)^2/2",
      3,
      13,
      { "the model has rigid bodies" } },
    /* what it contains */
    { X "hamiltonian p(x)*x'", 2, 13, { "no velocities: write p(x) in place of x'" } },
    { X "hamiltonian p(x)^2 + energy", 2, 22, { "'energy' has a meaning only in" } },
    { X "hamiltonian x^2", 2, 13, { "does not contain the momentum p(x)" } },
    { XY "hamiltonian p(x)^2 + y^2", 2, 13, { "does not contain the momentum p(y)" } },
    { X "hamiltonian", 2, 12, { "expected" } },
    { X "hamiltonian p(y)^2", 2, 15, { "unknown name 'y'" } },
    { X "hamiltonian p(x)^2/0", 2, 13, { "a constant in this expression is not finite" } },
    { "hamiltonian t", 1, 14, { "no coordinate is declared" } },
    /* singular */
    { X "hamiltonian 3*p(x)", 2, 13, { "singular in the momentum p(x)", "has no inverse" } },
    { XY "hamiltonian (p(x) + p(y))^2", 2, 13, { "singular in the momentum p(" } },
    { XY "hamiltonian p(x)^2/2 + y*p(y)", 2, 13, { "singular in the momentum p(y)" } },
    { XY "hamiltonian sqrt(p(x)^2 + p(y)^2)", 2, 13, { "singular in the momentum p(" } },
    { X "a = p(x)\nb = 2*a\nhamiltonian a*b - 2*a^2 + a*x",
      4,
      13,
      { "singular in the momentum p(x)" } },
    /* not solved */
    { X "hamiltonian abs(p(x))*p(x)", 2, 13, { "a kink or jump in a momentum" } },
    { X "hamiltonian if(p(x) < 0, p(x)^2, 2*p(x)^2)", 2, 13, { "a kink or jump in a momentum" } },
    { X "hamiltonian p(x)^4/4", 2, 13, { "not solved for the momenta of the start" } },
    { X "hamiltonian p(x)^2/2 - p(x)^4/4\nstart p(x) = 1",
      2,
      13,
      { "not solved for the momenta of the start", "finds none or others" } },
    { X "hamiltonian log(p(x))", 2, 13, { "not solved for the momenta of the start" } },
    /* where momenta have no meaning */
    { X "kinetic x'^2\npotential p(x)",
      3,
      11,
      { "only in start, observe, event and hamiltonian" } },
    { X "a = p(x)\nkinetic a*x'", 3, 9, { "'a' contains momenta or the energy" } },
    { X "a = energy\nkinetic x'^2", 2, 5, { "'energy' has a meaning only" } },
    { X "a = p(x)\nb = a'\nhamiltonian a^2",
      3,
      6,
      { "the prime of something that contains momenta" } },
    { X "parameter a = p(x)\nhamiltonian p(x)^2", 2, 15, { "momenta p(..) have a meaning" } },
};

int main(void) { return refusals_main(refusals, sizeof refusals / sizeof *refusals); }
