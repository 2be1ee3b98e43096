// saxpy_offsets_same: saxpy with offsets, x and y of one type so that they may overlap in any way.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

void kernel_saxpy_3off(int n, float alpha, float *x, float *y)
{
    for (int i = 3; i < n; ++i) // loop: parallel_if
        y[i - 3] = alpha * x[i] + y[i - 3]; // read x[3 .. n-1], read y[0 .. n-4], write y[0 .. n-4]
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
    kernel_saxpy_3off(N, 3.0f, x, y);
    show("disjoint", y, N);
    kernel_saxpy_3off(0, 3.0f, x, y);
    show("n = 0", y, N);
    kernel_saxpy_3off(3, 3.0f, x, y);
    show("n = 3", y, N);
    kernel_saxpy_3off(4, 3.0f, x, y);
    show("n = 4", y, N);
    kernel_saxpy_3off(-7, 3.0f, x, y);
    show("n = -7", y, N);

    /* The same array: nothing is carried up to n = 6, everything from n = 7 on. */
    for (int n = 4; n <= 9; n++) { // loop: sequential, pair(y[i - 3], x[i]), because fill and the kernel use y again, and show prints
        fill(y, N);
        kernel_saxpy_3off(n, -1.0f, y, y);
        show("same array", y, N);
    }
    fill(y, N);
    kernel_saxpy_3off(N, -1.0f, y, y);
    show("same array", y, N);

    /* y[i - 3] is x[i] itself: the distance is zero. */
    fill(both, 2 * N);
    kernel_saxpy_3off(N, 3.0f, both, both + 3);
    show("y three after x", both, 2 * N);

    fill(both, 2 * N);
    kernel_saxpy_3off(N, -1.0f, both, both + 4);
    show("y four after x", both, 2 * N);

    fill(both, 2 * N);
    kernel_saxpy_3off(N, -1.0f, both + 1, both);
    show("y one before x", both, 2 * N);

    fill(both, 2 * N);
    kernel_saxpy_3off(N, 3.0f, both, both + N);
    show("y n after x", both, 2 * N);

    fill(both, 2 * N);
    kernel_saxpy_3off(N, 3.0f, both + N - 6, both);
    show("y just before x", both, 2 * N);

    free(x);
    free(y);
    free(both);
    return 0;
}
