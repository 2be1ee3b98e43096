// Shows: the section of the linearised matrix counts rows, not elements.
#include <stdio.h>
#include <stdlib.h>

static int *table;

static void create(int rows, int columns)
{
    table = malloc(rows * columns * sizeof *table);
    for (int k = 0; k < rows * columns; k++)
        table[k] = k % 13;
    #pragma omp target enter data map(to: table[0:rows])
}

static int trace(int rows, int columns)
{
    int sum = 0;
    #pragma omp target map(tofrom: sum)
    for (int i = 0; i < rows; i++)
        sum += table[i * columns + i]; // finds: section-too-short table
    return sum;
}

int main(void)
{
    create(25, 25);
    printf("%d\n", trace(25, 25));
    #pragma omp target exit data map(delete: table[0:25])
    free(table);
    return 0;
}
