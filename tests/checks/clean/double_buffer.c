// Shows: two mapped buffers change places in every step; after an odd number of steps the result is in the second.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 100, steps = 6 + argc;
    double *from = calloc(n, sizeof *from), *to = calloc(n, sizeof *to);
    (void)argv;
    from[n / 2] = to[n / 2] = 1024;
    #pragma omp target enter data map(to: from[0:n], to[0:n])
    for (int step = 0; step < steps; step++) {
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; i++)
            to[i] = from[i - 1] + from[i + 1];
        double *other = from;
        from = to;
        to = other;
    }
    #pragma omp target update from(from[0:n])
    #pragma omp target exit data map(release: from[0:n], to[0:n])
    for (int i = 0; i < n; i++)
        printf("%g\n", from[i]);
    free(from);
    free(to);
    return 0;
}
