/* Writes the residual R_m(a) and Jacobian dR_m/da_u of one step as C99 without loops.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * R_jm = sum_i b_i (l_im P_ij - h X_im F_ij) - w_m p_j.
 *
 * The coefficients of the method stand in the sums as numbers.  At low degree most of them are 0
 * or 1, which a compiler cannot use while they stand in tables. */
#include "codegen/emit_action.h"

#include "method/method_rounding.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Terms of the matrix; a matrix of more terms is written with loops. */
enum { TERMS_MOST = 4000 };

/* A sum c x + d y + .. + h * (e z + ..) that is being written, without the terms that are 0. */
typedef struct {
    noe_text   *t;      /* receives the text */
    const char *factor; /* of the group in parentheses, "": none */
    int         terms;  /* written in this group */
    int         groups; /* begun */
} sum;

static void close_group(sum *s, const char *next)
{
    if (s->terms && *s->factor) noe_text_add(s->t, ")");
    s->terms = 0;
    s->factor = next;
}

static void add(sum *s, quad c, const char *format, int i, int k)
{
    const double a = (double)c;
    char         x[40];
    if (fabsq(c) < COEFFICIENTS_EQUAL) return;
    snprintf(x, sizeof x, format, i, k);
    if (!s->terms++)
        noe_text_add(s->t, "%s%s%s%s", s->groups++ ? " + " : "", s->factor,
                     *s->factor ? " * (" : "", a < 0 ? "-" : "");
    else noe_text_add(s->t, a < 0 ? " - " : " + ");
    if (fabs(a) == 1) noe_text_add(s->t, "%s", x);
    else noe_text_add(s->t, "%.17g * %s", fabs(a), x);
}

static void end(sum *s)
{
    close_group(s, "");
    noe_text_add(s->t, s->groups ? ";\n" : "0;\n");
}

/* Q = q + h sum_m I_m a_m, V = sum_m l_m a_m. */
static void nodes(noe_text *t, const noe_method *f, int n)
{
    for (int i = 0; i < f->r; i++)
        for (int j = 0; j < n; j++) {
            sum q = { t, "", 0, 0 }, v = { t, "", 0, 0 };
            noe_text_add(t, "    y = ");
            for (int m = 0; m < f->s; m++)
                add(&q, noe_emit_action_round_to_grid(f->I[i][m]), "a[%d]", j * f->s + m, 0);
            end(&q);
            noe_text_add(t,
                         "    z[%d][%d] = x->q[%d] + ((x->dq[%d] + rest * y) + upper * y);\n"
                         "    z[%d][%d] = ",
                         i, j, j, j, i, n + j);
            for (int m = 0; m < f->s; m++) add(&v, f->l[i][m], "a[%d]", j * f->s + m, 0);
            end(&v);
        }
}

/* The weights multiply F and P, the other coefficients are those of the nodes: so the equations
 * are those of one discrete action with rounded coefficients, too.  As step/discrete_action.h. */
static void residuals(noe_text *t, const noe_method *f, int n)
{
    for (int i = 0; i < f->r; i++)
        noe_text_add(t, "    for (int j = 0; j < %d; j++) f[%d][j] *= %.17g;\n", 2 * n, i,
                     (double)f->b[i]);
    for (int j = 0; j < n; j++) {
        sum kick = { t, "", 0, 0 }, size = { t, "fabs(h)", 0, 1 };
        noe_text_add(t, "    y = ");
        for (int i = 0; i < f->r; i++) add(&kick, 1, "f[%d][%d]", i, j);
        end(&kick);
        noe_text_add(
            t, "    kick[%d] = rest * y + upper * y;\n    scale[%d] = fabs(x->p[%d]) + 1e-300", j,
            j, j);
        for (int i = 0; i < f->r; i++) add(&size, 1, "fabs(f[%d][%d])", i, j);
        close_group(&size, "");
        for (int i = 0; i < f->r; i++) add(&size, 1, "fabs(f[%d][%d])", i, n + j);
        end(&size);
        for (int m = 0; m < f->s; m++) {
            sum          P = { t, "", 0, 0 }, F = { t, "", 0, 0 };
            const double w = (double)f->w[m];
            noe_text_add(t, "    y = ");
            for (int i = 0; i < f->r; i++)
                add(&F, noe_emit_action_round_to_grid(f->X[i][m]), "f[%d][%d]", i, j);
            end(&F);
            noe_text_add(t, "    res[%d] = ", j * f->s + m);
            for (int i = 0; i < f->r; i++) add(&P, f->l[i][m], "f[%d][%d]", i, n + j);
            if (!P.terms) noe_text_add(t, "0");
            if (w == 1)
                noe_text_add(t, " - upper * y - x->p[%d] - (rest * y + x->dp[%d]);\n", j, j);
            else if (w != 0)
                noe_text_add(t,
                             " - upper * y - %.17g * x->p[%d] - (rest * y + %.17g * x->dp[%d]);\n",
                             w, j, w, j);
            else noe_text_add(t, " - upper * y - rest * y;\n");
        }
    }
}

