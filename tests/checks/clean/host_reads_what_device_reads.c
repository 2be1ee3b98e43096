// Shows: host and device both read the mapped table, and nobody writes it.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 30, sum = 0, check = 0, *table = malloc(n * sizeof *table);
    for (int i = 0; i < n; i++)
        table[i] = i * i;
    #pragma omp target data map(to: table[0:n])
    for (int round = 1; round <= 3; round++) {
        #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
        for (int i = 0; i < n; i++)
            sum += table[i] * round;
        for (int i = 0; i < n; i++)
            check += table[i] * round;
    }
    printf("%d %d\n", sum, check);
    free(table);
    return 0;
}
