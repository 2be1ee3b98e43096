// Shows: the two buffers are swapped, and both of them are mapped.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 50, steps = 2;
    int *now = malloc(n * sizeof *now), *next = calloc(n, sizeof *next), *first = now, *second = next;
    for (int i = 0; i < n; i++)
        now[i] = i;
    #pragma omp target enter data map(to: first[0:n])
    #pragma omp target enter data map(to: second[0:n])
    for (int step = 0; step < steps; step++) {
        int *old = now;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            now[i] = now[i] * 2 + 1;
        now = next;
        next = old;
    }
    #pragma omp target exit data map(from: first[0:n])
    #pragma omp target exit data map(from: second[0:n])
    for (int i = 0; i < n; i++)
        printf("%d %d\n", first[i], second[i]);
    free(first);
    free(second);
    return 0;
}
