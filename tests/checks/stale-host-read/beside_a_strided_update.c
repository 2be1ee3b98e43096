// Every second element of the first half is updated, and the host reads one of the second half, too.
// compiler: clang
#include <stdio.h>

int main(void)
{
    int a[80];
    for (int i = 0; i < 80; i++)
        a[i] = i;
    #pragma omp target data map(to: a)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 80; i++)
            a[i] = -i;
        #pragma omp target update from(a[0:20:2])
        printf("%d\n", a[18]);
        printf("%d\n", a[60]); // finds: stale-host-read a
    }
    return 0;
}
