/* Ctrl-C and SIGTERM end a long verb in order: it writes what it has and says where it stopped.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

volatile sig_atomic_t interrupted;

void interrupt(int signal) { interrupted = signal; }

void catch_interrupts(void)
{
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
}
