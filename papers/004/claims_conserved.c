/* x'' + c x' + k x = 0 and the conservative system beside it:  section 2 of paper 004.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * T. Luo, Y. Guo, Application of explicit symplectic algorithms to integration of damping
 * oscillators.  Both systems have one curve in common. */
#include "../claim.h"

#include <math.h>

static void one_dimension(void)
{
    const quad c = NUM(0.5), x0 = 1, v0 = 1, A1 = x0 + v0 / c, A2 = -v0 / c;
    int        rows, same;
    quad *d = noether(4, &rows, "papers/004/damped.lag --digits 33 --columns t,x,x.v,dissipated");
    quad *s = noether(4, &same, "papers/004/substitute.lag --digits 33 --columns t,x,x.v,energy");
    quad  exact = 0, slope = 0, shared = 0, hamiltonian = 0, total = 0, constant = 0;
    for (int i = 0; i < rows && rows == same; i++) {
        const quad t = d[4 * i], x = d[4 * i + 1], v = d[4 * i + 2], lost = d[4 * i + 3];
        exact = largest(exact, x - (A1 + A2 * expq(-c * t)));
        slope = largest(slope, v + c * (x - A1));
        shared = largest(largest(shared, x - s[4 * i + 1]), v - s[4 * i + 2]);
        const quad H = v * v / 2 - c * c / 2 * x * x
                     + c * c * A1 * x; /* of the substitute, on the dissipative curve */
        hamiltonian = largest(hamiltonian, H - s[3]);
        total = largest(total, v * v / 2 + lost - v0 * v0 / 2);
        constant = largest(constant, H - (v * v / 2 + lost) - (s[3] - v0 * v0 / 2));
    }
    claim("(2) x = A1 + A2 e^(-ct)", "121 states of gauss 6, step 0.05, binary128", exact, 2e-20Q);
    claim("(5) x' = -c (x - A1) along it", "the same states", slope, 2e-20Q);
    claim("the conservative system (8) has the same motion",
          "noether's run of (8) from the same start", shared, 2e-18Q);
    claim("Proposition 1.1: the substitute Hamiltonian is constant on the common curve",
          "H at the states of the dissipative run", hamiltonian, 2e-20Q);
    claim("total energy, mechanical and dissipated, is constant", "columns energy and dissipated",
          total, 2e-20Q);
    claim("Proposition 1.1: H = total energy + a constant of the start",
          "their difference along the curve", constant, 2e-20Q);
    free(d), free(s);
    /* another start of the dissipative system is on no curve of this substitute: one common
     * curve and no other */
    quad least = 1;
    for (int k = 0; k < 8; k++) {
        const quad angle = M_PIq * k / 4, x = x0 + NUM(0.1) * cosq(angle),
                   v = v0 + NUM(0.1) * sinq(angle);
        if (k == 3 || k == 7) continue; /* nearly along the curve itself */
        d = noether(3, &rows, "papers/004/damped.lag x=%s x.v=%s --columns t,x,x.v", text(x),
                    text(v));
        s = noether(3, &same, "papers/004/substitute.lag x=%s x.v=%s --columns t,x,x.v", text(x),
                    text(v));
        const quad apart = fabsq(d[3 * rows - 2] - s[3 * same - 2]);
        if (apart < least) least = apart;
        free(d), free(s);
    }
    claim("they share no other curve nearby: six starts a tenth away part",
          "0.1/largest distance after t = 6", NUM(0.1) / least, 1);
}

/* Figure 1: a square of starts, moved by both phase flows; the common curve through its middle. */
static void phase_flows(void)
{
    static const char *const system[] = { "damped", "substitute" };
    static const char *const colour[] = { "dissipative", "conservative" };
    quad                     area[2];
    for (int k = 0; k < 2; k++) {
        quad corner[4][2];
        for (int i = 0; i < 5; i++) {
            int        rows;
            const quad x = 1 + NUM(0.25) * ((i + 1) / 2 % 2 ? 1 : -1),
                       v = 1 + NUM(0.25) * (i / 2 % 2 ? 1 : -1);
            quad *y = noether(2, &rows, "papers/004/%s.lag x=%s x.v=%s --until 2 --columns x,x.v",
                              system[k], text(x), text(v));
            if (!k) printf("data\tstarts\t%.9g\t%.9g\n", (double)x, (double)v);
            printf("data\t%s\t%.9g\t%.9g\n", colour[k], (double)y[2 * rows - 2],
                   (double)y[2 * rows - 1]);
            if (i < 4) corner[i][0] = y[2 * rows - 2], corner[i][1] = y[2 * rows - 1];
            free(y);
        }
        area[k] = 0;
        for (int i = 0; i < 4; i++) {
            const quad *a = corner[i], *b = corner[(i + 1) % 4];
            area[k] += (a[0] * b[1] - a[1] * b[0]) / 2;
        }
    }
    int   rows;
    quad *y = noether(2, &rows, "papers/004/damped.lag --until 6 --columns x,x.v");
    for (int i = 0; i < rows; i++)
        printf("data\tcommon\t%.9g\t%.9g\n", (double)y[2 * i], (double)y[2 * i + 1]);
    free(y);
    claim("Figure 1: the flow of (8) keeps the area of a square of starts",
          "area after t = 2, over 1/4, less 1", fabsq(fabsq(area[1]) * 4 - 1), 1e-10Q);
    claim("Figure 1: the dissipative flow shrinks it by e^(-ct)",
          "area after t = 2, over e^(-1)/4, less 1", fabsq(fabsq(area[0]) * 4 * expq(1) - 1),
          1e-10Q);
}

int main(void)
{
    one_dimension();
    phase_flows();
    return failures != 0;
}
