/* Measures Simpson steps of many double pendulums by the command, beside one written by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "hand.h"

enum { REPEATS = 9, MEMBERS = 800, STEPS = 20000 };

/* Seconds of one command, or of two at once that share its members: of processors, and on the
 * wall's clock. */
static int run(const char *noether, int threads, int commands, double *processor, double *elapsed)
{
    char line[1000];
    int  used = 0;
    for (int i = 0; i < commands; i++)
        used += snprintf(line + used, sizeof line - (size_t)used,
                         "%s run systems/double_pendulum.lag q2=0.4 --sweep 'q1 = 0.1..0.8 in %d' "
                         "--method simpson --step 0.01 --until %d "
                         "--every 1000000000 --columns q1 --threads %d --quiet >/dev/null %s ",
                         noether, MEMBERS / commands, STEPS / 100, threads,
                         i + 1 < commands ? "&" : "&& wait");
    const double before = of_children(), from = wall();
    if (system(line)) return 1;
    *elapsed = wall() - from;
    *processor = of_children() - before;
    return 0;
}

int main(int argc, char **argv)
{
    double each[REPEATS], hand[REPEATS], share[REPEATS], gain[REPEATS], apart[REPEATS], processor,
        one, two, both, unused, to[2];
    const double q[2] = { 0.4, 0.4 }, v[2] = { 0, 0 };
    go          *by_hand;
    char         said[2][60];
    if (argc != 2) return fprintf(stderr, "usage: ensemble NOETHER\n"), 2;
    if (!hand_compiled("bench/hand/double_pendulum.c", "hand_go", AS_FAST_AS_IT_GETS, NULL,
                       &by_hand))
        return 1;
    for (int r = -1; r < REPEATS; r++) { /* in turn; the first is not counted */
        if (run(argv[1], 1, 1, &processor, &one) || run(argv[1], 2, 1, &unused, &two)
            || run(argv[1], 1, 2, &unused, &both))
            return 1;
        const double from = seconds();
        if (by_hand(q, v, 0.01, 20 * STEPS, to)) return 1;
        const double hands = 1e9 * (seconds() - from) / (20 * STEPS);
        if (r < 0) continue;
        each[r] = 1e9 * processor / MEMBERS / STEPS, hand[r] = hands, share[r] = each[r] / hands;
        gain[r] = two / one, apart[r] = both / one;
    }
    printf("## Ensembles\n\n`noether run systems/double_pendulum.lag q2=0.4 --sweep \"q1 = "
           "0.1..0.8 in %d\" --step 0.01`, %d steps each, from the start of the command\n"
           "to its end, beside the step written by hand of one of them. What two threads gain is "
           "seen on the wall's clock, and only where nobody else works.\n"
           "Spread of %d, in turn.\n\n" COMPARED,
           MEMBERS, STEPS, REPEATS);
    snprintf(said[0], 60, "%.0f ns a step", median(each, REPEATS)),
        snprintf(said[1], 60, "by hand %.0f ns", median(hand, REPEATS));
    compared("ensemble of double pendulums, a step and processor", said[0], said[1], share, REPEATS,
             0.3);
    compared("ensemble of double pendulums, two threads", "the same", "one thread", gain, REPEATS,
             0.53);
    printf("\nTwo commands at once with half of the members each, which share nothing but the "
           "machine, take %.3g (",
           median(apart, REPEATS));
    printf("%.3g .. %.3g) of the time of one.\n", apart[0], apart[REPEATS - 1]);
    hand_done();
    return 0;
}
