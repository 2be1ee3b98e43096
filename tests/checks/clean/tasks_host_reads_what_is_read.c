// Host and task only read the table.
#include <stdio.h>

int main(void)
{
    int table[100], sum[1] = {0}, own = 0;
    for (int i = 0; i < 100; i++)
        table[i] = i;
    #pragma omp target map(to: table) map(tofrom: sum) nowait
    for (int i = 0; i < 100; i++)
        sum[0] += table[i];
    for (int i = 0; i < 100; i++)
        own += table[i];
    #pragma omp taskwait
    printf("%d %d\n", sum[0], own);
    return 0;
}
