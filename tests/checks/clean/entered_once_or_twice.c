// Shows: the data are entered a second time on one of two ways, and taken off as often.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 60, *v = calloc(n, sizeof *v), again = argc > 1;
    (void)argv;
    #pragma omp target enter data map(to: v[0:n])
    if (again) {
        #pragma omp target enter data map(to: v[0:n])
    }
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] += i;
    #pragma omp target exit data map(from: v[0:n])
    if (again) {
        #pragma omp target exit data map(from: v[0:n])
    }
    printf("%d\n", v[59]);
    free(v);
    return 0;
}
