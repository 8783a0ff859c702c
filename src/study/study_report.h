/* a study as text, CSV, JSON, a table of a page.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STUDY_STUDY_REPORT_H
#define NOE_STUDY_STUDY_REPORT_H

#include "study/study_drift.h"
#include "base/text.h"

void noe_say_text(noe_text *, const noe_study *);
void noe_say_csv(noe_text *, const noe_study *);
void noe_say_json(noe_text *, const noe_study *);
void noe_say_html(noe_text *, const noe_study *); /* <table>: published, computed, difference, verdict */
void noe_say_page(noe_text *, const noe_study *, const char *text); /* <table> that holds a text as it is */

noe_status noe_study_plot(const noe_study *, const char *path);

void       noe_drift_text(noe_text *, const noe_study *, const noe_drift *);
void       noe_drift_csv(noe_text *, const noe_study *, const noe_drift *);
void       noe_drift_json(noe_text *, const noe_study *, const noe_drift *);
noe_status noe_drift_plot(const noe_study *, const noe_drift *, const char *path);

void       noe_work_text(noe_text *, const noe_study *);
noe_status noe_work_plot(const noe_study *, const char *path);
double     noe_work_evaluations(const noe_study *, int method, int step);

/* Parts: what was studied; the runs that failed; a number or '-'; an error in words. */
void        noe_say_head(noe_text *, const noe_study *);
void        noe_say_failed(noe_text *, const noe_study *);
void        noe_say_number(noe_text *, int width, const char *format, double x);
void        noe_say_exact(noe_text *, double x, const char *none); /* reads back as the same double */
/* As a string of CSV, quote "\"\"", or of JSON, "\\\"". */
void        noe_say_string(noe_text *, const char *text, const char *quote);
const char *noe_quantity_words(const noe_quantity *, char words[320]);

#endif
