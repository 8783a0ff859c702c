/* Reports of a study: text, CSV, JSON, an HTML table, a plot.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STUDY_STUDY_REPORT_H
#define NOE_STUDY_STUDY_REPORT_H

#include "study/study_drift.h"
#include "base/text.h"

void noe_study_text_add(noe_text *, const noe_study *);
void noe_study_csv_add(noe_text *, const noe_study *);
void noe_study_json_add(noe_text *, const noe_study *);
/* an HTML table: published, computed, difference, verdict */
void noe_study_html_add(noe_text *, const noe_study *);
/* an HTML table that contains a text without changes */
void noe_study_html_add_text(noe_text *, const noe_study *, const char *text);

noe_status noe_study_plot_draw(const noe_study *, const char *path);

void       noe_study_drift_report_text(noe_text *, const noe_study *, const noe_drift *);
void       noe_study_drift_report_csv(noe_text *, const noe_study *, const noe_drift *);
void       noe_study_json_add_drift(noe_text *, const noe_study *, const noe_drift *);
noe_status noe_study_drift_report_plot(const noe_study *, const noe_drift *, const char *path);

void       noe_study_work_text(noe_text *, const noe_study *);
noe_status noe_study_work_plot(const noe_study *, const char *path);
double     noe_study_work_evaluations(const noe_study *, int method, int step);

/* Parts of the text: the head; the runs that failed; a number or '-'. */
void noe_study_text_add_head(noe_text *, const noe_study *);
void noe_study_text_add_failures(noe_text *, const noe_study *);
void noe_study_text_add_number(noe_text *, int width, const char *format, double x);
/* Parts of CSV: a number that reads back as the same double, nothing for NAN; a string. */
void        noe_study_csv_add_number(noe_text *, double x);
void        noe_study_csv_add_string(noe_text *, const char *text);
const char *noe_study_text_quantity(const noe_quantity *, char words[320]);

#endif
