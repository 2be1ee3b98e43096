// loose_bounds: subscripts whose least value is not found exactly: what is known of it lies far before the array, where other data are.
// sizes: -DN=23
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d last %d\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

// Never below v[0]; with i * i and 10 * i taken apart, 35 - 10 * n is all that is known.
void kernel_square(int n, const int *restrict v, int *restrict w)
{
    for (int i = 0; i < n; i++) // loop: parallel
        w[i] = v[(i - 5) * (i - 5)]; // read v[0 .. (n-6)*(n-6)]
}

void kernel_product(int n, int m, const int *restrict v, int *restrict w)
{
    for (int i = 0; i < n; i++) // loop: parallel
        w[i] += v[i * (i - m) + m * m];
}

// A test on data keeps the loop from touching all: that its ends exist is assumed, and listed.
void kernel_some(int low, int high, const int *restrict v, int *restrict w)
{
    for (int i = low; i < high; i++) // loop: parallel
        if (w[i] > 0)
            w[i] = v[i];
}

int main(void)
{
    int far = 10 * N, size = far + N * N + 50;
    int *all = malloc((size_t)size * sizeof(int));
    if (!all)
        return 1;
    fill(all, size, 5);
    int *w = all + far - N, *v = all + far;
    kernel_square(N, v, w);
    show("w", w, N);
    kernel_square(0, v, w);
    kernel_product(N, 7, v, w);
    show("w", w, N);
    kernel_some(2, N - 3, v, w);
    show("w", w, N);
    show("all", all, size);
    free(all);
    return 0;
}
