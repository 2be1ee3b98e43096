// Shows: the host sums c inside the data environment: the device's values have not come back yet.
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
        for (int i = 0; i < N; i++)
            s += c[i]; // finds: stale-host-read c
    }
    printf("%d\n", s);
    return 0;
}
