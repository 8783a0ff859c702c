/* bits that flip, ends that are lost, blocks that change places:  --from gives the same rows.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Or status 2, soon.
 * Needs: hdf5.
 *
 * NOE_DAMAGED=10000 for as many files; 300 otherwise. */
#include "base/optional_library.h"
#include "output/sink.h"
#include "scratch.h"

#ifndef NOE_HDF5
int main(void) { return 0; }
#else
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum {
    SECONDS = 2,
    PATIENCE = 60,
    MOST = 1 << 18
}; /* of the processor, and of a machine that others use, too */

static char command[4096];

typedef struct {
    unsigned char at[MOST];
    size_t        n;
} bytes;

static void load(bytes *x, const char *name)
{
    FILE *f = fopen(in_scratch(name), "rb");
    assert_non_null(f);
    x->n = fread(x->at, 1, MOST, f);
    assert_true(x->n < MOST);
    fclose(f);
}

static void store(const bytes *x, const char *name)
{
    FILE *f = fopen(in_scratch(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(x->at, 1, x->n, f), x->n);
    fclose(f);
}

/* The exit status of the command in the scratch folder; a signal is none. */
static int noether(const char *const *words)
{
    const pid_t child = fork();
    if (!child) {
        const struct rlimit limit = { SECONDS, SECONDS + 1 };
        if (chdir(scratch) || setrlimit(RLIMIT_CPU, &limit)) _exit(99);
        alarm(PATIENCE);
        if (!freopen("out", "w", stdout) || !freopen("err", "w", stderr)) _exit(99);
        execv(command, (char *const *)words);
        _exit(99);
    }
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static size_t below(size_t n) { return (size_t)(bits() % n); }

static void swap(bytes *x, size_t a, size_t b, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const unsigned char c = x->at[a + k];
        x->at[a + k] = x->at[b + k], x->at[b + k] = c;
    }
}

static const char *damage(bytes *x)
{
    const size_t block = (size_t)1 << below(10), places = x->n / block;
    const size_t from = block * below(places), to = block * below(places);
    switch (bits() % 6) {
    case 0: x->at[below(x->n)] ^= (unsigned char)(1 << bits() % 8); return "one bit";
    case 1:
        for (size_t k = 2 + below(30); k > 0; k--)
            x->at[below(x->n)] ^= (unsigned char)(1 << bits() % 8);
        return "some bits";
    case 2: x->n = below(x->n); return "the end";
    case 3: swap(x, from, to, block); return "two blocks";
    case 4: memset(x->at + to, bits() % 2 ? 0 : 0xff, block); return "a block";
    default: memmove(x->at + to, x->at + from, block); return "a copy";
    }
}

static void test_damaged(void **state)
{
    (void)state;
    static const char model[] =
        "parameter g = 2\ncoordinate q\nkinetic q'^2/2\npotential g*(1 - cos(q))\nstart q = 1\n"
        "force q = table(\"push.csv\", t)/10\n";
    static const char *const write[] = { "noether", "run",     "model.lag", "--method", "simpson",
                                         "--step",  "0.01",    "--until",   "1",        "--every",
                                         "10",      "--quiet", "--output",  "whole.h5", NULL };
    static const char *const go_on[] = { "noether", "run", "model.lag", "--from", "damaged.h5",
                                         "--until", "1.1", "--quiet",   NULL };
    static bytes             whole, now, rows, out, err;
    const char              *many = getenv("NOE_DAMAGED");
    const int                files = many ? atoi(many) : 300;
    int                      same = 0;
    put("model.lag", model);
    put("push.csv", "0,0\n1,1\n3,0\n");
    assert_int_equal(noether(write), 0);
    load(&whole, "whole.h5");
    store(&whole, "damaged.h5");
    assert_int_equal(noether(go_on), 0);
    load(&rows, "out");
    assert_true(rows.n > 300);
    for (int k = 0; k < files; k++) {
        const char *what = "";
        bool        none = true;
        for (int tries = 0; none && tries <= k % 20;
             tries++) { /* blocks may be alike: of one file in twenty, or so, nothing changes */
            now = whole;
            what = damage(&now);
            none = now.n == whole.n && !memcmp(now.at, whole.at, now.n);
        }
        store(&now, "damaged.h5");
        const int status = noether(go_on);
        load(&out, "out"), load(&err, "err");
        if (status == 0) same++;
        if (status == 0 ? out.n != rows.n || memcmp(out.at, rows.at, out.n) : status != 2)
            fail_msg("file %d of %d, damaged in %s: status %d: %.*s", k, files, what, status,
                     (int)err.n, (const char *)err.at);
        if (none != (status == 0))
            fail_msg("file %d, %s: %s, status %d", k, what,
                     none ? "nothing has changed" : "not noticed", status);
        if (status && (!err.n || out.n)) fail_msg("file %d, %s: no message, or rows", k, what);
    }
    printf("%d damaged files: %d were as before, %d refused\n", files, same, files - same);
    remove(in_scratch("out")), remove(in_scratch("err")), remove(in_scratch("damaged.h5")),
        remove(in_scratch("whole.h5"));
    remove(in_scratch("model.lag")), remove(in_scratch("push.csv"));
}

int main(void)
{
    const char *build = getenv("NOE_BUILD_DIR");
    char        line[4000];
    snprintf(line, sizeof line, "%s/noether", build ? build : "build");
    if (!realpath(line, command)) return fprintf(stderr, "no %s\n", line), 1;
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_damaged) };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
#endif
