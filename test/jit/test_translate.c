/* machine code(z) = interpreter(z), bit for bit: on every system, on random models, from any place.
 * SPDX-License-Identifier: BSD-3-Clause
 * Needs: x86_64. */
#include "expressions.h"

#define NOE_REAL NOE_DOUBLE
#include "step/engine_interface.h"
#include "jit/jit.h"
#include "tape/tape_interpreter.h"
#include "upper.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MODELS = 100, FAR = 40 /* rows between slots, for offsets of one byte and of four */ };

typedef struct {
    int     *place;
    noe_ins *code;
    size_t   size;
    char    *frame[2]; /* of the interpreter, of the machine */
} tile_memory;

static void *rows(size_t bytes) { return aligned_alloc(64, (bytes + 63) / 64 * 64); }

/* Inputs and constants are in both frames; all else differs before. */
static tile_memory set_up(const noe_tape *t, int apart)
{
    tile_memory d = { malloc((size_t)t->slots * sizeof *d.place),
                      malloc(((size_t)t->length + 1) * sizeof *d.code),
                      (size_t)t->slots * 64 * (size_t)apart,
                      { NULL, NULL } };
    for (int i = 0; i < t->slots; i++) d.place[i] = 64 * apart * i;
    for (int k = 0; k < t->length; k++) {
        const noe_ins i = t->ins[k];
        d.code[k] = (noe_ins){ d.place[i.d], d.place[i.a], d.place[i.b], d.place[i.c] };
    }
    for (int f = 0; f < 2; f++) {
        d.frame[f] = rows(d.size);
        memset(d.frame[f], f ? 0x55 : 0x2a, d.size);
    }
    for (int i = 0; i < t->inputs + t->constants; i++)
        for (int k = 0; k < LANES; k++) {
            const double x = i < t->inputs ? 2 * random_number()
                                           : (double)t->constant[i - t->inputs];
            for (int f = 0; f < 2; f++) ((double *)(d.frame[f] + d.place[i]))[k] = x;
        }
    return d;
}

static void clear(tile_memory *d)
{
    free(d->place), free(d->code), free(d->frame[0]), free(d->frame[1]);
}

/* How many outputs differ in any lane; none of the numbers may be told from another but by its
 * bits. */
static int differing(const noe_tape *t, const tile_memory *d)
{
    int count = 0;
    for (int o = 0; o < t->outputs; o++) {
        const double *x = (double *)(d->frame[0] + d->place[t->out[o]]),
                     *y = (double *)(d->frame[1] + d->place[t->out[o]]);
        for (int k = 0; k < LANES; k++) {
            const bool both = isnan(x[k]) && isnan(y[k]);
            if (!both && memcmp(&x[k], &y[k], sizeof *x)) {
                count++;
                break;
            }
        }
    }
    return count;
}

/* Numbers that sums and functions treat in ways of their own, to three inputs: of all sizes;
 * below pi/4, where sines are shorter; and one of them just above it. */
enum { ANY, ODD, NEAR, NOT_NEAR, KINDS };
static void put_odd(const tile_memory *d, int kind)
{
    const double odd[KINDS][LANES] = {
        [ODD] = { 0.0, -0.0, INFINITY, -1, NAN, 0x1p-1074, 1e308, 3 },
        [NEAR] = { 0.0, -0.0, 0x1p-1074, -1e-160, 0.785, -0.785, 1e-9, random_number() / 2 },
        [NOT_NEAR] = { 0.0, -0.0, 0x1p-1074, -1e-160, 0.785, -0.78539816339744839, 0.5,
                       0.785398163397448 }
    };
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < LANES; k++)
            for (int f = 0; f < 2; f++)
                ((double *)(d->frame[f] + d->place[1 + j]))[k] = odd[kind][(k + j * 3) % LANES];
}

/* Outputs that differ: interpreted, and as machine code of the other tape (the same, or one that
 * is spoiled). */
