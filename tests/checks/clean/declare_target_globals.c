// Shows: variables of the device's image are updated in both directions, and used by a function of the device.
#include <stdio.h>

#pragma omp declare target
int coefficient[8];
int hits;

int weigh(int k, int value)
{
    return coefficient[k % 8] * value;
}
#pragma omp end declare target

int main(void)
{
    int out[40];
    for (int k = 0; k < 8; k++)
        coefficient[k] = k - 3;
    hits = 100;
    #pragma omp target update to(coefficient, hits)
    #pragma omp target map(from: out)
    for (int k = 0; k < 40; k++) {
        out[k] = weigh(k, k);
        if (out[k] > 0)
            hits++;
    }
    #pragma omp target update from(hits)
    for (int k = 0; k < 40; k++)
        printf("%d\n", out[k]);
    printf("%d\n", hits);
    return 0;
}
