/* noether run MODEL.lag: integrates a Lagrangian and writes the rows of the result.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options whose text becomes a number or a switch of the job; NULL: not given. */
typedef struct {
    const char *every, *rows, *digits, *members, *seed, *threads, *window, *bits,
        *checkpoint;                                        /* text */
    const char *force, *factorise, *verbose, *quiet, *help; /* switches */
} values;

static int help(const option *options, size_t count)
{
    printf("noether run MODEL.lag [NAME=VALUE ...] [options]\n\n"
           "Integrates the Lagrangian in MODEL.lag.  NAME=VALUE sets a parameter (l1=g/40) or "
           "an initial value\n"
           "(q1=pi/2, q1.v=0 for q1', q1.p=0 for p(q1)).  Options that are not given are as "
           "the model suggests.\n\n");
    print_options(options, count);
    return 0;
}

static int ends_in_h5(const char *path)
{
    const size_t n = path ? strlen(path) : 0;
    return n > 3 && !strcmp(path + n - 3, ".h5");
}

enum { OPTIONS_MOST = 64 };

/* Options: the method, its steps, the time that they cover, times of rows; how many they are. */
static size_t time_options(option *to, noe_job *job, values *w)
{
    const option some[] = {
        { "method", "NAME", "\"simpson\", \"gauss 3\", ..; 'noether show methods' lists them",
          &job->method },
        { "step", "EXPR", "length of a step, a number or an expression: 2*pi/100", &job->step },
        { "tolerance", "X",
          "instead of method and step: the error allowed, relative to the size of each coordinate",
          &job->tolerance },
        { "force", NULL, "go on where --tolerance cannot be reached", &w->force },
        { "until", "EXPR", "the end of time", &job->until },
        { "every", "N", "write every N-th step (the first and the last always)", &w->every },
        { "times", "LIST",
          "rows at these times: \"0, 0.1, 1..10 in 100\", or a file of such lines; --until is then "
          "the last",
          &job->times },
        { "rows", "N", "so many rows, evenly spaced from the start to --until", &w->rows },
        { "monitor", "G",
          "steps in proportion to G(t, q), \"r^1.5\" or \"r reversible\", in place of the model's "
          "monitor; none: equal steps",
          &job->monitor },
    };
    memcpy(to, some, sizeof some);
    return sizeof some / sizeof *some;
}

/* Options: what is written, and where it ends; how many they are. */
static size_t output_options(option *to, noe_job *job)
{
    const option some[] = {
        { "columns", "LIST",
          "t,q1,q1.v,q1.p,energy,work,dissipated,balance, observables; default t, q, p, energy, "
          "observables",
          &job->columns },
        { "output", "FILE", ".csv, .json or .h5 by its ending; default: CSV on standard output",
          &job->output },
        { "plot", "FILE",
          ".svg, .png or .pdf (dark: .dark.png): coordinates and energy error (or balance) against "
          "time",
          &job->plot },
        { "plot-columns", "LIST",
          "what to draw: q1,q2 against time, q1:q1.p for a phase portrait, x[*] for a family as a "
          "map, x[*] by 8 as frames",
          &job->plot_columns },
        { "animate", "FILE",
          ".html: a page that plays the motion, as the model's draw statements say; .svg, .gif or "
          ".mp4",
          &job->animate },
        { "beside", "METHOD",
          "of an animation: the energy error of this method, too, with the same step",
          &job->beside },
        { "section", "EVENT",
          "rows at this event of the model alone: a Poincare section, also of many members",
          &job->section },
        { "stop", "EVENT", "end the run at the first time of this event", &job->stop },
    };
    memcpy(to, some, sizeof some);
    return sizeof some / sizeof *some;
}

/* Options: how the equations of a step are solved, digits, restarts; how many they are. */
static size_t engine_options(option *to, noe_job *job, values *w)
{
    const option some[] = {
        { "solver", "NAME",
          "of a step's equations: fixed-point, chord, newton; default auto, by the degree",
          &job->solver },
        { "window", "N",
          "of a structure: the window of stability that its fastest modes may lie in, default 1",
          &w->window },
        { "factorise", NULL, "of a structure: by factors even where products with K would do",
          &w->factorise },
        { "bits", "WHICH",
          "of a structure: same on every machine, or fast, with the BLAS; default same where that "
          "costs seconds at most",
          &w->bits },
        { "digits", "N", "15: double; 33: binary128; 34 to 1000: FLINT/Arb", &w->digits },
        { "checkpoint", "N", "write --output FILE.h5 every N steps, for --from", &w->checkpoint },
        { "from", "FILE.h5", "go on from the end of an earlier run, bit for bit", &job->from },
    };
    memcpy(to, some, sizeof some);
    return sizeof some / sizeof *some;
}

