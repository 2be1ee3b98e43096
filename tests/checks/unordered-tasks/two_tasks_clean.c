// The second task depends on what the first one writes.
#include <stdio.h>

static void pipeline(int n, int *restrict a, int *restrict b)
{
    #pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
    {
        #pragma omp target nowait depend(out: a[0:n])
        for (int i = 0; i < n; i++)
            a[i] = 3 * i;
        #pragma omp target nowait depend(in: a[0:n])
        for (int i = 0; i < n; i++)
            b[i] = a[i] + 1;
        #pragma omp taskwait
    }
}

int main(void)
{
    static int a[400], b[400];
    pipeline(400, a, b);
    printf("%d\n", b[399] >= 0);
    return 0;
}
