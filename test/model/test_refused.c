/* text that is no model -> file:line:column, what is wrong, the line, a caret; no leak.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expressions.h"
#include "failing.h"

#include <unistd.h>

/* Is the message "SOURCE:LINE:COLUMN: ..", then that line of the text, then a caret under that
 * column? "the model is too large" has no place. */
static bool well_formed(const char *message, const char *text, int *line, int *column,
                        const char **what)
{
    const char *at = strchr(message, ':'), *end = strchr(message, '\n');
    int         used = 0;
    if (!at || !end || sscanf(at, ":%d:%d: %n", line, column, &used) != 2 || used == 0)
        return false;
    *what = at + used;
    const char *shown = end + 5, *caret = strchr(shown, '\n');
    if (strncmp(end, "\n    ", 5) || !caret || strncmp(caret, "\n    ", 5)) return false;
    size_t under = strspn(caret + 5, " ");
    if (strcmp(caret + 5 + under, "^")) return false;
    if (!text) return true;
    for (int i = 1; i < *line; i++)
        if (!(text = strchr(text, '\n')) || !*text++) return false;
    size_t bytes = 0,
           column_bytes = 0; /* of the line; before the column, in the line as it is shown */
    while (text[bytes] && text[bytes] != '\n') bytes++;
    for (int c = 1; column_bytes < bytes && c < *column; c++) do
            column_bytes++;
        while (((unsigned char)text[column_bytes] & 0xC0) == 0x80);
    if (bytes > 100) return true;
    for (size_t i = 0; i < bytes; i++)
        if (shown[i] != (text[i] == '\t' || text[i] == '\r' ? ' ' : text[i])) return false;
    return (int)under == *column - 1;
}

