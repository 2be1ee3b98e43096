// Shows: scalars of a kernels construct that no clause names are copied both ways, and pointers are scalars.
#include <stdio.h>

int main(void)
{
    int n = 0;
    int *q = &n;
    #pragma acc kernels
    {
        n = 3;
        q = 0;
    }
    printf("%d %d\n", n, q == 0);
    return 0;
}