/* The derivative of R_jm, or of the kick of coordinate j (m < 0), by a_ku. */
static void entry(noe_text *t, const noe_c_nodes *c, const noe_ex *D, const noe_method *f, int j,
                  int m, int k, int u)
{
    static const char *const power[] = { "", "h", "h * h" };
    const int n = c->model->n, N = 2 * n, Fq = j * N + k, Fv = Fq + n, Pq = (n + j) * N + k,
              Pv = Pq + n;
    sum s = { t, "", 0, 0 };
    for (int h = 0; h < 3; h++) {
        close_group(&s, power[h]);
        for (int i = 0; i < f->r; i++) {
            const quad b = f->b[i], I = f->I[i][u], l = f->l[i][u], lm = m < 0 ? 0 : f->l[i][m],
                       X = m < 0 ? -1 : f->X[i][m];
            if (h == 0 && !noe_c_code_zero(c, D[Pv])) add(&s, b * lm * l, "D[%d][%d]", i, Pv);
            if (h == 1 && !noe_c_code_zero(c, D[Pq])) add(&s, b * lm * I, "D[%d][%d]", i, Pq);
            if (h == 1 && !noe_c_code_zero(c, D[Fv])) add(&s, -b * X * l, "D[%d][%d]", i, Fv);
            if (h == 2 && !noe_c_code_zero(c, D[Fq])) add(&s, -b * X * I, "D[%d][%d]", i, Fq);
        }
    }
    end(&s);
}

static void evaluation(noe_text *t, const noe_method *f, const char *as, const char *function,
                       const char *more)
{
    for (int i = 0; i < f->r; i++) {
        const double c = (double)f->c[i];
        noe_text_add(t,
                     c == 0   ? "        %s_%s(t"
                     : c == 1 ? "        %s_%s(t + h"
                              : "        %s_%s(t + %.17g * h",
                     as, function, c);
        noe_text_add(t, ", z[%d], param, x->k, f[%d]", i, i);
        noe_text_add(t, more, i);
        noe_text_add(t, ");\n");
    }
}

/* The grid of on_grid() in engine/engine_coefficients.h, 2^-52: X = w - I holds exactly for the
 * rounded coefficients. */
quad noe_emit_action_round_to_grid(quad x)
{
    return (quad)DBL_EPSILON * rintq(x / (quad)DBL_EPSILON);
}

bool noe_emit_action_write(noe_text *t, const noe_c_nodes *c, const noe_ex *root,
                           const noe_method *f, const char *as)
{
    const int     n = c->model->n, N = 2 * n, s = f->s, M = n * s;
    const noe_ex *D = root + N;
    if (M * M * 4 * f->r > TERMS_MOST) return false;
    noe_text_add(
        t,
        "/* res_jm = sum_i b_i (l_im P_ij - h X_im F_ij) - w_m p_j at the modes a, kick_j = h\n"
        " * sum_i b_i F_ij, and scale_j, the size of the terms that cancel in res_j.  J = dres/da\n"
        " * and kick_slope = dkick/da unless J is NULL. */\n");
    noe_text_add(t,
                 "static void %s_residual(const %s_state *x, double h, const double *a,\n"
                 "                        const double *param, double *restrict res,\n"
                 "                        double *restrict kick, double *restrict scale,\n"
                 "                        double *restrict J, double *restrict kick_slope)\n{\n",
                 as, as);
    noe_text_add(t,
                 "    const double t = %s_time(x), upper = %s_upper(h), rest = h - upper;\n"
                 "    double       z[%d][%d], f[%d][%d], D[%d][%d], y;\n",
                 as, as, f->r, N, f->r, N, f->r, N * N);
    nodes(t, f, n);
    noe_text_add(t, "    if (J) {\n");
    evaluation(t, f, as, "slopes", ", D[%d]");
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int u = 0; u < s; u++) {
                for (int m = 0; m < s; m++) {
                    noe_text_add(t, "        J[%d] = ", (j * s + m) * M + k * s + u);
                    entry(t, c, D, f, j, m, k, u);
                }
                noe_text_add(t, "        kick_slope[%d] = ", j * M + k * s + u);
                entry(t, c, D, f, j, -1, k, u);
            }
    noe_text_add(t, "    } else {\n");
    evaluation(t, f, as, "terms", "");
    noe_text_add(t, "    }\n");
    residuals(t, f, n);
    noe_text_add(t, "}\n\n");
    return true;
}
