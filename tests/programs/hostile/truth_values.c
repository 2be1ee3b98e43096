// truth_values: what `&&` and `||` reduce is neither 0 nor 1 before loops that do not run, or do not change it: it stays what it is.
// sizes: -DN=23
#include <stdbool.h>
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

int kernel_all(int n, int all, const int *restrict v)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(&&:all)
        all = all && v[i] > -100;
    return all;
}

int kernel_any(int n, int start, const int *restrict v)
{
    int any = 2 * start;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(||:any)
        if (v[i] > 100)
            any = any || v[i] > 200;
    return any;
}

void kernel_element(int n, int *restrict all, const int *restrict v)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(&&:*all)
        if (v[i] > 100)
            *all = *all && v[i] != 200;
}

// These are 0 or 1 before.
int kernel_known(int n, const int *restrict v, bool more)
{
    int all = 1;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(&&:all)
        all = all && v[i] > -5;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(||:more)
        more = more || v[i] == 4;
    return 2 * all + more;
}

int main(void)
{
    int *v = malloc(N * sizeof(int));
    if (!v)
        return 1;
    fill(v, N, 5);
    printf("all: %d %d %d\n", kernel_all(N, 7, v), kernel_all(0, 7, v), kernel_all(-3, 0, v));
    printf("any: %d %d %d\n", kernel_any(N, 7, v), kernel_any(0, 7, v), kernel_any(N, 0, v));
    int one[1] = {9};
    kernel_element(N, one, v);
    printf("element: %d\n", one[0]);
    kernel_element(0, one, v);
    printf("element: %d\n", one[0]);
    printf("known: %d %d\n", kernel_known(N, v, false), kernel_known(0, v, true));
    free(v);
    return 0;
}
