// That one is updated, too.
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
        #pragma omp target update from(a[60:1])
        printf("%d\n", a[18]);
        printf("%d\n", a[60]);
    }
    return 0;
}