#define MASS "coordinate x\nkinetic x'^2/2\n"
static const struct {
    const char *text;
    int         line, column;
    const char *words[3];
} refusals[] = {
    /* what a Lagrangian needs */
    { "", 1, 1, { "no coordinate is declared" } },
    { "# nothing\n\n", 1, 10, { "no coordinate is declared" } },
    { "coordinate x\nkinetic x^2\n", 1, 12, { "contains no velocities", "'kinetic m/2*x'^2'" } },
    { "coordinate x, y\nkinetic x'^2/2\n", 1, 15, { "'y' has no kinetic energy" } },
    { "coordinate x, y\nkinetic x'^2/2\nlagrangian x*y'", 1, 15, { "'y' has no kinetic energy" } },
    { "coordinate x\nkinetic x'^2 - x'^2", 1, 12, { "contains no velocities" } },
    /* monitors */
    { MASS "potential x^2\nmonitor 1 + x'^2", 4, 9, { "positions, parameters and t alone" } },
    { MASS "potential x^2\nmonitor 3", 4, 9, { "neither on a position nor on t" } },
    { MASS "monitor 1 + x^2\nmonitor 2 + x^2", 4, 9, { "a second monitor" } },
    { MASS "monitor 1 + x^2 backwards", 3, 17, { "'reversible' or the end" } },
    { MASS "potential x*sin(t)\nmonitor 1 + x^2", 4, 9, { "L depends on t", "reversible" } },
    { MASS "monitor 1 + x^2 + t^2", 3, 9, { "the monitor depends on t", "reversible" } },
    { MASS "force x = -x'\nmonitor 1 + x^2", 4, 9, { "forces act", "reversible" } },
    /* names */
    { "coordinate x\ny = 2*y\nkinetic x'^2", 2, 7, { "'y' is defined by itself" } },
    { "parameter a = 2*a", 1, 17, { "'a' is defined by itself" } },
    { "coordinate x\nx = 2*x\n", 2, 1, { "'x' is declared already, in line 1" } },
    { "parameter a = 1, a = 2", 1, 18, { "'a' is declared already, in line 1" } },
    { "parameter a = 1\n\ncoordinate b, a", 3, 15, { "'a' is declared already, in line 1" } },
    { "parameter omega = 2\ncoordinate x\nkinetic omga*x'^2",
      3,
      9,
      { "unknown name 'omga'", "did you mean 'omega'?" } },
    { "coordinate Q\nkinetic q'^2", 2, 9, { "unknown name 'q'", "did you mean 'Q'?" } },
    { "coordinate x\nkinetic sinn(x)", 2, 9, { "unknown name 'sinn'", "did you mean 'sin'?" } },
    { "coordinate x\nkinetic foo*x'^2",
      2,
      9,
      { "unknown name 'foo'", "declare it above this line" } },
    { "coordinate x\nkinetic y'^2", 2, 9, { "unknown name 'y'", "declare it above" } },
    { "parameter sin = 1", 1, 11, { "'sin' is a reserved name" } },
    { "parameter energy = 1", 1, 11, { "'energy' is a reserved name" } },
    { "coordinate t", 1, 12, { "'t' is a reserved name" } },
    { "coordinate x, p", 1, 15, { "'p' is a reserved name" } },
    { "pi = 3", 1, 1, { "'pi' is a reserved name" } },
    { "if = 3", 1, 1, { "'if' is a reserved name" } },
    { "coordinate sum", 1, 12, { "'sum' is a reserved name" } },
    { "coordinate mod", 1, 12, { "'mod' is a reserved name" } },
    { "parameter work = 1", 1, 11, { "'work' is a reserved name" } },
    { "parameter balance = 1", 1, 11, { "'balance' is a reserved name" } },
    { "parameter dissipated = 1", 1, 11, { "'dissipated' is a reserved name" } },
    /* words of other tools */
    { "coordinate x\nkinetic ln(x')", 2, 9, { "unknown name 'ln'", "log(x)" } },
    { "coordinate x\nkinetic x'**2", 2, 11, { "'**' has no meaning here", "a^b" } },
    { "coordinate x\nkinetic pow(x', 2)", 2, 9, { "unknown name 'pow'", "a^b" } },
    { "coordinate x\nkinetic x'^2 // energy",
      2,
      14,
      { "'//' has no meaning here", "a comment begins with #" } },
    { "coordinate x\nkinetic x'^2;", 2, 13, { "';' has no meaning here", "ends with its line" } },
    { "coordinate x\nkinetic x'^2*Pi", 2, 14, { "unknown name 'Pi'", "the number is pi" } },
    { "coordinate x\nkinetic der(x)^2", 2, 9, { "unknown name 'der'", "q'" } },
    { "param m = 1\n", 1, 1, { "'param' begins no statement", "write parameter m = 1" } },
    { "coordinate x\nT x'^2\n", 2, 1, { "'T' begins no statement", "write kinetic" } },
    { "coordinate x\ninit x = 1\n", 2, 1, { "'init' begins no statement", "write start" } },
    { "coordinate x\nkinetic if(x == 1, 2, x'^2)",
      2,
      14,
      { "'==' has no meaning here", "<, <=, > and >=" } },
    { "coordinate x\nkinetic if(x < 1 && x > 0, 2, x'^2)",
      2,
      18,
      { "'&&' has no meaning here", "write and" } },
    { "coordinate x\nkinetic if(0 < x < 1, 2, x'^2)",
      2,
      18,
      { "one comparison behind another", "a < b and b < c" } },
    { "coordinate x\nkinetic if(0 < x and, 2, x'^2)", 2, 21, { "found ','" } },
    { "coordinate x\nkinetic and*x'^2", 2, 9, { "'and' stands between two comparisons" } },
    { "coordinate x\nkinetic mod*x'^2", 2, 9, { "'mod' stands between two numbers" } },
    { "parameter floor = 1", 1, 11, { "'floor' is a reserved name" } },
    { "coordinate and", 1, 12, { "'and' is a reserved name" } },
    /* numbers that are none */
    { "parameter a = 0/0", 1, 15, { "the value is not finite" } },
    { "parameter a = 0*log(0)", 1, 15, { "the value is not finite" } },
    { "parameter a = 1/0 - 1/0", 1, 15, { "the value is not finite" } },
    { "parameter a = sqrt(-1)^0", 1, 15, { "the value is not finite" } },
    { "parameter a = 1/(1/0)", 1, 15, { "the value is not finite" } },
    { "parameter a = min(0/0, 1)", 1, 15, { "the value is not finite" } },
    { "parameter a = 0, b = 0*log(a)", 1, 22, { "the value is not finite" } },
    { "parameter a = 0, b = 0/a", 1, 22, { "the value is not finite" } },
    { MASS "start x = 0/0", 3, 11, { "the value is not finite" } },
    { MASS "potential 0*log(0)*x^2", 3, 11, { "a constant in this expression is not finite" } },
    { MASS "potential 0/0", 3, 11, { "a constant in this expression is not finite" } },
    { MASS "force x = 1 - (1/0 - 1/0)*x",
      3,
      11,
      { "a constant in this expression is not finite" } },
    { MASS "dissipation sqrt(-1)^0*x'^2",
      3,
      13,
      { "a constant in this expression is not finite" } },
    /* functions */
    { "coordinate x\nkinetic sin(x, 2)", 2, 14, { "sin takes 1 argument,", "more" } },
    { "coordinate x\nkinetic min(1, 2, 3)", 2, 17, { "min takes 2 arguments", "more" } },
    { "coordinate x\nkinetic atan2(x)", 2, 16, { "atan2 takes 2 arguments", "only one" } },
    { "coordinate x\nkinetic sin()", 2, 13, { "sin takes 1 argument,", "none" } },
    { "coordinate x\nkinetic if(x < 1, 2)", 2, 20, { "if takes 3 arguments", "too few" } },
    { "coordinate x\nkinetic if(x, 1, 2)", 2, 13, { "expected a comparison", "found ','" } },
    { "coordinate x\nkinetic max(1 2)",
      2,
      15,
      { "expected ',' between the arguments, found '2'" } },
    { "coordinate x\nkinetic sin x",
      2,
      13,
      { "expected '(' after the name of a function, found 'x'" } },
    /* primes */
    { "coordinate x\nkinetic x''^2", 2, 11, { "contains velocities", "no accelerations" } },
    { "coordinate x\ny = x'\nkinetic y'^2", 3, 10, { "contains velocities" } },
    { "coordinate x\nkinetic (2*x)'^2", 2, 14, { "a prime belongs to a name" } },
    { "coordinate x\nkinetic sin(x)'^2", 2, 15, { "a prime belongs to a name" } },
    { "coordinate x\nkinetic 2'^2", 2, 10, { "expected the end of the statement, found '''" } },
/* vectors */
#define SPACE "coordinate vector r\ncoordinate q\nkinetic dot(r', r')/2 + q'^2/2\n"
    { SPACE "potential r", 4, 11, { "a vector where a number is wanted", "r.x, r.y and r.z" } },
    { SPACE "potential q + r",
      4,
      15,
      { "a vector where a number is wanted", "added to a number" } },
    { SPACE "A = r + q", 4, 9, { "a number where a vector is wanted", "(a, b, c)" } },
    { SPACE "potential r*r",
      4,
      13,
      { "a vector where a number is wanted", "dot(a, b) and cross(a, b)" } },
    { SPACE "potential q/r", 4, 13, { "a vector where a number is wanted", "norm(a)" } },
    { SPACE "potential q mod r", 4, 17, { "a vector where a number is wanted" } },
    { SPACE "potential r mod 2", 4, 11, { "a vector where a number is wanted" } },
    { SPACE "potential r^2", 4, 11, { "a vector where a number is wanted", "dot(a, a)" } },
    { SPACE "potential q^r", 4, 13, { "a vector where a number is wanted" } },
    { SPACE "potential sqrt(r)", 4, 16, { "a vector where a number is wanted", "norm(a)" } },
    { SPACE "potential sin(2*r)", 4, 15, { "a vector where a number is wanted" } },
    { SPACE "potential dot(r, q)", 4, 18, { "a number where a vector is wanted" } },
    { SPACE "potential norm(q)", 4, 16, { "a number where a vector is wanted" } },
    { SPACE "potential cross(r, r)", 4, 11, { "a vector where a number is wanted" } },
    { SPACE "potential dot(r)", 4, 16, { "expected ',' between the two vectors" } },
    { SPACE "potential dot(r, r, r)", 4, 19, { "dot takes two vectors, here are more" } },
    { SPACE "potential norm(r, r)", 4, 17, { "norm takes one vector, here are more" } },
    { SPACE "potential dot(r, (1, 2))", 4, 23, { "three components, (a, b, c): here are two" } },
    { SPACE "potential dot(r, (1, 2, 3, 4))", 4, 28, { "here is a fourth" } },
    { SPACE "potential dot(r, (1, r, 3))", 4, 22, { "a vector where a number is wanted" } },
    { SPACE "potential if(q < r, 1, 2)", 4, 18, { "a vector where a number is wanted" } },
    { SPACE "potential if(q < 1, r, q).x", 4, 24, { "a number where a vector is wanted" } },
    { SPACE "potential r.w",
      4,
      11,
      { "the vector 'r' has the components r.x, r.y and r.z, and no 'w'" } },
    { SPACE "potential q.x", 4, 11, { "'q' is a number and no vector" } },
    { SPACE "potential (2*q).x", 4, 16, { "a number has no components" } },
    { SPACE "potential (2*r).w", 4, 17, { "the components of a vector are .x, .y and .z" } },
    { SPACE "potential r.x.y", 4, 11, { "'r.x' is a number and no vector" } },
    { SPACE "potential norm(r'')", 4, 18, { "the prime of something that contains velocities" } },
    { SPACE "potential (r + r)'.x", 4, 18, { "a prime belongs to a name" } },
    { SPACE "potential r.v", 4, 12, { "the velocity of x is x'" } },
    { SPACE "potential r[1].x", 4, 11, { "'r' is no family" } },
    { SPACE "start r = 1", 4, 11, { "a number where a vector is wanted" } },
    { SPACE "start q = (1, 2, 3)", 4, 11, { "a vector where a number is wanted" } },
    { SPACE "start r.x = (1, 2, 3)", 4, 13, { "a vector where a number is wanted" } },
    { SPACE "start r = (1, 2, 3), r.y = 1",
      4,
      22,
      { "the start of the position of 'r.y' is given twice" } },
    { SPACE "start r' = (1, 2, 3), p(r.y) = 1", 4, 23, { "both velocity and momentum of 'r.y'" } },
    { SPACE "start r = (1, 1/0, 3)", 4, 11, { "the value is not finite" } },
    { SPACE "start energy = 1 by r'",
      4,
      21,
      { "the energy determines the velocity of one coordinate" } },
    { SPACE "force r = q", 4, 11, { "a number where a vector is wanted" } },
    { SPACE "force q = r'", 4, 11, { "a vector where a number is wanted" } },
    { SPACE "fix r = 0", 4, 9, { "a number where a vector is wanted" } },
    { SPACE "observe E = dot(r, r) + r", 4, 25, { "a vector where a number is wanted" } },
    { SPACE "event e: r = 0", 4, 10, { "a vector where a number is wanted" } },
    { SPACE "event e: r.x = 0 then r' = 1", 4, 28, { "a number where a vector is wanted" } },
    { SPACE "event e: r.x = 0 then r' = r, r.x' = 1", 4, 31, { "this is assigned twice" } },
    { SPACE "symmetry s = (cross((0, 0, 1), r))",
      4,
      10,
      { "3 components, the model 4 coordinates" } },
    { SPACE "r.w = 2", 4, 1, { "a new name has no dot" } },
    { SPACE "r.x = 2", 4, 1, { "'r.x' is declared already, in line 1" } },
    { SPACE "coordinate a.b", 4, 12, { "a new name has no dot" } },
    { SPACE "event a.b: q = 0", 4, 7, { "a new name has no dot" } },
    { SPACE "r = (1, 2, 3)", 4, 1, { "'r' is declared already, in line 1" } },
    { SPACE "parameter k = (1, q, 2)", 4, 15, { "expected numbers and parameters only" } },
    { SPACE "suggest step = (1, 2, 3)", 4, 16, { "a vector where a number is wanted" } },
    { "coordinate vector r[1..2]\nkinetic norm(r')", 2, 14, { "'r' is a family", "'r[1]'" } },
    { "coordinate vector r[1..2]\nkinetic norm(r[3]')", 2, 14, { "'r.x[3]' does not exist" } },
    { "coordinate q[1..3]\nX[i] = X[i-1] + (0, 0, q[i])", 2, 2, { "'X' is defined by itself" } },
    { "coordinate q[1..3]\nX[0] = 1\nX[i] = (0, 0, q[i])",
      3,
      8,
      { "'X' is a family of numbers, and this is a vector" } },
    { "coordinate q[1..3]\nX[0] = (0, 0, 1)\nX[i] = q[i]",
      3,
      8,
      { "'X' is a family of vectors, and this is a number" } },
    { "coordinate vector r[1..2]\nkinetic dot(r[1]', r[2]')\nobserve E = sum(i in 1..2) r[i] + 1",
      3,
      35,
      { "a number where a vector is wanted" } },
    { "coordinate vector\nkinetic vectr'^2",
      2,
      9,
      { "did you mean 'vector'?" } }, /* a name like others */
    { "coordinate norm", 1, 12, { "'norm' is a reserved name" } },
    /* signs, numbers, parentheses */
    { "coordinate x\nkinetic 2x", 2, 10, { "a name right behind a number", "*" } },
    { "parameter a = 0x10", 1, 16, { "a name right behind a number" } },
    { "coordinate x\nkinetic 2 x", 2, 11, { "found 'x'", "is a sign missing before it?" } },
    { "coordinate x\nkinetic 2 (x)", 2, 11, { "found '('", "is a sign missing before it?" } },
    { "coordinate x y", 1, 14, { "found 'y'", "is a sign missing before it?" } },
    { "parameter a = 1.2.3", 1, 18, { "found '.3'", "is a sign missing before it?" } },
    { "parameter a = 1..3", 1, 16, { "expected the end of the statement, found '..'" } },
    { "coordinate x\nkinetic",
      2,
      8,
      { "expected a number, a name or '(', found the end of the text" } },
    { "coordinate x\nkinetic x'^2/2 +\n",
      2,
      17,
      { "expected a number, a name or '(', found the end of the line" } },
    { "coordinate x\nkinetic (x",
      2,
      11,
      { "expected ')' to close the parenthesis, found the end of the text" } },
    { "coordinate x\nkinetic (x\n\nstart x=1",
      4,
      1,
      { "expected ')'", "found 'start'", "opened in line 2" } },
    { "coordinate x\nkinetic sin(x\n\nstart x=1",
      4,
      1,
      { "expected ')'", "found 'start'", "opened in line 2" } },
    { "coordinate x\nkinetic x)", 2, 10, { "expected the end of the statement, found ')'" } },
    { "coordinate x\nkinetic x & 2", 2, 11, { "'&' has no meaning here" } },
    { "coordinate x\nkinetic x'^2; potential x", 2, 13, { "';' has no meaning here" } },
    { "coordinate x\nkinetic x'^2\nstart x.v = 1", 3, 8, { "the velocity of x is x'" } },
    { "coordinate x\nkinetic x < 2", 2, 11, { "expected the end of the statement, found '<'" } },
    { "coordinate x\nkinetic x = 2", 2, 11, { "expected the end of the statement, found '='" } },
    { "parameter a = 1e9999", 1, 15, { "the number is too large" } },
    { "parameter a = 1/0", 1, 15, { "the value is not finite" } },
    { "parameter a = sqrt(-1)", 1, 15, { "the value is not finite" } },
    /* what does not move must not move */
    { "coordinate x\nparameter k = 2*x", 2, 15, { "expected numbers and parameters only" } },
    { "parameter k = t", 1, 15, { "expected numbers and parameters only" } },
    { "coordinate x\nkinetic x'^2\nstart x = x'",
      3,
      11,
      { "expected numbers and parameters only" } },
    { "coordinate x\nkinetic x'^2\nsuggest step = x",
      3,
      16,
      { "expected numbers and parameters only" } },
    /* statements */
    { "coordinat x", 1, 1, { "'coordinat' begins no statement", "did you mean 'coordinate'?" } },
    { "foo bar", 1, 1, { "'foo' begins no statement and is not followed by '='" } },
    { "x' = 3", 1, 1, { "'x' begins no statement" } },
    { "3 = 4", 1, 1, { "expected a statement, found '3'" } },
    { "parameter\nx = 3", 1, 10, { "expected a name, found the end of the line" } },
    { "parameter a", 1, 12, { "expected '=' and a value", "found the end of the text" } },
    { "parameter a = 1,\n", 1, 17, { "expected a name, found the end of the line" } },
    { "coordinate 3", 1, 12, { "expected a name, found '3'" } },
    { MASS "exact",
      3,
      6,
      { "expected the name of a family of solutions", "found the end of the text" } },
    { MASS "exact 3", 3, 7, { "expected the name of a family of solutions", "found '3'" } },
    { MASS "exact keppler",
      3,
      7,
      { "no exact solution is called 'keppler'", "did you mean 'kepler'?" } },
    { MASS "exact solution",
      3,
      7,
      { "no exact solution is called 'solution'", "known are harmonic, linear," } },
    { MASS "exact linear\nexact harmonic", 4, 7, { "a model has one exact solution" } },
    { MASS "exact linear x", 3, 14, { "expected the end of the statement" } },
    { MASS "force y = 2", 3, 7, { "unknown name 'y'" } },
    { "coordinate alpha\nkinetic alpha'^2\nforce alhpa = 2",
      3,
      7,
      { "unknown name 'alhpa'", "did you mean 'alpha'?" } },
    { MASS "parameter c = 1\nforce c = 2",
      4,
      7,
      { "'c' is no coordinate: only coordinates have forces" } },
    { MASS "force t = 2", 3, 7, { "'t' is no coordinate: only coordinates have forces" } },
    { MASS "force energy = 2", 3, 7, { "'energy' is no coordinate" } },
    { MASS "force 2 = x", 3, 7, { "expected a name" } },
    { MASS "force x' = 2",
      3,
      8,
      { "expected '=' after the coordinate that the force acts on, found '''" } },
    { MASS "force x", 3, 8, { "expected '='" } },
    { MASS "force x = -x''", 3, 14, { "no accelerations" } },
    { MASS "force x = p(x)",
      3,
      11,
      { "momenta p(..) have a meaning only in start, observe and event" } },
    { MASS "force x = energy", 3, 11, { "'energy' has a meaning only in observe and event" } },
    /* events */
    { MASS "event e x = 1", 3, 9, { "expected ':' after the event's name" } },
    { MASS "event t: x = 1", 3, 7, { "'t' is a reserved name" } },
    { MASS "event x: x = 1", 3, 7, { "'x' is declared already, in line 1" } },
    { MASS "event e: x = 1\nevent e: x = 2",
      4,
      7,
      { "the event 'e' is declared already, in line 3" } },
    { MASS "event e: x", 3, 11, { "expected '=' between the two sides" } },
    { MASS "event e: z = 1", 3, 10, { "unknown name 'z'" } },
    { MASS "event e: x - x = 0", 3, 10, { "both sides of the event are the same" } },
    { MASS "event e: sin(x)^2 = 1 - cos(x)^2", 3, 10, { "equal at every state" } },
    { MASS "event e: 2 = 3", 3, 10, { "neither on the state nor on t" } },
    { MASS "event e: x^2 = 0", 3, 10, { "never changes its sign" } },
    { MASS "event e: abs(x) = 0", 3, 10, { "never changes its sign" } },
    { MASS "event e: x = 0 sinking", 3, 16, { "expected 'rising' or 'falling'" } },
    { MASS "event e: x = 0 stop then x' = 1", 3, 21, { "nothing follows" } },
    /* constraints */
    { MASS "constraint c: x' = 1", 3, 15, { "contains velocities", "holonomic" } },
    { MASS "constraint c: t = 1", 3, 15, { "no coordinate that moves" } },
    { MASS "constraint c: x - x = 0", 3, 15, { "no coordinate that moves" } },
    { MASS "constraint c: x = 1\nconstraint c: x = 2", 4, 12, { "declared already, in line 3" } },
    { MASS "constraint x: x = 1", 3, 12, { "'x' is declared already, in line 1" } },
    { MASS "constraint x = 1", 3, 12, { "'x' is declared already" } },
    { MASS "constraint c: x", 3, 16, { "expected '='" } },
    { MASS "constraint c[i]: x = i", 3, 13, { "over which indices" } },
    { MASS "constraint c[i in 3..1]: x = i", 3, 13, { "empty" } },
    { "coordinate x, y\nkinetic x'^2 + y'^2\nconstraint c: x = t\nfix x = 1",
      3,
      15,
      { "no coordinate that moves" } },
    { MASS "exact harmonic\nconstraint c: x = 1", 4, 12, { "leave out 'exact'" } },
    { MASS "constraint c: x = 1\nstart energy = 2 by x'", 4, 16, { "give velocities instead" } },
    { MASS "constraint c: x = 1\nmonitor 1 + x^2", 3, 12, { "leave out 'monitor'" } },
    { "coordinate x, y\nkinetic x'^2 + y'^2\nsymmetry s = (1, 0)\nconstraint c: x^2 + y^2 = 1",
      3,
      10,
      { "does not leave the constraint 'c' as it is" } },
    { MASS "event e: x' = 0 then bounce 1", 3, 22, { "depends on velocities" } },
    { MASS "event e: t = 1 then bounce 1", 3, 21, { "it has no normal" } },
    { MASS "event e: x = 1 then bounce", 3, 27, { "expected the coefficient of restitution" } },
    { MASS "event e: x = 1 then bounce 2", 3, 28, { "expected 0", "to 1" } },
    { MASS "event e: x = 1 then x = 2", 3, 21, { "positions and t are continuous" } },
    { MASS "event e: x = 1 then x' = 2, x' = 3", 3, 29, { "assigned twice" } },
    { MASS "event e: x = 1 then y' = 2", 3, 21, { "unknown name 'y'" } },
    { MASS "event e: x = 1/0", 3, 14, { "not finite" } },
    { MASS "force x = 1, = 2", 3, 14, { "expected a name" } },
    { MASS "dissipation x''^2", 3, 15, { "no accelerations" } },
    { MASS "w = x'\ndissipation w'^2", 4, 14, { "no accelerations" } },
    { MASS "dissipation x^2", 3, 13, { "contains no velocities" } },
    { MASS "dissipation y'^2", 3, 13, { "unknown name 'y'" } },
    { MASS "dissipaton x'^2", 3, 1, { "did you mean 'dissipation'?" } },
    { "mass m", 1, 6, { "expected the name of a file in quotes" } },
    { "stiffness \"k.mtx\"", 1, 12, { "a stiffness matrix alone: the mass matrix is missing" } },
    { "damping \"c.mtx\"", 1, 10, { "damping by matrices needs a mass and a stiffness matrix" } },
    { "symmetry rotation = (-y, x)", 1, 23, { "unknown name 'y'" } },
    { MASS "symmetry x = (1)", 3, 10, { "'x' is declared already" } },
    { MASS "symmetry s = 1", 3, 14, { "expected '(' and one expression per coordinate" } },
    { MASS "symmetry s = (1", 3, 16, { "expected ')' after the generator's components" } },
    { MASS "symmetry s = (x')", 3, 15, { "a function of coordinates" } },
    { MASS "symmetry s = (p(x))", 3, 15, { "momenta p(..)" } },
    { MASS "symmetry s = (1, 0)", 3, 10, { "has 2 components, the model 1 coordinate:" } },
    { MASS "symmetry s = (1)\ncoordinate y\nkinetic y'^2",
      3,
      10,
      { "has 1 component, the model 2 coordinates" } },
    { MASS "symmetry s = (1)\nobserve a = 2*s",
      4,
      15,
      { "'s' is a symmetry: its momentum is a column" } },
    /* families and sums */
    { "coordinate x[1..0]", 1, 13, { "'x[1..0]' has no members" } },
    { "coordinate x[1..9999]\nkinetic x[1]'^2", 1, 12, { "'x[2]' has no kinetic energy" } },
    { "coordinate x[1..9999]\nkinetic sum(i in 1..9999) x[i]'^2\nforce x[1] = 2",
      3,
      1,
      { "forces, events, constraints, monitors and exact solutions: this works up to 4000 "
        "coordinates" } },
    { "parameter N = 0\ncoordinate x[1..N]", 2, 13, { "'x[1..0]' has no members" } },
    { "coordinate x[1..2.5]", 1, 17, { "an index must be an integer: this is 2.5" } },
    { "coordinate x[1..5/2]", 1, 18, { "an index must be an integer: this is 2.5" } },
    { "parameter N = 3\ncoordinate x[1..N/2]",
      2,
      18,
      { "an index must be an integer: this is 1.5" } },
    { "coordinate x[1..1/0]", 1, 18, { "division by 0 in an index" } },
    { "coordinate x[1..1e20]", 1, 17, { "the index is too large" } },
    { "coordinate x[3]", 1, 13, { "expected the range of a family, 'x[1..10]'" } },
    { "coordinate x[i]", 1, 13, { "expected the range of a family" } },
    { "coordinate x[1..3\nkinetic x[1]'^2",
      2,
      1,
      { "expected ']' after the index, found 'kinetic'" } },
    { "coordinate x[1..3]\nkinetic x'^2", 2, 9, { "'x' is a family", "'x[1]'" } },
    { "coordinate x\nkinetic x[1]'^2", 2, 9, { "'x' is no family" } },
    { "coordinate x[1..3]\nkinetic x[4]'^2", 2, 9, { "'x[4]' does not exist", "1..3" } },
    { "coordinate x[1..3]\nkinetic x[1 mod 0]'^2", 2, 13, { "mod 0: expected a positive number" } },
    { "coordinate x[1..3]\nkinetic x[x[1]]'^2",
      2,
      11,
      { "an index must be an integer: this depends on the motion" } },
    { "coordinate x[1..3]\nkinetic sum(i in 1..3) x[i+1]'^2",
      2,
      24,
      { "'x[4]' does not exist (i = 3)", "1..3" } },
    { "coordinate x[1..3]\nkinetic sum(i in 1..3, j in i..3) x[i+j]'^2",
      2,
      35,
      { "'x[4]' does not exist (i = 1, j = 3)", "1..3" } },
    { "coordinate x[1..3]\nkinetic sum(i in 1..0) x[i]'^2", 2, 9, { "the sum is empty", "1..0" } },
    { "coordinate x[1..3]\nkinetic sum(i in 4..4, j in i+1..3) x[i]'^2",
      2,
      9,
      { "the sum is empty", "5..3" } },
    { "coordinate x[1..3]\nkinetic sum(i in 1..3 x[i]'^2",
      2,
      23,
      { "expected ')' after the range of the sum" } },
    { "coordinate x[1..3]\nkinetic sum(i 1..3) x[i]'^2", 2, 15, { "expected 'in'" } },
    { "coordinate x[1..3]\nkinetic sum(i in 3) x[i]'^2", 2, 19, { "expected '..'" } },
    { "coordinate x[1..3]\nkinetic sum(x in 1..3) x[1]'^2",
      2,
      13,
      { "'x' is declared already, in line 1" } },
    { "coordinate x[1..3]\nkinetic sum(i in 1..3, i in 1..3) x[i]'^2",
      2,
      24,
      { "the index 'i' runs already: give this one another name" } },
    { "coordinate x[1..3]\nkinetic sum(i in 1..3) x[i]'^2 + sum(i in 1..3) x[i]^2",
      2,
      38,
      { "the index 'i' runs already", "to the end of its line or parentheses",
        "(sum(..) ..) + sum(..)" } },
    { "coordinate x[1..3]\nX[i in 1..3] = sum(i in 1..2) x[i]",
      2,
      20,
      { "'i' runs already: give this one another name" } },
    { "coordinate x[1..3]\nkinetic sum(sin in 1..3) x[1]'^2",
      2,
      13,
      { "'sin' is a reserved name" } },
    { "coordinate x[1..3]\nkinetic sum x[1]'^2", 2, 13, { "expected '(' after sum" } },
    { "coordinate x[1..3]\nkinetic x[1]'^2 + i", 2, 19, { "unknown name 'i'" } },
    { "coordinate x\nkinetic x'^2 + sum(i in 1..1e7) 0",
      2,
      16,
      { "have more than 4194304 terms" } },
    { "coordinate x\nkinetic x'^2 + sum(i in 1..1e5, j in 1..1e5) 0",
      2,
      16,
      { "have more than 4194304 terms" } },
    { "coordinate x\nkinetic x'^2 + sum(i in 1..1e5, j in 1..0) 0", 2, 16, { "the sum is empty" } },
    { "coordinate x\nkinetic x'^2 + mod", 2, 16, { "'mod' stands between two numbers" } },
    { "coordinate q[1..3]\nX[i] = X[i-1] + q[i]",
      2,
      2,
      { "'X' is defined by itself", "define a first member" } },
    { "coordinate q[1..3]\nX[0] = 0\nX[i] = X[i-1] + X[i+1] + q[i]",
      3,
      2,
      { "members before it and behind it" } },
    { "coordinate q[1..3]\nX[i] = q[i]\nX[i] = q[i]^2", 3, 2, { "'X[1]' is declared already" } },
    { "coordinate q[1..3]\nX[i] = q[1]",
      2,
      2,
      { "over which indices does it run?", "[i in 1..10]" } },
    { "coordinate q[1..3]\nX[i in 0..3] = q[i]",
      2,
      16,
      { "'q[0]' does not exist (i = 0)", "1..3" } },
    { "coordinate q[1..3]\nX[1..3] = 2", 2, 2, { "a rule names its index" } },
    { "coordinate q[1..3]\nX[1] = 2\nX[1] = 3", 3, 2, { "'X[1]' is declared already" } },
    { "coordinate q[1..3]\nX[1] = 2\nX = 3", 3, 1, { "'X' is declared already, in line 2" } },
    { "parameter m[1..3] = (1, 2)", 1, 21, { "2 values for 3 members" } },
    { "parameter m[1..3] = (1, 2, 3, 4)", 1, 21, { "4 values for 3 members" } },
    { "parameter m[1..3] = \"nowhere.csv\"", 1, 22, { "cannot read 'nowhere.csv'" } },
    { "parameter m[i in 1..3] = 1/(i - 2)", 1, 26, { "the value is not finite" } },
    { "coordinate x[0..3]\nkinetic sum(i in 0..3) x[i]'^2\nfix x[4] = 0",
      3,
      6,
      { "'x[4]' does not exist", "0..3" } },
    { "coordinate x[0..3]\nkinetic sum(i in 0..3) x[i]'^2\nfix x[0] = x[1]",
      3,
      12,
      { "numbers, parameters and t only" } },
    { "coordinate x[0..3]\nkinetic sum(i in 0..3) x[i]'^2\nfix x[0] = 0, x[0] = 1",
      3,
      15,
      { "'x[0]' is fixed twice" } },
    { "coordinate x[0..3]\nkinetic sum(i in 0..3) x[i]'^2\nfix x[i] = 0",
      1,
      12,
      { "every coordinate is fixed" } },
    { "coordinate x[0..3]\nkinetic sum(i in 0..3) x[i]'^2\nfix x[0] = 0\nstart x[0] = 1",
      4,
      7,
      { "'x[0]' is fixed" } },
    { "coordinate x[0..3]\nkinetic sum(i in 0..3) x[i]'^2\nstart x[0] = 1\nfix x[0] = 0",
      4,
      5,
      { "has a start above" } },
    { "coordinate x\nkinetic x'^2\nfix y = 0", 3, 5, { "unknown name 'y'" } },
    { "coordinate x[0..3]\nkinetic sum(i in 0..3) x[i]'^2\nstart x[7] = 1",
      3,
      8,
      { "'x[7]' does not exist", "0..3" } },
    { "coordinate x[0..3]\nkinetic sum(i in 0..3) x[i]'^2\nstart x[i] = i, x[i] = 2",
      3,
      17,
      { "position of 'x[0]' is given twice" } },
    { "coordinate x[0..3]\nkinetic sum(i in 0..3) x[i]'^2\nstart x[1] = 1, x[1] = 2",
      3,
      17,
      { "position of 'x[1]' is given twice" } },
    { "coordinate x\nkinetic x'^2\nobserve a = work", 3, 13, { "'work' is a column of a run" } },
    /* momenta and energy */
    { "coordinate x\nkinetic x'^2\npotential p(x)*x",
      3,
      11,
      { "momenta p(..)", "only in start, observe and event" } },
    { "coordinate x\nkinetic x'^2\npotential energy",
      3,
      11,
      { "'energy' has a meaning only in observe and event" } },
    { "coordinate x\nkinetic x'^2\nobserve a = p(x)\npotential a*x",
      4,
      11,
      { "'a' contains momenta or the energy" } },
    { "coordinate x\nkinetic x'^2\nobserve a = energy\nb = 2*a",
      4,
      7,
      { "'a' contains momenta or the energy" } },
    { "coordinate x\nkinetic x'^2\nobserve a = 2*energy\nparameter b = a",
      4,
      15,
      { "'a' contains momenta" } },
    { "coordinate x\nkinetic x'^2\nobserve a = energy\nobserve b = a'",
      4,
      14,
      { "the prime of something", "momenta" } },
    { "coordinate x\nkinetic x'^2\nobserve a = p(z)", 3, 15, { "unknown name 'z'" } },
    { "coordinate x\nk=x\nkinetic x'^2\nobserve a = p(k)",
      4,
      15,
      { "'k' is no coordinate", "momenta" } },
    /* a start by its energy */
    { MASS "start energy = 1 by x", 3, 21, { "the velocity of one coordinate: 'by x''" } },
    { MASS "start energy = 1", 3, 17, { "expected the velocity that the energy determines" } },
    { MASS "start energy = x by x'", 3, 16, { "numbers and parameters only" } },
    { MASS "start energy = 1 by x', x' = 2",
      3,
      21,
      { "given twice: by a value and by the energy" } },
    { MASS "start energy = 1 by x'\nstart energy = 1 by x'", 4, 7, { "given twice" } },
    { MASS "potential x^2\nstart x = 2, energy = 3.5 by x'",
      4,
      23,
      { "no velocity of x gives the energy 3.5: there it is 4 or more (at x' = 0)" } },
    { "coordinate x, y\nkinetic x'^2/2 + y'^2/2 + x'*y'/2\nstart y' = 1, energy = 0.25 by x'",
      3,
      24,
      { "there it is 0.375 or more (at x' = -0.5)" } },
    { "coordinate x, y\nkinetic x'^2/2 + y'^2/2\nstart p(y) = 1, energy = 2 by x'",
      3,
      26,
      { "needs the velocities of the other coordinates", "the momentum of 'y' is given" } },
    { "coordinate x\nlagrangian -sqrt(1 - x'^2)\nstart energy = 2 by x'",
      3,
      21,
      { "the energy is no quadratic function of x'" } },
    { "coordinate x, y\nkinetic x'^2/2 + y'^2/2\nfix y = 0\nstart energy = 2 by y'",
      4,
      21,
      { "'y' is fixed: it has no velocity" } },
    /* start and suggest */
    { "coordinate x\nkinetic x'^2\nstart x = 1, x = 2",
      3,
      14,
      { "position of 'x' is given twice" } },
    { "coordinate x\nkinetic x'^2\nstart x' = 1\nstart x' = 2",
      4,
      7,
      { "velocity of 'x' is given twice" } },
    { "coordinate x\nkinetic x'^2\nstart p(x) = 1, p(x) = 2",
      3,
      17,
      { "momentum of 'x' is given twice" } },
    { "coordinate x\nkinetic x'^2\nstart t = 1, t = 2", 3, 14, { "start of t is given twice" } },
    { "coordinate x\nkinetic x'^2\nstart x' = 1, p(x) = 2",
      3,
      15,
      { "both velocity and momentum of 'x' are given" } },
    { "coordinate x\nkinetic x'^2\nstart p(x) = 1, x' = 2",
      3,
      17,
      { "both velocity and momentum of 'x' are given" } },
    { "parameter k=1\ncoordinate x\nkinetic x'^2\nstart k = 1", 4, 7, { "'k' is no coordinate" } },
    { "coordinate x\nkinetic x'^2\nstart x'' = 1", 3, 9, { "expected '='", "found '''" } },
    { "coordinate x, y\nkinetic x'^2 + y'^2\nsymmetry s = (0, 0*x)",
      3,
      10,
      { "the symmetry 's' moves nothing" } },
    { "coordinate x\nkinetic x'^2\nstart x = 1/0", 3, 11, { "the value is not finite" } },
    { "coordinate x\nkinetic x'^2\nsuggest step = 1, step = 2",
      3,
      19,
      { "'step' is suggested twice" } },
    { "coordinate x\nkinetic x'^2\nsuggest method = \"a\"\nsuggest method = \"b\"",
      4,
      9,
      { "'method' is suggested twice" } },
    { "coordinate x\nkinetic x'^2\nsuggest method = simpson",
      3,
      18,
      { "in quotes", "found 'simpson'" } },
    { "coordinate x\nkinetic x'^2\nsuggest method = \"simpson\n",
      3,
      18,
      { "the string is not closed" } },
    { "coordinate x\nkinetic x'^2\nsuggest steps = 1",
      3,
      9,
      { "expected method, step or until, found 'steps'" } },
    /* columns are characters: letters of two bytes, tabs, carriage returns, a mark at the
     * beginning */
    { "coordinate \xCE\xB8\n\tparameter \xCF\x89=1, \xC3\xA9 = \xCE\xB8*\xCF\x88",
      2,
      23,
      { "unknown name '\xCF\x88'" } },
    { "coordinate x\r\n\t\tkinetic\tx $ 2\r\n", 2, 13, { "'$' has no meaning here" } },
    { "coordinate x\nkinetic x'^2/2 \x01", 2, 16, { "control character 0x01" } },
    { "coordinate x\nkinetic x'^2/2 \x7F", 2, 16, { "control character 0x7F" } },
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const char *text = refusals[i].text, *what = "";
        int         line = 0, column = 0;
        noe_error_clear();
        noe_system *s = noe_system_parse(text);
        if (s || !noe_error()) fail_msg("accepted:\n%s", text);
        const bool odd = strpbrk(text, "\x01\x7F") != NULL; /* shown as blanks or question marks */
        if (!well_formed(noe_error(), odd ? NULL : text, &line, &column, &what))
            fail_msg("not well formed:\n%s\n%s", text, noe_error());
        if (line != refusals[i].line || column != refusals[i].column)
            fail_msg("expected line %d, column %d:\n%s", refusals[i].line, refusals[i].column,
                     noe_error());
        for (int k = 0; k < 3 && refusals[i].words[k]; k++)
            if (!strstr(what, refusals[i].words[k]))
                fail_msg("expected \"%s\":\n%s", refusals[i].words[k], noe_error());
    }
}

