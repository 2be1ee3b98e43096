// saxpy: alpha times x plus y, the first example of the DawnCC paper, with every way to overlap.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

void kernel_saxpy(int n, float alpha, float *x, float *y)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        y[i] = alpha * x[i] + y[i]; // read x[0 .. n-1], read y[0 .. n-1], write y[0 .. n-1]
}

static void fill(float *a, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = (float)((i * 7) % 11 - 5);
}

static void show(const char *name, const float *a, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

int main(void)
{
    float *x = malloc(N * sizeof(float));
    float *y = malloc(N * sizeof(float));
    float *both = malloc(2 * N * sizeof(float));
    if (!x || !y || !both)
        return 1;

    fill(x, N);
    fill(y, N);
    kernel_saxpy(N, 3.0f, x, y);
    show("disjoint", y, N);

    kernel_saxpy(0, 3.0f, x, y);
    show("n = 0", y, N);
    kernel_saxpy(1, 3.0f, x, y);
    show("n = 1", y, N);
    kernel_saxpy(-3, 3.0f, x, y);
    show("n = -3", y, N);
    kernel_saxpy(0, 3.0f, NULL, NULL);
    show("no array", y, N);

    fill(y, N);
    kernel_saxpy(N, 3.0f, y, y);
    show("same array", y, N);

    fill(both, 2 * N);
    kernel_saxpy(N, -1.0f, both, both + 1);
    show("y one after x", both, 2 * N);

    fill(both, 2 * N);
    kernel_saxpy(N, -1.0f, both + 1, both);
    show("y one before x", both, 2 * N);

    fill(both, 2 * N);
    kernel_saxpy(N, 3.0f, both, both + N);
    show("y n after x", both, 2 * N);

    fill(both, 2 * N);
    kernel_saxpy(N, 3.0f, both + N, both);
    show("y n before x", both, 2 * N);

    fill(both, 2 * N);
    kernel_saxpy(N, -1.0f, both, both + N - 1);
    show("y n-1 after x", both, 2 * N);

    free(x);
    free(y);
    free(both);
    return 0;
}
