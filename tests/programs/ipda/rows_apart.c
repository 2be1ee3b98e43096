// rows_apart: what is written lies eight rows after what is read, and six rows are written (figure 3 of IPDA).
// sizes: -DN=19
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 7
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
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_carried(int n, int x, int *a)
{
    for (int i = 0; i < 6; i++) { // loop: sequential, pair(+2 x = 2 * i + 1, +1 x), because x is what the iteration before has set
        a[(i + 8) * n] = a[i * n] + x;
        x = 2 * i + 1;
    }
}

void kernel_invariant(int n, int x, int *a)
{
    for (int i = 0; i < 6; i++) // loop: parallel_if // n != 0
        a[(i + 8) * n] = a[i * n] + x;
}

void kernel_nine(int n, int x, int *a)
{
    for (int i = 0; i < 9; i++) // loop: sequential, pair(+1 a[(i + 8) * n], +1 a[i * n]), because iteration 8 reads what iteration 0 writes
        a[(i + 8) * n] = a[i * n] + x;
}

/* The paper assumes n >= 1. Here it is so. */
void kernel_positive(int n, int x, int *a)
{
    if (n > 0)
        for (int i = 0; i < 6; i++) // loop: parallel
            a[(i + 8) * n] = a[i * n] + x;
}

void kernel_nine_positive(int n, int x, int *a)
{
    if (n > 0)
        for (int i = 0; i < 9; i++) // loop: sequential, pair(+1 a[(i + 8) * n], +1 a[i * n]), because iteration 8 reads what iteration 0 writes
            a[(i + 8) * n] = a[i * n] + x;
}

int main(void)
{
    int size = 17 * N;
    int *a = malloc((size_t)size * sizeof(int));
    if (!a)
        return 1;
    fill(a, size, 5);
    kernel_invariant(N, 3, a);
    show("rows", a, size);
    kernel_invariant(-N, 4, a + 13 * N);
    show("backwards", a, size);
    kernel_invariant(0, 5, a);
    show("one element", a, size);
    kernel_carried(N, 3, a);
    show("carried", a, size);
    kernel_nine(N, 3, a);
    show("nine", a, size);
    kernel_nine(0, 3, a);
    show("nine times one element", a, size);
    kernel_nine_positive(N, 5, a);
    show("nine rows", a, size);
    kernel_positive(N, 2, a);
    show("positive", a, size);
    free(a);
    return 0;
}
