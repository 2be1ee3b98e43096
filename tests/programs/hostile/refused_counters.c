// refused_counters: loop variables and tests that a compiler refuses in a loop with a directive, beside some that both take.
// sizes: -DN=101
#include <stdio.h>

#ifndef N
#define N 37
#endif

enum colour { RED, GREEN, BLUE = 5, COLOURS };

static long a[N], b[COLOURS];

/* gcc 12 dies of it. */
void kernel_colours(int n)
{
    for (enum colour c = RED; c < COLOURS; c++) // loop: parallel
        b[c] += n * (long)c;
}

/* Taken: an integer is compared with a constant of the enumeration. */
void kernel_numbers(int n)
{
    for (int c = RED; c < COLOURS; c++) // loop: parallel
        b[c] -= n + c;
}

/* clang 19 narrows it. */
void kernel_wide(int n)
{
    for (__int128 i = 0; i < n; i++) // loop: parallel
        a[(int)i] += (int)i;
}

/* gcc 12 refuses it with OpenACC, and OpenMP knows it from 5.0 on. */
void kernel_to_the_end(int n)
{
    for (int i = 0; i != n; i++) // loop: parallel
        a[i] *= 3;
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j != 4; j++) // loop: parallel, reduction(+:a[i])
            a[i] += j * (long)i;
}

/* gcc 12 wants a first value without the variable. */
void kernel_from_itself(int i, int n)
{
    for (i = i + 1; i < n; i++) // loop: parallel
        a[i] += 7;
}

/* gcc 12 takes no address of it, as a clause does that brings the sum back. */
long kernel_register(int n)
{
    register long sum = 1;
    for (register int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += a[i];
    return sum;
}

int main(void)
{
    for (int i = 0; i < N; i++) // loop: parallel
        a[i] = i % 5;
    kernel_colours(3);
    kernel_numbers(2);
    kernel_wide(N);
    kernel_to_the_end(N);
    kernel_from_itself(3, N);
    long sum = kernel_register(N);
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += a[i] * (2 * i + 1);
    printf("%ld %ld %ld %ld\n", sum, b[0], b[BLUE], b[2]);
    return 0;
}
