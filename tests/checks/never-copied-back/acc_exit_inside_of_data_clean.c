// `exit data` takes back what `enter data` has brought, and nothing else: the construct copies its data back itself.
#include <stdio.h>

static int a[100];

int main(void)
{
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma acc data copy(a)
    {
        #pragma acc parallel loop present(a)
        for (int i = 0; i < 100; i++)
            a[i] *= 2;
        #pragma acc exit data copyout(a)
    }
    printf("%d\n", a[7]);
    return 0;
}
