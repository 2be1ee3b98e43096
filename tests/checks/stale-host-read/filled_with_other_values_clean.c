// A table that one function fills on the host and on the device, with other values there, which are copied back.
#include <stdio.h>

#define N 64

#pragma omp declare target
double table[N];

static void fill(double first) {
    for (int i = 0; i < N; i++)
        table[i] = first + i;
}
#pragma omp end declare target

int main(void) {
    double sum = 0;
    fill(1);
#pragma omp target
    fill(2);
#pragma omp target update from(table)
    for (int i = 0; i < N; i++)
        sum += table[i];
    printf("%.6f\n", sum);
    return 0;
}
