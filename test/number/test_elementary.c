/* sin x .. x^y in eight lanes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Against binary128's, as C17 says at the ends, the same bits by all builds and machines.
 * And sqrt, asin, acos of binary128. */
#include "number/quad.h"
#include "random.h"

#define NOE_REAL NOE_LANES
#include "tape/elementary.h"
#include "step/engine_interface.h"

#include <math.h>

#define EACH(of) of(tan) of(asin) of(acos) of(atan) of(sinh) of(cosh) of(tanh) of(exp) of(log)
#define EACH_OF_TWO(of) of(pow) of(atan2)
typedef void one_of(const lanes *, lanes *);
typedef void two_of(const lanes *, const lanes *, lanes *);
typedef struct {
    const char *name;
    one_of     *one;
    two_of     *two;
    quad (*exact)(quad);
    quad (*exact_of_two)(quad, quad);
    double (*rough)(double);
    double (*rough_of_two)(double, double);
} function;

#define QUAD(name) \
    static quad name##_exact(quad x) { return name##q(x); }
#define QUAD_OF_TWO(name) \
    static quad name##_exact(quad x, quad y) { return name##q(x, y); }
EACH (QUAD) EACH_OF_TWO(QUAD_OF_TWO)
#define ROW(name, isa) { #name, noe_##name##_##isa, NULL, name##_exact, NULL, name, NULL },
#define ROW_OF_TWO(name, isa) { #name, NULL, noe_##name##_##isa, NULL, name##_exact, NULL, name },
#if defined __x86_64__
#define DECLARE(name) one_of noe_##name##_sse2, noe_##name##_avx2, noe_##name##_avx512;
#define DECLARE_OF_TWO(name) two_of noe_##name##_sse2, noe_##name##_avx2, noe_##name##_avx512;
#define SSE2(name) ROW(name, sse2)
#define AVX2(name) ROW(name, avx2)
#define AVX512(name) ROW(name, avx512)
#define SSE2_OF_TWO(name) ROW_OF_TWO(name, sse2)
#define AVX2_OF_TWO(name) ROW_OF_TWO(name, avx2)
#define AVX512_OF_TWO(name) ROW_OF_TWO(name, avx512)
EACH (DECLARE) EACH_OF_TWO(DECLARE_OF_TWO)
enum { FUNCTIONS = 11 };
static const function of_build[][FUNCTIONS] = { { EACH (SSE2) EACH_OF_TWO(SSE2_OF_TWO) },
                                                { EACH (AVX2) EACH_OF_TWO(AVX2_OF_TWO) },
                                                { EACH (AVX512) EACH_OF_TWO(AVX512_OF_TWO) } };
#else
#define DECLARE(name) one_of noe_##name##_any;
#define DECLARE_OF_TWO(name) two_of noe_##name##_any;
#define ANY(name) ROW(name, any)
#define ANY_OF_TWO(name) ROW_OF_TWO(name, any)
EACH (DECLARE) EACH_OF_TWO(DECLARE_OF_TWO)
enum { FUNCTIONS = 11 };
static const function of_build[][FUNCTIONS] = { { EACH (ANY) EACH_OF_TWO(ANY_OF_TWO) } };
#endif

/* Sine and cosine are in line, in every build: test_lanes compares them. */
#define IN_LINE(name)                                                           \
    static void name##_lanes(const lanes *x, lanes *to) { *to = f_##name(*x); } \
    QUAD(name)
IN_LINE(sin)
IN_LINE(cos)
enum { ALL = FUNCTIONS + 2 };
static const function *of(int i)
{
    static const function in_line[] = { { "sin", sin_lanes, NULL, sin_exact, NULL, sin, NULL },
                                        { "cos", cos_lanes, NULL, cos_exact, NULL, cos, NULL } };
    return i < FUNCTIONS ? &of_build[0][i] : &in_line[i - FUNCTIONS];
}

/* Units in the last place; measured on a million arguments each: 0.62 (acos) to 0.78 (atan2,
 * near tan(pi/8)), tan 0.90. */
static double bound_of(const function *f) { return f->rough == tan ? 1 : 0.85; }

static lanes all(double x) /* 0 + x would lose the sign of -0 */
{
    lanes y;
    for (int i = 0; i < LANES; i++) y[i] = x;
    return y;
}

static lanes value(const function *f, lanes x, lanes y)
{
    lanes z;
    if (f->one) f->one(&x, &z);
    else f->two(&x, &y, &z);
    return z;
}

/* |y - exact| in units in the last place of the exact one, of the smallest normal number at
 * least. */
static double off(double y, quad exact)
{
    int e;
    if (!isfinite((double)exact)) return y == (double)exact ? 0 : INFINITY;
    frexpq(exact, &e);
    if (e < -1021) e = -1021;
    return (double)(fabsq(y - exact) / ldexpq(1, e - 53));
}

static double from(double lo, double hi) { return lo + (hi - lo) * (random_number() + 1) / 2; }