/* ---- assignments from outside ---- */

static void test_assignments(void **state)
{
    (void)state;
    static const char model[] = "parameter g = 8, l1 = g/4\ncoordinate q1, q2\nu = q1\n"
                                "kinetic q1'^2 + q2'^2\nobserve a = energy\n";
    static const struct {
        const char *first, *text;
        int         column;
        const char *words;
    } table[] = {
        { NULL, "l3 = 2", 1, "unknown name 'l3'; did you mean 'l1'?" },
        { NULL, "length = 2", 1,
          "unknown name 'length': the model has no such parameter or coordinate" },
        { NULL, "l1 = 2*l1", 8, "'l1' is defined by itself" },
        { NULL, "g = l1", 5, "unknown name 'l1'" }, /* declared below */
        { NULL, "l1 = 1/0", 6, "the value is not finite" },
        { NULL, "l1 = t", 6, "expected numbers and parameters only" },
        { NULL, "l1 = 2, g = 3", 7, "expected the end of the assignment, found ','" },
        { NULL, "l1 == 2", 4, "'==' has no meaning here" },
        { NULL, "u = 2", 1, "'u' is neither a parameter nor a coordinate" },
        { NULL, "a = 2", 1, "'a' is neither a parameter nor a coordinate" },
        { NULL, "p(g) = 2", 3, "'g' is no coordinate" },
        { NULL, "g' = 2", 2, "expected '='" },
        { NULL, "q1 = q2", 6, "expected numbers and parameters only" },
        { NULL, "q1'' = 1", 4, "expected '='" },
        { NULL, "= 1", 1, "expected a name, found '='" },
        { NULL, "q1 = ", 5, "expected a number" },
        { "q1.v = 1", "q1.p = 2", 1, "both velocity and momentum of 'q1' are given" },
        { "q1.p = 1", "q1' = 2", 1, "both velocity and momentum of 'q1' are given" },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        noe_system *s = parse(model),
                   *first = table[i].first ? noe_system_let(s, table[i].first) : NULL;
        noe_system *second = noe_system_let(first ? first : s, table[i].text);
        const char *what = "";
        int         line = 0, column = 0;
        if (second || !noe_error()) fail_msg("accepted: %s", table[i].text);
        if (!well_formed(noe_error(), NULL, &line, &column, &what) || line != 1
            || column != table[i].column || !strstr(what, table[i].words)
            || strncmp(noe_error(), "assignment:1:", 13))
            fail_msg("expected column %d, \"%s\":\n%s", table[i].column, table[i].words,
                     noe_error());
        noe_system_free(first);
        noe_system_free(s);
    }
    noe_error_clear();
    assert_null(noe_system_let(NULL, "g = 1"));
    assert_null(noe_error());
}

