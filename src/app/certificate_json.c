/* The certificate of a system as JSON: doc/certificate.md.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "app/certificate.h"
#include "base/json.h"

#include <math.h>

static void member(FILE *to, const char *name, const char *value, bool last)
{
    fprintf(to, "\"%s\": ", name);
    noe_json_text(to, value, NULL);
    if (!last) fprintf(to, ", ");
}

static void numeral(FILE *to, const char *name, double x)
{
    if (isfinite(x)) fprintf(to, "\"%s\": %.17g, ", name, x);
    else fprintf(to, "\"%s\": null, ", name);
}

void noe_certificate_json_laws(const noe_certificate *c, FILE *to)
{
    fprintf(to, "\"laws\": [");
    for (int i = 0; i < c->laws.count; i++) {
        const noe_law *x = &c->laws.law[i];
        fprintf(to, "%s\n  {", i ? "," : "");
        member(to, "name", x->name, false);
        member(to, "verdict", noe_certificate_verdict(x), false);
        numeral(to, "value", x->value);
        numeral(to, "bound", x->bound);
        member(to, "what", x->what, true);
        fprintf(to, "}");
    }
    fprintf(to, "],\n \"left out\": ");
    noe_json_text(to, *c->laws.left ? c->laws.left : NULL, NULL);
    fprintf(to, ",\n \"holds\": %s", c->holds && !*c->laws.left ? "true" : "false");
}

void noe_certificate_json_print(const noe_certificate *c, FILE *to)
{
    fprintf(to, "{");
    member(to, "noether", NOE_VERSION, false);
    member(to, "system", c->system->source, false);
    member(to, "method", noe_method_name(c->method), false);
    numeral(to, "step", (double)c->step);
    const noe_model *m = c->system->model;
    fprintf(to, "\"events_not_heeded\": [");
    for (int i = 0, n = 0; m && i < m->events; i++)
        if (m->event[i].stop || m->event[i].then)
            fputs(n++ ? ", " : "", to), noe_json_text(to, m->event[i].name, NULL);
    fprintf(to, "],\n \"structure\": ");
    noe_properties_json(c->structure, to);
    fprintf(to, ",\n ");
    if (c->symmetries) {
        char searched[256];
        snprintf(searched, sizeof searched, "%s%s%s", noe_certificate_level(c->symmetries),
                 c->symmetries->note[0] ? "; " : "", c->symmetries->note);
        member(to, "searched", searched, false);
    }
    fprintf(to, "\"symmetries\": [");
    for (int i = 0; c->symmetries && i < c->symmetries->count; i++) {
        const noe_symmetry *y = &c->symmetries->found[i];
        fprintf(to, "%s\n  {", i ? "," : "");
        member(to, "name", y->kind == NOE_ENERGY ? "energy" : y->name, false);
        member(to, "what", y->what, false);
        member(to, "momentum", y->momentum, false);
        member(to, "verdict", noe_certificate_exactness(y), false);
        numeral(to, "residual", y->residual);
        fprintf(to, "\"declared\": %s, ", y->declared ? "true" : "false");
        fprintf(to, "\"strict\": %s, \"forced\": %s, \"follows\": %s}",
                y->strict ? "true" : "false", y->forced_along ? "true" : "false",
                y->depends ? "true" : "false");
    }
    fprintf(to, "],\n ");
    if (c->symmetries) {
        fprintf(to, "\"near\": {\"rejected\": %d, ", c->symmetries->near);
        if (c->symmetries->near) fprintf(to, "\"nearest\": %.17g},\n ", c->symmetries->nearest);
        else fprintf(to, "\"nearest\": null},\n ");
    }
    noe_certificate_json_laws(c, to);
    fprintf(to, "}\n");
}
