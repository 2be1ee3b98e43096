// Each iteration writes an odd row and reads the even ones beside it, which no iteration writes.
#include <stdio.h>

int main(void)
{
    static int m[41][30];
    for (int i = 0; i < 41; i++)
        for (int j = 0; j < 30; j++)
            m[i][j] = i + 2 * j;
    #pragma omp target teams distribute parallel for map(tofrom: m)
    for (int i = 0; i < 20; i++)
        for (int j = 1; j < 29; j++)
            m[2 * i + 1][j] += m[2 * i][j - 1] - m[2 * i + 2][j + 1];
    for (int i = 0; i < 41; i++)
        printf("%d %d\n", m[i][4], m[i][28]);
    return 0;
}
