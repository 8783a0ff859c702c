/* Attributes of an HDF5 file: model, changes, inputs, method, step and other facts about the rows.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts have fixed length: HDF5 stores texts of variable length in its global heap, which has no
 * checksums, and one wrong bit there makes the library access invalid memory.  Texts are attributes
 * of the root group, except the model, a dataset.  Object headers are those of HDF5
 * 1.8 and later (hdf5_disk.c), whose attributes may exceed 64 KB (H5A reference, "dense
 * storage"). */
#include "base/optional_library.h"
#include "base/table.h"

#ifdef NOE_HDF5
#include "output/hdf5_library.h"
#include "output/restart_names.h"
#include "number/decimal.h"

#include <stdlib.h>
#include <string.h>

/* Type of UTF-8 texts of `size` bytes, padded with 0. */
static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size ? size : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
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

static herr_t put_text(hid_t file, const char *name, const char *text)
{
    if (!text) return 0;
    hid_t  type = text_type(strlen(text));
    herr_t e = attach(file, name, type, text, NULL);
    H5Tclose(type);
    return e;
}

/* Writes an array of texts, each with the length of the longest. */
static herr_t put_texts(hid_t file, const char *name, const char *const *text, int count)
{
    size_t wide = 1;
    for (int i = 0; i < count; i++) wide = strlen(text[i]) > wide ? strlen(text[i]) : wide;
    char *all = noe_status_alloc((size_t)count * wide, 1);
    if (!all) return -1;
    for (int i = 0; i < count; i++) memcpy(all + (size_t)i * wide, text[i], strlen(text[i]));
    const hsize_t many = (hsize_t)count;
    hid_t         type = text_type(wide);
    herr_t        e = attach(file, name, type, all, &many);
    H5Tclose(type);
    free(all);
    return e;
}

/* Writes x as a double, for other readers, and exactly as the attribute `exact`, for a restart. */
static herr_t put_number(hid_t file, const char *name, const char *exact, quad x)
{
    double d = (double)x;
    char   text[NOE_NUMBER_SIZE];
    noe_decimal_write(text, x, NOE_DIGITS_QUAD);
    return attach(file, name, H5T_NATIVE_DOUBLE, &d, NULL) < 0 ? -1 : put_text(file, exact, text);
}

herr_t noe_hdf5_header_put(hid_t file, const char *name, hid_t type, const void *x,
                           const hsize_t *count)
{
    hid_t  space = count ? H5Screate_simple(1, count, NULL) : H5Screate(H5S_SCALAR);
    hid_t  d = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t e = d < 0 ? -1 : H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
    if (d >= 0) H5Dclose(d);
    H5Sclose(space);
    return e;
}

herr_t noe_hdf5_header_put_head(hid_t f, const noe_head *h)
{
    herr_t e = put_text(f, "version", NOE_VERSION);
    if (e >= 0) e = put_text(f, "system", h->system);
    if (e >= 0) e = put_text(f, NOE_RESTART_SOURCE, h->source);
    if (e >= 0) e = put_text(f, NOE_RESTART_CHANGES, h->changes);
    if (e >= 0) e = put_text(f, NOE_RESTART_INPUTS, h->inputs);
    if (e >= 0) e = put_text(f, NOE_RESTART_OPTIONS, h->options);
    if (e >= 0) e = put_text(f, NOE_RESTART_METHOD, h->method);
    if (e >= 0) e = put_number(f, "step", NOE_RESTART_STEP, h->step);
    if (e >= 0) e = put_number(f, "t0", NOE_RESTART_T0, h->t0);
    if (e >= 0) e = put_number(f, "until", "until_exact", h->until);
    if (e >= 0) e = put_number(f, "last", "last_exact", h->last);
    if (e >= 0) e = attach(f, NOE_RESTART_DIGITS, H5T_NATIVE_INT, &h->digits, NULL);
    if (e >= 0) e = put_texts(f, "columns", h->name, h->columns);
    if (e >= 0 && h->event_columns)
        e = put_texts(f, "event_columns", h->event_column, h->event_columns);
    if (e >= 0 && h->event_columns) e = put_texts(f, "event_names", h->event, h->events);
    if (e < 0 || !h->model) return e;
    hid_t text = text_type(strlen(h->model));
    e = noe_hdf5_header_put(f, NOE_RESTART_MODEL, text, h->model, NULL);
    H5Tclose(text);
    return e;
}

herr_t noe_hdf5_header_put_reported(hid_t f, quad t)
{
    return put_number(f, "events_told", NOE_RESTART_REPORTED, t);
}

herr_t noe_hdf5_header_put_ended(hid_t f, const char *why)
{
    const int complete = !why;
    herr_t    e = attach(f, "complete", H5T_NATIVE_INT, &complete, NULL);
    return e < 0 ? e : put_text(f, "ended", why);
}

herr_t noe_hdf5_header_renew_ended(hid_t f, const char *why)
{
    herr_t e = H5Adelete(f, "complete");
    if (e >= 0 && H5Aexists(f, "ended") > 0) e = H5Adelete(f, "ended");
    return e < 0 ? e : noe_hdf5_header_put_ended(f, why);
}

herr_t noe_hdf5_header_put_judgement(hid_t f, const noe_judgement *x)
{
    herr_t e = attach(f, "local_error", H5T_NATIVE_DOUBLE, &x->local_error, NULL);
    if (e >= 0) e = attach(f, "energy_error", H5T_NATIVE_DOUBLE, &x->energy_error, NULL);
    if (e >= 0) e = attach(f, "accumulated_error", H5T_NATIVE_DOUBLE, &x->accumulated_error, NULL);
    if (e >= 0) e = put_text(f, NOE_RESTART_WARNING, x->warning);
    return e < 0 ? e : put_text(f, NOE_RESTART_NOTE, x->note);
}
#endif
