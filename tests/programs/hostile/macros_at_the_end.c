// macros_at_the_end: loops without braces whose last token comes out of a macro: on other macros, with several tokens, and with one bracket of two.
// sizes: -DN=77
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 41
#endif

#define TWO 2
#define THREE (TWO + 1)
#define FOUR THREE + 1
#define EMPTY -1
#define NEXT(x) ((x) + 1)
#define OVER(x) NEXT(x)
#define BOTH(x, y) OVER(x) * y
#define OPENED (2
#define CLOSED OPENED + 1)

void kernel_nested(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = i * FOUR;
}

void kernel_signs(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        if (a[i] % 3 == 0)
            a[i] = EMPTY;
        else
            a[i] += THREE;
}

void kernel_called(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] += BOTH(a[i] * 2, THREE);
}

void kernel_closed(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] -= CLOSED;
}

/* A condition before the loop makes a second copy of its text. */
void kernel_copied(int n, int *a, int *b)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        a[i] = b[i] % 100 * FOUR;
}

int main(void)
{
    int *a = malloc((N + 1) * sizeof *a);
    for (int i = 0; i < N + 1; i++) // loop: parallel
        a[i] = i % 11;
    kernel_nested(N, a);
    kernel_signs(N, a);
    kernel_called(N, a);
    kernel_closed(N, a);
    kernel_copied(N / 2, a, a + N / 2);
    kernel_copied(N, a + 1, a);
    int sum = 0;
    for (int i = 0; i < N + 1; i++) // loop: parallel, reduction(+:sum)
        sum += a[i] % 1024 * (2 * i + 1);
    printf("%d %d %d\n", sum, a[2] % 65536, a[N - 1] % 65536);
    free(a);
    return 0;
}
