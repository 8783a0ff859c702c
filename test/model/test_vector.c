/* vectors: r = (r.x, r.y, r.z), a + k b, dot, cross, norm, primes = what components say.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expressions.h"

/* ---- values ---- */

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double      value;
    } table[] = {
        { "(1, 2, 3).y", 2 },
        { "((1, 2, 3)).x", 1 },
        { "(1,\n 2, # a comment\n 3).z", 3 },
        { "dot((1, 2, 3), (4, 5, 6))", 32 },
        { "dot((1, 2, 3), (1, 2, 3))", 14 },
        { "norm((2, 3, 6))", 7 },
        { "cross((1, 2, 3), (4, 5, 6)).x", -3 },
        { "cross((1, 2, 3), (4, 5, 6)).y", 6 },
        { "cross((1, 2, 3), (4, 5, 6)).z", -3 },
        { "cross((1, 0, 0), (0, 1, 0)).z", 1 },
        { "dot(cross((1, 2, 3), (4, 5, 6)), (1, 2, 3))", 0 },
        { "(2*(1, 2, 3) + (1, 1, 1)/2 - -(0, 0, 4)).z", 10.5 },
        { "((1, 2, 3)*2 - (1, 1, 1)).x", 1 },
        { "(-(1, 2, 3)*2).y", -4 },
        { "dot(-(1, 2, 3), +(1, 1, 1))", -6 },
        { "dot((1, 2, 3), (1, 2, 3))^2", 196 },
        { "2^norm((0, 3, 0))", 8 },
        { "if(1 < 2, (1, 2, 3), (4, 5, 6)).z", 3 },
        { "if(dot((1, 0, 0), (0, 1, 0)) > 0, (1, 2, 3), (4, 5, 6)).z", 6 },
        { "(sum(i in 1..3) i*(1, i, i^2)).z", 36 },
        { "norm(sum(i in 1..3) (i, 0, 0))", 6 },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (value(table[i].text) != table[i].value)
            fail_msg("%s = %g, not %g", table[i].text, (double)value(table[i].text),
                     table[i].value);
}

/* ---- a random Lagrangian of vectors, and the same by components ---- */

typedef struct {
    writing text,
        by; /* the expression; a definition of a number for every component, in its order */
    int names;
} two_texts;
typedef struct {
    char c[3][12]; /* names of the components in `by` */
} operand;

/* by: a new name for component c of what a form of operands says, "%a" and "%b" being their
 * components. */
static void define(two_texts *w, operand *to, int c, const char *right)
{
    char line[200];
    snprintf(to->c[c], sizeof to->c[c], "d%d", w->names++);
    snprintf(line, sizeof line, "%s = %s\n", to->c[c], right);
    write_text(&w->by, line);
}

static operand scalar(two_texts *, int depth);

static operand vector_leaf(two_texts *w)
{
    static const char *const name[] = { "r", "s", "u" };
    operand                  to;
    char                     right[80];
    const int                k = below(4);
    if (k == 3) {
        write_text(&w->text, "(");
        for (int c = 0; c < 3; c++) {
            snprintf(right, sizeof right, "%d.%d", below(3), 1 + below(9));
            write_text(&w->text, right);
            write_text(&w->text, c < 2 ? ", " : ")");
            define(w, &to, c, right);
        }
        return to;
    }
    const char *prime = below(2) ? "'" : "";
    write_text(&w->text, name[k]);
    write_text(&w->text, prime);
    for (int c = 0; c < 3; c++) {
        snprintf(right, sizeof right, "%s%c%s", name[k], "xyz"[c], prime);
        define(w, &to, c, right);
    }
    return to;
}

static operand vector(two_texts *w, int depth)
{
    operand a, b, to;
    char    right[100];
    if (!depth) return vector_leaf(w);
    const int form = below(8);
    write_text(&w->text, form == 5 ? "cross(" : form == 2 ? "-(" : "(");
    if (form == 6) {
        for (int c = 0; c < 3; c++) {
            a = scalar(w, depth - 1);
            memcpy(to.c[c], a.c[0], sizeof a.c[0]);
            write_text(&w->text, c < 2 ? ", " : ")");
        }
        return to;
    }
    a = form == 3 ? scalar(w, depth - 1) : vector(w, depth - 1);
    static const char *const sign[] = { " + ", " - ", "", ")*(", ")/(", ", ", "", ")*(" };
    write_text(&w->text, sign[form]);
    if (form == 2) b = a;
    else b = form == 4 || form == 7 ? scalar(w, depth - 1) : vector(w, depth - 1);
    write_text(&w->text, form == 4 ? " + 2)" : ")");
    char divisor[32];
    if (form == 4) { /* its nodes come before those of the quotients */
        snprintf(right, sizeof right, "%s + 2", b.c[0]);
        define(w, &to, 0, right);
        memcpy(divisor, to.c[0], sizeof to.c[0]);
    }
    for (int c = 0; c < 3; c++) {
        const int i = (c + 1) % 3, j = (c + 2) % 3;
        switch (form) {
        case 0: snprintf(right, sizeof right, "%s + %s", a.c[c], b.c[c]); break;
        case 1: snprintf(right, sizeof right, "%s - %s", a.c[c], b.c[c]); break;
        case 2: snprintf(right, sizeof right, "-%s", a.c[c]); break;
        case 3: snprintf(right, sizeof right, "%s*%s", a.c[0], b.c[c]); break;
        case 4: snprintf(right, sizeof right, "%s/%s", a.c[c], divisor); break;
        case 5:
            snprintf(right, sizeof right, "%s*%s - %s*%s", a.c[i], b.c[j], a.c[j], b.c[i]);
            break;
        default: snprintf(right, sizeof right, "%s*%s", a.c[c], b.c[0]);
        }
        define(w, &to, c, right);
    }
    return to;
}

