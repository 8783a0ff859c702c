/* a member among eight = the member alone:  what fails in one lane leaves the others as they are.
 * SPDX-License-Identifier: BSD-3-Clause */
#define NOE_REAL NOE_LANES
#include "engine/engine_instance.h"

#include "bits.h"

enum { EIGHT = 8, SIZE = 6 };

static const noe_engine own = INSTANCE;

/* ---- pivots ---- */

typedef void factor(real *A, real *row, int N);

/* The order of rows that suits the first member, for all of them. */
static void shared_pivots(real *A, real *row, int N)
{
    for (int i = 0; i < N; i++) row[i] = r_set(i);
    for (int c = 0; c < N; c++) {
        int top = c;
        for (int i = c + 1; i < N; i++)
            if (fabs(A[i * N + c][0]) > fabs(A[top * N + c][0])) top = i;
        exchange(m_all(1), A + c * N, A + top * N, N);
        exchange(m_all(1), row + c, row + top, 1);
        A[c * N + c] = 1 / A[c * N + c];
        for (int i = c + 1; i < N; i++) {
            A[i * N + c] *= A[c * N + c];
            for (int k = c + 1; k < N; k++) A[i * N + k] -= A[i * N + c] * A[c * N + k];
        }
    }
}

/* Does a member's factorisation depend on its neighbours?  Eight matrices at once against eight
 * copies. */
static bool neighbours_matter(factor *lu)
{
    real all[SIZE * SIZE], A[SIZE * SIZE], copies[SIZE * SIZE], row[SIZE], order[SIZE];
    for (int i = 0; i < SIZE * SIZE; i++)
        for (int k = 0; k < EIGHT; k++) r_put(&all[i], k, random_number());
    memcpy(A, all, sizeof A);
    lu(A, row, SIZE);
    for (int k = 0; k < EIGHT; k++) {
        for (int i = 0; i < SIZE * SIZE; i++) copies[i] = r_set(r_member(all[i], k));
        lu(copies, order, SIZE);
        for (int i = 0; i < SIZE * SIZE; i++)
            if (!equal_bits(r_member(copies[i], 5), r_member(A[i], k))) return true;
        for (int i = 0; i < SIZE; i++)
            if (!equal_bits(r_member(order[i], 5), r_member(row[i], k))) return true;
    }
    return false;
}

static void test_every_member_has_its_own_pivots(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++) {
        assert_false(neighbours_matter(lu_factor));
        assert_true(neighbours_matter(shared_pivots));
    }
}

/* ---- failures ---- */

/* A planet without angular momentum, so close to the sun that it falls into it within a step;
 * seven others go their ways as if it were not there. */
static void test_a_collapse_disturbs_nobody(void **unused)
{
    (void)unused;
    noe_system       *s = load("systems/kepler.lag");
    const char *const name[] = { "simpson", "gauss 3", "gauss 6" };
    int               all = 0;
    for (int m = 0; m < 3; m++) {
        noe_method *f = method(name[m]);
        const int   doomed = (int)(4 + 4 * random_number());
        const quad  h = (quad)1 / 20;
        run         with = make_run(noe_engine_lanes(), s, f, h),
            without = make_run(noe_engine_lanes(), s, f, h);
        const bool momentum[DOFS] = { false };
        int        failures = 0;
        for (int i = 0; i < EIGHT; i++) {
            const point x = random_point(s),
                        falling = { .q = { (quad)0.02 + (quad)0.004 * random_number() } };
            put_point(with, i, i == doomed ? &falling : &x);
            put_point(without, i, &x);
        }
        assert_int_equal(with.engine->start(with.work, momentum), 0);
        assert_int_equal(without.engine->start(without.work, momentum), 0);
        for (int k = 0; k < 200; k++) {
            const point    before = get_point(with, doomed);
            const unsigned failed = with.engine->step(with.work);
            assert_int_equal(without.engine->step(without.work), 0);
            assert_int_equal(failed & ~(1u << doomed), 0);
            for (int i = 0; i < EIGHT; i++)
                if (i != doomed) assert_int_equal(with.engine->why(with.work, i), NOE_OK);
            if (!failed) continue;
            const point      after = get_point(with, doomed);
            const noe_status why = with.engine->why(with.work, doomed);
            failures++;
            assert_true(why == NOE_NOT_CONVERGED || why == NOE_NOT_FINITE);
            assert_true(after.t == before.t && !memcmp(after.q, before.q, sizeof after.q));
            assert_memory_equal(after.p, before.p, sizeof after.p);
        }
        /* or its nodes lie so that a step leads past the sun: the equations have a solution */
        if (failures && failures <= 100) fail_msg("%d failures", failures);
        all += failures;
        for (int i = 0; i < EIGHT; i++)
            if (i != doomed) compare(with, i, without, i, name[m], 200);
        with.engine->drop(with.work);
        without.engine->drop(without.work);
        noe_method_free(f);
    }
    assert_true(all > 100);
    noe_system_free(s);
}

/* A top that stands upright, where phi and psi are one angle, cannot start; its neighbours can. */
static void test_a_singular_start_is_one_members(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/lagrange_top.lag");
    noe_method *f = method("simpson");
    run         r = make_run(&own, s, f, suggested_step(s));
    const bool  momentum[DOFS] = { false };
    const int   upright = 3, nowhere = 5;
    for (int i = 0; i < EIGHT; i++) {
        point x = random_point(s);
        if (i == upright) x.q[1] = 0;
        if (i == nowhere) x.q[1] = nanq("");
        put_point(r, i, &x);
    }
    assert_int_equal(r.engine->start(r.work, momentum), 1u << upright | 1u << nowhere);
    assert_int_equal(r.engine->why(r.work, upright), NOE_SINGULAR);
    assert_int_equal(r.engine->why(r.work, nowhere), NOE_NOT_FINITE);
    for (int i = 0; i < EIGHT; i++)
        if (i != upright && i != nowhere) assert_int_equal(r.engine->why(r.work, i), NOE_OK);
    r.engine->drop(r.work);
    noe_method_free(f);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_member_has_its_own_pivots),
        cmocka_unit_test(test_a_collapse_disturbs_nobody),
        cmocka_unit_test(test_a_singular_start_is_one_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
