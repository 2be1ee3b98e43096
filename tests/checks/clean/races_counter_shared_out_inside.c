// Teams take rows, and the threads of each share out its columns: the counter of the inner loop, though declared outside, is private there.
#include <stdio.h>

int main(void)
{
    static int table[12][40];
    int row, column, total = 0;
    for (row = 0; row < 12; row++)
        for (column = 0; column < 40; column++)
            table[row][column] = row * column;
    #pragma omp target teams map(to: table) map(tofrom: total) reduction(+: total)
    #pragma omp distribute
    for (row = 0; row < 12; row++) {
        #pragma omp parallel for reduction(+: total)
        for (column = 0; column < 40; column++)
            total += table[row][column];
    }
    printf("%d\n", total);
    return 0;
}
