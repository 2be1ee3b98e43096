// Shows: an update of every second element; the host reads some of these. (clang 19 moves as many elements side by side.)
// compiler: clang
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    int n = 29 + argc, *a = malloc(2 * n * sizeof *a), sum = 0;
    for (int i = 0; i < 2 * n; i++)
        a[i] = i;
    #pragma omp target data map(to: a[0:2 * n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 2 * n; i++)
            a[i] += 1;
        #pragma omp target update from(a[0:n:2])
        for (int i = 0; i < n / 2; i++)
            sum += a[2 * i];
    }
    printf("%d\n", sum);
    free(a);
    return 0;
}
