/* The certificate of a system as JSON: doc/certificate.md.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "app/certificate.h"

#include <math.h>

static void put_law(noe_json *j, const noe_law *x)
{
    noe_json_open(j, NULL, '{');
    noe_json_text(j, "name", x->name);
    noe_json_text(j, "verdict", noe_certificate_verdict(x));
    noe_json_double(j, "value", x->value);
    noe_json_double(j, "bound", x->bound);
    noe_json_text(j, "what", x->what);
    noe_json_close(j);
}

void noe_certificate_json_laws(const noe_certificate *c, noe_json *j)
{
    noe_json_open(j, "laws", '[');
    for (int i = 0; i < c->laws.count; i++) put_law(j, &c->laws.law[i]);
    noe_json_close(j);
    noe_json_text(j, "left out", *c->laws.left ? c->laws.left : NULL);
    noe_json_bool(j, "holds", c->holds && !*c->laws.left);
}

static void put_events(noe_json *j, const noe_model *m)
{
    noe_json_open(j, "events_not_heeded", '[');
    for (int i = 0; m && i < m->events; i++)
        if (m->event[i].stop || m->event[i].then) noe_json_text(j, NULL, m->event[i].name);
    noe_json_close(j);
}

static void put_symmetry(noe_json *j, const noe_symmetry *y)
{
    noe_json_open(j, NULL, '{');
    noe_json_text(j, "name", y->kind == NOE_ENERGY ? "energy" : y->name);
    noe_json_text(j, "what", y->what);
    noe_json_text(j, "momentum", y->momentum);
    noe_json_text(j, "verdict", noe_certificate_exactness(y));
    noe_json_double(j, "residual", y->residual);
    noe_json_bool(j, "declared", y->declared);
    noe_json_bool(j, "strict", y->strict);
    noe_json_bool(j, "forced", y->forced_along);
    noe_json_bool(j, "follows", y->depends);
    noe_json_close(j);
}

static void put_symmetries(noe_json *j, const noe_symmetries *s)
{
    if (s) {
        char searched[256];
        snprintf(searched, sizeof searched, "%s%s%s", noe_certificate_level(s),
                 s->note[0] ? "; " : "", s->note);
        noe_json_text(j, "searched", searched);
    }
    noe_json_open(j, "symmetries", '[');
    for (int i = 0; s && i < s->count; i++) put_symmetry(j, &s->found[i]);
    noe_json_close(j);
    if (!s) return;
    noe_json_open(j, "near", '{');
    noe_json_integer(j, "rejected", s->near);
    noe_json_double(j, "nearest", s->near ? s->nearest : NAN);
    noe_json_close(j);
}

void noe_certificate_json_print(const noe_certificate *c, FILE *to)
{
    noe_json j = { .file = to };
    noe_json_open(&j, NULL, '{');
    noe_json_text(&j, "noether", NOE_VERSION);
    noe_json_text(&j, "system", c->system->source);
    noe_json_text(&j, "method", noe_method_name(c->method));
    noe_json_double(&j, "step", (double)c->step);
    put_events(&j, c->system->model);
    noe_properties_json(c->properties, &j, "structure");
    put_symmetries(&j, c->symmetries);
    noe_certificate_json_laws(c, &j);
    noe_json_close(&j);
}
