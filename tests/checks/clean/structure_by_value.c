// Shows: a structure is passed by value; what its member points to was mapped by the caller, who names it otherwise.
#include <stdio.h>
#include <stdlib.h>

struct series {
    int length;
    double *sample;
};

static double total(struct series s)
{
    double sum = 0, *sample = s.sample;
    int n = s.length;
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += sample[i];
    return sum;
}

int main(void)
{
    int n = 90;
    double *all = malloc(n * sizeof *all);
    struct series s = {n, all};
    for (int i = 0; i < n; i++)
        all[i] = i;
    #pragma omp target data map(to: all[0:n])
    printf("%g\n", total(s));
    free(all);
    return 0;
}
