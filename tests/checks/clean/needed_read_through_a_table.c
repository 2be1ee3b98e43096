// The result is read through a pointer that was put into a table before.
#include <stdio.h>

static int first[30], second[30];
static int *table[2];

int main(void)
{
    table[0] = first;
    table[1] = second;
    for (int i = 0; i < 30; i++)
        first[i] = second[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: second)
    for (int i = 0; i < 30; i++)
        second[i] += 7;
    int sum = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 30; i++)
            sum += table[k][i];
    printf("%d\n", sum);
    return 0;
}
