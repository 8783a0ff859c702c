/* One system, one method, four threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each thread has an integrator of its own and starts elsewhere. */
#include "noether.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4 };

static const noe_system *pendulum;
static const noe_method *method;
static double            angle[THREADS];

static void *swing(void *start)
{
    double         *q = start, v = 0;
    noe_integrator *run = noe_integrator_new(pendulum, method, 0.01);
    noe_start(run, 0, q, &v);
    noe_run(run, 10, NULL, NULL);
    *q = noe_q(run)[0];
    noe_integrator_free(run);
    return NULL;
}

int main(void)
{
    pthread_t   thread[THREADS];
    noe_system *s = noe_system_parse("coordinate q\nkinetic q'^2/2\npotential -cos(q)\n");
    noe_method *m = noe_method_parse("simpson");
    pendulum = s, method = m;
    for (int i = 0; i < THREADS; i++) angle[i] = 0.5 * (i + 1);
    for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, swing, &angle[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) printf("from %.1f to %10.7f\n", 0.5 * (i + 1), angle[i]);
    noe_method_free(m);
    noe_system_free(s);
    return 0;
}
