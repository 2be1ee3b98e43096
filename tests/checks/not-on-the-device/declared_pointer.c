// Shows: the pointer is a variable of the device's image, and is updated, but not what it points to.
#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
int *weights;

static int weighted(int i, int value)
{
    return weights[i] * value; // finds: not-on-the-device weights
}
#pragma omp end declare target

int main(void)
{
    int n = 40, sum = 0;
    weights = malloc(n * sizeof *weights);
    for (int i = 0; i < n; i++)
        weights[i] = i + 1;
    #pragma omp target update to(weights)
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += weighted(i, 3);
    printf("%d\n", sum);
    free(weights);
    return 0;
}