static operand scalar(two_texts *w, int depth)
{
    operand a, b, to;
    char    right[100];
    if (!depth) {
        static const char *const leaf[] = { "k", "r.y", "t", "s.z'", "0.5" }, *const by[] = {
            "k", "ry", "t", "sz'", "0.5"
        };
        const int i = below(5);
        write_text(&w->text, leaf[i]);
        define(w, &to, 0, by[i]);
        return to;
    }
    const int form = below(4);
    if (form == 0) { /* a number of its own: the two vectors are never the same */
        snprintf(right, sizeof right, "10.%d", w->names);
        write_text(&w->text, "dot(");
        a = vector(w, depth - 1);
        write_text(&w->text, ", ");
        b = vector(w, depth - 1);
        write_text(&w->text, " + (");
        write_text(&w->text, right);
        write_text(&w->text, ", 11, 12))");
        operand n, more;
        define(w, &n, 0, right), define(w, &n, 1, "11"), define(w, &n, 2, "12");
        for (int c = 0; c < 3; c++) {
            snprintf(right, sizeof right, "%s + %s", b.c[c], n.c[c]);
            define(w, &more, c, right);
        }
        snprintf(right, sizeof right, "%s*%s + %s*%s + %s*%s", a.c[0], more.c[0], a.c[1], more.c[1],
                 a.c[2], more.c[2]);
    } else if (form < 3) {
        write_text(&w->text, form == 1 ? "norm(" : "sin(");
        if (form == 1) {
            a = vector(w, depth - 1);
            snprintf(right, sizeof right, "sqrt(%s^2 + %s^2 + %s^2)", a.c[0], a.c[1], a.c[2]);
        } else {
            a = scalar(w, depth - 1);
            snprintf(right, sizeof right, "sin(%s)", a.c[0]);
        }
        write_text(&w->text, ")");
    } else {
        write_text(&w->text, "(");
        a = scalar(w, depth - 1);
        write_text(&w->text, ")*(");
        b = scalar(w, depth - 1);
        write_text(&w->text, ")");
        snprintf(right, sizeof right, "%s*%s", a.c[0], b.c[0]);
    }
    define(w, &to, 0, right);
    return to;
}

/* The two texts give the same graph: the same numbers for all functions of the state, in every
 * bit. */
static void same(const noe_model *a, const noe_model *b, const char *text)
{
    if (a->L != b->L || a->graph.count != b->graph.count || a->n != b->n)
        fail_msg("%d nodes, L is %d, against %d and %d:\n%s", a->graph.count, a->L, b->graph.count,
                 b->L, text);
    for (int i = 0; i < a->graph.count; i++) {
        const noe_node x = a->graph.node[i], y = b->graph.node[i];
        if (x.op != y.op || x.a != y.a || x.b != y.b || x.c != y.c || x.value != y.value)
            fail_msg("node %d differs:\n%s", i, text);
    }
}

static void test_components(void **state)
{
    (void)state;
    for (int k = 0; k < 300; k++) {
        two_texts     w = { 0 };
        writing       whole = { 0 }, by = { 0 };
        const operand L = scalar(&w, 1 + below(5));
        write_text(
            &whole,
            "parameter k = 0.7\ncoordinate vector r, s\n"
            "u = cross(r, (0, t, 1))\nkinetic dot(r', r')/2\nkinetic dot(s', s')\npotential ");
        write_text(&whole, w.text.text);
        write_text(
            &by,
            "parameter k = 0.7\ncoordinate rx, ry, rz, sx, sy, sz\n"
            "n0 = 0\nn1 = t\nn2 = 1\nux = ry*n2 - rz*n1\nuy = rz*n0 - rx*n2\nuz = rx*n1 - ry*n0\n"
            "v0 = rx'\nv1 = ry'\nv2 = rz'\nkinetic (v0^2 + v1^2 + v2^2)/2\n"
            "w0 = sx'\nw1 = sy'\nw2 = sz'\nkinetic w0^2 + w1^2 + w2^2\n");
        write_text(&by, w.by.text);
        write_text(&by, "potential ");
        write_text(&by, L.c[0]);
        noe_model *a = model_of(whole.text), *b = model_of(by.text);
        same(a, b, whole.text);
        noe_model_free(a), noe_model_free(b);
        free(w.text.text), free(w.by.text), free(whole.text), free(by.text);
    }
}

