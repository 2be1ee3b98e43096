// read_in_a_test: the bound of a loop that never runs is read all the same: it must be on the device.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

void kernel_repeat(int n, int *restrict a, const int *restrict times)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        a[i] = i % 7;
        for (int j = 0; j < times[0]; j++) // loop: parallel, reduction(+:a[i])
            a[i] += j;
    }
}

static void show(const char *name, const int *a, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (int64_t)a[i] * (i + 1);
    printf("%s: %lld\n", name, (long long)sum);
}

int main(void)
{
    int *a = malloc(N * sizeof *a);
    int *times = malloc(sizeof *times);
    if (a == NULL || times == NULL)
        return 1;
    times[0] = 0;
    kernel_repeat(N, a, times);
    show("never", a, N);
    times[0] = -4;
    kernel_repeat(N, a, times);
    show("less than never", a, N);
    times[0] = 5;
    kernel_repeat(N, a, times);
    show("five times", a, N);
    free(a);
    free(times);
    return 0;
}
