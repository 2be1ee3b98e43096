// A table that one function fills on the host and on the device: the copies are equal, though nothing is copied.
#include <stdio.h>

#define N 64

#pragma omp declare target
double table[N];
double weight;

static void fill(double *values) {
    weight = 0.5;
    for (int i = 0; i < N; i++)
        values[i] = i * 0.75;
}
#pragma omp end declare target

int main(void) {
    double sum = 0;
    fill(table);
#pragma omp target
    fill(table);
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < N; i++)
        sum += table[i] * weight;
    for (int i = 0; i < N; i++)
        sum += table[i] * weight;
    printf("%.6f\n", sum);
    return 0;
}
