/* Standard errors: the roots of the diagonal of (A^T A)^-1, A_ik = (df_i/dx_k)/sigma_i.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The columns of A are made of length 1 and A V = U S by Jacobi's rotations of pairs of columns: a
 * small singular value S_k is a combination V_k of parameters that the data do not see.  What
 * stands at a bound has no error and counts as given. */
#include "fit/fit.h"

#include "base/status.h"
#include "number/dot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Singular values that are rounding: exact derivatives have 1e-14 of what they add up.  Chaotic
 * motions have 1e-9 and less, and sharp estimates all the same. */
static const double UNSEEN = 1e-12;
/* An error that is so many times what it is where all others are given, and so large a part of the
 * value, is told. */
static const double INFLATED = 100, VAGUE = 0.3;
/* A part of a combination that is worth a name; rotations end below `ORTHOGONAL`. */
static const double PART = 1e-3, ORTHOGONAL = 1e-15;
/* So near a bound, in parts of the width, a value stands at it. */
static const double AT_BOUND = 1e-5;
enum { SWEEPS = 60 };

typedef struct {
    int     count, data;        /* unknowns; numbers measured */
    double *A, *V, *S, *length; /* [count][data], [count][count], singular values, of columns */
    int    *unknown;            /* [count] index of each in the fit */
} decomposition;

static void rotate(double *a, double *b, int n, double c, double s)
{
    for (int i = 0; i < n; i++) {
        const double x = a[i], y = b[i];
        a[i] = c * x - s * y, b[i] = s * x + c * y;
    }
}

/* One-sided Jacobi: columns of A orthogonal, A V unchanged. */
static void decompose(decomposition *d)
{
    const size_t m = (size_t)d->data, n = (size_t)d->count;
    bool         turned = true;
    for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
        turned = false;
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                double      *a = d->A + p * m, *b = d->A + q * m;
                const double aa = noe_dot(a, a, d->data), bb = noe_dot(b, b, d->data),
                             ab = noe_dot(a, b, d->data);
                if (!(fabs(ab) > ORTHOGONAL * sqrt(aa * bb))) continue;
                const double z = (bb - aa) / (2 * ab),
                             t = (z < 0 ? -1 : 1) / (fabs(z) + sqrt(1 + z * z)),
                             c = 1 / sqrt(1 + t * t);
                rotate(a, b, d->data, c, c * t);
                rotate(d->V + p * n, d->V + q * n, d->count, c, c * t);
                turned = true;
            }
    }
    for (size_t k = 0; k < n; k++) d->S[k] = sqrt(noe_dot(d->A + k * m, d->A + k * m, d->data));
}

/* Is unknown i at one of its bounds? */
static bool bound(const noe_fit *s, int i)
{
    const double a = s->low[i], b = s->high[i], x = s->x[i];
    const double width = isfinite(a) && isfinite(b) ? b - a : 1;
    return x - a <= AT_BOUND * width || b - x <= AT_BOUND * width;
}

static void fill(noe_fit *s, decomposition *d)
{
    for (int i = 0; i < s->unknowns; i++) {
        if (s->at_bound[i]) continue;
        double *a = d->A + (size_t)d->count * (size_t)s->data;
        for (int j = 0; j < s->data; j++)
            a[j] = s->J[(size_t)i * (size_t)s->data + (size_t)j]
                 / s->compared[s->datum[j].column].sigma;
        const double length = sqrt(noe_dot(a, a, s->data));
        if (!(length > 0)) {
            noe_status_append(s->undetermined, sizeof s->undetermined,
                              "%s%.60s has no influence on the data", *s->undetermined ? "; " : "",
                              s->name[i]);
            continue;
        }
        for (int j = 0; j < s->data; j++) a[j] /= length;
        d->length[d->count] = length;
        d->unknown[d->count++] = i;
    }
    for (int k = 0; k < d->count; k++) d->V[k * d->count + k] = 1;
}

/* "l (by 1 %) with g (by -0.5 %)": the change of the parameters that combination k is. */
static void name_combination(const noe_fit *s, const decomposition *d, int k, char *to, size_t size)
{
    const int     n = d->count;
    const double *v = d->V + k * n;
    double        most = 0, change[n];
    bool          relative = true;
    for (int j = 0; j < n; j++)
        if (fabs(v[j]) > PART && s->x[d->unknown[j]] == 0) relative = false;
    for (int j = 0; j < n; j++) {
        change[j] = v[j] / d->length[j] / (relative ? s->x[d->unknown[j]] : 1);
        if (fabs(v[j]) > PART && fabs(change[j]) > fabs(most)) most = change[j];
    }
    *to = 0;
    for (int j = 0; j < n; j++)
        if (fabs(v[j]) > PART && fabs(change[j] / most) > PART)
            noe_status_append(to, size, "%s%.60s by %.3g%s", *to ? ", " : "",
                              s->name[d->unknown[j]], change[j] / most, relative ? " %" : "");
}

