// Both tasks name the array, but neither says that it writes it.
// judge: same (the task may be done before the host goes on)
#include <stdio.h>

static void pipeline(int n, int *restrict a, int *restrict b)
{
    #pragma omp target data map(tofrom: a[0:n]) map(from: b[0:n])
    {
        #pragma omp target nowait depend(in: a[0:n])
        for (int i = 0; i < n; i++)
            a[i] = 3 * i;
        #pragma omp target nowait depend(in: a[0:n])
        for (int i = 0; i < n; i++)
            b[i] = a[i] + 1; // finds: unordered-tasks a
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
