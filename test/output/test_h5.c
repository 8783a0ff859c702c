/* table + table_low = x;  what a run wrote, the next one reads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Needs: hdf5. */
#include "restart_file.h"
#include "output/restart.h"
#include "output/file_seal.h"
#include "output/sink.h"

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

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

/* Rows that others write into the room that was made for them, in any order; the file is sealed
 * after them. */
static void test_placed(void **state)
{
    (void)state;
    const size_t columns = 1 + bits() % 9, rows = 2 + bits() % 5000, cut = 1 + bits() % (rows - 1);
    char       **name = names_of(columns);
    const char  *path = NULL;
    double      *x = calloc(rows * columns, sizeof *x);
    noe_head     h = {
            .columns = (int)columns, .name = (const char *const *)name, .digits = 15, .placed = rows
    };
    uint64_t bytes;
    for (size_t i = 0; i < rows * columns; i++) x[i] = any_double();
    assert_false(noe_sink_can_place("a.csv") || noe_sink_can_place("h5"));
    assert_true(noe_sink_can_place("a.H5"));
    noe_sink *s = noe_sink_open(in_scratch("placed.h5"), &h);
    assert_non_null(s);
    noe_sink_ended(s, "a reason");
    assert_int_equal(noe_sink_place(s, &path), NOE_OK);
    const hsize_t at[] = { cut, 0, 0, 0 }, size[] = { rows - cut, columns, cut, columns };
    for (int part = 0; part < 2; part++) {
        const hid_t   file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t   d = H5Dopen2(file, NOE_SINK_TABLE, H5P_DEFAULT), all = H5Dget_space(d);
        const hid_t   memory = H5Screate_simple(2, size + 2 * part, NULL);
        const double *from = part ? x : x + cut * columns;
        H5Sselect_hyperslab(all, H5S_SELECT_SET, at + 2 * part, NULL, size + 2 * part, NULL);
        assert_true(H5Dwrite(d, H5T_NATIVE_DOUBLE, memory, all, H5P_DEFAULT, from) >= 0);
        H5Sclose(memory), H5Sclose(all), H5Dclose(d), H5Fclose(file);
    }
    assert_int_equal(access(in_scratch("placed.h5"), F_OK), -1);
    assert_int_equal(noe_sink_close(s, NULL, 0), NOE_OK);
    const int fd = open(in_scratch("placed.h5"), O_RDONLY);
    assert_int_equal(noe_file_seal_look(fd, &bytes), NOE_SEAL_WHOLE);
    close(fd);
    const hid_t file = H5Fopen(in_scratch("placed.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    compare_table(file, NOE_SINK_TABLE, x, rows, columns);
    assert_true(H5Aexists(file, "ended") > 0);
    H5Fclose(file);
    free(x);
    free_names(name, columns);
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
    /* for test_placed: a sink has its temporary file locked */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks),        cmocka_unit_test(test_huge_head),
        cmocka_unit_test(test_restart),       cmocka_unit_test(test_rows_have_checksums),
        cmocka_unit_test(test_error_handler), cmocka_unit_test(test_placed),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
