// Shows: the host refills a mapped array by a function, and updates it before the next kernel.
#include <stdio.h>
#include <stdlib.h>

static void refill(int n, int *v, int round)
{
    for (int i = 0; i < n; i++)
        v[i] = (i + round) % 13;
}

int main(void)
{
    int n = 70, total = 0, *v = malloc(n * sizeof *v);
    #pragma omp target data map(alloc: v[0:n])
    for (int round = 0; round < 5; round++) {
        int sum = 0;
        refill(n, v, round);
        #pragma omp target update to(v[0:n])
        #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
        for (int i = 0; i < n; i++)
            sum += v[i] * i;
        total += sum;
    }
    printf("%d\n", total);
    free(v);
    return 0;
}
