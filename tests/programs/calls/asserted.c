// asserted: functions that check what they are given, with the numbers of lines in their macros.
// sizes: -DN=61
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

static int failures, last_line;
#define CHECK(condition) ((condition) ? (void)0 : failed(__LINE__))

static void failed(int line)
{
    failures++;
    last_line = line;
}

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %.1f last %.1f\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

void kernel_checked(int n, const double *x, double *y)
{
    assert(n > 0);
    for (int i = 0; i < n; i++) // loop: parallel_if
        y[i] = x[i] + 1.0;
    CHECK(y[0] > 0.0);
    assert(y[n - 1] >= 0.0 &&
           n < 10000);
    for (int i = 0; i < n; i++) // loop: parallel
        y[i] = y[i] - 0.5;
    CHECK(y[0] < 0.0);
}

int main(void)
{
    double *x = malloc(N * sizeof *x);
    double *y = malloc(N * sizeof *y);
    for (int i = 0; i < N; i++) // loop: parallel
        x[i] = i % 6;
    kernel_checked(N, x, y);
    show("y", y, N);
    kernel_checked(N - 1, y, y + 1);
    show("y, one further", y, N);
    printf("%d failures, lines are told: %d\n", failures, last_line > 0);
    free(x);
    free(y);
    return 0;
}
