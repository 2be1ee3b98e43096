// The environment has just copied a when the update copies it again.
// judge: same (nothing is lost)
#include <stdio.h>

int main(void)
{
    int a[100], b[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma omp target data map(to: a) map(from: b)
    {
        #pragma omp target update to(a) // finds: redundant-transfer a
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 100; i++)
            b[i] = 3 * a[i];
    }
    printf("%d %d\n", b[1], b[99]);
    return 0;
}