/* ---- all that is not a model, soon ---- */

static char *repeated(const char *before, const char *piece, int count, const char *after)
{
    const size_t a = strlen(before), p = strlen(piece), b = strlen(after);
    char        *text = malloc(a + p * (size_t)count + b + 1), *at = text + a;
    assert_non_null(text);
    memcpy(text, before, a);
    for (int i = 0; i < count; i++, at += p) memcpy(at, piece, p);
    memcpy(at, after, b + 1);
    return text;
}

/* Parses bytes, within five seconds of processor time, to a system or to a well-formed message. */
static bool accepts(const char *bytes, size_t length, bool place)
{
    const char *what;
    int         line, column;
    clock_t     begun = clock();
    noe_error_clear();
    noe_model *m = noe_parse_model_text("model", bytes, length, NULL, 0);
    if (!m && !noe_error()) fail_msg("neither a model nor a message");
    if (!m && place && !well_formed(noe_error(), NULL, &line, &column, &what))
        fail_msg("no place: %s", noe_error());
    const double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    if (seconds > 5) fail_msg("took %g s", seconds);
    noe_model_free(m);
    return m != NULL;
}

static void stress(const char *before, const char *piece, int count, const char *after, bool good,
                   const char *words)
{
    char *text = repeated(before, piece, count, after);
    if (accepts(text, strlen(text), true) != good)
        fail_msg("%d of '%.20s' are %s", count, piece, good ? "refused" : "accepted");
    if (words && !strstr(noe_error(), words)) fail_msg("expected \"%s\": %s", words, noe_error());
    free(text);
}

