/* Tables of events in .h5 and .json = events that a program watches.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A run in two parts = in one, through events.
 * Needs: hdf5. */
#include "event/event_step.h"
#include "job/verbs.h"
#include "laws.h"
#include "scratch.h"

#include <hdf5.h>

enum { MOST = 4000, WIDTH = 6 }; /* event, t, x, y, p(x), p(y) */

typedef struct {
    int    count;
    double row[MOST][WIDTH];
} events;

static char model[400];

/* A body over a floor between two walls; the floor keeps a part of the normal velocity. */
static void random_model(double e)
{
    strcpy(model, in_scratch("m.lag"));
    FILE *f = fopen(model, "w");
    fprintf(
        f,
        "coordinate x, y\nkinetic (1 + x^2/4)*x'^2/2 + y'^2/2 + %.6f*x'*y'\n"
        "potential y + %.6f*x^4\nstart y = %.6f, x = 0.3, x' = %.6f, y' = 0.1\n"
        "event floor: y = 0 falling then bounce %.6f\nevent left: x = -1 falling then bounce 1\n"
        "event middle: x = %.6f\nevent turn: y' = 0 rising\nevent late: t = %.6f stop\n",
        0.3 * random_number(), 0.4 + 0.2 * random_number(), 1 + 0.3 * random_number(),
        1 + random_number() / 2, e, random_number() / 4, 30.0);
    fclose(f);
}

static int see(void *ctx, const noe_integrator *at)
{
    events *r = ctx;
    if (r->count == MOST) return 1;
    double *row = r->row[r->count++];
    row[0] = noe_get(at, "event"), row[1] = noe_time(at);
    memcpy(row + 2, noe_q(at), 2 * sizeof *row), memcpy(row + 4, noe_p(at), 2 * sizeof *row);
    return 0;
}

/* The events of a run of the library, and its last state. */
static void watched(const char *name, double h, double until, events *r, double end[4])
{
    noe_system     *s = load(model);
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    r->count = 0;
    assert_int_equal(noe_watch(g, see, r), NOE_OK);
    if (noe_run(g, until, NULL, NULL)) fail_msg("%s", noe_error());
    memcpy(end, noe_q(g), 2 * sizeof *end), memcpy(end + 2, noe_p(g), 2 * sizeof *end);
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
}

/* A run of the command; returns its exit status. */
static int perform(const char *name, const char *step, double until, const char *from,
                   const char *output, int digits, const char *stop)
{
    char    to[32], path[400], start[400];
    noe_job j = { .model = model, .quiet = 1, .every = 1, .columns = "t,x,y,x.p,y.p" };
    snprintf(to, sizeof to, "%.17g", until);
    strcpy(path, in_scratch(output));
    if (from) strcpy(start, in_scratch(from));
    j.method = from ? NULL : name, j.step = from ? NULL : step, j.until = to;
    j.from = from ? start : NULL, j.output = path, j.digits = from ? 0 : digits, j.stop = stop;
    const int status = noe_run_job(&j);
    if (status == 2) fail_msg("%s", noe_error());
    return status;
}

