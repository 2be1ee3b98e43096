// The host reads its own a.
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
        printf("%d\n", a[7]);
    }
    printf("%d\n", b[59]);
    return 0;
}
