// saxpy_offsets: the example of figure 5 of the DawnCC paper, integers in x and floats in y, never sharing an element.
// sizes: -DN=101
// variants: split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

void kernel_saxpy_3off(int n, float alpha, int *x, float *y)
{
    for (int i = 3; i < n; ++i) // loop: parallel_if // stronger: parallel, with type-based aliasing
        y[i - 3] = alpha * x[i] + y[i - 3]; // read x[3 .. n-1], read y[0 .. n-4], write y[0 .. n-4]
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
    int *x = malloc(N * sizeof(int));
    float *y = malloc((N - 3) * sizeof(float));
    unsigned char *block = malloc(2 * N * sizeof(float));
    if (!x || !y || !block)
        return 1;

    for (int i = 0; i < N; i++) // loop: parallel
        x[i] = (i * 5) % 13 - 6;
    for (int i = 0; i < N - 3; i++) // loop: parallel
        y[i] = (float)((i * 7) % 11 - 5);
    kernel_saxpy_3off(N, 3.0f, x, y);
    show("disjoint", y, N - 3);
    kernel_saxpy_3off(0, 3.0f, x, y);
    show("n = 0", y, N - 3);
    kernel_saxpy_3off(1, 3.0f, x, y);
    show("n = 1", y, N - 3);
    kernel_saxpy_3off(3, 3.0f, x, y);
    show("n = 3", y, N - 3);
    kernel_saxpy_3off(4, 3.0f, x, y);
    show("n = 4", y, N - 3);
    kernel_saxpy_3off(-7, 3.0f, x, y);
    show("n = -7", y, N - 3);

    /* One block: N integers, then N floats; the two sections touch each other, and share nothing. */
    int *px = (int *)(void *)block;
    float *py = (float *)(void *)(block + N * sizeof(int));
    for (int i = 0; i < N; i++) // loop: parallel
        px[i] = (i * 5) % 13 - 6;
    for (int i = 0; i < N; i++) // loop: parallel
        py[i] = (float)((i * 7) % 11 - 5);
    kernel_saxpy_3off(N, 3.0f, px, py);
    show("one block", py, N);

    free(x);
    free(y);
    free(block);
    return 0;
}
