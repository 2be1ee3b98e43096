// `exit data` takes back what `enter data` has brought, and nothing else: inside of a data construct it does nothing, and copies nothing back.
#include <stdio.h>

static int a[100];

int main(void)
{
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma acc data copyin(a)
    {
        #pragma acc parallel loop present(a)
        for (int i = 0; i < 100; i++)
            a[i] *= 2;
        #pragma acc exit data copyout(a)
    }
    printf("%d\n", a[7]); // finds: never-copied-back a
    return 0;
}
