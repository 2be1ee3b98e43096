// The update sends values that the kernel behind it overwrites.
// judge: same (nothing is lost)
#include <stdio.h>

int main(void)
{
    int a[30], b[30];
    for (int i = 0; i < 30; i++)
        a[i] = b[i] = i;
    #pragma omp target data map(to: a) map(from: b)
    {
        for (int i = 0; i < 30; i++)
            b[i] = 0;
        #pragma omp target update to(b) // finds: dead-copy-in b
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 30; i++)
            b[i] = a[i] + 4;
    }
    printf("%d\n", b[29]);
    return 0;
}
