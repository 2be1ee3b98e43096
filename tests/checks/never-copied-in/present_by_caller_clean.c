// Shows: the callee's map(always, to:) copies, although the caller has already allocated the data.
#include <stdio.h>

#define COUNT 64

static int weights[COUNT];

static int weigh(const int *w, int n)
{
    int total = 0;
    #pragma omp target teams distribute parallel for map(always, to: w[0:n]) map(tofrom: total) reduction(+: total)
    for (int i = 0; i < n; i++)
        total += i * w[i];
    return total;
}

int main(void)
{
    for (int i = 0; i < COUNT; i++)
        weights[i] = 2 * i + 1;
    #pragma omp target enter data map(alloc: weights)
    int total = weigh(weights, COUNT);
    #pragma omp target exit data map(release: weights)
    printf("%d\n", total);
    return 0;
}
