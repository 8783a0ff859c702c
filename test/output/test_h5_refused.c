/* A file to go on from that is another one, damaged, cut or changed is refused with its reason.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Needs: hdf5. */
#include "restart_file.h"
#include "output/restart.h"
#include "output/sink.h"
#include "output/file_seal.h"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>

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

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_fixed_text),
        cmocka_unit_test(test_cut_files),
        cmocka_unit_test(test_changed),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
