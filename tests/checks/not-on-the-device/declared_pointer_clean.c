// Shows: the elements are mapped, which sets the pointer in the device's image.
#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
int *weights;

static int weighted(int i, int value)
{
    return weights[i] * value;
}
#pragma omp end declare target

int main(void)
{
    int n = 40, sum = 0;
    weights = malloc(n * sizeof *weights);
    for (int i = 0; i < n; i++)
        weights[i] = i + 1;
    #pragma omp target enter data map(to: weights[0:n])
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += weighted(i, 3);
    printf("%d\n", sum);
    #pragma omp target exit data map(delete: weights[0:n])
    free(weights);
    return 0;
}