static void read_h5(const char *name, const char *dataset, events *r)
{
    hsize_t size[2];
    hid_t   f = H5Fopen(in_scratch(name), H5F_ACC_RDONLY, H5P_DEFAULT),
          d = H5Dopen2(f, dataset, H5P_DEFAULT), space = H5Dget_space(d);
    assert_int_equal(H5Sget_simple_extent_dims(space, size, NULL), 2);
    assert_true(size[0] <= MOST && size[1] <= WIDTH);
    double *x = calloc(size[0] * size[1] + 1, sizeof *x);
    assert_true(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    for (r->count = 0; r->count < (int)size[0]; r->count++)
        memcpy(r->row[r->count], x + (size_t)r->count * size[1], size[1] * sizeof *x);
    free(x);
    H5Sclose(space);
    H5Dclose(d);
    H5Fclose(f);
}

/* The texts of an attribute, with commas between them. */
static void attribute_is(const char *name, const char *attribute, const char *expected)
{
    hid_t f = H5Fopen(in_scratch(name), H5F_ACC_RDONLY, H5P_DEFAULT),
          a = H5Aopen(f, attribute, H5P_DEFAULT), type = H5Aget_type(a), space = H5Aget_space(a);
    const size_t   wide = H5Tget_size(type);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    char          *text = calloc((size_t)count + 1, wide), all[400] = "";
    assert_true(H5Aread(a, type, text) >= 0);
    for (hssize_t i = 0; i < count; i++)
        sprintf(all + strlen(all), "%s%.*s", i ? "," : "", (int)wide, text + (size_t)i * wide);
    assert_string_equal(all, expected);
    free(text);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(a);
    H5Fclose(f);
}

static const char *const event_names[] = { "floor", "left", "middle", "turn", "late" };

static void read_json(const char *name, events *r)
{
    char             *text = slurp(in_scratch(name));
    const char *const head =
        "\"events\": {\"columns\": [\"event\", \"t\", \"x\", \"y\", \"p(x)\", \"p(y)\"],\n"
        "\"rows\": [";
    char *s = strstr(text, head);
    assert_non_null(s);
    s += strlen(head);
    for (r->count = 0; (s = strchr(s, '\n')) && s[1] == '['; r->count++) {
        char word[40];
        assert_int_equal(sscanf(s + 2, "\"%39[^\"]\"", word), 1);
        r->row[r->count][0] = 0;
        for (int k = 0; k < 5; k++)
            if (!strcmp(word, event_names[k])) r->row[r->count][0] = k + 1;
        s += 4 + strlen(word);
        for (int i = 1; i < WIDTH; i++) {
            assert_int_equal(*s, ',');
            r->row[r->count][i] = strtod(s + 1, &s);
        }
        assert_int_equal(*s, ']');
    }
    free(text);
}

static void same_events(const events *a, const events *b, int from)
{
    assert_int_equal(a->count - from, b->count);
    assert_memory_equal(a->row[from], b->row, (size_t)b->count * sizeof *b->row);
}

static const char *const methods[] = { "simpson", "gauss 4", "verlet", "rk4", "lobatto 3" };

/* The walk of every test: a random model, method and step. */
static const char *random_method(void)
{
    const char *name = methods[bits() % 5];
    return strcmp(name, "verlet") ? name : "gauss 2"; /* the mass matrix depends on x */
}

static void test_tables(void **unused)
{
    (void)unused;
    static events seen, read;
    double        end[4];
    for (int i = 0; i < 6; i++) {
        const char *name = random_method();
        random_model(0.85 + 0.15 * fabs(random_number()));
        watched(name, 0.05, 6, &seen, end);
        assert_in_range(seen.count, 3, MOST - 1);
        assert_int_equal(perform(name, "0.05", 6, NULL, "a.h5", 15, NULL), 0);
        read_h5("a.h5", "events", &read);
        same_events(&seen, &read, 0);
        attribute_is("a.h5", "event_columns", "event,t,x,y,p(x),p(y)");
        attribute_is("a.h5", "event_names", "floor,left,middle,turn,late");
        assert_int_equal(perform(name, "0.05", 6, NULL, "a.json", 15, NULL), 0);
        read_json("a.json", &read);
        same_events(&seen, &read, 0);
    }
    /* 33 digits: the low parts, too; the high parts are those of the events in 15 digits to
     * rounding. */
    assert_int_equal(perform("gauss 4", "0.05", 6, NULL, "w.h5", 33, NULL), 0);
    static events low;
    read_h5("w.h5", "events", &read), read_h5("w.h5", "events_low", &low);
    assert_int_equal(read.count, low.count);
    assert_true(read.count > 2);
    int parts = 0;
    for (int k = 0; k < low.count; k++)
        for (int j = 1; j < WIDTH; j++) {
            assert_true(fabs(low.row[k][j]) <= 0x1p-53 * fabs(read.row[k][j]));
            parts += low.row[k][j] != 0;
        }
    assert_true(parts > 3 * low.count);
    /* Without events there is no table. */
    FILE *f = fopen(model, "w");
    fputs("coordinate x, y\nkinetic x'^2/2 + y'^2/2\nstart x' = 1\n", f);
    fclose(f);
    assert_int_equal(perform("gauss 2", "0.05", 1, NULL, "n.h5", 15, NULL), 0);
    hid_t file = H5Fopen(in_scratch("n.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_int_equal(H5Lexists(file, "events", H5P_DEFAULT), 0);
    H5Fclose(file);
}

/* A run to a random step and on from its file: the same events and the same last row, bit for
 * bit. */
static void test_restart(void **unused)
{
    (void)unused;
    static events whole, first, second, rows, rest;
    for (int i = 0; i < 10; i++) {
        const char  *name = random_method();
        const int    cut = 1 + (int)(bits() % 159);
        const double half = cut * 0.0625;
        random_model(0.85 + 0.15 * fabs(random_number()));
        assert_int_equal(perform(name, "1/16", 10, NULL, "a.h5", i % 5 ? 15 : 33, NULL), 0);
        assert_int_equal(perform(name, "1/16", half, NULL, "b.h5", i % 5 ? 15 : 33, NULL), 0);
        assert_int_equal(perform(name, "1/16", 10, "b.h5", "c.h5", 0, NULL), 0);
        read_h5("a.h5", "events", &whole), read_h5("b.h5", "events", &first);
        read_h5("c.h5", "events", &second);
        assert_true(whole.count > 3);
        assert_int_equal(first.count + second.count, whole.count);
        same_events(&whole, &second, first.count);
        read_h5("a.h5", "table", &rows), read_h5("c.h5", "table", &rest);
        assert_memory_equal(rows.row[rows.count - 1], rest.row[rest.count - 1], 5 * sizeof(double));
    }
}

/* A run that an event stopped goes on from its file as the integrator does; the event is not met
 * again. */
static void test_from_a_stop(void **unused)
{
    (void)unused;
    static events seen, read;
    int           stops = 0;
    for (int i = 0; i < 8 || (stops < 3 && i < 80); i++) {
        const char *name = random_method();
        const int   stop = (int)(bits() % 4);
        random_model(0.9);
        assert_int_equal(perform(name, "1/16", 12, NULL, "a.h5", 15, event_names[stop]), 0);
        read_h5("a.h5", "events", &read);
        assert_true(read.count > 0);
        if (read.row[read.count - 1][0] != stop + 1) continue; /* it never happens */
        stops++;
        const double    at = read.row[read.count - 1][1], until = at + 48 * 0.0625;
        noe_system     *s = load(model);
        noe_method     *m = method(name);
        noe_integrator *g = noe_integrator_new(s, m, 0.0625);
        assert_int_equal(noe_watch(g, see, &seen), NOE_OK);
        g->events->stop_at = stop, seen.count = 0;
        assert_int_equal(noe_run(g, 12, NULL, NULL), NOE_STOPPED);
        same_events(&seen, &read, 0);
        g->events->stop_at = -1, seen.count = 0;
        for (int k = 0; k < 48; k++) assert_int_equal(noe_step(g), NOE_OK);
        assert_int_equal(perform(NULL, NULL, until, "a.h5", "b.h5", 0, NULL), 0);
        read_h5("b.h5", "events", &read);
        same_events(&seen, &read, 0);
        if (read.count && read.row[0][0] == stop + 1) assert_true(read.row[0][1] > at + 1e-6);
        noe_integrator_free(g);
        noe_method_free(m);
        noe_system_free(s);
    }
    assert_true(stops >= 3);
}

/* A ball that comes to rest: exit status 3; from the file of the last good state the same again. */
static void test_resting_ball(void **unused)
{
    (void)unused;
    static events rows, more;
    for (int i = 0; i < 6; i++) {
        const double e = i ? 0.3 + 0.5 * fabs(random_number()) : 0, y = 1 + random_number() / 2;
        const double rest = sqrt(2 * y) * (1 + e) / (1 - e);
        const char  *name = random_method();
        FILE        *f = fopen(model, "w");
        fprintf(f,
                "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential y\nstart y = %.17g, x' = 0.3\n"
                "event floor: y = 0 falling then bounce %.17g\n",
                y, e);
        fclose(f);
        for (int again = 0; again < 2; again++) {
            noe_error_clear();
            assert_int_equal(
                perform(name, "1/16", 40, again ? "a.h5" : NULL, again ? "b.h5" : "a.h5", 15, NULL),
                3);
            const char *at = strstr(noe_error(), "t = ");
            assert_non_null(at);
            if (!strstr(noe_error(), e > 0 ? "happens infinitely often" : "rests on"))
                fail_msg("%s", noe_error());
            small(strtod(at + 4, NULL) - rest, rest, 1e-12, "the time of rest");
        }
        noe_error_clear();
        read_h5("a.h5", "table", &rows), read_h5("b.h5", "table", &more);
        assert_int_equal(more.count, 1); /* the last good state, from which no step leads */
        assert_memory_equal(rows.row[rows.count - 1], more.row[0], 5 * sizeof(double));
        assert_true(rows.row[rows.count - 1][0] <= rest);
        assert_true(rows.row[rows.count - 1][0] > rest - 2 * 0.0625);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_from_a_stop),
        cmocka_unit_test(test_resting_ball),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
