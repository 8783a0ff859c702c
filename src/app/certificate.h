/* The certificate of a system: its properties, its conserved momenta, the laws and their verdicts.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_APP_CERTIFICATE_H
#define NOE_APP_CERTIFICATE_H

#include "base/json.h"
#include "certify/laws.h"
#include "inspect/properties.h"

typedef struct {
    const noe_system *system;
    noe_system *written; /* the system with all sums written out, owned; NULL: it has no sums */
    const noe_method *method;
    quad              step;       /* in units of t */
    int               order;      /* order of the method on this system */
    noe_properties   *properties; /* owned; NULL: a finite-element structure */
    noe_symmetries   *symmetries; /* owned; NULL: functions in C, or a structure */
    noe_laws          laws;
    bool              holds; /* every promised law holds */
} noe_certificate;

/* within: CPU seconds after which no further law is begun; one that has begun is finished; 0: no
 * limit.  False with a message. */
bool noe_certificate_make(noe_certificate *, const noe_system *, const noe_method *, quad step,
                          double within);
void noe_certificate_print(const noe_certificate *, FILE *);
void noe_certificate_drop(noe_certificate *);

/* certificate_json.c: the certificate as one object of JSON; its last members alone, "laws",
 * "left out" and "holds". */
void noe_certificate_json_print(const noe_certificate *, FILE *);
void noe_certificate_json_laws(const noe_certificate *, noe_json *);

/* What certificates say, as text and in JSON. */
static inline const char *noe_certificate_level(const noe_symmetries *s)
{
    static const char *const name[] = { "strict affine", "affine, up to a total derivative",
                                        "affine, up to a total derivative, with time" };
    return name[s->level];
}
static inline const char *noe_certificate_exactness(const noe_symmetry *y)
{
    static const char *const name[] = { "exact", "holds to the rounding of the constants" };
    return name[y->verdict];
}
static inline const char *noe_certificate_verdict(const noe_law *x)
{
    static const char *const name[] = { "holds",          "FAILS", "expected failure",
                                        "does not apply", "told",  "not measurable" };
    return name[x->verdict];
}

#endif
