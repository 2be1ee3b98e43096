// steps_of_lengths: the step of each subscript is the length of its loop, and what is read lies one further on (figure 5 of IPDA).
// sizes: -DN=23
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 11
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

/* Elements that are n apart meet their neighbours only if n is 1, and then there is one iteration. */
void kernel_single(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[n * i] = a[n * i + 1] + 1;
}

void kernel_2_3(int *a)
{
    for (int i = 0; i < 2; i++) // loop: sequential, pair(+2 a[2 * i + 3 * j], +2 a[2 * i + 3 * j + 1]), because (1, j - 1) reads what (0, j) writes
        for (int j = 0; j < 3; j++) // loop: parallel
            a[2 * i + 3 * j] = a[2 * i + 3 * j + 1] + 1;
}

void kernel_2_2(int *a)
{
    for (int i = 0; i < 2; i++) // loop: sequential, pair(+2 a[2 * i + 2 * j], +2 a[2 * i + 2 * j]), because (0, 1) and (1, 0) write the same element
        for (int j = 0; j < 2; j++) // loop: parallel
            a[2 * i + 2 * j] = a[2 * i + 2 * j + 1] + 1;
}

void kernel_2_4(int *a)
{
    for (int i = 0; i < 2; i++) // loop: parallel
        for (int j = 0; j < 4; j++) // loop: parallel
            a[2 * i + 4 * j] = a[2 * i + 4 * j + 1] + 1;
}

void kernel_3_3(int *a)
{
    for (int i = 0; i < 3; i++) // loop: sequential, pair(+2 a[3 * i + 3 * j], +2 a[3 * i + 3 * j]), because (0, 1) and (1, 0) write the same element
        for (int j = 0; j < 3; j++) // loop: parallel
            a[3 * i + 3 * j] = a[3 * i + 3 * j + 1] + 1;
}

/* With lengths that are not known it is one or the other. */
void kernel_unknown(int n, int m, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel_if // n + m >= m * m + 2: all j of one i come before those of the next
        for (int j = 0; j < m; j++) // loop: parallel // only i meets another one: two j are m or more apart, and m = 1 is one iteration
            a[n * i + m * j] = a[n * i + m * j + 1] + 1;
}

int main(void)
{
    int size = 2 * N * N;
    int *a = malloc((size_t)size * sizeof(int));
    if (!a)
        return 1;
    fill(a, size, 5);
    kernel_single(N, a);
    show("one loop", a, size);
    kernel_single(1, a);
    show("one iteration", a, size);
    kernel_2_3(a);
    show("2 and 3", a, size);
    kernel_2_2(a);
    show("2 and 2", a, size);
    kernel_2_4(a);
    show("2 and 4", a, size);
    kernel_3_3(a);
    show("3 and 3", a, size);
    kernel_unknown(N, 2, a);
    show("lengths", a, size);
    kernel_unknown(N, N - 2, a);
    show("lengths that mix", a, size);
    kernel_unknown(2, 3, a);
    show("lengths 2 and 3", a, size);
    free(a);
    return 0;
}
