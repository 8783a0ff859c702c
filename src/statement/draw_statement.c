/* draw line A, B; spring A, B; disk A; trace A; body NAME; surface[..] A: what animations show.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A point is (x, y) in the plane, or a vector of three in space.  draw line[i in 1..n] .. is a
 * drawing for every index. */
#include "model/family.h"

#include <string.h>

/* Points of all drawings of a model. */
enum { SPOTS_MOST = 4000 };

static const struct {
    const char   *name; /* in the statement */
    noe_draw_kind kind;
} kinds[] = { { "line", NOE_DRAW_LINE }, { "spring", NOE_DRAW_SPRING },
              { "disk", NOE_DRAW_DISK }, { "trace", NOE_DRAW_TRACE },
              { "body", NOE_DRAW_BODY }, { "surface", NOE_DRAW_SURFACE } };

/* Does "(a, b)" begin at the current token? */
static bool is_pair(const noe_parser *p)
{
    noe_lexer x = p->lex;
    int       depth = 0, commas = 0;
    if (!noe_lexer_is(&x, '(')) return false;
    do {
        if (noe_lexer_is(&x, '(') || noe_lexer_is(&x, '[')) depth++;
        if (noe_lexer_is(&x, ')') || noe_lexer_is(&x, ']')) depth--;
        commas += depth == 1 && noe_lexer_is(&x, ',');
        noe_lexer_next(&x);
    } while (depth > 0 && x.token.kind != NOE_END);
    return commas == 1;
}

static void point(noe_parser *p)
{
    noe_model   *m = p->model;
    const size_t at = p->lex.token.at;
    noe_quantity x = { .vector = true };
    const bool   pair = is_pair(p);
    if (pair) {
        noe_lexer_next(&p->lex);
        x.ex[0] = noe_expression_parse(p);
        noe_expect_comma(p);
        x.ex[1] = noe_expression_parse(p);
        x.ex[2] = noe_graph_number(p->graph, 0);
        noe_expect_close(p, at, "after the point");
    } else {
        x = noe_expression_quantity(p);
        if (!x.vector)
            noe_source_fail(&p->lex.source, at,
                            "a number where a point is wanted: a point is (x, y), or in space a "
                            "vector of three");
    }
    for (int c = 0; c < 3; c++)
        if (p->graph->node[x.ex[c]].has & NOE_HAS_P)
            noe_source_fail(&p->lex.source, at,
                            "a point depends on positions, velocities, parameters and t alone: "
                            "this contains momenta or the energy");
    m->has_plane_points |= pair, m->has_space_points |= !pair;
    if (m->has_plane_points && m->has_space_points)
        noe_source_fail(&p->lex.source, at,
                        "points in the plane, (x, y), and in space, (x, y, z), in one picture: "
                        "write all with three numbers");
    if (m->points == SPOTS_MOST)
        noe_source_fail(&p->lex.source, at, "more than %d points in one picture", SPOTS_MOST);
    noe_model_push(p, &m->point, m->points, sizeof *m->point);
    memcpy(m->point[m->points++], x.ex, sizeof x.ex);
}

static void body(noe_parser *p, noe_drawing *d)
{
    noe_model *m = p->model;
    while (d->solid < m->solids && !noe_lexer_is_word(&p->lex, m->solid[d->solid].name)) d->solid++;
    if (d->solid == m->solids) noe_expect_fail(p, "the name of a body above: draw body top");
    noe_lexer_next(&p->lex);
    m->has_space_points = true;
    if (m->has_plane_points)
        noe_source_fail(&p->lex.source, p->lex.token.at,
                        "a body is in space: write the points of the picture with three numbers");
}

/* What follows the word of the kind. */
static void figure(noe_parser *p, noe_draw_kind kind)
{
    noe_model   *m = p->model;
    const size_t at = p->lex.token.at;
    noe_drawing  d = { .kind = kind, .first = m->points, .radius = -1 };
    if (kind == NOE_DRAW_BODY) {
        body(p, &d);
    } else {
        p->observing = true; /* observables may be used */
        do point(p);
        while (noe_expect_comma(p));
        p->observing = false;
    }
    d.points = m->points - d.first;
    if (kind == NOE_DRAW_LINE && d.points < 2)
        noe_source_fail(&p->lex.source, at, "a line has two points or more: draw line A, B");
    if (kind == NOE_DRAW_SPRING && d.points != 2)
        noe_source_fail(&p->lex.source, at, "a spring has two points: draw spring A, B");
    if (noe_lexer_is_word(&p->lex, "radius")) {
        const size_t word = p->lex.token.at;
        if (kind != NOE_DRAW_DISK)
            noe_source_fail(&p->lex.source, word, "a radius belongs to a disk");
        noe_lexer_next(&p->lex);
        const size_t value = p->lex.token.at;
        d.radius = noe_constant_expression_parse(p);
        if (!(noe_constant_expression_finite(p, d.radius, value) > 0))
            noe_source_fail(&p->lex.source, value, "the radius must be greater than 0");
    }
    noe_model_push(p, &m->drawing, m->drawings, sizeof *m->drawing);
    m->drawing[m->drawings++] = d;
}

