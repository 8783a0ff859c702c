/* table + table_low = x;  what a run wrote, the next one reads, or hears why not.
 * SPDX-License-Identifier: BSD-3-Clause
 * Needs: hdf5. */
#include "base/optional_library.h"
#include "output/sink.h"
#include "scratch.h"

#ifndef NOE_HDF5
static void test_without(void **state)
{
    (void)state;
    static const char *const name[] = { "t" };
    noe_restart              r;
    assert_null(
        noe_sink_open(in_scratch("a.h5"), &(noe_head){ .columns = 1, .name = name, .digits = 15 }));
    assert_non_null(strstr(noe_error(), "built without HDF5; install libhdf5-dev"));
    noe_error_clear();
    assert_int_equal(noe_restart_read("a.h5", &r), NOE_IO);
    assert_non_null(strstr(noe_error(), "built without HDF5"));
    assert_int_equal(count_scratch(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_without) };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
#else
#include "output/file_seal.h"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>

static const char *const names[] = { "t", "q", "p(q)", "energy" };
static const noe_head    head = { .columns = 4,
                                  .name = names,
                                  .digits = 15,
                                  .model = "coordinate q",
                                  .source = "q.lag",
                                  .changes = "g = 2",
                                  .method = "gauss 3",
                                  .system = "q",
                                  .step = 0.01,
                                  .t0 = -2 };

static char **names_of(size_t n)
{
    char **name = calloc(n, sizeof *name);
    for (size_t j = 0; j < n; j++) sprintf(name[j] = calloc(32, 1), "x[%zu]", j);
    return name;
}

static void free_names(char **name, size_t n)
{
    for (size_t j = 0; j < n; j++) free(name[j]);
    free(name);
}

/* Reads with HDF5's own functions and compares with the rows, to the bit. */
static void compare_table(hid_t file, const char *name, const double *x, size_t rows,
                          size_t columns)
{
    hsize_t size[2];
    hid_t   d = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(d);
    assert_int_equal(H5Sget_simple_extent_ndims(space), 2);
    H5Sget_simple_extent_dims(space, size, NULL);
    assert_int_equal(size[0], rows);
    assert_int_equal(size[1], columns);
    double *y = calloc(rows * columns + 1, sizeof *y);
    assert_true(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, y) >= 0);
    assert_memory_equal(x, y, rows * columns * sizeof *x);
    free(y);
    H5Sclose(space);
    H5Dclose(d);
}