#define X "coordinate x\nkinetic x'^2/2\npotential "

static void test_nesting(void **state)
{
    (void)state;
    stress(X, "(", 199, "x", false, "expected ')'");
    stress(X, "(", 60000, "x", false, "nested deeper than 200 levels");
    stress(X "(", "\n(", 100000, "x", false, "nested deeper than 200 levels");
    stress(X, "-", 60000, "x", false, "nested deeper than 200 levels");
    stress(X "x", "^x", 30000, "", false, "nested deeper than 200 levels");
    stress(X, "sin(", 15000, "x", false, "nested deeper than 200 levels");
    stress(X "x", "'", 60000, "", false, "no accelerations");
    stress(X "t", "'", 60000, "", true, NULL);
    stress(X "x", "+x*2", 15000, "", true, NULL);
    stress(X "x", ")", 60000, "", false, "found ')'");
    char *deep = repeated(X, "(", 199, "x"), *text = repeated(deep, ")", 199, "\n");
    assert_true(accepts(text, strlen(text), true));
    free(text);
    free(deep);
}

static void test_long(void **state)
{
    (void)state;
    stress(X, "x+", 500000, "x", false, "the line is longer than 65536 bytes");
    stress(X "x #", "y", 1 << 20, "\n", false, "the line is longer than 65536 bytes");
    stress(X "(", "x +\n", 200000, "x)", true, NULL);
    stress(X "(", "x+\n", 2200000, "x)", false, "too large a model");
    stress(X, "1", 1001, "", false, "a number of more than 1000 characters");
    stress(X, "1", 1000, "", true, NULL);
    stress(X, "y", 60000, "", false, "unknown name");
    stress(X "x\n", "\n", 1 << 23, "", true, NULL);
    stress(X "x\n", "#", 60000, "", true, NULL);
    char *text = repeated(X, " ", (1 << 24), "");
    assert_false(accepts(text, strlen(text), false));
    assert_non_null(strstr(noe_error(), "larger than 16 MB"));
    free(text);
}

