// Teams share out two loops in one region, and the second reads what another team writes in the first.
// judge: race
#include <stdio.h>

int main(void)
{
    int n = 240, a[240], b[240];
    for (int i = 0; i < n; i++)
        a[i] = 1;
    #pragma omp target teams map(tofrom: a) map(from: b)
    {
        #pragma omp distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] = a[i] + i;
        #pragma omp distribute parallel for
        for (int i = 0; i < n; i++)
            b[i] = a[n - 1 - i]; // finds: missing-barrier a
    }
    printf("%d %d\n", b[0], b[239]);
    return 0;
}
