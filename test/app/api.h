/* Where programs begin: models, messages, an integrator with its system and method.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef API_H
#define API_H

#include "noether.h"
#include "scratch.h"

static UNUSED const char kepler[] = "parameter  mu = 1, e = 0.5, b = sqrt(1 - e^2)\n"
                                    "coordinate x, y\n"
                                    "r = sqrt(x^2 + y^2)\n"
                                    "kinetic    (x'^2 + y'^2)/2\n"
                                    "potential  -mu/r\n"
                                    "start      x = 1 - e, y' = sqrt(mu*(1 + e)/(1 - e))\n"
                                    "observe    L = x*p(y) - y*p(x), axis = -mu/(2*energy)\n"
                                    "suggest    method = \"gauss 4\", step = 2*pi/100\n";

static UNUSED const char fall[] = "coordinate x\nkinetic x'^2/2\npotential -1/x\nstart x = 1\n";

static UNUSED void no_error(void)
{
    if (noe_error()) fail_msg("%s", noe_error());
}

/* There is a message and it contains `text`; it is cleared. */
#define says(text) says_at(text, __LINE__)

static UNUSED void says_at(const char *text, int line)
{
    if (!noe_error()) fail_msg("line %d: no message; expected '%s'", line, text);
    if (!strstr(noe_error(), text))
        fail_msg("line %d: '%s' instead of '%s'", line, noe_error(), text);
    noe_error_clear();
}

/* A system, a method and an integrator. */
typedef struct {
    noe_system     *s;
    noe_method     *f;
    noe_integrator *g;
} orbit;

static UNUSED orbit begin(const char *text, const char *method, double step)
{
    noe_error_clear();
    orbit o = { .s = noe_system_parse(text), .f = noe_method_parse(method) };
    o.g = noe_integrator_new(o.s, o.f, step);
    no_error();
    assert_non_null(o.g);
    return o;
}

static UNUSED void end(orbit o)
{
    noe_integrator_free(o.g);
    noe_method_free(o.f);
    noe_system_free(o.s);
}

#endif