/* Bytes that are no text: the message is text all the same. */
static void test_bytes(void **state)
{
    (void)state;
    static const char *const broken[] = { "\x80",     "\xC3",         "\xC0\x80",
                                          "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                          "\xFF\xFE", "\xC2\x9B",     "\x1B[2J",
                                          "\x7F" };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char text[100];
        snprintf(text, sizeof text, "coordinate x\n\xC3\xA9 = 1 %sz\n", broken[i]);
        assert_false(accepts(text, strlen(text), true));
        assert_non_null(strstr(noe_error(), "model:2:7:"));
        for (const char *c = noe_error(); *c; c++)
            assert_true(*c == '\n' || (*c >= ' ' && *c < 127) || !strncmp(c, "\xC3\xA9", 2)
                        || !strncmp(c - 1, "\xC3\xA9", 2));
    }
    static const char nul[] = "coordinate x\nkinetic x'\0^2";
    assert_false(accepts(nul, sizeof nul - 1, true));
    assert_non_null(strstr(noe_error(), "model:2:11: a NUL byte"));
    char *noise = malloc(1 << 24);
    for (int i = 0; i < 1 << 24; i++) noise[i] = (char)below(256);
    assert_false(accepts(noise, 1 << 24, true));
    memset(noise, 'x', 1 << 24);
    assert_false(accepts(noise, 1 << 24, true));
    free(noise);
}

