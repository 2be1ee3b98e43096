// Shows: a pointer to a row, private in every region of a loop in time, is set before it is followed.
#include <stdio.h>

enum { ROWS = 6, COLUMNS = 9 };

int main(void)
{
    static int a[ROWS][COLUMNS];
    int *row = a[0], sum = 0;
    #pragma omp target data map(tofrom: a)
    for (int step = 0; step < 3; step++) {
        #pragma omp target teams distribute parallel for private(row)
        for (int i = 0; i < ROWS; i++) {
            row = a[i];
            for (int j = 0; j < COLUMNS; j++)
                row[j] += i + j;
        }
    }
    for (int i = 0; i < ROWS; i++)
        sum += a[i][i];
    printf("%d\n", sum);
    return 0;
}
