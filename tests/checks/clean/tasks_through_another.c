// The third task depends on the second one, which depends on the first.
#include <stdio.h>

int main(void)
{
    int a[200], b[200];
    #pragma omp target data map(from: a, b)
    {
        #pragma omp target nowait depend(out: a)
        for (int i = 0; i < 200; i++)
            a[i] = i;
        #pragma omp target nowait depend(in: a) depend(out: b)
        for (int i = 0; i < 200; i++)
            b[i] = a[i];
        #pragma omp target depend(inout: b)
        for (int i = 0; i < 200; i++)
            a[i] += b[i];
    }
    printf("%d %d\n", a[199], b[199]);
    return 0;
}