/* Arguments where f is not too near 0 or infinity, near and far; y of two. */
static double argument(const function *f, double *y)
{
    const char *n = f->name;
    const int   kind = (int)(bits() % 4);
    *y = 0;
    if (!strcmp(n, "pow")) {
        const double x = kind == 0 ? 1 + random_number() * ldexp(1, -(int)(bits() % 50))
                                   : exp(from(-700, 700));
        *y = from(-700, 700) / log(x);
        if (!(fabs(*y) < 1e300)) *y = 1;
        if (kind == 1) *y = trunc(from(-9, 9));
        return x;
    }
    if (!strcmp(n, "atan2")) {
        *y = exp(from(-300, 300)) * (bits() % 2 ? 1 : -1);
        return *y * exp(kind == 0 ? from(-300, 300) : from(-4, 4)) * (bits() % 2 ? 1 : -1);
    }
    if (!strcmp(n, "log"))
        return kind == 0 ? 1 + random_number() * ldexp(1, -(int)(bits() % 50))
                         : fabs(any_double()) + 0x1p-1074;
    if (!strcmp(n, "exp")) return from(-745, 709);
    const bool turns = f->rough == tan || f->rough == sin || f->rough == cos;
    if (turns && kind == 0) return exp(from(-300, 709)) * (bits() % 2 ? 1 : -1);
    if (turns && kind == 1)
        return nextafter((double)(bits() % 1000000) * M_PI_2, from(-1, 1) * 1e9);
    /* of all doubles the nearest to a multiple of pi/2 */
    if (turns && bits() % 64 == 0) return 6381956970095103 * 0x1p797;
    if (n[0] == 'a' && strcmp(n, "atan"))
        return kind == 0 ? random_number() * ldexp(1, -(int)(bits() % 400)) : random_number();
    return kind == 0 ? random_number() * ldexp(1, -(int)(bits() % 400))
                     : random_number()
                           * (kind == 1   ? 1
                              : kind == 2 ? 6
                                          : 700);
}

enum { ROUNDS = 4000 };

static void test_accuracy(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++) {
        const function *f = of(i);
        double          worst = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double x[LANES], y[LANES];
            lanes  X, Y;
            for (int k = 0; k < LANES; k++) x[k] = argument(f, &y[k]), X[k] = x[k], Y[k] = y[k];
            const lanes z = value(f, X, Y);
            for (int k = 0; k < LANES; k++) {
                const double e = off(z[k], f->one ? f->exact(x[k]) : f->exact_of_two(x[k], y[k]));
                if (!(e < bound_of(f)))
                    fail_msg("%s(%.17g, %.17g) = %.17g is off by %.3f units", f->name, x[k], y[k],
                             z[k], e);
                worst = fmax(worst, e);
            }
        }
        printf("%-6s %.3f units in the last place\n", f->name, worst);
    }
}

/* One of the numbers at which something ends, or any. */
static double special(void)
{
    static const double at[] = { 0,
                                 1,
                                 0.5,
                                 2,
                                 3,
                                 0x1p52,
                                 0x1p53,
                                 0x1p-1074,
                                 0x1p-1022,
                                 0x1.fffffffffffffp1023,
                                 INFINITY,
                                 NAN,
                                 1e308,
                                 1e-310,
                                 0.4140625,
                                 2.4140625,
                                 709.782712893384,
                                 745.1332191019412,
                                 710.4758600739439 };
    const double        x = bits() % 4 ? at[bits() % (sizeof at / sizeof *at)] : any_double();
    return bits() % 2 ? x : -x;
}

static void test_ends(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++) {
        const function *f = of(i);
        for (int round = 0; round < ROUNDS; round++) {
            const double x = special(), y = special();
            const double z = value(f, all(x), all(y))[5],
                         libm = f->one ? f->rough(x) : f->rough_of_two(x, y);
            const bool nans = z != z && libm != libm;
            if (nans || z == libm) {
                const bool sine = f->rough == sin && x == 0; /* of -0 it is 0 */
                if (!nans && !sine && signbit(z) != signbit(libm))
                    fail_msg("%s(%.17g, %.17g) has another sign", f->name, x, y);
                continue;
            }
            const quad exact = f->one ? f->exact(x) : f->exact_of_two(x, y);
            if (!(off(z, exact) < bound_of(f)))
                fail_msg("%s(%.17g, %.17g) = %.17g, but %.17g", f->name, x, y, z, libm);
        }
    }
}

/* A lane does not depend on the others, nor on the build. */
static void test_builds(void **state)
{
    (void)state;
    for (int level = 0; level <= noe_engine_instruction_set(); level++)
        for (int i = 0; i < FUNCTIONS; i++)
            for (int round = 0; round < ROUNDS; round++) {
                const function *f = &of_build[level][i], *g = &of_build[0][i];
                lanes           x, y, z, w;
                double          other;
                for (int k = 0; k < LANES; k++) {
                    const bool odd = bits() % 4 == 0;
                    x[k] = odd ? special() : argument(f, &other), y[k] = odd ? special() : other;
                }
                z = value(f, x, y);
                for (int k = 0; k < LANES; k++) w[k] = value(g, all(x[k]), all(y[k]))[k ^ 3];
                for (int k = 0; k < LANES; k++)
                    if (!(z[k] != z[k] && w[k] != w[k])
                        && memcmp((double *)&z + k, (double *)&w + k, sizeof(double)))
                        fail_msg("%s(%.17g, %.17g): %.17g alone, %.17g by build %d", f->name, x[k],
                                 y[k], w[k], z[k], level);
            }
}

