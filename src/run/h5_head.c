/* a file = its rows + how they came about: model, changes, method, step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts are attributes of the root group, but for the model, a dataset.  Object headers are those of HDF5 1.8
 * and later (create_file in h5.c), whose attributes may exceed 64 KB (H5A reference, "dense storage"). */
#include "base/table.h"

#ifdef NOE_HDF5
#include "run/h5.h"
#include "run/number.h"

/* UTF-8 of any length. */
static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static herr_t attach(hid_t file, const char *name, hid_t type, const void *x, const hsize_t *count)
{
    hid_t  space = count ? H5Screate_simple(1, count, NULL) : H5Screate(H5S_SCALAR);
    hid_t  a = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t e = a < 0 ? -1 : H5Awrite(a, type, x);
    if (a >= 0) H5Aclose(a);
    H5Sclose(space);
    return e;
}

static herr_t put_text(hid_t file, const char *name, hid_t type, const char *text)
{
    return text ? attach(file, name, type, &text, NULL) : 0;
}

/* As a double for other readers, and exactly, for ours. */
static herr_t put_number(hid_t file, const char *name, const char *exact, hid_t type, quad x)
{
    double d = (double)x;
    char   text[NOE_NUMBER_SIZE];
    noe_number(text, x, 33);
    return attach(file, name, H5T_NATIVE_DOUBLE, &d, NULL) < 0 ? -1 : put_text(file, exact, type, text);
}

herr_t noe_h5_put(hid_t file, const char *name, hid_t type, const void *x, const hsize_t *count)
{
    hid_t  space = count ? H5Screate_simple(1, count, NULL) : H5Screate(H5S_SCALAR);
    hid_t  d = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t e = d < 0 ? -1 : H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
    if (d >= 0) H5Dclose(d);
    H5Sclose(space);
    return e;
}

herr_t noe_h5_put_head(hid_t f, const noe_head *h)
{
    hid_t   text = text_type();
    hsize_t columns = (hsize_t)h->columns;
    herr_t  e = put_text(f, "version", text, NOE_VERSION);
    if (e >= 0) e = put_text(f, "system", text, h->system);
    if (e >= 0) e = put_text(f, "source", text, h->source);
    if (e >= 0) e = put_text(f, "changes", text, h->changes);
    if (e >= 0) e = put_text(f, "method", text, h->method);
    if (e >= 0) e = put_number(f, "step", "step_exact", text, h->step);
    if (e >= 0) e = put_number(f, "t0", "t0_exact", text, h->t0);
    if (e >= 0) e = attach(f, "digits", H5T_NATIVE_INT, &h->digits, NULL);
    if (e >= 0) e = attach(f, "columns", text, h->name, &columns);
    if (e >= 0 && h->model) e = noe_h5_put(f, "model", text, &h->model, NULL);
    H5Tclose(text);
    return e;
}

herr_t noe_h5_put_ended(hid_t f, const char *why)
{
    const int complete = !why;
    hid_t     text = text_type();
    herr_t    e = attach(f, "complete", H5T_NATIVE_INT, &complete, NULL);
    if (e >= 0) e = put_text(f, "ended", text, why);
    H5Tclose(text);
    return e;
}
#endif