static int compared(const noe_tape *t, const noe_tape *other, int level, int apart, int kind)
{
    tile_memory d = set_up(t, apart);
    if (kind != ANY) put_odd(&d, kind);
    noe_compiled_tapes *m = noe_tape_compiler_new(level, call_of);
    assert_non_null(m);
    assert_true(noe_tape_compiler_add(m, 0, other, d.place, d.code));
    noe_tape_compiler_seal(m);
    assert_true(noe_tape_compiler_size(m) > 0);
    interpret(t, d.code, d.frame[0], 1);
    noe_tape_compiler_at(m, 0)(d.frame[1]);
    const int count = differing(t, &d);
    noe_tape_compiler_free(m);
    clear(&d);
    return count;
}

static int      looked;
static unsigned seen;

static void look(char *frame, const noe_ins *i, const noe_tape *t)
{
    (void)frame, (void)i, (void)t;
    seen |= upper_used();
    looked++;
}

/* What is called, and who called, find the upper halves of the vector registers unused. */
static void leaves_nothing(const noe_tape *t, const char *what, int level)
{
    noe_compiled_call *call[NOE_OPS];
    tile_memory        d = set_up(t, 1);
    for (int i = 0; i < NOE_OPS; i++) call[i] = look;
    noe_compiled_tapes *m = noe_tape_compiler_new(level, call);
    assert_non_null(m);
    assert_true(noe_tape_compiler_add(m, 0, t, d.place, d.code));
    noe_tape_compiler_seal(m);
    for (int kind = ANY; kind < KINDS; kind++) {
        if (kind) put_odd(&d, kind);
        upper_clear();
        seen = 0;
        noe_tape_compiler_at(m, 0)(d.frame[1]);
        seen |= upper_used();
        upper_clear();
        if (seen)
            fail_msg("%s: upper halves of registers are in use (%x) after code of level %d", what,
                     seen, level);
    }
    noe_tape_compiler_free(m);
    clear(&d);
}

static void law(const noe_tape *t, const char *what)
{
    for (int level = 1; upper_told() && level <= noe_engine_instruction_set(); level++)
        leaves_nothing(t, what, level);
    for (int level = 1; level <= noe_engine_instruction_set(); level++) {
        const int apart = random_number() < 0 ? 1 : FAR, count = compared(t, t, level, apart, ANY);
        if (count)
            fail_msg("%s: %d of %d outputs differ at level %d", what, count, t->outputs, level);
    }
}

static void tapes_of(noe_model *m, const char *what)
{
    const int N = 2 * m->n, roots = 1 + N + N * N;
    noe_ex   *root = calloc((size_t)roots, sizeof *root);
    derive_all(&m->graph, m->L, m->n, root);
    noe_tape *all = noe_tape_new(&m->graph, m->param, m->n, root, roots);
    noe_tape *gradient = noe_tape_new(&m->graph, m->param, m->n, root + 1, N);
    assert_true(all && gradient);
    law(all, what);
    law(gradient, what);
    free(all);
    free(gradient);
    free(root);
}

static void system_law(const noe_system *s, const char *path)
{
    noe_model *own = own_model(s);
    tapes_of(own, path);
    noe_model_free(own);
}

static void test_systems(void **state)
{
    (void)state;
    every_system(system_law);
}

static void test_random(void **state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        char      *text = random_model(1 + i % 3, 1 + i % 7);
        noe_model *m = model_of(text);
        tapes_of(m, text);
        noe_model_free(m);
        free(text);
    }
}

static noe_tape *tape_of_text(noe_model **m, const char *text)
{
    *m = model_of(text);
    return noe_tape_new(&(*m)->graph, (*m)->param, (*m)->n, &noe_model_find(*m, "u", 1)->ex, 1);
}

