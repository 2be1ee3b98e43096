// Shows: the clause says firstprivate, but the program goes on with the changed value.
#include <stdio.h>

static double mean(const double *v, int n)
{
    double sum = 0;
    #pragma omp target map(to: v[0:n]) firstprivate(sum)
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum / n; // finds: scalar-change-lost sum
}

int main(void)
{
    double v[64];
    for (int i = 0; i < 64; i++)
        v[i] = i + 1;
    printf("%g\n", mean(v, 64) * 2);
    return 0;
}