/* ---- names from outside, columns, symmetries ---- */

static const char bodies[] =
    "parameter B = (0, 0, 2), m[1..2] = (1, 2)\ncoordinate vector r[1..2], s\ncoordinate q\n"
    "kinetic (sum(i in 1..2) m[i]/2*dot(r[i]', r[i]')) + dot(s', s')/2 + q'^2\n"
    "potential 1/norm(r[1] - r[2]) + B.z*dot(s, s)^2 + q^4\n"
    "observe L = sum(i in 1..2) cross(r[i], p(r[i])), gap[i in 1..1] = r[i+1] - r[i]\n"
    "symmetry spin = (cross((0, 0, 1), r[1]), cross((0, 0, 1), r[2]), (0, 0, 0), 0)\n"
    "symmetry turn = (0, 0, 0, (0, 0, 0), cross((1, 2, 3), s), 0)\n"
    "start r[i] = (i, i^2, 0.5), r[i]' = (0, 0, i), p(s) = (0, 1, 0), q = 1\n";

static noe_system *changed(const noe_system *s, const char *change)
{
    noe_system *t = noe_system_let(s, change);
    if (!t) fail_msg("%s: %s", change, noe_error());
    return t;
}

static void test_names(void **state)
{
    (void)state;
    noe_system *s = noe_system_parse(bodies);
    noe_method *m = method("simpson");
    if (!s) fail_msg("%s", noe_error());
    assert_int_equal(noe_system_dim(s), 10);
    static const struct {
        const char *change, *name;
        double      value;
    } says[] = {
        { "q = 1", "r.x.1", 1 },
        { "q = 1", "r[2].y", 4 },
        { "q = 1", "r.2.y", 4 },
        { "q = 1", "r.z.2.v", 2 },
        { "q = 1", "p(r.z[2])", 4 },
        { "q = 1", "r.2.z.p", 4 },
        { "q = 1", "s.y'", 1 },
        { "r.2.x = 7", "r.x[2]", 7 },
        { "r[2].x = 7", "r.x[2]", 7 },
        { "r.x.2 = 7", "r.x[2]", 7 },
        { "r.2 = (7, 8, 9)", "r.z[2]", 9 },
        { "r.2.v = (7, 8, 9)", "r.y.2.v", 8 },
        { "r.2.z.v = 5", "r.z.2.v", 5 },
        { "s = (7, 8, 9)", "s.y", 8 },
        { "s.p = (7, 8, 9)", "s.y.p", 8 },
        { "s.x' = 3", "s.x.v", 3 },
        { "B = (1, 2, 3)", "B.y", 2 },
        { "B.z = 5", "B.z", 5 },
        { "B.z = 5", "B.x", 0 },
        { "q = 1", "gap.x.1", 1 },
        { "q = 1", "L.x", 1 + 2 * 4 * 2 },
        { "q = 1", "gap[1].y", 3 },
    };
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        noe_system     *t = changed(s, says[i].change);
        noe_integrator *g = noe_integrator_new(t, m, 0.01);
        assert_non_null(g);
        const double x = noe_get(g, says[i].name);
        if (!(fabs(x - says[i].value) <= 4e-16 * fabs(says[i].value)))
            fail_msg("%s: %s is %.17g, not %g", says[i].change, says[i].name, x, says[i].value);
        noe_integrator_free(g);
        noe_system_free(t);
    }
    noe_integrator *g = noe_integrator_new(s, m, 0.01);
    noe_table      *t = noe_record(g, 0.1, 1, "t, s, p(s), r.1.v, L,r[2] ,gap[1]");
    if (!t) fail_msg("%s", noe_error());
    static const char *const column[] = {
        "t",        "s.x",      "s.y",      "s.z",      "p(s.x)",   "p(s.y)", "p(s.z)",
        "r.x[1].v", "r.y[1].v", "r.z[1].v", "L.x",      "L.y",      "L.z",    "r.x[2]",
        "r.y[2]",   "r.z[2]",   "gap.x[1]", "gap.y[1]", "gap.z[1]",
    };
    assert_int_equal(noe_table_columns(t), sizeof column / sizeof *column);
    for (size_t j = 0; j < sizeof column / sizeof *column; j++)
        assert_string_equal(noe_table_name(t, j), column[j]);
    noe_table_free(t);
    assert_null(noe_record(g, 0.2, 1, "B'"));
    noe_error_clear();
    noe_integrator_free(g);
    noe_system_free(s);
    noe_method_free(m);
}

/* A generator's vectors go to the vectors of coordinates in the order of the text: any other
 * order is no symmetry. */
static void test_symmetries(void **state)
{
    (void)state;
    writing wrong = { 0 };
    write_text(&wrong, bodies);
    write_text(&wrong,
               "symmetry other = (cross((0, 0, 1), r[2]), cross((0, 0, 1), r[1]), (0, 0, 0), 0)\n");
    assert_null(noe_system_parse(wrong.text));
    if (!strstr(noe_error(), "'other'")) fail_msg("%s", noe_error());
    noe_error_clear();
    free(wrong.text);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_symmetries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
