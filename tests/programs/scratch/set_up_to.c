// set_up_to: scalars that iterations set up to one number and read up to another one, as sizes have it.
// sizes: -DN=29
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 41
#endif

static int y[N], x[N];

static void show(const char *name)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(x[i] + 64) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx %d %d\n", name, (unsigned long long)sum, x[0], x[N - 1]);
}

// Where k <= m, no iteration reads what another one has set.
void kernel_two_sizes(int n, int m, int k)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: unknown, pair(+2 t = 2 * y[i], +4 t) // stronger: parallel_if k <= m
        if (i < m)
            t = 2 * y[i];
        if (i < k)
            x[i] = t;
    }
}

// Where m >= n, each sets it.
void kernel_one_size(int n, int m)
{
    int t = 0;
    for (int i = 0; i < n; i++) { // loop: unknown, pair(+2 t = 3 * y[i], +3 t) // stronger: parallel_if m >= n
        if (i < m)
            t = 3 * y[i];
        x[i] = t;
    }
}

// The first one reads what was set before the loop.
void kernel_all_but_the_first(int n)
{
    int t = 5;
    for (int i = 0; i < n; i++) { // loop: unknown // stronger: parallel, with the first iteration by itself
        if (i > 0)
            t = y[i];
        x[i] = t;
    }
}

// The last one reads what the one before it has set.
void kernel_all_but_the_last(int n)
{
    int t = 5;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 t = y[i], +3 t)
        if (i < n - 1)
            t = y[i];
        x[i] = t;
    }
}

// So does the tenth.
void kernel_all_but_the_tenth(int n)
{
    int t = 5;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 t = y[i], +3 t)
        if (i != 9)
            t = y[i];
        x[i] = t;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        y[i] = i * 5 % 11;
        x[i] = i;
    }
    kernel_two_sizes(N, 20, 15);
    show("apart");
    kernel_two_sizes(N, 15, 20);
    show("two sizes");
    kernel_one_size(N, 12);
    show("one size");
    kernel_all_but_the_first(N);
    show("first");
    kernel_all_but_the_last(N);
    show("last");
    kernel_all_but_the_tenth(N);
    show("tenth");
    return 0;
}
