/* loops of machine code over blocks of terms = the interpreter's, bit for bit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every sum of the library, random programs.
 * Needs: x86_64. */
#include "expressions.h"

#define NOE_REAL NOE_DOUBLE
#pragma GCC diagnostic ignored "-Wunused-function"
#include "sums/block_interpreter.h"
#include "upper.h"

#include <unistd.h>

enum { MODELS = 100, TERMS = 77 };

static int coded;

/* How many outputs of a block of terms differ. */
static int differing(const noe_tape *t, int level, int spoiled)
{
    noe_arena      *arena = noe_arena_new();
    term_memory     b[2];
    noe_block_loops loops;
    int             count = 0;
    for (int k = 0; k < 2; k++) {
        assert_true(make_term_memory(&b[k], arena, t));
        for (int i = b[k].program->inputs + b[k].program->constants; i < b[k].program->slots; i++)
            memset(b[k].slot[i], k ? 0x55 : 0x2a, NOE_TERM_BLOCK * sizeof(double));
    }
    double *apart = noe_arena_take(arena, (NOE_TERM_BLOCK + 1) * (size_t)t->inputs * sizeof *apart);
    for (int i = 0; i < t->inputs; i++)
        for (int k = 0; k < NOE_TERM_BLOCK; k++) b[0].slot[i][k] = 2 * random_number();
    for (int i = 0; i < t->inputs;
         i++) { /* some from other places, not aligned, as those of coordinates are */
        if (i && i % 2) b[1].slot[i] = apart + (NOE_TERM_BLOCK + 1) * (size_t)i + 1;
        memcpy(b[1].slot[i], b[0].slot[i], NOE_TERM_BLOCK * sizeof(double));
    }
    if (spoiled >= 0) b[1].program->ins[spoiled].a = b[1].program->ins[spoiled].a == 1 ? 2 : 1;
    assert_true(noe_block_loop_make(&loops, level, b[1].program, arena));
    coded += loops.page != NULL; /* not where nothing is straight */
    b[1].loops = &loops;
    for (int k = 0; k < 2; k++) interpret_program(&b[k], TERMS);
    for (int o = 0; o < t->outputs; o++) {
        const double *x = b[0].slot[b[0].program->out[o]], *y = b[1].slot[b[1].program->out[o]];
        int           k = 0;
        while (k < TERMS && ((isnan(x[k]) && isnan(y[k])) || !memcmp(&x[k], &y[k], sizeof *x))) k++;
        count += k < TERMS;
    }
    for (int k = 0; upper_told() && k < loops.loops; k++) {
        if (!loops.loop[k].run) continue;
        upper_clear();
        loops.loop[k].run(b[1].slot, b[1].store, 64);
        assert_int_equal(upper_used(), 0);
    }
    noe_block_loop_free(&loops);
    noe_arena_free(arena);
    return count;
}

static void law(const noe_tape *t, const char *what)
{
    for (int level = 1; t && t->length && level <= noe_engine_instruction_set(); level++) {
        const int count = differing(t, level, -1);
        if (count)
            fail_msg("%s: %d of %d outputs differ at level %d", what, count, t->outputs, level);
    }
}

static void test_library(void **state)
{
    (void)state;
    static const char *const file[] = { "fput_alpha",        "fput_beta",     "toda",
                                        "sine_gordon",       "klein_gordon",  "spring_lattice",
                                        "lennard_jones",     "hanging_cable", "pleiades",
                                        "outer_solar_system" };
    int                      sums = 0;
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        char path[80];
        snprintf(path, sizeof path, "systems/%s.lag", file[i]);
        noe_system     *s = load(path), *large = noe_system_with(s, "N", 400);
        const noe_sums *g = large ? large->dyn.groups : NULL;
        noe_error_clear();
        for (int k = 0; g && k < g->groups; k++)
            law(g->group[k].force, path), law(g->group[k].value, path), sums++;
        noe_system_free(large);
        noe_system_free(s);
    }
    assert_true(sums >= 6 && coded >= 10);
}

static void test_random(void **state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        char      *text = random_model(1 + i % 3, 1 + i % 7);
        noe_model *m = model_of(text);
        const int  N = 2 * m->n, roots = 1 + N + N * N;
        noe_ex    *root = calloc((size_t)roots, sizeof *root);
        derive_all(&m->graph, m->L, m->n, root);
        noe_tape *t = noe_tape_new(&m->graph, m->param, m->n, root, roots);
        law(t, text);
        free(t), free(root), free(text);
        noe_model_free(m);
    }
}

/* A term with another operand is seen. */
static void test_saboteur(void **state)
{
    (void)state;
    noe_model *m = model_of(
        "coordinate x, y, z\nkinetic x'^2 + y'^2 + z'^2\nu = (x*y + z)/(3 + y*y) - x*z\n");
    noe_tape  *t = noe_tape_new(&m->graph, m->param, m->n, &noe_model_find(m, "u", 1)->ex, 1);
    noe_arena *arena = noe_arena_new();
    for (int k = noe_block_program_make(t, arena)->length; k-- > 0;)
        for (int level = 1; level <= noe_engine_instruction_set(); level++)
            assert_int_equal(differing(t, level, k), 1);
    noe_arena_free(arena);
    free(t);
    noe_model_free(m);
}

int main(void)
{
    print_seed();
    if (!noe_engine_instruction_set())
        return printf("1..0 # no AVX2 here: terms are interpreted\n"), 0;
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_library),
                                        cmocka_unit_test(test_random),
                                        cmocka_unit_test(test_saboteur) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
