/* Names of what an .h5 file has for a restart: hdf5_header.c, hdf5_format.c write, restart.c reads.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_OUTPUT_RESTART_NAMES_H
#define NOE_OUTPUT_RESTART_NAMES_H

/* Data sets of the root group: the text of the model, the bytes of the engine's state. */
#define NOE_RESTART_MODEL "model"
#define NOE_RESTART_STATE "state"

/* Attributes of the root group: texts, the digits as an int, and numbers as decimals that read back
 * as the same quad. */
#define NOE_RESTART_SOURCE "source"
#define NOE_RESTART_CHANGES "changes"
#define NOE_RESTART_INPUTS "inputs"
#define NOE_RESTART_OPTIONS "options"
#define NOE_RESTART_METHOD "method"
#define NOE_RESTART_DIGITS "digits"
#define NOE_RESTART_STEP "step_exact"
#define NOE_RESTART_T0 "t0_exact"
#define NOE_RESTART_REPORTED "events_told_exact" /* may be missing */
#define NOE_RESTART_WARNING "warning"
#define NOE_RESTART_NOTE "note"

#endif