/* An index of a surface and its range: "i in a..b", then `after`. */
static noe_token side(noe_parser *p, int64_t range[2], char after)
{
    const size_t    at = p->lex.token.at;
    const noe_token name = noe_index_binding_name(p);
    if (!noe_lexer_is_word(&p->lex, "in")) noe_expect_fail(p, "'in' after the index");
    noe_lexer_next(&p->lex);
    noe_index_binding_range(p, &range[0], &range[1]);
    if (range[1] <= range[0])
        noe_source_fail(&p->lex.source, at, "a surface has two rows of two points at least");
    noe_expect_token(p, after,
                     after == ',' ? "and the second index of the surface: "
                                    "draw surface[i in 1..8, j in 1..8] (i, j, u[8*i + j - 8])"
                                  : "after the second index");
    return name;
}

/* surface[i in a..b, j in c..d] POINT: a row for every i. */
static void surface(noe_parser *p)
{
    noe_model   *m = p->model;
    const size_t at = p->lex.token.at;
    noe_drawing  d = { .kind = NOE_DRAW_SURFACE, .first = m->points, .radius = -1 };
    int64_t      down[2], across[2];
    noe_expect_token(p, '[', "after 'surface': draw surface[i in 1..8, j in 1..8] POINT");
    const noe_token i = side(p, down, ','), j = side(p, across, ']');
    const noe_lexer body = p->lex;
    p->observing = true;
    for (int64_t k = down[0]; k <= down[1]; k++)
        for (int64_t l = across[0]; l <= across[1]; l++) {
            p->lex = body;
            noe_index_expression_bind(p, &i, noe_index_expression_of(k));
            noe_index_expression_bind(p, &j, noe_index_expression_of(l));
            point(p);
            p->bounds -= 2;
        }
    p->observing = false;
    if (!m->has_space_points)
        noe_source_fail(&p->lex.source, at,
                        "a surface is in space: its points have three numbers, (i, j, u[..])");
    d.points = m->points - d.first;
    d.across = (int)(across[1] - across[0] + 1);
    noe_model_push(p, &m->drawing, m->drawings, sizeof *m->drawing);
    m->drawing[m->drawings++] = d;
}

typedef struct {
    noe_draw_kind kind;
    noe_lexer     end;
} family;

static void member(noe_parser *p, int64_t i, void *data)
{
    family *f = data;
    (void)i;
    figure(p, f->kind);
    f->end = p->lex;
}

/* Skips the statement: only the model of a picture reads it. */
static void pass(noe_parser *p)
{
    p->model->draws++;
    p->model->surfaces += noe_lexer_is_word(&p->lex, "surface");
    while (p->lex.token.kind != NOE_LINE && p->lex.token.kind != NOE_END) noe_lexer_next(&p->lex);
}

void noe_draw_statement_parse(noe_parser *p)
{
    enum { KINDS = sizeof kinds / sizeof *kinds };
    noe_model   *m = p->model;
    const size_t at = p->lex.token.at;
    size_t       k = 0;
    if (!m->drawn) {
        pass(p);
        return;
    }
    while (k < KINDS && !noe_lexer_is_word(&p->lex, kinds[k].name)) k++;
    if (k == KINDS) noe_expect_fail(p, "what is drawn: line, spring, disk, trace, body or surface");
    noe_lexer_next(&p->lex);
    const int first = m->drawings;
    if (kinds[k].kind == NOE_DRAW_SURFACE) {
        surface(p);
        m->drawing[first].text = noe_model_copy_text(p, p->lex.source.text + at, p->lex.end - at);
        return;
    }
    const noe_left left = noe_index_binding_left_side(p);
    if (left.kind == NOE_LEFT_PLAIN) {
        figure(p, kinds[k].kind);
    } else {
        family f = { .kind = kinds[k].kind };
        if (left.kind != NOE_LEFT_IN)
            noe_source_fail(&p->lex.source, left.at,
                            "over which indices does the drawing run?  Write [i in 1..10]");
        if (left.hi < left.lo)
            noe_source_fail(&p->lex.source, left.at, "the range %lld..%lld is empty",
                            (long long)left.lo, (long long)left.hi);
        noe_index_binding_each(p, &left, false, member, &f);
        p->lex = f.end;
    }
    m->drawing[first].text = noe_model_copy_text(p, p->lex.source.text + at, p->lex.end - at);
}
