// A kernel that only reads a lies between the data region and the update.
// judge: same (nothing is lost)
#include <stdio.h>

int main(void)
{
    int a[60], b[60];
    for (int i = 0; i < 60; i++)
        a[i] = 2 * i;
    #pragma acc data copyin(a) copyout(b)
    {
        #pragma acc parallel loop
        for (int i = 0; i < 60; i++)
            b[i] = a[i] + 1;
        #pragma acc update self(a) // finds: redundant-transfer a
        printf("%d\n", a[7]);
    }
    printf("%d\n", b[59]);
    return 0;
}
