// what_does_not_happen: accesses under conditions, and in loops that may be empty, whose ends lie anywhere then.
// sizes: -DN=101
// variants: long split
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

// Where the condition is false the section is n long, not m.
void kernel_condition(int n, int m, const int *restrict v, int *restrict w)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        w[i] = v[i];
        if (m >= n)
            w[i] += v[m - 1];
    }
}

// Only the loop that runs says where the section ends.
void kernel_two(int n, int k, int m, const int *restrict v, int *restrict w)
{
    for (int i = 0; i < n; i++) // loop: parallel
        w[i] = v[i] + 1;
    for (int i = k; i < m; i++) // loop: parallel
        w[i] += 2 * v[i];
}

// The element is touched only under the condition, and need not exist otherwise.
void kernel_element(int n, int k, const int *restrict v, int *restrict w)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        w[i] = i;
        if (k >= 0)
            w[i] += v[k];
    }
}

int main(void)
{
    int *a = malloc(N * sizeof(int)), *b = malloc(N * sizeof(int)), *c = malloc(2 * N * sizeof(int));
    if (!a || !b || !c)
        return 1;
    fill(a, N, 5);
    fill(b, N, 3);
    fill(c, 2 * N, 7);
    kernel_condition(N, N / 2, b, a);
    show("a", a, N);
    kernel_condition(N, N + 5, c, a);
    show("a", a, N);
    kernel_condition(N, -5, b, a);
    show("a", a, N);
    kernel_two(N, 2, N - 3, b, a);
    show("a", a, N);
    kernel_two(N, N + 20, N + 10, b, a);
    show("a", a, N);
    kernel_two(N, -5, -10, b, a);
    show("a", a, N);
    kernel_two(0, 3, 8, b, a);
    show("a", a, N);
    kernel_two(-4, 3, 3, b, a);
    show("a", a, N);
    kernel_element(N, 3, b, a);
    show("a", a, N);
    kernel_element(N, -1000, b, a);
    show("a", a, N);
    free(a);
    free(b);
    free(c);
    return 0;
}
