// Shows: the host changes an array of rows while it is mapped; the kernel reads one column, so that whole rows have to be moved.
#include <stdio.h>

int main(void)
{
    static double a[8][16];
    double s = 0;
    #pragma omp target data map(to: a)
    {
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 16; j++)
                a[i][j] = i + j;
        #pragma omp target teams distribute parallel for reduction(+: s) map(tofrom: s)
        for (int i = 0; i < 8; i++)
            s += a[i][3]; // finds: stale-device-read a
    }
    printf("%g\n", s);
    return 0;
}
