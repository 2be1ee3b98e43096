// at_exit_elsewhere: another file ends the program between kernels, and what this one has registered looks at what they have computed.
// files: at_exit_elsewhere.c at_exit_other.c
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

extern double at_exit_field[N];
void at_exit_run(int steps, int most);

static void at_the_end(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(at_exit_field[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("field: %016llx first %g last %g\n", (unsigned long long)sum, at_exit_field[0], at_exit_field[N - 1]);
}

int main(void)
{
    if (atexit(at_the_end) != 0)
        return 1;
    for (int i = 0; i < N; i++) // loop: parallel
        at_exit_field[i] = (i * 3 + i / 5) % 13 - 6;
    at_exit_run(STEPS, STEPS - 3);
    return 1;
}
