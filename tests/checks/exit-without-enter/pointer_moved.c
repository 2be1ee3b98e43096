// Shows: the pointer has moved on between enter and exit: what it points to now was never mapped.
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
    p += n;
    #pragma omp target exit data map(from: p[0:n]) // finds: exit-without-enter p
    for (int i = 0; i < 2 * n; i++)
        printf("%d\n", block[i]); // finds: stale-host-read block
    p -= n;
    #pragma omp target exit data map(delete: p[0:n])
    return 0;
}