/* Options: many members, and what the command says; how many they are. */
static size_t member_options(option *to, noe_job *job, values *w)
{
    const option some[] = {
        { "ensemble", "FILE.csv",
          "many members: a line of names of parameters and starts, then one of values for each",
          &job->ensemble },
        { "sweep", "LIST",
          "many members: \"theta0 = 0.1..3 in 30; l1 = 1..2 in 5\", every combination",
          &job->sweep },
        { "scatter", "LIST", "many members at random: \"q1 ~ normal(0, 1e-3); m1 ~ uniform(1, 2)\"",
          &job->scatter },
        { "members", "N", "how many of --scatter", &w->members },
        { "seed", "N", "of --scatter, default 1", &w->seed },
        { "threads", "N",
          "for members, a structure or many coordinates, default one for each processor it may use",
          &w->threads },
        { "all", "FILE", "all rows of all members; --output then has their statistics", &job->all },
        { "verbose", NULL, "the solver of the steps' equations, its reason and its statistics",
          &w->verbose },
        { "quiet", NULL, "no summary", &w->quiet },
        { "help", NULL, "this", &w->help },
    };
    memcpy(to, some, sizeof some);
    return sizeof some / sizeof *some;
}

/* The number of words that are left, or -1 after a message; with --help 0, after the help. */
static int read_options(int argc, char **argv, noe_job *job, values *w)
{
    option options[OPTIONS_MOST];
    size_t count = 0;
    count += time_options(options + count, job, w);
    count += output_options(options + count, job);
    count += engine_options(options + count, job, w);
    count += member_options(options + count, job, w);
    const int words = take_options(argc, argv, options, count, "run");
    return words < 0 || !w->help ? words : help(options, count);
}

/* Checks the values and puts them into the job; NOE_EXIT_DONE, or NOE_EXIT_BAD_USE after a
 * message. */
static int read_values(noe_job *job, const values *w)
{
    long      many = 0;
    const int many_members = job->ensemble || job->sweep || job->scatter;
    if (w->every && !whole("every", w->every, 1, 2000000000, &job->every)) return NOE_EXIT_BAD_USE;
    if (w->rows && !whole("rows", w->rows, 2, 2000000000, &job->rows)) return NOE_EXIT_BAD_USE;
    if (!!w->rows + !!job->times + !!w->every > 1)
        return complain("--every, --rows and --times: expected one of them");
    if (w->digits && !whole("digits", w->digits, 15, 1000, &many)) return NOE_EXIT_BAD_USE;
    if (w->digits && many != 15 && many < 33)
        return complain("--digits %s: expected 15 (double), 33 (binary128), or more, up to 1000",
                        w->digits);
    job->digits = (int)many;
    if (w->checkpoint && !whole("checkpoint", w->checkpoint, 1, 2000000000, &job->checkpoint))
        return NOE_EXIT_BAD_USE;
    if (w->checkpoint && !ends_in_h5(job->output))
        return complain("--checkpoint goes with --output FILE.h5, from which --from goes on");
    if (w->checkpoint && many > 15) return complain("--checkpoint keeps rows of 15 digits");
    if (w->checkpoint && many_members)
        return complain("--checkpoint is for one run, not for members");
    job->quiet = w->quiet != NULL;
    job->verbose = w->verbose != NULL;
    job->force = w->force != NULL;
    if (w->force && !job->tolerance) return complain("--force goes with --tolerance");
    if (job->plot_columns && !job->plot)
        return complain("--plot-columns needs a picture: --plot FILE");
    job->seed = 1;
    if (many_members && job->tolerance)
        return complain("--tolerance is for one run, not for --ensemble, --sweep or --scatter");
    if (w->members && !whole("members", w->members, 1, NOE_MEMBERS_MOST, &job->members))
        return NOE_EXIT_BAD_USE;
    if (w->seed && !whole("seed", w->seed, 0, 2000000000, &job->seed)) return NOE_EXIT_BAD_USE;
    if (w->threads && !whole("threads", w->threads, 1, NOE_THREADS_MOST, &many))
        return NOE_EXIT_BAD_USE;
    job->threads = w->threads ? (int)many : 0;
    if (w->window && !whole("window", w->window, 1, 64, &many)) return NOE_EXIT_BAD_USE;
    job->window = w->window ? (int)many : 0;
    job->factorise = w->factorise != NULL;
    if (w->bits && strcmp(w->bits, "same") && strcmp(w->bits, "fast"))
        return complain("--bits %.40s: expected same or fast", w->bits);
    job->bits = !w->bits ? 0 : strcmp(w->bits, "same") ? 2 : 1;
    if (!many_members && (w->members || w->seed || job->all))
        return complain("--members, --seed and --all are for --ensemble, --sweep or --scatter");
    return NOE_EXIT_DONE;
}

int verb_run(int argc, char **argv)
{
    noe_job   job = { .every = 1, .interrupted = &interrupted, .processes = processes() };
    values    given = { 0 };
    const int words = read_options(argc, argv, &job, &given);
    if (words < 0) return NOE_EXIT_BAD_USE;
    if (given.help) return printed(NOE_EXIT_DONE);
    if (words < 1)
        return complain("which model?  noether run MODEL.lag [NAME=VALUE ...] [options]");
    job.model = model_path(argv[0]);
    job.let = (const char *const *)(argv + 1);
    job.lets = words - 1;
    if (!are_assignments(job.let, job.lets)) return NOE_EXIT_BAD_USE;
    if (read_values(&job, &given)) return NOE_EXIT_BAD_USE;
    catch_interrupts();
    signal(SIGPIPE, interrupt);
    const int status = job.ensemble || job.sweep || job.scatter ? noe_ensemble_run(&job)
                                                                : noe_run_job(&job);
    /* the reader has seen enough: nothing to say */
    if (interrupted == SIGPIPE) return NOE_EXIT_SIGNALLED + SIGPIPE;
    return report(status);
}
