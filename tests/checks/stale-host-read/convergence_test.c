// Shows: the host tests an error value in each step, but it changes on the device only.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 100, steps = 0;
    int *error = malloc(sizeof *error), *u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = 64 + i;
    error[0] = 1000;
    #pragma omp target enter data map(to: u[0:n], error[0:1])
    while (steps < 12) {
        #pragma omp target
        {
            error[0] = 0;
            for (int i = 0; i < n; i++) {
                u[i] /= 2;
                error[0] += u[i];
            }
        }
        steps++;
        if (error[0] == 0) // finds: stale-host-read error
            break;
    }
    #pragma omp target exit data map(delete: u[0:n], error[0:1])
    printf("%d\n", steps);
    free(error);
    free(u);
    return 0;
}