/* FNV-1a of the results on 96,000 arguments that are the same everywhere: exact in all that
 * makes them. */
static void test_machines(void **state)
{
    (void)state;
    static const uint64_t known[ALL] = { /* in the order of EACH and EACH_OF_TWO; sin, cos */
                                         0x69979c6fdd13a4df, 0xa1c1f622c9ddbad5, 0x846dc694f3a5020a,
                                         0xf03b1023896da2f7, 0x48077b7906aad6ba, 0xe04e9476c07659e1,
                                         0xc3051c8e6d8b5206, 0x62c758bb59c7db75, 0xb165a45a153047fa,
                                         0xd5bc9a5e64f796ca, 0xd1fd0c57449d0f68, 0x52ac078c9cc253b5,
                                         0x53c63b62aec38033
    };
    const uint64_t before = seed;
    for (int i = 0; i < ALL; i++) {
        uint64_t h = 14695981039346656037u;
        seed = 1;
        for (int round = 0; round < 12000; round++) {
            lanes x, y;
            for (int k = 0; k < LANES; k++) {
                x[k] = random_number() * ldexp(1, (int)(bits() % 24) - 12),
                y[k] = random_number() * ldexp(1, (int)(bits() % 8) - 4);
                if (!strcmp(of(i)->name, "pow") || !strcmp(of(i)->name, "log")) x[k] = fabs(x[k]);
                if (!strncmp(of(i)->name, "as", 2) || !strncmp(of(i)->name, "ac", 2)) x[k] /= 4096;
            }
            const lanes z = value(of(i), x, y);
            for (int k = 0; k < LANES; k++) {
                uint64_t u;
                memcpy(&u, (const double *)&z + k, sizeof u);
                for (int b = 0; b < 64; b += 8) h = (h ^ (u >> b & 255)) * 1099511628211u;
            }
        }
        if (h != known[i]) fail_msg("%s: 0x%016llx", of(i)->name, (unsigned long long)h);
    }
    seed = before;
}

/* sqrt is the nearest: |x - y^2| <= y u, u the unit in the last place of y.  asin and acos
 * against the library's own. */
static void test_binary128(void **state)
{
    (void)state;
#if LDBL_MANT_DIG == 113
    quad (*const rest)(quad, quad, quad) = fmal, (*const arc)(quad) = asinl,
                                   (*const other)(quad) = acosl;
#else
    quad (*const rest)(quad, quad, quad) = fmaq, (*const arc)(quad) = asinq,
                                   (*const other)(quad) = acosq;
#endif
    for (int round = 0; round < 4 * ROUNDS; round++) {
        int        e;
        const quad digits = 1 + (quad)(bits() >> 11) * 0x1p-53 + (quad)(bits() >> 4) * 0x1p-113;
        /* to squares of all digits */
        const quad near = digits * digits * (1 + (int)(bits() % 5 - 2) * (quad)0x1p-112);
        const quad x = ldexpq(bits() % 2 ? near : digits, (int)(bits() % 32000) - 16000),
                   y = sqrtq(x);
        frexpq(y, &e);
        if (!(fabsq(rest(y, y, -x)) <= ldexpq(y, e - 113)))
            fail_msg("sqrt(%.17g) is not rounded", (double)x);
        const quad s = (quad)random_number() * (1 + (quad)random_number() * 0x1p-53),
                   small = ldexpq(s, -(int)(bits() % 100));
        const quad a = arc(small), b = other(s);
        if (!(fabsq(asinq(small) - a) <= 4 * 0x1p-113 * fabsq(a)))
            fail_msg("asin(%.17g) in binary128", (double)small);
        if (!(fabsq(acosq(s) - b) <= 4 * 0x1p-113 * fabsq(b)))
            fail_msg("acos(%.17g) in binary128", (double)s);
    }
    const quad least = ldexpq(1, -16494), most = ldexpq(1 - (quad)0x1p-113, 16383) * 2,
               inf = INFINITY;
    assert_true(sqrtq(least) == ldexpq(1, -8247) && sqrtq(most) < ldexpq(1, 8192)
                && sqrtq(inf) == inf && sqrtq((quad)4) == 2);
    assert_true(isnanq(sqrtq((quad)-1)) && isnanq(sqrtq((quad)NAN))
                && 1 / sqrtq((quad)-0.0) == -inf);
    assert_true(asinq((quad)1) == acosq((quad)0) && acosq((quad)1) == 0
                && 1 / asinq((quad)-0.0) == -inf && isnanq(acosq((quad)1.5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_accuracy),
                                        cmocka_unit_test(test_ends), cmocka_unit_test(test_builds),
                                        cmocka_unit_test(test_machines),
                                        cmocka_unit_test(test_binary128) };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
