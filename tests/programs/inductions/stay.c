// stay: counters that no iteration can compute from its number, or that no kernel may.
// sizes: -DN=67
// not: reversed
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

// Only some iterations move it.
int kernel_some(int n, int *restrict a, const int *restrict b)
{
    int k = 0;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+2 a[k++] = b[i], +2 k), because only some iterations move k
        if (b[i] > 0)
            a[k++] = b[i];
    return k;
}

// One moves it farther than another.
int kernel_farther(int n, int *restrict a)
{
    int k = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 a[k], +1 a[k]), because how far k moves changes
        a[k] = i;
        k += i & 1;
    }
    return k;
}

static void advance(int *k)
{
    *k += 2;
}

// A function moves it.
int kernel_passed(int n, int *restrict a)
{
    int k = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(*k, +1 k), because a function moves k // stronger: parallel, k is 2 * i
        a[k] = i;
        advance(&k);
    }
    return k;
}

// It comes back to where it was, in a type that wraps around.
int kernel_wraps(int n, int *restrict a)
{
    unsigned char k = 250;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 k++, +1 k), because k begins again
        a[k] = i;
        k++;
    }
    return k;
}

// Where the loop ends early it has another value.
int kernel_left(int n, int *restrict a, const int *restrict b)
{
    int k = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, because it may end early
        if (b[i] == 5)
            break;
        a[k] = i;
        k += 2;
    }
    return k;
}

// So far from where it began in the end that the way is longer than an integer of 64 bits can tell.
long kernel_long(int n, long k, int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: parallel // induction: k is its first value + i * 5000000000
        a[i] = (int)(k / 10000000000);
        k += 5000000000;
    }
    return k;
}

int main(void)
{
    const int most = 3 * N + 256;
    int *a = malloc((size_t)most * sizeof *a), *b = malloc((size_t)most * sizeof *b);
    if (!a || !b)
        return 1;
    fill(a, most, 3);
    fill(b, most, 5);
    printf("some %d\n", kernel_some(N, a, b));
    show("some", a, most);
    printf("farther %d\n", kernel_farther(N, a));
    show("farther", a, most);
    printf("passed %d\n", kernel_passed(N, a));
    show("passed", a, most);
    printf("wraps %d\n", kernel_wraps(N, a));
    show("wraps", a, most);
    printf("left %d\n", kernel_left(N, a, b));
    show("left", a, most);
    printf("long %ld\n", kernel_long(N, -70000000000, a));
    show("long", a, most);
    free(a);
    free(b);
    return 0;
}
