// The same with the scalar copied again after the host has set it.
#include <stdio.h>

static int a[100];

int main(void)
{
    int factor = 1;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma acc data copy(a) copyin(factor)
    {
        factor = 3;
        #pragma acc update device(factor)
        #pragma acc parallel loop
        for (int i = 0; i < 100; i++)
            a[i] *= factor;
    }
    printf("%d\n", a[10]);
    return 0;
}
