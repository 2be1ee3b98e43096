// Shows: each kernel touches a quarter, all of them together the whole section.
#include <stdio.h>

int main(void)
{
    int a[256];
    for (int i = 0; i < 256; i++)
        a[i] = i;
    #pragma omp target data map(tofrom: a)
    for (int block = 0; block < 4; block++) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 64; i++)
            a[64 * block + i] += block;
    }
    printf("%d %d %d\n", a[0], a[64], a[255]);
    return 0;
}