/* What rounds nothing keeps even the signs of zeros; what is lost for good is found. */
static void test_edges(void **state)
{
    (void)state;
    static const char *const form[] = { "x*y",
                                        "-x",
                                        "x - y",
                                        "x + y",
                                        "-(x*y)",
                                        "x - y*z",
                                        "z - 3*y",
                                        "x/y",
                                        "sqrt(x)",
                                        "x^2 - x*x",
                                        "sin(x)*cos(y)",
                                        "sin(x)",
                                        "cos(x)",
                                        "if(x < y, x, y) + max(x, z)",
                                        "abs(x)/(x - x)",
                                        "x*x*x*x + y*y*y" };
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        char text[200];
        snprintf(text, sizeof text, "coordinate x, y, z\nkinetic x'^2 + y'^2 + z'^2\nu = %s\n",
                 form[i]);
        noe_model *m;
        noe_tape  *t = tape_of_text(&m, text);
        for (int level = 1; level <= noe_engine_instruction_set(); level++)
            for (int kind = ODD; kind < KINDS; kind++)
                if (compared(t, t, level, 1, kind))
                    fail_msg("u = %s at level %d, numbers %d", form[i], level, kind);
        free(t);
        noe_model_free(m);
    }
}

/* A spoiled instruction, of every tape that has one of that kind, is seen. */
static void test_saboteur(void **state)
{
    (void)state;
    noe_model *m;
    noe_tape  *t = tape_of_text(
         &m, "coordinate x, y, z\nkinetic x'^2 + y'^2 + z'^2\nu = (x*y + z)/(3 + y*y) - x*z\n");
    for (int k = 0; k < t->length; k++)
        for (int level = 1; level <= noe_engine_instruction_set(); level++) {
            const noe_ins right = t->ins[k];
            noe_tape      copy = *t;
            noe_ins      *ins = malloc((size_t)t->length * sizeof *ins);
            memcpy(ins, t->ins, (size_t)t->length * sizeof *ins);
            ins[k].a = right.a == 1 ? 2 : 1;
            copy.ins = ins;
            assert_int_equal(compared(t, &copy, level, 1, ANY), 1);
            free(ins);
        }
    assert_int_equal(compared(t, t, noe_engine_instruction_set(), 1, ANY), 0);
    free(t);
    noe_model_free(m);
}

/* Where memory that was written may not become executable (Linux 6.3, PR_SET_MDWE) there is no
 * code, and no message. */
static void test_left(void **state)
{
    (void)state;
    if (!upper_told())
        print_message(
            "this processor does not tell which registers are in use (XGETBV with ECX = 1): "
            "skipped\n");
    else assert_true(looked >= 10);
}

static void test_forbidden(void **state)
{
    (void)state;
    noe_model *m;
    noe_tape *t = tape_of_text(&m, "coordinate x, y, z\nkinetic x'^2 + y'^2 + z'^2\nu = x*y + z\n");
    tile_memory d = set_up(t, 1);
    int         how;
    const pid_t child = fork();
    if (!child) {
        enum { SET_MDWE = 65, REFUSE_GAIN = 1 };
        if (prctl(SET_MDWE, REFUSE_GAIN, 0, 0, 0)) _exit(2);
        noe_compiled_tapes *machine = noe_tape_compiler_new(noe_engine_instruction_set(), call_of);
        if (!noe_tape_compiler_add(machine, 0, t, d.place, d.code)) _exit(1);
        noe_tape_compiler_seal(machine);
        if (noe_tape_compiler_at(machine, 0) || noe_tape_compiler_size(machine) || noe_error())
            _exit(1);
        noe_tape_compiler_free(machine);
        noe_integrator *g = noe_integrator_new(load("systems/pendulum.lag"), method("simpson"),
                                               0.01);
        _exit(!g || noe_step(g) != NOE_OK);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    if (WEXITSTATUS(how) == 2) printf("this kernel forbids nothing\n");
    else assert_int_equal(WEXITSTATUS(how), 0);
    clear(&d);
    free(t);
    noe_model_free(m);
}

int main(void)
{
    print_seed();
    if (!noe_engine_instruction_set())
        return printf("1..0 # no AVX2 here: tapes are interpreted\n"), 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_systems),  cmocka_unit_test(test_random),
        cmocka_unit_test(test_edges),    cmocka_unit_test(test_left),
        cmocka_unit_test(test_saboteur), cmocka_unit_test(test_forbidden)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
