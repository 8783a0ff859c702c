/* Saboteurs of constrained steps: the certificate must see each of them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * This program has an engine of its own for all precisions, that of binary128 with a step that is
 * wrong on purpose:
 *   PROJECTION    the projection of the momenta at the end of the step is left out
 *   SHARED        the multiplier at the end of a step is also that at the beginning of the next
 *   GAUSS_NODES   positions are constrained at the nodes of Gauss, not at those of Lobatto
 *   TURNED        the forces of constraints are not along G', by a millionth
 */
#define NOE_REAL NOE_QUAD
#include "engine/engine_instance.h"

#include "app/certificate.h"
#include "laws.h"

enum { SOUND, PROJECTION, SHARED, GAUSS_NODES, TURNED, SABOTEURS };
static const char *const name[] = { "sound", "no projection", "shared multipliers", "Gauss nodes",
                                    "turned forces" };
static int               saboteur;

/* p <- p + share G^T x, G at the end of the last step. */
static void push(work *w, real share, const real *x)
{
    real force[DOFS] = { 0 };
    add_constraint_force(w, w->constraint.end_value, x, force);
    for (int j = 0; j < w->n; j++) w->state.p[j] += share * force[j];
    w->state.v_known = false;
}

/* The impulses at the beginning of the next step, for the momenta before their projection. */
static void next_impulses(work *w, real *to)
{
    const size_t bytes = w->state.numbers * sizeof(real);
    void        *kept = malloc(bytes);
    const real   h = *w->state.h;
    assert_non_null(kept);
    memcpy(kept, w->state.memory, bytes);
    step_work(w);
    for (int a = 0; a < w->constraint.count; a++)
        to[a] = h * w->constraint.weight[0] * w->constraint.lambda[a];
    memcpy((void *)w->state.memory, kept, bytes);
    w->state.v_known = false;
    free(kept);
}

static unsigned wrong_step(void *self)
{
    work          *w = self;
    const unsigned failed = step_work(self);
    const int      m = w->constraint.count;
    if (failed || saboteur == SOUND || saboteur == GAUSS_NODES) return failed;
    if (saboteur == TURNED) {
        for (int j = 0; j < w->n; j++)
            w->state.p[j] += (num)1e-6 * *w->state.h * w->state.q[(j + 1) % w->n];
        w->state.v_known = false;
        return failed;
    }
    real mu[DOFS], next[DOFS];
    memcpy(mu, w->constraint.mu, (size_t)m * sizeof *mu);
    push(w, -1, mu);
    if (saboteur == SHARED) {
        /* G at the end is overwritten by the trial step */
        real *const at = w->constraint.end_value, G[8 * DOFS];
        memcpy(G, at, (size_t)w->constraint.outputs * sizeof *G);
        next_impulses(w, next);
        memcpy(at, G, (size_t)w->constraint.outputs * sizeof *G);
        push(w, (num)0.5, next);
    }
    return failed;
}

/* Nodes of Gauss in the place of those of Lobatto behind the first. */
static void *wrong_make(const noe_dynamics *d, const noe_method *f)
{
    work *w = make_work(d, f);
    quad  x[NOE_MAX_DEGREE], b[NOE_MAX_DEGREE], y[NOE_MAX_DEGREE], share[NOE_MAX_DEGREE];
    if (!w || saboteur != GAUSS_NODES || !w->constraint.count) return w;
    w->constraint.at_nodes = false;
    noe_quadrature_gauss(w->s, x, b), noe_quadrature_gauss(w->s, y, share);
    for (int k = 1; k <= w->s; k++) {
        w->constraint.node[k] = x[k - 1];
        for (int m = 0; m < w->s; m++) {
            quad I = 0;
            for (int i = 0; i < w->s; i++)
                I += x[k - 1] * share[i] * at_point(f, m, x[k - 1] * y[i]);
            w->constraint.I[k * w->s + m] = w->constraint.I_row[m * row_size(w->s) + k] = I;
            w->constraint.X[k * w->s + m] = f->w[m] - I;
        }
    }
    return w;
}

static noe_engine wrong = INSTANCE;

const noe_engine *noe_engine_quad(void)
{
    wrong.step = wrong_step, wrong.make = wrong_make;
    return &wrong;
}
const noe_engine *noe_engine_double(void) { return noe_engine_quad(); }
const noe_engine *noe_engine_lanes(void) { return noe_engine_quad(); }
int               noe_engine_instruction_set(void) { return 0; }

static noe_law_verdict verdict(const noe_certificate *c, const char *law)
{
    for (int i = 0; i < c->laws.count; i++)
        if (!strcmp(c->laws.law[i].name, law)) return c->laws.law[i].verdict;
    return NOE_DOES_NOT_APPLY;
}

static void test_saboteurs(void **unused)
{
    (void)unused;
    static const char *const broken[] = { NULL, "hidden constraints", "hidden constraints",
                                          "constraints", "symplectic" };
    char                     text[600];
    const double             turn = 3 * random_number();
    const bool               redundant = bits() % 2;
    snprintf(text, sizeof text,
             "coordinate x, y, z\nkinetic (x'^2 + 2*y'^2 + z'^2)/2 + 0.2*y*x'^2\n"
             "potential 3*y + z^2/4\nconstraint ball: sqrt(x^2 + y^2 + z^2) = 1\n"
             "start x = cos(%.17g), y = sin(%.17g), z' = %.17g, x' = %.17g\n%s",
             turn, turn, random_number(), random_number(),
             redundant ? "constraint again: x^2 + y^2 + z^2 = 1\n" : "");
    noe_system *s = parse(text);
    for (saboteur = 0; saboteur < SABOTEURS; saboteur++) {
        noe_method     *m = method("simpson");
        noe_certificate c;
        noe_error_clear();
        const bool made = noe_certificate_make(&c, s, m, 0.05, 0);
        if (!made) fail_msg("%s: %s", name[saboteur], noe_error());
        for (int i = 0; i < c.laws.count; i++)
            if (getenv("NOE_TELL") || (saboteur == SOUND && c.laws.law[i].verdict == NOE_FAILS))
                printf("%-18s %-20s %d %9.2e %9.2e\n", name[saboteur], c.laws.law[i].name,
                       c.laws.law[i].verdict, c.laws.law[i].value, c.laws.law[i].bound);
        if (c.holds != (saboteur == SOUND)) fail_msg("%s: passed\n%s", name[saboteur], text);
        /* Steps themselves refuse to leave a constraint that follows from the others. */
        if (redundant && saboteur == GAUSS_NODES) assert_int_equal(verdict(&c, "run"), NOE_FAILS);
        else if (broken[saboteur] && verdict(&c, broken[saboteur]) != NOE_FAILS)
            fail_msg("%s: the law '%s' does not see it\n%s", name[saboteur], broken[saboteur],
                     text);
        noe_certificate_drop(&c);
        noe_method_free(m);
    }
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_saboteurs) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