/* Many of one kind: the time is linear. */
static void test_many(void **state)
{
    (void)state;
    static const struct {
        const char *before, *line; /* line: printf of i, i - 1, i - 1 */
        int         count;
        const char *words;
    } table[] = {
        { "coordinate x\nkinetic x'^2\nparameter a0 = 1\n", "parameter a%1$d = a%2$d\n", 200000,
          NULL },
        { "coordinate x\nkinetic x'^2\nd0 = x\n", "d%1$d = d%2$d + x\n", 200000, NULL },
        { "coordinate x\nkinetic x'^2\nd0 = x\n", "d%1$d = sin(d%2$d)\ne%1$d = d%1$d'\n", 100000,
          NULL },
        { "parameter b = 1\ncoordinate x\nkinetic x'^2\nd0 = b\n",
          "d%1$d = cos(d%2$d)\nparameter a%1$d = d%1$d\n", 50000, NULL },
        { "coordinate x0\nkinetic x0'^2\n", "coordinate x%1$d\nkinetic x%1$d'^2 + x%2$d*x%1$d\n",
          1000, NULL },
        { "coordinate x\nkinetic x'^2\n", "observe o%1$d = x*%1$d\n", 100000, NULL },
        { "coordinate x\nkinetic x'^2\n", "potential z%1$d\n", 100000, "unknown name 'z1'" },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const size_t room = (size_t)table[i].count * 80 + 200;
        char        *text = malloc(room), *at = text + sprintf(text, "%s", table[i].before);
        for (int k = 1; k <= table[i].count; k++)
            at += snprintf(at, room - (size_t)(at - text), table[i].line, k, k - 1);
        if (accepts(text, strlen(text), true) != !table[i].words)
            fail_msg("%s: %s", table[i].line, noe_error());
        if (table[i].words) assert_non_null(strstr(noe_error(), table[i].words));
        free(text);
    }
}