static void check_table(size_t rows, size_t columns, int digits)
{
    char  **name = names_of(columns);
    double *high = calloc(rows * columns + 1, sizeof *high),
           *low = calloc(rows * columns + 1, sizeof *low);
    quad     *row = calloc(columns, sizeof *row);
    noe_head  h = { .columns = (int)columns, .name = (const char *const *)name, .digits = digits };
    noe_sink *s = noe_sink_open(in_scratch("a.h5"), &h);
    assert_non_null(s);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            row[j] = (quad)any_double() / (digits == 33 ? 3 : 1);
            high[i * columns + j] = (double)row[j];
            low[i * columns + j] = (double)(row[j] - (double)row[j]);
        }
        assert_int_equal(noe_sink_row(s, row), NOE_OK);
    }
    assert_int_equal(noe_sink_close(s, NULL, 0), NOE_OK);

    hid_t file = H5Fopen(in_scratch("a.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    compare_table(file, "table", high, rows, columns);
    if (digits == 33) compare_table(file, "table_low", low, rows, columns);
    else assert_int_equal(H5Lexists(file, "table_low", H5P_DEFAULT), 0);
    hid_t a = H5Aopen(file, "columns", H5P_DEFAULT), type = H5Aget_type(a), space = H5Aget_space(a);
    size_t wide = H5Tget_size(type);
    char  *text = calloc(columns, wide);
    assert_int_equal(H5Tis_variable_str(type), 0);
    assert_int_equal(H5Sget_simple_extent_npoints(space), columns);
    assert_true(H5Aread(a, type, text) >= 0);
    for (size_t j = 0; j < columns; j++) {
        assert_true(strlen(name[j]) <= wide);
        assert_int_equal(strncmp(text + j * wide, name[j], wide), 0);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(a);
    H5Fclose(file);
    free(text);
    free(row);
    free(low);
    free(high);
    free_names(name, columns);
}

/* Chunks of one, five and 4096 rows; tables that end before, at and after a chunk's end. */
static void test_chunks(void **state)
{
    (void)state;
    static const size_t shape[][2] = { { 0, 3 },    { 1, 3 },    { 4095, 4 },  { 4096, 4 },
                                       { 4097, 4 }, { 8192, 4 }, { 12289, 4 }, { 4, 3000 },
                                       { 5, 3000 }, { 6, 3000 }, { 10, 3000 }, { 11, 3000 },
                                       { 3, 10000 } };
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
        check_table(shape[i][0], shape[i][1], 15);
    check_table(4097, 4, 33);
    check_table(11, 3000, 33);
}

static void test_huge_head(void **state)
{
    (void)state;
    enum { LONG = 300000 };
    char *text = malloc(LONG + 1);
    memset(text, 'm', LONG);
    text[LONG] = 0;
    noe_head h = head;
    h.model = h.changes = h.inputs = text;
    noe_sink *s = noe_sink_open(in_scratch("huge.h5"), &h);
    assert_int_equal(noe_sink_close(s, text, LONG), NOE_OK);
    noe_restart r;
    assert_int_equal(noe_restart_read(in_scratch("huge.h5"), &r), NOE_OK);
    assert_string_equal(r.model, text);
    assert_string_equal(r.changes, text);
    assert_string_equal(r.inputs, text);
    assert_int_equal(r.bytes, LONG);
    assert_memory_equal(r.state, text, LONG);
    noe_restart_free(&r);
    free(text);
}

static void test_restart(void **state)
{
    (void)state;
    unsigned char bytes[777];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)seed++;
    noe_head h = head;
    h.digits = 33;
    h.step = (quad)1 / 3;
    h.t0 = -(quad)1 / 7;
    h.source = NULL;
    h.changes = "";
    noe_sink *s = noe_sink_open(in_scratch("r.h5"), &h);
    assert_int_equal(noe_sink_close(s, bytes, sizeof bytes), NOE_OK);
    noe_restart r;
    assert_int_equal(noe_restart_read(in_scratch("r.h5"), &r), NOE_OK);
    assert_string_equal(r.model, h.model);
    assert_null(r.source);
    assert_string_equal(r.changes, "");
    assert_null(r.inputs);
    assert_string_equal(r.method, h.method);
    assert_true(r.step == h.step && r.t0 == h.t0);
    assert_int_equal(r.digits, 33);
    assert_int_equal(r.bytes, sizeof bytes);
    assert_memory_equal(r.state, bytes, sizeof bytes);
    noe_restart_free(&r);
    noe_restart_free(&r);
    noe_restart_free(NULL);
    assert_int_equal(noe_restart_read(NULL, &r), NOE_INVALID);
    assert_int_equal(noe_restart_read("r.h5", NULL), NOE_INVALID);
    assert_null(noe_error());
}

static void expect_refusal(const char *message)
{
    noe_restart r;
    assert_int_equal(noe_restart_read(in_scratch("bad.h5"), &r), NOE_IO);
    if (!strstr(noe_error(), message)) fail_msg("%s", noe_error());
    assert_true(!r.model && !r.state && !r.bytes);
    noe_error_clear();
}

static void write_file(const char *name, const char *bytes, size_t n)
{
    FILE *f = fopen(in_scratch(name), "wb");
    fwrite(bytes, 1, n, f);
    fclose(f);
}

static void whole_file(void)
{
    noe_sink *s = noe_sink_open(in_scratch("bad.h5"), &head);
    assert_int_equal(noe_sink_close(s, "state", 5), NOE_OK);
}

/* What HDF5 has written to is no longer sealed; under a new seal its contents are looked at. */
static void reseal(void)
{
    int fd = open(in_scratch("bad.h5"), O_RDWR);
    assert_int_equal(noe_file_seal_put(fd), 0);
    close(fd);
}

/* The attribute `name` becomes a number of this type, or disappears. */
static void spoil(const char *name, hid_t type)
{
    whole_file();
    hid_t file = H5Fopen(in_scratch("bad.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Adelete(file, name) >= 0);
    if (type) {
        const union {
            double d;
            int    i;
        } x = { .i = 20 };
        hid_t space = H5Screate(H5S_SCALAR);
        hid_t a = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(a, type, &x);
        H5Aclose(a);
        H5Sclose(space);
    }
    H5Fclose(file);
    reseal();
}

static void replace_text(const char *name, const char *text, size_t length)
{
    spoil(name, 0);
    hid_t file = H5Fopen(in_scratch("bad.h5"), H5F_ACC_RDWR, H5P_DEFAULT),
          space = H5Screate(H5S_SCALAR);
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    hid_t a = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, type, text);
    H5Aclose(a);
    H5Tclose(type);
    H5Sclose(space);
    H5Fclose(file);
    reseal();
}

/* A text in the global heap, as h5py writes them. */
static void variable_text(const char *name, const char *text)
{
    spoil(name, 0);
    hid_t file = H5Fopen(in_scratch("bad.h5"), H5F_ACC_RDWR, H5P_DEFAULT),
          space = H5Screate(H5S_SCALAR);
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    hid_t a = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, type, &text);
    H5Aclose(a);
    H5Tclose(type);
    H5Sclose(space);
    H5Fclose(file);
    reseal();
}

static void replace_state(hid_t type, hsize_t count)
{
    whole_file();
    char *zeros = calloc(count + 1, 8);
    hid_t file = H5Fopen(in_scratch("bad.h5"), H5F_ACC_RDWR, H5P_DEFAULT),
          space = H5Screate_simple(1, &count, NULL);
    H5Ldelete(file, "state", H5P_DEFAULT);
    hid_t d = H5Dcreate2(file, "state", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros);
    H5Dclose(d);
    H5Sclose(space);
    H5Fclose(file);
    free(zeros);
    reseal();
}

static void test_bad_files(void **state)
{
    (void)state;
    expect_refusal("No such file or directory");
    write_file("bad.h5", "", 0);
    expect_refusal("not an HDF5 file");
    write_file("bad.h5", "t,q\n1,2\n", 8);
    expect_refusal("not an HDF5 file");
    hid_t file = H5Fcreate(in_scratch("bad.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    expect_refusal("not as noether left it");
    reseal();
    expect_refusal("'step_exact' is missing");
    spoil("t0_exact", 0);
    expect_refusal("'t0_exact' is missing");
    spoil("t0_exact", H5T_NATIVE_DOUBLE);
    expect_refusal("'t0_exact' is no text of fixed length");
    variable_text("t0_exact", "0.5");
    expect_refusal("'t0_exact' is no text of fixed length");
    spoil("method", H5T_NATIVE_DOUBLE);
    expect_refusal("'method' is no text");
    spoil("digits", 0);
    expect_refusal("'digits' is neither");
    spoil("digits", H5T_NATIVE_DOUBLE);
    expect_refusal("'digits' is neither");
    spoil("digits", H5T_NATIVE_INT);
    expect_refusal("'digits' is neither 15 nor 33");
    replace_text("step_exact", "half", 4);
    expect_refusal("'step_exact' is no number");
    replace_text("step_exact", "nan", 3);
    expect_refusal("'step_exact' is no number");
    replace_state(H5T_NATIVE_DOUBLE, 3);
    expect_refusal("'state' is not a row of bytes");
    replace_state(H5T_NATIVE_UINT8, 0);
    expect_refusal("'state' is not a row of bytes");
    noe_sink *s = noe_sink_open(in_scratch("bad.h5"), &head);
    assert_int_equal(noe_sink_close(s, NULL, 0), NOE_OK);
    expect_refusal("'state' is missing");
}

/* Another length than ours, without a closing 0. */
static void test_fixed_text(void **state)
{
    (void)state;
    replace_text("step_exact", "0.125", 5);
    noe_restart r;
    assert_int_equal(noe_restart_read(in_scratch("bad.h5"), &r), NOE_OK);
    assert_true(r.step == 0.125);
    noe_restart_free(&r);
}

/* Whatever another program changes, if only by opening the file for writing, is refused before
 * HDF5 reads it. */
static void test_changed(void **state)
{
    (void)state;
    whole_file();
    H5Fclose(H5Fopen(in_scratch("bad.h5"), H5F_ACC_RDWR, H5P_DEFAULT));
    expect_refusal("written to by another program");
    whole_file();
    hid_t file = H5Fopen(in_scratch("bad.h5"), H5F_ACC_RDWR, H5P_DEFAULT),
          d = H5Dopen2(file, "state", H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, "STATE");
    H5Dclose(d);
    H5Fclose(file);
    expect_refusal("written to by another program");
    whole_file();
    FILE *f = fopen(in_scratch("bad.h5"), "a");
    fputs("more", f);
    fclose(f);
    expect_refusal("not as noether left it");
    assert_int_equal(mkdir(in_scratch("folder.h5"), 0700), 0);
    noe_restart r;
    assert_int_equal(noe_restart_read(in_scratch("folder.h5"), &r), NOE_IO);
    assert_non_null(strstr(noe_error(), "it is no file"));
    noe_error_clear();
    rmdir(in_scratch("folder.h5"));
}

/* The seal is for us; who reads the rows alone hears of damage by their checksums. */
static void test_rows_have_checksums(void **state)
{
    (void)state;
    whole_file();
    hid_t file = H5Fopen(in_scratch("bad.h5"), H5F_ACC_RDONLY, H5P_DEFAULT),
          d = H5Dopen2(file, "table", H5P_DEFAULT), list = H5Dget_create_plist(d);
    unsigned flags, value[8], config;
    bool     found = false;
    for (int k = 0; k < H5Pget_nfilters(list); k++) {
        size_t count = 8;
        found |= H5Pget_filter2(list, (unsigned)k, &flags, &count, value, 0, NULL, &config)
              == H5Z_FILTER_FLETCHER32;
    }
    assert_true(found);
    H5Pclose(list), H5Dclose(d), H5Fclose(file);
}

/* A file cut anywhere is refused with a message, never with a crash. */
static void test_cut_files(void **state)
{
    (void)state;
    whole_file();
    FILE  *f = fopen(in_scratch("bad.h5"), "rb");
    char   bytes[1 << 16];
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_true(n > 1000 && n < sizeof bytes);
    for (size_t cut = 0; cut < n; cut += 1 + bits() % 97) {
        noe_restart r;
        write_file("bad.h5", bytes, cut);
        assert_int_equal(noe_restart_read(in_scratch("bad.h5"), &r), NOE_IO);
        assert_non_null(noe_error());
        noe_error_clear();
    }
}

static herr_t report(hid_t stack, void *count)
{
    (void)stack;
    ++*(int *)count;
    return 0;
}

/* The host program's own error handler hears nothing of ours and is in force afterwards. */
static void test_error_handler(void **state)
{
    (void)state;
    H5E_auto2_t before, now;
    void       *with, *with_now;
    int         reports = 0;
    H5Eget_auto2(H5E_DEFAULT, &before, &with);
    H5Eset_auto2(H5E_DEFAULT, report, &reports);
    write_file("bad.h5", "no", 2);
    expect_refusal("not an HDF5 file");
    H5Eget_auto2(H5E_DEFAULT, &now, &with_now);
    assert_true(now == report && with_now == &reports);
    H5Eset_auto2(H5E_DEFAULT, before, with);
    assert_int_equal(reports, 0);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks),        cmocka_unit_test(test_huge_head),
        cmocka_unit_test(test_restart),       cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_fixed_text),    cmocka_unit_test(test_cut_files),
        cmocka_unit_test(test_changed),       cmocka_unit_test(test_rows_have_checksums),
        cmocka_unit_test(test_error_handler),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
#endif
