// copyout only brings it back.
#include <stdio.h>

int main(void)
{
    int c[45];
    for (int i = 0; i < 45; i++)
        c[i] = -1;
    #pragma acc parallel loop copyout(c)
    for (int i = 0; i < 45; i++)
        c[i] = i + 1;
    printf("%d\n", c[44]);
    return 0;
}
