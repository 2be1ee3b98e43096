// The loop writes all of c; copy brings it to the device first.
// judge: same (nothing is lost)
#include <stdio.h>

int main(void)
{
    int c[45];
    for (int i = 0; i < 45; i++)
        c[i] = -1;
    #pragma acc parallel loop copy(c) // finds: dead-copy-in c
    for (int i = 0; i < 45; i++)
        c[i] = i + 1;
    printf("%d\n", c[44]);
    return 0;
}
