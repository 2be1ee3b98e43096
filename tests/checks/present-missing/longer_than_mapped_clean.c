// Shows: half of the array is present, and that half is asked for.
// compiler: clang
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 80 * argc, half = n / 2, *v = calloc(n, sizeof *v);
    (void)argv;
    #pragma omp target enter data map(to: v[0:half])
    #pragma omp target teams distribute parallel for map(present, tofrom: v[0:half])
    for (int i = 0; i < half; i++)
        v[i] = i;
    #pragma omp target exit data map(from: v[0:half])
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
