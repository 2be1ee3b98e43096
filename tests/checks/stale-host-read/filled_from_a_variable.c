// A table that one function fills on both sides from a variable, which has changed on the device in between: what the host has is old.
#include <stdio.h>

#define N 64

#pragma omp declare target
double table[N];
double first = 1;

static void fill(void) {
    for (int i = 0; i < N; i++)
        table[i] = first + i;
}
#pragma omp end declare target

int main(void) {
    double sum = 0;
    fill();
#pragma omp target
    {
        first = 2;
        fill();
    }
    for (int i = 0; i < N; i++)
        sum += table[i]; // finds: stale-host-read table
    printf("%.6f\n", sum);
    return 0;
}