/* A path of any length: what is wrong and where stays readable. */
static void test_long_path(void **state)
{
    (void)state;
    char *name = repeated("", "\xC3\xA9/", 1000, "x.lag");
    noe_error_clear();
    assert_null(noe_parse_model_text(name, "foo bar", 7, NULL, 0));
    assert_non_null(strstr(noe_error(), "/x.lag:1:1: 'foo' begins no statement"));
    assert_non_null(strstr(noe_error(), "\n    foo bar\n    ^"));
    free(name);
    noe_error_clear();
    assert_null(noe_system_load("/nowhere/x.lag"));
    assert_non_null(strstr(noe_error(), "/nowhere/x.lag: cannot read"));
    noe_error_clear();
    assert_null(noe_system_load("systems"));
    assert_non_null(strstr(noe_error(), "systems: cannot read"));
}

/* The library's models with bytes changed, lost and doubled. */
static void mutate(const noe_system *s, const char *path)
{
    (void)path;
    static const char signs[] = "()'^*/+-,=<>#\"\n\t .0123456789exqptL\xCE\xB8[];";
    const char       *old = s->model->text;
    const size_t      length = strlen(old);
    char             *text = malloc(length + 300);
    for (int i = 0; i < 100; i++) {
        size_t n = length;
        memcpy(text, old, n);
        for (int k = 1 + below(3); k > 0; k--) {
            const size_t at = (size_t)below((int)n), span = (size_t)below(30);
            const int    kind = below(3);
            if (kind == 0) text[at] = signs[below(sizeof signs - 1)];
            if (kind == 1 && at + span < n)
                memmove(text + at, text + at + span, n -= span + at), n += at;
            if (kind == 2 && at + 2 * span < n)
                memmove(text + at + span, text + at, n - at), n += span;
        }
        accepts(text, n, true);
    }
    free(text);
}

static void test_mutations(void **state)
{
    (void)state;
    every_system(mutate);
}

/* ---- memory that runs out ---- */

static const char small_model[] = "parameter m = 1, g = 9.81\ncoordinate q, s\nx = s + sin(q)\n"
                                  "kinetic m*(x'^2 + s'^2 + q'^2)\npotential g*cos(q)\n"
                                  "observe a = p(q)\nstart q = 1\nsuggest step = g/100\n";

/* Calls until no call of malloc fails any more; each failure is NULL and a message. */
static void starve(void *(*make)(const noe_system *), void (*drop)(void *), const noe_system *s)
{
    for (long k = 0;; k++) {
        noe_error_clear();
        calls_left = k;
        void      *made = make(s);
        const bool failed = calls_left < 0;
        calls_left = -1;
        if (made) drop(made);
        if (made && !failed) return;
        if (failed && !made) assert_non_null(noe_error());
        if (failed && !made && !strstr(noe_error(), "memory"))
            fail_msg("call %ld: %s", k, noe_error());
        assert_true(k < 10000);
    }
}

static void *make_system(const noe_system *s) { return (void)s, noe_system_parse(small_model); }
static void *make_load(const noe_system *s)
{
    return (void)s, noe_system_load("systems/pendulum.lag");
}
static void *make_with(const noe_system *s) { return noe_system_with(s, "g", 3); }
static void *make_let(const noe_system *s) { return noe_system_let(s, "q.v = g"); }
static void *make_c(const noe_system *s) { return noe_system_emit(s, "small"); }
static void *make_value(const noe_system *s)
{
    static quad value;
    return noe_parse_model_value(s->model, "step", "g/100", &value) ? &value : NULL;
}

static void drop_system(void *s) { noe_system_free(s); }
static void drop_nothing(void *x) { (void)x; }

static void test_no_memory(void **state)
{
    (void)state;
    noe_system *s = parse(small_model);
    starve(make_system, drop_system, s);
    starve(make_load, drop_system, s);
    starve(make_with, drop_system, s);
    starve(make_let, drop_system, s);
    starve(make_c, free, s);
    starve(make_value, drop_nothing, s);
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_assignments),
        cmocka_unit_test(test_nesting),   cmocka_unit_test(test_long),
        cmocka_unit_test(test_bytes),     cmocka_unit_test(test_many),
        cmocka_unit_test(test_long_path), cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
