// single: work arrays of which only a loop of one iteration reads what was there before: its copies would have no values.
// sizes: -DN=53
// variants: long
// flags: -Wno-uninitialized
// (The copies have no value where it is read, but for the condition in front of them, which compilers do not follow that far.)
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d last %d\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

void kernel_once(int n, int *restrict out, const int *restrict in)
{
    int work[4] = {3, 5, 7, 11};
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(work)
        work[0] = in[i];
        int sum = 2 * work[0];
        if (n == 1)
            sum += work[2];
        out[i] = sum;
    }
}

/* Read in an inner loop that has no iterations but there. */
void kernel_inner(int n, int *restrict out, const int *restrict in)
{
    int work[4] = {3, 5, 7, 11};
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(work)
        work[0] = in[i];
        int sum = 2 * work[0];
        for (int j = n; j < 3; j++) // loop: parallel, reduction(+:sum)
            sum += work[j];
        out[i] = sum;
    }
}

int main(void)
{
    int *in = malloc(N * sizeof(int)), *out = malloc(N * sizeof(int));
    if (!in || !out)
        return 1;
    for (int i = 0; i < N; i++) // loop: parallel
        in[i] = i % 7 - 3;
    kernel_once(N, out, in);
    show("once", out, N);
    kernel_once(1, out, in);
    show("once, one iteration", out, 1);
    kernel_inner(N, out, in);
    show("inner", out, N);
    kernel_inner(1, out, in);
    show("inner, one iteration", out, 1);
    kernel_inner(2, out, in);
    show("inner, two iterations", out, 2);
    free(in);
    free(out);
    return 0;
}
