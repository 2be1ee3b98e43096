// Shows: the host sums c inside the data environment after an update.
#include <stdio.h>

#define N 100

int main(void)
{
    int c[N], s = 0;
    for (int i = 0; i < N; i++)
        c[i] = -1;
    #pragma omp target data map(tofrom: c)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            c[i] = i;
        #pragma omp target update from(c)
        for (int i = 0; i < N; i++)
            s += c[i];
    }
    printf("%d\n", s);
    return 0;
}
