// Shows: the pointer that was used for enter is used for exit.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40, *block = malloc(2 * n * sizeof *block), *p = block;
    for (int i = 0; i < 2 * n; i++)
        block[i] = i;
    #pragma omp target enter data map(to: p[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        p[i] += 100;
    #pragma omp target exit data map(from: p[0:n])
    for (int i = 0; i < 2 * n; i++)
        printf("%d\n", block[i]);
    return 0;
}
