// The lower triangle is written, and the upper one comes back as it was.
#include <stdio.h>

int main(void)
{
    static int m[12][12];
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            m[i][j] = 100;
    #pragma omp target teams distribute parallel for map(tofrom: m)
    for (int i = 0; i < 12; i++)
        for (int j = 0; j <= i; j++)
            m[i][j] = i - j;
    printf("%d %d\n", m[11][0], m[0][11]);
    return 0;
}