static bool is_parameter(const noe_fit *s, int i)
{
    int k = 0;
    while (k + 1 < s->varieds && s->varied[k + 1].first <= i) k++;
    return s->varied[k].by.kind == NOE_BY_PARAMETER;
}

/* Tells of parameters whose errors are large because others are not known: what is seen least. */
static void tell_vague(noe_fit *s, const decomposition *d, double best)
{
    int  least = -1;
    bool vague = false;
    char text[300];
    for (int a = 0; a < d->count; a++) {
        const int i = d->unknown[a];
        vague |= is_parameter(s, i) && s->error[i] * d->length[a] > INFLATED
              && s->error[i] > VAGUE * fabs(s->x[i]);
        if (d->S[a] > UNSEEN * best && (least < 0 || d->S[a] < d->S[least])) least = a;
    }
    if (!vague) return;
    name_combination(s, d, least, text, sizeof text);
    noe_text_add(&s->notes, "the data hardly tell apart what changes %s\n", text);
}

/* Errors and correlations from the combinations that are seen. */
static void spread(noe_fit *s, const decomposition *d, double best, double *C)
{
    const int n = d->count;
    char      text[300];
    bool      unseen[n + 1];
    memset(unseen, 0, sizeof unseen);
    for (int k = 0; k < n; k++) {
        const double *v = d->V + k * n;
        if (d->S[k] > UNSEEN * best) {
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++)
                    C[a * n + b] += v[a] * v[b] / (d->length[a] * d->length[b] * d->S[k] * d->S[k]);
            continue;
        }
        name_combination(s, d, k, text, sizeof text);
        noe_status_append(
            s->undetermined, sizeof s->undetermined,
            "%sthe data cannot tell apart: %s together change nothing that is measured",
            *s->undetermined ? "; " : "", text);
        for (int j = 0; j < n; j++) unseen[j] |= fabs(v[j]) > PART;
    }
    for (int a = 0; a < n; a++) {
        const int i = d->unknown[a];
        if (unseen[a]) continue;
        s->error[i] = sqrt(C[a * n + a]);
        for (int b = 0; b < n; b++)
            if (!unseen[b])
                s->correlation[i * s->unknowns + d->unknown[b]] =
                    a == b ? 1 : C[a * n + b] / sqrt(C[a * n + a] * C[b * n + b]);
    }
}

/* The t of Student for 95 % of the probability about 0: exact for few degrees of freedom, beyond
 * them the expansion in 1/freedom (Abramowitz, Stegun, 26.7.5). */
static double student(double freedom)
{
    static const double few[] = { 12.70620, 4.302653, 3.182446, 2.776445 };
    const double        z = 1.959963984540054, z2 = z * z;
    if (freedom < 1) return NAN;
    if (freedom < 5) return few[(int)freedom - 1];
    const double a = (z2 + 1) * z / 4, b = ((5 * z2 + 16) * z2 + 3) * z / 96,
                 c = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
    return z + (a + (b + c / freedom) / freedom) / freedom;
}

bool noe_standard_errors_find(noe_fit *s)
{
    const size_t  u = (size_t)s->unknowns, m = (size_t)s->data;
    double       *all = noe_status_alloc(u * m + 2 * u * u + 2 * u, sizeof *all);
    int          *unknown = noe_status_alloc(u, sizeof *unknown);
    bool          known = true;
    decomposition d = { .data = s->data, .A = all, .unknown = unknown };
    if (!all || !unknown) return free(all), free(unknown), false;
    d.V = all + u * m, d.S = d.V + 2 * u * u, d.length = d.S + u;
    double *const C = d.V + u * u; /* [u][u] covariances */
    *s->undetermined = 0;
    for (int i = 0; i < s->unknowns; i++) s->error[i] = NAN, s->at_bound[i] = bound(s, i);
    for (size_t i = 0; i < u * u; i++) s->correlation[i] = NAN;
    fill(s, &d);
    decompose(&d);
    double best = 0;
    for (int k = 0; k < d.count; k++) best = fmax(best, d.S[k]);
    spread(s, &d, best, C);
    tell_vague(s, &d, best);
    for (int c = 0; c < s->compareds; c++) known &= s->compared[c].known;
    s->freedom = s->data - s->unknowns;
    s->quantile = known ? 1.959963984540054 : student(s->freedom);
    free(all);
    free(unknown);
    return true;
}
