// at_exit: the program ends between kernels, and what was registered before looks at what they have computed.
// sizes: -DN=83 -DSTEPS=9
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 67
#endif
#ifndef STEPS
#define STEPS 7
#endif

static double field[N], old[N];
static int steps_done;

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g last %g\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

static void at_the_end(void)
{
    printf("%d steps\n", steps_done);
    show("field", field, N);
    show("old", old, N);
}

/* Without an end between the kernels their data stay on the device. */
static void kernel_whole(int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+4 field[i], +4 field[i]), because field[i] is changed in every step
        for (int i = 0; i < N; i++) // loop: parallel
            old[i] = field[i] - t;
        for (int i = 0; i < N; i++) // loop: parallel
            field[i] = old[N - 1 - i] - 2;
    }
}

static void kernel_ended(int steps, int most)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 old[i], +2 old[i]), because field[i] is changed in every step
        for (int i = 0; i < N; i++) // loop: parallel
            old[i] = field[i] + t;
        steps_done = t;
        if (t == most)
            exit(0);
        for (int i = 0; i < N; i++) // loop: parallel
            field[i] = 3 - old[N - 1 - i];
    }
}

int main(void)
{
    if (atexit(at_the_end) != 0)
        return 1;
    for (int i = 0; i < N; i++) // loop: parallel
        field[i] = (i * 3 + i / 5) % 13 - 6;
    kernel_whole(STEPS - 2);
    show("whole", field, N);
    kernel_ended(STEPS, STEPS - 3);
    return 1;
}
