// A scalar that a data construct around names is the one on the device, no copy of its own (OpenACC 2.7 §2.5.1).
#include <stdio.h>

static int a[100];

int main(void)
{
    int first = 0, second = 0, third = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma acc data copyin(a) copyout(first) create(second) copy(third)
    {
        #pragma acc parallel
        first = a[3] + 1;
        #pragma acc serial
        second = a[4] + first;
        #pragma acc parallel
        third = a[5] + second;
        #pragma acc update self(second)
        printf("%d\n", second);
    }
    printf("%d %d\n", first, third);
    return 0;
}
